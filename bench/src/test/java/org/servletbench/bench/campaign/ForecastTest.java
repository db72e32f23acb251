package org.servletbench.bench.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.record.Analysis;
import org.servletbench.bench.record.Campaign;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.record.Forecast;
import org.servletbench.bench.record.PhaseTimes;
import org.servletbench.bench.record.ServerRun;
import org.servletbench.bench.report.Campaigns;
import org.servletbench.bench.verdict.PairVerdict;
import org.servletbench.bench.verdict.SampleSize;
import org.servletbench.bench.verdict.Stopping;

class ForecastTest {
    @TempDir
    Path folder;

    private static Planner.Draft draft(Map<String, String> given) {
        return PlannerTest.draft("quick", given);
    }

    private static Forecast forecast(Map<String, String> given) {
        Planner.Draft draft = draft(given);
        return Forecast.of(draft.plan(), draft.arms(), draft.procedure());
    }

    private static double halfWidth(Forecast forecast) {
        Matcher figure = Pattern.compile("intervals of ± ([0-9.]+) %").matcher(String.join("\n", forecast.lines()));
        assertThat(figure.find()).isTrue();
        return Double.parseDouble(figure.group(1));
    }

    /** With 16 % within a window of 5 s, the noise between JVMs does not matter. */
    @Test
    void windowsAreForecastWithTheNoiseOfWindows() {
        Map<String, String> plan = Map.of("blocks", "10", "hold", "5s", "limit", "0s");
        Map<String, String> windows = new HashMap<>(plan);
        windows.put("slice", "0s");

        assertThat(halfWidth(forecast(windows))).isGreaterThan(6 * halfWidth(forecast(plan)));
        assertThat(forecast(windows).lines()).anyMatch(line -> line.contains("16.0 % within one (5 s of load)"));
    }

    @Test
    void thePaceSpreadsTheBlocks() {
        Forecast without = forecast(Map.of("blocks", "10", "limit", "0s"));
        Forecast paced = forecast(Map.of("blocks", "10", "limit", "0s", "pace", "1h"));
        assertThat(paced.seconds()).isCloseTo(9 * 3600 + without.seconds() / 10, within(1.0));
        assertThat(paced.lines()).anyMatch(line -> line.endsWith("for a block, and one begins every 60 min"));
        assertThat(forecast(Map.of("blocks", "10", "limit", "3h", "pace", "1h")).seconds())
                .as("three blocks")
                .isBetween(2 * 3600.0, 3 * 3600.0);
        Forecast shorter = forecast(Map.of("blocks", "10", "limit", "0s", "pace", "5s"));
        assertThat(shorter.seconds()).isEqualTo(without.seconds());
        assertThat(shorter.lines()).contains("warning: the pace of 5s is shorter than a block: it does nothing");
    }

    /** A load of 6 s for each of four servers, and one start of the generator. */
    @Test
    void profilesTakeTheirTime() {
        Map<String, String> plan = Map.of("blocks", "10", "limit", "0s", "hold", "12s");
        Map<String, String> explained = new HashMap<>(plan);
        explained.put("cpu-profile", "true");
        assertThat((forecast(explained).seconds() - forecast(plan).seconds()) / 10)
                .isBetween(4 * 6.0 + 5, 4 * 6.0 + 40);
    }

    @Test
    void whatIsTooWideForTheMarginIsAWarning() {
        Map<String, String> few = Map.of("blocks", "3", "limit", "0s");
        Map<String, String> many = Map.of("blocks", "40", "limit", "0s");

        assertThat(forecast(few).lines())
                .anyMatch(line -> line.startsWith("note: ") && line.contains("margin of 3.0 %"));
        assertThat(forecast(many).lines()).noneMatch(line -> line.startsWith("note: "));
    }

    /** An interval of ±248 %, or the hours that a better one takes, would only mislead. */
    @Test
    void aLimitThatIsTooShortToSayAnythingIsNamedWithOneThatIsNot() {
        Map<String, String> windows = Map.of("slice", "0s", "hold", "5s");
        Forecast tooShort = forecast(with(windows, "limit", "2m"));
        String note = tooShort.lines().get(1);
        assertThat(note).matches("note: the limit of 2 min is too short to show anything; try --limit \\d+m");
        assertThat(String.join(" ", tooShort.lines())).doesNotContain("±", "EQUIVALENT");

        Forecast longer = forecast(with(windows, "limit", note.replaceAll(".*--limit (\\d+m).*", "$1")));
        assertThat(halfWidth(longer)).isLessThanOrEqualTo(20);
        assertThat(longer.lines()).noneMatch(line -> line.contains("too short"));

        Map<String, String> endless = with(windows, "limit", "0s");
        String few = forecast(with(endless, "blocks", "2")).lines().get(1);
        assertThat(few).matches("note: 2 blocks are too few to show anything; try --blocks \\d+");
        assertThat(halfWidth(forecast(with(endless, "blocks", few.replaceAll(".*--blocks (\\d+).*", "$1")))))
                .isLessThanOrEqualTo(20);
    }

    private static Map<String, String> with(Map<String, String> given, String name, String value) {
        Map<String, String> more = new HashMap<>(given);
        more.put(name, value);
        return more;
    }

    @Test
    void quickStopsAtAPrecisionUnlessANumberIsGiven() {
        double precision = draft(Map.of()).plan().precision();

        assertThat(precision).isBetween(0.03, 0.05);
        assertThat(draft(Map.of("blocks", "8")).plan().precision()).isZero();
        assertThat(draft(Map.of("blocks", "8", "precision", "2%")).plan().precision())
                .isEqualTo(0.02);
        assertThat(PlannerTest.draft("full", Map.of()).plan().precision()).isZero();
    }

    /**
     * The precision of the quick preset is the half width with which a pair finds a difference of 5 % in 8 of 10
     * campaigns.
     */
    @Test
    void thePrecisionOfQuickIsADetectableDifferenceOfFivePercent() throws IOException {
        double precision = draft(Map.of()).plan().precision();
        Campaigns.write(folder, 11, "jetty", 1);
        CampaignFolder read = CampaignFolder.read(folder);
        for (int blocks : new int[] {6, 10}) {
            Analysis judged = Analysis.of(
                    read.campaign(),
                    read.serverRuns().stream()
                            .filter(serverRun -> serverRun.block() <= blocks)
                            .toList());
            for (PairVerdict pair : judged.family().pairs()) {
                double found = Math.log1p(pair.detectable()) / Math.log1p(pair.halfWidth());
                if (pair.estimate().spreads() && pair.contrast().metric() == Metric.THROUGHPUT) {
                    assertThat(Math.expm1(found * Math.log1p(precision))).isCloseTo(0.05, within(0.004));
                }
            }
        }
    }

    /** Ten blocks, in which servers differ by 1 %. */
    @Test
    void whatItTakesToDecideComesFromTheNoiseThatWasSeen() throws IOException {
        Campaigns.write(folder, 12, "jetty", 1);
        CampaignFolder read = CampaignFolder.read(folder);
        List<ServerRun> three = read.serverRuns().stream()
                .filter(serverRun -> serverRun.block() <= 3)
                .toList();

        Analysis judged = Analysis.of(read.campaign(), three);
        assertThat(judged.noises().get(0)).satisfies(seen -> {
            assertThat(seen.metric()).isEqualTo(Metric.THROUGHPUT);
            assertThat(seen.noise().residual()).isBetween(0.006, 0.015);
            assertThat(seen.noise().seconds()).isCloseTo(30, within(1e-9));
        });
        assertThat(Forecast.needed(judged, Optional.of(new PhaseTimes(3, 30, 150, 120, 0))))
                .hasValueSatisfying(
                        line -> assertThat(line).matches("intervals as narrow as the margin .*blocks .*(min|h)\\)"));
    }

    /**
     * The spread of three blocks is mostly chance. Forecasting with the spread itself would plan too few blocks in half
     * of all campaigns.
     */
    @Test
    void fewBlocksForecastWithTheUpperLimitOfTheirNoise() throws IOException {
        Campaigns.write(folder, 12, "jetty", 1);
        CampaignFolder read = CampaignFolder.read(folder);
        Analysis few = Analysis.of(
                read.campaign(),
                read.serverRuns().stream().filter(one -> one.block() <= 3).toList());
        String line = Forecast.needed(few, Optional.empty()).orElseThrow();
        assertThat(line).matches(".* take up to \\d+ blocks at the upper limit of this noise");

        double upper = few.noises().stream()
                .mapToDouble(seen -> seen.noise().upper())
                .max()
                .orElseThrow();
        int blocks = Integer.parseInt(line.replaceAll(".* up to (\\d+) blocks.*", "$1"));
        SampleSize.Design design =
                Forecast.design(few.campaign().plan(), few.campaign().arms()).orElseThrow();
        assertThat(blocks)
                .isEqualTo(Stopping.blocks(0.03, upper, design, few.settings().alpha()));
    }

    /** Metrics have different margins, and the margin of one would not fit another. */
    @Test
    void marginsOfTheirOwnAreNamedOneByOne() throws IOException {
        Campaigns.write(folder, 12, "jetty", 1);
        CampaignFolder read = CampaignFolder.read(folder);
        ObjectMapper json = new ObjectMapper();
        ObjectNode tree = json.valueToTree(read.campaign());
        ((ObjectNode) tree.get("plan"))
                .set("margin", json.valueToTree(Map.of("usual", 0.03, "throughput", 0.05, "cpu", 0.001)));
        Analysis judged = Analysis.of(json.convertValue(tree, Campaign.class), read.serverRuns());

        assertThat(Forecast.needed(judged, Optional.empty())).hasValueSatisfying(line -> assertThat(line)
                .matches(
                        "intervals as narrow as the margin \\(± 5 % in throughput, 3 % in p99 response time and 0[.]1 %"
                                + " in CPU time per request\\) take about \\d+ blocks with this noise"));
    }

    /** No number of blocks would give this arm an interval, and the other arms have theirs. */
    @Test
    void anArmWithoutFiguresIsNoReasonForMoreBlocks() throws IOException {
        Campaigns.write(folder, 12, "jetty", 1);
        CampaignFolder read = CampaignFolder.read(folder);
        List<ServerRun> without = read.serverRuns().stream()
                .filter(serverRun -> !serverRun.arm().equals("jetty"))
                .toList();
        Analysis judged = Analysis.of(read.campaign(), without);
        assertThat(judged.family().widestHalfWidth()).isInfinite();
        assertThat(Forecast.needed(judged, Optional.empty())).hasValueSatisfying(line -> assertThat(
                        Integer.parseInt(line.replaceAll(".* about (\\d+) blocks.*", "$1")))
                .isGreaterThan(10));
    }
}
