package org.servletbench.bench.report;

import static org.servletbench.bench.model.Text.text;
import static org.servletbench.bench.report.Html.escape;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import de.siegmar.fastcsv.writer.CsvWriter;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Text;
import org.servletbench.bench.verdict.Spread;

/**
 * A table, declared once for the page, its CSV and its JSON.
 *
 * @param file name of its files without an extension
 * @param hasCsv true if the page links to its CSV
 */
record Table(String file, String caption, List<Table.Column> columns, List<List<Table.Value>> rows, boolean hasCsv) {

    /** Folder of the files, relative to the page. */
    static final String FOLDER = "tables";

    /**
     * @param key name in CSV and JSON
     *
     * @param title title for people
     * @param unit unit for people, below the title; may be empty
     * @param number true if the column is right-aligned and sorts by value
     * @param spread true if its values have an interval; {@code key.low}, {@code key.high} and {@code key.n} follow
     * @param floors true if the generator may have limited its values; {@code key.floor} follows
     */
    record Column(String key, String title, String unit, boolean number, boolean spread, boolean floors) {
        static Column words(String key, String title) {
            return new Column(key, title, "", false, false, false);
        }

        Stream<String> keys() {
            Stream<String> numbers = spread ? Stream.of(key, key + ".low", key + ".high", key + ".n") : Stream.of(key);
            return floors ? Stream.concat(numbers, Stream.of(key + ".floor")) : numbers;
        }

        boolean onPage() {
            return !title.isEmpty();
        }

        static Column number(String key, String title, String unit) {
            return new Column(key, title, unit, true, false, false);
        }

        static Column spread(String key, String title, String unit) {
            return new Column(key, title, unit, true, true, false);
        }

        static Column spread(Metric metric) {
            return new Column(metric.key(), metric.label(), Numbers.unit(metric), true, true, metric.higherIsBetter());
        }
    }

    /**
     * A cell of the table.
     *
     * @param html content for people, escaped
     * @param raw content for programs: a text, a number, or null if unknown
     * @param spread the value with its interval; null in a column without intervals
     * @param floor true if the value is a lower limit, because the generator was at its limit
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

        static Value of(double value) {
            return number(value, Numbers.shown(value));
        }

        static Value count(long number) {
            return number(number, Long.toString(number));
        }

        static Value styled(String style, String word, Object raw) {
            return new Value(text("<span class='%s'>%s</span>", style, escape(word)), raw, null);
        }

        Value asFloor() {
            return new Value(html, raw, spread, true);
        }

        static Value of(Metric metric, Spread spread) {
            return of(metric, spread, "");
        }

        /** @param note HTML below the interval */
        static Value of(Metric metric, Spread spread, String note) {
            if (!spread.known()) {
                return new Value(Numbers.NONE, null, spread);
            }
            String interval = spread.high() == 0 && spread.low() == 0
                    ? ""
                    : spread.hasInterval() && Numbers.isWide(spread.low(), spread.high())
                            ? Numbers.UNKNOWN
                            : spread.hasInterval()
                                    // No figure here can be below 0, even if a t interval extends there.
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

        /**
         * Returns the key by which rows are sorted; null if there is no number. It is rounded, because there are
         * thousands of keys.
         */
        String digits() {
            return raw instanceof Number number
                    ? new BigDecimal(number.toString())
                            .round(Json.PUBLISHED)
                            .stripTrailingZeros()
                            .toString()
                    : null;
        }
    }

    /** Makes unique, short file names from names in the data. They contain only letters, digits, dots and hyphens. */
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

    /** Columns, each with a function that returns its value for the subject of a row. */
    static final class Columns<T> {
        private final List<Column> columns = new ArrayList<>();
        private final List<Function<T, Value>> values = new ArrayList<>();

        Columns<T> add(Column column, Function<T, Value> value) {
            columns.add(column);
            values.add(value);
            return this;
        }

        /** @param title title; empty for a column that is only in the files, not on the page */
        Columns<T> words(String key, String title, Function<T, String> words) {
            return add(Column.words(key, title), one -> Value.words(words.apply(one)));
        }

        Columns<T> number(String key, String title, String unit, Function<T, Value> number) {
            return add(Column.number(key, title, unit), number);
        }

        /** Adds a column for each metric. */
        Columns<T> each(List<Metric> metrics, BiFunction<T, Metric, Value> value) {
            metrics.forEach(metric -> add(Column.spread(metric), one -> value.apply(one, metric)));
            return this;
        }

        /** Returns a table with a row for each subject. */
        Table table(String file, String caption, List<T> subjects) {
            return new Table(
                    file,
                    caption,
                    List.copyOf(columns),
                    subjects.stream()
                            .map(one -> values.stream()
                                    .map(value -> value.apply(one))
                                    .toList())
                            .toList(),
                    true);
        }
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

    /**
     * Returns CSV for programs (RFC 4180) with a header. Unknown values are empty cells; numbers are in the metrics'
     * own units.
     */
    String csv() {
        StringWriter out = new StringWriter();
        try (CsvWriter csv = CsvWriter.builder().build(out)) {
            csv.writeRecord(
                    columns.stream().flatMap(Column::keys).map(Text::cell).toList());
            for (List<Value> row : rows) {
                csv.writeRecord(values(row).values().stream()
                        .map(value -> value == null
                                ? ""
                                : value instanceof Number ? value.toString() : Text.cell(Html.plain(value.toString())))
                        .toList());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toString();
    }

    /**
     * Returns JSON for programs: {@code caption} and {@code rows}, with an object for each row and null for unknown
     * values.
     */
    String json() {
        return json(Json.MAPPER.writer(), UnaryOperator.identity());
    }

    /** Returns the JSON for publication: rounded, and without white space, which would make up a fifth of it. */
    String compact() {
        return json(Json.MAPPER.writer().without(SerializationFeature.INDENT_OUTPUT), Json::rounded);
    }

    private String json(ObjectWriter writer, UnaryOperator<JsonNode> change) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("caption", caption);
        json.put("rows", rows.stream().map(this::values).toList());
        try {
            return writer.writeValueAsString(change.apply(Json.MAPPER.valueToTree(json))) + "\n";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Table withoutCsv() {
        return new Table(file, caption, columns, rows, false);
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
}
