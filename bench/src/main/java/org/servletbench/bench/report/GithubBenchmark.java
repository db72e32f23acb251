package org.servletbench.bench.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.model.Text;

/**
 * Figures in the format of github-action-benchmark with {@code tool: customSmallerIsBetter}, for metrics that are
 * better if they are lower. The action compares them with an earlier run on any machine, so they are suitable for a
 * history, not for a verdict.
 */
public final class GithubBenchmark {

    private GithubBenchmark() {}

    public static String of(Outcomes outcomes) {
        ArrayNode all = Json.MAPPER.createArrayNode();
        outcomes.arms().filter(row -> !row.metric().higherIsBetter()).forEach(row -> all.addObject()
                .put("name", Html.plain(outcomes.name(row) + ", " + row.metric().words()))
                .put("unit", Numbers.unit(row.metric()))
                .put("value", Numbers.scaled(row.metric(), row.value().mean()))
                .put(
                        "range",
                        row.value().hasInterval()
                                ? Text.text(
                                        "%s to %s",
                                        Numbers.shown(row.metric(), row.value().low()),
                                        Numbers.shown(row.metric(), row.value().high()))
                                : "")
                .put(
                        "extra",
                        Words.count(row.value().n(), "server")
                                + row.against()
                                        .map(against -> Text.text(
                                                "\nratio %.3f (%.3f to %.3f)",
                                                against.ratio(), against.low(), against.high()))
                                        .orElse("")));
        return all.toPrettyString() + "\n";
    }

    /** True if a file has this format, so that a new one may replace it. */
    public static boolean isOne(JsonNode json) {
        if (!json.isArray()) {
            return false;
        }
        for (JsonNode one : json) {
            if (!one.path("name").isTextual() || !one.path("value").isNumber()) {
                return false;
            }
        }
        return true;
    }
}
