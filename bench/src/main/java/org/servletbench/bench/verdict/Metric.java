package org.servletbench.bench.verdict;

import java.util.Objects;

/**
 * What is compared.
 *
 * @param id short and stable, as it stands in files
 * @param name as it stands in a sentence, in the singular and without an article
 * @param better which way is good
 */
public record Metric(String id, String name, Better better) {
    /** Requests/s answered well. */
    public static final Metric THROUGHPUT = new Metric("throughput", "throughput", Better.HIGHER);

    /** The 99th percentile of response time, ms. */
    public static final Metric P99 = new Metric("p99", "p99 response time", Better.LOWER);

    /** CPU time of the server's process per request, µs. */
    public static final Metric CPU_PER_REQUEST = new Metric("cpu-per-request", "CPU time per request", Better.LOWER);

    /** @throws NullPointerException if anything is missing */
    public Metric {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(better, "better");
    }
}
