package org.servletbench.bench.verdict;

import java.util.List;
import java.util.Optional;

/**
 * The interval of one pair by itself, with the noise of all arms that were measured beside it: the block model of
 * {@link Family}, for who has claims of his own to judge.
 *
 * @param half how far the interval of ln(A/B) reaches on either side of its mean
 * @param detectable the true difference whose interval excludes 1 with the power asked for, by the spread seen, as
 *     {@code ratio - 1}
 */
public record PairInterval(double half, double detectable) {

    /**
     * Estimates one pair of a comparison's arms.
     *
     * @param level chance that the interval misses, in (0, 1)
     * @param power in (level, 1)
     * @return empty below two blocks that have both, and where the values do not spread
     */
    public static Optional<PairInterval> of(Comparison comparison, String a, String b, double level, double power) {
        BlockModel model = new BlockModel(comparison);
        Claim claim = new Claim(comparison.group(), comparison.cell(), comparison.metric(), a, b);
        Estimate estimate = model.estimate(claim);
        double critical = model.critical(List.of(claim), level);
        if (!(estimate.error() > 0) || Double.isNaN(critical)) {
            return Optional.empty();
        }
        return Optional.of(new PairInterval(
                critical * estimate.error(),
                Math.expm1(TPower.noncentrality(estimate.df(), critical, power) * estimate.error())));
    }
}
