package org.servletbench.bench.load.jmeter;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVPrinter;
import org.apache.commons.csv.CSVRecord;
import org.servletbench.bench.load.LoadException;
import org.servletbench.bench.model.Text;

/**
 * The table that JMeter's Summary Report shows, computed from the samples themselves, one row for each label and one for
 * all. The definitions are JMeter's: throughput is the number of samples over the time from the first start to the last
 * end (ramps included), the standard deviation is that of a population, a KiB has 1024 bytes. Percent means percent.
 *
 * @param rows in the order in which the labels first appear; the total comes last
 * @param truncated whether the file's last line was cut off; that line is not counted
 */
public record JMeterTable(List<Row> rows, boolean truncated) {

    public static final String TOTAL = "TOTAL";

    /**
     * The samples of a label.
     *
     * @param throughput requests/s; NaN if all started and ended in one millisecond
     * @param receivedKiBs KiB/s received, headers included
     * @param meanBytes mean length of a response, bytes, headers included
     * @param firstFailure how the first failed sample failed
     */
    public record Row(
            String label,
            long requests,
            long failed,
            double meanMs,
            long minMs,
            long maxMs,
            double stdevMs,
            double throughput,
            double receivedKiBs,
            double sentKiBs,
            double meanBytes,
            Optional<String> firstFailure) {

        public double errorPercent() {
            return requests == 0 ? 0 : 100.0 * failed / requests;
        }
    }

    private record Column(String csv, Function<Row, String> value) {}

    private static final List<Column> COLUMNS = List.of(
            new Column("label", Row::label),
            new Column("requests", row -> Long.toString(row.requests())),
            new Column("mean_ms", row -> number(row.meanMs(), 2)),
            new Column("min_ms", row -> Long.toString(row.minMs())),
            new Column("max_ms", row -> Long.toString(row.maxMs())),
            new Column("stdev_ms", row -> number(row.stdevMs(), 2)),
            new Column("error_percent", row -> number(row.errorPercent(), 3)),
            new Column("throughput_rps", row -> number(row.throughput(), 2)),
            new Column("received_kib_s", row -> number(row.receivedKiBs(), 2)),
            new Column("sent_kib_s", row -> number(row.sentKiBs(), 2)),
            new Column("mean_bytes", row -> number(row.meanBytes(), 1)));

    private static final List<String> NEEDED =
            List.of("timeStamp", "elapsed", "label", "responseCode", "success", "bytes", "sentBytes");

    /** What is known of one label while the file is read; Welford's algorithm for the deviation. */
    private static final class Sums {
        private final LongSummaryStatistics times = new LongSummaryStatistics();
        private long failed;
        private double mean;
        private double squares;
        private long firstStart = Long.MAX_VALUE;
        private long lastEnd;
        private long bytes;
        private long sentBytes;
        private String firstFailure;

        void add(Sample sample) {
            times.accept(sample.elapsed());
            double delta = sample.elapsed() - mean;
            mean += delta / times.getCount();
            squares += delta * (sample.elapsed() - mean);
            firstStart = Math.min(firstStart, sample.start());
            lastEnd = Math.max(lastEnd, sample.start() + sample.elapsed());
            bytes += sample.bytes();
            sentBytes += sample.sentBytes();
            if (sample.failure() != null) {
                failed++;
                firstFailure = firstFailure == null ? sample.failure() : firstFailure;
            }
        }

        Row row(String label) {
            long requests = times.getCount();
            double seconds = lastEnd > firstStart ? (lastEnd - firstStart) / 1e3 : Double.NaN;
            return new Row(
                    label,
                    requests,
                    failed,
                    mean,
                    times.getMin(),
                    times.getMax(),
                    Math.sqrt(squares / requests),
                    requests / seconds,
                    bytes / 1024.0 / seconds,
                    sentBytes / 1024.0 / seconds,
                    (double) bytes / requests,
                    Optional.ofNullable(firstFailure));
        }
    }

    /** One line of the file; {@code failure} is null where the sample succeeded. */
    private record Sample(String label, long start, long elapsed, long bytes, long sentBytes, String failure) {

        static Sample of(CSVRecord line) {
            if (!line.isConsistent()) {
                throw new IllegalArgumentException(
                        line.size() + " of " + line.getParser().getHeaderMap().size() + " columns");
            }
            boolean ok =
                    switch (line.get("success")) {
                        case "true" -> true;
                        case "false" -> false;
                        default -> throw new IllegalArgumentException(line.get("success"));
                    };
            return new Sample(
                    line.get("label"),
                    Long.parseLong(line.get("timeStamp")),
                    Long.parseLong(line.get("elapsed")),
                    Long.parseLong(line.get("bytes")),
                    Long.parseLong(line.get("sentBytes")),
                    ok ? null : describeFailure(line));
        }

        private static String describeFailure(CSVRecord line) {
            String assertion = line.isMapped("failureMessage") ? line.get("failureMessage") : "";
            String message = line.isMapped("responseMessage") ? line.get("responseMessage") : "";
            String reason = assertion.isBlank() ? message : assertion;
            return (line.get("responseCode") + " " + reason).strip().replaceAll("\\s+", " ");
        }
    }

    /**
     * Reads a results file in one pass.
     *
     * @param results CSV as JMeter writes it, with its header, times in ms since the epoch
     * @throws LoadException if it cannot be read, lacks a column, or holds a line (other than a cut-off last one) that is
     *     no sample
     */
    public static JMeterTable read(Path results) {
        Map<String, Sums> byLabel = new LinkedHashMap<>();
        Sums total = new Sums();
        boolean truncated = false;
        CSVFormat format = CSVFormat.DEFAULT
                .builder()
                .setHeader()
                .setSkipHeaderRecord(true)
                .get();
        try (CSVParser lines = CSVParser.parse(results, StandardCharsets.UTF_8, format)) {
            List<String> missing = NEEDED.stream()
                    .filter(column -> !lines.getHeaderMap().containsKey(column))
                    .toList();
            if (!missing.isEmpty()) {
                throw new LoadException(results + " lacks the column " + String.join(", ", missing)
                        + ": it is no JMeter CSV with the default columns");
            }
            var each = lines.iterator();
            while (each.hasNext()) {
                CSVRecord line = each.next();
                Sample sample;
                try {
                    sample = Sample.of(line);
                } catch (IllegalArgumentException e) {
                    if (each.hasNext()) {
                        throw new LoadException(results + ": record " + line.getRecordNumber() + " is no sample ("
                                + e.getMessage() + ")");
                    }
                    truncated = true;
                    break;
                }
                byLabel.computeIfAbsent(sample.label(), label -> new Sums()).add(sample);
                total.add(sample);
            }
        } catch (UncheckedIOException e) {
            // The end of the file inside a quoted field.
            truncated = true;
        } catch (IOException e) {
            throw new LoadException("cannot read " + results + " (" + e.getMessage() + ")");
        }
        List<Row> rows = new ArrayList<>();
        byLabel.forEach((label, sums) -> rows.add(sums.row(label)));
        if (!rows.isEmpty()) {
            rows.add(total.row(TOTAL));
        }
        return new JMeterTable(List.copyOf(rows), truncated);
    }

    public Optional<Row> row(String label) {
        return rows.stream().filter(row -> row.label().equals(label)).findFirst();
    }

    /** Writes the table as CSV, one line a row, units in the column names. */
    public void writeCsv(Path file) {
        try (Writer out = Files.newBufferedWriter(file, StandardCharsets.UTF_8);
                CSVPrinter csv = new CSVPrinter(out, CSVFormat.RFC4180)) {
            csv.printRecord(COLUMNS.stream().map(Column::csv));
            for (Row row : rows) {
                csv.printRecord(COLUMNS.stream().map(column -> column.value().apply(row)));
            }
        } catch (IOException e) {
            throw new LoadException("cannot write " + file + " (" + e.getMessage() + ")");
        }
    }

    private static String number(double value, int digits) {
        return Double.isNaN(value) ? "" : Text.text("%." + digits + "f", value);
    }
}
