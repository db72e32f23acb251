package org.servletbench.bench.measure;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.PackedHistogram;

/**
 * Counts of a load's requests that ended within a span of time, with their response times. If it is known when requests
 * were due, the response times are those of requests that were due in the span. All counts are exact whole numbers:
 * merging the tallies of two spans gives the tally of both.
 */
public final class Tally implements Series.Bucket<Tally> {
    private static final int[] NONE = {};
    /**
     * Number of parts of a span in which ends of requests are counted separately. A short load has too few whole spans
     * to show a trend.
     */
    static final int QUARTERS = 4;

    private static final int EMPTY_BYTES = 184;

    private long started;
    private long count;
    /** Sum of the times from starts in this span to its end, minus the times from ends in the span to its end, ms. */
    private long underWayMs;

    private long errors;
    private long timed;
    private long sum;
    private long squaresLow;
    private long squaresHigh;
    private long min = Long.MAX_VALUE;
    private long max = -1;
    private long bytes;
    private long sentBytes;
    private long usersSum;
    private int usersMin = Integer.MAX_VALUE;
    private LatencyCounts latencies;
    /** Times from when requests were sent; null if the other times count from then as well. */
    private LatencyCounts service;

    private boolean onlySums;
    private long late;
    private long latestMs;
    private int[] kinds = NONE;
    private int[] quarters = new int[QUARTERS];

    Tally() {
        this(false);
    }

    /** @param rare true if only few requests are expected */
    Tally(boolean rare) {
        latencies = rare ? LatencyCounts.ofFew() : new LatencyCounts();
    }

    /** Reduces the memory to that for a rare request. */
    void shrink() {
        LatencyCounts few = LatencyCounts.ofFew();
        few.merge(latencies);
        latencies = few;
    }

    /**
     * Counts a request that was started in this span.
     *
     * @param leftMs time from the start to the end of the span, ms
     */
    void start(long leftMs) {
        started++;
        underWayMs += leftMs;
    }

    /**
     * Counts a request that ended in this span.
     *
     * @param leftMs time from its end to the end of the span, ms
     * @param kind number of its kind of error, or {@link Recorder#OK}
     * @param users number of active users, or {@link Recorder#UNKNOWN}
     */
    void end(long leftMs, int kind, int users, long received, long sent) {
        count++;
        underWayMs -= leftMs;
        bytes += received;
        sentBytes += sent;
        if (users >= 0) {
            usersSum += users;
            usersMin = Math.min(usersMin, users);
        }
        if (kind != Recorder.OK) {
            error(kind, 1);
        }
    }

    /** Counts a request and its response time. Returns the number of bytes by which memory has grown. */
    int end(long responseMs, long leftMs, int kind, int users, long received, long sent) {
        end(leftMs, kind, users, received, sent);
        return time(responseMs);
    }

    /** Counts several requests that ended in this span, of which only the sum of the response times is known. */
    void sum(int times, int failed, int kind, long sumMs, long received, long sent) {
        started += times;
        count += times;
        timed += times;
        sum += sumMs;
        bytes += received;
        sentBytes += sent;
        if (failed > 0) {
            error(kind, failed);
        }
        onlySums = true;
    }

    /** True if percentiles, smallest and largest are unknown. */
    boolean hasOnlySums() {
        return onlySums;
    }

    /** Counts a request that ended in this quarter of the span, from 0. */
    void endIn(int quarter) {
        quarters[quarter]++;
    }

    /** Returns the number of requests that ended in this quarter of the span, from 0. */
    int endedIn(int quarter) {
        return quarters[quarter];
    }

    /**
     * Counts a request that was due in this span, was sent, and has been answered.
     *
     * @param leftMs time from when it was due to the end of the span, ms
     * @param responseMs time since it was due, ms
     * @param serviceMs time since it was sent, ms
     * @return the number of bytes by which memory has grown
     */
    int due(long leftMs, long responseMs, long serviceMs) {
        start(leftMs);
        late += responseMs > serviceMs ? 1 : 0;
        latestMs = Math.max(latestMs, responseMs - serviceMs);
        if (service == null) {
            service = new LatencyCounts();
        }
        return time(responseMs) + service.add(serviceMs);
    }

    private int time(long responseMs) {
        timed++;
        sum += responseMs;
        // A response time is below 2^31 in any sane log, its square below 2^62; the sum of squares is not.
        long square = responseMs * responseMs;
        squaresHigh += Math.multiplyHigh(responseMs, responseMs);
        squaresLow += square;
        if (Long.compareUnsigned(squaresLow, square) < 0) {
            squaresHigh++;
        }
        min = Math.min(min, responseMs);
        max = Math.max(max, responseMs);
        return latencies.add(responseMs);
    }

    private void error(int kind, int times) {
        errors += times;
        if (kind >= kinds.length) {
            kinds = Arrays.copyOf(kinds, Math.max(1, Integer.highestOneBit(kind) * 2));
        }
        kinds[kind] = Math.addExact(kinds[kind], times);
    }

    @Override
    public void merge(Tally other) {
        started += other.started;
        count += other.count;
        underWayMs += other.underWayMs;
        timed += other.timed;
        sum += other.sum;
        onlySums |= other.onlySums;
        squaresHigh += other.squaresHigh;
        squaresLow += other.squaresLow;
        if (Long.compareUnsigned(squaresLow, other.squaresLow) < 0) {
            squaresHigh++;
        }
        min = Math.min(min, other.min);
        max = Math.max(max, other.max);
        bytes += other.bytes;
        sentBytes += other.sentBytes;
        usersSum += other.usersSum;
        usersMin = Math.min(usersMin, other.usersMin);
        latencies.merge(other.latencies);
        Arrays.setAll(quarters, quarter -> quarters[quarter] + other.quarters[quarter]);
        late += other.late;
        latestMs = Math.max(latestMs, other.latestMs);
        if (other.service != null) {
            service = service == null ? new LatencyCounts() : service;
            service.merge(other.service);
        }
        for (int kind = 0; kind < other.kinds.length; kind++) {
            if (other.kinds[kind] != 0) {
                error(kind, other.kinds[kind]);
            }
        }
    }

    @Override
    public void absorb(Tally later, long widthMs) {
        underWayMs += (started - count) * widthMs;
        int[] both = {
            quarters[0] + quarters[1],
            quarters[2] + quarters[3],
            later.quarters[0] + later.quarters[1],
            later.quarters[2] + later.quarters[3]
        };
        merge(later);
        quarters = both;
    }

    @Override
    public long footprint() {
        // Kinds of error are numbered in order of appearance, so the length of their array would depend on that order.
        return EMPTY_BYTES + latencies.footprint() + (service == null ? 0 : service.footprint());
    }

    /** Returns the number of requests that were started in the span, or that were due in it if this is known. */
    public long started() {
        return started;
    }

    /** Returns the number of requests that ended in the span, including failed ones. */
    public long count() {
        return count;
    }

    /**
     * Returns the request-milliseconds within the span that its starts and ends add to those of requests already in
     * flight.
     */
    long underWayMs() {
        return underWayMs;
    }

    /** Returns the sum of the response times, ms. */
    long responseMs() {
        return sum;
    }

    public long errors() {
        return errors;
    }

    public long bytes() {
        return bytes;
    }

    public long sentBytes() {
        return sentBytes;
    }

    /** Returns the mean number of users in the samples; NaN if the log has none. */
    double users() {
        return usersMin == Integer.MAX_VALUE ? Double.NaN : (double) usersSum / count;
    }

    /** Returns the smallest number of users in a sample; NaN if the log has none. */
    double fewestUsers() {
        return usersMin == Integer.MAX_VALUE ? Double.NaN : usersMin;
    }

    Map<Integer, Long> errorsByKind() {
        Map<Integer, Long> times = new HashMap<>();
        for (int kind = 0; kind < kinds.length; kind++) {
            if (kinds[kind] > 0) {
                times.put(kind, (long) kinds[kind]);
            }
        }
        return times;
    }

    /** Numbers kinds of error for tallies. All kinds beyond {@value Recorder#MAX_KINDS} share one number. */
    static final class Kinds {
        static final String OTHER = "(other kinds of error)";

        private final Map<String, Integer> numbers = new LinkedHashMap<>();

        int number(String message) {
            if (numbers.size() < Recorder.MAX_KINDS) {
                numbers.putIfAbsent(message, numbers.size());
            }
            return numbers.getOrDefault(message, Recorder.OTHER_KIND);
        }

        /** Returns the kinds of error in the order of their numbers. */
        List<String> names() {
            return List.copyOf(numbers.keySet());
        }

        String name(int number) {
            return number == Recorder.OTHER_KIND ? OTHER : names().get(number);
        }

        /** Returns the count of each kind of error, the most frequent first. */
        Map<String, Long> named(Map<Integer, Long> times) {
            Map<String, Long> sorted = new LinkedHashMap<>();
            times.entrySet().stream()
                    .map(e -> Map.entry(name(e.getKey()), e.getValue()))
                    .sorted(Map.Entry.<String, Long>comparingByValue()
                            .reversed()
                            .thenComparing(Map.Entry.comparingByKey()))
                    .forEach(e -> sorted.put(e.getKey(), e.getValue()));
            return sorted;
        }
    }

    /**
     * Returns the response times in ms, with three significant digits. They are exact below 2048 ms, and in classes of
     * 0.1 % above.
     */
    public Histogram histogram() {
        return histogram(false);
    }

    /**
     * @param packed true to save memory at the cost of time
     */
    Histogram histogram(boolean packed) {
        Histogram histogram = packed
                ? new PackedHistogram(LatencyCounts.SIGNIFICANT_DIGITS)
                : new Histogram(LatencyCounts.SIGNIFICANT_DIGITS);
        latencies.addTo(histogram);
        return histogram;
    }

    /** Returns the share of requests that were sent late, by more than the clock's resolution, 0 to 1. */
    double lateShare() {
        return (double) late / timed;
    }

    /** Returns the largest delay with which a request was sent, ms. */
    long latestMs() {
        return latestMs;
    }

    /**
     * Returns a percentile of the times since requests were sent, ms; NaN if these do not differ from the times since
     * they were due.
     */
    double servicePercentile(double percent) {
        return service == null ? Double.NaN : service.percentile(percent, timed);
    }

    /** Returns mean and percentiles; all NaN if nothing was counted. */
    public Latency latency() {
        if (timed == 0) {
            return Latency.NONE;
        }
        if (onlySums) {
            return Latency.ofMean(mean());
        }
        return new Latency(
                mean(),
                standardDeviation(),
                min,
                percentile(50),
                percentile(75),
                percentile(90),
                percentile(95),
                percentile(99),
                percentile(99.9),
                max);
    }

    private double percentile(double percent) {
        // The highest value of a class may exceed the largest recorded value.
        return Math.min(max, latencies.percentile(percent, timed));
    }

    private double mean() {
        return (double) sum / timed;
    }

    /**
     * Returns the sample standard deviation, sqrt((n S2 - S1^2) / (n (n - 1))). The computation uses whole numbers up
     * to the root.
     */
    private double standardDeviation() {
        if (timed < 2) {
            return Double.NaN;
        }
        BigInteger n = BigInteger.valueOf(timed);
        BigInteger squares =
                BigInteger.valueOf(squaresHigh).shiftLeft(64).add(new BigInteger(Long.toUnsignedString(squaresLow)));
        BigInteger total = BigInteger.valueOf(sum);
        BigInteger numerator = n.multiply(squares).subtract(total.multiply(total));
        return Math.sqrt(numerator.doubleValue() / ((double) timed * (timed - 1)));
    }
}
