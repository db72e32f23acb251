package org.servletbench.bench.model;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A share for each metric, such as a margin or a precision: one for all, with exceptions for some metrics.
 *
 * @param usual share of metrics without one of their own: 0.03 for 3 %
 * @param own shares of particular metrics
 */
public record Shares(double usual, Map<Metric, Double> own) {

    private static final String USUAL = "usual";

    public Shares {
        own = own.isEmpty() ? Map.of() : new EnumMap<>(own);
    }

    /** Returns the same share for all metrics. */
    public static Shares of(double all) {
        return new Shares(all, Map.of());
    }

    /**
     * Parses {@code 3%} or {@code cpu=5%,alloc=1%}.
     *
     * @param usual share of metrics that the text does not name
     * @throws IllegalArgumentException if the text is malformed
     */
    public static Shares parse(String text, double usual) {
        if (!text.contains("=")) {
            return of(new Share(text.strip()).value());
        }
        Map<Metric, Double> own = new EnumMap<>(Metric.class);
        for (String one : text.split(",")) {
            String[] parts = one.split("=", 2);
            Metric metric = Metric.of(parts[0].strip()).orElseThrow(() -> new IllegalArgumentException(text));
            own.put(metric, new Share(parts.length < 2 ? "" : parts[1].strip()).value());
        }
        return new Shares(usual, own);
    }

    /**
     * Reads the recorded form: a number, or numbers by the metrics' keys. Metrics that this version does not know are
     * ignored.
     */
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    static Shares of(JsonNode json) {
        if (!json.isObject()) {
            return of(json.asDouble(Double.NaN));
        }
        Map<Metric, Double> own = new EnumMap<>(Metric.class);
        json.properties().forEach(one -> Metric.of(one.getKey())
                .ifPresent(metric -> own.put(metric, one.getValue().asDouble(Double.NaN))));
        return new Shares(json.path(USUAL).asDouble(Double.NaN), own);
    }

    @JsonValue
    Object json() {
        if (own.isEmpty()) {
            return usual;
        }
        Map<String, Double> all = new LinkedHashMap<>(Map.of(USUAL, usual));
        own.forEach((metric, share) -> all.put(metric.key(), share));
        return all;
    }

    @Override
    public String toString() {
        return json().toString();
    }

    public double of(Metric metric) {
        return own.getOrDefault(metric, usual);
    }

    /** True if all shares are between these bounds, exclusive. */
    public boolean areWithin(double low, double high) {
        return areWithin(usual, low, high) && own.values().stream().allMatch(one -> areWithin(one, low, high));
    }

    private static boolean areWithin(double share, double low, double high) {
        return share > low && share < high;
    }

    /**
     * Returns the factor that turns a spread of one metric into an equally wide one of another, relative to their
     * shares: ± 1 % with a share of 1 % is as wide as ± 5 % with one of 5 %. On the log scale; 1 if both have the same
     * share.
     */
    public double factor(Metric metric, Metric other) {
        double one = of(metric);
        double two = of(other);
        return one == two ? 1 : Math.log1p(two) / Math.log1p(one);
    }

    /**
     * Converts a half width, as {@code ratio - 1}, into that of another metric that is equally wide relative to its own
     * share.
     */
    public double halfWidth(double halfWidth, Metric metric, Metric other) {
        double factor = factor(metric, other);
        return factor == 1 ? halfWidth : Math.expm1(factor * Math.log1p(halfWidth));
    }

    /**
     * Returns the shares for people: {@code 3 %}, or
     * {@code 5 % in CPU time per request and 1 % in allocation per request} if they differ.
     */
    public String words(Collection<Metric> of) {
        List<Double> different = of.stream().map(this::of).distinct().toList();
        return different.size() == 1
                ? words(different.get(0))
                : of.isEmpty()
                        ? words(usual)
                        : Text.list(of.stream()
                                .distinct()
                                .map(metric -> words(of(metric)) + " in " + metric.words())
                                .collect(Collectors.toList()));
    }

    private static String words(double share) {
        return BigDecimal.valueOf(share)
                        .movePointRight(2)
                        .setScale(2, RoundingMode.HALF_EVEN)
                        .stripTrailingZeros()
                        .toPlainString()
                + " %";
    }
}
