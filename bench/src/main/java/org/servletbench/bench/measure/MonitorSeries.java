package org.servletbench.bench.measure;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import de.siegmar.fastcsv.reader.FieldMismatchStrategy;
import de.siegmar.fastcsv.writer.CsvWriter;
import de.siegmar.fastcsv.writer.LineDelimiter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Reading;

/**
 * The rows of a {@code monitor.csv}: meters of the server and the generator, about one row per second. Most are totals
 * since a process started. For a window, they are interpolated between the two rows around each of its ends.
 */
public final class MonitorSeries {

    /** Column with the time at which the server's meters were read, ms since the epoch. */
    public static final String TIME = "time.ms";
    /**
     * Column with the time at which the kernel's figures were read, ms since the epoch, if that differs from the time
     * of the row.
     */
    public static final String MACHINE_TIME = "machine.time.ms";

    /**
     * Column with the time at which the generator's CPU time was read, ms since the epoch, if the generator runs on
     * another machine.
     */
    public static final String GENERATOR_TIME = "generator.time.ms";

    public static final String GENERATOR = "generator.cpu.ms";

    /** Column with other programs' use of the server's processors, ms, as the mean over these processors. */
    public static final String OTHERS = "others.ms";

    /** Column with other programs' use of the generator's processors. */
    public static final String GENERATOR_OTHERS = "generator.others.ms";

    public static final String STEAL = "steal.ms";

    /** Column with the steal time of the generator's machine, if the generator runs on another one. */
    public static final String GENERATOR_STEAL = "generator.steal.ms";

    /**
     * Column with the number of connections that the kernel has dropped since it started, because too many were waiting
     * to be accepted.
     */
    public static final String DROPPED = "connections.dropped";

    /** Column with the CPU time of the server's process, ms. */
    public static final String CPU = "process.cpu.ms";

    /** Column with the number of connections taken so far from the server's database pools. */
    private static final String TAKEN = "pool.taken";

    private static final String RSS = "rss.bytes";
    private static final String ALLOCATED = "alloc.bytes";

    /** Column with the peak memory use of the server's cgroup so far, bytes; exists only if a cgroup limits it. */
    public static final String MEMORY_PEAK = "memory.peak.bytes";

    /**
     * Columns with the number of periods of the server's CPU limit so far, and of those in which it had to wait for the
     * next period.
     */
    public static final String PERIODS = "cpu.periods";

    public static final String PERIODS_THROTTLED = "cpu.periods.throttled";

    /** Column with the time that the server waited because of its CPU limit, summed over its processors, µs. */
    public static final String THROTTLED = "cpu.throttled.us";

    /** Columns with what the server has exported to our collector so far: requests, their bytes, and spans. */
    public static final String EXPORTED_REQUESTS = "exported.requests";

    public static final String EXPORTED_BYTES = "exported.bytes";
    public static final String EXPORTED_SPANS = "exported.spans";

    /** Column with the CPU time of the compiler threads of the server's JVM, ms. */
    public static final String COMPILER = "compiler.cpu.ms";

    /** Column with the number of methods that wait for the server's JIT compiler or are being compiled. */
    public static final String BACKLOG = "compiler.backlog";

    private static final String THREADS = "threads.";

    private final List<String> columns;
    private final List<double[]> rows;
    /** Monitors of the load hosts; empty if the generator is in these rows. */
    private final List<MonitorSeries> generators;

    private MonitorSeries(List<String> columns, List<double[]> rows, List<MonitorSeries> generators) {
        this.columns = columns;
        this.rows = rows;
        this.generators = generators;
    }

    /**
     * Returns this series with generators on other machines. The busiest generator counts, and the machine that lost
     * most.
     */
    public MonitorSeries loadedFrom(List<MonitorSeries> hosts) {
        return new MonitorSeries(columns, rows, List.copyOf(hosts));
    }

    /**
     * Returns this series on another clock, with CPU times as on other processors.
     *
     * @param laterMs offset of all times, ms
     * @param generatorFactor factor for the generator's CPU time
     */
    public MonitorSeries as(long laterMs, double generatorFactor) {
        List<double[]> changed = rows.stream().map(double[]::clone).toList();
        for (double[] row : changed) {
            for (int column = 0; column < row.length; column++) {
                String name = columns.get(column);
                row[column] = name.equals(GENERATOR)
                        ? row[column] * generatorFactor
                        : row[column]
                                + (List.of(TIME, MACHINE_TIME, GENERATOR_TIME).contains(name) ? laterMs : 0);
            }
        }
        return new MonitorSeries(columns, changed, generators);
    }

    /**
     * Reads a monitor's file. Ignores a last row that was cut off, and rows whose time does not increase.
     *
     * @throws UnreadableLogException if it is not a monitor's file
     * @throws IOException if it cannot be read at all
     */
    public static MonitorSeries read(Path csv) throws IOException {
        List<CsvRecord> lines;
        try (CsvReader<CsvRecord> parser = CsvReader.builder()
                .extraFieldStrategy(FieldMismatchStrategy.IGNORE)
                .missingFieldStrategy(FieldMismatchStrategy.IGNORE)
                .ofCsvRecord(csv)) {
            lines = parser.stream().toList();
        } catch (CsvParseException e) {
            throw new UnreadableLogException(csv + ": not a monitor's file: " + e.getMessage());
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        List<String> columns = lines.isEmpty() ? List.of() : lines.get(0).getFields();
        if (columns.indexOf(TIME) != 0) {
            throw new UnreadableLogException(csv + ": not a monitor's file: its first column is not " + TIME);
        }
        if (columns.contains(COMPILER) && columns.indexOf(COMPILER) < columns.indexOf(MACHINE_TIME)) {
            throw new UnreadableLogException(
                    csv + ": from another version: " + COMPILER + " stands before " + MACHINE_TIME
                            + ", so its time is not known: measure again, or read it with the version that wrote it");
        }
        List<double[]> rows = new ArrayList<>();
        for (CsvRecord line : lines.subList(1, lines.size())) {
            double[] row = row(line);
            if (row.length == columns.size() && (rows.isEmpty() || row[0] > rows.get(rows.size() - 1)[0])) {
                rows.add(row);
            }
        }
        return new MonitorSeries(columns, rows, List.of());
    }

    /** Creates a writer for this and similar files, with one line per row. */
    public static CsvWriter writer(Path csv, OpenOption... how) throws IOException {
        return CsvWriter.builder().lineDelimiter(LineDelimiter.LF).build(csv, how);
    }

    private static double[] row(CsvRecord line) {
        try {
            return line.getFields().stream()
                    .mapToDouble(load -> load.isEmpty() ? Double.NaN : Double.parseDouble(load))
                    .toArray();
        } catch (NumberFormatException e) {
            return new double[0];
        }
    }

    /**
     * Returns the resource use in {@code [fromMs, toMs)}, ms since the epoch.
     *
     * @param requests number of requests that ended in this time
     * @return empty if the rows do not cover the window, or no request ended in it
     */
    public Optional<ServerUse> over(long fromMs, long toMs, long requests) {
        boolean covered = !rows.isEmpty() && rows.get(0)[0] <= fromMs && rows.get(rows.size() - 1)[0] >= toMs;
        if (!covered || requests <= 0 || toMs <= fromMs) {
            return Optional.empty();
        }
        Map<Metric, Double> figures = new EnumMap<>(Metric.class);
        Metric.ofServer()
                .forEach(metric -> figures.put(metric, read(metric.reading().orElseThrow(), fromMs, toMs, requests)));
        return Optional.of(new ServerUse(
                figures, growth(RSS, fromMs, toMs) / growth(ALLOCATED, fromMs, toMs), threads(fromMs, toMs)));
    }

    private double read(Reading reading, long fromMs, long toMs, long requests) {
        String column = reading.column();
        double millis = toMs - fromMs;
        return switch (reading.how()) {
            case PER_REQUEST, PART_OF_CPU -> growth(column, fromMs, toMs) * reading.factor() / requests;
            case PER_TIME_OF_LOAD -> reading.factor() * growth(column, fromMs, toMs) / millis;
            case PER_CPU_TIME -> {
                double cpu = growth(CPU, fromMs, toMs);
                yield cpu > 0 ? reading.factor() * growth(column, fromMs, toMs) / cpu : Double.NaN;
            }
            case PER_CONNECTION -> {
                double taken = growth(TAKEN, fromMs, toMs);
                yield taken > 0 ? reading.factor() * growth(column, fromMs, toMs) / taken : Double.NaN;
            }
            case MEAN -> within(column, fromMs, toMs).average().orElse(Double.NaN);
            case MOST -> within(column, fromMs, toMs).max().orElse(Double.NaN);
            case LEAST ->
                within(column, fromMs, toMs).filter(value -> value > 0).min().orElse(Double.NaN);
            case OF_BUSIEST_GENERATOR ->
                reading.factor()
                        * most(generators.isEmpty() ? Stream.of(this) : generators.stream(), column, fromMs, toMs)
                        / millis;
            case OF_WORST_MACHINE -> reading.factor() * steal(fromMs, toMs) / millis;
            case OF_WORST_PROCESSORS -> Math.max(0, reading.factor() * others(fromMs, toMs) / millis);
        };
    }

    /** Returns the mean time from one row to the next, ms. */
    double rowMs(long fromMs, long toMs) {
        return (toMs - fromMs) / (double) within(TIME, fromMs, toMs).count();
    }

    /**
     * Returns the number of connections that the kernel dropped because too many were waiting to be accepted; 0 if it
     * is not known.
     */
    public long dropped(long fromMs, long toMs) {
        double dropped = growth(DROPPED, fromMs, toMs);
        return Double.isNaN(dropped) ? 0 : Math.round(dropped);
    }

    /**
     * Returns the span from the first to the last row between {@code fromMs} and {@code toMs}; empty if it is less than
     * half of this time.
     */
    Optional<SliceReader.Span> within(long fromMs, long toMs) {
        double[] inside = rows.stream()
                .mapToDouble(row -> row[0])
                .filter(ms -> ms >= fromMs && ms <= toMs)
                .toArray();
        return inside.length > 1 && inside[inside.length - 1] - inside[0] >= (toMs - fromMs) / 2.0
                ? Optional.of(new SliceReader.Span((long) inside[0], (long) inside[inside.length - 1]))
                : Optional.empty();
    }

    /** Returns the steal time of the machine that lost most: that of the servers, or one that sends the load. */
    private double steal(long fromMs, long toMs) {
        double most = most(Stream.concat(generators.stream(), Stream.of(this)), STEAL, fromMs, toMs);
        return generators.isEmpty() && columns.contains(GENERATOR_STEAL)
                ? Math.max(most, growth(GENERATOR_STEAL, fromMs, toMs))
                : most;
    }

    /**
     * Returns other programs' use of the servers' or the generators' processors, whichever is larger, as far as it is
     * known.
     */
    private double others(long fromMs, long toMs) {
        DoubleStream ofGenerators = generators.isEmpty()
                ? DoubleStream.of(growth(GENERATOR_OTHERS, fromMs, toMs))
                : generators.stream().mapToDouble(one -> one.growth(OTHERS, fromMs, toMs));
        return DoubleStream.concat(DoubleStream.of(growth(OTHERS, fromMs, toMs)), ofGenerators)
                .filter(ms -> !Double.isNaN(ms))
                .max()
                .orElse(Double.NaN);
    }

    /** Returns the largest growth; NaN if one of them is not known. */
    private static double most(Stream<MonitorSeries> of, String name, long fromMs, long toMs) {
        return of.mapToDouble(one -> one.growth(name, fromMs, toMs))
                .reduce(Math::max)
                .orElse(Double.NaN);
    }

    private Map<String, Double> threads(long fromMs, long toMs) {
        Map<String, Double> means = new TreeMap<>();
        columns.stream().filter(column -> column.startsWith(THREADS)).forEach(column -> within(column, fromMs, toMs)
                .average()
                .ifPresent(mean -> means.put(column.substring(THREADS.length()), mean)));
        return means;
    }

    private DoubleStream within(String name, long fromMs, long toMs) {
        int column = columns.indexOf(name);
        return rows.stream()
                .filter(row -> column >= 0 && row[0] >= fromMs && row[0] < toMs)
                .mapToDouble(row -> row[column])
                .filter(value -> !Double.isNaN(value));
    }

    /** Returns the growth of a total, interpolated at the times at which it was read. */
    private double growth(String name, long fromMs, long toMs) {
        int column = columns.indexOf(name);
        int own = List.of(GENERATOR, GENERATOR_STEAL, GENERATOR_OTHERS).contains(name)
                ? columns.indexOf(GENERATOR_TIME)
                : -1;
        // The kernel's figures are read after the server has answered, so they belong to a later time than that of the
        // row.
        int machine = columns.indexOf(MACHINE_TIME);
        int time = own >= 0 ? own : machine >= 0 && column > machine ? machine : 0;
        return column < 0 ? Double.NaN : at(column, time, toMs) - at(column, time, fromMs);
    }

    /**
     * Returns a total at one moment, interpolated between the rows around it; NaN before the first row and after the
     * last one.
     */
    private double at(int column, int time, long ms) {
        int after = IntStream.range(0, rows.size())
                .filter(i -> rows.get(i)[time] >= ms)
                .findFirst()
                .orElse(-1);
        if (after < 0 || after == 0 && rows.get(0)[time] > ms) {
            return Double.NaN;
        }
        double[] next = rows.get(after);
        if (next[time] == ms) {
            return next[column];
        }
        double[] last = rows.get(after - 1);
        double share = (ms - last[time]) / (next[time] - last[time]);
        return last[column] + share * (next[column] - last[column]);
    }
}
