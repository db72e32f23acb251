package org.servletbench.bench.measure;

/**
 * One second (or more, see {@link LogMeasurement#sliceMs}) of a load, with the requests that ended in
 * {@code [fromMs, toMs)}.
 *
 * @param fromMs first ms, since the epoch
 * @param toMs the ms after the last one
 * @param started number of requests that were started in it; at a fixed rate, number of those due in it
 * @param count number of requests that ended in it
 * @param users mean number of active users; NaN if not known
 * @param bytes bytes received; -1 if not known
 * @param latency response times of the requests that ended or were due in it, ms
 */
public record Slice(
        long fromMs, long toMs, long started, long count, long errors, double users, long bytes, Latency latency) {

    /** Returns the requests/s, including failed ones. */
    public double throughput() {
        return count * 1000.0 / (toMs - fromMs);
    }
}
