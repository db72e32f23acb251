package org.servletbench.bench.verdict;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.commons.numbers.rootfinder.BrentSolver;
import org.apache.commons.statistics.distribution.ChiSquaredDistribution;
import org.apache.commons.statistics.distribution.NormalDistribution;

/**
 * Power of the two-sided t-test, exact by the non-central t distribution. (Lenth, Algorithm AS 243, 1989, is the usual
 * way to compute it; here it is integrated from its definition.) With noncentrality
 * {@code delta = difference / standard error}, the statistic is {@code (Z + delta) / S}, where Z is standard normal and
 * {@code S = sqrt(chi2 / df)}. So {@code P(T > c) = E[Phi(delta - c S)]}, one integral over the density of S.
 */
final class TPower {
    /** Steps of Simpson's rule within the width of the narrower factor. The error is then below 1e-8. */
    private static final int STEPS_PER_WIDTH = 30;

    /** Distance beyond which a normal distribution has a probability of less than 1e-11. */
    private static final double NORMAL_END = 7;

    private static final NormalDistribution NORMAL = NormalDistribution.of(0, 1);

    private static final Map<Key, Double> KEPT = new ConcurrentHashMap<>();

    private final double df;
    private final double critical;
    private final ChiSquaredDistribution chi2;
    private final double smallestS;
    private final double largestS;

    /** Creates a test in which |t| beyond the critical value is significant. */
    TPower(double df, double critical) {
        this.df = df;
        this.critical = critical;
        chi2 = ChiSquaredDistribution.of(df);
        smallestS = Math.sqrt(chi2.inverseCumulativeProbability(1e-12) / df);
        largestS = Math.sqrt(chi2.inverseSurvivalProbability(1e-12) / df);
    }

    double power(double noncentrality) {
        return beyond(noncentrality) + beyond(-noncentrality);
    }

    private record Key(double df, double critical, double power) {}

    /**
     * Returns the {@link #noncentrality(double)} of a test. It is cached, because a campaign needs it again and again.
     */
    static double noncentrality(double df, double critical, double power) {
        return KEPT.computeIfAbsent(new Key(df, critical, power), key -> new TPower(df, critical).noncentrality(power));
    }

    /** Returns the noncentrality at which the test has this power, which is above its level and below 1. */
    double noncentrality(double power) {
        // At the critical value, the power is about one half. The solution is not far above it.
        double little = power(critical) < power ? critical : 0;
        double enough = critical + 2;
        while (power(enough) < power) {
            enough *= 2;
        }
        return new BrentSolver(1e-10, 1e-10, 1e-12).findRoot(delta -> power(delta) - power, little, enough);
    }

    /** Returns P(T > critical). */
    double beyond(double delta) {
        // For S below `from`, the statistic is always beyond the critical value; for S above `to`, it never is.
        double from = Math.min(largestS, Math.max(smallestS, (delta - NORMAL_END) / critical));
        double to = Math.max(from, Math.min(largestS, (delta + NORMAL_END) / critical));
        double width = Math.min(1 / critical, 1 / Math.sqrt(2 * df));
        int steps = 2 * (int) Math.ceil((to - from) / width * STEPS_PER_WIDTH / 2);
        double step = steps == 0 ? 0 : (to - from) / steps;
        double sum = 0;
        for (int i = 0; i <= steps; i++) {
            double s = from + i * step;
            double weight = i == 0 || i == steps ? 1 : i % 2 == 1 ? 4 : 2;
            sum += weight * NORMAL.cumulativeProbability(delta - critical * s) * chi2.density(df * s * s) * 2 * df * s;
        }
        return chi2.cumulativeProbability(df * from * from) + sum * step / 3;
    }
}
