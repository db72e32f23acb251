package org.servletbench.bench.measure;

import static org.servletbench.bench.model.Text.text;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Reading;

/**
 * Resource use of the server and the generator in a load's steady window.
 *
 * @param figures figures of {@link Metric#ofServer}; NaN or absent if not known
 * @param firstTouchShare growth of the resident set, as a share of the allocated bytes. This is memory used for the
 *     first time, which the kernel must find and clear. It is near 0 once the collector reuses memory, and about 1
 *     until then
 * @param threads mean number of live threads by state and by role, by the monitor's own column names
 */
public record ServerUse(Map<Metric, Double> figures, double firstTouchShare, Map<String, Double> threads) {

    /**
     * Limit of {@link Metric#COMPILER} above which a server was not warm, because the compiler's time is part of the
     * CPU time per request.
     */
    public static final double COMPILING_PERCENT = 3;

    /**
     * Maximum share of the processors' time taken by other programs, or of one processor's time taken by the host, for
     * a single run that does not count as disturbed, percent.
     */
    public static final double DISTURBED_PERCENT = 5;

    static final ServerUse UNKNOWN = new ServerUse(Map.of(), Double.NaN, Map.of());

    public ServerUse {
        Map<Metric, Double> all = new EnumMap<>(Metric.class);
        all.putAll(figures);
        figures = Collections.unmodifiableMap(all);
        threads = Map.copyOf(threads);
    }

    /** Returns a figure in the metric's unit; NaN if it is not known. */
    public double of(Metric metric) {
        return figures.getOrDefault(metric, Double.NaN);
    }

    /**
     * Describes, for people, the shares of the processors that other programs or the host took.
     *
     * @param others {@link Metric#OTHERS}, percent of the processors' time; NaN if not known
     * @param steal {@link Metric#STEAL}, percent of one processor; NaN if not known
     * @param limit limit, percent
     * @return descriptions of the figures above the limit
     */
    public static List<String> disturbances(double others, double steal, double limit) {
        List<String> found = new ArrayList<>();
        if (others > limit) {
            found.add(text(
                    "other programs took %.1f %% of the time of the server's processors, or of the generator's (limit %.0f %%)",
                    others, limit));
        }
        if (steal > limit) {
            found.add(text(
                    "a host took %.1f %% of a processor from the servers' machine, or from one that sends the load (limit %.0f %%)",
                    steal, limit));
        }
        return found;
    }

    private ServerUse with(Map<Metric, Double> other) {
        Map<Metric, Double> all = new EnumMap<>(Metric.class);
        all.putAll(figures);
        all.putAll(other);
        return new ServerUse(all, firstTouchShare, threads);
    }

    /**
     * Returns these figures for a time of which only a part was load. Collections are caused by the server's own load,
     * and are divided by its share. The compiler also works during other loads, and its time is relative to the
     * server's CPU time over the whole time.
     *
     * @param share share of the time that was load, above 0, up to 1
     * @param own figures from better sources
     */
    ServerUse underLoad(double share, Map<Metric, Double> own) {
        Map<Metric, Double> divided = new EnumMap<>(Metric.class);
        figures.forEach((metric, value) -> metric.reading()
                .filter(reading -> reading.how() == Reading.How.PER_TIME_OF_LOAD)
                .ifPresent(reading -> divided.put(metric, value / share)));
        ServerUse known = with(divided).with(own);
        double scale = known.of(Metric.CPU) / of(Metric.CPU);
        Map<Metric, Double> parts = new EnumMap<>(Metric.class);
        figures.forEach((metric, value) -> metric.reading()
                .filter(reading -> reading.how() == Reading.How.PART_OF_CPU && Double.isFinite(scale))
                .ifPresent(reading -> parts.put(metric, value * scale)));
        return known.with(parts);
    }
}
