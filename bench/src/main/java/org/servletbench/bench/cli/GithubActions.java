package org.servletbench.bench.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.servletbench.bench.model.SafeFiles;
import org.servletbench.bench.report.Gate;
import org.servletbench.bench.report.MarkdownSummary;
import org.servletbench.bench.report.Outcomes;
import org.servletbench.bench.report.ShortAnswer;

/**
 * Output of a campaign for a GitHub Actions job: its summary, and an error for each reason to fail.
 *
 * @param environment environment variables of this process
 */
record GithubActions(Map<String, String> environment) {

    private static final String STEP_SUMMARY = "GITHUB_STEP_SUMMARY";

    /**
     * Variable with a file for workflow commands, used if the runner ignores commands on the console: the script that
     * starts servlet-bench prints the file later.
     */
    private static final String COMMANDS = "SERVLET_BENCH_COMMANDS";

    static boolean isJob(Map<String, String> environment) {
        return "true".equals(environment.get("GITHUB_ACTIONS"));
    }

    /**
     * Writes the output; does nothing outside GitHub Actions.
     *
     * @param failures one line each
     * @param console stream from which the runner reads commands
     */
    void show(Outcomes outcomes, List<String> failures, PrintWriter console) {
        if (!isJob(environment)) {
            return;
        }
        String commands = environment.getOrDefault(COMMANDS, "");
        // An undecided gate passes. The job's page must not look as if it had found no regression.
        String undecided = failures.isEmpty() && outcomes.outcome() == Gate.Outcome.UNDECIDED
                ? command("warning", ShortAnswer.sentence(outcomes)) + "\n"
                : "";
        String errors =
                undecided + failures.stream().map(line -> error(line) + "\n").collect(Collectors.joining());
        if (commands.isEmpty()) {
            PrintWriter runner = console instanceof PlainWriter plain ? plain.console() : console;
            errors.lines().forEach(runner::println);
        } else {
            append(commands, errors, "the errors of the job", console);
        }
        append(
                environment.getOrDefault(STEP_SUMMARY, ""),
                MarkdownSummary.of(outcomes) + "\n",
                "the summary of the job",
                console);
    }

    private static void append(String file, String text, String what, PrintWriter console) {
        if (file.isEmpty()) {
            return;
        }
        try (OutputStream out = SafeFiles.appending(Path.of(file))) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            console.println(what + " could not be written: " + Main.reason(e));
        }
    }

    /** Returns a workflow command, escaping characters that would end its text or start an escape. */
    static String error(String line) {
        return command("error", line);
    }

    private static String command(String name, String line) {
        return "::" + name + " title=servlet-bench::"
                + line.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A");
    }
}
