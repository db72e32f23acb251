package org.servletbench.bench.load;

/**
 * A request as the simple readers of the tests read it. Its times are in ms on the log's clock; the error is null for
 * success.
 */
public record Sample(String name, long start, long end, String error, long users, long bytes, long sentBytes) {
    public long response() {
        return end - start;
    }
}
