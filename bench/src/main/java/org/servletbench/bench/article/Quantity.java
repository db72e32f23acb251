package org.servletbench.bench.article;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.servletbench.bench.model.Metric;

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
    READY("ready-ms", "Time to ready", "ms", Metric.READY),
    /** Memory used at start-up, MB. */
    MEMORY_USED("memory-used-mb", "Memory used", "MB", Metric.MEMORY_USED),
    /** Classes loaded at start-up. */
    CLASSES_LOADED("classes-loaded", "Classes loaded", "", Metric.CLASSES_LOADED),
    /** Live threads at start-up. */
    THREADS_LIVE("threads-live", "Live threads", "", Metric.THREADS_LIVE);

    private final String key;
    private final String title;
    private final String unit;
    private final Metric start;

    Quantity(String key, String title, String unit) {
        this(key, title, unit, null);
    }

    Quantity(String key, String title, String unit, Metric start) {
        this.key = key;
        this.title = title;
        this.unit = unit;
        this.start = start;
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
        return start != null;
    }

    /** What a campaign of starts calls it; empty where that does not measure it. */
    public Optional<Metric> ofStart() {
        return Optional.ofNullable(start);
    }

    /**
     * The figures of one start, in the units of articles.
     *
     * @param figures by {@link Metric#key}, in the units of campaigns
     */
    public static Map<Quantity, Double> ofStart(Map<String, Double> figures) {
        Map<Quantity, Double> found = new EnumMap<>(Quantity.class);
        for (Quantity one : values()) {
            Double value = one.start == null ? null : figures.get(one.start.key());
            if (value != null && Double.isFinite(value)) {
                found.put(one, one == MEMORY_USED ? value * 1e-6 : value);
            }
        }
        return found;
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
