package org.servletbench.bench.verdict;

/** What is said of A against B. */
public enum Verdict {
    /** A is better, and by more than the margin. */
    FASTER,
    /** A is worse, and by more than the margin. */
    SLOWER,
    /** No difference was found, and none as large as the margin can be there. */
    EQUIVALENT,
    /** A and B differ; that they do by more than the margin is not shown. */
    DIFFERENT_BUT_SMALL,
    /** None of these can be said. */
    INCONCLUSIVE;

    /**
     * The rule. A difference that is certain and lies wholly inside the margin is DIFFERENT_BUT_SMALL and not EQUIVALENT:
     * so exactly the first two and DIFFERENT_BUT_SMALL name a difference, and the letters say the same.
     *
     * @param low lower end of the simultaneous interval of {@code ln(A/B)}; NaN when there is none
     * @param high its upper end
     * @param different whether the t-test, adjusted, found a difference
     * @param equivalent whether the two one-sided tests, adjusted, ruled out one as large as the margin
     * @param logMargin the margin on the log scale, above 0
     * @param better which way the metric is good
     */
    public static Verdict decide(
            double low, double high, boolean different, boolean equivalent, double logMargin, Better better) {
        if (different && low > logMargin) {
            return better == Better.HIGHER ? FASTER : SLOWER;
        }
        if (different && high < -logMargin) {
            return better == Better.HIGHER ? SLOWER : FASTER;
        }
        if (different) {
            return DIFFERENT_BUT_SMALL;
        }
        if (equivalent && low > -logMargin && high < logMargin) {
            return EQUIVALENT;
        }
        return INCONCLUSIVE;
    }

    /** Whether it says that A and B differ. */
    public boolean namesADifference() {
        return this == FASTER || this == SLOWER || this == DIFFERENT_BUT_SMALL;
    }

    /** The same verdict from B's side. */
    public Verdict mirrored() {
        return switch (this) {
            case FASTER -> SLOWER;
            case SLOWER -> FASTER;
            default -> this;
        };
    }
}
