package org.servletbench.bench.article;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.util.StdConverter;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/**
 * One value for each metric of each cell: an article's own, or one run of ours.
 *
 * @param values in the order of the article
 */
@JsonDeserialize(converter = Figures.OfRows.class)
public record Figures(Map<Point, Map<Quantity, Double>> values) {

    public static final Figures NONE = new Figures(Map.of());

    /** The maps cannot be changed afterwards. */
    public Figures {
        Map<Point, Map<Quantity, Double>> copy = new LinkedHashMap<>();
        values.forEach((cell, figures) -> copy.put(cell, Collections.unmodifiableMap(new LinkedHashMap<>(figures))));
        values = Collections.unmodifiableMap(copy);
    }

    /** A row of an article's file; without workload and users: at start-up. */
    private record Row(
            String arm,
            @Maybe String workload,
            @Maybe Integer users,
            @Maybe @JsonAnySetter Map<String, Double> values) {

        Row {
            if (workload.isEmpty() != (users == null)) {
                throw new Invalid(users == null ? "users" : "workload", "is missing: figures under load have both");
            }
            Invalid.range("users", users, 1, Invalid.MOST_USERS);
            if (values == null || values.isEmpty()) {
                throw new Invalid("arm", "is in a row without a figure");
            }
        }

        Point cell() {
            return new Point(arm, workload, users == null ? 0 : users);
        }

        Map<Quantity, Double> figures(String place) {
            List<Quantity> metrics = Arrays.stream(Quantity.values())
                    .filter(metric -> metric.isStartUp() == (users == null))
                    .toList();
            Map<Quantity, Double> figures = new LinkedHashMap<>();
            values.forEach((key, value) -> {
                Quantity metric = metrics.stream()
                        .filter(one -> one.key().equals(key))
                        .findFirst()
                        .orElseThrow(() -> new Invalid(
                                place + key,
                                "is no figure here: choose from "
                                        + metrics.stream().map(Quantity::key).collect(Collectors.joining(", "))));
                Invalid.range(place + key, value, 0, metric.most());
                figures.put(metric, value);
            });
            return figures;
        }
    }

    static final class OfRows extends StdConverter<List<Row>, Figures> {
        @Override
        public Figures convert(List<Row> rows) {
            Map<Point, Map<Quantity, Double>> values = new LinkedHashMap<>();
            for (int i = 0; i < rows.size(); i++) {
                Row row = rows.get(i);
                if (values.put(row.cell(), row.figures("[" + i + "].")) != null) {
                    throw new Invalid(
                            "[" + i + "].arm", "comes twice: " + row.cell().text());
                }
            }
            return new Figures(values);
        }
    }

    public OptionalDouble at(Point cell, Quantity metric) {
        Double value = values.getOrDefault(cell, Map.of()).get(metric);
        return value == null || value.isNaN() ? OptionalDouble.empty() : OptionalDouble.of(value);
    }
}
