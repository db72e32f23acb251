package org.servletbench.bench.campaign;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.servletbench.bench.comparison.ArmSpec;
import org.servletbench.bench.comparison.CampaignSpec;
import org.servletbench.bench.comparison.ClaimList;
import org.servletbench.bench.comparison.Comparison;
import org.servletbench.bench.comparison.Factorial;
import org.servletbench.bench.comparison.LoadSpec.Kind;
import org.servletbench.bench.comparison.MeasureSpec;
import org.servletbench.bench.comparison.StopSpec;
import org.servletbench.bench.load.Generators;
import org.servletbench.bench.measure.Recorder;
import org.servletbench.bench.model.Bounds;
import org.servletbench.bench.model.CampaignProfile;
import org.servletbench.bench.model.Capability;
import org.servletbench.bench.model.Cpus;
import org.servletbench.bench.model.JvmOptions;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Procedure;
import org.servletbench.bench.model.ProfilesFolder;
import org.servletbench.bench.model.Share;
import org.servletbench.bench.model.Shares;
import org.servletbench.bench.model.Size;
import org.servletbench.bench.model.Time;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.model.Workload;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.BlockOrder;
import org.servletbench.bench.record.Forecast;
import org.servletbench.bench.record.Layers;
import org.servletbench.bench.record.Plan;
import org.servletbench.bench.record.WarmStart;
import org.servletbench.bench.server.process.Jdk;
import org.servletbench.bench.verdict.Baseline;

/** Turns the user's request into a plan and its arms. Builds and starts nothing. */
public final class Planner {

    private static final double MOST_SECONDS = 86_400;

    private static final double USUAL_PRECISION = new Share(Comparison.PRECISION).share("precision");
    /** Exclusive upper bound of a margin, so that half is allowed. */
    private static final double MOST_MARGIN = Math.nextUp(0.5);

    private Planner() {}

    /**
     * The user's request, as far as it is known before anything is built.
     *
     * @param spec how the campaign is evaluated, ended and measured; part of the record
     * @param arms arms without versions and checksums
     * @param command command that requests the same comparison, without its stopping rule; empty if there is none
     */
    public record Draft(
            CampaignSpec spec,
            Procedure procedure,
            Plan plan,
            List<Arm> arms,
            List<Workload> workloads,
            String command) {

        /** Returns the ids of the arms for each block, in the order in which they will run. */
        public List<List<String>> order() {
            return BlockOrder.all(arms, plan.seed(), plan.blocks());
        }

        /** True if each block's load depends on the noise of earlier blocks. */
        public boolean followsNoise() {
            return Forecast.followsNoise(plan, procedure);
        }

        /** Returns the Maven profiles that add to the application what the workloads need. */
        public List<String> with() {
            return ArmBuilds.with(workloads);
        }

        /** Returns a copy with another plan. */
        public Draft with(Plan other) {
            return new Draft(spec, procedure, other, arms, workloads, command);
        }

        /** Returns the number of servers in the largest group, which are up at the same time if the plan says so. */
        int mostTogether() {
            return Planner.mostTogether(arms);
        }

        /** Returns a copy with other arms. No command requests it. */
        public Draft with(List<Arm> others) {
            return new Draft(spec, procedure, plan, others, workloads, "");
        }

        Draft of(String newCommand) {
            return new Draft(spec, procedure, plan, arms, workloads, newCommand);
        }
    }

    /**
     * Returns how the blocks of a campaign are run.
     *
     * @throws UsageException in one line if a value is out of range
     */
    public static Procedure procedure(CampaignSpec spec, ProfilesFolder folder) {
        MeasureSpec measure = spec.measure();
        CampaignProfile profile = spec.profile();
        return new Procedure(
                new Procedure.Start(
                        jvmOptions(measure, folder),
                        spec.jdks(),
                        Optional.ofNullable(measure.startTimeout())
                                .map(Time::duration)
                                .orElse(profile.startTimeout()),
                        Optional.ofNullable(measure.dbUrl()),
                        measure.acceptEncoding() != null),
                profile.warmUp().within(measure.warmup().duration()),
                profile.generatorWarmUp().within(measure.generatorWarmup().duration()),
                measure.settlingTime().duration(),
                spec.isGiven("hold"),
                spec.stop().pace().duration(),
                measure.cpuProfile() ? Optional.of(profile.profileHold()) : Optional.empty(),
                Optional.ofNullable(measure.peak()).map(Time::duration),
                spec.load().search(),
                new Procedure.Archives(
                        Bounds.whole(Procedure.Archives.CACHES, measure.aotCaches(), 1, 100),
                        measure.aotTraining().duration(),
                        Stream.of(Procedure.Archives.CACHES, Procedure.Archives.TRAINING)
                                .filter(spec::isGiven)
                                .toList()),
                profile.limits(),
                profile.hostWait(),
                profile.assumed());
    }

    /**
     * Returns the options of every server's JVM: those of the campaign's own file, or of the profiles. They pre-touch
     * the heap, unless {@code pre-touch} is false or the file decides otherwise.
     *
     * @throws UsageException if the file cannot be read or understood
     */
    private static JvmOptions jvmOptions(MeasureSpec measure, ProfilesFolder folder) {
        JvmOptions all =
                measure.jvmOptions() == null ? folder.jvmOptions() : JvmOptions.read(Path.of(measure.jvmOptions()));
        JvmOptions touched = measure.preTouch() ? all.preTouched() : all;
        // Code that is compiled before the profiler starts would lack its inlined frames. The options are the same for
        // all arms.
        return measure.cpuProfile() ? touched.with(JvmOptions.OF_PROFILES) : touched;
    }

    /**
     * Rejects a factorial if this machine cannot run one of its arms, because effects could not be separated without
     * it.
     */
    private static void requireAll(Factorial factorial, List<Arm> arms) {
        List<String> known = arms.stream().map(Arm::id).toList();
        factorial.effects().stream()
                .flatMap(effect -> Stream.concat(effect.a().stream(), effect.b().stream()))
                .filter(id -> !known.contains(id))
                .findFirst()
                .ifPresent(id -> {
                    throw new UsageException(
                            "factors: " + id
                                    + " cannot run here, and the effects are those of all combinations: leave out one of its levels");
                });
    }

    /** Rejects arms with equal JVMs. Different keys may result in the same options. */
    private static void requireDifferent(Map<Arm, JvmOptions> jvms) {
        Map<List<Object>, Arm> seen = new HashMap<>();
        jvms.forEach((arm, jvm) -> {
            ArmSpec rest = arm.spec().withJvm(List.of()).withHeap(null).server();
            Arm same =
                    arm.role() == Arm.Role.CONTROL ? null : seen.put(List.of(arm.line(), rest, jvm.effective()), arm);
            if (same != null) {
                throw new UsageException("arms." + arm.id() + " does not differ from " + same.id()
                        + ": the options of both have the same effect on their JVMs (beside -Xmx a share of the memory"
                        + " has none, and the last of several values counts)");
            }
        });
    }

    /** Rejects limits of CPU time that a server cannot reach on this number of processors. */
    private static void requireEffect(List<Arm> arms, int processors) {
        for (Arm arm : arms) {
            Cpus cpus = arm.spec().cpus();
            if (cpus != null && cpus.isAtLeast(processors)) {
                throw new UsageException(
                        "arms." + arm.id() + ".cpus: " + cpus + " limits nothing, because a server has "
                                + (processors == 1 ? "1 processor" : processors + " processors")
                                + " here: give less, or leave it out");
            }
        }
    }

    /** Rejects limits of CPU time for starts under load, whose short slices would cut the limits' periods. */
    private static void requireWholePeriods(List<Arm> arms, Procedure procedure) {
        arms.stream()
                .filter(arm -> procedure.peak().isPresent() && arm.spec().cpus() != null)
                .findFirst()
                .ifPresent(arm -> {
                    throw new UsageException("arms." + arm.id()
                            + ".cpus and measure.peak exclude each other: a start is"
                            + " loaded in time slices that would cut the periods of 'cpus', of " + Cpus.PERIOD_MS
                            + " ms: leave out one of them");
                });
    }

    /**
     * Returns the shortest time slice. With limits of CPU time, it spans many periods, because at its edges a slice may
     * use up the CPU time of a period of which it covers only a part.
     */
    private static Duration slice(CampaignSpec spec, List<Arm> arms, List<MeasuredLoad> loads, Consumer<String> say) {
        Duration slice = spec.measure().slice().duration();
        boolean isLimited = arms.stream().anyMatch(arm -> arm.spec().cpus() != null);
        boolean takeTurns = spec.measure().together()
                && loads.stream()
                        .anyMatch(load -> load.users() > 0 && !load.settings().isCounted());
        if (!isLimited || !takeTurns || slice.isZero() || slice.compareTo(Cpus.LEAST_SLICE) >= 0) {
            return slice;
        }
        if (spec.isGiven("slice")) {
            throw new UsageException("slice: " + spec.measure().slice() + " is too short for 'cpus', whose periods of "
                    + Cpus.PERIOD_MS + " ms it would cut: give at least " + Time.of(Cpus.LEAST_SLICE)
                    + ", or 0s for no slices");
        }
        say.accept("time slices of " + Time.of(Cpus.LEAST_SLICE) + ": 'cpus' counts in periods of " + Cpus.PERIOD_MS
                + " ms");
        return Cpus.LEAST_SLICE;
    }

    /** Drafts a campaign for servers on the machine that the comparison names. Contacts that machine. */
    public static Draft draft(Comparison comparison, ProfilesFolder folder, Consumer<String> say) {
        return draft(comparison, folder, ServerMachine.of(comparison.spec(), folder, say), say);
    }

    /**
     * @param say receives a line for each dropped item, with the reason
     *
     * @throws UsageException if a value is not understood, or nothing is left to compare
     */
    static Draft draft(Comparison comparison, ProfilesFolder folder, ServerMachine machine, Consumer<String> say) {
        CampaignSpec spec = comparison.spec();
        StopSpec stop = spec.stop();
        MeasureSpec measure = spec.measure();
        Procedure procedure = procedure(spec, folder);
        Kind kind = comparison.kind();
        boolean startUp = kind == Kind.STARTS;
        List<Workload> workloads = workloads(measure, comparison.workloads(), folder, names(comparison));
        List<MeasuredLoad> loads = Loads.loads(comparison, procedure, machine, say);
        if (procedure.peak().isEmpty() && comparison.claims().areOfPeak()) {
            throw new UsageException("claims: peak and warm are known only of starts with measure.peak");
        }
        if (procedure.peak().isPresent() && !workloads.get(0).isKnown()) {
            throw new UsageException(
                    "peak: servlet-bench itself sends the load, and cannot run a simulation: choose another workload");
        }
        if (!startUp) {
            Loads.requireLoadHosts(machine.machines().load().size(), loads);
        }
        List<Arm> arms = ArmList.of(comparison.arms(), procedure, folder, machine, say);
        comparison.factorial().ifPresent(factorial -> requireAll(factorial, arms));
        List<String> primary = Bounds.distinct("judge", spec.judged().metrics());
        seconds("pace", stop.pace().duration(), 0);
        Map<Arm, JvmOptions> jvms = new LinkedHashMap<>();
        for (Arm arm : arms) {
            if (arm.role() != Arm.Role.REFERENCE) {
                jvms.put(arm, arm.spec().jvmOptions(procedure.start().jvm()));
            }
        }
        requireDifferent(jvms);
        requireJudgeable(primary, kind, procedure.peak().isPresent(), jvms.values());
        machine.requirePossible(procedure, arms);
        requireEffect(arms, startUp ? machine.processors() : machine.processorsOfServers());
        requireWholePeriods(arms, procedure);
        jvms.forEach((arm, jvm) -> {
            Jdk jdk = ArmList.jdk(arm, procedure, machine.jdks());
            jvm.impossible(jdk.feature()).ifPresent(why -> {
                throw new UsageException(
                        "arms." + arm.id() + ": " + why + ", and its servers run on " + jdk.describe());
            });
            WarmStart.check(jdk.feature(), jdk.describe(), jvm, arm);
            Size memory = arm.spec().memory();
            Optional<String> unused = jvm.withoutEffect(jdk.feature())
                    .or(() -> jvm.unusedShare(
                            memory == null ? machine.memory() : Math.min(machine.memory(), memory.bytes())));
            unused.ifPresent(why -> {
                throw new UsageException("arms." + arm.id() + ": " + why);
            });
        });
        WarmStart.requireUsed(procedure.archives(), arms);
        Plan plan = new Plan(
                new Plan.Subject(
                        comparison.name(),
                        comparison.question(),
                        comparison.claims(),
                        comparison.factorial().orElse(null),
                        comparison.note()),
                new Plan.Design(
                        Optional.ofNullable(stop.seed())
                                .orElseGet(() -> ThreadLocalRandom.current().nextLong(1, 1_000_000_000)),
                        Bounds.whole("blocks", stop.blocks(), 2, 10_000),
                        measure.together(),
                        limitSeconds(stop.limit().duration())),
                new Plan.Windows(
                        Bounds.whole("rounds", measure.rounds(), 1, 1000),
                        startUp ? 0 : seconds("hold", measure.hold().duration(), 2),
                        startUp ? 0 : seconds("rampup", spec.profile().rampUp(), 1),
                        startUp ? 0 : seconds("warmup", measure.warmup().duration(), 0),
                        seconds("slice", slice(spec, arms, loads, say), 0)),
                loads,
                new Plan.Rule(
                        primary,
                        Loads.judged(comparison.loads(), loads, primary),
                        spec.judged().margin().shares("margin", Share.USUAL_MARGIN),
                        Bounds.decimal("alpha", spec.judged().alpha(), 0.0001, 0.5),
                        stop.precision() == null
                                ? Shares.of(0)
                                : stop.precision().shares("precision", USUAL_PRECISION),
                        Baseline.BOTH_COPIES,
                        endsEarly(spec, comparison.claims()) ? true : null),
                spec.profile().settings(),
                measure.keepRaw());
        if (!plan.margin().areWithin(0, MOST_MARGIN)) {
            throw new UsageException("margin=" + spec.judged().margin() + ": give at most 50%");
        }
        Loads.requireSpoken(plan.loads(), arms);
        Layers layers = Layers.read(folder.path());
        comparison.claims().layers().stream()
                .filter(name -> !layers.canHave(name))
                .findFirst()
                .ifPresent(name -> {
                    throw new UsageException("claims: there is no layer '" + name
                            + "': give one of profiles/layers.txt, '" + Layers.OWN + "', or a Java package");
                });
        if (!startUp) {
            requireNamesForWindows(plan, arms);
            Loads.requirePercentiles(measure.hold(), plan);
            Loads.requireSettlingTime(measure.settlingTime());
            Loads.requireShortWaits(plan, workloads);
            Loads.requireSendable(plan, workloads, say);
            Loads.requireOneHost(plan, workloads, machine.machines());
        }
        folder.settings(plan.settings());
        return new Draft(spec, procedure, plan, arms, workloads, "");
    }

    /** True if a claim that has certainly failed ends the campaign. Only claims that can fail a build do. */
    private static boolean endsEarly(CampaignSpec spec, ClaimList claims) {
        if (spec.isGiven("early") && claims.decideNothing()) {
            throw new UsageException("'stop.early' does nothing: no claim "
                    + (claims.all().isEmpty() ? "is made" : "of an article ends a campaign") + ": leave it out");
        }
        return spec.stop().early() && !claims.decideNothing();
    }

    private static void requireJudgeable(List<String> primary, Kind kind, boolean peak, Collection<JvmOptions> jvms) {
        boolean preTouched = jvms.stream().anyMatch(jvm -> JvmOptions.isPreTouched(jvm.values()));
        for (String key : primary) {
            Metric metric = Metric.of(key)
                    .filter(one -> (one.kind() == Metric.Kind.START_UP) == (kind == Kind.STARTS)
                            && (one == Metric.CAPACITY) == (kind == Kind.FIND)
                            && (peak || !one.isOfPeak()))
                    .orElseThrow(() -> new UsageException("judge: '" + key + "' is not measured here: choose from "
                            + (kind == Kind.STARTS
                                    ? "ready, ready.cpu, ready.rss, jvm.memory.used, jvm.classes.loaded, jvm.threads.live"
                                            + (peak
                                                    ? ", peak, peak.cpu, peak.lost, warm, warm.cpu"
                                                    : "; with measure.peak also peak, peak.lost, warm")
                                    : kind == Kind.FIND
                                            ? "capacity"
                                            : "throughput, mean, p50, p95, p99, cpu, alloc, rss, …")));
            if (metric.unit().equals("%")) {
                throw new UsageException("judge: " + key
                        + " is a share that may be 0, which has no ratio; it is shown without verdicts");
            }
            if (metric.isOfExports()) {
                throw new UsageException(
                        "judge: " + key + " may be 0, which has no ratio; it is shown without verdicts");
            }
            if (metric.isShapedByPreTouch() && preTouched) {
                throw new UsageException(
                        "judge: with -XX:+AlwaysPreTouch " + key + " is the heap, whatever"
                                + " the container: set measure.pre-touch to false, and remove that option from the JVM options");
            }
        }
    }

    private static List<String> names(Comparison comparison) {
        return comparison.loads().stream()
                .flatMap(load -> load.workloads().stream())
                .distinct()
                .toList();
    }

    /**
     * Returns a time limit, s; 0 if there is none.
     *
     * @throws UsageException if it is more than a day
     */
    public static double limitSeconds(Duration limit) {
        return seconds("limit", limit, 0);
    }

    private static double seconds(String name, Duration time, double least) {
        double seconds = time.toMillis() / 1000.0;
        if (seconds > MOST_SECONDS) {
            throw new UsageException(name + ": more than a day is not a plan");
        }
        if (seconds < least) {
            throw new UsageException(name + ": give at least " + (int) least + "s");
        }
        return seconds;
    }

    /** Returns the number of servers in the largest group. */
    private static int mostTogether(List<Arm> arms) {
        return arms.stream().collect(Collectors.groupingBy(Arm::group, Collectors.counting())).values().stream()
                .mapToInt(Long::intValue)
                .max()
                .orElse(0);
    }

    /** Rejects plans with more windows than logs can name. Detected later, they would cost the first block. */
    private static void requireNamesForWindows(Plan plan, List<Arm> arms) {
        int servers = plan.together() ? mostTogether(arms) : 1;
        for (String generator : plan.generators()) {
            List<MeasuredLoad> loads = plan.loads().stream()
                    .filter(load -> load.generator().equals(generator) && !plan.inTimeSlices(load))
                    .toList();
            if (loads.isEmpty()) {
                continue;
            }
            long windows = (long) servers * loads.size() * plan.rounds();
            boolean oneLog = Generators.named(loads.get(0).tool()).has(Capability.INTERLEAVES);
            if (oneLog && windows > Recorder.FEW_LOADS) {
                throw new UsageException(windows + " windows for each run of " + generator + " are more than the "
                        + Recorder.FEW_LOADS
                        + " that a log can hold: give fewer rounds, users or workloads, or load in time slices"
                        + " (measure.slice: 250ms)");
            }
        }
    }

    /**
     * Returns a campaign's workloads, in the order of these names. The user's own application is ready when it answers
     * the first one.
     *
     * @param own workloads that the comparison defines
     */
    static List<Workload> workloads(
            MeasureSpec measure, List<Workload> own, ProfilesFolder folder, List<String> names) {
        List<Workload> known =
                Stream.concat(own.stream(), folder.allWorkloads().stream()).toList();
        Workload.Asked asked =
                new Workload.Asked(names, Optional.ofNullable(measure.delay()), Optional.ofNullable(measure.dbUrl()));
        return Workload.chosen(asked, known, "").stream()
                .map(one -> measure.acceptEncoding() == null
                        ? one
                        : one.each(part -> part.sending(part.sending().acceptingGzip())))
                .toList();
    }
}
