package org.servletbench.bench.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;
import org.servletbench.bench.host.Machines;
import org.servletbench.bench.load.gatling.Gatling;
import org.servletbench.bench.measure.LogSource;
import org.servletbench.bench.measure.Recorder;
import org.servletbench.bench.measure.Records;
import org.servletbench.bench.measure.Rotation;
import org.servletbench.bench.measure.TurnsReader.Span;
import org.servletbench.bench.model.Json;
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

    private final Path folder;
    private final Path own;
    private final Optional<LoadHost> host;
    private Worker worker;
    private volatile boolean warm;

    private Probe(Path folder, Optional<LoadHost> host) throws IOException {
        this.folder = folder;
        this.own = Files.createDirectories(folder.resolve("probe"));
        this.host = host;
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
     * Starts it on its machine, and waits until it has warmed itself up.
     *
     * @param schedule the file; its folder gets a folder {@code probe}
     * @throws LoadException if it cannot be started, or ends
     * @throws org.servletbench.bench.server.TargetException if its machine cannot be used
     */
    static Probe start(Batch batch, Schedule schedule, Path file, Generator.Watch watch) throws IOException {
        Machines machines = Machines.of(batch.options());
        Probe probe =
                new Probe(file.getParent(), machines.probe().map(there -> LoadHost.connect(there, machines.java())));
        try {
            probe.start(batch, file, watch);
            probe.awaitWarm(2 * schedule.warmUp().limitMs());
            return probe;
        } catch (IOException | RuntimeException e) {
            probe.close();
            throw e;
        }
    }

    private void start(Batch batch, Path file, Generator.Watch watch) throws IOException {
        watch.phase(
                "",
                "latency probe warm-up" + host.map(one -> " on " + one.words()).orElse(""));
        List<String> command = Gatling.probe(batch.root(), file, own, rate(batch.options()), host);
        if (host.isPresent()) {
            copy(file.getFileName().toString(), Files.readAllBytes(file));
            worker = new Worker("probe", host.get().start(command), folder, host);
        } else {
            worker = new Worker(
                    "probe",
                    ManagedProcess.start(
                            new ProcessBuilder(command).directory(own.toFile()).redirectErrorStream(true),
                            ManagedProcess.Farewell.KILL),
                    folder,
                    host);
            watch.pinProbe(worker.process().pid());
        }
        worker.listen(line -> warm |= line.contains(Schedule.MEASURING), failure -> {});
    }

    private void copy(String name, byte[] content) {
        host.orElseThrow().write(name, content);
    }

    private void awaitWarm(long expectedMs) {
        long deadline = System.nanoTime() + expectedMs * 1_000_000 + PATIENCE_SECONDS * 1_000_000_000L;
        while (!warm) {
            boolean ended = ended(LOOK_MILLIS);
            if (ended || System.nanoTime() > deadline) {
                throw new LoadException(
                        "the latency probe " + (ended ? "ended" : "did not begin") + "; see " + worker.output());
            }
        }
    }

    private boolean ended(long waitMs) {
        try {
            return worker.process().waitFor(waitMs, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LoadException("interrupted under load");
        }
    }

    /** The generator has said this. */
    synchronized void told(String line) {
        try {
            if (ProbeTarget.tell(folder, line) && host.isPresent()) {
                if (line.startsWith(Schedule.ROTATION)) {
                    Path file = Schedule.rotationFile(folder, line.substring(Schedule.ROTATION.length()));
                    Rotation turns = Schedule.readRotation(file);
                    copy(
                            file.getFileName().toString(),
                            Json.MAPPER.writeValueAsBytes(
                                    turns.startingAt(host.get().clock().there(turns.originMs()))));
                }
                copy(ProbeTarget.FILE, Files.readAllBytes(folder.resolve(ProbeTarget.FILE)));
            }
        } catch (IOException e) {
            throw new LoadException("cannot tell the latency probe what is under load (" + e.getMessage() + ")");
        }
    }

    /** The load is over: waits until the probe has ended, too. */
    void end() {
        if (ended(0)) {
            throw new LoadException("the latency probe ended before the load did; see " + worker.output());
        }
        told(ProbeTarget.END);
        boolean ended = ended(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
        if (!ended || worker.process().exitValue() != 0) {
            throw new LoadException("the latency probe "
                    + (ended ? "failed (exit code " + worker.process().exitValue() + ")" : "did not end") + "; see "
                    + worker.output());
        }
    }

    @Override
    public void close() {
        host.ifPresent(LoadHost::close);
        if (host.isEmpty() && worker != null) {
            ManagedProcess.stop(worker.process());
        }
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
     */
    List<LoadResult> results(List<LoadResult> load, boolean keepRaw) throws IOException {
        Path log = TOOL.log(own);
        RawLog raw = RawLog.of(log);
        if (host.isPresent()) {
            host.get().bringMeter(own);
            raw = new RawLog(List.of(host.get().bring(log.getFileName().toString(), own)));
        } else {
            TOOL.ended(own);
        }
        List<LoadResult> results =
                read(load, raw, host.map(one -> one.clock().uncertaintyMs()).orElse(0.0));
        if (!keepRaw) {
            Files.delete(log);
        }
        return results;
    }

    /** @param uncertaintyMs of the clock of the log: what was sent so near to an edge may have been sent beyond it */
    static List<LoadResult> read(List<LoadResult> load, RawLog log, double uncertaintyMs) throws IOException {
        Map<String, Answers> answers = new LinkedHashMap<>();
        for (LoadResult one : load) {
            if (one instanceof LoadResult.FromLog window) {
                long tail = Math.round(TAIL * window.cell().steady().latency().mean());
                Span sent = new Span(
                        window.cell().window().fromMs(), window.cell().window().toMs() - tail);
                answers.put(
                        window.cell().name(),
                        new Answers(window.task(), window.server(), within(List.of(sent), uncertaintyMs)));
            } else if (one instanceof LoadResult.InTurns turns) {
                for (int i = 0; i < turns.rotation().names().size(); i++) {
                    String server = turns.task().stops().get(i).name();
                    List<Span> sent = within(turns.turns().sent().get(i), uncertaintyMs);
                    answers.put(turns.rotation().names().get(i), new Answers(turns.task(), server, sent));
                }
            }
        }
        log.read(head -> sink(head, answers));
        return answers.values().stream()
                .<LoadResult>map(one -> new LoadResult.Probed(one.task, one.server, one.latency, one.failed.get()))
                .toList();
    }

    private static List<Span> within(List<Span> spans, double uncertaintyMs) {
        long edge = (long) Math.ceil(uncertaintyMs);
        return spans.stream()
                .map(span -> new Span(span.fromMs() + edge, span.toMs() - edge))
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
