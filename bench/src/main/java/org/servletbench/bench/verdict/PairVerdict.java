package org.servletbench.bench.verdict;

import java.util.Optional;

/**
 * The estimate of a pair, and its verdict. Missing figures (see {@link Estimate}) are NaN.
 *
 * @param contrast the pair; everything is stated from the side of its A. For an {@link Effect}, A is its name, and B is
 *     empty
 * @param low lower end of the interval of A/B: for a contrast simultaneous over all contrasts of the family, for a
 *     control its own 90 % interval. It includes the error of a coarse clock. 0 if there is no lower bound; NaN without
 *     an interval
 * @param high upper end of the interval; infinite if there is no upper bound
 * @param halfWidth half width due to noise alone, as {@code ratio - 1}; NaN without an interval
 * @param bound whether the ratio is exact, or a bound because an arm ran at the generator's limit
 * @param detectable true difference whose interval excludes 1 with the wanted power, according to the observed spread,
 *     as {@code ratio - 1}, without the error of the clock. Infinite if there is none; NaN without an interval, if an
 *     arm has a floor, or if an arm has no verdict because of its servers' behavior
 * @param reason why there is no verdict; present if and only if the verdict is INCONCLUSIVE
 */
public record PairVerdict(
        Contrast contrast,
        Estimate estimate,
        double low,
        double high,
        double halfWidth,
        Bound bound,
        double detectable,
        Verdict verdict,
        Optional<NoVerdictReason> reason) {

    /** Returns the geometric mean of A/B over the blocks that have both; NaN if none has. */
    public double ratio() {
        return estimate.ratio();
    }

    /**
     * Returns these figures with another verdict.
     *
     * @param why why it is INCONCLUSIVE; null if it is not
     */
    PairVerdict with(Verdict other, NoVerdictReason why) {
        return new PairVerdict(
                contrast, estimate, low, high, halfWidth, bound, detectable, other, Optional.ofNullable(why));
    }

    /** Returns these figures without a conclusion. */
    PairVerdict withoutVerdict() {
        return with(Verdict.INCONCLUSIVE, NoVerdictReason.NOT_DRAWN);
    }

    /** True if A looks better than B in the estimate, significant or not; false if they are equal or unknown. */
    public boolean aLooksBetter() {
        return contrast.metric().higherIsBetter() ? estimate.meanLog() > 0 : estimate.meanLog() < 0;
    }

    /**
     * Returns the probability that the interval of a campaign like this one lies beyond a bound, from 0 to 1. That
     * campaign has the same number of blocks, and the noise at its upper 95 % limit. NaN without an interval.
     *
     * @param distance distance from the bound to the true ratio, as a difference of logarithms, above 0
     */
    public double chanceBeyond(double distance) {
        if (!(halfWidth > 0)) {
            return Double.NaN;
        }
        double critical = Math.log1p(halfWidth) / estimate.error();
        return new TPower(estimate.df(), critical)
                .beyond(distance / (estimate.error() * Estimate.unlucky(estimate.df())));
    }

    /**
     * Returns the largest difference in either direction that the interval does not exclude, as {@code ratio - 1}. For
     * a control, this is the bias that the campaign could have missed. NaN without an interval.
     */
    public double notExcluded() {
        return Math.max(high, 1 / low) - 1;
    }
}
