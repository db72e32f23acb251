package org.servletbench.bench.verdict;

/**
 * By how much one {@link Cause} differs between an arm and its baseline, and whether that is a reason: its interval, which is
 * simultaneous over all candidates and arms, excludes 0, and the difference exceeds the far end of the control's own interval.
 *
 * @param difference arm less baseline, for each request: µs of CPU time, or events or bytes; NaN where there is none
 * @param low lower end of its interval; NaN without one
 * @param high its upper end
 * @param arm the arm's value
 * @param baseline the baseline's value
 */
public record Reason(
        Cause cause, double difference, double low, double high, double arm, double baseline, boolean shown) {

    /** So many bytes are ranked as one event: a page. */
    private static final double BYTES_OF_EVENT = 4096;

    /** For the order of reasons of the same kind: µs, or events. */
    double size() {
        boolean bytes = cause instanceof Cause.Counter counter
                && counter.metric().unit().equals("bytes");
        return Math.abs(difference) / (bytes ? BYTES_OF_EVENT : 1);
    }

    public boolean isMore() {
        return difference > 0;
    }
}
