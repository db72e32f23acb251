package org.servletbench.bench.campaign;

import java.util.Set;

/**
 * Something that a reader of a figure must know.
 *
 * @param check the audit's check or gate: {@code errors}, {@code warm-up}, {@code generator-bottleneck}, …
 * @param figures the numbers it rests on, in one line for people
 * @param excludes whether the figures take part in no verdict; else they do, and the mark is shown beside it
 */
public record Mark(String check, String figures, boolean excludes) {
    private static final Set<String> RISING = Set.of("warm-up", "rising");

    /** Whether it says that the server was still getting faster, before the load or under it. */
    public boolean saysRising() {
        return RISING.contains(check);
    }
}
