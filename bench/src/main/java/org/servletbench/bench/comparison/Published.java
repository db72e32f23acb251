package org.servletbench.bench.comparison;

import static org.servletbench.bench.model.Text.text;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.Metric;

/**
 * An article with published figures, by the keys of its file. Null and empty mean that nothing is given.
 *
 * @param date date of publication, as printed
 * @param language language of the article, its code first
 * @param setup versions, machines and method in words
 * @param serverCommand command line of the server, as printed
 * @param command command line of the generator, as printed
 * @param errorsColumn unit in the head of the column with errors: {@code percent} or {@code fraction}
 * @param figures rows of its table
 * @param disclaimers remarks of the author that limit the figures
 * @param differs differences between the article and the measurement here
 * @param untested claims that no measurement here can decide, and why
 * @param audit errors that the article's own figures reveal, found by a reader
 */
@JsonNaming(PropertyNamingStrategies.KebabCaseStrategy.class)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record Published(
        String title,
        String date,
        String language,
        List<String> setup,
        String serverCommand,
        String command,
        String errorsColumn,
        List<Row> figures,
        List<String> disclaimers,
        List<String> differs,
        List<String> untested,
        List<String> audit) {

    /**
     * Maximum relative difference between figures that must agree. They are rounded, and some tools include their own
     * start.
     */
    private static final double ROUNDED = 0.05;

    public Published {
        title = orEmpty(title);
        date = orEmpty(date);
        language = orEmpty(language);
        serverCommand = orEmpty(serverCommand);
        command = orEmpty(command);
        errorsColumn = orEmpty(errorsColumn);
        setup = list(setup);
        figures = list(figures);
        disclaimers = list(disclaimers);
        differs = list(differs);
        untested = list(untested);
        audit = list(audit);
    }

    private static String orEmpty(String value) {
        return value == null ? "" : value;
    }

    private static <T> List<T> list(List<T> values) {
        return values == null ? List.of() : List.copyOf(values);
    }

    /**
     * A row of the table. Without workload and users, it is about the start-up.
     *
     * @param values figures by {@link Quantity#key}
     */
    public record Row(
            String arm,
            @JsonInclude(JsonInclude.Include.NON_NULL) String workload,
            int users,
            @JsonAnySetter @JsonAnyGetter Map<String, Double> values) {

        public Row {
            workload = orEmpty(workload);
            values = values == null ? Map.of() : new LinkedHashMap<>(values);
            values.keySet().forEach(Quantity::of);
        }

        /** Returns what the row is about, for people: {@code jetty, hello, 400 users}. */
        public String words() {
            return users == 0 ? arm + " at start-up" : arm + ", " + workload + ", " + users + " users";
        }

        private boolean isLike(Row other) {
            return arm.equals(other.arm) && users == other.users && (users == 0 || workload.equals(other.workload));
        }

        /** Returns contradictions between the row's figures, for people. */
        List<String> contradictions() {
            List<String> found = new ArrayList<>();
            double mean = at(Quantity.LATENCY_MEAN).orElse(Double.NaN);
            double min = at(Quantity.LATENCY_MIN).orElse(Double.NaN);
            double max = at(Quantity.LATENCY_MAX).orElse(Double.NaN);
            double rate = at(Quantity.THROUGHPUT).orElse(Double.NaN);
            double took = at(Quantity.REQUESTS).orElse(Double.NaN) / rate;
            double elapsed = at(Quantity.ELAPSED).orElse(Double.NaN);
            if (mean > max) {
                found.add(
                        text("%s: the mean of %s ms is above the slowest of %s ms", words(), shown(mean), shown(max)));
            }
            if (mean < min) {
                found.add(
                        text("%s: the mean of %s ms is below the fastest of %s ms", words(), shown(mean), shown(min)));
            }
            if (Math.abs(took / elapsed - 1) > ROUNDED) {
                found.add(text(
                        "%s: so many requests at %s/s take %.1f s, and not %s s",
                        words(), shown(rate), took, shown(elapsed)));
            }
            return found;
        }

        private static String shown(double value) {
            return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
        }

        /** Returns a figure in the unit of the article; empty if the article does not have it. */
        public OptionalDouble at(Quantity quantity) {
            Double value = values.get(quantity.key());
            return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
        }
    }

    /** Returns contradictions between the article's own figures, row by row, for people. */
    public List<String> contradictions() {
        return figures.stream().flatMap(row -> row.contradictions().stream()).toList();
    }

    /** Returns the index of the first row with the same arm and load as an earlier one; -1 if there is none. */
    int repeatedRow() {
        return IntStream.range(0, figures.size())
                .filter(i -> figures.subList(0, i).stream().anyMatch(figures.get(i)::isLike))
                .findFirst()
                .orElse(-1);
    }

    /** Returns the row of an arm under a load; empty if the article does not have it. */
    public Stream<Row> row(String arm, MeasuredLoad load) {
        return figures.stream()
                .filter(row -> row.arm().equals(arm)
                        && row.users() == load.users()
                        && (row.users() == 0 || row.workload().equals(load.workload())));
    }

    /** Returns an arm's figure under a load, in the metric's unit; empty if the article does not have it. */
    public OptionalDouble figure(String arm, MeasuredLoad load, Metric metric) {
        return row(arm, load)
                .flatMap(row -> Stream.of(Quantity.values())
                        .filter(one -> one.metric() == metric)
                        .flatMap(one -> row.at(one).stream()
                                .mapToObj(value -> value
                                        * one.factor()
                                        * (one == Quantity.ERRORS_PRINTED && errorsColumn.equals("fraction")
                                                ? 100
                                                : 1))))
                .mapToDouble(Double::doubleValue)
                .findFirst();
    }

    /** Returns the ratio or figure of a claim, computed from the article's own figures; NaN if one is missing. */
    public double value(ClaimSpec.Term term) {
        Metric metric = Metric.of(term.part().metric()).orElseThrow();
        double one = figure(term.part().of(), term.load(), metric).orElse(Double.NaN);
        return term.part().ratio()
                ? one / figure(term.part().than(), term.other(), metric).orElse(Double.NaN)
                : one;
    }

    /** True if the article's own figures contradict its claim; false if one is missing. */
    public boolean contradicts(ClaimSpec.Term term) {
        double value = value(term);
        return term.part().relation() == ClaimSpec.Relation.WITHIN
                && !Double.isNaN(value)
                && !term.part().accepts(value);
    }
}
