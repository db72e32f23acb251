package org.servletbench.bench.measure;

import org.servletbench.bench.model.Metric;

/**
 * Response times, all in ms, of failed requests too: Little's law and the native reports count them. NaN where nothing
 * was counted, or the log has only sums.
 *
 * <p>A percentile p is the smallest recorded value that at least p % of the values do not exceed (nearest rank); it is
 * exact below 2048 ms and at most 0.1 % too high above.
 *
 * @param mean arithmetic mean
 * @param stdev sample standard deviation (n - 1); NaN for fewer than two values
 * @param min smallest value, exact
 * @param max largest value, exact
 */
public record Latency(
        double mean,
        double stdev,
        double min,
        double p50,
        double p75,
        double p90,
        double p95,
        double p99,
        double p999,
        double max) {
    private static final double NO = Double.NaN;

    /**
     * One of the percentiles that are known.
     *
     * @throws IllegalArgumentException for any other figure
     */
    public double percentile(Metric metric) {
        return switch (metric) {
            case P50 -> p50;
            case P75 -> p75;
            case P90 -> p90;
            case P95 -> p95;
            case P99 -> p99;
            case P999 -> p999;
            default -> throw new IllegalArgumentException(metric.label());
        };
    }

    /** Where nothing but the mean is known. */
    static Latency ofMean(double mean) {
        return new Latency(mean, NO, NO, NO, NO, NO, NO, NO, NO, NO);
    }

    static final Latency NONE = new Latency(NO, NO, NO, NO, NO, NO, NO, NO, NO, NO);
}
