package org.servletbench.bench.article;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** What a published figure can be. The key says the unit; values stand as they were printed. */
public enum Quantity {
    REQUESTS("requests", "Requests", ""),
    THROUGHPUT("throughput-rps", "Throughput", "requests/s"),
    LATENCY_MEAN("latency-mean-ms", "Mean response time", "ms"),
    /** Mean response time as siege prints it, s, in hundredths. */
    LATENCY_MEAN_SECONDS("latency-mean-s", "Mean response time", "ms"),
    LATENCY_MIN("latency-min-ms", "Fastest", "ms"),
    LATENCY_MAX("latency-max-ms", "Slowest", "ms"),
    LATENCY_STDEV("latency-stdev-ms", "Standard deviation", "ms"),
    /** Failed requests, in the unit that the column's head says; see {@link Article#errorShare}. */
    ERRORS_PRINTED("errors-printed", "Failed", "%"),
    AVAILABILITY("availability-percent", "Availability", "%"),
    RECEIVED("received-kib-s", "Received", "KiB/s"),
    SENT("sent-kib-s", "Sent", "KiB/s"),
    /** Mean length of a response, bytes, failed ones among them. */
    RESPONSE_BYTES("response-mean-bytes", "Mean response", "bytes"),
    ELAPSED("elapsed-s", "Took", "s"),
    /** From the start of the process to the first answer, ms. */
    READY("ready-ms", "Time to ready", "ms"),
    MEMORY_USED("memory-used-mb", "Memory used", "MB"),
    CLASSES_LOADED("classes-loaded", "Classes loaded", ""),
    THREADS_LIVE("threads-live", "Live threads", "");

    private final String key;
    private final String title;
    private final String unit;

    Quantity(String key, String title, String unit) {
        this.key = key;
        this.title = title;
        this.unit = unit;
    }

    /** As it is written in an article's file. */
    @JsonValue
    public String key() {
        return key;
    }

    public String title() {
        return title;
    }

    public String unit() {
        return unit;
    }

    public String words() {
        return switch (this) {
            case THROUGHPUT, LATENCY_MEAN, LATENCY_MEAN_SECONDS -> title.toLowerCase(Locale.ROOT);
            case LATENCY_MIN -> "least response time";
            case LATENCY_MAX -> "greatest response time";
            default -> isStartUp() ? title.toLowerCase(Locale.ROOT) + " at start-up" : key;
        };
    }

    public boolean isStartUp() {
        return this == READY || this == MEMORY_USED || this == CLASSES_LOADED || this == THREADS_LIVE;
    }

    public boolean isLatency() {
        return key.startsWith("latency-");
    }

    /** The greatest value that it can have; the least is 0. */
    double most() {
        return this == ERRORS_PRINTED || this == AVAILABILITY ? 100 : Double.POSITIVE_INFINITY;
    }

    @Override
    public String toString() {
        return key;
    }
}
