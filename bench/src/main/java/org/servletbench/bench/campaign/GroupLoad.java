package org.servletbench.bench.campaign;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.servletbench.bench.generator.Schedule;
import org.servletbench.bench.host.HostClock;
import org.servletbench.bench.host.Machines;
import org.servletbench.bench.load.Batch;
import org.servletbench.bench.load.Generator;
import org.servletbench.bench.load.LoadException;
import org.servletbench.bench.load.LoadResult;
import org.servletbench.bench.measure.CodeTiers;
import org.servletbench.bench.measure.Interleaving;
import org.servletbench.bench.measure.MonitorSeries;
import org.servletbench.bench.measure.OutsideSlices;
import org.servletbench.bench.measure.SliceUsage;
import org.servletbench.bench.measure.WarmCode;
import org.servletbench.bench.measure.WindowResult;
import org.servletbench.bench.model.Capability;
import org.servletbench.bench.model.Load;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.Procedure;
import org.servletbench.bench.model.SafeFiles;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.model.Warning;
import org.servletbench.bench.model.WarningKind;
import org.servletbench.bench.model.Workload;
import org.servletbench.bench.record.LoadFigures;
import org.servletbench.bench.record.Plan;
import org.servletbench.bench.record.SeenCode;
import org.servletbench.bench.server.Target;
import org.servletbench.bench.server.os.CompilerTime;
import org.servletbench.bench.server.os.Processors;
import org.servletbench.bench.server.proof.AnswerSizes;
import org.servletbench.bench.server.proof.Parity;

/** Loads servers that are up and warm with the plan's generators, one generator after another. */
final class GroupLoad {

    /** Maximum number of uncounted loads of a simulation before the counted one. */
    private static final int MOST_WARM_UPS = 3;

    /** Factor of {@link #afterMs} for users who pause: a processor that is mostly idle gives few samples. */
    private static final int IDLE = 3;

    /** Maximum excess of one server's state-changing requests over another's, as a share. */
    private static final double UNEQUAL = 0.01;

    private final Plan plan;
    private final Procedure procedure;
    private final Machines machines;
    private final Path root;
    private final String description;
    private final List<RunningServer> servers;
    private final Optional<Processors> processors;
    private final Random random;
    private final int block;
    /** Receives events, from any thread. */
    private final CampaignWatch watch;
    /** Uncounted load after the last time slice, for each server, ms; 0 if no code is sampled. */
    private final long afterMs;

    private final Map<String, Long> began = new ConcurrentHashMap<>();
    /** Results by arm and load. */
    private final Map<String, Map<MeasuredLoad, List<LoadResult>>> measured = new LinkedHashMap<>();

    /** True if a load may have changed the servers' answers to all later loads. */
    private boolean changed;

    private double warmUpSeconds;
    private double loadSeconds;
    /** Samples of the servers' code, by arm and load. */
    private final Map<String, Map<MeasuredLoad, SeenCode.UnderLoad>> codes = new ConcurrentHashMap<>();
    /** Number of processors that generators on other machines have, by load. */
    private final Map<MeasuredLoad, Integer> senders = new LinkedHashMap<>();

    GroupLoad(
            Plan plan,
            Procedure procedure,
            Machines machines,
            Path root,
            String description,
            List<RunningServer> servers,
            Optional<Processors> processors,
            Random random,
            int block,
            CampaignWatch watch,
            long afterMs) {
        this.plan = plan;
        this.afterMs = afterMs;
        this.procedure = procedure;
        this.machines = machines;
        this.root = root;
        this.description = description;
        this.servers = servers;
        this.processors = processors;
        this.random = random;
        this.block = block;
        this.watch = watch;
        servers.forEach(server -> measured.put(server.name(), new LinkedHashMap<>()));
    }

    /** Returns the time that generators spent on their own warm-up, s. */
    double warmUpSeconds() {
        return warmUpSeconds;
    }

    double loadSeconds() {
        return loadSeconds;
    }

    /** Returns the results of an arm so far, by load. */
    Map<MeasuredLoad, List<LoadResult>> measured(String arm) {
        return measured.get(arm);
    }

    /** Returns the merged results of an arm so far, for each of its loads and searches. */
    List<LoadFigures> results(String arm, LoadMerge.Division division) {
        List<LoadFigures> results = new ArrayList<>();
        measured.get(arm).forEach((load, own) -> {
            LoadMerge.Division divided = division.withGenerator(senders.getOrDefault(load, division.generator()));
            results.add(
                    load.isCapacity()
                            ? new CapacityMerge(
                                            load,
                                            procedure.requiredSearch().objective(),
                                            procedure.requiredSearch().resolution(),
                                            divided)
                                    .of(own)
                            : LoadMerge.of(load, together(load), place(arm, load), divided));
        });
        return results;
    }

    /** Returns the windows of each server with this load. */
    private List<List<WindowResult>> together(MeasuredLoad load) {
        return measured.values().stream()
                .filter(results -> results.containsKey(load))
                .map(results ->
                        results.get(load).stream().map(LoadResult::window).toList())
                .toList();
    }

    /** Returns the index of an arm among the servers with this load. */
    private int place(String arm, MeasuredLoad load) {
        return measured.keySet().stream()
                .filter(one -> measured.get(one).containsKey(load))
                .toList()
                .indexOf(arm);
    }

    /** Returns the code that an arm's server ran under each load. */
    List<SeenCode.UnderLoad> code(String arm) {
        return List.copyOf(codes.getOrDefault(arm, Map.of()).values());
    }

    /** Returns the start of the arm's first load, ms since the epoch; 0 if there was none. */
    long beganMs(String arm) {
        return began.getOrDefault(arm, 0L);
    }

    Optional<String> death() {
        return servers.stream()
                .flatMap(server -> server.target().death().map(how -> server.name() + ": " + how).stream())
                .findFirst();
    }

    /**
     * Runs every generator of the plan.
     *
     * @param folderOf returns an empty folder for each generator
     * @throws LoadException if a generator fails, or a server dies; everything measured so far is kept
     */
    void run(Function<String, Generator> named, Function<String, Path> folderOf) {
        for (String name : plan.generators()) {
            Path top = folderOf.apply(name);
            Path folder = top;
            for (Map<String, MeasuredLoad> loads : runs(name)) {
                run(named, loads, top, folder);
                folder = folder.resolve("next");
            }
        }
        death().map(how -> "a server died after its last window: " + how).ifPresent(LoadException::raise);
    }

    /**
     * Returns the loads for each process of a generator, by name. Loads with a reset or a simulation run alone, all
     * others together.
     */
    private List<Map<String, MeasuredLoad>> runs(String generator) {
        Map<String, Map<String, MeasuredLoad>> runs = new LinkedHashMap<>();
        plan.loads().stream().filter(load -> load.generator().equals(generator)).forEach(load -> runs.computeIfAbsent(
                        isAlone(load.workload()) ? load.withoutGenerator().name() : "", none -> new LinkedHashMap<>())
                .put(load.withoutGenerator().name(), load));
        return List.copyOf(runs.values());
    }

    private boolean isAlone(String workload) {
        return isServed(workload, one -> one.reset() != null || one.isSimulation());
    }

    /** True if a server has this workload and it meets a condition. */
    private boolean isServed(String workload, Predicate<Workload> kind) {
        return servers.stream()
                .flatMap(server -> server.workloads().stream())
                .anyMatch(one -> one.name().equals(workload) && kind.test(one));
    }

    private void run(Function<String, Generator> named, Map<String, MeasuredLoad> loads, Path top, Path folder) {
        Batch batch = batch(loads);
        if (batch.loads().isEmpty()) {
            return;
        }
        if (loads.values().stream().anyMatch(load -> isServed(load.workload(), Workload::isSimulation))) {
            warmUp(tool(named, loads), loads, top, folder);
            batch = batch(loads);
        }
        run(named, batch, loads, folder(top, folder));
    }

    /**
     * Warms servers up for a simulation, whose requests are unknown. Applies the simulation itself, uncounted, until
     * the servers are warm; only once if no code can be sampled.
     */
    private void warmUp(Generator tool, Map<String, MeasuredLoad> measuredLoads, Path top, Path folder) {
        boolean warm = false;
        double seconds = plan.windowSeconds() * plan.rounds();
        for (int loads = 1; loads <= MOST_WARM_UPS && !warm && loads * seconds <= plan.warmUpSeconds(); loads++) {
            Path own = folder(top, folder.resolve("warm-up-" + loads));
            reset(measuredLoads.values().stream().map(MeasuredLoad::workload).toList());
            try (Watching watching = new Watching(measuredLoads, server -> {})) {
                watching.startCode("");
                Generator.Results results = tool.run(batch(measuredLoads), own, watching);
                warmUpSeconds += results.warmUpSeconds() + results.loadSeconds();
                warm = watching.areWarm();
            }
        }
        began.clear();
    }

    /**
     * Applies the first load once more after the counted loads, without measuring it.
     *
     * @param begins receives each server once, when its load is about to start
     * @throws LoadException if the load fails, or a server dies
     */
    void runFirst(Function<String, Generator> named, Path folder, Consumer<String> begins) {
        MeasuredLoad first = plan.loads().get(0);
        Map<String, MeasuredLoad> loads = Map.of(first.withoutGenerator().name(), first);
        apply(tool(named, loads), batch(loads).uncounted(), loads, folder, begins);
    }

    private void run(Function<String, Generator> named, Batch batch, Map<String, MeasuredLoad> loads, Path folder) {
        Generator tool = tool(named, loads);
        Generator.Results results = apply(tool, batch, loads, folder, server -> watch.loadBegins(block, server));
        warmUpSeconds += results.warmUpSeconds();
        loadSeconds += results.loadSeconds();
        results.senders().ifPresent(of -> loads.values().forEach(load -> senders.put(load, of.processors())));
        keep(results, loads, tool);
    }

    private static Generator tool(Function<String, Generator> named, Map<String, MeasuredLoad> loads) {
        return named.apply(loads.values().iterator().next().tool());
    }

    private Generator.Results apply(
            Generator tool, Batch batch, Map<String, MeasuredLoad> loads, Path folder, Consumer<String> begins) {
        reset(loads.values().stream().map(MeasuredLoad::workload).toList());
        try (Watching watching = new Watching(loads, begins)) {
            return tool.run(batch, folder, watching);
        }
    }

    /** Resets each server to the initial state of these loads, which warm-ups and earlier loads have changed. */
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

    private Batch batch(Map<String, MeasuredLoad> measuredLoads) {
        List<Batch.Task> loads = new ArrayList<>();
        measuredLoads.forEach((name, load) -> {
            List<Schedule.Endpoint> endpoints = new ArrayList<>();
            for (RunningServer server : servers) {
                server.workloads().stream()
                        .filter(one -> one.name().equals(load.workload()))
                        // At a fixed rate every user is new, so that the login is one of its requests.
                        .map(found -> load.rate() > 0 ? found.ofNewUsers() : found)
                        .forEach(found -> endpoints.add(
                                endpoint(server.name(), server.target().url().toString(), found, rows(server, found))));
            }
            if (!endpoints.isEmpty()) {
                loads.add(new Batch.Task(load.withoutGenerator(), load.settings(), List.copyOf(endpoints)));
            }
        });
        Procedure.GeneratorWarmUp warmUp = procedure.generatorWarmUp();
        return new Batch(
                new Batch.Work(List.copyOf(loads), urls()),
                new Batch.Pace(
                        Math.round(plan.rampUpSeconds() * 1000),
                        Math.round(plan.windowSeconds() * 1000),
                        plan.rounds(),
                        timeSliceMs()),
                new Batch.Settling(
                        new Schedule.WarmUp(
                                undoesReset(measuredLoads) ? 0 : warmUp.limit().toMillis(),
                                usersOfWarmUp(measuredLoads),
                                warmUp.burst().toMillis(),
                                warmUp.risePercent(),
                                warmUp.flatBursts()),
                        procedure.settling().toMillis(),
                        Math.round(plan.warmUpSeconds() * 1000),
                        measuredLoads.values().stream().anyMatch(load -> SeenCode.isSeenIdle(load, plan.loads()))
                                ? IDLE * afterMs
                                : afterMs),
                new Batch.Run(
                        random.nextLong(),
                        description,
                        processors.map(division -> Processors.list(division.generator())),
                        plan.keepRaw(),
                        root),
                machines,
                procedure.search());
    }

    /**
     * Returns the number of users of the generator's warm-up: not more than the loads have, because more simultaneous
     * logins may exceed a service's pools.
     */
    private int usersOfWarmUp(Map<String, MeasuredLoad> loads) {
        int most = procedure.generatorWarmUp().users();
        return loads.values().stream()
                // At a rate, the users of one second count.
                .mapToInt(
                        load -> load.isCapacity() ? most : (int) Math.ceil(Math.min(most, load.users() + load.rate())))
                .max()
                .orElse(most);
    }

    /** True if the generator's warm-up would undo a reset: a simulation changes servers in unknown ways. */
    private boolean undoesReset(Map<String, MeasuredLoad> loads) {
        return loads.values().stream()
                .anyMatch(load -> isServed(load.workload(), one -> one.isSimulation() && one.reset() != null));
    }

    /**
     * Returns the next row of a workload whose requests are numbered, or of which each server must get the same number;
     * null for other workloads.
     */
    private static Schedule.Endpoint.Rows rows(RunningServer server, Workload of) {
        if (of.parts().stream()
                .noneMatch(part -> part.sending().isNumbered() || part.sending().changesEachPass())) {
            return null;
        }
        long next = server.target().nextRow(of.name());
        return new Schedule.Endpoint.Rows(of.name(), next, of.reset() == null ? 0 : next, 1);
    }

    private static Schedule.Endpoint endpoint(String name, String server, Workload of, Schedule.Endpoint.Rows rows) {
        return new Schedule.Endpoint(
                name,
                server,
                of.path(),
                of.minBytes(),
                of.maxBytes(),
                of.sending(),
                of.requests().stream()
                        .map(request -> endpoint(request.labelIn(of), server, request, null))
                        .toList(),
                rows,
                of.simulation());
    }

    /** Returns the minimum length of a time slice, ms. It is so long that readings at its edges surely belong to it. */
    private long timeSliceMs() {
        // A server that is up alone gets no slices.
        if (servers.size() < 2 || plan.timeSliceSeconds() == 0) {
            return 0;
        }
        double uncertainty = servers.stream()
                .mapToDouble(server -> server.target().clockUncertaintyMs())
                .max()
                .orElse(0);
        return (long) Math.ceil(Math.max(plan.timeSliceSeconds() * 1000, HostClock.SLICE_UNCERTAINTIES * uncertainty));
    }

    private final class Watching implements Generator.Watch, AutoCloseable {
        private final Map<Batch.Task, Target.SliceReadings> meters = new ConcurrentHashMap<>();
        private final Map<String, CompilerTime> compilers = new ConcurrentHashMap<>();
        private final Map<String, WarmCode> watched = new ConcurrentHashMap<>();
        /** Servers that were sampled under an earlier load with the same requests. */
        private final Set<String> known = ConcurrentHashMap.newKeySet();

        private final Map<String, MeasuredLoad> loads;
        private final Consumer<String> begins;
        private volatile ProcessHandle generator = ProcessHandle.current();

        /**
         * @param loads loads by name
         *
         * @param begins receives each server once, when its first load starts
         */
        private Watching(Map<String, MeasuredLoad> loads, Consumer<String> begins) {
            this.loads = loads;
            this.begins = begins;
        }

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
                begins.accept(server);
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
        public void startCode(String load) {
            for (RunningServer server : servers) {
                Target target = server.target();
                if (afterMs > 0 && target.isJvm()) {
                    Map<MeasuredLoad, SeenCode.UnderLoad> own = codes.getOrDefault(server.name(), Map.of());
                    Optional<CodeTiers> same = Optional.ofNullable(loads.get(load))
                            .flatMap(now -> SeenCode.ofSameRequests(own.values(), now));
                    try {
                        WarmCode code = WarmCode.underLoad(target.topTier());
                        if (same.isPresent()) {
                            code.add(same.get());
                            known.add(server.name());
                        } else {
                            target.startCode();
                            known.remove(server.name());
                            // Before the first load, code from the warm-up is known.
                            code.from(own.isEmpty() ? server.code() : CodeTiers.NONE);
                        }
                        watched.put(server.name(), code);
                    } catch (IOException e) {
                        // The code of this server is reported as unknown.
                        watched.remove(server.name());
                    }
                }
            }
        }

        @Override
        public Optional<WarmCode> code(String server) {
            return Optional.ofNullable(watched.get(server)).flatMap(code -> look(server, code));
        }

        /** Adds the samples since the last look; empty if samples can no longer be read. */
        private Optional<WarmCode> look(String server, WarmCode code) {
            try {
                if (!known.contains(server)) {
                    code.add(of(server).code());
                }
                return Optional.of(code);
            } catch (IOException e) {
                return Optional.empty();
            }
        }

        /** Ends sampling. Returns false if a server ran too much code that was not fully compiled. */
        boolean areWarm() {
            boolean warm = true;
            for (Map.Entry<String, WarmCode> own : watched.entrySet()) {
                warm &= look(own.getKey(), own.getValue())
                        .map(WarmCode::looksWarm)
                        .orElse(false);
                of(own.getKey()).stopCode();
            }
            watched.clear();
            return warm;
        }

        @Override
        public void stopCode(Batch.Task task, boolean after) {
            MeasuredLoad load = loads.get(task.load().name());
            for (Schedule.Endpoint endpoint : task.endpoints()) {
                WarmCode code = watched.remove(endpoint.name());
                if (code != null) {
                    look(endpoint.name(), code)
                            .map(WarmCode::seen)
                            .map(seen -> after
                                    ? new SeenCode.UnderLoad(load, CodeTiers.NONE, seen)
                                    : new SeenCode.UnderLoad(load, seen, CodeTiers.NONE))
                            .ifPresent(seen -> codes.computeIfAbsent(endpoint.name(), arm -> new ConcurrentHashMap<>())
                                    .merge(load, seen, SeenCode.UnderLoad::plus));
                    if (!known.contains(endpoint.name())) {
                        of(endpoint.name()).stopCode();
                    }
                }
            }
        }

        @Override
        public void timeSlices(Batch.Task task, Interleaving interleaving) {
            List<Target> timeSlices = task.endpoints().stream()
                    .map(endpoint -> of(endpoint.name()))
                    .toList();
            meters.put(task, timeSlices.get(0).timeSlices(interleaving, timeSlices, generator.pid()));
        }

        @Override
        public List<SliceUsage> uses(Batch.Task task) {
            Target.SliceReadings read = meters.get(task);
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
            meters.values().forEach(Target.SliceReadings::close);
        }
    }

    private Target of(String arm) {
        return server(arm).target();
    }

    private RunningServer server(String arm) {
        return servers.stream()
                .filter(server -> server.name().equals(arm))
                .findFirst()
                .orElseThrow();
    }

    private List<String> urls() {
        return servers.stream().map(server -> server.target().url().toString()).toList();
    }

    private void keep(Generator.Results results, Map<String, MeasuredLoad> loads, Generator generator) {
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
        changed |= loads.values().stream().anyMatch(load -> isServed(load.workload(), GroupLoad::mayChangeState));
        String drift = changed ? drift() : "";
        for (LoadResult result : results.results()) {
            MonitorSeries monitor = monitors.get(result.server());
            List<OutsideSlices> outside = results.results().stream()
                    .filter(one -> one.task().equals(result.task()))
                    .flatMap(one -> OutsideSlices.of(one.window(), monitors.get(one.server())).stream())
                    .toList();
            List<Warning> warnings = new ArrayList<>();
            OutsideSlices.of(result.window(), monitor)
                    .flatMap(own -> own.beyond(outside))
                    .ifPresent(own -> Warning.add(
                            warnings,
                            own.share() > own.limit(),
                            WarningKind.OUTSIDE_SLICES,
                            "its CPU time per request is %.1f %% more over the whole load than in its time slices, beyond the median of"
                                    + " all servers (limit %.1f %%, by what chance does to its readings, at least %.0f %%)",
                            100 * own.share(),
                            100 * own.limit(),
                            100 * OutsideSlices.LIMIT));
            warnings.addAll(ofCookies(result, generator));
            warnings.addAll(ofChanges(result, results.results()));
            Warning.add(
                    warnings,
                    !drift.isEmpty(),
                    WarningKind.UNEQUAL_ANSWERS,
                    "%s (limit %.0f %%)",
                    drift,
                    100 * plan.margin().usual());
            measured.get(result.server())
                    .computeIfAbsent(loads.get(result.task().load().name()), of -> new ArrayList<>())
                    .add(result.with(result.window()
                            .with(monitor)
                            .withWarnings(warnings)
                            .withLinks(links(result.server(), result.files()))));
        }
    }

    /**
     * Warns about lost cookies. Users keep theirs, but one who arrives at a rate for a single request has none to send
     * back.
     */
    private List<Warning> ofCookies(LoadResult result, Generator generator) {
        List<Warning> warnings = new ArrayList<>();
        Load load = result.task().load();
        boolean kept = (load.rate() == 0 || parts(result).size() > 1)
                && generator.has(Capability.KEEPS_COOKIES)
                && Schedule.hasHostsOfTheirOwn(urls());
        Warning.add(
                warnings,
                !kept && server(result.server()).settingCookies().contains(load.workload()),
                WarningKind.COOKIES_LOST,
                "%s sets cookies",
                load.workload());
        return warnings;
    }

    /**
     * Warns about unequal numbers of state changes. In the closed model, a faster server gets more requests in each
     * window.
     */
    private List<Warning> ofChanges(LoadResult result, List<LoadResult> all) {
        List<Warning> warnings = new ArrayList<>();
        Load load = result.task().load();
        LongSummaryStatistics requests = all.stream()
                .filter(one -> one.task().equals(result.task()))
                .collect(Collectors.groupingBy(LoadResult::server, Collectors.summingLong(one -> one.window()
                        .requests())))
                .values()
                .stream()
                .mapToLong(Long::longValue)
                .summaryStatistics();
        boolean changes = changesState(result);
        Warning.add(
                warnings,
                changes && requests.getMax() > (1 + UNEQUAL) * requests.getMin(),
                WarningKind.UNEQUAL_CHANGES,
                "%,d to %,d requests (limit %.0f %%)",
                requests.getMin(),
                requests.getMax(),
                100 * UNEQUAL);
        // The number of requests to the next server cannot be predicted.
        Warning.add(
                warnings,
                changes && servers.size() == 1,
                WarningKind.UNEQUAL_CHANGES,
                "servers were up one after the other, each with a warm-up of its own length");
        return warnings;
    }

    private boolean changesState(LoadResult result) {
        return parts(result).stream().anyMatch(part -> part.sending().changesEachPass());
    }

    /** True if a workload may change state. The requests of a simulation are unknown. */
    private static boolean mayChangeState(Workload of) {
        return of.isSimulation() || of.changesEachPass();
    }

    /** Returns the requests that users sent to the server. */
    private List<Workload> parts(LoadResult result) {
        return server(result.server()).workloads().stream()
                .filter(one -> one.name().equals(result.task().load().workload()))
                .flatMap(one -> one.parts().stream())
                .toList();
    }

    /**
     * Returns requests whose answers differ in size between servers after state changes; empty for a server that is up
     * alone.
     */
    private String drift() {
        if (servers.size() < 2) {
            return "";
        }
        try {
            Map<String, Long> rows = lastRows();
            return AnswerSizes.differences(
                    servers.stream()
                            .map(server -> server.target().answerSizes(known(server), rows))
                            .toList(),
                    plan.margin().usual());
        } catch (TargetException e) {
            watch.say("block " + block + ": sizes of answers were not compared after the load: " + e.getMessage());
            return "";
        }
    }

    /** Returns the number of the last pass that every server has had, by workload. */
    private Map<String, Long> lastRows() {
        Map<String, Long> last = new TreeMap<>();
        for (RunningServer server : servers) {
            known(server)
                    .forEach(of ->
                            last.merge(of.name(), Math.max(0, server.target().nextRow(of.name()) - 1), Math::min));
        }
        return last;
    }

    private static List<Workload> known(RunningServer server) {
        return server.workloads().stream().filter(Workload::isKnown).toList();
    }

    private List<String> links(String arm, List<Path> files) {
        Path folder = of(arm).folder();
        return files.stream().map(file -> folder.relativize(file).toString()).toList();
    }

    static Path folder(Path top, Path place) {
        try {
            return SafeFiles.folder(top, place);
        } catch (IOException e) {
            throw new LoadException("cannot make the folder " + place + " (" + e.getMessage() + ")");
        }
    }
}
