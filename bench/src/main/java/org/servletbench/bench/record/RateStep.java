package org.servletbench.bench.record;

import java.util.Map;
import java.util.OptionalDouble;
import org.servletbench.bench.model.Metric;

/**
 * A rate that was tried in a search for the highest.
 *
 * @param rate asked for, requests/s
 * @param outcome what it tells
 * @param figures by {@link Metric#key}, in its unit: those of the steady window; percentiles and errors of all of a step
 *     that ended early
 * @param why it is no evidence; empty where it is
 */
public record RateStep(double rate, Outcome outcome, Map<String, Double> figures, String why) {

    /** What a step can tell. */
    public enum Outcome {
        /** The objective was met, by a load that was as it should be. */
        MET,
        /** It was missed. */
        MISSED,
        /** The load was not what it should be: no evidence. */
        UNCLEAR
    }

    /** One figure, if it is known. */
    public OptionalDouble figure(Metric metric) {
        Double value = figures.get(metric.key());
        return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
    }
}
