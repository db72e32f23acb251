package org.servletbench.bench.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.report.Early;
import org.servletbench.bench.report.Gate;
import org.servletbench.bench.report.Gate.FailOn;
import org.servletbench.bench.report.Outcomes;

/**
 * Results of compare and report besides the page: files for programs, and the exit code.
 *
 * @param failOn the given value; empty: the default
 */
record Results(Map<ResultFile, Path> files, Optional<FailOn> failOn) {

    /**
     * Removes the options of results from the given ones.
     *
     * @throws UsageException if one is wrong, or a file cannot be written
     */
    static Results taken(Map<String, String> given) {
        Map<ResultFile, Path> files = ResultFile.taken(given);
        return new Results(
                files,
                Optional.ofNullable(given.remove(CampaignOptions.FAIL_ON)).map(Results::failOn));
    }

    private static FailOn failOn(String word) {
        return Arrays.stream(FailOn.values())
                .filter(one -> word(one).equals(word.toLowerCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(() -> new UsageException("--fail-on " + word + ": give "
                        + Arrays.stream(FailOn.values()).map(Results::word).collect(Collectors.joining(", "))));
    }

    private static String word(FailOn one) {
        return one.name().toLowerCase(Locale.ROOT);
    }

    /** True if findings never fail the command. */
    boolean isOnlyShown() {
        return failOn.equals(Optional.of(FailOn.NEVER));
    }

    /** Returns the given options, as they are typed. */
    List<String> options() {
        List<String> options = new ArrayList<>();
        files.keySet().forEach(file -> options.add("--" + file.key()));
        failOn.ifPresent(any -> options.add("--" + CampaignOptions.FAIL_ON));
        return options;
    }

    /** Returns an error if {@code --fail-on} would have no effect because the comparison has no claims. */
    Optional<String> uselessWithoutClaims() {
        return failOn.filter(what -> what != FailOn.NEVER)
                .map(what -> "--fail-on " + word(what)
                        + " would do nothing, because the comparison claims nothing: add claims to its file, or --set"
                        + " 'claims=[ARM is not slower than ARM]'");
    }

    /**
     * Writes the files, and reports failures.
     *
     * @param found the campaign's findings
     * @param verdicts true if verdicts against the baseline can fail the command, as claims do
     * @param impossible why the campaign has no usable findings; empty if it has some
     * @param name name of the command
     * @throws IOException if a file cannot be written
     */
    Exit end(
            Outcomes found,
            boolean verdicts,
            Optional<String> impossible,
            String name,
            PrintWriter console,
            PrintWriter errors)
            throws IOException {
        Gate gate = new Gate(found.claims(), failOn.orElse(FailOn.SLOWER), verdicts);
        boolean nothing = impossible.isPresent() && gate.outcome() != Gate.Outcome.BROKEN;
        boolean fails = nothing || gate.fails();
        Outcomes outcomes = found.ending(nothing ? Gate.Outcome.UNUSABLE : gate.outcome());
        ResultFile.write(files, outcomes);
        List<String> why = nothing ? impossible.stream().toList() : gate.why();
        why.forEach(line -> errors.println(name + ": " + Main.oneLine(line)));
        errors.flush();
        new GithubActions(System.getenv())
                .show(outcomes, fails ? why.stream().map(Main::oneLine).toList() : List.of(), console);
        return fails ? exit(outcomes.outcome()) : Exit.DONE;
    }

    /**
     * Writes partial results if a command ends before its campaign. Reports files that cannot be written.
     *
     * @param folder folder of the campaign; empty if there is none yet
     */
    void early(Optional<Path> folder, Early why, PrintWriter console) {
        try {
            ResultFile.write(files, folder.flatMap(Results::known), why);
        } catch (IOException e) {
            console.println("the results could not be written: " + Main.reason(e));
        }
    }

    private static Optional<Outcomes> known(Path folder) {
        try {
            return Optional.of(Outcomes.of(CampaignFolder.read(folder)));
        } catch (IOException | RuntimeException e) {
            // The reason for the early end matters more than the unreadable folder.
            return Optional.empty();
        }
    }

    private static Exit exit(Gate.Outcome outcome) {
        return switch (outcome) {
            case BROKEN -> Exit.CONTROL_BROKEN;
            case UNUSABLE -> Exit.FAILED;
            case SLOWER, UNDECIDED -> Exit.NOT_AS_CLAIMED;
            case PASSED, UNJUDGED -> Exit.DONE;
        };
    }
}
