package org.servletbench.bench.load;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;
import org.servletbench.bench.load.gatling.Gatling;
import org.servletbench.bench.measure.LogSource;
import org.servletbench.bench.measure.Recorder;
import org.servletbench.bench.measure.Records;
import org.servletbench.bench.measure.TurnsReader.Span;
import org.servletbench.bench.model.Options;
import org.servletbench.bench.server.ManagedProcess;

/**
 * The latency probe: a Gatling of its own that sends few requests to the server that is under load. A generator that is busy
 * times late; this one is idle, so that its response times are the server's. They are never mixed with the load's.
 */
public final class Probe implements AutoCloseable {

    private static final String RATE = "probe.rate";
    private static final Gatling TOOL = new Gatling();
    /** With more it would be a load of its own, requests/s. */
    private static final double MOST = 1000;

    private static final int DIGITS = 3;
    private static final long LOOK_MILLIS = 100;
    private static final long PATIENCE_SECONDS = 120;
    /** Requests that are sent so many mean response times before the end of a window may be answered after it. */
    private static final int TAIL = 3;

    private final Process process;
    private final Path folder;
    private final Path own;
    private final Path output;

    private Probe(Process process, Path folder, Path own, Path output) {
        this.process = process;
        this.folder = folder;
        this.own = own;
        this.output = output;
    }

    /**
     * Requests/s on average, in random intervals; 0: no probe.
     *
     * @throws org.servletbench.bench.model.UsageException if it is no number, or more than 1000
     */
    public static double rate(Options options) {
        return options.text(RATE).isEmpty() ? 0 : options.decimal(RATE, 0, MOST);
    }

    /**
     * Starts it, and waits until it has warmed itself up.
     *
     * @param schedule the file; its folder gets a folder {@code probe}
     * @throws LoadException if it cannot be started, or ends
     */
    static Probe start(Batch batch, Schedule schedule, Path file, Generator.Watch watch) throws IOException {
        Path folder = file.getParent();
        Path own = Files.createDirectories(folder.resolve("probe"));
        Path output = folder.resolve("probe.out");
        Process process = ManagedProcess.start(
                new ProcessBuilder(Gatling.probe(batch.root(), file, own, rate(batch.options())))
                        .directory(own.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile()),
                ManagedProcess.Farewell.KILL);
        Probe probe = new Probe(process, folder, own, output);
        try {
            watch.phase("", "latency probe warm-up");
            watch.pinProbe(process.pid());
            probe.awaitWarm(2 * schedule.warmUp().limitMs());
            return probe;
        } catch (IOException | RuntimeException e) {
            probe.close();
            throw e;
        }
    }

    private void awaitWarm(long expectedMs) throws IOException {
        long deadline = System.nanoTime() + expectedMs * 1_000_000 + PATIENCE_SECONDS * 1_000_000_000L;
        while (!Files.readString(output, StandardCharsets.UTF_8).contains(Schedule.MEASURING)) {
            if (ended(LOOK_MILLIS) || System.nanoTime() > deadline) {
                throw new LoadException(
                        "the latency probe " + (process.isAlive() ? "did not begin" : "ended") + "; see " + output);
            }
        }
    }

    private boolean ended(long waitMs) {
        try {
            return process.waitFor(waitMs, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LoadException("interrupted under load");
        }
    }

    /** The generator has said this. */
    void told(String line) {
        try {
            ProbeTarget.tell(folder, line);
        } catch (IOException e) {
            throw new LoadException("cannot tell the latency probe what is under load (" + e.getMessage() + ")");
        }
    }

    /** The load is over: waits until the probe has ended, too. */
    void end() throws IOException {
        if (!process.isAlive()) {
            throw new LoadException("the latency probe ended before the load did; see " + output);
        }
        ProbeTarget.end(folder);
        if (!ended(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS)) || process.exitValue() != 0) {
            throw new LoadException("the latency probe "
                    + (process.isAlive() ? "did not end" : "failed (exit code " + process.exitValue() + ")") + "; see "
                    + output);
        }
    }

    @Override
    public void close() {
        ManagedProcess.stop(process);
    }

    // ---- what it saw ----

    /** The answers of one server that count: those to requests that were sent within these spans. */
    private record Answers(Batch.Task task, String server, List<Span> spans, Histogram latency, AtomicLong failed) {

        Answers(Batch.Task task, String server, List<Span> spans) {
            this(task, server, spans, new Histogram(DIGITS), new AtomicLong());
        }
    }

    /**
     * What it saw of the same time as the load: of requests that were sent where those of the load count for its percentiles, however
     * late they were answered. Of those that are answered in time alone the slow ones would be missing.
     *
     * @param load what was measured of the load
     */
    List<LoadResult> results(List<LoadResult> load, boolean keepRaw) throws IOException {
        TOOL.ended(own);
        Path log = TOOL.log(own);
        List<LoadResult> results = read(load, RawLog.of(log));
        if (!keepRaw) {
            Files.delete(log);
        }
        return results;
    }

    static List<LoadResult> read(List<LoadResult> load, RawLog log) throws IOException {
        Map<String, Answers> answers = new LinkedHashMap<>();
        for (LoadResult one : load) {
            if (one instanceof LoadResult.FromLog window) {
                long tail = Math.round(TAIL * window.cell().steady().latency().mean());
                Span sent = new Span(
                        window.cell().window().fromMs(), window.cell().window().toMs() - tail);
                answers.put(window.cell().name(), new Answers(window.task(), window.server(), List.of(sent)));
            } else if (one instanceof LoadResult.InTurns turns) {
                for (int i = 0; i < turns.rotation().names().size(); i++) {
                    String server = turns.task().stops().get(i).name();
                    List<Span> sent = turns.turns().sent().get(i);
                    answers.put(turns.rotation().names().get(i), new Answers(turns.task(), server, sent));
                }
            }
        }
        log.read(head -> sink(head, answers));
        return answers.values().stream()
                .<LoadResult>map(one -> new LoadResult.Probed(one.task, one.server, one.latency, one.failed.get()))
                .toList();
    }

    private static Records sink(LogSource head, Map<String, Answers> answers) {
        List<String> names = new ArrayList<>();
        return new Records() {
            @Override
            public int cell(String name) {
                names.add(name);
                return names.size() - 1;
            }

            @Override
            public int errorKind(String message) {
                return 0;
            }

            @Override
            public void request(int cell, long startMs, long endMs, int kind) {
                Answers own = answers.get(names.get(cell));
                long sent = head.originMs() + startMs;
                if (own != null && own.spans.stream().anyMatch(span -> sent >= span.fromMs() && sent < span.toMs())) {
                    own.latency.recordValue(Math.max(0, endMs - startMs));
                    own.failed.addAndGet(kind == Recorder.OK ? 0 : 1);
                }
            }
        };
    }
}
