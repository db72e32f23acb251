package org.servletbench.bench.model;

import static org.servletbench.bench.model.Text.text;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/**
 * Something that a reader of a figure must know.
 *
 * @param figures the numbers it rests on, in one line for people
 * @param excludes whether the figures take part in no verdict; else they do, and the mark is shown beside it
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

    /** Whether it says that the server was not warm, before the load or under it. */
    public boolean saysCold() {
        return kind.effect() == MarkKind.Effect.BARS;
    }
}
