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
 * What compare and report do with what was found, beside its page: files for programs, and the exit code.
 *
 * @param failOn what was given; empty: the default
 */
record Results(Map<ResultFile, Path> files, Optional<FailOn> failOn) {

    /** Takes the options out of those that were given; a UsageException if one is wrong, or a file cannot be written. */
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

    /** The options that were given, as they are typed. */
    List<String> options() {
        List<String> options = new ArrayList<>();
        files.keySet().forEach(file -> options.add("--" + file.key()));
        failOn.ifPresent(any -> options.add("--" + CampaignOptions.FAIL_ON));
        return options;
    }

    /** What fails, where nothing that was given would: only where a comparison claims nothing. */
    Optional<String> uselessWithoutClaims() {
        return failOn.filter(what -> what != FailOn.NEVER)
                .map(what -> "--fail-on " + word(what)
                        + " would do nothing, because the comparison claims nothing: add claims to its file, or --set"
                        + " 'claims=[ARM is not slower than ARM]'");
    }

    /**
     * Writes the files, and says what fails.
     *
     * @param verdicts whether verdicts against the baseline fail as claims do
     * @param impossible why nothing can be said at all; empty if something can
     * @param name of the command
     * @throws IOException if a file cannot be written
     */
    Exit end(
            CampaignFolder read,
            boolean verdicts,
            Optional<String> impossible,
            String name,
            PrintWriter console,
            PrintWriter errors)
            throws IOException {
        Outcomes found = Outcomes.of(read);
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
     * Writes what is known where a command ends before its campaign does; a file that cannot be written is said.
     *
     * @param folder of the campaign; empty where there is none yet
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
            // Why it ended says more than why its folder cannot be read.
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
