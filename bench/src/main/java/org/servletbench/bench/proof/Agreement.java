package org.servletbench.bench.proof;

import org.apache.commons.statistics.descriptive.Mean;
import org.apache.commons.statistics.descriptive.StandardDeviation;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * Whether two ways of measuring the same servers give the same ratio: the 95 % interval of the mean difference on the log scale, by
 * Student's t over pairs.
 *
 * @param difference mean of the differences
 */
record Agreement(double difference, double low, double high) {

    /** @param differences of the two log ratios of each pair, at least 2 */
    static Agreement of(double[] differences) {
        int n = differences.length;
        double mean = Mean.of(differences).getAsDouble();
        double error = StandardDeviation.of(differences).getAsDouble() / Math.sqrt(n);
        double half = TDistribution.of(n - 1).inverseSurvivalProbability(0.025) * error;
        return new Agreement(mean, mean - half, mean + half);
    }

    boolean holdsZero() {
        return low <= 0 && 0 <= high;
    }

    double halfWidth() {
        return (high - low) / 2;
    }
}
