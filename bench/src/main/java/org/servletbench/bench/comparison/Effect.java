package org.servletbench.bench.comparison;

import java.util.List;

/**
 * An effect in a comparison with factors: in each block, the mean logarithm of some arms minus that of others. All arms
 * of a side have the same weight, so that all servers of a block contribute.
 *
 * @param name name for people. No other effect of the comparison has it, and no arm can, because it contains blanks
 * @param a ids of arms: those with the factor's other level; for a pair of factors, those with both first or both other
 *     levels
 * @param b ids of the arms with which they are compared
 */
public record Effect(Kind kind, String name, List<String> a, List<String> b) {

    /** What an effect is about. */
    public enum Kind {
        /** A factor's other level compared with its first, over all levels of the other factors. */
        FACTOR,
        /**
         * Half the difference between two effects of one factor: one with the other level of a second factor, one with
         * its first. It is 0 if the effects of both factors add up.
         */
        PAIR,
        /** The first combination compared with an arm that no factor makes. */
        ARM
    }

    /** @throws IllegalArgumentException if a side has no arm, or if the name could be that of an arm */
    public Effect {
        a = List.copyOf(a);
        b = List.copyOf(b);
        if (a.isEmpty() || b.isEmpty() || !name.contains(" ")) {
            throw new IllegalArgumentException("no effect: " + name + ", " + a + " against " + b);
        }
    }
}
