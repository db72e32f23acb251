package org.servletbench.bench.comparison;

import java.util.stream.Stream;
import org.servletbench.bench.model.Metric;

/** Kinds of published figures. The key contains the unit; values are as printed. */
public enum Quantity {
    REQUESTS("requests"),
    THROUGHPUT("throughput-rps", Metric.THROUGHPUT, 1),
    LATENCY_MEAN("latency-mean-ms", Metric.MEAN, 1),
    /** siege prints seconds with two decimals. */
    LATENCY_MEAN_SECONDS("latency-mean-s", Metric.MEAN, 1000),
    LATENCY_MIN("latency-min-ms"),
    LATENCY_MAX("latency-max-ms", Metric.MAX, 1),
    LATENCY_STDEV("latency-stdev-ms"),
    /** Failed requests, in the unit of the column's head; see {@link Published#errorsColumn}. */
    ERRORS_PRINTED("errors-printed", Metric.ERRORS, 1),
    AVAILABILITY("availability-percent"),
    RECEIVED("received-kib-s"),
    SENT("sent-kib-s"),
    /** Mean length of a response, bytes, including failed ones. */
    RESPONSE_BYTES("response-mean-bytes"),
    ELAPSED("elapsed-s"),
    READY("ready-ms", Metric.READY, 1),
    MEMORY_USED("memory-used-mb", Metric.MEMORY_USED, 1e6),
    CLASSES_LOADED("classes-loaded", Metric.CLASSES_LOADED, 1),
    THREADS_LIVE("threads-live", Metric.THREADS_LIVE, 1);

    private final String key;
    private final Metric metric;
    private final double factor;

    Quantity(String key) {
        this(key, null, 1);
    }

    Quantity(String key, Metric metric, double factor) {
        this.key = key;
        this.metric = metric;
        this.factor = factor;
    }

    /** Returns its key in an article's file. */
    public String key() {
        return key;
    }

    /** Returns the corresponding metric of campaigns; null if they do not measure it. */
    public Metric metric() {
        return metric;
    }

    /** Returns the factor from this unit to the metric's. */
    public double factor() {
        return factor;
    }

    /**
     * @throws IllegalArgumentException if no quantity has this key
     */
    public static Quantity of(String key) {
        return Stream.of(values())
                .filter(one -> one.key.equals(key))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("'" + key + "' is not a figure: choose from "
                        + String.join(
                                ", ", Stream.of(values()).map(Quantity::key).toList())));
    }
}
