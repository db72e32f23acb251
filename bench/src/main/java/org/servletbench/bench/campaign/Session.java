package org.servletbench.bench.campaign;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Supplier;
import org.servletbench.bench.comparison.ArmSpec;
import org.servletbench.bench.load.Generator;
import org.servletbench.bench.load.LoadException;
import org.servletbench.bench.measure.CodeTiers;
import org.servletbench.bench.measure.TimeToPeak;
import org.servletbench.bench.model.Capability;
import org.servletbench.bench.model.Daemon;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Procedure;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.model.WarmUpPlan;
import org.servletbench.bench.model.Warning;
import org.servletbench.bench.model.WarningKind;
import org.servletbench.bench.model.Workload;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.BlockOrder;
import org.servletbench.bench.record.CampaignStore;
import org.servletbench.bench.record.CpuProfile;
import org.servletbench.bench.record.Layers;
import org.servletbench.bench.record.LoadFigures;
import org.servletbench.bench.record.PhaseTimes;
import org.servletbench.bench.record.Plan;
import org.servletbench.bench.record.SeenCode;
import org.servletbench.bench.record.ServerRun;
import org.servletbench.bench.record.StartCourse;
import org.servletbench.bench.server.Target;
import org.servletbench.bench.server.WarmUp;
import org.servletbench.bench.server.exchange.JarManifest;
import org.servletbench.bench.server.os.Overload;
import org.servletbench.bench.server.os.Processors;
import org.servletbench.bench.server.process.StartedProcess;
import org.servletbench.bench.server.proof.CpuProfiler;
import org.servletbench.bench.server.proof.Parity;

/**
 * The servers that are up at once, from start to stop: a whole group of a block, or a single arm. Starts them, compares
 * their answers, warms them up, pins them, lets every generator load them, stops them, and records a server run for
 * each.
 */
final class Session {

    /** Time in which the end of a process is noticed at the latest. */
    private static final Duration NOTICED = Duration.ofSeconds(1);

    /** Interval at which a slow start is reported, s. */
    private static final long SLOW = 60;

    private static final Duration LOOK = Duration.ofMillis(20);

    /** Share of the processors' time used by other programs above which they may be the reason that a load fails. */
    private static final double CROWDED = 0.25;

    /**
     * State shared by all sessions of a campaign.
     *
     * @param processors division of processors; empty if there is none
     * @param parity answers of the first server of each group; grows during the campaign
     * @param heaps heaps of all servers so far; grows during the campaign
     * @param generators returns a generator by its name
     * @param companion companion of starts under load
     */
    record Context(
            Prepared prepared,
            Optional<Processors> processors,
            Map<String, Map<String, Map<String, String>>> parity,
            ProvenHeaps heaps,
            Servers servers,
            Function<String, Generator> generators,
            Companion companion,
            CampaignWatch watch) {

        /** True if frameworks differ, because the headers they add may then differ, too. */
        private boolean isAcrossLines() {
            return Arm.acrossLines(prepared.campaign().arms()).isPresent();
        }
    }

    /** Starts servers. Throws a TargetException if one does not come up as specified. */
    interface Servers {
        Target start(Hosting hosting, Arm arm, int block, Path folder);
    }

    /**
     * An attempt to measure an arm in a block.
     *
     * @param position position in the block's order, from 1
     */
    record Attempt(Arm arm, int position, int attempt) {}

    /** A server of this session. */
    static final class Slot {
        final Attempt place;
        final Path folder;
        /** Workloads of the server. Unknown lengths of answers are filled in from its first answers. */
        volatile List<Workload> served;
        /** Names of workloads whose answers set cookies. */
        volatile Set<String> settingCookies = Set.of();

        final String started = now();
        /**
         * Null until the server is up. With two starts under load, the second server replaces the first one when that
         * has ended.
         */
        volatile Target target;
        /** Null until the server is warm. */
        WarmUp.Outcome warmUp;
        /** Null if no profile is taken. */
        CpuProfile profile;
        /** Null if its start is not under load. */
        StartLoad load;
        /** Null until the load on its start has ended. */
        StartCourse course;
        /** What the load on its start measured, by the key of the metric. */
        final Map<String, Double> moments = new TreeMap<>();

        private void reached(Metric metric, Metric cpu, TimeToPeak.Moment at) {
            moments.put(metric.key(), at.seconds());
            moments.put(cpu.key(), at.cpuSeconds());
        }

        private Slot(Attempt place, Path folder, List<Workload> served) {
            this.place = place;
            this.folder = folder;
            this.served = served;
        }
    }

    private final Context context;
    private final int block;
    private final Plan plan;
    private final List<Slot> slots;
    private final Random random;
    /** Null until the load starts. */
    private GroupLoad loaded;
    /** Null until the start. */
    private Hosting hosting;

    private double startSeconds;
    private double warmUpSeconds;
    private double loadSeconds;
    private String trouble;

    private String culprit;
    private boolean theServers;
    private Optional<TargetException.Refusal> refusal = Optional.empty();
    private boolean diedAtStart;
    /** Why the servers' code is not sampled; empty if it is sampled. */
    private Optional<String> codeUnseen = Optional.empty();
    /** True while the first server is checked and the others have not been started yet. */
    private boolean othersWait;

    private final TimeOfDay time = new TimeOfDay();
    /** Use of the machine since the load started; null before that, or if the kernel does not report it. */
    private Overload overload;

    /** @param loadSeconds duration of the load for each server and load, s */
    Session(Context context, int block, List<Attempt> places, double loadSeconds) {
        this.context = context;
        this.block = block;
        plan = context.prepared.campaign().plan().withLoad(loadSeconds);
        this.slots = places.stream()
                .map(place -> new Slot(
                        place,
                        context.prepared.store().serverRun(block, place.position, place.arm.id(), place.attempt),
                        served(place.arm)))
                .toList();
        this.random =
                new Random(BlockOrder.random(context.prepared.campaign().plan().seed(), block)
                                .nextLong()
                        + places.get(0).position);
    }

    /**
     * Result of a session.
     *
     * @param trouble reason why it ended early
     * @param refusal reason that would end it again; empty for any other
     * @param diedAtStart true if a server died before it was ready
     */
    record Ran(
            List<ServerRun> serverRuns,
            PhaseTimes timing,
            Optional<String> trouble,
            Optional<TargetException.Refusal> refusal,
            boolean diedAtStart) {}

    /** Runs the session, and writes its results even if it fails. */
    Ran run() {
        long begin = System.nanoTime();
        CampaignStore store = context.prepared.store();
        store.make(store.block(block));
        try {
            context.prepared.procedure().peak().ifPresent(any -> slots.forEach(slot -> slot.load = startLoad()));
            start();
            slots.stream().filter(slot -> slot.load != null).forEach(this::followLoad);
            if (!isStartUp()) {
                context.watch.serversAreUp(block);
                warmUp();
                pinServers();
                load();
                requireExports();
                explain();
            }
            time.requireNotSet();
            hosting.requireSameClock();
        } catch (TargetException | LoadException e) {
            trouble = e instanceof LoadException load ? ofLoad(load) : e.getMessage();
            refusal = e instanceof TargetException target ? target.refusal() : Optional.empty();
            // Earlier failures are not those of an arm's server: for example, a companion's.
            theServers = hosting != null && e instanceof TargetException target && target.isTheServers();
            diedAtStart = e instanceof TargetException target && target.isDeathAtStart();
            culprit = slots.stream()
                    .filter(slot -> slot.target == null
                            ? !othersWait
                            : slot.target.death().isPresent())
                    .map(slot -> slot.place.arm().id())
                    .findFirst()
                    .orElse(null);
        } finally {
            slots.stream().filter(slot -> slot.load != null).forEach(slot -> slot.load.close());
            stop(trouble == null ? "stopped" : "failed: " + trouble);
            if (hosting != null) {
                hosting.close();
            }
        }
        List<ServerRun> serverRuns = new ArrayList<>();
        for (Slot slot : slots) {
            ServerRun serverRun = serverRun(slot);
            context.prepared.store().write(serverRun, slot.folder);
            serverRuns.add(serverRun);
        }
        double rest = seconds(begin) - startSeconds - warmUpSeconds - loadSeconds;
        PhaseTimes timing = new PhaseTimes(1, startSeconds, warmUpSeconds, loadSeconds, rest);
        return new Ran(serverRuns, timing, Optional.ofNullable(trouble).map(this::named), refusal, diedAtStart);
    }

    /** Prefixes a failure with the arm that caused it. */
    private String named(String what) {
        return theServers && culprit != null && !what.startsWith(culprit) ? culprit + ": " + what : what;
    }

    /** Returns the reason for a failed load, with the machine's utilisation if that may be the cause. */
    private String ofLoad(LoadException failure) {
        String said = withDeath(failure.getMessage());
        try {
            boolean crowded = overload != null && overload.others() > CROWDED;
            if (overload == null || death().isPresent() || !failure.isLate() && !crowded) {
                return said;
            }
            return failure.isLate()
                    ? "the machine was overloaded (" + overload.words() + "): " + said + ": "
                            + (crowded
                                    ? "stop other programs"
                                    : "give fewer users, or one server at a time: --set measure.together=false")
                    : said + " (" + overload.words() + ")";
        } catch (IOException e) {
            return said;
        }
    }

    /** Adds the death of a server to a failure, if one has died. */
    private String withDeath(String failure) {
        return noticed(this::death)
                .filter(how -> !failure.contains(how))
                .map(how -> "a server died under load: " + how + "; " + failure)
                .orElse(failure);
    }

    /**
     * Returns a death, which may be noticed only after the failure that it caused; empty if none is noticed within a
     * second.
     */
    static Optional<String> noticed(Supplier<Optional<String>> death) {
        long deadline = System.nanoTime() + NOTICED.toNanos();
        Optional<String> seen = death.get();
        while (seen.isEmpty()
                && System.nanoTime() < deadline
                && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(LOOK.toNanos());
            seen = death.get();
        }
        return seen;
    }

    private Optional<String> death() {
        return loaded == null ? Optional.empty() : loaded.death();
    }

    private static double seconds(long sinceNanos) {
        return (System.nanoTime() - sinceNanos) / 1e9;
    }

    static String now() {
        return Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    }

    private void phase(String arm, String phase) {
        context.watch.phase(block, arm, phase);
    }

    // ---- start ----

    private void start() {
        long begin = System.nanoTime();
        hosting = Hosting.connect(
                context.prepared.machine().machines(),
                slots.stream().map(slot -> slot.place.arm()).toList(),
                context.processors,
                context.watch::say);
        ScheduledExecutorService slow = Executors.newSingleThreadScheduledExecutor(new Daemon("servlet-bench-starts"));
        slow.scheduleAtFixedRate(
                () -> slots.forEach(slot -> stillStarts(slot).ifPresent(context.watch::say)),
                SLOW,
                SLOW,
                TimeUnit.SECONDS);
        List<Slot> unknown = unknown();
        List<Slot> others =
                slots.stream().filter(slot -> !unknown.contains(slot)).toList();
        try {
            startAll(unknown);
            othersWait = true;
            unknown.forEach(this::ask);
            othersWait = false;
            startAll(others);
        } finally {
            slow.shutdownNow();
        }
        if (block == 1) {
            slots.forEach(slot -> proven(slot).ifPresent(context.watch::say));
        }
        others.forEach(this::ask);
        slots.forEach(slot -> context.heaps.add(
                slot.place.arm(), ServerFacts.read(slot.folder).proven()));
        for (Map.Entry<String, Map<String, Map<String, String>>> group : context.parity.entrySet()) {
            Map<String, Map<String, String>> ranked = new LinkedHashMap<>(group.getValue());
            ranked.keySet().removeIf(id -> context.prepared.campaign().arm(id).role() == Arm.Role.REFERENCE);
            if (!ranked.isEmpty()) {
                Parity.requireSame(ranked, context.prepared.campaign().serverProcessors());
            }
        }
        startSeconds = seconds(begin);
    }

    /**
     * Returns the first server if its group's answers are unknown. It starts alone, to detect a wrong URL before the
     * others start.
     */
    private List<Slot> unknown() {
        return slots.stream()
                .filter(slot -> slot.place.arm().role() != Arm.Role.REFERENCE)
                .limit(1)
                .filter(slot -> !context.parity.containsKey(slot.place.arm().group()))
                .toList();
    }

    private void startAll(List<Slot> some) {
        if (some.isEmpty()) {
            return;
        }
        Hosting.startAll(some, slot -> {
            phase(slot.place.arm().id(), "start");
            Hosting place = slot.load == null ? hosting : hosting.loading(slot.load::begin);
            return context.servers.start(place, slot.place.arm(), block, slot.folder);
        });
    }

    /** Records a server's answers, for comparison with those of its group. */
    private void ask(Slot slot) {
        Arm arm = slot.place.arm();
        Map<String, Map<String, String>> known =
                context.parity.computeIfAbsent(arm.group(), group -> new LinkedHashMap<>());
        Map<String, String> facts = slot.target.parity(known(slot.served));
        slot.served = Parity.learnt(slot.served, facts);
        slot.settingCookies = Parity.settingCookies(slot.served, facts);
        CommandArms.requireOwnCookies(arm, slot.settingCookies, slot.target.url());
        // Arms may choose their JDKs or class archives. Each server has already proven that it has its own.
        context.prepared.campaign().arms().forEach(other -> facts.keySet().removeAll(ArmList.differsBy(other)));
        Optional.ofNullable(facts.get(Parity.ENCODING))
                .ifPresent(encoding -> slot.target.note(Parity.ENCODING, encoding));
        if (Arm.differ(context.prepared.campaign().arms(), ArmSpec::compression)) {
            facts.remove(Parity.ENCODING);
        }
        if (Arm.differ(context.prepared.campaign().arms(), ArmSpec::speaks)) {
            // HTTP/2 uses frames instead.
            facts.keySet().removeIf(key -> key.endsWith(": transfer-encoding"));
        }
        known.put(arm.id(), context.isAcrossLines() ? Parity.withoutHeaders(facts) : facts);
    }

    /** Returns the workloads except simulations, whose requests are unknown. */
    private static List<Workload> known(List<Workload> workloads) {
        return workloads.stream().filter(Workload::isKnown).toList();
    }

    /** Returns the last log line of a slow start. */
    static Optional<String> stillStarts(Slot slot) {
        return slot.target != null
                ? Optional.empty()
                : StartedProcess.lastLine(slot.folder.resolve("server.log"))
                        .map(line -> slot.place.arm().id() + " still starts; the last line of its log: " + line);
    }

    /**
     * Returns what the server of a user's own service reports as its runtime, because the arm's name may not say it.
     */
    private static Optional<String> proven(Slot slot) {
        ArmSpec asked = slot.place.arm().spec();
        return asked.app() == null && asked.command().isEmpty()
                ? Optional.empty()
                : Optional.of(slot.place.arm().id()
                        + (asked.app() != null && asked.container() == null ? " (as built): " : ": ")
                        + slot.target.description());
    }

    private boolean isStartUp() {
        return plan.isStartUp();
    }

    /** Returns the workloads of an arm. nginx serves only those that need no JVM. */
    private List<Workload> served(Arm arm) {
        if (isStartUp()) {
            return List.of();
        }
        return arm.role() == Arm.Role.REFERENCE
                ? context.prepared.workloads().stream()
                        .filter(workload -> !workload.isSimulation()
                                && workload.parts().stream()
                                        .allMatch(one -> one.sending().plain()
                                                && List.of("/hello", "/", "/payload")
                                                        .contains(one.path())))
                        .toList()
                : context.prepared.workloads();
    }

    // ---- starts under load ----

    private StartLoad startLoad() {
        return new StartLoad(
                context.companion.of(block, context),
                Companion.workloads(context.prepared),
                context.prepared.procedure().warmUp().users(),
                peakSeconds());
    }

    private double peakSeconds() {
        return context.prepared.procedure().peak().orElseThrow().toMillis() / 1e3;
    }

    /**
     * Waits until a start has had its load, then samples the code of a second start. Nothing is profiled while anything
     * is counted.
     */
    private void followLoad(Slot slot) {
        long begin = System.nanoTime();
        Arm arm = slot.place.arm();
        phase(arm.id(), "load of its start");
        List<TimeToPeak.Round> rounds = slot.load.await(arm.id(), slot.target);
        slot.target.close("stopped");
        sayLeftBehind(slot);
        StartLoad.write(rounds, slot.folder.resolve("peak.csv"));
        TimeToPeak.of(rounds, peakSeconds()).ifPresent(peak -> {
            slot.reached(Metric.PEAK, Metric.PEAK_CPU, peak.at());
            slot.moments.put(Metric.PEAK_LOST.key(), peak.lostSeconds());
        });
        phase(arm.id(), "load of a second start, whose code is sampled");
        String unseen = null;
        try (StartLoad again = startLoad()) {
            // The arm is to blame for a second start that fails, as it is for a first one.
            slot.target = null;
            slot.target = context.servers.start(
                    hosting.loading(again::begin), arm, block, slot.folder.resolve("second-start"));
            try {
                again.untilWarm(slot.target, slot.folder.resolve("warm.csv"))
                        .ifPresent(at -> slot.reached(Metric.WARM, Metric.WARM_CPU, at));
            } catch (IOException e) {
                unseen = e.getMessage();
            }
            again.close();
            again.await(arm.id(), slot.target);
        }
        if (unseen != null) {
            context.watch.say(arm.id() + ": the code of its start could not be seen: " + unseen);
        }
        slot.course = StartCourse.of(StartLoad.words(context.prepared), rounds, peakSeconds(), unseen);
        loadSeconds += seconds(begin);
    }

    // ---- warm-up ----

    private void warmUp() {
        long begin = System.nanoTime();
        WarmUpPlan limits = warmUpPlan(plan, context.prepared.procedure());
        GroupWarmUp.Ended ended = GroupWarmUp.run(
                GroupWarmUp.underNewUsers(up(), plan.loads()), limits, isSeenAgain(), line -> phase("", line));
        codeUnseen = ended.unseen();
        codeUnseen.ifPresent(why -> context.watch.say("block " + block
                + ": servers count as warm when throughput stops rising, because their code cannot be seen (" + why
                + ")"));
        List<WarmUp.Outcome> outcomes = ended.outcomes();
        for (int i = 0; i < slots.size(); i++) {
            slots.get(i).warmUp = outcomes.get(i);
            slots.get(i).target.warmedUp(outcomes.get(i));
        }
        evenChanges();
        warmUpSeconds += seconds(begin);
    }

    /** True if every load starts with uncounted time slices, until the servers are warm. */
    private boolean isSeenAgain() {
        return slots.size() > 1
                && plan.timeSliceSeconds() > 0
                && plan.loads().stream()
                        .allMatch(load -> load.users() > 0
                                && context.generators.apply(load.tool()).has(Capability.INTERLEAVES));
    }

    /**
     * Makes all servers equal before a load starts: each gets the state-changing requests it lacks, in the same order,
     * until all have had the same number.
     */
    private void evenChanges() {
        for (Workload workload : context.prepared.workloads()) {
            if (!workload.changesEachPass()) {
                continue;
            }
            String name = workload.name();
            long most = slots.stream()
                    .mapToLong(slot -> slot.target.nextRow(name))
                    .max()
                    .orElse(0);
            for (Slot slot : slots) {
                long missing = most - slot.target.nextRow(name);
                slot.served.stream()
                        .filter(one -> missing > 0 && one.name().equals(name))
                        .forEach(one -> {
                            phase(slot.place.arm().id(), missing + " more of " + name + ", as others had");
                            slot.target.catchUp(slot.place.arm().id(), one, most);
                        });
            }
        }
    }

    private List<RunningServer> up() {
        return slots.stream()
                .map(slot -> new RunningServer(
                        slot.place.arm().id(),
                        slot.target,
                        slot.served,
                        slot.settingCookies,
                        slot.warmUp == null || slot.warmUp.code() == null || !slot.warmUp.settled()
                                ? CodeTiers.NONE
                                : slot.warmUp.code()))
                .toList();
    }

    static WarmUpPlan warmUpPlan(Plan plan, Procedure procedure) {
        return procedure.warmUp().within(Duration.ofMillis(Math.round(plan.warmUpSeconds() * 1000)));
    }

    private void pinServers() {
        context.processors.ifPresent(division ->
                slots.forEach(slot -> slot.target.pids().forEach(pid -> Processors.pin(pid, division.server()))));
    }

    // ---- load ----

    private void load() {
        GroupLoad load = groupLoad(plan, "campaign", codeUnseen.isEmpty() ? Procedure.AFTER_MS : 0);
        loaded = load;
        try {
            overload = Overload.begin();
        } catch (IOException e) {
            // A failure is then reported without the machine's utilisation.
            overload = null;
        }
        try {
            load.run(context.generators, this::loadFolder);
        } finally {
            warmUpSeconds += load.warmUpSeconds();
            loadSeconds += load.loadSeconds();
        }
    }

    /** @param afterMs uncounted load after the counted one, for each server, ms; 0 if no code is sampled */
    private GroupLoad groupLoad(Plan of, String what, long afterMs) {
        return new GroupLoad(
                of,
                context.prepared.procedure(),
                context.prepared.machine().machines(),
                context.prepared.repository(),
                what + " " + context.prepared.campaign().id() + ", block " + block,
                up(),
                context.processors,
                random,
                block,
                context.watch,
                afterMs);
    }

    /** Checks that servers export what their arms say. Otherwise the figures would belong to something else. */
    private void requireExports() {
        for (Slot slot : slots) {
            Arm arm = slot.place.arm();
            hosting.collector(arm).ifPresent(address -> {
                Exports seen = Exports.at(address, arm.spec().exports());
                seen.wrong(arm.spec().exports()).ifPresent(why -> {
                    throw TargetException.refusal(TargetException.Refusal.SERVER, arm.id() + ": " + why);
                });
            });
        }
    }

    // ---- profiles ----

    /** Takes a profile of each server under one more load. If that fails, the counted results are not affected. */
    private void explain() {
        Optional<Duration> length = context.prepared.procedure().profile();
        if (length.isEmpty() || plan.isCapacity()) {
            return;
        }
        // Makes servers without a profiler report the reason.
        slots.stream().filter(slot -> !slot.target.hasProfiler()).forEach(this::startProfile);
        List<Slot> able =
                slots.stream().filter(slot -> slot.target.hasProfiler()).toList();
        if (able.isEmpty()) {
            return;
        }
        phase("", "profile");
        Set<Slot> begun = ConcurrentHashMap.newKeySet();
        try {
            GroupLoad load = groupLoad(plan.withLoad(length.get().toMillis() / 1e3), "profile of campaign", 0);
            // Profiling starts only now, because the generator's own warm-up, and the compilation it causes, are not
            // part of the load.
            load.runFirst(context.generators, loadFolder("cpu-profile"), server -> able.stream()
                    .filter(slot -> slot.place.arm().id().equals(server))
                    .filter(this::startProfile)
                    .forEach(begun::add));
            able.stream().filter(begun::contains).forEach(this::keepProfile);
        } catch (LoadException e) {
            // The samples would not be those of this load.
            able.forEach(slot -> noProfile(slot, "the load failed: " + e.getMessage()));
        }
    }

    private int processorsOfServers() {
        return context.processors
                .map(one -> one.server().size())
                .orElse(context.prepared.campaign().serverProcessors());
    }

    private boolean startProfile(Slot slot) {
        try {
            slot.target.startProfile(processorsOfServers());
            return true;
        } catch (IOException e) {
            noProfile(slot, e.getMessage());
            return false;
        }
    }

    private void keepProfile(Slot slot) {
        Arm arm = slot.place.arm();
        Path stacks = slot.folder.resolve(CpuProfile.FILE);
        try {
            long cpuMillis = slot.target.stopProfile(stacks);
            slot.profile = CpuProfile.read(
                    stacks,
                    plan.loads().get(0),
                    Layers.read(context.prepared.repository().resolve("profiles"))
                            .withOwn(arm.spec().command().isEmpty() ? JarManifest.ownPackage(Path.of(arm.jar())) : "")
                            .withPackages(plan.claims().layers()),
                    cpuMillis,
                    CpuProfiler.intervalMillis(processorsOfServers()));
        } catch (IOException e) {
            noProfile(slot, e.getMessage());
        }
    }

    /** Records that a server has only counters, and no profile. */
    private void noProfile(Slot slot, String why) {
        slot.target.note("cpu.profile", "none: " + why);
        context.watch.say(slot.place.arm().id() + " has no profile, counters only: " + why);
    }

    private Path loadFolder(String generator) {
        Attempt first = slots.get(0).place;
        CampaignStore store = context.prepared.store();
        return store.make(store.block(block)
                .resolve("load-" + first.position + (first.attempt == 1 ? "" : "-attempt" + first.attempt))
                .resolve(generator));
    }

    // ---- the end ----

    private void stop(String how) {
        List<Thread> stops = slots.stream()
                .filter(slot -> slot.target != null)
                .map(slot -> new Thread(() -> slot.target.close(how), "servlet-bench-stop"))
                .toList();
        // With a full disk, for example, the server ends but its record is incomplete.
        stops.forEach(one -> one.setUncaughtExceptionHandler((same, e) -> context.watch.say(e.getMessage())));
        stops.forEach(Thread::start);
        for (Thread thread : stops) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        slots.stream().filter(slot -> slot.target != null).forEach(this::sayLeftBehind);
    }

    private void sayLeftBehind(Slot slot) {
        List<String> processes = slot.target.leftBehind();
        if (!processes.isEmpty()) {
            context.watch.say(slot.place.arm().id()
                    + ": processes that its server had started outlived it, and were killed: "
                    + String.join(", ", processes));
        }
    }

    /** Returns the code that the server ran; null if it is not a JVM. */
    private SeenCode seenCode(Slot slot) {
        return slot.target == null || !slot.target.isJvm()
                ? null
                : new SeenCode(
                        slot.target.topTier(),
                        slot.warmUp.code(),
                        loaded == null
                                ? List.of()
                                : loaded.code(slot.place.arm().id()),
                        codeUnseen.orElse(null));
    }

    private ServerRun serverRun(Slot slot) {
        Arm arm = slot.place.arm();
        String outcome = trouble == null
                ? ServerRun.MEASURED
                : culprit == null || arm.id().equals(culprit) ? trouble : ServerRun.GIVEN_UP + culprit + ": " + trouble;
        ServerFacts facts = ServerFacts.read(slot.folder);
        Map<String, Double> startUp = new TreeMap<>(facts.startUp());
        startUp.putAll(slot.moments);
        List<Warning> warnings = new ArrayList<>();
        if (slot.warmUp != null && !slot.warmUp.settled()) {
            warnings.add(Warning.of(WarningKind.WARM_UP, slot.warmUp.reason()));
        }
        if (slots.size() > 1 && !isStartUp()) {
            facts.sharedScheduler().ifPresent(warnings::add);
        }
        boolean failed = slot.target == null
                ? theServers && arm.id().equals(culprit)
                : slot.target.death().isPresent() && !slot.target.isLost();
        if (trouble != null && failed) {
            warnings.add(Warning.of(WarningKind.SERVER_FAILED, trouble));
        }
        int all = Runtime.getRuntime().availableProcessors();
        LoadMerge.Division division = new LoadMerge.Division(
                processorsOfServers(),
                context.processors.map(one -> one.generator().size()).orElse(all),
                context.prepared.procedure().limits().generatorBusy(),
                context.prepared.procedure().limits().disturbedPercent());
        List<LoadFigures> loads = trouble != null
                ? List.of()
                : isStartUp() ? List.of(LoadFigures.startUp(startUp)) : loaded.results(arm.id(), division);
        return new ServerRun(
                ServerRun.FORMAT,
                new ServerRun.Run(
                        block, slot.place.position(), arm.id(), slot.place.attempt(), slot.started, now(), outcome),
                new ServerRun.Before(
                        facts.proven(),
                        startUp,
                        slot.warmUp == null ? null : ServerFacts.warmUp(slot.warmUp, seenCode(slot))),
                new ServerRun.Results(
                        loads,
                        isStartUp()
                                ? null
                                : ServerFacts.threads(
                                        slot.folder.resolve("monitor.csv"),
                                        loaded == null ? 0 : loaded.beganMs(arm.id())),
                        warnings,
                        trouble == null ? slot.profile : null,
                        trouble == null ? slot.course : null));
    }
}
