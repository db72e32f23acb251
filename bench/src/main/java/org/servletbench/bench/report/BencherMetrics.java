package org.servletbench.bench.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.report.Outcomes.Row;

/**
 * Figures in the Bencher Metric Format: benchmark, measure, {@code value} with {@code lower_value} and
 * {@code upper_value}. A benchmark is a load and an arm. A measure is a metric's key, in the metric's unit;
 * {@code KEY-ratio} is the ratio to the baseline.
 *
 * <p>See <a href="https://bencher.dev/docs/reference/bencher-metric-format/">bencher.dev</a> for the format.
 */
public final class BencherMetrics {

    /** Maximum length of a benchmark's name in Bencher, characters. */
    private static final int LONGEST_NAME = 1024;

    private BencherMetrics() {}

    public static String of(Outcomes outcomes) {
        ObjectNode all = Json.MAPPER.createObjectNode();
        outcomes.arms().forEach(row -> {
            ObjectNode benchmark = all.withObjectProperty(name(outcomes, row));
            put(
                    benchmark,
                    row.metric().key(),
                    row.value().mean(),
                    row.value().low(),
                    row.value().high());
            row.against()
                    .ifPresent(against -> put(
                            benchmark, row.metric().key() + "-ratio", against.ratio(), against.low(), against.high()));
        });
        return all.toPrettyString() + "\n";
    }

    private static String name(Outcomes outcomes, Row row) {
        String name = Html.plain(outcomes.name(row));
        return name.substring(0, Math.min(LONGEST_NAME, name.length()));
    }

    /** Leaves out missing ends, because JSON has neither NaN nor infinity. */
    private static void put(ObjectNode benchmark, String measure, double value, double low, double high) {
        ObjectNode metric = benchmark.putObject(measure).put("value", value);
        if (Double.isFinite(low)) {
            metric.put("lower_value", low);
        }
        if (Double.isFinite(high)) {
            metric.put("upper_value", high);
        }
    }

    /** True if a file has this format, so that a new one may replace it. */
    public static boolean isOne(JsonNode json) {
        if (!json.isObject()) {
            return false;
        }
        for (JsonNode benchmark : json) {
            if (benchmark.isEmpty()) {
                return false;
            }
            for (JsonNode metric : benchmark) {
                if (!metric.path("value").isNumber()) {
                    return false;
                }
            }
        }
        return true;
    }
}
