package org.servletbench.bench.comparison;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A share for all metrics, or one for each of some, as {@link org.servletbench.bench.model.Shares} reads it.
 *
 * @param text {@code 3%}, or {@code cpu=5%,alloc=1%}
 */
record MetricShares(@JsonValue String text) {

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    static MetricShares of(JsonNode node) {
        return new MetricShares(
                node.isObject()
                        ? node.properties().stream()
                                .map(one -> one.getKey() + "=" + one.getValue().asText())
                                .collect(Collectors.joining(","))
                        : node.asText());
    }

    /** Keys of the metrics that have one of their own. */
    List<String> metrics() {
        return text.contains("=")
                ? Stream.of(text.split(","))
                        .map(one -> one.replaceFirst("=.*", ""))
                        .toList()
                : List.of();
    }

    @Override
    public String toString() {
        return text;
    }
}
