package org.servletbench.bench.measure;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Finds when a server that is under load from its first answer on reaches its own peak. Its throughput counts relative
 * to the slices of a warm companion before and after, so that changes of the machine's speed do not matter. The peak is
 * the mean of the last quarter of the time. It is reached when all later means of {@value #MEAN_SECONDS} s are at least
 * {@value #NEAR} of it.
 */
public final class TimeToPeak {

    /** Minimum time under load, s, so that a mean over {@value #MEAN_SECONDS} s fits into its last quarter. */
    public static final double LEAST_SECONDS = 20;

    /** Share of the peak from which on it counts as reached. */
    public static final double NEAR = 0.95;

    static final double MEAN_SECONDS = 5;
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
     * Returns the moment at which the peak was reached.
     *
     * @param rounds rounds in order of time
     * @param seconds time from the start of the process to the end of the load, s
     * @return empty if the peak was not reached before the last quarter, or the load ended early
     */
    public static Optional<Moment> of(List<Round> rounds, double seconds) {
        double peak = relative(rounds, PEAK_FROM * seconds, Double.POSITIVE_INFINITY);
        if (Double.isNaN(peak) || from(rounds, rounds.size() - 1) < seconds - SHORT_SECONDS) {
            return Optional.empty();
        }
        int first = rounds.size();
        for (int i = rounds.size() - 1; i >= 0; i--) {
            double from = from(rounds, i);
            if (from + MEAN_SECONDS <= seconds) {
                double mean = relative(rounds, from, from + MEAN_SECONDS);
                if (mean < NEAR * peak) {
                    break;
                }
                // A time without a valid slice says nothing.
                first = Double.isNaN(mean) ? first : i;
            }
        }
        return Optional.of(first)
                .filter(i -> i < rounds.size() && from(rounds, i) <= PEAK_FROM * seconds)
                .map(i -> rounds.get(i).at);
    }

    private static double from(List<Round> rounds, int i) {
        return rounds.get(i).at.seconds;
    }

    /**
     * Returns the mean of the slices that begin in a time, each relative to the companion's slices around it; NaN if
     * there is none. A slice is ignored if the companion's speed jumped around it, because the machine changed in the
     * meantime.
     */
    private static double relative(List<Round> rounds, double from, double to) {
        return IntStream.range(0, rounds.size())
                .filter(i -> from(rounds, i) >= from && from(rounds, i) < to)
                .filter(i -> Math.min(before(rounds, i), after(rounds, i)) > 0)
                .filter(i -> Math.max(before(rounds, i), after(rounds, i))
                        <= JUMP * Math.min(before(rounds, i), after(rounds, i)))
                .mapToDouble(i -> rounds.get(i).rate / Math.sqrt(before(rounds, i) * after(rounds, i)))
                .average()
                .orElse(Double.NaN);
    }

    private static double before(List<Round> rounds, int i) {
        return rounds.get(Math.max(0, i - 1)).companion;
    }

    private static double after(List<Round> rounds, int i) {
        return rounds.get(i).companion;
    }
}
