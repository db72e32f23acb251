package org.servletbench.bench.load;

/** A request from the slow readers of the tests. Times in ms on the log's clock; error null for success. */
public record Sample(String name, long start, long end, String error, long users, long bytes, long sentBytes) {
    public long response() {
        return end - start;
    }
}
