package org.servletbench.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.report.Campaigns;
import org.servletbench.bench.report.Early;
import org.servletbench.bench.report.Gate.FailOn;
import org.servletbench.bench.report.Outcomes;

class ResultsTest {

    @TempDir
    Path folder;

    /** Unusable figures are a failure, not a finding that {@code never} tolerates. */
    @Test
    void neverIsNoPassWhereNothingIsUsable() throws IOException {
        Campaigns.write(folder, 7, "jetty", 1);
        CampaignFolder read = CampaignFolder.read(folder);
        Path summary = folder.resolve("summary.md");
        for (FailOn one : FailOn.values()) {
            StringWriter errors = new StringWriter();
            Exit end = new Results(Map.of(ResultFile.SUMMARY, summary), Optional.of(one))
                    .end(
                            Outcomes.of(read),
                            false,
                            Optional.of("no load can take part"),
                            "compare",
                            new PrintWriter(new StringWriter()),
                            new PrintWriter(errors));

            assertThat(end).isEqualTo(Exit.FAILED);
            assertThat(errors.toString().strip()).isEqualTo("compare: no load can take part");
            assertThat(Files.readString(summary)).startsWith("<!-- servlet-bench: unusable -->");
        }
    }

    /** If no failure is reported, a run need not end early: it is measured to its end. */
    @Test
    void onlyNeverShowsWithoutFailing() {
        for (FailOn one : FailOn.values()) {
            assertThat(new Results(Map.of(), Optional.of(one)).isOnlyShown()).isEqualTo(one == FailOn.NEVER);
        }
        assertThat(new Results(Map.of(), Optional.empty()).isOnlyShown()).isFalse();
    }

    /** Figures of half a campaign must not get into a history. */
    @Test
    void whatEndsEarlySaysWhyAndWhatIsKnown() throws IOException {
        Campaigns.interrupted(folder.resolve("campaign"), 8);
        Results results = results();

        results.early(
                Optional.of(folder.resolve("campaign")),
                Early.failed("failed twice in block 2: jetty: the server died"),
                new PrintWriter(new StringWriter()));

        assertThat(folder.resolve("summary.md"))
                .content()
                .startsWith(
                        "<!-- servlet-bench: failed -->\n### No verdicts: failed twice in block 2: jetty: the server"
                                + " died\n")
                .contains("| Jetty |");
        assertThat(folder.resolve("verdicts.xml"))
                .content()
                .contains("errors=\"1\"")
                .contains("name=\"the campaign came to its end\"><error message=\"failed twice in block 2: jetty:");
        assertThat(folder.resolve("bmf.json")).doesNotExist();
        results.early(
                Optional.of(folder.resolve("campaign")), Early.interrupted(), new PrintWriter(new StringWriter()));
        assertThat(folder.resolve("summary.md"))
                .content()
                .startsWith("<!-- servlet-bench: unfinished -->\n### No verdicts: interrupted before its end\n");
    }

    /** The command may have failed before there was a campaign. */
    @Test
    void aCommandThatFailsBeforeItsCampaignSaysWhyInItsFiles() throws IOException {
        Path summary = folder.resolve("summary.md");
        Path junit = folder.resolve("verdicts.xml");
        StringWriter errors = new StringWriter();

        int code = Main.run(
                new PrintWriter(new StringWriter()),
                new PrintWriter(errors),
                "compare",
                "--root",
                System.getProperty("bench.root"),
                "--arms",
                "jetty,jetty",
                "--summary",
                summary.toString(),
                "--junit",
                junit.toString());

        assertThat(code).as(errors.toString()).isEqualTo(Exit.USAGE.code());
        assertThat(errors.toString()).startsWith("compare: ").contains("jetty is named twice");
        assertThat(summary)
                .content()
                .startsWith("<!-- servlet-bench: failed -->\n### No answer: ")
                .contains("jetty is named twice");
        assertThat(junit)
                .content()
                .contains("errors=\"1\"", "<error message=\"")
                .contains("jetty is named twice");
    }

    private Results results() {
        return new Results(
                Map.of(
                        ResultFile.SUMMARY,
                        folder.resolve("summary.md"),
                        ResultFile.JUNIT,
                        folder.resolve("verdicts.xml"),
                        ResultFile.BMF,
                        folder.resolve("bmf.json")),
                Optional.empty());
    }
}
