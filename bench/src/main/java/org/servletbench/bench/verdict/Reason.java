package org.servletbench.bench.verdict;

/**
 * The difference in one {@link Cause} between an arm and its baseline. It is a reason, and shown, if its interval,
 * which is simultaneous over all candidates and arms, excludes 0, and the difference exceeds the far end of the
 * control's own interval.
 *
 * @param difference arm minus baseline, per request: µs of CPU time, or events or bytes; NaN if there is none
 * @param low lower end of the interval; NaN without an interval
 * @param high upper end of the interval
 * @param arm the arm's value
 * @param baseline the baseline's value
 */
public record Reason(
        Cause cause, double difference, double low, double high, double arm, double baseline, boolean shown) {

    /**
     * Number of bytes that count as one event in the ranking. Writing and reading them takes at most 5 µs at 8 GB/s of
     * memory.
     */
    private static final double BYTES_OF_EVENT = 20_000;

    /**
     * Maximum cost of an event, µs. A context switch, including the cold caches after it, takes 1 to 5 µs; calls and
     * faults take less.
     */
    private static final double MOST_MICROS_OF_EVENT = 5;

    /** Minimum share of a difference that counts as an explanation. */
    static final double LEAST_SHARE = 0.1;

    /** Share of a difference below which the text says how little a reason explains. */
    private static final double SMALL_SHARE = 0.2;

    /** Returns the size for ordering reasons of the same kind, µs or events. */
    double size() {
        boolean bytes = cause instanceof Cause.Counter counter
                && counter.metric().unit().equals("bytes");
        return Math.abs(difference) / (bytes ? BYTES_OF_EVENT : 1);
    }

    /**
     * True if the reason is large enough to be part of the difference to be explained. The cost of an event is not
     * known, so its upper limit counts.
     *
     * @param whole the difference in CPU time, µs per request
     */
    boolean matters(double whole) {
        return mostMicros() >= LEAST_SHARE * Math.abs(whole);
    }

    /** True if these events explain only a small part of the whole. Their sentence then gives their maximum cost. */
    boolean isLimited(double whole) {
        return !cause.isTime() && mostMicros() < SMALL_SHARE * Math.abs(whole);
    }

    /** Returns the CPU time that it can explain, µs per request. For events, this is their maximum cost. */
    double mostMicros() {
        return cause.isTime() ? size() : size() * MOST_MICROS_OF_EVENT;
    }

    /** True if it comes from the stacks of a profile, which divide the same CPU time differently from counters. */
    public boolean isOfProfile() {
        return cause instanceof Cause.Layer;
    }

    public boolean isMore() {
        return difference > 0;
    }
}
