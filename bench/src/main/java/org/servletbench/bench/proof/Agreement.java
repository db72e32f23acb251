package org.servletbench.bench.proof;

import org.apache.commons.statistics.descriptive.Mean;
import org.apache.commons.statistics.descriptive.Variance;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * Whether two ways of measuring give the same ratio: the 95 % interval of the difference of their means on the log scale, with
 * variances of their own (B. L. Welch, Biometrika 34, 1947).
 *
 * @param difference mean of the first less mean of the second
 */
record Agreement(double difference, double low, double high) {

    /**
     * @param first log ratios, at least 2
     * @param second others, independent of them, at least 2
     */
    static Agreement of(double[] first, double[] second) {
        double a = Variance.of(first).getAsDouble() / first.length;
        double b = Variance.of(second).getAsDouble() / second.length;
        double df = (a + b) * (a + b) / (a * a / (first.length - 1) + b * b / (second.length - 1));
        double half = TDistribution.of(df).inverseSurvivalProbability(0.025) * Math.sqrt(a + b);
        double difference = Mean.of(first).getAsDouble() - Mean.of(second).getAsDouble();
        return new Agreement(difference, difference - half, difference + half);
    }

    boolean holdsZero() {
        return low <= 0 && 0 <= high;
    }

    double halfWidth() {
        return (high - low) / 2;
    }
}
