package org.servletbench.bench.measure;

import java.util.Arrays;
import java.util.function.LongToDoubleFunction;
import java.util.stream.LongStream;
import org.servletbench.bench.model.Load;

/**
 * Finds the slices in which a load was at its full strength: from the first to the last such slice. Slices in between
 * count even if they were not, because leaving out a stall would be choosing the result.
 *
 * <p>Only slices that are completely between the load's first start and its last end are considered.
 */
final class WindowFinder {
    /** Minimum share of the planned users that counts as full load. */
    static final double HELD = 0.99;
    /** Minimum share of the offered rate that counts as full load. */
    static final double OFFERED = 0.98;

    /** Open model: response time, as a share of the load, from which on it leaves a gap at the start. */
    private static final double GAP = 0.005;
    /** Open model: maximum share of the load that is left out at its start, however slow its answers are. */
    private static final double MOST_LEFT_OUT = 0.25;

    /**
     * Closed model: response time, as a share of the load, from which on it matters whether the window contains one
     * wave of answers more or less.
     */
    private static final double WAVE = 0.02;
    /** Closed model: maximum number of waves that are left out to come closer to whole slices. */
    private static final int TRIED = 3;
    /** Closed model: maximum deviation of a whole number of slices from whole waves, as a share. */
    private static final double NEAR = 0.01;

    /**
     * Closed model: minimum share of users waiting for an answer for the load to continue after its last request was
     * sent.
     */
    private static final double MOST_WAIT = 0.5;
    /** Visitors: how far a slice may be below their usual number, in standard deviations of a random number. */
    private static final double CHANCE = 2;
    /** Visitors: share of their usual number below which a slice is part of a ramp. */
    private static final double RAMP = 0.5;

    /**
     * Closed model: minimum share of the users' time for which users who wait at the end stay in the window until they
     * are answered.
     */
    private static final double OWED = 0.01;
    /** Closed model: number of median response times from which on a wait means that the server stalls. */
    static final double LONG = 10;

    private final Series<Tally> tallies;
    private final Users underWay;
    private final long widthMs;
    private final long firstStart;
    private final long lastStart;
    private final long from;
    private long to;
    /** The slice in which the last request ends. */
    private final long last;

    /**
     * @param firstStart first start of the requests under consideration, ms
     *
     * @param lastStart last start of these requests, ms
     * @param lastEnd last end of these requests, ms
     */
    WindowFinder(Series<Tally> tallies, Users underWay, long widthMs, long firstStart, long lastStart, long lastEnd) {
        this.tallies = tallies;
        this.underWay = underWay;
        this.widthMs = widthMs;
        this.firstStart = firstStart;
        this.lastStart = lastStart;
        this.from = -Math.floorDiv(-firstStart, widthMs);
        this.to = Math.floorDiv(lastEnd + 1, widthMs);
        this.last = Math.floorDiv(lastEnd, widthMs);
    }

    /**
     * The slices {@code [from, to)}; none if both are equal. If the last one is that in which the last request ends,
     * the window ends with this request.
     */
    record Found(long from, long to, SteadyWindow.Cut cut, double target) {
        static final Found NOTHING = new Found(0, 0, SteadyWindow.Cut.NONE, Double.NaN);

        boolean nothing() {
            return from >= to;
        }
    }

    /**
     * Finds the window.
     *
     * @param visitors true if each user sends few requests and leaves; their number is then the server's doing, and
     *     their rate is the load
     * @param medianMs median response time of the load, ms; NaN if it is not known
     */
    Found find(Load load, Users users, boolean visitors, double medianMs) {
        Found found = Found.NOTHING;
        to = load.rate() > 0 ? to : endOfLoad(load, users, medianMs);
        if (load.users() == 0 && load.rate() == 0 && visitors) {
            double usual = medianStarts();
            double least = Math.max(RAMP * usual, usual - CHANCE * Math.sqrt(usual));
            found = reaching(this::starts, least, SteadyWindow.Cut.RATE, usual * 1000 / widthMs);
            if (!found.nothing()) {
                return afterFirstAnswers(found, medianMs);
            }
        }
        if (load.users() > 0) {
            double userCount = load.users();
            found = reaching(users::low, HELD * userCount, SteadyWindow.Cut.PLANNED_USERS, userCount);
        } else if (load.rate() > 0) {
            double rate = load.rate();
            // One request more or less in a slice is not a ramp.
            double least = Math.min(OFFERED * rate, rate - 1000.0 / widthMs);
            found = afterFirstAnswers(reaching(this::startRate, least, SteadyWindow.Cut.RATE, rate), medianMs);
        }
        if (found.nothing()) {
            double usual = median(users);
            found = reaching(users::mean, HELD * usual, SteadyWindow.Cut.OBSERVED_USERS, usual);
        }
        return load.rate() > 0 ? found : wholeWaves(found, medianMs);
    }

    /**
     * Returns the end of the load, which is normally that of its last request. If at least half of the users are still
     * waiting for an answer then, the server is stalled, and the load lasts until fewer wait. A request that hangs
     * while no other user waits is not load.
     *
     * @return the end of the last whole slice of the load
     */
    private long endOfLoad(Load load, Users users, double medianMs) {
        long end = Math.min(to, Math.floorDiv(lastStart + Math.round(Math.max(0, medianMs)) + 1, widthMs));
        long lastSlice = Math.floorDiv(lastStart, widthMs);
        double all = load.users() > 0 ? load.users() : Math.max(users.mean(lastSlice), underWay.mean(lastSlice));
        while (end < to && underWay.mean(end) >= MOST_WAIT * all) {
            end++;
        }
        return Math.max(from, end);
    }

    /**
     * Ends the window after a whole number of response times, as nearly as whole slices allow. In the closed model,
     * users who started together are answered together, in waves: 10 s contain three or four answers of 3 s, not three
     * and a third. The window never ends too early, because a wave's answers come at its end. Only few waves are left
     * out, and a stall has no influence because the median counts.
     */
    private Found wholeWaves(Found found, double medianMs) {
        long length = found.to - found.from;
        double wave = medianMs / widthMs;
        if (found.nothing() || !(wave > WAVE * length)) {
            return untilAnswered(found, medianMs);
        }
        if (LongStream.range(found.from, found.to).allMatch(bucket -> answered(bucket) == 0)) {
            return untilAnswered(found, 0);
        }
        long best = length;
        double least = Double.POSITIVE_INFINITY;
        long most = 1 + (long) (length / wave);
        for (long waves = most; waves > Math.max(0, most - TRIED) && least > NEAR; waves--) {
            double exact = waves * wave;
            long slices = (long) Math.ceil(exact * (1 - NEAR));
            double off = Math.abs(slices / exact - 1);
            if (slices <= length && off < least) {
                best = slices;
                least = off;
            }
        }
        return new Found(found.from, found.from + best, found.cut, found.target);
    }

    /**
     * Includes the answers of a server that stalls until the load ends, which come after the last whole slice. Without
     * them, the stall would affect throughput, but no response time.
     */
    private Found untilAnswered(Found found, double medianMs) {
        Tally answers = tallies.get(last);
        if (found.nothing() || found.to != last || answers == null) {
            return found;
        }
        double length = (found.to - found.from) * (double) widthMs;
        double waitedBefore = (answers.responseMs() - underWay.mean(last) * widthMs) / found.target;
        return waitedBefore > Math.max(OWED * length, LONG * medianMs)
                ? new Found(found.from, last + 1, found.cut, found.target)
                : found;
    }

    /**
     * Leaves out the time until the first answers. In the open model, requests count when they end, and at the start of
     * the load there are no earlier requests that could end: with answers that take a second, a second would have none.
     * Twice the median leaves few out even if response times vary widely, and is not affected by a stall, at the start
     * or later.
     */
    private Found afterFirstAnswers(Found found, double medianMs) {
        double length = (found.to - found.from) * (double) widthMs;
        if (found.nothing() || !(medianMs > GAP * length)) {
            return found;
        }
        // If a ramp was cut off, the rate began with the first slice.
        double began = found.from == from ? firstStart : found.from * (double) widthMs;
        long answered = (long) Math.ceil((began + 2 * medianMs) / widthMs);
        long most = found.from + (long) (MOST_LEFT_OUT * (found.to - found.from));
        return new Found(Math.max(found.from, Math.min(answered, most)), found.to, found.cut, found.target);
    }

    private Found reaching(LongToDoubleFunction level, double least, SteadyWindow.Cut cut, double target) {
        long first = from;
        while (first < to && !(level.applyAsDouble(first) >= least)) {
            first++;
        }
        long last = to - 1;
        while (last >= first && !(level.applyAsDouble(last) >= least)) {
            last--;
        }
        return first > last ? Found.NOTHING : new Found(first, last + 1, cut, target);
    }

    private long answered(long bucket) {
        Tally tally = tallies.get(bucket);
        return tally == null ? 0 : tally.count();
    }

    private double startRate(long bucket) {
        return starts(bucket) * 1000.0 / widthMs;
    }

    private double starts(long bucket) {
        Tally tally = tallies.get(bucket);
        return tally == null ? 0 : tally.started();
    }

    /** Returns the upper median over the slices of the number of requests sent in them. */
    private double medianStarts() {
        double[] starts =
                LongStream.range(from, to).mapToDouble(this::starts).sorted().toArray();
        return starts.length == 0 ? Double.NaN : starts[starts.length / 2];
    }

    /** Returns the upper median over the slices of the mean number of users; NaN if it is not known. */
    private double median(Users users) {
        double[] means = new double[(int) Math.max(0, to - from)];
        int known = 0;
        for (long bucket = from; bucket < to; bucket++) {
            double mean = users.mean(bucket);
            if (mean > 0) {
                means[known++] = mean;
            }
        }
        Arrays.sort(means, 0, known);
        return known == 0 ? Double.NaN : means[known / 2];
    }
}
