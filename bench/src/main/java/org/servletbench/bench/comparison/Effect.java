package org.servletbench.bench.comparison;

import java.util.List;

/**
 * An effect that a comparison with factors asks for: the mean of the logarithms of some arms less that of others, in each block. Every arm of
 * a side weighs the same, so that all servers of a block serve the estimate.
 *
 * @param name for people; no other effect of its comparison has it, and no arm, because it has blanks
 * @param a ids of arms: those with the factor's other level; for a pair of factors those with both first or both other levels
 * @param b ids of the arms that they are compared with
 */
public record Effect(Kind kind, String name, List<String> a, List<String> b) {

    /** Subject of an effect. */
    public enum Kind {
        /** A factor's other level instead of its first, over all levels of the other factors. */
        FACTOR,
        /**
         * Half the difference between two effects of one factor: with the other level of another factor, and with its first. 0 if their
         * effects add up.
         */
        PAIR,
        /** The first combination instead of an arm that no factor makes. */
        ARM
    }

    /** @throws IllegalArgumentException if a side has no arm, or the name could be that of an arm */
    public Effect {
        a = List.copyOf(a);
        b = List.copyOf(b);
        if (a.isEmpty() || b.isEmpty() || !name.contains(" ")) {
            throw new IllegalArgumentException("no effect: " + name + ", " + a + " against " + b);
        }
    }
}
