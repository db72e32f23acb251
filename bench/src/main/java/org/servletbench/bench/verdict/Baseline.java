package org.servletbench.bench.verdict;

/**
 * The rule by which the other arms of a block are compared with the baseline. It is part of a plan, and never changes
 * afterwards.
 */
public enum Baseline {
    /**
     * The baseline's first copy counts; the second one only checks it. For campaigns from before there was a choice.
     */
    FIRST_COPY,
    /** The mean of the logarithms of both copies. Their difference, which is the A/A check, is independent of it. */
    BOTH_COPIES
}
