package org.servletbench.bench.load;

import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Response times as reported by a command-line generator, in ms. A value that it does not report is NaN, or missing among the
 * percentiles.
 *
 * @param percentiles by rank in percent, for example 99.9
 */
public record ToolLatency(double mean, double max, SortedMap<Double, Double> percentiles) {

    public static final ToolLatency UNKNOWN = new ToolLatency(Double.NaN, Double.NaN, new TreeMap<>());

    /** Returns one percentile in ms; NaN if the tool does not report it. */
    public double percentile(double rank) {
        return percentiles.getOrDefault(rank, Double.NaN);
    }
}
