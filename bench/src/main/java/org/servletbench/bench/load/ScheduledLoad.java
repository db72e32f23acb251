package org.servletbench.bench.load;

import static org.servletbench.bench.model.Text.text;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.servletbench.bench.generator.RateSteps;
import org.servletbench.bench.generator.Schedule;
import org.servletbench.bench.measure.Interleaving;
import org.servletbench.bench.measure.SliceReader;
import org.servletbench.bench.measure.SliceUsage;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.server.os.ManagedProcess;

/**
 * A {@link Batch} as the {@link Schedule} of one generator process, which warms itself up, works through the schedule,
 * and reports its progress on standard output. With a process for each window, the generator would be cold in every
 * window. With load hosts, one process on each of them takes a share of the users; {@link HostCoordinator} makes them
 * work as one. The batch's folder contains {@code schedule.json}, the tool's output, its logs and the time slices.
 */
public final class ScheduledLoad implements AutoCloseable {

    /** A tool that works through a schedule in one process. */
    public interface Tool extends Generator {

        /** Starts the tool on the schedule in a file. It writes its log to the folder. */
        Process start(Batch batch, Schedule schedule, Path file, Path folder) throws IOException;

        /**
         * Returns the tool's command on a load host.
         *
         * @param share schedule of this host, in the file {@code schedule.json} in the host's folder
         */
        default List<String> command(Batch batch, Schedule share, LoadHost host) throws IOException {
            throw new LoadException(title() + " cannot run on load hosts");
        }

        /** Moves the tool's files to their final place; called when the tool has ended. */
        default void ended(Path folder) throws IOException {}

        Path log(Path folder);

        /** Returns the tool's report, for a link; empty if it makes none. */
        default Optional<Path> report(Path folder) {
            return Optional.empty();
        }
    }

    /** Allowance beyond the schedule, s. It covers the start, the report, and a busy machine. */
    private static final long PATIENCE_SECONDS = 120;

    private static final long LOOK_MILLIS = 200;
    /**
     * Time between the decision that time slices begin and the first slice, ms. Generator and meters prepare meanwhile.
     */
    private static final long NOTICE_MILLIS = 500;
    /** Time after a window for the answers to its last requests, ms. */
    private static final long EDGE_MILLIS = 20;
    /** Time after the last time slice for reading it, ms. */
    private static final long AFTER_MILLIS = 100;

    private final Tool tool;
    private final Batch batch;
    private final Path folder;
    private final Generator.Watch watch;
    private final Map<String, Batch.TaskWindow> windows = new LinkedHashMap<>();
    private final Map<String, Batch.Task> timeSlices = new LinkedHashMap<>();
    /** Settling loads, whose time slices have not been set yet. */
    private final Map<String, Stabilization> settlings = new ConcurrentHashMap<>();

    private double settlingSeconds;
    private volatile double afterSeconds;
    private final Schedule schedule;
    private final LoadHosts hosts;
    private final HostCoordinator together;
    /** Lines that the generators of load hosts have printed. */
    private final Set<String> said = ConcurrentHashMap.newKeySet();
    /** A failure in a thread that reads a generator's output. */
    private volatile RuntimeException failure;

    private RawLog log;
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
        List<Schedule.InterleavedLoad> interleavings = new ArrayList<>();
        for (Batch.Task task : batch.interleavedLoads(random)) {
            timeSlices.put(task.load().name(), task);
            interleavings.add(batch.timeSlices(task, random.nextLong()));
        }
        List<Batch.Task> others = batch.loads().stream()
                .filter(load -> !batch.inTimeSlices(load) && !load.isSearch())
                .toList();
        batch.windows(others, batch.rounds(), random).forEach(window -> windows.put(window.name(), window));
        schedule = new Schedule(
                batch.warmUp(),
                batch.servers(),
                windows.values().stream().map(this::scheduled).toList(),
                interleavings,
                batch.loads().stream()
                        .filter(Batch.Task::isSearch)
                        .flatMap(
                                task -> task.endpoints().stream().map(endpoint -> batch.search(task, endpoint, random)))
                        .toList(),
                batch.description());
        hosts = LoadHosts.connect(batch.machines(), folder);
        together = new HostCoordinator(hosts, schedule);
        interleavings.forEach(load -> settlings.put(
                load.name(),
                new Stabilization(
                        load,
                        Math.max(1, hosts.all().size()),
                        endpoint -> watch.compilerPercent(server(load, endpoint)),
                        endpoint -> watch.code(server(load, endpoint)))));
    }

    private String server(Schedule.InterleavedLoad load, int endpoint) {
        return timeSlices.get(load.name()).endpoints().get(endpoint).name();
    }

    private Schedule.Window scheduled(Batch.TaskWindow window) {
        return new Schedule.Window(
                window.endpoint().named(window.name()),
                window.task().load().users(),
                window.task().load().rate(),
                batch.rampUpMs(),
                batch.windowMs());
    }

    /** Works through a batch: see {@link Generator#run}. */
    public static Generator.Results run(Tool tool, Batch batch, Path folder, Generator.Watch watch) {
        try (ScheduledLoad load = new ScheduledLoad(tool, batch, folder, watch)) {
            load.run();
            return load.results();
        } catch (IOException e) {
            throw new LoadException(tool.title() + " could not be run in " + folder + " (" + e.getMessage() + ")");
        }
    }

    private void run() throws IOException {
        Path file = folder.resolve(Schedule.FILE).toAbsolutePath();
        schedule.write(file);
        List<Worker> workers = new ArrayList<>();
        List<Thread> readers = new ArrayList<>();
        try {
            if (hosts.none()) {
                Process process = tool.start(batch, schedule, file, folder);
                workers.add(new Worker(tool.title(), process, folder, Optional.empty()));
                watch.loadedBy(process.toHandle());
            } else {
                startOnHosts(workers);
            }
            watch.phase("", "generator warm-up");
            if (!schedule.interleavings().isEmpty()) {
                watch.startCode(schedule.interleavings().get(0).name());
            }
            for (Worker worker : workers) {
                readers.add(worker.listen(line -> reported(worker, line), e -> failure = e));
            }
            await(workers);
            for (Thread reader : readers) {
                reader.join(LOOK_MILLIS * 5);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LoadException("interrupted under load");
        } finally {
            Schedule.deleteValues(file);
            // Processes on hosts end with their connections, after their files have been fetched.
            if (hosts.none() && !workers.isEmpty()) {
                ManagedProcess.stop(workers.get(0).process());
                tool.ended(folder);
            }
        }
        loadSeconds = Math.max(0, System.nanoTime() - warmNanos) / 1e9;
        watch.phase("", "measure the logs");
        // The process ends before the next regular row, so one is added after the load.
        batch.loads().stream()
                .flatMap(load -> load.endpoints().stream())
                .map(Schedule.Endpoint::name)
                .distinct()
                .forEach(watch::mark);
        String name = tool.log(folder).getFileName().toString();
        log = hosts.none() ? RawLog.of(tool.log(folder)) : hosts.bring(name);
        if (batch.keepRaw()) {
            log = log.packed();
        }
        for (LoadHost host : hosts.all()) {
            for (Schedule.Search search : schedule.searches()) {
                host.bring(RateSteps.name(search.endpoint().name()), folder);
            }
        }
    }

    private void startOnHosts(List<Worker> workers) throws IOException {
        List<LoadHost> all = hosts.all();
        watch.phase("", hosts.words());
        List<List<String>> commands = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            Schedule share = schedule.shareOf(i, all.size());
            commands.add(tool.command(batch, share, all.get(i)));
            all.get(i).write(Schedule.FILE, Json.MAPPER.writeValueAsBytes(share));
        }
        for (int i = 0; i < all.size(); i++) {
            LoadHost host = all.get(i);
            workers.add(new Worker(tool.title(), host.start(commands.get(i)), hosts.place(host), Optional.of(host)));
        }
    }

    private void reported(Worker worker, String line) {
        worker.host().ifPresent(host -> together.reported(host, line));
        if (line.startsWith(Schedule.PART)) {
            settles(worker, line);
        } else if (worker.host().isEmpty() || line.startsWith(Schedule.SAID) && said.add(line)) {
            // The first of several generators reports for all of them.
            happens(line);
        }
    }

    private synchronized void settles(Worker worker, String line) {
        String load = Stabilization.load(line);
        Stabilization settling = settlings.get(load);
        // A part may end while the time slices are being set.
        if (settling != null) {
            OptionalLong timeSliceMs = settling.reported(worker, line);
            watch.phase("", settling.describe());
            if (timeSliceMs.isPresent()) {
                settlings.remove(load);
                settlingSeconds += settling.seconds();
                begins(load, timeSliceMs.getAsLong());
            }
        }
    }

    private void happens(String line) {
        // A simulation that a user wrote has a first burst at each server.
        if (line.startsWith(Schedule.FIRST_BURST) && beganNanos == 0) {
            beganNanos = System.nanoTime() - schedule.warmUp().burstMs() * 1_000_000;
        } else if (line.startsWith(Schedule.MEASURING)) {
            warmNanos = System.nanoTime();
            if (hosts.none()) {
                watch.pin();
            }
        } else if (line.startsWith(Schedule.WINDOW)) {
            begins(windows.get(line.substring(Schedule.WINDOW.length())));
        } else if (line.startsWith(Schedule.STEP)) {
            stepBegins(line.substring(Schedule.STEP.length()));
        } else if (line.startsWith(Schedule.NEXT_ROW)) {
            String[] words = line.substring(Schedule.NEXT_ROW.length()).split(" ", 3);
            watch.nextRow(words[0], words[2], Long.parseLong(words[1]));
        } else if (line.startsWith(Schedule.STEP_END)) {
            watch.mark(searched(line.substring(Schedule.STEP_END.length())));
        }
    }

    private void begins(Batch.TaskWindow window) {
        String server = window.endpoint().name();
        watch.begins(server);
        watch.phase(server, "measure " + window.task().load().name());
        edges.schedule(
                () -> watch.mark(server), batch.rampUpMs() + batch.windowMs() + EDGE_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void stepBegins(String name) {
        String server = searched(name);
        watch.begins(server);
        watch.mark(server);
        watch.phase(server, "measure " + name.substring(server.length() + 1));
    }

    /**
     * Returns the server of a step. A step's name begins with its server's name and " step ", which follows no other
     * server's name.
     */
    private String searched(String step) {
        return schedule.searches().stream()
                .map(search -> search.endpoint().name())
                .filter(server -> step.startsWith(server + " step "))
                .findFirst()
                .orElseThrow();
    }

    /** Sets the time slices of a load, which begin in a moment. */
    private void begins(String name, long timeSliceMs) {
        Batch.Task task = timeSlices.get(name);
        task.endpoints().forEach(endpoint -> watch.begins(endpoint.name()));
        watch.phase("", "measure " + name + " in time slices");
        Schedule.InterleavedLoad load = schedule.interleavings().stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow();
        watch.stopCode(task, false);
        Interleaving interleaving = hosts.none()
                ? load.interleaving(timeSliceMs, System.currentTimeMillis() + NOTICE_MILLIS)
                : together.rotate(load, timeSliceMs);
        try {
            Schedule.writeInterleaving(interleaving, Schedule.interleavingFile(folder, name));
        } catch (IOException e) {
            throw new LoadException("cannot write the time slices of " + name + " (" + e.getMessage() + ")");
        }
        hosts.all().forEach(host -> host.meter(interleaving, name));
        watch.timeSlices(task, interleaving);
        afterwards(load, task, interleaving.endMs());
    }

    /** Continues the load for a moment after its counted time slices, and samples the servers' code once more. */
    private void afterwards(Schedule.InterleavedLoad load, Batch.Task task, long endMs) {
        if (load.afterMs() == 0) {
            return;
        }
        long from = endMs + AFTER_MILLIS - System.currentTimeMillis();
        edges.schedule(() -> watch.startCode(load.name()), from, TimeUnit.MILLISECONDS);
        int next = schedule.interleavings().indexOf(load) + 1;
        edges.schedule(
                () -> {
                    watch.stopCode(task, true);
                    afterSeconds += load.afterMs() / 1e3;
                    if (next < schedule.interleavings().size()) {
                        watch.startCode(schedule.interleavings().get(next).name());
                    }
                },
                from + load.afterMs() - 2 * AFTER_MILLIS,
                TimeUnit.MILLISECONDS);
    }

    private void await(List<Worker> workers) throws InterruptedException, IOException {
        long expected = schedule.warmUp().limitMs()
                + schedule.interleavings().stream()
                        .mapToLong(Schedule.InterleavedLoad::patienceMs)
                        .sum()
                + schedule.searches().stream()
                        .mapToLong(Schedule.Search::patienceMs)
                        .sum()
                + schedule.windows().stream()
                        .mapToLong(window ->
                                (window.endpoint().hasOnce() ? 2 : 1) * window.rampUpMs() + window.holdMs() + 2000)
                        .sum();
        long deadline =
                System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(2 * expected) + PATIENCE_SECONDS * 1_000_000_000L;
        List<Worker> running = new ArrayList<>(workers);
        while (!running.isEmpty()) {
            for (Worker worker : workers) {
                if (running.contains(worker) && worker.process().waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
                    running.remove(worker);
                    requireAlive();
                    worker.requireWell();
                }
            }
            requireAlive();
            if (failure != null) {
                throw new LoadException(
                        tool.title() + (hosts.none() ? ": " : " on load hosts: ") + failure.getMessage());
            }
            if (System.nanoTime() > deadline) {
                throw LoadException.late(tool.title() + " did not finish in time; see "
                        + running.get(0).output());
            }
        }
    }

    private void requireAlive() {
        watch.death().ifPresent(death -> {
            throw new LoadException("a server died under load: " + death);
        });
    }

    private Generator.Results results() throws IOException {
        List<LoadResult> results = new ArrayList<>();
        if (!windows.isEmpty()) {
            Set<String> inTimeSlices = schedule.interleavings().stream()
                    .flatMap(load -> load.endpoints().stream())
                    .flatMap(endpoint -> endpoint.parts().stream())
                    .map(Schedule.Endpoint::name)
                    .collect(Collectors.toSet());
            // Reports of load hosts would each cover only a share.
            List<Path> files = new ArrayList<>(raw());
            if (hosts.none()) {
                tool.report(folder).ifPresent(report -> files.add(0, report));
            }
            results.addAll(LoadResult.windows(log, windows, inTimeSlices, files));
        }
        try {
            for (Batch.Task task : timeSlices.values()) {
                results.addAll(inTimeSlices(task));
            }
            results.addAll(LoadResult.searches(batch, log, folder, raw()));
        } catch (IOException e) {
            throw new LoadException("cannot measure the logs in " + folder + " (" + e.getMessage() + ")");
        }
        for (RawLog.Part part : log.parts()) {
            batch.deleteUnlessKept(part.file());
        }
        double warmUp =
                settlingSeconds + afterSeconds + (beganNanos == 0 ? 0 : Math.max(0, warmNanos - beganNanos) / 1e9);
        return new Generator.Results(
                results,
                warmUp,
                loadSeconds - settlingSeconds - afterSeconds,
                hosts.none() ? Optional.empty() : Optional.of(hosts.senders()));
    }

    /** Returns the logs that are kept. */
    private List<Path> raw() {
        return batch.keepRaw() ? log.parts().stream().map(RawLog.Part::file).toList() : List.of();
    }

    private List<LoadResult> inTimeSlices(Batch.Task task) throws IOException {
        String load = task.load().name();
        Path file = Schedule.interleavingFile(folder, load);
        if (!Files.exists(file)) {
            throw new LoadException(tool.title() + " ended without its time slices of " + load + "; see " + folder);
        }
        Interleaving interleaving = Schedule.readInterleaving(file);
        if (2 * hosts.uncertaintyMs() >= interleaving.timeSliceMs()) {
            throw new LoadException(text(
                    "the clock of a load host moved while it was measured, and is known to ± %.0f ms: time slices of %d ms cannot be"
                            + " distinguished; synchronise the clocks with NTP",
                    hosts.uncertaintyMs(), interleaving.timeSliceMs()));
        }
        List<SliceUsage> uses = hosts.none() ? watch.uses(task) : hosts.worst(watch.uses(task), load);
        SliceUsage.write(uses, folder.resolve("slices-" + load.replace(' ', '-') + ".csv"));
        return LoadResult.timeSlices(
                task,
                SliceReader.read(
                        interleaving,
                        task.endpoints().get(0).labels(),
                        task.load().users(),
                        uses,
                        hosts.uncertaintyMs(),
                        log::read),
                raw());
    }

    @Override
    public void close() {
        edges.shutdownNow();
        hosts.close();
    }
}
