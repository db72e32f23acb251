package org.servletbench.bench.verdict;

/**
 * Whether the Wilcoxon signed-rank test, which asks for no normal distribution, sees what the t-test sees. Both are
 * compared unadjusted at alpha: after Holm, ranks of ten blocks could never be significant among forty claims.
 */
public enum CrossCheck {
    /** Both find a difference, or both find none. */
    AGREES,
    /** One of them finds a difference: look at the blocks. */
    DISAGREES,
    /** Too few blocks: even all of one sign would not be significant by ranks (below 6 at 5 %). */
    CANNOT_TELL;

    static CrossCheck of(Estimate estimate, double alpha) {
        // The smallest p that n ranks can have: both signs, 2 of 2^n.
        if (!estimate.possible() || Math.scalb(2.0, -estimate.n()) > alpha) {
            return CANNOT_TELL;
        }
        return (estimate.p() <= alpha) == (estimate.wilcoxonP() <= alpha) ? AGREES : DISAGREES;
    }
}
