package org.servletbench.bench.measure;

/**
 * The time in which a load was at its full strength: {@code [fromMs, toMs)}, in whole slices.
 *
 * @param fromMs first ms, since the epoch
 * @param target number required at both ends: users, or requests/s that start ({@link Cut#RATE}); NaN for
 *     {@link Cut#NONE}
 */
public record SteadyWindow(long fromMs, long toMs, Cut cut, double target) {
    public enum Cut {
        /** From the first to the last slice with at least 99 % of the planned users. */
        PLANNED_USERS,
        /**
         * From the first to the last slice in which at least 98 % of the offered rate (or one request less) started.
         * With long response times, not before the first requests have ended.
         */
        RATE,
        /** From the first to the last slice whose mean was at least 99 % of the median number of users observed. */
        OBSERVED_USERS,
        /** Nothing was cut, because the users are not known, or no whole slice was under full load. */
        NONE
    }

    public long lengthMs() {
        return toMs - fromMs;
    }
}
