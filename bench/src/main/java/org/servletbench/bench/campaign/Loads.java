package org.servletbench.bench.campaign;

import static org.servletbench.bench.model.Text.text;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.servletbench.bench.comparison.CampaignSpec;
import org.servletbench.bench.comparison.Comparison;
import org.servletbench.bench.comparison.LoadSpec;
import org.servletbench.bench.comparison.MeasureSpec;
import org.servletbench.bench.generator.Schedule;
import org.servletbench.bench.host.Machines;
import org.servletbench.bench.load.Generator;
import org.servletbench.bench.load.Generators;
import org.servletbench.bench.load.tool.CommandLineGenerator;
import org.servletbench.bench.measure.TimeToPeak;
import org.servletbench.bench.model.Bounds;
import org.servletbench.bench.model.Capability;
import org.servletbench.bench.model.Load;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Pause;
import org.servletbench.bench.model.Procedure;
import org.servletbench.bench.model.Protocol;
import org.servletbench.bench.model.Secrets;
import org.servletbench.bench.model.Slo;
import org.servletbench.bench.model.Text;
import org.servletbench.bench.model.Time;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.model.Workload;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.Plan;

/** Turns the loads of a comparison into {@link MeasuredLoad}s. Rejects or drops those that cannot be measured. */
final class Loads {
    private static final long LEAST_SETTLING_MS = 100;
    /**
     * Longest wait of a handler with time slices. In a model, throughput was up to 3 % too low with 2 s, and right with
     * 1 s.
     */
    private static final long MOST_WAIT_IN_SLICES_MS = 1000;

    /** Longest pause of a user, with any generator; its mean for an exponential pause. */
    private static final Duration MOST_PAUSE = Duration.ofMinutes(1);

    private static final int MOST_USERS = 20_000;
    private static final URI ANYWHERE = URI.create("http://127.0.0.1/");

    /** Options of a load, which campaigns of starts do not have. */
    private static final List<String> OF_LOAD = List.of(
            "generators hold slice settling-time rounds warmup generator.warmup together load.hosts delay accept-encoding"
                    .split(" "));

    private static final String PEAK = "peak";

    /** Options of loads that are known beforehand, which a search is not. */
    private static final List<String> OF_FIXED_LOADS = List.of("slice", "rounds", "precision");

    private Loads() {}

    /**
     * Returns the loads that each server gets.
     *
     * @param say receives a line for each dropped load, with the reason
     * @throws UsageException if a load cannot be measured, or an option has no effect here
     */
    static List<MeasuredLoad> loads(
            Comparison comparison, Procedure procedure, ServerMachine machine, Consumer<String> say) {
        CampaignSpec spec = comparison.spec();
        if (comparison.kind() != LoadSpec.Kind.STARTS) {
            requireNone(spec, List.of(PEAK), "a load without 'starts'");
        }
        return switch (comparison.kind()) {
            case STARTS -> startUp(comparison, procedure, machine);
            case FIND ->
                capacity(
                        comparison.loads().get(0),
                        spec,
                        procedure.requiredSearch(),
                        generators(spec.measure(), machine, say));
            case FIXED -> fixed(comparison.loads(), generators(spec.measure(), machine, say), say);
        };
    }

    private static List<MeasuredLoad> startUp(Comparison comparison, Procedure procedure, ServerMachine machine) {
        CampaignSpec spec = comparison.spec();
        if (procedure.peak().isEmpty()) {
            requireNone(spec, OF_LOAD, "starts: servers are started one after the other, and no load is sent");
            return List.of(MeasuredLoad.START_UP);
        }
        requireNone(
                spec,
                OF_LOAD.stream().filter(name -> !name.equals("warmup")).toList(),
                "peak: servers are started one after the other, and servlet-bench itself sends the load");
        if (procedure.peak().get().toMillis() < 1e3 * TimeToPeak.LEAST_SECONDS) {
            throw new UsageException(text("peak: give at least %.0fs", TimeToPeak.LEAST_SECONDS));
        }
        if (machine.machines().target().isPresent()) {
            throw new UsageException("peak: its load and its servers are on one machine: leave out target-host");
        }
        return List.of(MeasuredLoad.START_UP);
    }

    private static void requireNone(CampaignSpec spec, List<String> names, String why) {
        names.stream().filter(spec::isGiven).findFirst().ifPresent(name -> {
            throw new UsageException("'" + name.replace('.', '-') + "' has no meaning with " + why);
        });
    }

    /** Returns the search for the highest rate of one workload. */
    private static List<MeasuredLoad> capacity(
            LoadSpec load, CampaignSpec spec, Procedure.Search search, List<String> generators) {
        requireNone(spec, OF_FIXED_LOADS, "search-rate-under: it looks for the rate itself");
        List<String> workloads = load.workloads();
        if (workloads.size() != 1) {
            throw new UsageException("workloads: give one, search-rate-under is for one kind of request");
        }
        if (generators.size() != 1 || !Generators.named(generators.get(0)).has(Capability.SEARCHES_RATES)) {
            throw new UsageException("generators: give one that searches rates: "
                    + Generators.names(one -> one.has(Capability.SEARCHES_RATES)));
        }
        Slo slo = search.objective();
        double hold = spec.measure().hold().seconds();
        double from = search.from();
        if (from < slo.leastRate(hold) * (1 - 1e-9)) {
            throw new UsageException(text(
                    "search-rate-under %s: at the lowest rate, %s requests/s for %.0f s, fewer than %d requests lie beyond a percentile: give"
                            + " at least from: %.0f or hold: %.0fs",
                    search.text(),
                    Text.plain(from),
                    hold,
                    Slo.BEYOND,
                    Math.ceil(slo.leastRate(hold)),
                    Math.ceil(slo.leastRate(1) / from)));
        }
        double most = search.users() / slo.secondsUnderWay(hold);
        if (most < 2 * from) {
            throw new UsageException(text(
                    "in-flight %d: with %s that is enough for %.0f requests/s at most: give more, or a shorter hold",
                    search.users(), search.text(), most));
        }
        return List.of(new MeasuredLoad(workloads.get(0), 0, 0, generators.get(0)));
    }

    private static List<MeasuredLoad> fixed(List<LoadSpec> loads, List<String> generators, Consumer<String> say) {
        boolean open = loads.stream().anyMatch(load -> !load.rates().isEmpty());
        if (open && generators.stream().noneMatch(name -> Generators.named(name).has(Capability.FIXED_RATES))) {
            throw new UsageException(
                    "rates: the open model is " + Generators.titles(one -> one.has(Capability.FIXED_RATES)) + "'s: add "
                            + Generators.names(one -> one.has(Capability.FIXED_RATES)) + " to generators");
        }
        generators.stream()
                .filter(name -> open && !Generators.named(name).has(Capability.FIXED_RATES))
                .forEach(name -> say.accept("left out: rates with " + name + ", which has no open model in campaigns"));
        List<MeasuredLoad> measuredLoads = new ArrayList<>();
        for (String generator : generators) {
            for (LoadSpec load : loads) {
                for (String workload : load.workloads()) {
                    load.users()
                            .forEach(users -> measuredLoads.add(
                                    possible(new MeasuredLoad(workload, users(users), 0, generator, load.tool()))));
                    if (Generators.named(generator).has(Capability.FIXED_RATES)) {
                        load.rates()
                                .forEach(rate ->
                                        measuredLoads.add(new MeasuredLoad(workload, 0, rate(rate), generator)));
                    }
                }
            }
        }
        Set<MeasuredLoad> seen = new LinkedHashSet<>();
        measuredLoads.stream()
                .filter(measuredLoad -> !seen.add(measuredLoad))
                .findFirst()
                .ifPresent(measuredLoad -> {
                    throw new UsageException(
                            "load: " + measuredLoad.withoutGenerator().words() + " appears twice");
                });
        return measuredLoads;
    }

    /** Returns the load if its generator supports all of its settings. */
    private static MeasuredLoad possible(MeasuredLoad load) {
        Pause pause = load.settings().pause();
        if (pause.length().compareTo(MOST_PAUSE) > 0) {
            throw new UsageException("load: 'pause: " + pause + "' is longer than " + Time.of(MOST_PAUSE));
        }
        boolean pausesAsAsked = pause.isNone() || Generators.named(load.tool()).has(Capability.PAUSES);
        if (!pausesAsAsked || !load.settings().onlyPauses()) {
            CommandLineGenerator tool = CommandLineGenerator.all().stream()
                    .filter(one -> one.name().equals(load.tool()))
                    .findFirst()
                    .orElseThrow(
                            () -> new UsageException("load: requests, keep-alive, tool-threads and tool-options are for"
                                    + " wrk, ab and siege, and pause for Gatling, JMeter and siege: " + load.tool()
                                    + " has none of them"));
            try {
                tool.command(
                        CommandLineGenerator.load(ANYWHERE, load.users(), load.settings(), Map.of(), 1), Path.of(""));
            } catch (UsageException e) {
                throw new UsageException("load: " + e.getMessage());
            }
        }
        return load;
    }

    private static int users(int users) {
        if (users < 1 || users > MOST_USERS) {
            throw new UsageException("users: '" + users + "': give numbers of users from 1 to " + MOST_USERS);
        }
        return users;
    }

    private static List<String> generators(MeasureSpec measure, ServerMachine machine, Consumer<String> say) {
        List<String> wanted = Bounds.distinct("generators", measure.generators());
        List<String> present = new ArrayList<>();
        for (String name : wanted) {
            Generators.named(name)
                    .notInstalled()
                    .ifPresentOrElse(line -> say.accept("left out: " + line), () -> present.add(name));
        }
        if (present.isEmpty()) {
            throw new UsageException("generators " + String.join(",", wanted) + ": none of them is installed");
        }
        present.stream()
                .filter(name -> !machine.machines().load().isEmpty()
                        && !Generators.named(name).has(Capability.LOAD_HOSTS))
                .findFirst()
                .ifPresent(name -> {
                    throw new UsageException("load-hosts: " + name + " cannot run there: choose from "
                            + Generators.names(one -> one.has(Capability.LOAD_HOSTS)));
                });
        return present;
    }

    /** Checks that load hosts can apply every load. */
    static void requireLoadHosts(int hosts, List<MeasuredLoad> loads) {
        for (MeasuredLoad load : hosts == 0 ? List.<MeasuredLoad>of() : loads) {
            if (load.isCapacity() && hosts > 1) {
                throw new UsageException("load-hosts: " + Schedule.ONE_GENERATOR);
            }
            if (load.users() > 0 && load.users() < hosts) {
                throw new UsageException("users " + load.withoutGenerator().users() + ": fewer users than the " + hosts
                        + " load-hosts that share them");
            }
        }
    }

    private static double rate(double rate) {
        if (rate >= 1 && rate <= 1_000_000 && Load.canName(rate)) {
            return rate;
        }
        throw new UsageException(
                "rates: '" + rate + "' is not understood: give requests/s, such as 1000, with at most 9 decimals");
    }

    /**
     * Returns the tested metrics of loads that do not test all of them, by the load's id.
     *
     * @param all all tested metrics
     */
    static Map<String, List<String>> judged(List<LoadSpec> specs, List<MeasuredLoad> loads, List<String> all) {
        Map<String, List<String>> judged = new TreeMap<>();
        for (MeasuredLoad load : loads) {
            specs.stream()
                    .filter(spec -> spec.has(load)
                            && !spec.judge().isEmpty()
                            && !spec.judge().equals(all))
                    .forEach(spec -> judged.put(load.id(), spec.judge()));
        }
        return judged;
    }

    /**
     * Requires enough requests beyond each percentile that is tested at a fixed rate.
     *
     * @throws UsageException if there are too few; it names the hold that would be enough
     */
    static void requirePercentiles(Time hold, Plan plan) {
        List<MeasuredLoad> rates =
                plan.loads().stream().filter(load -> load.rate() > 0).toList();
        List<Slo.Limit> percentiles = rates.stream()
                .flatMap(load -> plan.primary(load).stream())
                .distinct()
                .flatMap(key -> Metric.of(key).stream())
                .filter(Slo::isPercentile)
                .map(metric -> new Slo.Limit(metric, 1))
                .toList();
        double lowest = rates.stream().mapToDouble(MeasuredLoad::rate).min().orElse(Double.POSITIVE_INFINITY);
        for (Slo.Limit one : percentiles) {
            double seconds = new Slo(List.of(one), 1).leastRate(1) / lowest;
            if (seconds > plan.windowSeconds() * plan.rounds() * (1 + 1e-9)) {
                throw new UsageException(text(
                        "judge: %s: at %s requests/s for %s fewer than %d requests lie beyond it: give at least hold: %.0fs,"
                                + " or a judge without it",
                        one.percentile().key(),
                        Double.toString(lowest).replaceFirst("\\.0$", ""),
                        hold,
                        Slo.BEYOND,
                        Math.ceil(seconds / plan.rounds() - 1e-9)));
            }
        }
    }

    /**
     * Rejects long waits with time slices. The users of a handler that waits for seconds come in waves, and slices end
     * in the middle of one. In a model with 5 s, servers of the same jar came out up to 20 % too low, depending on the
     * waves.
     */
    static void requireShortWaits(Plan plan, List<Workload> workloads) {
        plan.loads().stream()
                .filter(load -> plan.inTimeSlices(load)
                        && Generators.named(load.tool()).has(Capability.INTERLEAVES)
                        && load.settings().pause().meanMs() > MOST_WAIT_IN_SLICES_MS)
                .findFirst()
                .ifPresent(load -> {
                    throw new UsageException(text(
                            "load: 'pause: %s': in time slices a user may pause for %d ms on average at most: set measure.slice to 0s (whole"
                                    + " windows)",
                            load.settings().pause(), MOST_WAIT_IN_SLICES_MS));
                });
        for (Workload workload : workloads) {
            boolean timeSlices = plan.loads().stream()
                    .anyMatch(load -> load.workload().equals(workload.name()) && plan.inTimeSlices(load));
            if (timeSlices && workload.waitMs() > MOST_WAIT_IN_SLICES_MS) {
                throw new UsageException(text(
                        "workloads %s: in time slices a handler may wait for %d ms at most, and this one waits for %d: set measure.slice to 0s"
                                + " (whole windows)",
                        workload.name(), MOST_WAIT_IN_SLICES_MS, workload.waitMs()));
            }
        }
    }

    /**
     * Checks that every generator can send its workloads.
     *
     * @param say receives a line for each workload that changes a server's answers
     */
    static void requireSendable(Plan plan, List<Workload> workloads, Consumer<String> say) {
        for (Workload workload : workloads) {
            plan.loads().stream()
                    .filter(load ->
                            load.workload().equals(workload.name()) && !sends(Generators.named(load.tool()), workload))
                    .findFirst()
                    .ifPresent(load -> {
                        boolean all = isPlain(workload)
                                || Generators.named(load.tool()).has(Capability.SENDS_ALL);
                        throw new UsageException("workloads." + workload.name() + ": " + load.generator()
                                + (workload.isSimulation()
                                        ? " runs no simulations"
                                        : isOfSessions(workload)
                                                        && !Generators.named(load.tool())
                                                                .has(Capability.SESSIONS)
                                                ? " has no extract and no once"
                                                : all
                                                        ? " does not accept gzip"
                                                        : workload.requests().isEmpty()
                                                                ? " sends plain GETs only"
                                                                : " sends no lists of requests")
                                + ": choose generators from " + Generators.names(one -> sends(one, workload)));
                    });
            if (plan.isCapacity() && !workload.requests().isEmpty()) {
                throw new UsageException("workloads." + workload.name()
                        + ": a list of requests is sent by users: give users or rates, not search-rate-under");
            }
            boolean whole = plan.loads().stream()
                    .filter(load -> load.workload().equals(workload.name()))
                    .noneMatch(load -> load.users() == 0 || plan.inTimeSlices(load));
            plan.loads().stream()
                    .filter(load -> workload.isSimulation()
                            && load.workload().equals(workload.name())
                            && !load.settings().pause().isNone())
                    .findFirst()
                    .ifPresent(load -> {
                        throw new UsageException("workloads." + workload.name()
                                + ": a simulation has its own pauses: leave out 'pause: "
                                + load.settings().pause() + "'");
                    });
            if (workload.isSimulation() && !whole) {
                throw new UsageException("workloads." + workload.name()
                        + ": a simulation has users who stay at one server: give users, and measure: {slice: 0s}");
            }
            workload.parts().stream()
                    .filter(one -> one.sending().changesState())
                    .forEach(one -> say.accept(text(
                            "the parity check and the warm-up send %s %s too",
                            one.sending().method(), Secrets.ofPath(one.warmUpPath()))));
        }
    }

    /**
     * Rejects workloads that do not work with other machines. A simulation needs the generator on this machine;
     * sessions need an address for each server.
     */
    static void requireOneHost(Plan plan, List<Workload> workloads, Machines machines) {
        for (Workload workload : workloads) {
            if (workload.isSimulation() && !machines.load().isEmpty()) {
                throw new UsageException(
                        "workloads." + workload.name() + ": a simulation runs on this machine: leave out --load-hosts");
            }
            if (isOfSessions(workload) && machines.target().isPresent() && plan.together()) {
                throw new UsageException("workloads." + workload.name()
                        + ": on a target host all servers have one address, and sessions would be mixed up: give --set"
                        + " measure.together=false");
            }
        }
    }

    /** Checks that every generator speaks the servers' protocols. */
    static void requireSpoken(List<MeasuredLoad> loads, List<Arm> arms) {
        // The first TLS handshake in our JVM takes longer than later ones, which would put the first server at a
        // disadvantage.
        if (loads.contains(MeasuredLoad.START_UP)
                && arms.stream().anyMatch(arm -> arm.spec().speaks() != Protocol.HTTP)) {
            throw new UsageException("starts: the time to ready is measured in http: leave out 'protocol'");
        }
        arms.stream()
                .filter(arm -> arm.spec().speaks() == Protocol.H2)
                .findFirst()
                .ifPresent(arm -> loads.stream()
                        .filter(load -> !Generators.named(load.tool()).has(Capability.HTTP_2))
                        .findFirst()
                        .ifPresent(load -> {
                            throw new UsageException("arms." + arm.id() + ".protocol: " + load.generator()
                                    + " does not speak h2: choose generators from "
                                    + Generators.names(one -> one.has(Capability.HTTP_2)));
                        }));
    }

    private static boolean sends(Generator generator, Workload workload) {
        return (isPlain(workload) || generator.has(Capability.SENDS_ALL))
                && (!workload.isSimulation() || generator.has(Capability.SIMULATIONS))
                && (!isOfSessions(workload) || generator.has(Capability.SESSIONS))
                && (!workload.sending().acceptsGzip() || generator.has(Capability.ACCEPTS_GZIP));
    }

    private static boolean isOfSessions(Workload workload) {
        return workload.parts().stream().anyMatch(one -> one.sending().isOfSession());
    }

    private static boolean isPlain(Workload workload) {
        return workload.requests().isEmpty() && workload.sending().plain();
    }

    /** Checks that all users can arrive within the settling time. */
    static void requireSettlingTime(Time settle) {
        if (settle.duration().toMillis() < LEAST_SETTLING_MS) {
            throw new UsageException("settling-time: give at least " + LEAST_SETTLING_MS + "ms");
        }
    }
}
