package org.servletbench.bench.verdict;

import java.util.Optional;

/**
 * One pair, estimated and decided. Figures that there are not (see {@link Estimate}) are NaN.
 *
 * @param claim what it is about; all is told from the side of its A
 * @param estimate what the blocks say
 * @param low lower end of the interval of A/B, simultaneous (Bonferroni) over all claims of the family; NaN below two
 *     blocks
 * @param high its upper end; infinite when the blocks say next to nothing
 * @param pHolm the t-test's p, adjusted over the family
 * @param tostHolm the equivalence test's p, adjusted over the family
 * @param detectable the smallest difference that so many blocks would have found with the power asked for, by the
 *     spread seen, as {@code ratio - 1}; infinite when none; NaN below two blocks or without a spread
 * @param crossCheck what the Wilcoxon test says of it
 * @param verdict what is decided
 */
public record PairVerdict(
        Claim claim,
        Estimate estimate,
        double low,
        double high,
        double pHolm,
        double tostHolm,
        double detectable,
        CrossCheck crossCheck,
        Verdict verdict) {

    /** Geometric mean of A/B over the blocks that have both. */
    public double ratio() {
        return estimate.ratio();
    }

    /** The same figures, from which nothing is concluded. */
    PairVerdict withoutVerdict() {
        return new PairVerdict(
                claim, estimate, low, high, pHolm, tostHolm, detectable, crossCheck, Verdict.INCONCLUSIVE);
    }

    /** How far the interval reaches on either side of the ratio, as {@code ratio - 1}; NaN without a spread. */
    public double halfWidth() {
        return estimate.spreads() ? Math.sqrt(high / low) - 1 : Double.NaN;
    }

    /** Whether the estimate, significant or not, has A better than B; false when equal or unknown. */
    public boolean aLooksBetter() {
        return claim.metric().better() == Better.HIGHER ? estimate.meanLog() > 0 : estimate.meanLog() < 0;
    }

    /** What the reader has to know about the figures. */
    public Optional<Caveat> caveat() {
        if (!estimate.possible()) {
            return Optional.of(Caveat.TOO_FEW_BLOCKS);
        }
        return estimate.spreads() ? Optional.empty() : Optional.of(Caveat.NO_SPREAD);
    }
}
