package org.servletbench.bench.comparison;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.servletbench.bench.model.Cell;
import org.servletbench.bench.model.Metric;

/**
 * A published comparison, as its file has it; null and empty: it does not say.
 *
 * @param date of publication, as printed
 * @param language of the article, first its code
 * @param setup versions, machines and method in words
 * @param serverCommand the server's command line as printed
 * @param command the generator's command line as printed
 * @param generatorOnSameHost whether the generator shared the server's machine
 * @param network what lay between, where it did not
 * @param errorsColumn the unit in the head of the column with errors: {@code percent} or {@code fraction}
 * @param figures its table
 * @param figuresInText values in the text that the table has, too
 * @param concurrency how many requests a server of the article's versions serves at once, by arm; an arm without a limit is missing
 * @param disclaimers what its author says of how far the figures go
 * @param differs what is different here
 * @param untested its claims that nothing measured here can decide, and why
 * @param audit what its own figures show to be wrong with it
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
        Boolean generatorOnSameHost,
        String network,
        Method method,
        String errorsColumn,
        List<Row> figures,
        List<Row> figuresInText,
        Map<String, Integer> concurrency,
        List<String> disclaimers,
        List<String> differs,
        List<String> untested,
        List<Note> audit) {

    public Published {
        title = text(title);
        date = text(date);
        language = text(language);
        serverCommand = text(serverCommand);
        command = text(command);
        network = text(network);
        errorsColumn = text(errorsColumn);
        method = method == null ? new Method(null, null, 0, 0, false, false) : method;
        setup = list(setup);
        figures = list(figures);
        figuresInText = list(figuresInText);
        concurrency = concurrency == null ? Map.of() : concurrency;
        disclaimers = list(disclaimers);
        differs = list(differs);
        untested = list(untested);
        audit = list(audit);
    }

    private static String text(String value) {
        return value == null ? "" : value;
    }

    private static <T> List<T> list(List<T> values) {
        return values == null ? List.of() : List.copyOf(values);
    }

    /**
     * How it measured; null and 0: it does not say.
     *
     * @param rampUpSeconds in how long the users start, s
     * @param durationSeconds how long a load lasts, s
     * @param maxPauseSeconds a user pauses a random time from 0 to this before each request, s
     * @param handlerSeconds how long the handler waits, s
     * @param oneRun whether each arm was run once
     * @param cold whether servers were not warmed up
     */
    public record Method(
            @JsonProperty("ramp-up-s") Double rampUpSeconds,
            @JsonProperty("duration-s") Double durationSeconds,
            @JsonProperty("max-pause-s") double maxPauseSeconds,
            @JsonProperty("handler-s") double handlerSeconds,
            @JsonProperty("one-run") boolean oneRun,
            boolean cold) {

        /** The mean of the random pause, s: half of its greatest; 0 for none. */
        public double meanPauseSeconds() {
            return maxPauseSeconds / 2;
        }
    }

    /**
     * A row of its table. Without workload and users: at start-up.
     *
     * @param values by {@link Quantity#key}
     */
    public record Row(
            String arm,
            @JsonInclude(JsonInclude.Include.NON_NULL) String workload,
            int users,
            @JsonAnySetter @JsonAnyGetter Map<String, Double> values) {

        public Row {
            workload = text(workload);
            values = values == null ? Map.of() : new LinkedHashMap<>(values);
            values.keySet().forEach(Quantity::of);
        }

        /** For people: {@code jetty, hello, 400 users}. */
        public String words() {
            return users == 0 ? arm + " at start-up" : arm + ", " + workload + ", " + users + " users";
        }

        /** In the unit of the article; empty where it is not printed. */
        public OptionalDouble at(Quantity quantity) {
            Double value = values.get(quantity.key());
            return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
        }
    }

    /**
     * What somebody found who read the article.
     *
     * @param finding its kind, which the audit finds as well; empty for what no figure of the article shows
     */
    public record Note(String finding, String says) {

        public Note {
            finding = text(finding);
        }
    }

    /** Whether the generator's response times are measurements: wrk adds samples of its own. */
    public boolean measuresLatency() {
        return !command.startsWith("wrk");
    }

    /** The row of an arm under a load; empty where it has none. */
    public Stream<Row> row(String arm, Cell cell) {
        return figures.stream()
                .filter(row -> row.arm().equals(arm)
                        && row.users() == cell.tier()
                        && (row.users() == 0 || row.workload().equals(cell.workload())));
    }

    /** An arm's figure under a load, in the metric's unit; empty where it is not printed. */
    public OptionalDouble figure(String arm, Cell cell, Metric metric) {
        return row(arm, cell)
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

    /** The ratio or figure of a claim by the article's own figures; NaN where one is not printed. */
    public double value(ClaimSpec.Term term) {
        Metric metric = Metric.of(term.part().metric()).orElseThrow();
        double one = figure(term.part().of(), term.cell(), metric).orElse(Double.NaN);
        return term.part().ratio()
                ? one / figure(term.part().than(), term.other(), metric).orElse(Double.NaN)
                : one;
    }
}
