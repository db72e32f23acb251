package org.servletbench.bench.model;

import static org.servletbench.bench.model.Text.text;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/**
 * Something that a reader of a figure must know: what a check found. A record holds those that failed; an audit shows the others too.
 *
 * @param outcome passed, failed, or not judged because the log lacks what it takes; not recorded
 * @param figures the numbers it rests on, in one line for people
 * @param excludes whether the figures take part in no verdict; else they do, and the warning is shown beside it
 */
public record Warning(
        @JsonProperty("check") WarningKind kind, @JsonIgnore Outcome outcome, String figures, boolean excludes) {

    public enum Outcome {
        PASSED,
        FAILED,
        NOT_JUDGED
    }

    /** One that was found. */
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

    /** Adds one where it was found; its figures are a format of {@link Text#text} and its arguments. */
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
