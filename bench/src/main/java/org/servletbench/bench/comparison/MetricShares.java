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
 * A share for all metrics, or one for each of some, as {@link Shares} reads it.
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

    /** Keys of the metrics that have one of their own. */
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
     * @param option its name in the message
     * @param usual share of metrics that have none of their own
     * @throws UsageException if one is not above 0 and below 1
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
