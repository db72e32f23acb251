package org.servletbench.bench.record;

import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.servletbench.bench.model.Metric;

/**
 * A rate that was tried in a search for the highest rate.
 *
 * @param rate requested rate, requests/s
 * @param figures figures of the steady window by {@link Metric#key}, in its unit; percentiles and errors of the whole
 *     step if it ended early
 * @param why why it is not evidence; empty if it is
 */
public record RateStep(double rate, Outcome outcome, Map<String, Double> figures, String why) {

    /** Maximum distance between rates that form one point of a curve, as a logarithm. */
    private static final double ALIKE = Math.log(1.03);

    public enum Outcome {
        /** The load was as intended and met the objective. */
        MET,
        /** The objective was missed. */
        MISSED,
        /** The load was not as intended, so it is not evidence. */
        UNCLEAR
    }

    public String words() {
        return switch (outcome) {
            case MET -> "met";
            case MISSED -> "missed";
            case UNCLEAR -> "no evidence: " + why;
        };
    }

    /**
     * Returns response times by rate. Each is the median over the steps at about the same rate that are evidence; the
     * lowest rate comes first.
     *
     * @param most largest time, ms; longer times count as this
     * @return for each point, ln of the rate, and the time, ms
     */
    public static List<double[]> curve(List<RateStep> steps, Metric time, double most) {
        return steps.stream()
                .filter(step ->
                        step.outcome != Outcome.UNCLEAR && step.figure(time).orElse(0) > 0)
                .collect(Collectors.groupingBy(
                        step -> Math.round(Math.log(step.rate) / ALIKE), TreeMap::new, Collectors.toList()))
                .values()
                .stream()
                .map(alike -> new double[] {
                    median(alike, step -> Math.log(step.rate)),
                    Math.min(most, median(alike, step -> step.figure(time).orElseThrow()))
                })
                .toList();
    }

    private static double median(List<RateStep> steps, ToDoubleFunction<RateStep> value) {
        double[] sorted = steps.stream().mapToDouble(value).sorted().toArray();
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }

    public OptionalDouble figure(Metric metric) {
        return metric.of(figures);
    }
}
