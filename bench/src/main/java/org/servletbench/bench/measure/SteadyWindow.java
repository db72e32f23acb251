package org.servletbench.bench.measure;

/**
 * The time in which a load was under its full load: {@code [fromMs, toMs)}, whole slices.
 *
 * @param fromMs first ms, since the epoch
 * @param target required at both ends: users, or requests/s that start ({@link Cut#RATE}); NaN for {@link Cut#NONE}
 */
public record SteadyWindow(long fromMs, long toMs, Cut cut, double target) {
    public enum Cut {
        /** From the first to the last slice that held at least 99 % of the tier's users. */
        PLANNED_USERS,
        /**
         * From the first to the last slice in which at least 98 % of the offered rate (or one request less) started; with long
         * answer times, not before the first have ended.
         */
        RATE,
        /** From the first to the last slice that held on average at least 99 % of the median of the users seen. */
        OBSERVED_USERS,
        /** Nothing was cut: the users are not known, or no whole slice was under full load. */
        NONE
    }

    public long lengthMs() {
        return toMs - fromMs;
    }
}
