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
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.servletbench.bench.load.jmeter.JMeter;
import org.servletbench.bench.measure.Rotation;
import org.servletbench.bench.measure.TurnUse;
import org.servletbench.bench.measure.TurnsReader;

/**
 * A {@link Batch} as the {@link Schedule} of one generator process, which warms itself up, works through it, and says on its
 * standard output how far it is. A process for each window would measure a cold generator.
 */
public final class ScheduledLoad implements AutoCloseable {

    /** Beyond what the schedule takes: start, report, a busy machine. */
    private static final long PATIENCE_SECONDS = 120;

    private static final long LOOK_MILLIS = 200;
    /** The last requests of a window are answered by then, ms. */
    private static final long EDGE_MILLIS = 20;

    private final String who;
    private final Batch batch;
    private final Path folder;
    private final Generator.Watch watch;
    private final Map<String, Batch.Window> windows = new LinkedHashMap<>();
    private final Map<String, Batch.Load> turns = new LinkedHashMap<>();
    private final Schedule schedule;
    private final ScheduledExecutorService edges = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "servlet-bench-edges");
        thread.setDaemon(true);
        return thread;
    });
    private volatile long beganNanos;
    private volatile long warmNanos = System.nanoTime();
    private double loadSeconds;

    /**
     * @param who the generator's name, for messages
     * @param folder gets {@code schedule.json} and the turns
     */
    public ScheduledLoad(String who, Batch batch, Path folder, Generator.Watch watch) {
        this.who = who;
        this.batch = batch;
        this.folder = folder;
        this.watch = watch;
        Random random = new Random(batch.seed());
        List<Schedule.Turns> rotations = new ArrayList<>();
        for (Batch.Load load : batch.loadsInTurns(random)) {
            turns.put(load.name(), load);
            rotations.add(batch.turns(load, random.nextLong()));
        }
        List<Batch.Load> others =
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
                window.load().users(),
                window.load().rate(),
                batch.rampUpMs(),
                batch.windowMs());
    }

    public Schedule schedule() {
        return schedule;
    }

    /** Windows by the names that they have in the log; empty where every load takes turns. */
    public Map<String, Batch.Window> windows() {
        return windows;
    }

    /** Writes the schedule, and gives its file. */
    public Path write() throws IOException {
        Path file = folder.resolve("schedule.json").toAbsolutePath();
        schedule.write(file);
        return file;
    }

    /**
     * Waits for the process to work through it.
     *
     * @param process has just been started; ended when this returns
     * @param output gets what it prints
     * @throws LoadException if it fails, a server dies or it takes far too long
     */
    public void run(Process process, Path output) {
        watch.phase("", "generator warm-up");
        try {
            watch.loadedBy(process.toHandle());
            Thread reader = new Thread(() -> listen(process, output), "servlet-bench-generator");
            reader.setDaemon(true);
            reader.start();
            await(process, output);
            reader.join(LOOK_MILLIS * 5);
        } catch (IOException e) {
            throw new LoadException(who + " could not be run in " + folder + " (" + e.getMessage() + ")");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LoadException("interrupted under load");
        } finally {
            JMeter.stop(process);
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
        watch.phase(server, "measure " + window.load().name());
        edges.schedule(
                () -> watch.mark(server), batch.rampUpMs() + batch.windowMs() + EDGE_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void begins(Batch.Load load) {
        load.stops().forEach(stop -> watch.begins(stop.name()));
        watch.phase("", "measure " + load.name() + " in turns");
        try {
            watch.turns(load, Schedule.readRotation(Schedule.rotationFile(folder, load.name())));
        } catch (IOException e) {
            throw new LoadException("cannot read the turns of " + load.name() + " (" + e.getMessage() + ")");
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
                throw new LoadException(who + " did not end; see " + output);
            }
        }
        Optional<String> death = watch.death();
        if (death.isPresent()) {
            throw new LoadException("a server died under load: " + death.get());
        }
        if (process.exitValue() != 0) {
            throw new LoadException(who + " failed (exit code " + process.exitValue() + "): " + lastWords(output));
        }
    }

    private static String lastWords(Path output) throws IOException {
        return Files.readAllLines(output, StandardCharsets.UTF_8).stream()
                .filter(line -> !line.isBlank() && !line.startsWith("\t"))
                .filter(line -> line.contains("xception"))
                .findFirst()
                .orElse("see " + output);
    }

    /**
     * What the loads in turns gave.
     *
     * @param log to be read
     * @param file the same, for a link
     */
    public List<LoadResult> turns(TurnsReader.Log log, Path file) {
        List<LoadResult> results = new ArrayList<>();
        try {
            for (Batch.Load load : turns.values()) {
                Rotation rotation = Schedule.readRotation(Schedule.rotationFile(folder, load.name()));
                List<TurnUse> uses = watch.uses(load);
                TurnUse.write(uses, folder.resolve("turns-" + load.name().replace(' ', '-') + ".csv"));
                results.add(new LoadResult.InTurns(
                        load,
                        rotation,
                        TurnsReader.read(rotation, load.users(), uses, log),
                        batch.keepRaw() ? List.of(file) : List.of()));
            }
        } catch (IOException e) {
            throw new LoadException("cannot measure " + file + " (" + e.getMessage() + ")");
        }
        return results;
    }

    /** The results, with the times that it took. */
    public Generator.Results results(List<LoadResult> all) {
        double warmUp = beganNanos == 0 ? 0 : Math.max(0, warmNanos - beganNanos) / 1e9;
        return new Generator.Results(all, warmUp, loadSeconds);
    }

    @Override
    public void close() {
        edges.shutdownNow();
    }
}
