package org.servletbench.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.report.Campaigns;
import org.servletbench.bench.report.Outcomes;

class GithubActionsTest {

    @TempDir
    Path folder;

    private String shown(Map<String, String> environment) throws IOException {
        Path campaign = folder.resolve("campaign");
        if (!Files.exists(campaign)) {
            Campaigns.write(campaign, 2, "jetty", 0.6);
        }
        StringWriter out = new StringWriter();
        PrintWriter console = new PrintWriter(out);
        new GithubActions(environment)
                .show(Outcomes.of(CampaignFolder.read(campaign)), List.of("100 % slower"), console);
        console.flush();
        return out.toString();
    }

    @Test
    void aJobGetsTheSummaryAfterWhatOthersWroteAndAnErrorForEachFailure() throws IOException {
        Path summary = Files.writeString(folder.resolve("step.md"), "# Others\n");

        assertThat(shown(Map.of("GITHUB_ACTIONS", "true", "GITHUB_STEP_SUMMARY", summary.toString())))
                .isEqualTo("::error title=servlet-bench::100 %25 slower" + System.lineSeparator());
        assertThat(Files.readString(summary)).startsWith("# Others\n<!-- servlet-bench: ");
    }

    @Test
    void elsewhereNothingIsSaid() throws IOException {
        Path summary = folder.resolve("step.md");
        assertThat(shown(Map.of("GITHUB_STEP_SUMMARY", summary.toString()))).isEmpty();
        assertThat(summary).doesNotExist();
    }

    @Test
    void aSummaryThatCannotBeWrittenIsSaidAndFailsNothing() throws IOException {
        assertThat(shown(Map.of("GITHUB_ACTIONS", "true", "GITHUB_STEP_SUMMARY", folder.toString())))
                .contains("the summary of the job could not be written: ");
    }

    @Test
    void nothingOfALineIsACommand() {
        assertThat(GithubActions.error("50 %\r\n::set-output name=x::y"))
                .isEqualTo("::error title=servlet-bench::50 %25%0D%0A::set-output name=x::y");
    }
}
