package org.servletbench.bench.load.jmeter;

import java.io.IOException;
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
import org.apache.commons.csv.CSVPrinter;
import org.servletbench.bench.load.LoadException;
import org.servletbench.bench.measure.Recorder;
import org.servletbench.bench.measure.Records;
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

        /** @param failure null where the sample succeeded */
        void add(long start, long end, long received, long sent, String failure) {
            times.accept(end - start);
            double delta = end - start - mean;
            mean += delta / times.getCount();
            squares += delta * (end - start - mean);
            firstStart = Math.min(firstStart, start);
            lastEnd = Math.max(lastEnd, end);
            bytes += received;
            sentBytes += sent;
            if (failure != null) {
                failed++;
                firstFailure = firstFailure == null ? failure : firstFailure;
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

    /** Sums by label, in the order in which labels first appear. */
    private static final class Summing implements Records {
        private final Map<String, Sums> byLabel = new LinkedHashMap<>();
        private final Sums total = new Sums();
        private final List<String> labels = new ArrayList<>();
        private final List<String> failures = new ArrayList<>();
        private boolean truncated;

        @Override
        public int cell(String name) {
            labels.add(name);
            return labels.size() - 1;
        }

        @Override
        public int errorKind(String message) {
            String failure = message.strip().replaceAll("\\s+", " ");
            int known = failures.indexOf(failure);
            if (known < 0) {
                failures.add(failure);
            }
            return known < 0 ? failures.size() - 1 : known;
        }

        @Override
        public void request(int cell, long startMs, long endMs, int kind) {
            request(cell, startMs, endMs, kind, Recorder.UNKNOWN, 0, 0);
        }

        @Override
        public void request(int cell, long startMs, long endMs, int kind, int users, long bytes, long sentBytes) {
            String failure = kind == Recorder.OK ? null : failures.get(kind);
            byLabel.computeIfAbsent(labels.get(cell), label -> new Sums())
                    .add(startMs, endMs, bytes, sentBytes, failure);
            total.add(startMs, endMs, bytes, sentBytes, failure);
        }

        @Override
        public void truncated(String what) {
            truncated = true;
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
        Summing sums = new Summing();
        try {
            JMeterCsvReader.FORMAT.read(results, source -> sums);
        } catch (IOException e) {
            throw new LoadException("cannot read " + results + " (" + e.getMessage() + ")");
        }
        List<Row> rows = new ArrayList<>();
        sums.byLabel.forEach((label, own) -> rows.add(own.row(label)));
        if (!rows.isEmpty()) {
            rows.add(sums.total.row(TOTAL));
        }
        return new JMeterTable(List.copyOf(rows), sums.truncated);
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
