package org.servletbench.bench.measure;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Finds when a server that is under load from its first answer on reaches its own peak, and what it loses until then. Its
 * throughput counts relative to the slices of a warm companion before and after, so that changes of the machine's speed
 * do not matter. The peak is the mean of the second half of the time. It is reached when a {@linkplain RisingFit curve
 * that never falls}, fitted to all slices, is at {@value #NEAR} of it.
 *
 * <p>On a virtual machine single slices vary by 16 %, means of 5 s by 5 % and the mean of a quarter of 120 s by 2 %. A
 * rule for all later means of 5 s finds no peak there, and one relative to the last quarter sometimes finds none.
 */
public final class TimeToPeak {

    /** Minimum time under load, s, so that its second half has enough slices. */
    public static final double LEAST_SECONDS = 20;

    /** Share of the peak from which on it counts as reached. */
    public static final double NEAR = 0.95;

    private static final double PEAK_FROM = 0.5;
    /** Ratio of two consecutive slices of the companion above which the machine's speed has changed. */
    private static final double JUMP = 1.5;
    /** Maximum time without load at the end, s, because the last slice does not fit exactly. */
    private static final double SHORT_SECONDS = 2;

    private TimeToPeak() {}

    /**
     * A slice of load, and the companion's slice after it.
     *
     * @param at start of the slice
     * @param rate throughput of the server, requests/s
     * @param companion throughput of the companion, requests/s
     */
    public record Round(Moment at, double rate, double companion) {}

    /**
     * A moment in the life of a server.
     *
     * @param seconds time since the start of its process, s
     * @param cpuSeconds CPU time that it had used by then, s
     */
    public record Moment(double seconds, double cpuSeconds) {}

    /**
     * A peak that was reached.
     *
     * @param at when it was reached
     * @param lostSeconds work that the server did not do in the first half of the time, in seconds at its peak, above
     *     0; the time until its first answer is lost as a whole
     */
    public record Reached(Moment at, double lostSeconds) {}

    /**
     * A slice that counts.
     *
     * @param rate throughput relative to the companion's
     */
    private record Relative(Moment at, double rate) {}

    /**
     * Returns how the peak was reached.
     *
     * @param rounds rounds in order of time
     * @param seconds time from the start of the process to the end of the load, s
     * @return empty if the peak was not reached in the first half of the time, if the server did not do less work then
     *     than in the second half, or if the load ended early
     */
    public static Optional<Reached> of(List<Round> rounds, double seconds) {
        if (rounds.isEmpty() || rounds.get(rounds.size() - 1).at.seconds < seconds - SHORT_SECONDS) {
            return Optional.empty();
        }
        double half = PEAK_FROM * seconds;
        List<Relative> all = relative(rounds);
        double peak = all.stream()
                .filter(one -> one.at.seconds >= half)
                .mapToDouble(Relative::rate)
                .average()
                .orElse(Double.NaN);
        double[] fit = RisingFit.of(all.stream().mapToDouble(Relative::rate).toArray());
        return IntStream.range(0, fit.length)
                .filter(i -> fit[i] >= NEAR * peak)
                .mapToObj(i -> all.get(i).at)
                .findFirst()
                .filter(at -> at.seconds <= half)
                .map(at -> new Reached(at, lost(rounds.get(0).at.seconds, all, peak, half)))
                .filter(reached -> reached.lostSeconds > 0);
    }

    /**
     * Returns the work that was not done until then. A slice stands for the time until the next one that counts, the
     * first one also for the time since the first answer.
     */
    private static double lost(double answered, List<Relative> all, double peak, double until) {
        double lost = answered;
        double from = answered;
        for (int i = 0; i < all.size() && from < until; i++) {
            double to = i + 1 < all.size() ? Math.min(until, all.get(i + 1).at.seconds) : until;
            lost += (1 - all.get(i).rate / peak) * (to - from);
            from = to;
        }
        return lost;
    }

    /**
     * Returns the slices relative to the companion's around each. One around which the companion's speed jumped counts
     * for nothing: the machine changed meanwhile.
     */
    private static List<Relative> relative(List<Round> rounds) {
        return IntStream.range(0, rounds.size())
                .filter(i -> Math.min(before(rounds, i), after(rounds, i)) > 0)
                .filter(i -> Math.max(before(rounds, i), after(rounds, i))
                        <= JUMP * Math.min(before(rounds, i), after(rounds, i)))
                .mapToObj(i -> new Relative(
                        rounds.get(i).at, rounds.get(i).rate / Math.sqrt(before(rounds, i) * after(rounds, i))))
                .toList();
    }

    private static double before(List<Round> rounds, int i) {
        return rounds.get(Math.max(0, i - 1)).companion;
    }

    private static double after(List<Round> rounds, int i) {
        return rounds.get(i).companion;
    }
}
