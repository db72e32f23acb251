package org.servletbench.bench.measure;

import static org.servletbench.bench.model.Text.text;

import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Optional;
import org.HdrHistogram.Histogram;
import org.servletbench.bench.model.MarkKind;

/** Counts for one of the requests that users send in order. */
public final class RequestTally {
    private final String label;
    private final Histogram latency = new Histogram(LatencyCounts.SIGNIFICANT_DIGITS);
    private long sent;
    private long requests;
    private long errors;

    /** @param label its name in the list */
    public RequestTally(String label) {
        this.label = label;
    }

    /** Counts a request in the log, whether it is in the figures or not. */
    public void logged() {
        sent++;
    }

    /** Returns the number of all requests in the log. */
    public long sent() {
        return sent;
    }

    /** Counts one that ended in counted time. */
    public void ended(boolean failed) {
        requests++;
        errors += failed ? 1 : 0;
    }

    /** Adds the response time of one that counts, ms. */
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

    /** Users go through their list again and again: no request may have been sent more than once per user beyond any other. */
    public static Optional<Check> mix(String name, List<RequestTally> list, int users) {
        LongSummaryStatistics sent = list.stream().mapToLong(one -> one.sent).summaryStatistics();
        return list.isEmpty() || sent.getMax() - sent.getMin() <= users
                ? Optional.empty()
                : Optional.of(Check.of(
                        MarkKind.UNEQUAL_MIX,
                        false,
                        text(
                                "%s: %d to %d of each request of the list, with %d users",
                                name, sent.getMin(), sent.getMax(), users)));
    }
}
