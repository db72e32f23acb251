package org.servletbench.bench.verdict;

import org.apache.commons.statistics.descriptive.Mean;
import org.apache.commons.statistics.descriptive.StandardDeviation;
import org.apache.commons.statistics.inference.AlternativeHypothesis;
import org.apache.commons.statistics.inference.PValueMethod;
import org.apache.commons.statistics.inference.TTest;
import org.apache.commons.statistics.inference.WilcoxonSignedRankTest;

/**
 * What the blocks say about one pair, before anything is decided. All differences are on the log scale:
 * {@code d = ln(A) - ln(B)}, one for each block that has both. What cannot be estimated is NaN.
 *
 * @param n blocks that have both arms
 * @param meanLog mean of d; NaN without a block
 * @param sd standard deviation of d, with n-1; NaN below two blocks
 * @param p two-sided paired t-test of no difference; NaN below two blocks
 * @param tostP two one-sided t-tests (Schuirmann 1987) of a difference as large as the margin: the larger of the two p;
 *     NaN below two blocks
 * @param wilcoxonP two-sided Wilcoxon signed-rank test of no difference, which asks for no normal distribution. Exact
 *     without ties or zeros, which d has only where values are coarse, else the normal approximation. NaN below two blocks
 */
public record Estimate(int n, double meanLog, double sd, double p, double tostP, double wilcoxonP) {
    /** Below this a spread is rounding: logarithms of what can be measured are good to some 1e-14. */
    private static final double ROUNDING = 1e-12;

    /**
     * Estimates from differences.
     *
     * @param d the differences, finite, in any order
     * @param logMargin the equivalence margin on the log scale, above 0
     */
    public static Estimate of(double[] d, double logMargin) {
        int n = d.length;
        if (n < 2) {
            double only = n == 0 ? Double.NaN : d[0];
            return new Estimate(n, only, Double.NaN, Double.NaN, Double.NaN, Double.NaN);
        }
        double mean = Mean.of(d).getAsDouble();
        double sd = StandardDeviation.of(d).getAsDouble();
        if (sd < ROUNDING) {
            return withoutSpread(n, mean, logMargin);
        }
        TTest above =
                TTest.withDefaults().with(AlternativeHypothesis.GREATER_THAN).withMu(-logMargin);
        TTest below = TTest.withDefaults().with(AlternativeHypothesis.LESS_THAN).withMu(logMargin);
        return new Estimate(
                n,
                mean,
                sd,
                TTest.withDefaults().test(d).getPValue(),
                Math.max(above.test(d).getPValue(), below.test(d).getPValue()),
                WilcoxonSignedRankTest.withDefaults()
                        .with(PValueMethod.EXACT)
                        .test(d)
                        .getPValue());
    }

    /**
     * All blocks gave the same difference, as whole milliseconds do. The t-test would be sure of it after two blocks; but
     * values that do not spread say only that they were recorded coarsely. The sign test is exact here and does not use the
     * spread: n equal signs have {@code p = 2^(1-n)}.
     */
    private static Estimate withoutSpread(int n, double mean, double logMargin) {
        double oneSided = Math.scalb(1.0, -n);
        double p = Math.abs(mean) < ROUNDING ? 1 : 2 * oneSided;
        double tostP = Math.abs(mean) < logMargin - ROUNDING ? oneSided : 1;
        return new Estimate(n, mean, 0, p, tostP, p);
    }

    /** The geometric mean of A/B; NaN without a block. */
    public double ratio() {
        return Math.exp(meanLog);
    }

    /** Whether there are blocks enough, at least two. */
    public boolean possible() {
        return n >= 2;
    }

    /** Whether d differed from block to block. */
    public boolean spreads() {
        return sd > 0;
    }

    /** Standard error of the mean of d; NaN below two blocks. */
    public double standardError() {
        return sd / Math.sqrt(n);
    }
}
