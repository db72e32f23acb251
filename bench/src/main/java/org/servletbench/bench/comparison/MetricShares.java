package org.servletbench.bench.comparison;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.servletbench.bench.model.Bounds;
import org.servletbench.bench.model.Shares;
import org.servletbench.bench.model.UsageException;

/**
 * One share for all metrics, or shares for some of them, as {@link Shares} parses them.
 *
 * @param text {@code 3%}, or {@code cpu=5%,alloc=1%}
 */
public record MetricShares(@JsonValue String text) {

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    static MetricShares of(JsonNode node) {
        return new MetricShares(
                node.isObject()
                        ? node.properties().stream()
                                .map(one -> one.getKey() + "=" + one.getValue().asText())
                                .collect(Collectors.joining(","))
                        : node.asText());
    }

    /** Returns the keys of the metrics that have a share of their own. */
    List<String> metrics() {
        return text.contains("=")
                ? Stream.of(text.split(","))
                        .map(one -> one.replaceFirst("=.*", ""))
                        .toList()
                : List.of();
    }

    /**
     * Returns the shares of all metrics.
     *
     * @param option name of the option, for the message
     * @param usual share of metrics without one of their own
     * @throws UsageException if a share is not above 0 and below 1
     */
    public Shares shares(String option, double usual) {
        try {
            return Shares.parse(text, usual);
        } catch (IllegalArgumentException e) {
            throw Bounds.wrong(option, text, "a share such as 3%, or such as cpu=5%,alloc=1%");
        }
    }

    @Override
    public String toString() {
        return text;
    }
}
