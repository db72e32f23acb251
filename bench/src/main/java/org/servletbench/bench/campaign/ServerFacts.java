package org.servletbench.bench.campaign;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.FieldMismatchStrategy;
import de.siegmar.fastcsv.reader.NamedCsvRecord;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.TreeMap;
import org.servletbench.bench.measure.ServerRecord;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Scheduling;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.model.Warning;
import org.servletbench.bench.model.WarningKind;
import org.servletbench.bench.record.SeenCode;
import org.servletbench.bench.record.ServerRun.ThreadTimeline;
import org.servletbench.bench.record.ServerRun.WarmUpRecord;
import org.servletbench.bench.server.WarmUp;

/**
 * Facts about a server, from its own record.
 *
 * @param proven identity reported by the running server
 * @param startUp figures of its start, by {@link Metric#key}
 */
record ServerFacts(Map<String, String> proven, Map<String, Double> startUp) {

    /** @param folder folder of the server; without a record, the result is empty */
    static ServerFacts read(Path folder) {
        Path file = folder.resolve(ServerRecord.FILE);
        if (!Files.isRegularFile(file)) {
            return new ServerFacts(Map.of(), Map.of());
        }
        try {
            return of(ServerRecord.read(file));
        } catch (IOException e) {
            throw new TargetException("cannot read " + file + " (" + e.getMessage() + ")");
        }
    }

    private static ServerFacts of(ServerRecord server) {
        Map<String, String> proven = new TreeMap<>(server.proven().facts());
        List<String> options = server.proof().jvmOptions();
        proven.put("jvm.options", options == null ? "" : String.join(" ", options));
        Map<String, Double> startUp = new TreeMap<>();
        ServerRecord.Life life = server.life();
        if (life.startUp() != null) {
            life.startUp().forEach((key, value) -> startUp.put(key, value.doubleValue()));
        }
        if (life.readyMs() != null) {
            startUp.put(Metric.READY.key(), life.readyMs().doubleValue());
        }
        return new ServerFacts(proven, startUp);
    }

    /** Returns a warning if a server with time slices shares its scheduler group. */
    Optional<Warning> sharedScheduler() {
        return Optional.of(Warning.of(
                        WarningKind.SHARED_SCHEDULER,
                        "the scheduler has one account for it and the servers that it takes turns with"))
                .filter(warning -> Scheduling.isShared(proven.get(Scheduling.FACT)));
    }

    /** @param code kinds of code that its threads ran; null if it is not a JVM */
    static WarmUpRecord warmUp(WarmUp.Outcome outcome, SeenCode code) {
        return new WarmUpRecord(
                outcome.settled(),
                outcome.reason(),
                outcome.seconds(),
                outcome.bursts().stream().map(WarmUp.Burst::requestsPerSecond).toList(),
                outcome.bursts().stream()
                        .map(burst -> Double.isNaN(burst.backlog()) ? null : Double.valueOf(burst.backlog()))
                        .toList(),
                code);
    }

    private static final String THREADS = "threads.";
    private static final int MOST_POINTS = 120;

    /**
     * @param loadFromMs start of the measured load, ms since the epoch
     *
     * @return the numbers of threads; null if the monitor did not record any
     */
    static ThreadTimeline threads(Path monitor, long loadFromMs) {
        try (CsvReader<NamedCsvRecord> rows = CsvReader.builder()
                .extraFieldStrategy(FieldMismatchStrategy.IGNORE)
                .missingFieldStrategy(FieldMismatchStrategy.IGNORE)
                .ofNamedCsvRecord(monitor)) {
            List<NamedCsvRecord> all = rows.stream()
                    .filter(row -> row.getFieldCount() == row.getHeader().size())
                    .toList();
            List<String> columns = all.stream()
                    .limit(1)
                    .flatMap(row -> row.getHeader().stream())
                    .filter(name -> name.startsWith(THREADS))
                    .toList();
            if (columns.isEmpty()) {
                return null;
            }
            int step = (all.size() + MOST_POINTS - 1) / MOST_POINTS;
            long start = Long.parseLong(all.get(0).getField("time.ms"));
            List<Double> seconds = new ArrayList<>();
            Map<String, List<Double>> series = new TreeMap<>();
            for (int i = 0; i < all.size(); i += step) {
                NamedCsvRecord row = all.get(i);
                seconds.add((Long.parseLong(row.getField("time.ms")) - start) / 1000.0);
                columns.forEach(
                        column -> series.computeIfAbsent(column.substring(THREADS.length()), name -> new ArrayList<>())
                                .add(row.getField(column).isEmpty() ? null : Double.valueOf(row.getField(column))));
            }
            return new ThreadTimeline(seconds, series, Math.max(0, (loadFromMs - start) / 1000.0));
        } catch (IOException
                | UncheckedIOException
                | CsvParseException
                | IllegalArgumentException
                | NoSuchElementException e) {
            return null;
        }
    }
}
