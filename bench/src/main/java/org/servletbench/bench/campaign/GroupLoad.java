package org.servletbench.bench.campaign;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.servletbench.bench.host.HostClock;
import org.servletbench.bench.load.Batch;
import org.servletbench.bench.load.Generator;
import org.servletbench.bench.load.LoadException;
import org.servletbench.bench.load.LoadResult;
import org.servletbench.bench.load.Schedule;
import org.servletbench.bench.measure.MonitorSeries;
import org.servletbench.bench.measure.Rotation;
import org.servletbench.bench.measure.TurnUse;
import org.servletbench.bench.measure.TurnsMeasurement;
import org.servletbench.bench.model.Cell;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Options;
import org.servletbench.bench.model.Slo;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.model.Workload;
import org.servletbench.bench.record.CellResult;
import org.servletbench.bench.record.Plan;
import org.servletbench.bench.server.Target;
import org.servletbench.bench.server.os.CompilerTime;
import org.servletbench.bench.server.os.Processors;
import org.servletbench.bench.server.proof.Parity;

/** The load of servers that are up and warm: every generator of the plan, one after the other, on all of them. */
final class GroupLoad {

    /** A load is applied so often at the most, until all servers are warm under it. */
    private static final int MOST_LOADS = 3;

    private final Plan plan;
    private final Options options;
    private final Path root;
    private final String description;
    private final List<RunningServer> servers;
    private final Optional<Processors> processors;
    private final Random random;
    private final int block;
    /** Is told what happens; from any thread. */
    private final CampaignWatch watch;

    private final Map<String, Long> began = new ConcurrentHashMap<>();
    private final Map<String, Map<Cell, List<Part>>> parts = new LinkedHashMap<>();
    /** By cell and arm. */
    private final Map<Cell, Map<String, Search>> searches = new LinkedHashMap<>();

    private double warmUpSeconds;
    private double loadSeconds;
    /** Processors of the generators that had machines of their own. */
    private final Map<Cell, Integer> senders = new LinkedHashMap<>();

    private record Search(LoadResult.Searched result, MonitorSeries monitor) {}

    GroupLoad(
            Plan plan,
            Options options,
            Path root,
            String description,
            List<RunningServer> servers,
            Optional<Processors> processors,
            Random random,
            int block,
            CampaignWatch watch) {
        this.plan = plan;
        this.options = options;
        this.root = root;
        this.description = description;
        this.servers = servers;
        this.processors = processors;
        this.random = random;
        this.block = block;
        this.watch = watch;
        servers.forEach(server -> parts.put(server.name(), new LinkedHashMap<>()));
    }

    /** Time in which generators warmed themselves up, s. */
    double warmUpSeconds() {
        return warmUpSeconds;
    }

    double loadSeconds() {
        return loadSeconds;
    }

    /** What was measured of an arm so far, by cell. */
    Map<Cell, List<Part>> parts(String arm) {
        return parts.get(arm);
    }

    /** The results of an arm so far, of its loads and of its searches. */
    List<CellResult> results(String arm, CellMerge.Division division) {
        List<CellResult> results = new ArrayList<>();
        Function<Cell, CellMerge.Division> divided =
                cell -> division.withGenerator(senders.getOrDefault(cell, division.generator()));
        parts.get(arm).forEach((cell, measured) -> {
            results.add(CellMerge.of(cell, measured, divided.apply(cell)));
        });
        searches.forEach((cell, ofArms) -> {
            Search search = ofArms.get(arm);
            if (search != null) {
                results.add(new CapacityMerge(
                                cell,
                                Slo.parse(options.required("slo")),
                                options.asShare("resolution"),
                                divided.apply(cell))
                        .of(search.result, search.monitor, links(arm, search.result.files())));
            }
        });
        return results;
    }

    /** When its first load began, ms since the epoch; 0 if none has. */
    long beganMs(String arm) {
        return began.getOrDefault(arm, 0L);
    }

    Optional<String> death() {
        return servers.stream()
                .flatMap(server -> server.target().death().map(how -> server.name() + ": " + how).stream())
                .findFirst();
    }

    /**
     * Runs every generator of the plan. A load under which a server was not warm was its warm-up: it is forgotten, and applied again
     * to all of them, as long as the warm-up's limit lasts. Only whether servers were warm decides, never how fast they were.
     *
     * @param folderOf gives each an empty folder
     * @throws LoadException if one fails, or a server dies; what was measured is kept
     */
    void run(Function<String, Generator> named, Function<String, Path> folderOf) {
        for (String name : plan.generators()) {
            Map<String, Cell> cells = new LinkedHashMap<>();
            plan.cells().stream()
                    .filter(cell -> cell.generator().equals(name))
                    .forEach(cell -> cells.put(cell.load().name(), cell));
            Path folder = folderOf.apply(name);
            Batch batch = batch(cells);
            for (int loads = 1; !batch.loads().isEmpty(); loads++) {
                double seconds =
                        run(named, batch, cells, loads == 1 ? folder : folder(folder.resolve("again-" + loads)));
                Map<String, String> cold = cold(cells);
                if (loads == MOST_LOADS || loads * batch.windowMs() * batch.rounds() > 1000 * plan.warmUpSeconds()) {
                    cold.clear();
                }
                cold.values().forEach(why -> watch.phase(block, "", "the load is applied again: " + why));
                cells.keySet().retainAll(cold.keySet());
                if (!cells.isEmpty()) {
                    forget(cells);
                    loadSeconds -= seconds;
                    warmUpSeconds += seconds;
                }
                batch = batch(cells);
            }
        }
        death().map(how -> "a server died after its last window: " + how).ifPresent(LoadException::raise);
    }

    /** Applies these loads; returns how long they took, s. */
    private double run(Function<String, Generator> named, Batch batch, Map<String, Cell> cells, Path folder) {
        Generator tool = named.apply(cells.values().iterator().next().tool());
        reset(cells.values().stream().map(Cell::workload).toList());
        try (Watching watching = new Watching()) {
            Generator.Results results = tool.run(batch, folder, watching);
            warmUpSeconds += results.warmUpSeconds();
            loadSeconds += results.loadSeconds();
            results.senders().ifPresent(of -> cells.values().forEach(cell -> senders.put(cell, of.processors())));
            keep(results, cells);
            return results.loadSeconds();
        }
    }

    /** Brings each server into the state in which these loads are to begin: warm-ups have changed it, and the load before. */
    private void reset(List<String> loaded) {
        for (RunningServer server : servers) {
            server.workloads().stream()
                    .filter(one -> loaded.contains(one.name()) && one.reset() != null)
                    .map(Workload::reset)
                    .distinct()
                    .forEach(reset -> {
                        watch.phase(block, server.name(), "reset: " + reset.request());
                        try {
                            Parity.send(server.target().url(), reset);
                        } catch (TargetException e) {
                            throw new LoadException("reset of " + server.name() + " failed: " + e.getMessage());
                        }
                    });
        }
    }

    /** By load: a server that was not warm under it, and what says so. */
    private Map<String, String> cold(Map<String, Cell> cells) {
        Map<String, String> cold = new LinkedHashMap<>();
        cells.forEach((load, cell) -> parts.forEach((arm, measured) -> {
            List<Part> own = measured.getOrDefault(cell, List.of());
            CellMerge.cold(cell, own)
                    .forEach(mark -> cold.putIfAbsent(load, arm + ", " + load + ": " + mark.figures()));
        }));
        return cold;
    }

    private void forget(Map<String, Cell> cells) {
        parts.values().forEach(measured -> measured.keySet().removeAll(cells.values()));
    }

    private Batch batch(Map<String, Cell> cells) {
        List<Batch.Task> loads = new ArrayList<>();
        cells.forEach((name, cell) -> {
            List<Schedule.Stop> stops = new ArrayList<>();
            for (RunningServer server : servers) {
                server.workloads().stream()
                        .filter(one -> one.name().equals(cell.workload()))
                        .forEach(found -> stops.add(
                                stop(server.name(), server.target().url().toString(), found, rows(server, found))));
            }
            if (!stops.isEmpty()) {
                loads.add(new Batch.Task(cell.load(), cell.settings(), List.copyOf(stops)));
            }
        });
        return new Batch(
                List.copyOf(loads),
                servers.stream().map(server -> server.target().url().toString()).toList(),
                new Schedule.WarmUp(
                        options.duration("generator.warmup").toMillis(),
                        options.integer("generator.warmup.users", 1, 10_000),
                        options.duration("generator.warmup.burst").toMillis(),
                        options.decimal("warmup.rise.percent", 0, 100),
                        options.integer("generator.warmup.flat.bursts", 1, 100)),
                Math.round(plan.rampUpSeconds() * 1000),
                Math.round(plan.windowSeconds() * 1000),
                plan.rounds(),
                turnMs(),
                options.duration("settle").toMillis(),
                Math.round(plan.warmUpSeconds() * 1000),
                random.nextLong(),
                description,
                processors.map(division -> Processors.list(division.generator())),
                plan.keepRaw(),
                root,
                options);
    }

    /** Where the rows of a workload's data go on; null where it has none. */
    private static Schedule.Stop.Rows rows(RunningServer server, Workload of) {
        return of.parts().stream().noneMatch(part -> part.sending().varies())
                ? null
                : new Schedule.Stop.Rows(of.name(), server.target().nextRow(of.name()));
    }

    private static Schedule.Stop stop(String name, String server, Workload of, Schedule.Stop.Rows rows) {
        return new Schedule.Stop(
                name,
                server,
                of.path(),
                of.minBytes(),
                of.maxBytes(),
                of.sending(),
                of.requests().stream()
                        .map(request -> stop(request.labelIn(of), server, request, null))
                        .toList(),
                rows);
    }

    /** Shortest turn, ms: what is read at its edges must belong to it. */
    private long turnMs() {
        // A server that is up alone has nobody to take turns with.
        if (servers.size() < 2 || plan.turnSeconds() == 0) {
            return 0;
        }
        double uncertainty = servers.stream()
                .mapToDouble(server -> server.target().clockUncertaintyMs())
                .max()
                .orElse(0);
        return (long) Math.ceil(Math.max(plan.turnSeconds() * 1000, HostClock.TURN_UNCERTAINTIES * uncertainty));
    }

    private final class Watching implements Generator.Watch, AutoCloseable {
        private final Map<Batch.Task, Target.TurnReadings> meters = new ConcurrentHashMap<>();
        private final Map<String, CompilerTime> compilers = new ConcurrentHashMap<>();
        private volatile ProcessHandle generator = ProcessHandle.current();

        @Override
        public void loadedBy(ProcessHandle process) {
            generator = process;
            servers.forEach(server -> server.target().watchGenerator(process));
        }

        @Override
        public void pin() {
            processors.ifPresent(division -> Processors.pin(generator.pid(), division.generator()));
        }

        @Override
        public void begins(String server) {
            if (began.putIfAbsent(server, System.currentTimeMillis()) == null) {
                watch.loadBegins(block, server);
            }
        }

        @Override
        public OptionalLong mark(String server) {
            return of(server).mark();
        }

        @Override
        public double compilerPercent(String server) {
            Optional<CompilerTime> now = of(server).compilerTime();
            Optional<CompilerTime> before = now.map(time -> compilers.put(server, time));
            return before.map(earlier -> now.get().percentSince(earlier)).orElse(Double.NaN);
        }

        @Override
        public void turns(Batch.Task task, Rotation rotation) {
            List<Target> turns =
                    task.stops().stream().map(stop -> of(stop.name())).toList();
            meters.put(task, turns.get(0).turns(rotation, turns, generator.pid()));
        }

        @Override
        public List<TurnUse> uses(Batch.Task task) {
            Target.TurnReadings read = meters.get(task);
            return read == null ? List.of() : read.uses();
        }

        @Override
        public Optional<String> death() {
            return GroupLoad.this.death();
        }

        @Override
        public void nextRow(String url, String workload, long row) {
            servers.stream()
                    .filter(server -> server.target().url().toString().equals(url))
                    .forEach(server -> server.target().nextRow(workload, row));
        }

        @Override
        public void phase(String server, String what) {
            watch.phase(block, server, what);
        }

        @Override
        public void close() {
            meters.values().forEach(Target.TurnReadings::close);
        }
    }

    private Target of(String arm) {
        return servers.stream()
                .filter(server -> server.name().equals(arm))
                .findFirst()
                .orElseThrow()
                .target();
    }

    private void keep(Generator.Results results, Map<String, Cell> cells) {
        Map<String, MonitorSeries> monitors = new LinkedHashMap<>();
        try {
            for (RunningServer server : servers) {
                MonitorSeries monitor =
                        MonitorSeries.read(server.target().folder().resolve("monitor.csv"));
                monitors.put(
                        server.name(),
                        results.senders()
                                .map(of -> monitor.loadedFrom(of.monitors()))
                                .orElse(monitor));
            }
        } catch (IOException e) {
            throw new LoadException("cannot read a monitor's file (" + e.getMessage() + ")");
        }
        for (LoadResult result : results.results()) {
            Cell cell = cells.get(result.task().load().name());
            if (result instanceof LoadResult.InTurns turns) {
                keep(turns, cell, monitors);
            } else if (result instanceof LoadResult.Searched search) {
                searches.computeIfAbsent(cell, of -> new LinkedHashMap<>())
                        .put(search.server(), new Search(search, monitors.get(search.server())));
            } else if (result instanceof LoadResult.FromTool tool) {
                List<Path> files = tool.result().files().stream()
                        .map(file -> tool.result().folder().resolve(file))
                        .toList();
                MonitorSeries monitor = monitors.get(tool.server());
                List<String> links = links(tool.server(), files);
                boolean counted = cell.settings().isCounted();
                add(
                        tool.server(),
                        cell,
                        Part.of(tool.result(), cell.tier(), counted, monitor, tool.fromMs(), tool.toMs(), links));
            } else if (result instanceof LoadResult.FromLog log) {
                MonitorSeries monitor = monitors.get(log.server());
                add(
                        log.server(),
                        cell,
                        Part.of(log.cell(), log.each(), monitor, log.ofLog(), links(log.server(), log.files())));
            }
        }
    }

    private void keep(LoadResult.InTurns turns, Cell cell, Map<String, MonitorSeries> monitors) {
        List<String> arms =
                turns.task().stops().stream().map(Schedule.Stop::name).toList();
        double[] outside = outside(
                turns.rotation(),
                turns.turns().servers(),
                arms.stream().map(monitors::get).toList());
        for (int i = 0; i < arms.size(); i++) {
            add(
                    arms.get(i),
                    cell,
                    Part.of(
                            turns.turns().servers().get(i),
                            turns.rotation(),
                            turns.task().load().tier(),
                            outside[i],
                            turns.turns().besideOthers(i),
                            monitors.get(arms.get(i)),
                            turns.turns().checks(),
                            links(arms.get(i), turns.files())));
        }
    }

    private void add(String arm, Cell cell, Part part) {
        parts.get(arm).computeIfAbsent(cell, of -> new ArrayList<>()).add(part);
    }

    private List<String> links(String arm, List<Path> files) {
        Path folder = of(arm).folder();
        return files.stream().map(file -> folder.relativize(file).toString()).toList();
    }

    /**
     * By how much more CPU time a request takes over the whole load than in the turns, as a share, less the least of all servers:
     * that is what every server has, its monitor and the ends of turns.
     */
    private static double[] outside(Rotation rotation, List<TurnsMeasurement> servers, List<MonitorSeries> monitors) {
        double[] excess = new double[servers.size()];
        for (int i = 0; i < excess.length; i++) {
            double inTurns = servers.get(i).cpuMicrosPerRequest();
            excess[i] = monitors.get(i)
                    .over(rotation.originMs(), rotation.endMs(), servers.get(i).all())
                    .map(use -> use.of(Metric.CPU) / inTurns - 1)
                    .orElse(Double.NaN);
        }
        double least = Arrays.stream(excess).filter(Double::isFinite).min().orElse(Double.NaN);
        return Arrays.stream(excess).map(one -> one - least).toArray();
    }

    static Path folder(Path place) {
        try {
            return Files.createDirectories(place);
        } catch (IOException e) {
            throw new LoadException("cannot make the folder " + place + " (" + e.getMessage() + ")");
        }
    }
}
