package org.servletbench.bench.campaign;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.servletbench.bench.campaign.Invocation.WarmUpRecord;
import org.servletbench.bench.load.CommandLineGenerator;
import org.servletbench.bench.load.GatlingLogReader;
import org.servletbench.bench.load.GatlingSession;
import org.servletbench.bench.load.JMeter;
import org.servletbench.bench.load.JMeterHosts;
import org.servletbench.bench.load.JMeterRun;
import org.servletbench.bench.load.LoadException;
import org.servletbench.bench.load.RawLog;
import org.servletbench.bench.load.Schedule;
import org.servletbench.bench.load.ToolLoad;
import org.servletbench.bench.load.ToolResult;
import org.servletbench.bench.load.ToolWatch;
import org.servletbench.bench.measure.CellMeasurement;
import org.servletbench.bench.measure.Check;
import org.servletbench.bench.measure.LogMeasurement;
import org.servletbench.bench.measure.MonitorSeries;
import org.servletbench.bench.measure.Rotation;
import org.servletbench.bench.measure.TurnUse;
import org.servletbench.bench.measure.TurnsMeasurement;
import org.servletbench.bench.measure.TurnsReader;
import org.servletbench.bench.profile.LoadModel.Closed;
import org.servletbench.bench.profile.LoadModel.Hold;
import org.servletbench.bench.profile.LoadPlan;
import org.servletbench.bench.profile.Options;
import org.servletbench.bench.profile.ProfilesFolder;
import org.servletbench.bench.profile.WarmUpPlan;
import org.servletbench.bench.profile.Workload;
import org.servletbench.bench.target.GroupWarmUp;
import org.servletbench.bench.target.NginxSpec;
import org.servletbench.bench.target.Parity;
import org.servletbench.bench.target.Processors;
import org.servletbench.bench.target.Target;
import org.servletbench.bench.target.TargetException;
import org.servletbench.bench.target.TurnMeters;
import org.servletbench.bench.target.WarmUp;

/**
 * The servers that are up at once, from their start to their stop: a whole group of a block, or one arm alone. Starts them
 * one after the other, holds their answers against each other, warms them up, pins them, has every generator run its
 * windows in random order, stops them, and makes of it an invocation for each.
 */
final class Session {

    private static final ObjectMapper JSON = new ObjectMapper();
    /** The last requests of a window are answered by then, ms. */
    private static final long EDGE_MILLIS = 20;
    /** How long a process's end may go unnoticed. */
    private static final Duration NOTICED = Duration.ofSeconds(1);

    private static final Duration LOOK = Duration.ofMillis(20);
    /** A turn of a command-line generator, s. */
    private static final double TOOL_TURN_SECONDS = 2;

    /**
     * What all sessions of a campaign share.
     *
     * @param campaign plan and arms
     * @param options in force
     * @param profiles the profiles folder
     * @param workloads of the plan
     * @param root of the repository
     * @param gatling how to run Gatling; empty when it takes no part
     * @param jmeter the JMeter that is run; empty when it takes no part
     * @param processors how they are divided; empty: not at all
     * @param store where files go
     * @param parity what the first server of each group answered; grows
     * @param launches how servers are started
     * @param watch is told what happens
     */
    record Context(
            Campaign campaign,
            Options options,
            ProfilesFolder profiles,
            List<Workload> workloads,
            Path root,
            Optional<GatlingSession.Setup> gatling,
            Optional<JMeter> jmeter,
            Optional<Processors> processors,
            CampaignStore store,
            Map<String, Map<String, Map<String, String>>> parity,
            Launches launches,
            CampaignWatch watch) {}

    /**
     * One arm in its block.
     *
     * @param arm which
     * @param position in the block's order, from 1
     * @param attempt from 1
     */
    record Place(Arm arm, int position, int attempt) {}

    /** One server that is up. */
    private static final class Guest {
        private final Place place;
        private final Path folder;
        private final String started = now();
        private volatile Target target;
        private WarmUp.Outcome warmUp;
        private long loadFromMs;
        private final Map<Cell, List<Part>> parts = new LinkedHashMap<>();

        Guest(Place place, Path folder) {
            this.place = place;
            this.folder = folder;
        }
    }

    private final Context context;
    private final int block;
    private final List<Guest> guests;
    private final Random random;
    private final Timing timing = new Timing();
    private boolean refused;
    private final TimeOfDay time = new TimeOfDay();

    Session(Context context, int block, List<Place> places) {
        this.context = context;
        this.block = block;
        this.guests = places.stream()
                .map(place -> new Guest(
                        place, context.store.invocation(block, place.position, place.arm.id(), place.attempt)))
                .toList();
        this.random = new Random(
                BlockOrder.random(context.campaign.plan().seed(), block).nextLong() + places.get(0).position);
    }

    /** Where the time went, s. */
    static final class Timing {
        double starting;
        double warmUp;
        double load;
        double rest;
    }

    Timing timing() {
        return timing;
    }

    /** Whether it ended because a server was not what it should be: it would be the same another time. */
    boolean isRefused() {
        return refused;
    }

    /** Runs it to its end and writes what it gave, whatever it was. */
    List<Invocation> run() {
        long begin = System.nanoTime();
        String trouble = null;
        String culprit = null;
        try {
            start();
            warmUp();
            pinServers();
            load();
            time.requireNotSet();
        } catch (TargetException | LoadException e) {
            trouble = e instanceof LoadException ? withDeath(e.getMessage()) : e.getMessage();
            refused = e instanceof TargetException target && target.isRefusal();
            culprit = guests.stream()
                    .filter(guest ->
                            guest.target == null || guest.target.death().isPresent())
                    .map(guest -> guest.place.arm.id())
                    .findFirst()
                    .orElse(guests.get(0).place.arm.id());
        } finally {
            stop(trouble == null ? "stopped" : "failed: " + trouble);
        }
        List<Invocation> invocations = new ArrayList<>();
        for (Guest guest : guests) {
            Invocation invocation = invocation(guest, trouble, culprit);
            context.store.write(invocation, guest.folder);
            invocations.add(invocation);
        }
        timing.rest = seconds(begin) - timing.starting - timing.warmUp - timing.load;
        return invocations;
    }

    /** A generator may fail before anybody has noticed that its server is dead: then that is the cause. */
    private String withDeath(String trouble) {
        long deadline = System.nanoTime() + NOTICED.toNanos();
        Optional<String> death = death();
        while (death.isEmpty()
                && System.nanoTime() < deadline
                && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(LOOK.toNanos());
            death = death();
        }
        return death.filter(how -> !trouble.contains(how))
                .map(how -> "a server died under load: " + how + "; " + trouble)
                .orElse(trouble);
    }

    private static double seconds(long sinceNanos) {
        return (System.nanoTime() - sinceNanos) / 1e9;
    }

    private static String now() {
        return Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    }

    private void phase(String arm, String phase) {
        context.watch.phase(block, arm, phase);
    }

    // ---- start ----

    private void start() {
        long begin = System.nanoTime();
        open();
        for (Guest guest : guests) {
            Arm arm = guest.place.arm;
            Map<String, Map<String, String>> known =
                    context.parity.computeIfAbsent(arm.group(), group -> new LinkedHashMap<>());
            known.put(arm.id(), Parity.of(guest.target, served(arm)));
        }
        for (Map.Entry<String, Map<String, Map<String, String>>> group : context.parity.entrySet()) {
            Map<String, Map<String, String>> ranked = new LinkedHashMap<>(group.getValue());
            ranked.keySet().removeIf(id -> context.campaign.arm(id).role() == Arm.Role.REFERENCE);
            if (!ranked.isEmpty()) {
                Parity.requireSame(ranked);
            }
        }
        timing.starting = seconds(begin);
    }

    /** As many at a time as there are processors: a JVM that starts waits for its disk and its one main thread. */
    private void open() {
        ExecutorService starters = Executors.newFixedThreadPool(
                Math.min(guests.size(), Runtime.getRuntime().availableProcessors()));
        try {
            List<Future<?>> starts = new ArrayList<>();
            for (Guest guest : guests) {
                starts.add(starters.submit(() -> {
                    phase(guest.place.arm.id(), "start");
                    guest.target = open(guest);
                }));
            }
            ExecutionException failure = null;
            for (Future<?> start : starts) {
                try {
                    start.get();
                } catch (ExecutionException e) {
                    failure = failure == null ? e : failure;
                }
            }
            if (failure != null) {
                throw failure.getCause() instanceof TargetException known
                        ? known
                        : new IllegalStateException(failure.getCause());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TargetException("interrupted while servers started");
        } finally {
            starters.shutdown();
        }
    }

    /** nginx serves only what needs no JVM. */
    private List<Workload> served(Arm arm) {
        return arm.role() == Arm.Role.REFERENCE
                ? context.workloads.stream()
                        .filter(workload -> List.of("/hello", "/", "/payload").contains(workload.path()))
                        .toList()
                : context.workloads;
    }

    private Target open(Guest guest) {
        Arm arm = guest.place.arm;
        if (arm.role() == Arm.Role.REFERENCE) {
            return Target.reference(NginxSpec.of(context.root), guest.folder);
        }
        return Target.start(context.launches.of(arm, block), guest.folder);
    }

    // ---- warm-up ----

    private void warmUp() {
        long begin = System.nanoTime();
        WarmUpPlan plan = warmUpPlan(context.campaign.plan(), context.options);
        List<GroupWarmUp.Guest> cold = guests.stream()
                .map(guest -> new GroupWarmUp.Guest(guest.place.arm.id(), guest.target, served(guest.place.arm)))
                .toList();
        List<WarmUp.Outcome> outcomes = GroupWarmUp.run(cold, plan, line -> phase("", line));
        for (int i = 0; i < guests.size(); i++) {
            guests.get(i).warmUp = outcomes.get(i);
            guests.get(i).target.warmedUp(outcomes.get(i));
        }
        timing.warmUp += seconds(begin);
    }

    static WarmUpPlan warmUpPlan(Plan plan, Options options) {
        return new WarmUpPlan(
                Duration.ofMillis(Math.round(plan.warmUpSeconds() * 1000)),
                options.integer("warmup.users", 1, 10_000),
                options.duration("warmup.burst"),
                options.duration("warmup.pause"),
                options.decimal("warmup.rise.percent", 0, 100),
                options.integer("warmup.flat.bursts", 1, 100),
                options.decimal("warmup.jit.percent", 0, 10_000));
    }

    private void pinServers() {
        context.processors.ifPresent(division ->
                guests.forEach(guest -> guest.target.pids().forEach(pid -> Processors.pin(pid, division.server()))));
    }

    // ---- load ----

    private void load() {
        List<String> generators = context.campaign.plan().cells().stream()
                .map(Cell::generator)
                .distinct()
                .toList();
        for (String generator : generators) {
            List<Cell> cells = context.campaign.plan().cells().stream()
                    .filter(cell -> cell.generator().equals(generator))
                    .toList();
            switch (generator) {
                case "gatling" -> gatling(cells);
                case "jmeter" -> jmeter(cells);
                default -> tool(generator, cells);
            }
        }
    }

    /** A window of a cell on a server. */
    private record Window(String name, Guest guest, Cell cell, Workload workload) {}

    /** Every cell of every server once a round; in each round in a new random order. */
    private List<Window> windows(List<Cell> cells, int rounds) {
        List<Window> windows = new ArrayList<>();
        for (int round = 1; round <= rounds; round++) {
            List<Cell> shuffled = new ArrayList<>(cells);
            Collections.shuffle(shuffled, random);
            for (Cell cell : shuffled) {
                List<Guest> turn = new ArrayList<>(guests);
                Collections.shuffle(turn, random);
                for (Guest guest : turn) {
                    Optional<Workload> workload = served(guest.place.arm).stream()
                            .filter(one -> one.name().equals(cell.workload()))
                            .findFirst();
                    String name = guest.place.arm.id() + " round " + round + " " + cell.loadName();
                    workload.ifPresent(found -> windows.add(new Window(name, guest, cell, found)));
                }
            }
        }
        return windows;
    }

    private Path loadFolder(String generator) {
        Path folder = context.store
                .block(block)
                .resolve("load-" + guests.get(0).place.position
                        + (guests.get(0).place.attempt == 1 ? "" : "-attempt" + guests.get(0).place.attempt))
                .resolve(generator);
        try {
            return Files.createDirectories(folder);
        } catch (IOException e) {
            throw new LoadException("cannot make the folder " + folder + " (" + e.getMessage() + ")");
        }
    }

    private static String link(Guest guest, Path file) {
        return guest.folder.relativize(file).toString();
    }

    private Optional<String> death() {
        return guests.stream()
                .filter(guest -> guest.target != null)
                .flatMap(guest -> guest.target.death().map(how -> guest.place.arm.id() + ": " + how).stream())
                .findFirst();
    }

    private void watchGenerator(ProcessHandle process) {
        guests.forEach(guest -> guest.target.watchGenerator(process));
    }

    /** Every server's part of a load in turns. */
    private record Turns(Cell cell, Schedule.Turns load, List<Guest> guests) {}

    /** Loads in turns, in random order; none where a server is up alone. */
    private List<Turns> turns(List<Cell> cells) {
        Plan plan = context.campaign.plan();
        List<Turns> turns = new ArrayList<>();
        List<Cell> shuffled =
                new ArrayList<>(cells.stream().filter(cell -> takesTurns(cell)).toList());
        Collections.shuffle(shuffled, random);
        for (Cell cell : shuffled) {
            List<Guest> those = new ArrayList<>();
            List<Schedule.Stop> stops = new ArrayList<>();
            for (Guest guest : guests) {
                served(guest.place.arm).stream()
                        .filter(one -> one.name().equals(cell.workload()))
                        .findFirst()
                        .ifPresent(found -> {
                            those.add(guest);
                            stops.add(new Schedule.Stop(
                                    guest.place.arm.id() + " " + cell.loadName(),
                                    guest.target.url().toString(),
                                    found.path(),
                                    found.minBytes(),
                                    found.maxBytes()));
                        });
            }
            turns.add(new Turns(
                    cell,
                    new Schedule.Turns(
                            cell.loadName(),
                            stops,
                            cell.tier(),
                            Math.round(plan.rampUpSeconds() * 1000),
                            stops.size() * context.options.duration("settle").toMillis(),
                            Math.round(plan.windowSeconds() * plan.rounds() * 1000),
                            Math.round(plan.turnSeconds() * 1000),
                            random.nextLong()),
                    those));
        }
        return turns;
    }

    private boolean takesTurns(Cell cell) {
        return context.campaign.plan().turnSeconds() > 0 && guests.size() > 1 && cell.tier() > 0;
    }

    private void gatling(List<Cell> cells) {
        Plan plan = context.campaign.plan();
        Options options = context.options;
        List<Turns> turns = turns(cells);
        List<Window> windows =
                windows(cells.stream().filter(cell -> !takesTurns(cell)).toList(), plan.rounds());
        Map<String, Window> byName = new HashMap<>();
        windows.forEach(window -> byName.put(window.name, window));
        Schedule schedule = new Schedule(
                new Schedule.WarmUp(
                        options.duration("generator.warmup").toMillis(),
                        options.integer("generator.warmup.users", 1, 10_000),
                        options.duration("generator.warmup.burst").toMillis(),
                        0,
                        options.decimal("warmup.rise.percent", 0, 100),
                        options.integer("generator.warmup.flat.bursts", 1, 100)),
                guests.stream().map(guest -> guest.target.url().toString()).toList(),
                windows.stream()
                        .map(window -> new Schedule.Window(
                                window.name,
                                window.guest.target.url().toString(),
                                window.workload.path(),
                                window.workload.minBytes(),
                                window.workload.maxBytes(),
                                window.cell.tier(),
                                window.cell.rate(),
                                Math.round(plan.rampUpSeconds() * 1000),
                                Math.round(plan.windowSeconds() * 1000)))
                        .toList(),
                turns.stream().map(Turns::load).toList(),
                "campaign " + context.campaign.id() + ", block " + block);
        Path folder = loadFolder("gatling");
        phase("", "generator warm-up");
        GatlingWatch watch = new GatlingWatch(folder, byName, turns);
        Path log;
        try {
            log = GatlingSession.run(context.gatling.orElseThrow(), schedule, folder, watch);
        } finally {
            watch.close();
        }
        timing.warmUp += watch.beganNanos == 0 ? 0 : Math.max(0, watch.warmNanos - watch.beganNanos) / 1e9;
        timing.load += Math.max(0, System.nanoTime() - watch.warmNanos) / 1e9;
        phase("", "measure the logs");
        // A row after the load: Gatling ends before the next second does.
        guests.forEach(guest -> guest.target.mark());
        if (!windows.isEmpty()) {
            measured(log, folder.resolve("index.html"), byName, turns);
        }
        for (Turns load : turns) {
            measured(log, folder, load, watch.meters.get(load));
        }
        if (!plan.keepRaw()) {
            delete(log);
        }
    }

    /** What Gatling says while it runs. */
    private final class GatlingWatch implements GatlingSession.Watch, AutoCloseable {
        private final Path folder;
        private final Map<String, Window> windows;
        private final List<Turns> turns;
        private final Map<Turns, TurnMeters> meters = new HashMap<>();
        private final ScheduledExecutorService edges = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "servlet-bench-edges");
            thread.setDaemon(true);
            return thread;
        });
        private ProcessHandle gatling;
        private volatile long beganNanos;
        private volatile long warmNanos = System.nanoTime();

        GatlingWatch(Path folder, Map<String, Window> windows, List<Turns> turns) {
            this.folder = folder;
            this.windows = windows;
            this.turns = turns;
        }

        @Override
        public void loadedBy(ProcessHandle generator) {
            gatling = generator;
            watchGenerator(generator);
        }

        @Override
        public void warmingUp(long sinceMs) {
            beganNanos = System.nanoTime() - sinceMs * 1_000_000;
        }

        @Override
        public void measuring() {
            warmNanos = System.nanoTime();
            context.processors.ifPresent(division -> Processors.pin(gatling.pid(), division.generator()));
        }

        @Override
        public void window(String name) {
            Plan plan = context.campaign.plan();
            Window window = windows.get(name);
            begins(window.guest);
            phase(window.guest.place.arm.id(), "measure " + window.cell.loadName());
            edges.schedule(
                    window.guest.target::mark,
                    Math.round((plan.rampUpSeconds() + plan.windowSeconds()) * 1000) + EDGE_MILLIS,
                    TimeUnit.MILLISECONDS);
        }

        @Override
        public void rotation(String name) {
            Turns load = turns.stream()
                    .filter(one -> one.load.name().equals(name))
                    .findFirst()
                    .orElseThrow();
            load.guests.forEach(Session.this::begins);
            phase("", "measure " + name + " in turns");
            try {
                meters.put(
                        load,
                        TurnMeters.start(
                                Schedule.readRotation(Schedule.rotationFile(folder, name)),
                                load.guests.stream().map(guest -> guest.target).toList(),
                                gatling.pid()));
            } catch (IOException e) {
                throw new LoadException("cannot read the turns of " + name + " (" + e.getMessage() + ")");
            }
        }

        @Override
        public Optional<String> death() {
            return Session.this.death();
        }

        @Override
        public void close() {
            edges.shutdownNow();
            meters.values().forEach(TurnMeters::close);
        }
    }

    private void begins(Guest guest) {
        if (guest.loadFromMs == 0) {
            guest.loadFromMs = System.currentTimeMillis();
        }
    }

    private void measured(Path log, Path folder, Turns load, TurnMeters meters) {
        try {
            Rotation rotation = Schedule.readRotation(Schedule.rotationFile(folder, load.load.name()));
            List<TurnUse> uses = meters == null ? List.of() : meters.uses();
            TurnUse.write(uses, folder.resolve("turns-" + load.cell.id() + ".csv"));
            TurnsReader.Result result =
                    TurnsReader.read(rotation, load.load.users(), uses, sink -> GatlingLogReader.read(log, sink));
            List<MonitorSeries> monitors = new ArrayList<>();
            for (Guest guest : load.guests) {
                monitors.add(MonitorSeries.read(guest.folder.resolve("monitor.csv")));
            }
            double[] outside = outside(rotation, result.servers(), monitors);
            for (int i = 0; i < load.guests.size(); i++) {
                Guest guest = load.guests.get(i);
                guest.parts
                        .computeIfAbsent(load.cell, cell -> new ArrayList<>())
                        .add(Part.of(
                                result.servers().get(i),
                                rotation,
                                load.load.users(),
                                outside[i],
                                result.besideOthers(i),
                                monitors.get(i),
                                result.checks(),
                                context.campaign.plan().keepRaw() ? List.of(link(guest, log)) : List.of()));
            }
        } catch (IOException e) {
            throw new LoadException("cannot measure " + log + " (" + e.getMessage() + ")");
        }
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
                    .map(use -> use.cpuMicrosPerRequest() / inTurns - 1)
                    .orElse(Double.NaN);
        }
        double least = Arrays.stream(excess).filter(Double::isFinite).min().orElse(Double.NaN);
        return Arrays.stream(excess).map(one -> one - least).toArray();
    }

    private static void delete(Path log) {
        try {
            Files.delete(log);
        } catch (IOException e) {
            throw new LoadException("cannot delete " + log + " (" + e.getMessage() + ")");
        }
    }

    /** @param byName the windows by the names that their cells have in the log */
    private void measured(Path log, Path report, Map<String, Window> byName, List<Turns> turns) {
        Set<String> inTurns = turns.stream()
                .flatMap(load -> load.load.stops().stream())
                .map(Schedule.Stop::name)
                .collect(Collectors.toSet());
        try {
            LogMeasurement measurement = RawLog.measure(log);
            List<Check> ofLog =
                    measurement.checks().stream().filter(Check::failed).toList();
            Map<Guest, MonitorSeries> monitors = new HashMap<>();
            for (CellMeasurement cell : measurement.cells()) {
                Window window = byName.get(cell.name().text());
                if (inTurns.contains(cell.name().text())) {
                    continue;
                }
                if (window == null) {
                    throw new LoadException(log + " holds '" + cell.name().text() + "', which was not asked for");
                }
                MonitorSeries monitor = monitors.get(window.guest);
                if (monitor == null) {
                    monitor = MonitorSeries.read(window.guest.folder.resolve("monitor.csv"));
                    monitors.put(window.guest, monitor);
                }
                List<String> links = new ArrayList<>();
                links.add(link(window.guest, report));
                if (context.campaign.plan().keepRaw()) {
                    links.add(link(window.guest, log));
                }
                window.guest
                        .parts
                        .computeIfAbsent(window.cell, cellOf -> new ArrayList<>())
                        .add(Part.of(cell, monitor, ofLog, links));
            }
            for (Window window : byName.values()) {
                if (window.guest.parts.getOrDefault(window.cell, List.of()).isEmpty()) {
                    throw new LoadException("not one request of '" + window.name + "' was finished; see " + log);
                }
            }
        } catch (IOException e) {
            throw new LoadException("cannot measure " + log + " (" + e.getMessage() + ")");
        }
    }

    /**
     * One JMeter for each server, one after the other in random order: JMeter cannot take turns between servers. Its plan has
     * every workload and tier; the windows of all rounds are one.
     */
    private void jmeter(List<Cell> cells) {
        Plan plan = context.campaign.plan();
        Path folder = loadFolder("jmeter");
        List<Guest> turn = new ArrayList<>(guests);
        Collections.shuffle(turn, random);
        for (Guest guest : turn) {
            Map<String, Window> byName = new LinkedHashMap<>();
            for (Cell cell : cells) {
                served(guest.place.arm).stream()
                        .filter(one -> one.name().equals(cell.workload()))
                        .forEach(found -> byName.put(cell.loadName(), new Window(cell.loadName(), guest, cell, found)));
            }
            if (!byName.isEmpty()) {
                jmeter(guest, byName, folder.resolve(guest.place.arm.id()));
            }
        }
        timing.load += turn.size() * cells.size() * (plan.windowSeconds() * plan.rounds() + plan.rampUpSeconds());
    }

    private void jmeter(Guest guest, Map<String, Window> byName, Path place) {
        Plan plan = context.campaign.plan();
        JMeter jmeter = context.jmeter.orElseThrow();
        Options options = context.options;
        LoadPlan load = new LoadPlan(
                byName.values().stream().map(Window::workload).distinct().toList(),
                new Closed(
                        byName.values().stream()
                                .map(window -> window.cell.tier())
                                .distinct()
                                .toList(),
                        wholeSeconds(plan.rampUpSeconds()),
                        new Hold(wholeSeconds(plan.windowSeconds() * plan.rounds()))),
                // JMeter's own: the server is warm, and how busy its JIT compiler is does not matter.
                new WarmUpPlan(
                        wholeSeconds(options.duration("generator.warmup").toMillis() / 1e3),
                        options.integer("generator.warmup.users", 1, 10_000),
                        wholeSeconds(options.duration("generator.warmup.burst").toMillis() / 1e3),
                        Duration.ofSeconds(1),
                        options.decimal("warmup.rise.percent", 0, 100),
                        options.integer("generator.warmup.flat.bursts", 1, 100),
                        options.decimal("warmup.jit.percent", 0, 10_000)),
                // Failed requests are marks of their cells.
                100);
        try {
            Files.createDirectories(place);
        } catch (IOException e) {
            throw new LoadException("cannot make the folder " + place + " (" + e.getMessage() + ")");
        }
        String arm = guest.place.arm.id();
        phase(arm, "JMeter starts");
        JMeterRun run = new JMeterRun(
                context.processors
                        .map(division -> jmeter.pinnedTo(Processors.list(division.generator())))
                        .orElse(jmeter),
                load,
                new JMeterHosts(List.of()),
                new JMeterRun.Server() {
                    @Override
                    public URI url() {
                        return guest.target.url();
                    }

                    @Override
                    public String description() {
                        return guest.target.description();
                    }

                    @Override
                    public Optional<String> death() {
                        return Session.this.death();
                    }

                    @Override
                    public OptionalLong jitMillis() {
                        return OptionalLong.empty();
                    }

                    @Override
                    public void loadedBy(ProcessHandle generator) {
                        watchGenerator(generator);
                    }
                },
                place,
                line -> phase(arm, line));
        begins(guest);
        run.run(context.root.resolve("jmeter-plans/tiers.jmx"));
        timing.warmUp += run.warmUp().seconds();
        measured(
                place.resolve(JMeterRun.RESULTS),
                place.resolve(JMeterRun.DASHBOARD).resolve("index.html"),
                byName,
                List.of());
        if (!plan.keepRaw()) {
            delete(place.resolve(JMeterRun.RESULTS));
        }
    }

    private static Duration wholeSeconds(double seconds) {
        return Duration.ofSeconds(Math.round(Math.ceil(seconds)));
    }

    /** With the monitor's rows before and after it, ms since the epoch. */
    private record ToolRun(Window window, ToolResult result, OptionalLong fromMs, OptionalLong toMs) {}

    private void tool(String generator, List<Cell> cells) {
        CommandLineGenerator tool = ToolSettings.tool(generator);
        Plan plan = context.campaign.plan();
        boolean turns = cells.stream().anyMatch(this::takesTurns) && !ToolSettings.isCounted(context.options);
        // A process for each window: its shortest turn is whole seconds.
        double seconds = turns ? Math.min(TOOL_TURN_SECONDS, plan.windowSeconds()) : plan.windowSeconds();
        int rounds = (int) Math.round(Math.ceil(plan.rounds() * plan.windowSeconds() / seconds));
        List<ToolRun> runs = new ArrayList<>();
        Path folder = loadFolder(generator);
        for (Window window : windows(cells, rounds)) {
            begins(window.guest);
            phase(window.guest.place.arm.id(), "measure " + window.cell.loadName() + " with " + generator);
            Path place = folder.resolve(window.name.replace(' ', '-'));
            try {
                Files.createDirectories(place);
            } catch (IOException e) {
                throw new LoadException("cannot make the folder " + place + " (" + e.getMessage() + ")");
            }
            URI url = window.guest.target.url().resolve(window.workload.path());
            ToolLoad load = ToolSettings.load(context.options, generator, url, window.cell.tier(), seconds);
            long begin = System.nanoTime();
            OptionalLong from = window.guest.target.mark();
            ToolResult result = tool.run(
                    load,
                    place,
                    context.processors.map(division -> Processors.list(division.generator())),
                    new ToolWatch() {
                        @Override
                        public Optional<String> death() {
                            return Session.this.death();
                        }

                        @Override
                        public void loadedBy(ProcessHandle generator) {
                            watchGenerator(generator);
                        }
                    });
            runs.add(new ToolRun(window, result, from, window.guest.target.mark()));
            timing.load += seconds(begin);
        }
        try {
            for (ToolRun run : runs) {
                Guest guest = run.window.guest;
                MonitorSeries monitor = MonitorSeries.read(guest.folder.resolve("monitor.csv"));
                List<String> links = run.result.files().stream()
                        .map(file -> link(guest, run.result.folder().resolve(file)))
                        .toList();
                guest.parts
                        .computeIfAbsent(run.window.cell, cell -> new ArrayList<>())
                        .add(Part.of(
                                run.result,
                                monitor,
                                run.fromMs.orElse(run.result.fromMs()),
                                run.toMs.orElse(run.result.toMs()),
                                links));
            }
        } catch (IOException e) {
            throw new LoadException("cannot read a monitor's file (" + e.getMessage() + ")");
        }
    }

    // ---- the end ----

    private void stop(String how) {
        List<Thread> stops = guests.stream()
                .filter(guest -> guest.target != null)
                .map(guest -> new Thread(() -> guest.target.close(how), "servlet-bench-stop"))
                .toList();
        stops.forEach(Thread::start);
        for (Thread thread : stops) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private Invocation invocation(Guest guest, String trouble, String culprit) {
        Arm arm = guest.place.arm;
        String outcome = trouble == null
                ? Invocation.MEASURED
                : arm.id().equals(culprit) ? trouble : "given up, because of " + culprit + ": " + trouble;
        Map<String, String> proven = new TreeMap<>();
        Map<String, Double> startUp = new TreeMap<>();
        serverFacts(guest.folder.resolve("server.json"), proven, startUp);
        List<Mark> marks = new ArrayList<>();
        if (guest.warmUp != null && !guest.warmUp.settled()) {
            marks.add(new Mark("warm-up", "the server was still getting faster: " + guest.warmUp.reason(), false));
        }
        int all = Runtime.getRuntime().availableProcessors();
        Part.Division division = new Part.Division(
                context.processors.map(one -> one.server().size()).orElse(all),
                context.processors.map(one -> one.generator().size()).orElse(all),
                context.options.decimal("generator.busy.percent", 1, 100) / 100);
        List<CellResult> cells = trouble != null
                ? List.of()
                : guest.parts.entrySet().stream()
                        .map(entry -> Part.merge(entry.getKey(), entry.getValue(), division))
                        .toList();
        return new Invocation(
                Invocation.FORMAT,
                block,
                guest.place.position,
                arm.id(),
                guest.place.attempt,
                guest.started,
                now(),
                outcome,
                proven,
                startUp,
                guest.warmUp == null ? null : warmUpRecord(guest.warmUp),
                cells,
                Timeline.read(guest.folder.resolve("monitor.csv"), guest.loadFromMs),
                marks);
    }

    private static WarmUpRecord warmUpRecord(WarmUp.Outcome outcome) {
        return new WarmUpRecord(
                outcome.settled(),
                outcome.reason(),
                outcome.seconds(),
                outcome.bursts().stream().map(WarmUp.Burst::requestsPerSecond).toList(),
                outcome.bursts().stream()
                        .map(burst -> Double.isNaN(burst.jitPercent()) ? null : Double.valueOf(burst.jitPercent()))
                        .toList());
    }

    private static void serverFacts(Path file, Map<String, String> proven, Map<String, Double> startUp) {
        if (!Files.isRegularFile(file)) {
            return;
        }
        try {
            JsonNode server = JSON.readTree(file.toFile());
            server.path("proven")
                    .properties()
                    .forEach(fact -> proven.put(fact.getKey(), fact.getValue().asText()));
            server.path("start-up")
                    .properties()
                    .forEach(fact -> startUp.put(fact.getKey(), fact.getValue().asDouble()));
            if (server.has("ready.ms")) {
                startUp.put(Metric.READY.key(), server.get("ready.ms").asDouble());
            }
            List<String> options = Stream.iterate(
                            0, i -> i < server.path("jvm.options").size(), i -> i + 1)
                    .map(i -> server.path("jvm.options").get(i).asText())
                    .toList();
            proven.put("jvm.options", String.join(" ", options));
        } catch (IOException e) {
            throw new TargetException("cannot read " + file + " (" + e.getMessage() + ")");
        }
    }
}
