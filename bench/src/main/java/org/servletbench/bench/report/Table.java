package org.servletbench.bench.report;

import static org.servletbench.bench.model.Text.text;
import static org.servletbench.bench.report.Html.escape;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.verdict.Spread;

/** A table, declared once for the page, its CSV and its JSON. */
record Table(String file, String caption, List<Table.Column> columns, List<List<Table.Value>> rows) {
    /**
     * @param key in CSV and JSON
     * @param title for people
     * @param unit for people, under the title; may be empty
     * @param number whether it is set right and sorts by value
     * @param spread whether its values have an interval: {@code key.low}, {@code key.high} and {@code key.n} follow
     * @param floors whether the generator may have limited its values: {@code key.floor} follows
     */
    record Column(String key, String title, String unit, boolean number, boolean spread, boolean floors) {
        Column(String key, String title, String unit, boolean number, boolean spread) {
            this(key, title, unit, number, spread, false);
        }

        static Column words(String key, String title) {
            return new Column(key, title, "", false, false);
        }

        /** Not on the page, only in the files. */
        static Column data(String key) {
            return new Column(key, "", "", false, false);
        }

        Stream<String> keys() {
            Stream<String> numbers = spread ? Stream.of(key, key + ".low", key + ".high", key + ".n") : Stream.of(key);
            return floors ? Stream.concat(numbers, Stream.of(key + ".floor")) : numbers;
        }

        boolean onPage() {
            return !title.isEmpty();
        }

        static Column number(String key, String title, String unit) {
            return new Column(key, title, unit, true, false);
        }

        static Column spread(String key, String title, String unit) {
            return new Column(key, title, unit, true, true);
        }

        static Column spread(Metric metric) {
            return new Column(metric.key(), metric.label(), Numbers.unit(metric), true, true, metric.higherIsBetter());
        }
    }

    /**
     * What stands in a column of a row.
     *
     * @param html what people see, escaped
     * @param raw for programs: a text, a number, or null where it is not known
     * @param spread with its interval; null in a column without
     * @param floor whether it is so much at least: the generator could do no more
     */
    record Value(String html, Object raw, Spread spread, boolean floor) {
        Value(String html, Object raw, Spread spread) {
            this(html, raw, spread, false);
        }

        static Value words(String text) {
            return new Value(escape(text), text, null);
        }

        static Value number(double value, String shown) {
            return new Value(escape(shown), Numbers.exact(value), null);
        }

        static Value count(long number) {
            return number(number, Long.toString(number));
        }

        /** @param note HTML that stands below the word */
        static Value styled(String style, String word, String note, Object raw) {
            return new Value(text("<span class='%s'>%s</span>", style, escape(word)) + note, raw, null);
        }

        Value asFloor() {
            return new Value(html, raw, spread, true);
        }

        static Value of(Metric metric, Spread spread) {
            return of(metric, spread, "");
        }

        /** @param note HTML that stands below the interval */
        static Value of(Metric metric, Spread spread, String note) {
            if (!spread.known()) {
                return new Value(Numbers.NONE, null, spread);
            }
            String interval = spread.high() == 0 && spread.low() == 0
                    ? ""
                    : spread.hasInterval()
                            // No figure here can be below 0, whatever a t interval says.
                            ? Numbers.shown(metric, spread.low() < 0 ? 0 : spread.low()) + " to "
                                    + Numbers.shown(metric, spread.high())
                            : "one value";
            return new Value(
                    Numbers.shown(metric, spread.mean())
                            + (interval.isEmpty() ? "" : "<small>" + interval + "</small>")
                            + note,
                    Numbers.exact(spread.mean()),
                    spread);
        }

        /** By what it sorts: seven digits are enough, and there are thousands of them. Null where there is no number. */
        String digits() {
            return raw instanceof Number number
                    ? new BigDecimal(number.toString())
                            .round(new MathContext(7))
                            .stripTrailingZeros()
                            .toString()
                    : null;
        }
    }

    /** Names of files made from names in data: letters, digits, dot and hyphen only, short, and each once. */
    static final class Names {
        private static final int LONGEST = 80;
        private final Set<String> taken = new HashSet<>();

        String unique(String... parts) {
            String name = String.join("-", parts)
                    .toLowerCase(Locale.ROOT)
                    .replaceAll("[^a-z0-9.]+", "-")
                    .replaceAll("^[-.]+|[-.]+$", "");
            name = name.length() > LONGEST ? name.substring(0, LONGEST) : name.isEmpty() ? "table" : name;
            String unique = name;
            for (int i = 2; !taken.add(unique); i++) {
                unique = name + "-" + i;
            }
            return unique;
        }
    }

    /** A table without rows. */
    Table(String file, String caption, List<Column> columns) {
        this(file, caption, List.copyOf(columns), new ArrayList<>());
    }

    /**
     * A column with what stands in it.
     *
     * @param value of a row's subject
     */
    record Figure<T>(Column column, Function<T, Value> value) {}

    /** A table with a row for each of these. */
    static <T> Table of(String file, String caption, List<T> subjects, List<Figure<T>> figures) {
        Table table =
                new Table(file, caption, figures.stream().map(Figure::column).toList());
        subjects.forEach(one -> table.row(
                figures.stream().map(figure -> figure.value.apply(one)).toList()));
        return table;
    }

    Table row(List<Value> values) {
        if (values.size() != columns.size()) {
            throw new IllegalArgumentException(file + ": " + values.size() + " values, " + columns.size() + " columns");
        }
        rows.add(List.copyOf(values));
        return this;
    }

    boolean isEmpty() {
        return rows.isEmpty();
    }

    int size() {
        return rows.size();
    }

    String html() {
        return Template.html("table", this);
    }

    boolean sorts() {
        return rows.size() > 1;
    }

    /** For programs: RFC 4180, a header, empty where a value is not known; numbers in the metrics' own units. */
    String csv() {
        StringWriter out = new StringWriter();
        try (CSVPrinter csv = new CSVPrinter(out, CSVFormat.RFC4180)) {
            csv.printRecord(columns.stream().flatMap(Column::keys));
            for (List<Value> row : rows) {
                csv.printRecord(values(row).values());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toString();
    }

    /** For programs: {@code caption} and {@code rows}, an object each, null where a value is not known. */
    String json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("caption", caption);
        json.put("rows", rows.stream().map(this::values).toList());
        try {
            return Json.MAPPER.writeValueAsString(json) + "\n";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Map<String, Object> values(List<Value> row) {
        Map<String, Object> values = new LinkedHashMap<>();
        for (int i = 0; i < row.size(); i++) {
            Column column = columns.get(i);
            Value value = row.get(i);
            values.put(column.key(), value.raw());
            if (column.spread()) {
                values.put(column.key() + ".low", Numbers.exact(value.spread().low()));
                values.put(column.key() + ".high", Numbers.exact(value.spread().high()));
                values.put(column.key() + ".n", value.spread().n());
            }
            if (column.floors()) {
                values.put(column.key() + ".floor", value.floor());
            }
        }
        return values;
    }

    Table put(Map<String, String> files) {
        files.put("tables/" + file + ".csv", csv());
        files.put("tables/" + file + ".json", json());
        return this;
    }
}
