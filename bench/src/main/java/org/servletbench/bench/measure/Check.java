package org.servletbench.bench.measure;

/**
 * One finding of the audit.
 *
 * @param name what was checked: lower case words with dashes, the same for all logs
 * @param outcome passed, failed, or not judged because the log lacks what it takes
 * @param figures the numbers it rests on, in one line for people
 */
public record Check(String name, Outcome outcome, String figures) {
    /** What a check found. */
    public enum Outcome {
        PASSED,
        FAILED,
        NOT_JUDGED
    }

    static Check of(String name, boolean passed, String figures) {
        return new Check(name, passed ? Outcome.PASSED : Outcome.FAILED, figures);
    }

    static Check notJudged(String name, String why) {
        return new Check(name, Outcome.NOT_JUDGED, why);
    }

    /** Whether this marks the cell, or the log. */
    public boolean failed() {
        return outcome == Outcome.FAILED;
    }
}
