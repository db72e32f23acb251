package org.servletbench.bench.load;

import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Response times as a command-line generator tells them, in ms. What it does not tell is NaN, or not among the
 * percentiles.
 *
 * @param percentiles by rank in percent, for example 99.9
 */
public record ToolLatency(double mean, double max, SortedMap<Double, Double> percentiles) {

    public static final ToolLatency UNKNOWN = new ToolLatency(Double.NaN, Double.NaN, new TreeMap<>());

    /** One percentile in ms; NaN where the tool does not tell it. */
    public double percentile(double rank) {
        return percentiles.getOrDefault(rank, Double.NaN);
    }
}
