package org.servletbench.bench.verdict;

import org.servletbench.bench.model.Metric;

/** The verdict on A against B. */
public enum Verdict {
    /** A is better, and by more than the margin. */
    FASTER,
    /** A is worse, and by more than the margin. */
    SLOWER,
    /** A and B differ, but a difference beyond the margin is not proven. */
    DIFFERENT,
    /** Any difference is smaller than the margin. It may even be certain that there is one. */
    EQUIVALENT,
    /** None of these can be concluded. */
    INCONCLUSIVE;

    /**
     * Returns the verdict. It depends on the interval alone, so that verdict and interval cannot contradict each other,
     * and all verdicts are right whenever all intervals hold the truth.
     *
     * @param low lower end of the interval of {@code ln(A/B)}; NaN if there is none
     * @param high upper end of the interval
     * @param logMargin the margin on the log scale, above 0
     */
    public static Verdict decide(double low, double high, double logMargin, Metric metric) {
        if (low > logMargin) {
            return metric.higherIsBetter() ? FASTER : SLOWER;
        }
        if (high < -logMargin) {
            return metric.higherIsBetter() ? SLOWER : FASTER;
        }
        if (low > -logMargin && high < logMargin) {
            return EQUIVALENT;
        }
        return low > 0 || high < 0 ? DIFFERENT : INCONCLUSIVE;
    }

    /**
     * True if the verdict says that A and B differ. EQUIVALENT does not, even if its interval excludes 1, because
     * differences smaller than the margin were declared irrelevant beforehand.
     */
    public boolean namesADifference() {
        return this == FASTER || this == SLOWER || this == DIFFERENT;
    }

    /**
     * Returns the verdict for people: FASTER and SLOWER for times; LESS and MORE for amounts, such as memory or
     * capacity.
     */
    public String words(Metric metric) {
        return switch (this) {
            case FASTER -> metric.isSpeed() ? name() : metric.higherIsBetter() ? "MORE" : "LESS";
            case SLOWER -> metric.isSpeed() ? name() : metric.higherIsBetter() ? "LESS" : "MORE";
            default -> name();
        };
    }

    /** Returns FASTER or SLOWER, depending on which side of 1 a ratio is. */
    public static Verdict towards(double ratio, Metric metric) {
        return ratio > 1 == metric.higherIsBetter() ? FASTER : SLOWER;
    }

    public Verdict mirrored() {
        return switch (this) {
            case FASTER -> SLOWER;
            case SLOWER -> FASTER;
            default -> this;
        };
    }
}
