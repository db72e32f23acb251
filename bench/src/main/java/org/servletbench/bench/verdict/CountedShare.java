package org.servletbench.bench.verdict;

import org.apache.commons.statistics.distribution.BetaDistribution;

/**
 * Exact limits of a share from counts (C. J. Clopper and E. S. Pearson, Biometrika 26, 1934). Zero failures among few
 * requests do not prove a share of zero.
 *
 * @param low lower limit, 0 to 1
 * @param high upper limit, 0 to 1
 */
public record CountedShare(double low, double high) {

    /**
     * @param count 0 to {@code all}
     *
     * @param alpha largest probability that the share lies below the lower limit, and likewise above the upper one
     */
    public static CountedShare of(long count, long all, double alpha) {
        return new CountedShare(
                count == 0 ? 0 : BetaDistribution.of(count, all - count + 1.0).inverseCumulativeProbability(alpha),
                count >= all
                        ? 1
                        : count == 0
                                ? -Math.expm1(Math.log(alpha) / all)
                                : BetaDistribution.of(count + 1.0, all - count).inverseSurvivalProbability(alpha));
    }
}
