package org.servletbench.bench.article;

import java.util.Arrays;
import java.util.Optional;

/** What a published figure can be. The key says the unit; values stand as they were printed. */
public enum Metric {
    /** Requests made. */
    REQUESTS("requests", false, Double.POSITIVE_INFINITY),
    /** Requests/s. */
    THROUGHPUT("throughput-rps", false, Double.POSITIVE_INFINITY),
    /** Mean response time, ms. */
    LATENCY_MEAN("latency-mean-ms", false, Double.POSITIVE_INFINITY),
    /** Mean response time as siege prints it, s, in hundredths. */
    LATENCY_MEAN_SECONDS("latency-mean-s", false, Double.POSITIVE_INFINITY),
    /** Least response time, ms. */
    LATENCY_MIN("latency-min-ms", false, Double.POSITIVE_INFINITY),
    /** Greatest response time, ms. */
    LATENCY_MAX("latency-max-ms", false, Double.POSITIVE_INFINITY),
    /** Standard deviation of the response time, ms. */
    LATENCY_STDEV("latency-stdev-ms", false, Double.POSITIVE_INFINITY),
    /** Failed requests, in the unit that the column's head says; see {@link Article#errorShare}. */
    ERRORS_PRINTED("errors-printed", false, 100),
    /** Responses that were no failures, percent. */
    AVAILABILITY("availability-percent", false, 100),
    /** Bytes received, KiB/s. */
    RECEIVED("received-kib-s", false, Double.POSITIVE_INFINITY),
    /** Bytes sent, KiB/s. */
    SENT("sent-kib-s", false, Double.POSITIVE_INFINITY),
    /** Mean length of a response, bytes, failed ones among them. */
    RESPONSE_BYTES("response-mean-bytes", false, Double.POSITIVE_INFINITY),
    /** How long the load took, s. */
    ELAPSED("elapsed-s", false, Double.POSITIVE_INFINITY),
    /** Memory used at start-up, MB. */
    MEMORY_USED("memory-used-mb", true, Double.POSITIVE_INFINITY),
    /** Classes loaded at start-up. */
    CLASSES_LOADED("classes-loaded", true, Double.POSITIVE_INFINITY),
    /** Live threads at start-up. */
    THREADS_LIVE("threads-live", true, Double.POSITIVE_INFINITY);

    private final String key;
    private final boolean startUp;
    private final double most;

    Metric(String key, boolean startUp, double most) {
        this.key = key;
        this.startUp = startUp;
        this.most = most;
    }

    /** As it is written in an article's file. */
    public String key() {
        return key;
    }

    /** Whether it is taken once at start-up, of no workload and no number of users. */
    public boolean isStartUp() {
        return startUp;
    }

    /** Whether it is a response time. */
    public boolean isLatency() {
        return key.startsWith("latency-");
    }

    /** The greatest value that it can have; the least is 0. */
    double most() {
        return most;
    }

    static Optional<Metric> of(String key) {
        return Arrays.stream(values()).filter(metric -> metric.key.equals(key)).findFirst();
    }

    @Override
    public String toString() {
        return key;
    }
}
