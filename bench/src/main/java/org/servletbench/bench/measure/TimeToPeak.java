package org.servletbench.bench.measure;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Finds when a server that is under load from its first answer on has reached its own peak. Its throughput counts relative to a warm
 * companion's slices before and after, so that a machine that changes speed does not decide. The peak is the mean of the last quarter
 * of the time. It is reached when a {@linkplain RisingFit curve that never falls}, fitted to all slices, is at {@value #NEAR} of it.
 *
 * <p>Single slices vary by 16 % on a virtual machine, and means of 5 s by 5 %: to want every later mean above {@value #NEAR} would
 * find no peak at all.
 */
public final class TimeToPeak {

    /** Shortest time under load, s: its last quarter has slices enough. */
    public static final double LEAST_SECONDS = 20;

    /** Share of the peak from which on it counts as reached. */
    public static final double NEAR = 0.95;

    private static final double PEAK_FROM = 0.75;
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
     * A slice that counts.
     *
     * @param rate throughput relative to the companion's
     */
    private record Relative(Moment at, double rate) {}

    /**
     * Returns the moment at which the peak was reached.
     *
     * @param rounds rounds in order of time
     * @param seconds time from the start of the process to the end of the load, s
     * @return empty if the peak was not reached before the last quarter, or the load ended early
     */
    public static Optional<Moment> of(List<Round> rounds, double seconds) {
        if (rounds.isEmpty() || rounds.get(rounds.size() - 1).at.seconds < seconds - SHORT_SECONDS) {
            return Optional.empty();
        }
        double last = PEAK_FROM * seconds;
        List<Relative> all = relative(rounds);
        double peak = all.stream()
                .filter(one -> one.at.seconds >= last)
                .mapToDouble(Relative::rate)
                .average()
                .orElse(Double.NaN);
        double[] fit = RisingFit.of(all.stream().mapToDouble(Relative::rate).toArray());
        return IntStream.range(0, fit.length)
                .filter(i -> fit[i] >= NEAR * peak)
                .mapToObj(i -> all.get(i).at)
                .findFirst()
                .filter(at -> at.seconds <= last);
    }

    /**
     * Returns the slices relative to the companion's around each. One around which the companion's speed jumped counts for nothing: the
     * machine changed meanwhile.
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
