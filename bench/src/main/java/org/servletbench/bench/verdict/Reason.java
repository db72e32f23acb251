package org.servletbench.bench.verdict;

/**
 * The difference in one {@link Cause} between an arm and its baseline, and whether that is a reason: its interval, which is
 * simultaneous over all candidates and arms, excludes 0, and the difference exceeds the far end of the control's own interval.
 *
 * @param difference arm less baseline, for each request: µs of CPU time, or events or bytes; NaN if there is none
 * @param low lower end of its interval; NaN without one
 * @param high its upper end
 * @param arm the arm's value
 * @param baseline the baseline's value
 */
public record Reason(
        Cause cause, double difference, double low, double high, double arm, double baseline, boolean shown) {

    /** Number of bytes that are ranked as one event: writing and reading them takes at most 5 µs, if memory does 8 GB/s. */
    private static final double BYTES_OF_EVENT = 20_000;

    /** A switch of threads with the caches that are cold after it takes 1 to 5 µs; calls and faults take less. */
    private static final double MOST_MICROS_OF_EVENT = 5;

    /** Least part of a difference that explains it. */
    private static final double LEAST_SHARE = 0.1;

    /** Largest part of a difference for which the text says how little it explains. */
    private static final double SMALL_SHARE = 0.2;

    /** Returns the size for the order of reasons of the same kind: µs, or events. */
    double size() {
        boolean bytes = cause instanceof Cause.Counter counter
                && counter.metric().unit().equals("bytes");
        return Math.abs(difference) / (bytes ? BYTES_OF_EVENT : 1);
    }

    /**
     * True if it is large enough to be a part of the difference to be explained; the cost of an event is not known, so its upper
     * limit is taken.
     *
     * @param whole the difference in CPU time, µs for each request
     */
    boolean matters(double whole) {
        return mostMicros() >= LEAST_SHARE * Math.abs(whole);
    }

    /** True if these events explain only a small part of the whole: their sentence then names the most that they may cost. */
    boolean isLimited(double whole) {
        return !cause.isTime() && mostMicros() < SMALL_SHARE * Math.abs(whole);
    }

    /** Returns the CPU time that it can explain, µs for each request: for events the most that they may cost. */
    double mostMicros() {
        return cause.isTime() ? size() : size() * MOST_MICROS_OF_EVENT;
    }

    /** True if it comes from stacks, which divide the same CPU time in another way than counters do. */
    public boolean isOfProfile() {
        return cause instanceof Cause.Layer;
    }

    public boolean isMore() {
        return difference > 0;
    }
}
