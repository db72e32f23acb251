package org.servletbench.bench.verdict;

import org.apache.commons.statistics.descriptive.Mean;
import org.apache.commons.statistics.descriptive.StandardDeviation;
import org.apache.commons.statistics.distribution.ChiSquaredDistribution;

/**
 * The estimate of one pair from its blocks, before any decision. All differences are on the log scale:
 * {@code d = ln(A) - ln(B)}, one for each block that has both. A value that cannot be estimated is NaN.
 *
 * @param n number of blocks that have both arms
 * @param meanLog mean of d; NaN without a block
 * @param sd standard deviation of this pair's own d, with n-1; NaN for fewer than two blocks
 * @param error standard error of the mean of d; 0 without any spread; NaN for fewer than two blocks
 * @param df approximate degrees of freedom of {@code error}; NaN for fewer than two blocks
 * @param variance expected variance of d, in variances of one server: 2 between two servers, less if one side is the
 *     mean of two copies
 */
public record Estimate(int n, double meanLog, double sd, double error, double df, double variance) {
    /**
     * Spread up to which differences are rounding errors. Logarithms of measured values are accurate to about 1e-14.
     */
    public static final double ROUNDING = 1e-12;

    /** Creates an estimate for two servers. */
    Estimate(int n, double meanLog, double sd, double error, double df) {
        this(n, meanLog, sd, error, df, 2);
    }

    /** Returns the estimate for two servers from one pair's differences alone, which are finite and in any order. */
    static Estimate of(double[] d) {
        return of(d, 2);
    }

    /** Returns the estimate for a pair whose differences have another expected variance. */
    static Estimate of(double[] d, double variance) {
        int n = d.length;
        if (n < 2) {
            return new Estimate(n, n == 0 ? Double.NaN : d[0], Double.NaN, Double.NaN, Double.NaN, variance);
        }
        double spread = StandardDeviation.of(d).getAsDouble();
        double sd = spread < ROUNDING ? 0 : spread;
        return new Estimate(n, Mean.of(d).getAsDouble(), sd, sd / Math.sqrt(n), n - 1.0, variance);
    }

    /**
     * Returns the largest factor by which the true spread may exceed one observed with these degrees of freedom, with a
     * confidence of 95 %.
     */
    public static double unlucky(double df) {
        return Math.sqrt(df / ChiSquaredDistribution.of(df).inverseCumulativeProbability(0.05));
    }

    /** Returns the geometric mean of A/B; NaN without a block. */
    public double ratio() {
        return Math.exp(meanLog);
    }

    public boolean possible() {
        return n >= 2;
    }

    public boolean spreads() {
        return error > 0;
    }
}
