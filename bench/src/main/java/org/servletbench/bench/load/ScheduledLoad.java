package org.servletbench.bench.load;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.servletbench.bench.measure.Rotation;
import org.servletbench.bench.measure.TurnUse;
import org.servletbench.bench.measure.TurnsReader;
import org.servletbench.bench.server.ManagedProcess;

/**
 * A {@link Batch} as the {@link Schedule} of one generator process, which warms itself up, works through it, and says on its
 * standard output how far it is. A process for each window would measure a cold generator. Its folder gets {@code schedule.json},
 * what the tool prints, its log and the turns.
 */
public final class ScheduledLoad implements AutoCloseable {

    /** A tool that works through a schedule in one process. */
    public interface Tool {

        /** Its name, for people; in lower case that of the file with its output. */
        String title();

        /**
         * Starts it.
         *
         * @param file with the schedule
         * @param folder gets its log
         */
        Process start(Batch batch, Schedule schedule, Path file, Path folder) throws IOException;

        /** It has ended: its files are moved where they belong. */
        default void ended(Path folder) throws IOException {}

        /** Its raw log. */
        Path log(Path folder);

        /** Its report, for a link. */
        Path report(Path folder);
    }

    /** Beyond what the schedule takes: start, report, a busy machine. */
    private static final long PATIENCE_SECONDS = 120;

    private static final long LOOK_MILLIS = 200;
    /** The last requests of a window are answered by then, ms. */
    private static final long EDGE_MILLIS = 20;

    private final Tool tool;
    private final Batch batch;
    private final Path folder;
    private final Generator.Watch watch;
    private final Map<String, Batch.Window> windows = new LinkedHashMap<>();
    private final Map<String, Batch.Task> turns = new LinkedHashMap<>();
    private final Schedule schedule;
    private final ScheduledExecutorService edges = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "servlet-bench-edges");
        thread.setDaemon(true);
        return thread;
    });
    private volatile long beganNanos;
    private volatile long warmNanos = System.nanoTime();
    private double loadSeconds;

    private ScheduledLoad(Tool tool, Batch batch, Path folder, Generator.Watch watch) {
        this.tool = tool;
        this.batch = batch;
        this.folder = folder;
        this.watch = watch;
        Random random = new Random(batch.seed());
        List<Schedule.Turns> rotations = new ArrayList<>();
        for (Batch.Task task : batch.loadsInTurns(random)) {
            turns.put(task.load().name(), task);
            rotations.add(batch.turns(task, random.nextLong()));
        }
        List<Batch.Task> others =
                batch.loads().stream().filter(load -> !batch.inTurns(load)).toList();
        batch.windows(others, batch.rounds(), random).forEach(window -> windows.put(window.name(), window));
        schedule = new Schedule(
                batch.warmUp(),
                batch.servers(),
                windows.values().stream().map(this::scheduled).toList(),
                rotations,
                batch.description());
    }

    private Schedule.Window scheduled(Batch.Window window) {
        return new Schedule.Window(
                window.name(),
                window.stop().server(),
                window.stop().path(),
                window.stop().minBytes(),
                window.stop().maxBytes(),
                window.task().load().tier(),
                window.task().load().rate(),
                batch.rampUpMs(),
                batch.windowMs());
    }

    /**
     * Works through a batch.
     *
     * @param folder gets everything
     * @throws LoadException see {@link Generator#run}
     */
    public static Generator.Results run(Tool tool, Batch batch, Path folder, Generator.Watch watch) {
        try (ScheduledLoad load = new ScheduledLoad(tool, batch, folder, watch)) {
            load.run();
            return load.results();
        } catch (IOException e) {
            throw new LoadException(tool.title() + " could not be run in " + folder + " (" + e.getMessage() + ")");
        }
    }

    private void run() throws IOException {
        Path file = folder.resolve("schedule.json").toAbsolutePath();
        schedule.write(file);
        Process process = tool.start(batch, schedule, file, folder);
        Path output = folder.resolve(tool.title().toLowerCase(Locale.ROOT) + ".out");
        watch.phase("", "generator warm-up");
        try {
            watch.loadedBy(process.toHandle());
            Thread reader = new Thread(() -> listen(process, output), "servlet-bench-generator");
            reader.setDaemon(true);
            reader.start();
            await(process, output);
            reader.join(LOOK_MILLIS * 5);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LoadException("interrupted under load");
        } finally {
            ManagedProcess.stop(process);
            tool.ended(folder);
        }
        loadSeconds = Math.max(0, System.nanoTime() - warmNanos) / 1e9;
        watch.phase("", "measure the logs");
        // A row after the load: the process ends before the next second does.
        batch.loads().stream()
                .flatMap(load -> load.stops().stream())
                .map(Schedule.Stop::name)
                .distinct()
                .forEach(watch::mark);
    }

    private void listen(Process process, Path output) {
        try (BufferedReader lines =
                        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
                BufferedWriter copy = Files.newBufferedWriter(output, StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                copy.write(line);
                copy.newLine();
                copy.flush();
                try {
                    told(line);
                } catch (RuntimeException e) {
                    // Nobody can be told here; what is missing then is found when the log is measured.
                    copy.write("servlet-bench: " + e + "\n");
                }
            }
        } catch (IOException e) {
            // Its end is seen by whoever waits for the process.
        }
    }

    private void told(String line) {
        if (line.startsWith(Schedule.FIRST_BURST)) {
            beganNanos = System.nanoTime() - schedule.warmUp().burstMs() * 1_000_000;
        } else if (line.startsWith(Schedule.MEASURING)) {
            warmNanos = System.nanoTime();
            watch.pin();
        } else if (line.startsWith(Schedule.WINDOW)) {
            begins(windows.get(line.substring(Schedule.WINDOW.length())));
        } else if (line.startsWith(Schedule.ROTATION)) {
            begins(turns.get(line.substring(Schedule.ROTATION.length())));
        }
    }

    private void begins(Batch.Window window) {
        String server = window.stop().name();
        watch.begins(server);
        watch.phase(server, "measure " + window.task().load().name());
        edges.schedule(
                () -> watch.mark(server), batch.rampUpMs() + batch.windowMs() + EDGE_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void begins(Batch.Task task) {
        task.stops().forEach(stop -> watch.begins(stop.name()));
        watch.phase("", "measure " + task.load().name() + " in turns");
        try {
            watch.turns(
                    task,
                    Schedule.readRotation(
                            Schedule.rotationFile(folder, task.load().name())));
        } catch (IOException e) {
            throw new LoadException("cannot read the turns of " + task.load().name() + " (" + e.getMessage() + ")");
        }
    }

    private void await(Process process, Path output) throws InterruptedException, IOException {
        long expected = schedule.warmUp().limitMs()
                + schedule.rotations().stream()
                        .mapToLong(Schedule.Turns::patienceMs)
                        .sum()
                + schedule.windows().stream()
                        .mapToLong(window -> window.rampUpMs() + window.holdMs() + 2000)
                        .sum();
        long deadline =
                System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(2 * expected) + PATIENCE_SECONDS * 1_000_000_000L;
        while (!process.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
            Optional<String> death = watch.death();
            if (death.isPresent()) {
                throw new LoadException("a server died under load: " + death.get());
            }
            if (System.nanoTime() > deadline) {
                throw new LoadException(tool.title() + " did not end; see " + output);
            }
        }
        Optional<String> death = watch.death();
        if (death.isPresent()) {
            throw new LoadException("a server died under load: " + death.get());
        }
        if (process.exitValue() != 0) {
            throw new LoadException(
                    tool.title() + " failed (exit code " + process.exitValue() + "): " + lastWords(output));
        }
    }

    private static String lastWords(Path output) throws IOException {
        return Files.readAllLines(output, StandardCharsets.UTF_8).stream()
                .filter(line -> !line.isBlank() && !line.startsWith("\t"))
                .filter(line -> line.contains("xception"))
                .findFirst()
                .orElse("see " + output);
    }

    private Generator.Results results() {
        Path log = tool.log(folder);
        List<LoadResult> results = new ArrayList<>();
        if (!windows.isEmpty()) {
            Set<String> inTurns = schedule.rotations().stream()
                    .flatMap(load -> load.stops().stream())
                    .map(Schedule.Stop::name)
                    .collect(Collectors.toSet());
            results.addAll(WindowLog.read(RawLog.of(log), windows, inTurns, WindowLog.files(batch, tool.report(folder), log)));
        }
        try {
            for (Batch.Task task : turns.values()) {
                results.add(inTurns(task, log));
            }
        } catch (IOException e) {
            throw new LoadException("cannot measure " + log + " (" + e.getMessage() + ")");
        }
        WindowLog.deleteUnlessKept(batch, log);
        double warmUp = beganNanos == 0 ? 0 : Math.max(0, warmNanos - beganNanos) / 1e9;
        return new Generator.Results(results, warmUp, loadSeconds);
    }

    private LoadResult inTurns(Batch.Task task, Path log) throws IOException {
        Path file = Schedule.rotationFile(folder, task.load().name());
        if (!Files.exists(file)) {
            throw new LoadException(
                    tool.title() + " ended without its turns of " + task.load().name() + "; see " + folder);
        }
        Rotation rotation = Schedule.readRotation(file);
        List<TurnUse> uses = watch.uses(task);
        TurnUse.write(uses, folder.resolve("turns-" + task.load().name().replace(' ', '-') + ".csv"));
        return new LoadResult.InTurns(
                task,
                rotation,
                TurnsReader.read(rotation, task.load().tier(), uses, RawLog.of(log)::read),
                batch.keepRaw() ? List.of(log) : List.of());
    }

    @Override
    public void close() {
        edges.shutdownNow();
    }
}
