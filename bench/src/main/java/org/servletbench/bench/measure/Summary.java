package org.servletbench.bench.measure;

import java.util.Map;

/**
 * The figures of a span {@code [fromMs, toMs)} of a load. Its requests are those that ended in it.
 *
 * @param fromMs first ms, since the epoch
 * @param seconds length, s; with time slices and tools only the counted time
 * @param count number of requests, including failed ones
 * @param errorKinds number of errors of each kind, the most frequent first; their sum is {@code errors}
 * @param users mean number of active users; NaN if not known
 * @param bytes bytes received; -1 if not known
 * @param sentBytes bytes sent; -1 if not known
 * @param latency response times of the requests that ended in it, ms; at a fixed rate, of those that were due in it,
 *     counted from then
 */
public record Summary(
        long fromMs,
        long toMs,
        double seconds,
        long count,
        long errors,
        Map<String, Long> errorKinds,
        double users,
        long bytes,
        long sentBytes,
        Latency latency) {

    /** Figures without any request. */
    public static final Summary NONE =
            new Summary(0, 0, 0, 0, 0, Map.of(), Double.NaN, Recorder.UNKNOWN, Recorder.UNKNOWN, Latency.NONE);

    /** Returns the requests/s, including failed ones. */
    public double throughput() {
        return count / seconds();
    }

    /** Returns the share of failed requests, 0 to 1; 0 if there were no requests. */
    public double errorShare() {
        return count == 0 ? 0 : (double) errors / count;
    }
}
