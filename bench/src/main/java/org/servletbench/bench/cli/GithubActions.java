package org.servletbench.bench.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.servletbench.bench.model.SafeFiles;
import org.servletbench.bench.report.MarkdownSummary;
import org.servletbench.bench.report.Outcomes;

/**
 * What a job of GitHub Actions shows of a campaign: its summary, and an error for each reason to fail.
 *
 * @param environment of this process
 */
record GithubActions(Map<String, String> environment) {

    private static final String STEP_SUMMARY = "GITHUB_STEP_SUMMARY";

    private boolean isJob() {
        return "true".equals(environment.get("GITHUB_ACTIONS"));
    }

    /**
     * Shows it; elsewhere nothing.
     *
     * @param failures a line each
     * @param console where the runner reads its commands
     */
    void show(Outcomes outcomes, List<String> failures, PrintWriter console) {
        if (!isJob()) {
            return;
        }
        failures.forEach(line -> console.println(error(line)));
        String file = environment.getOrDefault(STEP_SUMMARY, "");
        if (file.isEmpty()) {
            return;
        }
        try (OutputStream out = SafeFiles.appending(Path.of(file))) {
            out.write((MarkdownSummary.of(outcomes) + "\n").getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            console.println("the summary of the job could not be written: " + Main.reason(e));
        }
    }

    /** A command of the workflow: what would end its text, or begin an escape, is escaped. */
    static String error(String line) {
        return "::error title=servlet-bench::"
                + line.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A");
    }
}
