package org.servletbench.bench.model;

import static org.servletbench.bench.model.Text.text;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/**
 * A finding of a check that readers of a figure must know. A record contains only failed checks; an audit shows all.
 *
 * @param outcome passed, failed, or not judged because the log lacks the necessary data; not recorded
 * @param figures the numbers behind it, in one line for people
 * @param excludes true if the figures take part in no verdict; otherwise the warning is only shown with them
 */
public record Warning(
        @JsonProperty("check") WarningKind kind, @JsonIgnore Outcome outcome, String figures, boolean excludes) {

    public enum Outcome {
        PASSED,
        FAILED,
        NOT_JUDGED
    }

    /** Creates the warning of a failed check. */
    @JsonCreator
    public Warning(
            @JsonProperty("check") WarningKind kind,
            @JsonProperty("figures") String figures,
            @JsonProperty("excludes") boolean excludes) {
        this(kind, Outcome.FAILED, figures, excludes);
    }

    public static Warning of(WarningKind kind, String figures) {
        return of(kind, false, figures);
    }

    public static Warning of(WarningKind kind, boolean passed, String figures) {
        return new Warning(kind, passed ? Outcome.PASSED : Outcome.FAILED, figures, kind.excludes());
    }

    public static Warning notJudged(WarningKind kind, String why) {
        return new Warning(kind, Outcome.NOT_JUDGED, why, kind.excludes());
    }

    /**
     * Adds a warning if its check failed.
     *
     * @param figures arguments for the format, as in {@link Text#text}
     */
    public static void add(List<Warning> warnings, boolean found, WarningKind kind, String format, Object... figures) {
        if (found) {
            warnings.add(of(kind, text(format, figures)));
        }
    }

    public String check() {
        return kind.key();
    }

    public boolean failed() {
        return outcome == Outcome.FAILED;
    }

    /** True if it says that the server was not warm, before the load or under it. */
    public boolean saysCold() {
        return kind.effect() == WarningKind.Effect.BARS;
    }
}
