package org.servletbench.bench.verdict;

import java.util.Optional;

/**
 * One pair, estimated and decided. Missing figures (see {@link Estimate}) are NaN.
 *
 * @param contrast the pair; all is stated from the side of its A. In an {@link Effect} A is its name, and B is empty
 * @param low lower end of the interval of A/B; for a contrast simultaneous over all contrasts of the family, for a control its own
 *     90 % interval. It includes the error of a coarse clock. 0 if there is no lower bound; NaN without an interval
 * @param high its upper end; infinite if there is no upper bound
 * @param halfWidth reach of noise alone on either side of the ratio, as {@code ratio - 1}; NaN without an interval
 * @param bound whether the ratio is exact, or a bound because an arm ran at the generator's limit
 * @param detectable the true difference whose interval excludes 1 with the wanted power, by the spread seen, as {@code ratio - 1},
 *     without the error of the clock; infinite if none; NaN without an interval, if an arm has a floor, and if one has no verdict
 *     because of its servers' behavior
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

    /** Returns the geometric mean of A/B over the blocks that have both; NaN without one. */
    public double ratio() {
        return estimate.ratio();
    }

    /** Returns these figures with another verdict, and why it is INCONCLUSIVE; null if it is not. */
    PairVerdict with(Verdict other, NoVerdictReason why) {
        return new PairVerdict(
                contrast, estimate, low, high, halfWidth, bound, detectable, other, Optional.ofNullable(why));
    }

    /** Returns these figures without a conclusion. */
    PairVerdict withoutVerdict() {
        return with(Verdict.INCONCLUSIVE, NoVerdictReason.NOT_DRAWN);
    }

    /** True if the estimate, significant or not, has A better than B; false if equal or unknown. */
    public boolean aLooksBetter() {
        return contrast.metric().higherIsBetter() ? estimate.meanLog() > 0 : estimate.meanLog() < 0;
    }

    /**
     * Returns the chance that the interval of a campaign like this one, with as many blocks and the noise at its upper 95 % limit, lies
     * beyond a bound, from 0 to 1; NaN without an interval.
     *
     * @param distance from the bound to the true ratio, as a difference of logarithms, above 0
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
     * Returns the largest difference, in either direction, that the interval does not rule out, as {@code ratio - 1}: for a
     * control, the bias that this campaign could not have seen. NaN without an interval.
     */
    public double notExcluded() {
        return Math.max(high, 1 / low) - 1;
    }
}
