package org.servletbench.bench.measure;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.servletbench.bench.model.Load;
import org.servletbench.bench.model.Pause;

/**
 * Servers that are loaded in time slices. All users are at one server at a time and move on by the clock, in a new
 * random order in each round. If the speed of a shared machine changes, every server gets the same share of each speed.
 *
 * @param names names of requests, one for each server
 * @param originMs start of the first time slice, ms since the epoch
 * @param timeSliceMs mean length of a time slice, ms, above 0
 * @param rounds number of time slices of each server, at least 1
 * @param seed seed of the order
 * @param ends ends of the time slices, ms after the start of the first one; empty in files if all time slices have the
 *     same length
 */
public record Interleaving(List<String> names, long originMs, long timeSliceMs, int rounds, long seed, List<Long> ends)
        implements Serializable {

    /** Length of the first part of a time slice, which is not counted because users arrive one by one, ms. */
    public static final long SKIP_MS = 20;

    /**
     * Minimum length of a time slice, as a multiple of the time in which pending requests are answered (users /
     * throughput).
     */
    public static final int DRAINS = 10;

    /** Approximate share of a time slice that is counted. */
    public static final double COUNTED = 1 - 1.0 / DRAINS;

    /**
     * Maximum deviation of a time slice's length from the mean, as a share. Without it, periodic work of a server, such
     * as collections, would recur in the same part of its time slices.
     */
    private static final double JITTER = 0.25;

    /**
     * @throws IllegalArgumentException if there is no server, time slice or round, or if the ends do not match the
     * number of time slices
     */
    public Interleaving {
        names = List.copyOf(names);
        if (names.isEmpty() || timeSliceMs <= 0 || rounds < 1) {
            throw new IllegalArgumentException("an interleaving needs servers, and time slices of a length: "
                    + names.size() + " servers, " + rounds + " rounds of " + timeSliceMs + " ms");
        }
        int timeSlices = rounds * names.size();
        ends = ends == null || ends.isEmpty()
                ? LongStream.rangeClosed(1, timeSlices)
                        .map(timeSlice -> timeSlice * timeSliceMs)
                        .boxed()
                        .toList()
                : List.copyOf(ends);
        if (ends.size() != timeSlices) {
            throw new IllegalArgumentException(timeSlices + " time slices have " + ends.size() + " ends");
        }
    }

    /** Creates time slices of the same length. */
    public Interleaving(List<String> names, long originMs, long timeSliceMs, int rounds, long seed) {
        this(names, originMs, timeSliceMs, rounds, seed, List.of());
    }

    /**
     * Creates time slices of random length. Those of a round have the same length, and the lengths of all rounds are
     * spread evenly around their mean.
     */
    public static Interleaving jittered(List<String> names, long originMs, long timeSliceMs, int rounds, long seed) {
        List<Long> lengths = new ArrayList<>(IntStream.range(0, rounds)
                .mapToObj(
                        round -> Math.max(1, Math.round(timeSliceMs * (1 + JITTER * ((2.0 * round + 1) / rounds - 1)))))
                .toList());
        // This seed must differ from that of the order.
        Collections.shuffle(lengths, new Random(~seed));
        List<Long> ends = new ArrayList<>();
        long end = 0;
        for (long length : lengths) {
            for (int timeSlice = 0; timeSlice < names.size(); timeSlice++) {
                end += length;
                ends.add(end);
            }
        }
        return new Interleaving(names, originMs, timeSliceMs, rounds, seed, ends);
    }

    /** Returns the pause of the users, which is at the end of the names of loads. */
    public Pause pause() {
        return Load.parse(names.get(0)).pause();
    }

    public Interleaving startingAt(long ms) {
        return new Interleaving(names, ms, timeSliceMs, rounds, seed, ends);
    }

    public int timeSlices() {
        return rounds * names.size();
    }

    /** Returns the index of the server in {@link #names} for each time slice. Every round has each server once. */
    public int[] order() {
        Random random = new Random(seed);
        int[] order = new int[timeSlices()];
        List<Integer> round =
                new ArrayList<>(IntStream.range(0, names.size()).boxed().toList());
        for (int timeSlice = 0; timeSlice < order.length; timeSlice++) {
            int place = timeSlice % names.size();
            if (place == 0) {
                Collections.shuffle(round, random);
            }
            order[timeSlice] = round.get(place);
        }
        return order;
    }

    /** Returns the time slice at this time; negative before the first one, {@link #timeSlices} after the last one. */
    public long timeSliceAt(long ms) {
        if (ms < originMs) {
            return -1;
        }
        int found = Collections.binarySearch(ends, ms - originMs);
        return found < 0 ? -found - 1 : found + 1;
    }

    /** Returns the start of a time slice, ms since the epoch. */
    public long fromMs(int timeSlice) {
        return timeSlice == 0 ? originMs : toMs(timeSlice - 1);
    }

    /**
     * Returns when all users have arrived, ms since the epoch. They come as the previous server answers them. From then
     * on, a server starts as many requests as it answers; before, it also spends time on requests that it has not
     * answered yet.
     */
    public long arrivedMs(int timeSlice) {
        return fromMs(timeSlice) + Math.max(SKIP_MS, timeSliceMs / DRAINS);
    }

    public long toMs(int timeSlice) {
        return originMs + ends.get(timeSlice);
    }

    public long endMs() {
        return toMs(timeSlices() - 1);
    }
}
