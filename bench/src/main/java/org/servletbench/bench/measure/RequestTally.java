package org.servletbench.bench.measure;

import org.HdrHistogram.Histogram;

/** Counts for one of the requests that users send in order. */
public final class RequestTally {
    private final String label;
    private final Histogram latency = new Histogram(LatencyCounts.SIGNIFICANT_DIGITS);
    private long sent;
    private long requests;
    private long errors;

    /** @param label name of the request in the list */
    public RequestTally(String label) {
        this.label = label;
    }

    /** Counts a request of the log, whether it is in the figures or not. */
    public void logged() {
        sent++;
    }

    /** Returns the number of all requests in the log. */
    public long sent() {
        return sent;
    }

    /** Counts a request that ended in counted time. */
    public void ended(boolean failed) {
        requests++;
        errors += failed ? 1 : 0;
    }

    /** Adds the response time of a request that counts, ms. */
    public void answered(long ms) {
        latency.recordValue(ms);
    }

    public void add(RequestTally other) {
        sent += other.sent;
        requests += other.requests;
        errors += other.errors;
        latency.add(other.latency);
    }

    public String label() {
        return label;
    }

    public long requests() {
        return requests;
    }

    public long errors() {
        return errors;
    }

    /** Returns the response times, ms. */
    public Histogram latency() {
        return latency;
    }
}
