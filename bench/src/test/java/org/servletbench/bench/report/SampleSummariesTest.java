package org.servletbench.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.servletbench.bench.comparison.ClaimList;
import org.servletbench.bench.comparison.ClaimSpec;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.Pause;
import org.servletbench.bench.model.ToolSettings;
import org.servletbench.bench.record.Analysis;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.CampaignEvent;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.record.Forecast;
import org.servletbench.bench.verdict.Stopping;

/**
 * Tests the summaries of simulated campaigns in {@code examples/summaries}, which docs show as they appear on a pull
 * request. With {@code -Dwrite.page=true}, it writes them.
 */
class SampleSummariesTest {

    private static final MeasuredLoad BUSY = new MeasuredLoad("request", 32, 0, "gatling");
    private static final MeasuredLoad QUIET = new MeasuredLoad(
            "request", 8, 0, "gatling", new ToolSettings(Pause.parse("exponential 100ms"), 0, 0, true, List.of()));

    private static final Path SAMPLES = Path.of("../examples/summaries");

    @TempDir
    Path folder;

    /** One sample. */
    enum Sample {
        PASSED(
                "### As claimed: after is not slower than before in cpu; after is not slower than before in alloc; and 1 more") {
            @Override
            Fixture drawn() {
                return gate(11).spread(0.006).limit(1800).blocks(14);
            }
        },
        SLOWER("### For request at 32 users, after needs ") {
            @Override
            Fixture drawn() {
                return gate(12).spread(0.006)
                        .limit(1800)
                        .blocks(14)
                        .cpu("after", 1.12)
                        .alloc("after", 1.07);
            }
        },
        UNDECIDED("### UNDECIDED after 5 blocks: CPU time per request of after ") {
            @Override
            Fixture drawn() {
                return gate(13).spread(0.012).limit(600).blocks(5).cpu("after", 1.05);
            }
        };

        private final String begins;

        Sample(String begins) {
            this.begins = begins;
        }

        abstract Fixture drawn();

        private Path file() {
            return SAMPLES.resolve(name().toLowerCase(Locale.ROOT) + ".md");
        }
    }

    /** As in comparisons/pull-request.yaml, but with a single margin. */
    private static Fixture gate(long seed) {
        return Fixture.seeded(seed)
                .named("2026-11-20-pull-request")
                .question("Is the change slower?")
                .arms(List.of(
                        Fixture.arm("before", "before", "boot3", Arm.Role.BASELINE),
                        after(),
                        Fixture.arm("before-control", "before", "boot3", Arm.Role.CONTROL)))
                .loads(List.of(BUSY, QUIET))
                .judging(BUSY, "cpu", "alloc")
                .judging(QUIET, "mean")
                .command("compare --app before.jar --app after.jar --url /api/owners")
                .inTimeSlices(0.25)
                .equalCpu()
                .cpuSpread(2)
                .testing(0.05, "cpu", "alloc", "mean")
                .claims(new ClaimList(List.of(notSlower("cpu"), notSlower("alloc"), notSlower("mean")), null));
    }

    /** Returns the arm of the second build, which has another jar. */
    private static Arm after() {
        Arm arm = Fixture.arm("after", "after", "boot3", Arm.Role.ARM);
        return arm.with(new Arm.Build(
                arm.containerVersion(),
                arm.bootVersion(),
                arm.jar(),
                new StringBuilder(arm.sha256()).reverse().toString()));
    }

    private static ClaimSpec notSlower(String metric) {
        return new ClaimSpec(
                "after is not slower than before in " + metric,
                "",
                "",
                List.of(new ClaimSpec.Part(
                        metric,
                        "after",
                        "before",
                        ClaimSpec.Relation.NOT_SLOWER,
                        null,
                        null,
                        Map.of(),
                        Map.of(),
                        false)));
    }

    /** The verdict has the intervals of the analysis that ended the gate, which are wider. */
    @Test
    void aGateThatEndedEarlySaysSo() throws IOException {
        Fixture early = gate(12).spread(0.006)
                .limit(1800)
                .blocks(4)
                .cpu("after", 1.5)
                .history(new CampaignEvent(CampaignEvent.What.CLAIM_FAILED, "2026-11-20T11:00:00Z", 4, 4));
        early.draw().write(folder);
        CampaignFolder read = CampaignFolder.read(folder);
        String ended =
                "Ended after 4 blocks: the claim \"after is not slower than before in cpu\" has certainly failed. Intervals are"
                        + " wider than those of a whole run, because an early end must be surer.";

        assertThat(MarkdownSummary.of(Outcomes.of(read)).lines())
                .anyMatch(line -> line.startsWith("### For request at 32 users, after needs "))
                .contains("- " + Markdown.text(ended))
                .noneMatch(line -> line.contains("would have found"));
        assertThat(ReportPage.of(read).files().get(ReportPage.INDEX).replace("&quot;", "\""))
                .contains(ended)
                .contains("a claim has certainly failed");
        Analysis judged = Analysis.of(read.campaign(), read.serverRuns());
        assertThat(judged.settings().alpha()).isEqualTo(Stopping.look(0.05, 4));
        assertThat(Forecast.needed(judged, Optional.empty())).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void theSampleIsWhatIsWrittenToday(Sample sample) throws IOException {
        sample.drawn().draw().write(folder);
        String made = MarkdownSummary.of(Outcomes.of(CampaignFolder.read(folder)));
        assertThat(made.lines().skip(1).findFirst().orElseThrow()).startsWith(sample.begins);
        if (Boolean.getBoolean("write.page")) {
            Files.createDirectories(SAMPLES);
            Files.writeString(sample.file(), made);
        }
        assertThat(Files.readString(sample.file()))
                .as("stale: run this test with -Dwrite.page=true")
                .isEqualTo(made);
    }
}
