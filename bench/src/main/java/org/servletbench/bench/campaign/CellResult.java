package org.servletbench.bench.campaign;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * What one invocation gave for one cell, over the steady windows of all its rounds.
 *
 * @param cell workload, load and generator
 * @param rounds windows that were merged
 * @param requests requests that ended in them, failed ones among them
 * @param errors failed requests
 * @param seconds length of the windows, s
 * @param figures by {@link Metric#key}, in its unit; what is not known is not there
 * @param rates throughput of each round, requests/s, in order
 * @param histogram response times in ms: an HdrHistogram, compressed, in base 64; empty where the tool gives none
 * @param marks what a reader must know
 * @param links native reports and raw logs: paths from the invocation's folder
 */
public record CellResult(
        Cell cell,
        int rounds,
        long requests,
        long errors,
        double seconds,
        Map<String, Double> figures,
        List<Double> rates,
        String histogram,
        List<Mark> marks,
        List<String> links) {

    /** One figure, if it is known. */
    public OptionalDouble figure(Metric metric) {
        Double value = figures.get(metric.key());
        return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
    }

    /** Whether it may take part in a verdict. */
    @JsonIgnore
    public boolean isUsable() {
        return marks.stream().noneMatch(Mark::excludes);
    }
}
