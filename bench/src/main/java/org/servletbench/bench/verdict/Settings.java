package org.servletbench.bench.verdict;

import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Share;
import org.servletbench.bench.model.Shares;

/**
 * Decisions made before a campaign.
 *
 * @param alpha probability that a family without any difference reports one, in (0, 1)
 * @param margin margin of each metric, above 0: a ratio from {@code 1 / (1 + margin)} to {@code 1 + margin} counts as
 *     equal. It is symmetric on the log scale, so that it does not matter which arm is named first: 3 % more for A is
 *     2.9 % less for B.
 * @param power probability of finding a difference of the smallest detectable size, in (alpha, 1)
 */
public record Settings(double alpha, Shares margin, double power) {
    /** Level 5 %, margin 3 %, power 80 %. */
    public static final Settings DEFAULTS = new Settings(0.05, Shares.of(Share.USUAL_MARGIN), 0.8);

    /** @throws IllegalArgumentException if a value is out of range */
    public Settings {
        if (!(alpha > 0 && alpha < 1)) {
            throw new IllegalArgumentException("alpha is " + alpha + ": it must lie between 0 and 1");
        }
        if (!margin.areWithin(0, Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("margin is " + margin + ": it must be above 0, 0.03 for 3 %");
        }
        if (!(power > alpha && power < 1)) {
            throw new IllegalArgumentException("power is " + power + ": it must lie between alpha and 1");
        }
    }

    /** Creates settings with one margin for all metrics. */
    public Settings(double alpha, double margin, double power) {
        this(alpha, Shares.of(margin), power);
    }

    public double margin(Metric metric) {
        return margin.of(metric);
    }

    /** Returns the margin on the log scale, {@code ln(1 + margin)}. */
    public double logMargin(Metric metric) {
        return Math.log1p(margin(metric));
    }
}
