package org.servletbench.bench.model;

import static org.servletbench.bench.model.Text.text;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/**
 * A warning that a reader of a figure must know.
 *
 * @param figures the numbers behind it, in one line for people
 * @param excludes true if the figures take part in no verdict; otherwise they do, and the mark is shown next to it
 */
public record Mark(@JsonProperty("check") MarkKind kind, String figures, boolean excludes) {

    public static Mark of(MarkKind kind, String figures) {
        return new Mark(kind, figures, kind.excludes());
    }

    /** Adds one where it was found; its figures are a format of {@link Text#text} and its arguments. */
    public static void add(List<Mark> marks, boolean found, MarkKind kind, String format, Object... figures) {
        if (found) {
            marks.add(of(kind, text(format, figures)));
        }
    }

    public String check() {
        return kind.key();
    }

    /** True if it says that the server was not warm, before or under the load. */
    public boolean saysCold() {
        return kind.effect() == MarkKind.Effect.BARS;
    }
}
