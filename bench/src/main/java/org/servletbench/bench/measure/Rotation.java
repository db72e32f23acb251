package org.servletbench.bench.measure;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Servers that are loaded in turns: all users are at one server at a time and move on by the clock, in a new random order each
 * round, so that every server gets the same share of each of a shared machine's speeds.
 *
 * @param names request names, one for each server
 * @param originMs start of the first turn, ms since the epoch
 * @param turnMs length of a turn, ms, above 0
 * @param rounds how often each server has its turn, at least 1
 * @param seed of the order
 */
public record Rotation(List<String> names, long originMs, long turnMs, int rounds, long seed) implements Serializable {

    /** Users arrive one by one: the first part of a turn is not counted, ms. */
    public static final long SKIP_MS = 20;

    /** A turn lasts at least so many times as long as it takes to answer what is under way: users / throughput. */
    public static final int DRAINS = 10;

    /** The share of a turn that is counted, about. */
    public static final double COUNTED = 1 - 1.0 / DRAINS;

    /** @throws IllegalArgumentException if there is no server, turn or round */
    public Rotation {
        names = List.copyOf(names);
        if (names.isEmpty() || turnMs <= 0 || rounds < 1) {
            throw new IllegalArgumentException("a rotation needs servers, and turns of a length: " + names.size()
                    + " servers, " + rounds + " rounds of " + turnMs + " ms");
        }
    }

    public Rotation startingAt(long ms) {
        return new Rotation(names, ms, turnMs, rounds, seed);
    }

    public int turns() {
        return rounds * names.size();
    }

    /** For each turn the index of its server in {@link #names}; every round has each once. */
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

    /** The turn at a time; negative before the first, {@link #turns} and more after the last. */
    public long turnAt(long ms) {
        return Math.floorDiv(ms - originMs, turnMs);
    }

    /** Start of a turn, ms since the epoch. */
    public long fromMs(int turn) {
        return originMs + turn * turnMs;
    }

    /**
     * When all users have arrived, who came as the server before answered them, ms since the epoch. From then on a server begins as many
     * requests as it answers: before that it has spent time on requests whose answers are not there yet.
     */
    public long arrivedMs(int turn) {
        return fromMs(turn) + Math.max(SKIP_MS, turnMs / DRAINS);
    }

    public long toMs(int turn) {
        return fromMs(turn + 1);
    }

    public long endMs() {
        return toMs(turns() - 1);
    }
}
