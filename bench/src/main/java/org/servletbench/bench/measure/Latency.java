package org.servletbench.bench.measure;

import java.util.EnumMap;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;
import org.servletbench.bench.model.Metric;

/**
 * Response times, all in ms. They include failed requests, because Little's law and the native reports count them as
 * well. NaN if nothing was counted, or if the log has only sums.
 *
 * <p>A percentile p is the smallest recorded value that at least p % of the values do not exceed (nearest rank). It is
 * exact below 2048 ms, and at most 0.1 % too high above.
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
     * Returns response times that a tool reports; NaN for values that it does not report.
     *
     * @param percentile returns the value of a rank in percent
     */
    public static Latency reported(double mean, double max, DoubleUnaryOperator percentile) {
        return new Latency(
                mean,
                NO,
                NO,
                percentile.applyAsDouble(50),
                percentile.applyAsDouble(75),
                percentile.applyAsDouble(90),
                percentile.applyAsDouble(95),
                percentile.applyAsDouble(99),
                percentile.applyAsDouble(99.9),
                max);
    }

    /** Returns the figures of {@link Metric.Kind#LATENCY} that are known, ms. */
    public Map<Metric, Double> figures() {
        Map<Metric, Double> figures = new EnumMap<>(Metric.class);
        Metric.of(Metric.Kind.LATENCY).forEach(metric -> figures.put(metric, of(metric)));
        figures.values().removeIf(value -> !Double.isFinite(value));
        return figures;
    }

    /**
     * Returns one of the available percentiles.
     *
     * @throws IllegalArgumentException for any other metric
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

    /** Ranks of the available percentiles, in percent. */
    public static final Map<Metric, Double> PERCENTILES = Map.of(
            Metric.P50,
            50.0,
            Metric.P75,
            75.0,
            Metric.P90,
            90.0,
            Metric.P95,
            95.0,
            Metric.P99,
            99.0,
            Metric.P999,
            99.9);

    /** Returns response times of which only the mean is known. */
    static Latency ofMean(double mean) {
        return new Latency(mean, NO, NO, NO, NO, NO, NO, NO, NO, NO);
    }

    /** Returns a figure of {@link Metric.Kind#LATENCY}, ms; NaN if it is not known. */
    public double of(Metric metric) {
        return metric == Metric.MEAN ? mean : metric == Metric.MAX ? max : percentile(metric);
    }

    static final Latency NONE = new Latency(NO, NO, NO, NO, NO, NO, NO, NO, NO, NO);
}
