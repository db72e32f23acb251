package org.servletbench.bench.verdict;

import java.util.Arrays;
import org.apache.commons.statistics.descriptive.Mean;
import org.apache.commons.statistics.descriptive.StandardDeviation;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * One figure of one arm over its server runs, for display only. No claim is based on it, so its interval is not
 * simultaneous with others. Whether two arms differ is shown by their pair, which is free of the noise of blocks.
 *
 * @param n number of server runs
 * @param mean geometric mean if {@code geometric}, otherwise arithmetic mean; NaN without a value
 * @param low lower end of the t interval of the mean; NaN for fewer than two values
 * @param geometric true if mean and interval come from logarithms
 */
public record Spread(int n, double mean, double low, double high, boolean geometric) {
    /**
     * Describes values in any order. NaN and infinite values count as missing.
     *
     * @param geometric true to take logarithms, which requires all values to be above 0; otherwise they are not taken
     * @param alpha 1 minus the interval's level, in (0, 1)
     */
    public static Spread of(double[] values, boolean geometric, double alpha) {
        double[] known = Arrays.stream(values).filter(Double::isFinite).toArray();
        boolean logs = geometric && known.length > 0 && Arrays.stream(known).allMatch(value -> value > 0);
        double[] x = logs ? Arrays.stream(known).map(Math::log).toArray() : known;
        if (x.length == 0) {
            return new Spread(0, Double.NaN, Double.NaN, Double.NaN, logs);
        }
        double mean = Mean.of(x).getAsDouble();
        double half = Double.NaN;
        if (x.length > 1) {
            double quantile = TDistribution.of(x.length - 1).inverseSurvivalProbability(alpha / 2);
            half = quantile * StandardDeviation.of(x).getAsDouble() / Math.sqrt(x.length);
        }
        return logs
                ? new Spread(x.length, Math.exp(mean), Math.exp(mean - half), Math.exp(mean + half), true)
                : new Spread(x.length, mean, mean - half, mean + half, false);
    }

    /**
     * Returns this spread with an interval that is wider by an error that all values may share, in their unit. Its
     * lower end remains at least 0.
     */
    public Spread widened(double error) {
        return new Spread(n, mean, Math.max(0, low - error), high + error, geometric);
    }

    public boolean known() {
        return n > 0;
    }

    /** True if there is an interval, which takes at least two values. */
    public boolean hasInterval() {
        return n > 1;
    }
}
