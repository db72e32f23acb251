package org.servletbench.bench.verdict;

import org.apache.commons.statistics.descriptive.Mean;
import org.apache.commons.statistics.descriptive.StandardDeviation;
import org.apache.commons.statistics.distribution.ChiSquaredDistribution;

/**
 * What the blocks say about one pair, before anything is decided. All differences are on the log scale:
 * {@code d = ln(A) - ln(B)}, one for each block that has both. What cannot be estimated is NaN.
 *
 * @param n blocks that have both arms
 * @param meanLog mean of d; NaN without a block
 * @param sd standard deviation of this pair's own d, with n-1; NaN below two blocks
 * @param error standard error of the mean of d; 0 where nothing spreads; NaN below two blocks
 * @param df degrees of freedom of {@code error}, about; NaN below two blocks
 * @param variance that d is expected to have, in variances of one server: 2 between two servers, less where one of the two is the mean of
 *     two copies
 */
public record Estimate(int n, double meanLog, double sd, double error, double df, double variance) {
    /** Below this a spread is rounding: logarithms of what can be measured are good to some 1e-14. */
    public static final double ROUNDING = 1e-12;

    /** An estimate of two servers. */
    Estimate(int n, double meanLog, double sd, double error, double df) {
        this(n, meanLog, sd, error, df, 2);
    }

    /** Estimates of two servers: from one pair's differences alone, finite and in any order. */
    static Estimate of(double[] d) {
        return of(d, 2);
    }

    /** The same of a pair whose differences are expected to have another variance. */
    static Estimate of(double[] d, double variance) {
        int n = d.length;
        if (n < 2) {
            return new Estimate(n, n == 0 ? Double.NaN : d[0], Double.NaN, Double.NaN, Double.NaN, variance);
        }
        double spread = StandardDeviation.of(d).getAsDouble();
        double sd = spread < ROUNDING ? 0 : spread;
        return new Estimate(n, Mean.of(d).getAsDouble(), sd, sd / Math.sqrt(n), n - 1.0, variance);
    }

    /** By what factor the true spread exceeds one that was seen with these degrees of freedom at most, with a confidence of 95 %. */
    public static double unlucky(double df) {
        return Math.sqrt(df / ChiSquaredDistribution.of(df).inverseCumulativeProbability(0.05));
    }

    /** The geometric mean of A/B; NaN without a block. */
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
