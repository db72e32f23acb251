package org.servletbench.bench.load.jmeter;

import de.siegmar.fastcsv.writer.CsvWriter;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.servletbench.bench.load.LoadException;
import org.servletbench.bench.load.RawLog;
import org.servletbench.bench.measure.Latency;
import org.servletbench.bench.measure.LogMeasurement;
import org.servletbench.bench.measure.Summary;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.model.Text;

/**
 * The table that JMeter's Summary Report shows, with one row for each label and one for all. JMeter's definitions
 * apply: throughput is the number of samples over the time from the first start to the last end (ramps included), the
 * standard deviation is that of a population, and a KiB has 1024 bytes. Percentages range from 0 to 100.
 *
 * @param rows rows in the order in which the labels first start; the total comes last
 */
public record JMeterTable(List<Row> rows) {

    public static final String TOTAL = "TOTAL";

    /** The samples of a label. */
    public record Row(String label, Summary all) {

        public double errorPercent() {
            return 100 * all.errorShare();
        }

        /** Returns a sum per second; NaN if all samples started and ended in one millisecond. */
        public double perSecond(double sum) {
            long ms = all.toMs() - 1 - all.fromMs();
            return ms > 0 ? sum * 1000 / ms : Double.NaN;
        }

        double stdevMs() {
            return Math.sqrt(squares(all) / all.count());
        }

        /** Returns the most frequent failure of the failed samples. */
        Optional<String> failure() {
            return all.errorKinds().keySet().stream().findFirst();
        }
    }

    private static final Map<String, Function<Row, String>> COLUMNS = new LinkedHashMap<>();

    static {
        COLUMNS.put("label", Row::label);
        COLUMNS.put("requests", row -> Long.toString(row.all.count()));
        COLUMNS.put("mean_ms", row -> number(row.all.latency().mean(), 2));
        COLUMNS.put("min_ms", row -> number(row.all.latency().min(), 0));
        COLUMNS.put("max_ms", row -> number(row.all.latency().max(), 0));
        COLUMNS.put("stdev_ms", row -> number(row.stdevMs(), 2));
        COLUMNS.put("error_percent", row -> number(row.errorPercent(), 3));
        COLUMNS.put("throughput_rps", row -> number(row.perSecond(row.all.count()), 2));
        COLUMNS.put("received_kib_s", row -> number(row.perSecond(row.all.bytes() / 1024.0), 2));
        COLUMNS.put("sent_kib_s", row -> number(row.perSecond(row.all.sentBytes() / 1024.0), 2));
        COLUMNS.put("mean_bytes", row -> number((double) row.all.bytes() / row.all.count(), 1));
    }

    /**
     * Reads the table from a results file.
     *
     * @param results CSV as JMeter writes it, with its header, times in ms since the epoch
     * @throws LoadException if the file cannot be read, or contains a line (other than a cut-off last one) that is not
     *     a sample
     */
    public static JMeterTable read(Path results) {
        try {
            return of(RawLog.of(results).measure());
        } catch (IOException e) {
            throw new LoadException("cannot read " + results + " (" + e.getMessage() + ")");
        }
    }

    static JMeterTable of(LogMeasurement log) {
        List<Row> rows = new ArrayList<>(log.loads().stream()
                .map(load -> new Row(load.name(), load.whole()))
                .sorted(Comparator.comparingLong(row -> row.all.fromMs()))
                .toList());
        if (!rows.isEmpty()) {
            rows.add(new Row(TOTAL, total(rows.stream().map(Row::all).toList())));
        }
        return new JMeterTable(List.copyOf(rows));
    }

    private static Summary total(List<Summary> parts) {
        long count = sum(parts, Summary::count);
        double mean = parts.stream()
                        .mapToDouble(part -> part.count() * part.latency().mean())
                        .sum()
                / count;
        double squares = parts.stream()
                .mapToDouble(part ->
                        squares(part) + part.count() * Math.pow(part.latency().mean() - mean, 2))
                .sum();
        double no = Double.NaN;
        double min =
                parts.stream().mapToDouble(part -> part.latency().min()).min().orElse(no);
        double max =
                parts.stream().mapToDouble(part -> part.latency().max()).max().orElse(no);
        long fromMs = parts.stream().mapToLong(Summary::fromMs).min().orElse(0);
        long toMs = parts.stream().mapToLong(Summary::toMs).max().orElse(0);
        return new Summary(
                fromMs,
                toMs,
                (toMs - fromMs) / 1000.0,
                count,
                sum(parts, Summary::errors),
                Map.of(),
                no,
                sum(parts, Summary::bytes),
                sum(parts, Summary::sentBytes),
                new Latency(mean, Math.sqrt(squares / (count - 1)), min, no, no, no, no, no, no, max));
    }

    private static long sum(List<Summary> parts, ToLongFunction<Summary> figure) {
        return parts.stream().mapToLong(figure).sum();
    }

    /** Returns the sum of squared deviations from the mean. */
    private static double squares(Summary part) {
        return part.count() < 2
                ? 0
                : (part.count() - 1) * Math.pow(part.latency().stdev(), 2);
    }

    public Optional<Row> row(String label) {
        return rows.stream().filter(row -> row.label().equals(label)).findFirst();
    }

    /** Writes the table as CSV, one line per row, with units in the column names. */
    public void writeCsv(Path file) {
        StringWriter out = new StringWriter();
        try (CsvWriter csv = CsvWriter.builder().build(out)) {
            csv.writeRecord(COLUMNS.keySet());
            for (Row row : rows) {
                csv.writeRecord(COLUMNS.values().stream()
                        .map(value -> Text.cell(Text.plain(value.apply(row))))
                        .toList());
            }
            csv.flush();
            Json.replace(file, out.toString());
        } catch (IOException | UncheckedIOException e) {
            throw new LoadException("cannot write " + file + " (" + e.getMessage() + ")");
        }
    }

    private static String number(double value, int digits) {
        return Double.isNaN(value) ? "" : Text.text("%." + digits + "f", value);
    }
}
