package org.servletbench.bench.load;

import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Response times that a command-line generator reports, in ms. Values that it does not report are NaN; percentiles that
 * it does not report are missing.
 *
 * @param percentiles percentiles by rank in percent, for example 99.9
 */
public record ToolLatency(double mean, double max, SortedMap<Double, Double> percentiles) {

    public static final ToolLatency UNKNOWN = new ToolLatency(Double.NaN, Double.NaN, new TreeMap<>());

    /** Returns one percentile in ms; NaN if the tool does not report it. */
    public double percentile(double rank) {
        return percentiles.getOrDefault(rank, Double.NaN);
    }
}
