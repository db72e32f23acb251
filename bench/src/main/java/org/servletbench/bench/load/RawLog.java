package org.servletbench.bench.load;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.servletbench.bench.measure.LogMeasurement;
import org.servletbench.bench.measure.LogSource;
import org.servletbench.bench.measure.MonitorSeries;
import org.servletbench.bench.measure.NativeCount;
import org.servletbench.bench.measure.Recorder;
import org.servletbench.bench.measure.Records;
import org.servletbench.bench.measure.UnreadableLogException;

/**
 * What was logged of a load: a file, or one of each load host, read as one. Requests of one name are one cell, users of different
 * files are different users. It may be Gatling's {@code simulation.log} or JMeter's results as CSV.
 *
 * @param parts at least one, in any order
 */
public record RawLog(List<Part> parts) {

    /**
     * A file.
     *
     * @param file the log
     * @param offsetMs what is added to its times so that they are by the same clock as those of the other files, ms
     */
    public record Part(Path file, long offsetMs) {}

    /** What a thread may hold of a file, bytes: a recorder, chunks of the file, and what is merged. */
    private static final long MEMORY_OF_A_THREAD = 32 << 20;

    public RawLog {
        parts = List.copyOf(parts);
        if (parts.isEmpty()) {
            throw new IllegalArgumentException("no log");
        }
    }

    /** One file, by its own clock. */
    public static RawLog of(Path file) {
        return new RawLog(List.of(new Part(file, 0)));
    }

    /**
     * The same as {@link #measure(Optional)}; counts are compared with the generator's own reports where each part has one next to
     * it (see {@link NativeReport#beside}).
     */
    public LogMeasurement measure() throws IOException {
        Map<String, NativeCount> sums = new HashMap<>();
        for (Part part : parts) {
            Optional<Map<String, NativeCount>> counts = NativeReport.beside(part.file);
            if (counts.isEmpty()) {
                return measure(Optional.empty());
            }
            counts.get().forEach((name, count) -> sums.merge(name, count, NativeCount::plus));
        }
        return measure(Optional.of(sums));
    }

    /**
     * Measures; several files at the same time.
     *
     * @param nativeCounts what the generator's own report says, by request name
     * @throws UnreadableLogException when a part is no log, is of a version that is not read, or of another run than the others
     * @throws IOException when one cannot be read at all
     */
    public LogMeasurement measure(Optional<Map<String, NativeCount>> nativeCounts) throws IOException {
        List<LogSource> heads = heads();
        Recorder all = new Recorder(together(heads));
        long records = 0;
        ExecutorService threads = Executors.newFixedThreadPool(threads());
        try {
            List<Future<Long>> merged = new ArrayList<>();
            for (int i = 0; i < parts.size(); i++) {
                Part part = parts.get(i);
                LogSource head = heads.get(i);
                Future<Long> before = i == 0 ? null : merged.get(i - 1);
                merged.add(threads.submit(() -> {
                    Recorder own = parts.size() == 1 ? all : all.beside(head, parts.size());
                    long read = read(part, source -> own);
                    // In their order, so that the same logs always give the same figures.
                    if (before != null) {
                        before.get();
                    }
                    if (own != all) {
                        all.merge(own, part.file.toString());
                    }
                    return read;
                }));
            }
            for (Future<Long> read : merged) {
                records += read.get();
            }
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException failure ? failure : new IOException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while reading");
        } finally {
            threads.shutdownNow();
        }
        LogMeasurement measured = all.measure(records, nativeCounts);
        for (Part part : parts) {
            Path monitor = part.file.resolveSibling("monitor.csv");
            if (Files.isRegularFile(monitor)) {
                return measured.with(MonitorSeries.read(monitor).as(part.offsetMs, 1));
            }
        }
        return measured;
    }

    @Override
    public String toString() {
        return parts.stream().map(part -> part.file.toString()).collect(Collectors.joining(", "));
    }

    private int threads() {
        long most = Math.min(
                Runtime.getRuntime().availableProcessors(), Runtime.getRuntime().maxMemory() / MEMORY_OF_A_THREAD);
        return (int) Math.max(1, Math.min(most, parts.size()));
    }

    /**
     * Reads the parts, one after the other.
     *
     * @param sink makes of a part's head what takes its records, for each part in turn; its origin is by the common clock
     * @return the number of requests read
     * @throws IOException as {@link #measure}
     */
    public long read(Function<LogSource, ? extends Records> sink) throws IOException {
        together(heads());
        long records = 0;
        for (Part part : parts) {
            records += read(part, sink);
        }
        return records;
    }

    private long read(Part part, Function<LogSource, ? extends Records> sink) throws IOException {
        try {
            return format(part.file).read(part.file, source -> sink.apply(source.later(part.offsetMs)));
        } catch (UnreadableLogException e) {
            throw parts.size() == 1 ? e : new UnreadableLogException(part.file + ": " + e.getMessage());
        }
    }

    /** Ends the reading of a log after its head. */
    private static final class Head extends RuntimeException {
        private static final long serialVersionUID = 1;
        private final transient LogSource source;

        Head(LogSource source) {
            super(null, null, false, false);
            this.source = source;
        }
    }

    private List<LogSource> heads() throws IOException {
        List<LogSource> heads = new ArrayList<>();
        for (Part part : parts) {
            try {
                read(part, source -> {
                    throw new Head(source);
                });
            } catch (Head head) {
                heads.add(head.source);
            }
        }
        return heads;
    }

    /** The head of all parts: they must be of one load. */
    private LogSource together(List<LogSource> heads) throws UnreadableLogException {
        LogSource all = heads.get(0);
        for (int i = 1; i < heads.size(); i++) {
            LogSource other = heads.get(i);
            if (!all.isOfTheSameLoadAs(other)) {
                throw new UnreadableLogException(
                        parts.get(i).file + " (" + other.words() + ") and " + parts.get(0).file + " (" + all.words()
                                + ") are not of one load: only logs of the same generator, simulation and columns are merged");
            }
            all = all.later(Math.min(0, other.originMs() - all.originMs()));
        }
        return all;
    }

    private static LogFormat format(Path file) throws IOException {
        if (Files.isDirectory(file)) {
            throw new UnreadableLogException("a directory; name the log in it");
        }
        int first;
        try (InputStream in = Files.newInputStream(file)) {
            first = in.read();
        }
        if (first < 0) {
            throw new UnreadableLogException("empty");
        }
        return Generators.all().stream()
                .flatMap(generator -> generator.log().stream())
                .filter(one -> one.begins().test(first))
                .findFirst()
                .orElseThrow(
                        () -> new UnreadableLogException("neither a simulation.log of Gatling nor a CSV of JMeter"));
    }
}
