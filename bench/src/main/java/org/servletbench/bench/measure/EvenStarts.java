package org.servletbench.bench.measure;

import java.util.Arrays;

/**
 * The requests of an open load that one Gatling starts at a fixed rate, with the time at which each of them was due.
 *
 * <p>The log contains the time at which a request was sent, not the time at which it was due. Gatling 3.15.1 starts the
 * k-th user of {@code constantUsersPerSec} at a known time after the start of the schedule, see {@link Plan}, and never
 * earlier. Each user sends one request, and all requests of a load are the same. So the k-th request that was sent is
 * the k-th that was due. The start of the schedule is the latest possible one for which no request was sent before it
 * was due. This is the actual start if a single request was on time; otherwise it is later by the delay of the most
 * punctual request.
 *
 * <p>Requests are recorded when they end, so they are held back until no earlier one can come. Not thread-safe.
 */
final class EvenStarts {

    /**
     * Minimum rate, requests/s. Below it, the length of the schedule, and so the plan, cannot be derived from the
     * number of requests.
     */
    static final double LEAST_RATE = 1;

    /** Apparent delay of a punctual request, ms, because plan and log are in whole ms. */
    static final long CLOCK_MS = 1;

    /** Maximum number of waiting requests of all loads together; each takes 8 bytes. */
    static final int MOST_WAITING = 1 << 19;
    /** Maximum response time, ms. Gatling gives up a request much earlier. */
    static final long LONGEST_ANSWER_MS = 120_000;

    private static final int FIRST_PLACES = 64;

    /** Receives requests with their due times. */
    interface Sink {

        /** Receives a request. All times are in ms on the log's clock; {@code dueMs} is not after {@code sentMs}. */
        void due(long dueMs, long sentMs, long endMs);
    }

    /**
     * Due times, ms after the start of the schedule. Each second has its share of the requests, and each millisecond
     * its share of those. Both are rounded up to whole requests, counted from the start.
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
         * @param rate rate, requests/s
         *
         * @param seconds length of the schedule, s; 0 if not known
         */
        Plan(double rate, long seconds) {
            this.seconds = seconds;
            this.total = Math.round(rate * seconds);
            this.perSecond = seconds > 0 ? (double) total / seconds : rate;
        }

        /** Returns the due time of the next request. */
        long next() {
            while (number == inSecond) {
                second++;
                before += inSecond;
                // Gatling does the same, because the products may be slightly too large.
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
    /**
     * Waiting requests: time of sending in the upper half, response time in the lower half, so that they sort by time.
     */
    private long[] waiting = new long[FIRST_PLACES];

    private int count;
    private Plan plan;
    private long originMs;

    /** @param rate rate of this generator, requests/s, at least {@link #LEAST_RATE} */
    EvenStarts(double rate) {
        this.rate = rate;
    }

    /**
     * Takes a request that has ended.
     *
     * @param sentMs time at which it was sent, ms on the log's clock, 31 bits
     * @param responseMs response time, ms, below 2^32
     */
    void ended(long sentMs, long responseMs) {
        if (count == waiting.length) {
            waiting = Arrays.copyOf(waiting, 2 * count);
        }
        waiting[count++] = (long) Math.toIntExact(sentMs) << Integer.SIZE | responseMs;
    }

    /**
     * Determines when requests were due. Afterwards, no request may come that was sent before these.
     *
     * @param beforeMs requests that were sent before this time are settled
     * @param share minimum share of the waiting requests to settle, the earliest ones, 0 to 1
     * @return number of requests that are still waiting
     */
    int settle(long beforeMs, double share, Sink sink) {
        Arrays.sort(waiting, 0, count);
        int until = (int) Math.ceil(share * count);
        while (until < count && sentMs(until) < beforeMs) {
            until++;
        }
        if (plan == null && until > 0) {
            // The schedule lasts a whole number of seconds, which follows from the number of requests if all of them
            // are here.
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
