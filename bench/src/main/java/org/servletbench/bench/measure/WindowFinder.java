package org.servletbench.bench.measure;

import java.util.Arrays;
import java.util.function.LongToDoubleFunction;
import java.util.stream.LongStream;
import org.servletbench.bench.model.Load;

/**
 * Finds the slices of a load that were under full load: from the first to the last that reached it. Slices in between stay even if
 * they did not, because leaving out a stall would be choosing the result.
 *
 * <p>Only slices wholly between the load's first start and last end are considered.
 */
final class WindowFinder {
    /** Least share of the tier's users that counts as full load. */
    static final double HELD = 0.99;
    /** Least share of the offered rate that counts as full load. */
    static final double OFFERED = 0.98;

    /** Open model: share of the load from which on an answer time leaves a gap at its start. */
    private static final double GAP = 0.005;
    /** Open model: largest share of the load that is left out at its start, however slow its answers are. */
    private static final double MOST_LEFT_OUT = 0.25;

    /** Closed model: least share of the load for which it matters whether one wave of answers more or less is in it. */
    private static final double WAVE = 0.02;
    /** Closed model: most waves that are left out to come nearer to whole slices. */
    private static final int TRIED = 3;
    /** Closed model: largest deviation of a whole number of slices from whole waves, as a share. */
    private static final double NEAR = 0.01;

    /** Closed model: least share of its users that wait for an answer for a load to continue after its last request was sent. */
    private static final double MOST_WAIT = 0.5;
    /** Visitors: largest distance of a slice below their usual number, in standard deviations of a random number. */
    private static final double CHANCE = 2;
    /** Visitors: a slice with fewer than this share of their usual number is part of a ramp. */
    private static final double RAMP = 0.5;

    /** Closed model: least share of the users' time for which users who wait at the end stay in the window until they are answered. */
    private static final double OWED = 0.01;
    /** Closed model: a wait of this many medians means that the server stalls. */
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
     * @param firstStart of the requests under consideration, ms
     * @param lastStart of these requests, ms
     * @param lastEnd of these requests, ms
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
     * The slices {@code [from, to)}; none if both are equal. The last one may be that in which the last request ends; then the
     * window ends with it.
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
     * @param visitors true if each user sends few requests and leaves, so that their number is the server's doing, and their rate
     *     the load
     * @param medianMs response time of the load, ms; NaN if not known
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
            // One request more or less in a slice is no ramp.
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
     * The load ends with its last request. If at least half of the users wait for an answer then, a server stalls, and the load
     * lasts until fewer wait; a request that hangs while no other user waits is no load.
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
     * In the closed model users who started together are answered together, in waves: 10 s hold three or four answers of 3 s, and
     * not three and a third. The window ends after a whole number of response times, as nearly as whole slices allow; never
     * earlier, because a wave's answers come there. Few waves are left out, and by the median no stall moves it.
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
     * Includes the answers of a server that stalls until the load ends, which come after the last whole slice. They belong to the
     * window: without them the stall would be in throughput, and in no response time.
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
     * In the open model requests count when they end, and those that would end at its start were never sent: answers that take a
     * second would be missing for a second. Twice the median leaves few out even if response times are spread widely, and no stall,
     * at the start or later, moves it.
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

    /** Returns the upper median over the slices of the requests that were sent in them. */
    private double medianStarts() {
        double[] starts =
                LongStream.range(from, to).mapToDouble(this::starts).sorted().toArray();
        return starts.length == 0 ? Double.NaN : starts[starts.length / 2];
    }

    /** Returns the upper median over the slices of the mean users; NaN if they are not known. */
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
