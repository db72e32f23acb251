package org.servletbench.bench.record;

import java.util.Collection;
import java.util.OptionalDouble;
import org.servletbench.bench.measure.Trend;

/**
 * The change of the machine's speed within the loads, over all arms and blocks, as the mean of the servers' own trends.
 * It says nothing about a single server, because throughput cannot distinguish a machine's speed from a server's
 * warmth.
 *
 * @param rise rise from the first slices to the last, percent; NaN if no trend is known
 */
public record Drift(double rise) {

    /** Smallest rise or fall worth mentioning, percent. */
    private static final double SMALLEST = 5;

    static Drift of(Collection<LoadFigures> results) {
        double mean = results.stream()
                .filter(result -> result.load().users() > 0)
                .map(result -> Trend.logRise(result.rates()))
                .flatMapToDouble(OptionalDouble::stream)
                .average()
                .orElse(Double.NaN);
        return new Drift(100 * Math.expm1(mean));
    }

    /** True if the rise or fall is worth mentioning. */
    public boolean isSeen() {
        return Math.abs(rise) > SMALLEST;
    }
}
