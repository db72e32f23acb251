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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
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

    /** If the action has disabled commands on the console, it prints the errors itself once its command has ended. */
    @Test
    void errorsAreKeptForWhoStoppedTheCommandsOfTheConsole() throws IOException {
        Path commands = folder.resolve("commands");
        assertThat(shown(Map.of("GITHUB_ACTIONS", "true", "SERVLET_BENCH_COMMANDS", commands.toString())))
                .isEmpty();
        assertThat(commands).hasContent("::error title=servlet-bench::100 %25 slower\n");
    }

    private static String printed(boolean runner, String text) {
        StringWriter out = new StringWriter();
        PlainWriter console = new PlainWriter(new PrintWriter(out), runner);
        console.println(text);
        console.print(text);
        console.flush();
        return out.toString().replace(System.lineSeparator(), "\n");
    }

    /** A runner reads commands from the console, and labels and ids come from untrusted files. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "::error::forged",
                "  ::stop-commands::x",
                "\u00a0::add-mask::a",
                "jetty\n::set-env name=PATH::/x",
                "jetty\r::error::forged",
                "arm ##[error]forged",
                "##vso[task.setvariable variable=a]b",
                "x\u2028::error::forged"
            })
    void onARunnerNoTextIsACommand(String text) {
        assertThat(printed(true, text)).doesNotContainPattern("(?mU)^\\s*::|##\\w*\\[");
        assertThat(printed(true, "a :: b, [::1]:80, # [x]")).contains("a :: b, [::1]:80, # [x]\n");
        assertThat(printed(false, "::x")).isEqualTo("::x\n::x");
    }

    @Test
    void nothingOfALineIsACommand() {
        assertThat(GithubActions.error("50 %\r\n::set-output name=x::y"))
                .isEqualTo("::error title=servlet-bench::50 %25%0D%0A::set-output name=x::y");
    }
}
