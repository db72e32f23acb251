package org.servletbench.bench.verdict;

import java.util.Objects;

/**
 * What is compared.
 *
 * @param id short and stable, as it stands in files
 * @param name as it stands in a sentence, in the singular and without an article
 * @param better which way is good
 * @param kind what the generator's limits and its clock do to it
 */
public record Metric(String id, String name, Better better, Kind kind) {
    /** Requests/s answered well. */
    public static final Metric THROUGHPUT = new Metric("throughput", "throughput", Better.HIGHER, Kind.THROUGHPUT);

    /** The 99th percentile of response time, ms. */
    public static final Metric P99 = new Metric("p99", "p99 response time", Better.LOWER, Kind.PERCENTILE);

    /** CPU time of the server's process per request, µs. */
    public static final Metric CPU_PER_REQUEST =
            new Metric("cpu-per-request", "CPU time per request", Better.LOWER, Kind.OTHER);

    /** What the generator's limits and its clock do to a metric. */
    public enum Kind {
        /** An arm that runs at the generator's limit has a floor. */
        THROUGHPUT,
        /**
         * A mean response time. At the generator's limit it includes time waited there. A coarse clock leaves it alone:
         * start and end of a request are both rounded down, at a phase that the clock does not set, so that the errors of
         * both have the same mean and cancel, and what is left is divided by the root of thousands of requests.
         */
        MEAN_LATENCY,
        /** One of the response times, such as a percentile: as coarse as the clock, however many there are. */
        PERCENTILE,
        /** Neither: CPU time per request, memory. */
        OTHER
    }

    /** @throws NullPointerException if anything is missing */
    public Metric {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(better, "better");
        Objects.requireNonNull(kind, "kind");
    }

    /** A metric that neither the generator's limit nor its clock distorts. */
    public Metric(String id, String name, Better better) {
        this(id, name, better, Kind.OTHER);
    }
}
