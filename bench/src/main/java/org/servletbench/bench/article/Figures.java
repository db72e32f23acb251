package org.servletbench.bench.article;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * One value for each metric of each cell: an article's own, or one run of ours.
 *
 * @param values in the order of the article
 */
public record Figures(Map<Point, Map<Quantity, Double>> values) {

    /** The maps cannot be changed afterwards. */
    public Figures {
        Map<Point, Map<Quantity, Double>> copy = new LinkedHashMap<>();
        values.forEach((cell, figures) -> copy.put(cell, Collections.unmodifiableMap(new LinkedHashMap<>(figures))));
        values = Collections.unmodifiableMap(copy);
    }

    /** The value of a metric; empty where there is none. */
    public OptionalDouble at(Point cell, Quantity metric) {
        Double value = values.getOrDefault(cell, Map.of()).get(metric);
        return value == null || value.isNaN() ? OptionalDouble.empty() : OptionalDouble.of(value);
    }
}
