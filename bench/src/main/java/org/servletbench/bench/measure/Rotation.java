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
 * Servers that are loaded in turns: all users are at one server at a time and move on by the clock, in a new random order each
 * round, so that every server gets the same share of each of a shared machine's speeds.
 *
 * @param names request names, one for each server
 * @param originMs start of the first turn, ms since the epoch
 * @param turnMs mean length of a turn, ms, above 0
 * @param rounds number of turns of each server, at least 1
 * @param seed of the order
 * @param ends of the turns, ms after the start of the first; empty in files of equally long turns
 */
public record Rotation(List<String> names, long originMs, long turnMs, int rounds, long seed, List<Long> ends)
        implements Serializable {

    /** Length of the first part of a turn, which is not counted, ms: users arrive one by one. */
    public static final long SKIP_MS = 20;

    /** Least length of a turn, as a multiple of the time in which pending requests are answered: users / throughput. */
    public static final int DRAINS = 10;

    /** Approximate share of a turn that is counted. */
    public static final double COUNTED = 1 - 1.0 / DRAINS;

    /**
     * Largest deviation of a turn's length from the mean, as a share: without it, periodic work of a server, such as collections,
     * would fall on the same part of its turns again and again.
     */
    private static final double JITTER = 0.25;

    /** @throws IllegalArgumentException if there is no server, turn or round, or the ends are not those of so many turns */
    public Rotation {
        names = List.copyOf(names);
        if (names.isEmpty() || turnMs <= 0 || rounds < 1) {
            throw new IllegalArgumentException("a rotation needs servers, and turns of a length: " + names.size()
                    + " servers, " + rounds + " rounds of " + turnMs + " ms");
        }
        int turns = rounds * names.size();
        ends = ends == null || ends.isEmpty()
                ? LongStream.rangeClosed(1, turns)
                        .map(turn -> turn * turnMs)
                        .boxed()
                        .toList()
                : List.copyOf(ends);
        if (ends.size() != turns) {
            throw new IllegalArgumentException(turns + " turns have " + ends.size() + " ends");
        }
    }

    /** Creates equally long turns. */
    public Rotation(List<String> names, long originMs, long turnMs, int rounds, long seed) {
        this(names, originMs, turnMs, rounds, seed, List.of());
    }

    /**
     * Creates turns of random length. Those of a round are equally long, and the lengths of all rounds are spread evenly around
     * their mean.
     */
    public static Rotation jittered(List<String> names, long originMs, long turnMs, int rounds, long seed) {
        List<Long> lengths = new ArrayList<>(IntStream.range(0, rounds)
                .mapToObj(round -> Math.max(1, Math.round(turnMs * (1 + JITTER * ((2.0 * round + 1) / rounds - 1)))))
                .toList());
        // Another seed than for the order.
        Collections.shuffle(lengths, new Random(~seed));
        List<Long> ends = new ArrayList<>();
        long end = 0;
        for (long length : lengths) {
            for (int turn = 0; turn < names.size(); turn++) {
                end += length;
                ends.add(end);
            }
        }
        return new Rotation(names, originMs, turnMs, rounds, seed, ends);
    }

    /** Returns the pause of the users, which the names of loads end with. */
    public Pause pause() {
        return Load.parse(names.get(0)).pause();
    }

    public Rotation startingAt(long ms) {
        return new Rotation(names, ms, turnMs, rounds, seed, ends);
    }

    public int turns() {
        return rounds * names.size();
    }

    /** Returns for each turn the index of its server in {@link #names}; every round has each once. */
    public int[] order() {
        Random random = new Random(seed);
        int[] order = new int[turns()];
        List<Integer> round =
                new ArrayList<>(IntStream.range(0, names.size()).boxed().toList());
        for (int turn = 0; turn < order.length; turn++) {
            int place = turn % names.size();
            if (place == 0) {
                Collections.shuffle(round, random);
            }
            order[turn] = round.get(place);
        }
        return order;
    }

    /** Returns the turn at a time; negative before the first, {@link #turns} after the last. */
    public long turnAt(long ms) {
        if (ms < originMs) {
            return -1;
        }
        int found = Collections.binarySearch(ends, ms - originMs);
        return found < 0 ? -found - 1 : found + 1;
    }

    /** Returns the start of a turn, ms since the epoch. */
    public long fromMs(int turn) {
        return turn == 0 ? originMs : toMs(turn - 1);
    }

    /**
     * Returns when all users have arrived, who came as the previous server answered them, ms since the epoch. From then on a server
     * begins as many requests as it answers: before that it has spent time on requests whose answers are not there yet.
     */
    public long arrivedMs(int turn) {
        return fromMs(turn) + Math.max(SKIP_MS, turnMs / DRAINS);
    }

    public long toMs(int turn) {
        return originMs + ends.get(turn);
    }

    public long endMs() {
        return toMs(turns() - 1);
    }
}
