package org.servletbench.bench.measure;

import java.util.Arrays;

/**
 * The requests of an open load that one Gatling starts at a fixed rate, and the time at which each was due.
 *
 * <p>The log has the time at which a request was sent, not at which it was due. Gatling 3.15.1 starts the k-th user of {@code
 * constantUsersPerSec} at a known time after the start of the schedule, see {@link Plan}, and never earlier. Each user sends one
 * request, and all requests of a load are the same. So the k-th request that was sent is the k-th that was due, and the schedule
 * starts as late as it can without a request that was sent before it was due: that is its actual start if a single request was on
 * time, and otherwise later by the delay of the most punctual one.
 *
 * <p>Requests are recorded as they end, so they are held back until no earlier one can come. Not thread-safe.
 */
final class EvenStarts {

    /** Lowest rate, requests/s: below it the length of the schedule, and so the plan, cannot be derived from the number of requests. */
    static final double LEAST_RATE = 1;

    /** Apparent delay of a punctual request, ms: plan and log are in whole ms. */
    static final long CLOCK_MS = 1;

    /** Most waiting requests of all loads together; 8 bytes each. */
    static final int MOST_WAITING = 1 << 19;
    /** Longest answer, ms: Gatling gives a request up long before. */
    static final long LONGEST_ANSWER_MS = 120_000;

    private static final int FIRST_PLACES = 64;

    /** Takes a request with its due time. */
    interface Sink {

        /** Times in ms on the log's clock; {@code dueMs} is not after {@code sentMs}. */
        void due(long dueMs, long sentMs, long endMs);
    }

    /**
     * Due times, ms after the start of the schedule. A second has its share of the requests, a millisecond its share of those, both
     * rounded up to whole requests from the start on.
     */
    private static final class Plan {
        private static final int MS = 1000;

        private final long seconds;
        private final long total;
        private final double perSecond;
        private long second = -1;
        private long before;
        private long inSecond;
        private long number;
        private int ms;

        /**
         * @param rate requests/s
         * @param seconds length of the schedule; 0 if not known
         */
        Plan(double rate, long seconds) {
            this.seconds = seconds;
            this.total = Math.round(rate * seconds);
            this.perSecond = seconds > 0 ? (double) total / seconds : rate;
        }

        /** Returns the time of the next request. */
        long next() {
            while (number == inSecond) {
                second++;
                before += inSecond;
                // As in Gatling, because the products may be a little too large.
                long upTo = second + 1 == seconds ? total : (long) Math.ceil(perSecond * (second + 1));
                inSecond = upTo - before;
                number = 0;
                ms = 0;
            }
            while (ms < MS - 1 && Math.ceil((double) inSecond / MS * (ms + 1)) <= number) {
                ms++;
            }
            number++;
            return MS * second + ms;
        }
    }

    private final double rate;
    /** Time of sending in the upper half, response time in the lower, so that they sort by time. */
    private long[] waiting = new long[FIRST_PLACES];

    private int count;
    private Plan plan;
    private long originMs;

    /** @param rate requests/s of this generator, at least {@link #LEAST_RATE} */
    EvenStarts(double rate) {
        this.rate = rate;
    }

    /**
     * Takes a request that has ended.
     *
     * @param sentMs on the log's clock, of 31 bits
     * @param responseMs below 2^32
     */
    void ended(long sentMs, long responseMs) {
        if (count == waiting.length) {
            waiting = Arrays.copyOf(waiting, 2 * count);
        }
        waiting[count++] = (long) Math.toIntExact(sentMs) << Integer.SIZE | responseMs;
    }

    /**
     * Determines when requests were due. No other request that was sent before these must come later.
     *
     * @param beforeMs those that were sent before this time
     * @param share least share of the waiting ones to settle, 0 to 1, the earliest
     * @return number of those that still wait
     */
    int settle(long beforeMs, double share, Sink sink) {
        Arrays.sort(waiting, 0, count);
        int until = (int) Math.ceil(share * count);
        while (until < count && sentMs(until) < beforeMs) {
            until++;
        }
        if (plan == null && until > 0) {
            // A whole number of seconds, which the number of requests reveals if all are here.
            long seconds = until < count ? 0 : Math.max(1, Math.round(count / rate));
            originMs = origin(new Plan(rate, seconds), until);
            plan = new Plan(rate, seconds);
        }
        for (int i = 0; i < until; i++) {
            long sent = sentMs(i);
            long due = Math.min(sent, originMs + plan.next() + CLOCK_MS);
            sink.due(due, sent, sent + (waiting[i] & 0xffff_ffffL));
        }
        waiting = Arrays.copyOfRange(waiting, until, Math.max(count, until + FIRST_PLACES));
        count -= until;
        return count;
    }

    private long sentMs(int index) {
        return waiting[index] >> Integer.SIZE;
    }

    private long origin(Plan from, int until) {
        long origin = Long.MAX_VALUE;
        for (int i = 0; i < until; i++) {
            origin = Math.min(origin, sentMs(i) - from.next());
        }
        return origin;
    }
}
