package org.servletbench.bench.measure;

import org.servletbench.bench.model.MarkKind;

/**
 * One finding of the audit.
 *
 * @param kind of the mark if it fails
 * @param outcome passed, failed, or not judged because the log lacks the necessary data
 * @param figures the numbers behind it, in one line for people
 */
public record Check(MarkKind kind, Outcome outcome, String figures) {
    public enum Outcome {
        PASSED,
        FAILED,
        NOT_JUDGED
    }

    static Check of(MarkKind kind, boolean passed, String figures) {
        return new Check(kind, passed ? Outcome.PASSED : Outcome.FAILED, figures);
    }

    static Check notJudged(MarkKind kind, String why) {
        return new Check(kind, Outcome.NOT_JUDGED, why);
    }

    public String name() {
        return kind.key();
    }

    public boolean failed() {
        return outcome == Outcome.FAILED;
    }
}
