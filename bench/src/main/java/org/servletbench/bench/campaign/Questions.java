package org.servletbench.bench.campaign;

import static org.servletbench.bench.model.Text.text;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.servletbench.bench.load.Generator;
import org.servletbench.bench.load.Generators;
import org.servletbench.bench.model.Cell;
import org.servletbench.bench.model.JvmOptions;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Options;
import org.servletbench.bench.model.Slo;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.model.Workload;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.Campaign;
import org.servletbench.bench.record.Plan;
import org.servletbench.bench.record.WarmStart;
import org.servletbench.bench.server.NginxSpec;

/** Campaigns that ask something else than which container serves most users: starts, fixed rates, a change of line, small heaps. */
final class Questions {
    private static final long LEAST_SETTLE_MS = 100;
    /** In turns; with 2 s the modelled throughput was up to 3 % too low, with 1 s it was right. */
    private static final long MOST_WAIT_IN_TURNS_MS = 1000;

    /** Options of a load, which a campaign of starts has not. */
    private static final List<String> OF_LOAD = List.of(
            "generators tiers rates hold turn settle rounds warmup generator.warmup together load.hosts".split(" "));

    /** Options of loads that are known beforehand. */
    private static final List<String> OF_OTHER_LOADS = List.of("tiers", "rates", "turn", "rounds", "primary");

    private static final List<String> OF_HEAP =
            List.of("-Xms", "-Xmx", "-Xmn", "-XX:NewSize", "-XX:MaxNewSize", "-XX:+AlwaysPreTouch");

    private Questions() {}

    /** Where the names of the metrics stand that are judged. */
    static String primaryKey(Options options) {
        if (options.isGiven("primary") || List.of(Plan.STARTUP, Plan.CAPACITY).contains(options.required("plan"))) {
            return "primary";
        }
        return isOnlyOpen(options) ? "open.primary" : options.isGiven(Campaign.MEMORY) ? "memory.primary" : "primary";
    }

    /** What a campaign of starts measures. */
    static List<Cell> startUp(Options options) {
        OF_LOAD.stream().filter(options::isGiven).findFirst().ifPresent(name -> {
            throw new UsageException(
                    "--" + name.replace('.', '-') + " has no meaning with --startup: servers are started"
                            + " one after the other, and no load is sent");
        });
        if (!options.isGiven("jar") && options.names("arms").contains(NginxSpec.ARM)) {
            throw new UsageException("--arms: nginx is no JVM: remove it, --startup compares starts of JVMs");
        }
        return List.of(Cell.START_UP);
    }

    /**
     * What a search for the highest rate measures: one workload.
     *
     * @throws UsageException if it cannot tell whether the objective is met, or an option has no meaning here
     */
    static List<Cell> capacity(Options options, List<Workload> workloads, List<String> generators) {
        OF_OTHER_LOADS.stream().filter(options::isGiven).findFirst().ifPresent(name -> {
            throw new UsageException(
                    "--" + name.replace('.', '-') + " has no meaning with capacity: it looks for the rate itself");
        });
        if (workloads.size() != 1) {
            throw new UsageException("--workloads: give one, capacity is that of one kind of request");
        }
        if (generators.size() != 1 || !Generators.named(generators.get(0)).has(Generator.Trait.SEARCHES_RATES)) {
            throw new UsageException("--generators: give one that searches rates: "
                    + Generators.names(one -> one.has(Generator.Trait.SEARCHES_RATES)));
        }
        Slo slo = Slo.parse(options.required("slo"));
        double hold = options.duration("hold").toMillis() / 1e3;
        double from = options.decimal("from", 1, 1_000_000);
        options.asShare("resolution");
        if (from < slo.leastRate(hold) * (1 - 1e-9)) {
            throw new UsageException(text(
                    "--slo %s: at the lowest rate, %s requests/s for %.0f s, fewer than %d requests lie beyond a percentile: give"
                            + " at least --from %.0f or --hold %.0fs",
                    options.required("slo"),
                    options.required("from"),
                    hold,
                    Slo.BEYOND,
                    Math.ceil(slo.leastRate(hold)),
                    Math.ceil(slo.leastRate(1) / from)));
        }
        double most = options.integer("users", 1, 100_000) / slo.secondsUnderWay(hold);
        if (most < 2 * from) {
            throw new UsageException(text(
                    "--users %s: with %s that is enough for %.0f requests/s at most: give more users, or a shorter --hold",
                    options.required("users"), options.required("slo"), most));
        }
        return List.of(new Cell(workloads.get(0).name(), 0, 0, generators.get(0)));
    }

    /** Whether fixed rates were asked for, and no numbers of users. */
    static boolean isOnlyOpen(Options options) {
        return options.isGiven("rates") && !options.isGiven("tiers");
    }

    /**
     * Arms as they are ranked: those of several lines in one group, where the plan is {@link Plan#MIGRATION}, and each with each way to
     * start and each of the heaps that were asked for.
     *
     * @throws UsageException if all are of one line, or a size is none
     */
    static List<Arm> grouped(Options options, List<Arm> arms) {
        return withHeaps(options, WarmStart.each(options, acrossLines(options, arms)));
    }

    private static List<Arm> acrossLines(Options options, List<Arm> arms) {
        if (!options.required("plan").equals(Plan.MIGRATION)) {
            return arms;
        }
        if (arms.stream().map(Arm::line).distinct().count() < 2) {
            throw new UsageException(
                    "--migration compares arms of several lines, such as undertow+boot3 and jetty+boot4,"
                            + " and all of --arms are of one: leave --migration out");
        }
        return arms.stream()
                .map(arm -> arm.in(Plan.MIGRATION, arm.id(), arm.label() + " (" + arm.line() + ")"))
                .toList();
    }

    /**
     * Whether enough requests lie beyond each percentile that is judged at a fixed rate.
     *
     * @throws UsageException if not, with the hold that it takes
     */
    static void requirePercentiles(Options options, Plan plan) {
        List<Slo.Limit> percentiles = plan.primary().stream()
                .flatMap(key -> Metric.of(key).stream())
                .filter(Slo::isPercentile)
                .map(metric -> new Slo.Limit(metric, 1))
                .toList();
        double lowest = plan.cells().stream()
                .mapToDouble(Cell::rate)
                .filter(rate -> rate > 0)
                .min()
                .orElse(Double.POSITIVE_INFINITY);
        for (Slo.Limit one : percentiles) {
            double seconds = new Slo(List.of(one), 1).leastRate(1) / lowest;
            if (seconds > plan.windowSeconds() * plan.rounds() * (1 + 1e-9)) {
                throw new UsageException(text(
                        "--primary %s: at %s requests/s for %s fewer than %d requests lie beyond it: give at least --hold %.0fs,"
                                + " or a --primary without it",
                        one.percentile().key(),
                        Double.toString(lowest).replaceFirst("\\.0$", ""),
                        options.required("hold"),
                        Slo.BEYOND,
                        Math.ceil(seconds / plan.rounds() - 1e-9)));
            }
        }
    }

    // ---- small heaps ----

    /** Sizes of heaps that were asked for, as the JVM's options have them; none: that of the JVM options. */
    private static List<String> heaps(Options options) {
        if (!options.isGiven(Campaign.MEMORY)) {
            return List.of();
        }
        List<String> sizes = options.names(Campaign.MEMORY).stream()
                .map(size -> size.toLowerCase(Locale.ROOT))
                .toList();
        sizes.stream()
                .filter(size -> !size.matches("[1-9]\\d{0,5}[mg]"))
                .findFirst()
                .ifPresent(size -> {
                    throw new UsageException(
                            "--memory: '" + size + "' is not understood: give sizes of heaps, such as 512m,256m");
                });
        options.requireDistinct(
                Campaign.MEMORY, sizes.stream().map(Questions::bytes).toList());
        return sizes;
    }

    private static long bytes(String heap) {
        return Long.parseLong(heap.substring(0, heap.length() - 1)) << (heap.endsWith("g") ? 30 : 20);
    }

    /** Each arm with each heap; arms of one heap are a group. */
    private static List<Arm> withHeaps(Options options, List<Arm> arms) {
        List<String> heaps = heaps(options);
        return heaps.isEmpty()
                ? arms
                : heaps.stream()
                        .flatMap(heap -> arms.stream()
                                .map(arm -> arm.in(
                                        arm.group() + " " + heap,
                                        arm.id() + "-" + heap,
                                        arm.label() + ", " + heap + " heap")))
                        .toList();
    }

    /** The options of each arm's JVMs alone, by its id. */
    static Map<String, String> armOptions(Options options, List<Arm> arms) {
        Map<String, String> own = new TreeMap<>();
        for (String heap : heaps(options)) {
            arms.stream()
                    .filter(arm ->
                            arm.role() != Arm.Role.REFERENCE && arm.group().endsWith(" " + heap))
                    .forEach(arm -> own.put(arm.id(), "-Xms" + heap + " -Xmx" + heap));
        }
        return own;
    }

    /** All memory of an arm's server, bytes; 0: not limited. */
    static long memoryLimit(Options options, Arm arm) {
        return heaps(options).stream()
                .filter(heap -> arm.group().endsWith(" " + heap))
                .mapToLong(heap -> bytes(heap) + ((long) Campaign.BESIDE_HEAP_MIB << 20))
                .findFirst()
                .orElse(0);
    }

    /** Without sizes of heaps, which the arms have, and with a heap that is not touched beforehand. */
    static JvmOptions withoutHeap(JvmOptions all) {
        return new JvmOptions(
                all.values().stream()
                        .filter(value -> OF_HEAP.stream().noneMatch(value::startsWith))
                        .toList(),
                all.source());
    }

    /**
     * Users of a handler that waits for seconds come in waves, and turns do not end between two of them: with 5 s, servers of the same
     * jar came out up to 20 % too low, by where the waves lay (modelled).
     */
    static void requireShortWaits(Plan plan, List<Workload> workloads) {
        for (Workload workload : workloads) {
            boolean turns = plan.cells().stream()
                    .anyMatch(cell -> cell.workload().equals(workload.name()) && plan.inTurns(cell));
            if (turns && workload.waitMs() > MOST_WAIT_IN_TURNS_MS) {
                throw new UsageException(text(
                        "--workloads %s: in turns a handler may wait for %d ms at most, and this one waits for %d: add --turn 0s"
                                + " (whole windows)",
                        workload.name(), MOST_WAIT_IN_TURNS_MS, workload.waitMs()));
            }
        }
    }

    /** In less time not every user has come. */
    static void requireSettle(Options options) {
        if (options.duration("settle").toMillis() < LEAST_SETTLE_MS) {
            throw new UsageException("--settle: give at least " + LEAST_SETTLE_MS + "ms");
        }
    }
}
