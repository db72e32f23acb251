package org.servletbench.bench.measure;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Reading;

/**
 * What the server, and beside it the generator, used in a cell's steady window.
 *
 * @param figures of {@link Metric#ofServer}; NaN, or none, where nobody could tell
 * @param firstTouchShare by how much the resident set grew, as a share of what was allocated: memory that is used for the first
 *     time, which the kernel must find and clear; near 0 once the collector gives back what was used before, about 1 until then
 * @param threads mean number of live threads by state and by role, by the monitor's own column names
 */
public record ServerUse(Map<Metric, Double> figures, double firstTouchShare, Map<String, Double> threads) {

    /** A larger {@link Metric#COMPILER}, and a server was not warm: what the compiler takes is CPU time per request. */
    public static final double COMPILING_PERCENT = 3;

    private static final ServerUse UNKNOWN = new ServerUse(Map.of(), Double.NaN, Map.of());

    public ServerUse {
        Map<Metric, Double> all = new EnumMap<>(Metric.class);
        all.putAll(figures);
        figures = Collections.unmodifiableMap(all);
        threads = Map.copyOf(threads);
    }

    /** A figure in the metric's unit; NaN where nobody could tell. */
    public double of(Metric metric) {
        return figures.getOrDefault(metric, Double.NaN);
    }

    private ServerUse with(Map<Metric, Double> other) {
        Map<Metric, Double> all = new EnumMap<>(Metric.class);
        all.putAll(figures);
        all.putAll(other);
        return new ServerUse(all, firstTouchShare, threads);
    }

    /**
     * The same, where only a part of the time was load: what its own load causes belongs to that part.
     *
     * @param share of the time that was load, above 0, up to 1
     */
    private ServerUse inShare(double share) {
        Map<Metric, Double> divided = new EnumMap<>(Metric.class);
        figures.forEach((metric, value) -> metric.reading()
                .filter(reading -> reading.how() == Reading.How.PER_TIME_OF_LOAD)
                .ifPresent(reading -> divided.put(metric, value / share)));
        return with(divided);
    }

    /**
     * The same, where only a part of the time was load.
     *
     * @param share of the time that was load, above 0, up to 1
     * @param generator processors that the generator kept busy, from a better source
     */
    public ServerUse underLoad(double share, double generator) {
        return inShare(share).with(Map.of(Metric.GENERATOR_CORES, generator));
    }

    /**
     * What is known of a server that had the users only in its turns.
     *
     * @param whole over the whole load; empty where nobody watched
     * @param share of the time that was its turns, above 0, up to 1. Collections are caused by its own load; its compiler works in
     *     the turns of others, too, and its share is one of the server's CPU time over the whole load
     * @param cpuMicros CPU time of the server's processes per request, µs, read at the edges of turns
     * @param cores processors that the server kept busy in its turns
     * @param generator processors that the generator kept busy in them
     */
    public static ServerUse inTurns(
            Optional<ServerUse> whole, double share, double cpuMicros, double cores, double generator) {
        return whole.orElse(UNKNOWN)
                .inShare(share)
                .with(Map.of(Metric.CPU, cpuMicros, Metric.SERVER_CORES, cores, Metric.GENERATOR_CORES, generator));
    }
}
