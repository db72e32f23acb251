package org.servletbench.bench.campaign;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.servletbench.bench.host.Host;
import org.servletbench.bench.load.Generator;
import org.servletbench.bench.load.Generator.Trait;
import org.servletbench.bench.load.Generators;
import org.servletbench.bench.load.Schedule;
import org.servletbench.bench.measure.Recorder;
import org.servletbench.bench.model.Cell;
import org.servletbench.bench.model.JvmOptions;
import org.servletbench.bench.model.Load;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Options;
import org.servletbench.bench.model.ProfilesFolder;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.model.Workload;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.BlockOrder;
import org.servletbench.bench.record.Campaign;
import org.servletbench.bench.record.Look;
import org.servletbench.bench.record.Outlook;
import org.servletbench.bench.record.Plan;
import org.servletbench.bench.record.WarmStart;
import org.servletbench.bench.server.Jdk;
import org.servletbench.bench.verdict.Sizing;

/** Makes a plan and its arms of what the user asked for; nothing is built or started here. */
public final class Planner {

    private static final double MOST_SECONDS = 86_400;
    private static final List<String> PRESETS =
            List.of("quick", "full", Plan.AUTO, Plan.STARTUP, Plan.MIGRATION, Plan.CAPACITY);

    private Planner() {}

    /**
     * What was asked for, as far as it can be known before anything is built.
     *
     * @param arms without versions and checksums
     * @param armOptions options of an arm's JVMs alone, after those of all, by its id
     */
    public record Draft(
            Options options, Plan plan, List<Arm> arms, Map<String, String> armOptions, List<Workload> workloads) {

        /** For each block the arms' ids in the order in which they will run. */
        public List<List<String>> order() {
            return BlockOrder.all(arms, plan.seed(), plan.blocks());
        }

        /** The same with another plan. */
        public Draft with(Plan other) {
            return new Draft(options, other, arms, armOptions, workloads);
        }

        /** Servers that are up at the same time, of the largest group, where a group is up together. */
        int mostTogether() {
            return Planner.mostTogether(arms);
        }

        /** The same with other arms, and the options of their own. */
        public Draft with(List<Arm> others, Map<String, String> ofThem) {
            return new Draft(options, plan, others, ofThem, workloads);
        }
    }

    /**
     * The options in force: what was given, over the preset, over the defaults.
     *
     * @throws UsageException if there is no such preset
     */
    public static Options options(String prefix, Map<String, String> given, ProfilesFolder folder) {
        Map<String, String> campaign = folder.campaignDefaults();
        String preset = given.getOrDefault("plan", campaign.get("plan")).strip();
        if (!PRESETS.contains(preset)) {
            throw new UsageException(prefix + "plan=" + preset
                    + " is not understood: give quick, full, auto, startup, migration or" + " capacity");
        }
        Map<String, String> defaults = new TreeMap<>(folder.loadDefaults());
        campaign.forEach((key, value) -> {
            if (PRESETS.stream().noneMatch(name -> key.startsWith(name + "."))) {
                defaults.put(key, value);
            }
        });
        campaign.forEach((key, value) -> {
            if (key.startsWith(preset + ".")) {
                defaults.put(key.substring(preset.length() + 1), value);
            }
        });
        return new Options(prefix, given, defaults);
    }

    /** The file of a settings set: a campaign may bring one that adds to it. */
    public static Path settingsFile(Options options, ProfilesFolder folder, String name) {
        return options.isGiven("settings.file") ? Path.of(options.required("settings.file")) : folder.settings(name);
    }

    /**
     * The options of every server's JVM: a file of the campaign's own, or those of the profiles; with the heap pre-touched, unless
     * {@code pre-touch} is false or the file says itself whether it is.
     *
     * @throws UsageException if the file cannot be read or understood
     */
    public static JvmOptions jvmOptions(Options options, ProfilesFolder folder) {
        JvmOptions all = options.isGiven("jvm.options")
                ? JvmOptions.read(Path.of(options.required("jvm.options")))
                : folder.jvmOptions();
        if (options.isGiven(Campaign.MEMORY)) {
            return Questions.withoutHeap(all);
        }
        return options.flag("pre-touch") ? all.preTouched() : all;
    }

    /** The same of servers on the machine that the options name, which is asked. */
    public static Draft draft(Options options, ProfilesFolder folder, Consumer<String> say) {
        return draft(options, folder, ServerMachine.of(options, folder, say), say);
    }

    /**
     * @param say gets a line for what is left out, and why
     * @throws UsageException if a value is not understood, or nothing is left to compare
     */
    static Draft draft(Options options, ProfilesFolder folder, ServerMachine machine, Consumer<String> say) {
        boolean own = options.isGiven("jar");
        List<Workload> workloads = workloads(options, folder);
        boolean startUp = options.required("plan").equals(Plan.STARTUP);
        boolean capacity = options.required("plan").equals(Plan.CAPACITY);
        List<Cell> cells = startUp
                ? Questions.startUp(options)
                : capacity
                        ? Questions.capacity(options, workloads, generators(options, machine, say))
                        : cells(options, workloads, generators(options, machine, say), say);
        if (!startUp) {
            requireLoadHosts(machine.machines().load().size(), cells);
        }
        List<String> primary = options.requireDistinct("primary", options.names(Questions.primaryKey(options)));
        JvmOptions jvm = jvmOptions(options, folder);
        for (String key : primary) {
            Metric metric = Metric.of(key)
                    .filter(one ->
                            (one.kind() == Metric.Kind.START_UP) == startUp && (one == Metric.CAPACITY) == capacity)
                    .orElseThrow(() -> new UsageException("--primary: no metric '" + key + "': choose from "
                            + (startUp
                                    ? "ready, ready.cpu, ready.rss, jvm.memory.used, jvm.classes.loaded, jvm.threads.live"
                                    : "throughput, mean, p50, p95, p99, cpu, alloc, rss, …")));
            if (metric.unit().equals("%")) {
                throw new UsageException(
                        "--primary " + key + ": a share may be 0, which has no ratio; it is shown without verdicts");
            }
            if (metric.isShapedByPreTouch() && JvmOptions.isPreTouched(jvm.values())) {
                throw new UsageException("--primary " + key + ": with -XX:+AlwaysPreTouch that is the heap, whatever"
                        + " the container: give --jvm-options with a file that has -XX:-AlwaysPreTouch");
            }
        }
        List<Arm> arms = own ? ArmList.own(options) : ArmList.of(options, folder, machine, say);
        machine.requirePossible(options, arms);
        List<Jdk> jdks = machine.jdks();
        arms.stream()
                .map(arm -> ArmList.jdk(arm, jdks))
                .distinct()
                .forEach(jdk -> WarmStart.check(options, jdk, jvm, arms));
        boolean auto = options.required("plan").equals(Plan.AUTO);
        if (auto && options.isGiven("blocks")) {
            throw new UsageException(
                    "--blocks and --plan auto exclude each other: its pilot chooses the number of blocks;"
                            + " --limit bounds the time");
        }
        Plan plan = new Plan(
                options.required("plan"),
                seed(options),
                auto ? Sizing.PILOT : options.integer("blocks", 2, 10_000),
                options.flag("together"),
                options.integer("rounds", 1, 1000),
                startUp ? 0 : seconds(options, "hold", 2),
                startUp ? 0 : seconds(options, "rampup", 1),
                startUp ? 0 : seconds(options, "warmup", 0),
                cells,
                primary,
                options.decimal("margin", 0.001, 0.5),
                options.decimal("alpha", 0.0001, 0.5),
                precision(options),
                options.required("settings"),
                options.flag("keep-raw"),
                limitSeconds(options),
                seconds(options, "turn", 0),
                options.text("looks").isPresent() ? options.integer("looks", 1, Look.MOST) : 1,
                0);
        if (auto && Outlook.design(plan, arms).isEmpty()) {
            throw new UsageException("--plan auto needs two arms of one line that are compared with each other");
        }
        if (auto && !(plan.precision() > 0)) {
            throw new UsageException("--plan auto chooses the number of blocks for a precision: leave out --looks");
        }
        if (plan.looks() > 1 && plan.precision() > 0) {
            throw new UsageException("--looks and --precision exclude each other: a campaign that stops at a precision"
                    + " needs no extension");
        }
        if (!startUp) {
            requireNamesForWindows(plan, arms);
            Questions.requirePercentiles(options, plan);
            Questions.requireSettle(options);
            Questions.requireShortWaits(plan, workloads);
        }
        folder.settings(plan.settings());
        return new Draft(options, plan, arms, Questions.armOptions(options, arms), workloads);
    }

    /**
     * The time limit in force, s; 0: none.
     *
     * @throws UsageException if it is no time, or more than a day
     */
    public static double limitSeconds(Options options) {
        return seconds(options, "limit", 0);
    }

    /**
     * How long after a block began the next one begins at the earliest, s; 0: at once.
     *
     * @throws UsageException if it is no time, or more than a day
     */
    public static double paceSeconds(Options options) {
        // Campaigns that began before there was a pace have none on record.
        return options.text("pace").isPresent() ? seconds(options, "pace", 0) : 0;
    }

    private static double seconds(Options options, String name, double least) {
        double seconds = options.duration(name).toMillis() / 1000.0;
        if (seconds > MOST_SECONDS) {
            throw new UsageException("--" + name + ": more than a day is no plan");
        }
        if (seconds < least) {
            throw new UsageException("--" + name + ": give at least " + (int) least + "s");
        }
        return seconds;
    }

    /** Servers of the largest group. */
    private static int mostTogether(List<Arm> arms) {
        return arms.stream().collect(Collectors.groupingBy(Arm::group, Collectors.counting())).values().stream()
                .mapToInt(Long::intValue)
                .max()
                .orElse(0);
    }

    /** In one log each window has a name of its own; found out after the first block, a plan with too many would cost that block. */
    private static void requireNamesForWindows(Plan plan, List<Arm> arms) {
        int servers = plan.together() ? mostTogether(arms) : 1;
        for (String generator : plan.generators()) {
            List<Cell> cells = plan.cells().stream()
                    .filter(cell -> cell.generator().equals(generator) && !plan.inTurns(cell))
                    .toList();
            if (cells.isEmpty()) {
                continue;
            }
            long windows = (long) servers * cells.size() * plan.rounds();
            boolean oneLog = Generators.named(cells.get(0).tool()).has(Trait.TAKES_TURNS);
            if (oneLog && windows > Recorder.MAX_CELLS) {
                throw new UsageException(windows + " windows for each run of " + generator + " are more than the "
                        + Recorder.MAX_CELLS
                        + " that a log can hold: give fewer --rounds, --tiers or --workloads, or load in turns"
                        + " (--turn 250ms)");
            }
        }
    }

    /** Whoever gives a number of blocks or looks, and no precision, wants that number. */
    private static double precision(Options options) {
        boolean fixed = options.isGiven("blocks") || options.isGiven("looks");
        if (options.text("precision").isEmpty() || fixed && !options.isGiven("precision")) {
            return 0;
        }
        String text = options.required("precision");
        try {
            return Options.share(text);
        } catch (IllegalArgumentException e) {
            throw new UsageException("--precision " + text + " is not understood: give a share such as 3%");
        }
    }

    private static long seed(Options options) {
        Optional<String> text = options.text("seed");
        try {
            return text.map(Long::parseLong)
                    .orElseGet(() -> ThreadLocalRandom.current().nextLong(1, 1_000_000_000));
        } catch (NumberFormatException e) {
            throw new UsageException("--seed " + text.get() + " is not understood: give a whole number");
        }
    }

    /** Those of a campaign, in the order in which they were given: an own application is ready when it answers the first. */
    static List<Workload> workloads(Options options, ProfilesFolder folder) {
        if (options.isGiven("jar") && !options.isGiven("workload-file")) {
            throw new UsageException("your own applications need --workload-file FILE that names paths and lengths of"
                    + " bodies, in the form of profiles/workloads.properties");
        }
        boolean ofFile = options.isGiven("workload-file");
        List<Workload> known =
                ofFile ? ProfilesFolder.workloads(Path.of(options.required("workload-file"))) : folder.allWorkloads();
        List<String> all = known.stream().map(Workload::name).toList();
        if (ofFile && !options.isGiven("workloads")) {
            return known;
        }
        return Workload.chosen(options, known, ofFile ? all : folder.usualWorkloads(), "");
    }

    private static List<String> generators(Options options, ServerMachine machine, Consumer<String> say) {
        List<String> wanted = options.requireDistinct("generators", options.names("generators"));
        List<String> present = new ArrayList<>();
        for (String name : wanted) {
            machine.notInstalled(Generators.named(name))
                    .ifPresentOrElse(line -> say.accept("left out: " + line), () -> present.add(name));
        }
        if (present.isEmpty()) {
            throw new UsageException("--generators " + String.join(",", wanted) + ": none of them is installed");
        }
        List<Host> load = machine.machines().load();
        List<String> alone = present.stream()
                .filter(name -> Generators.named(name).onHosts() == Generator.OnHosts.FIRST)
                .toList();
        if (load.size() > 1 && !alone.isEmpty()) {
            say.accept(String.join(", ", alone) + ": all users come from "
                    + load.get(0).name() + ", the first of the load hosts");
        }
        return present;
    }

    private static List<Cell> cells(
            Options options, List<Workload> workloads, List<String> generators, Consumer<String> say) {
        List<Integer> tiers = Questions.isOnlyOpen(options)
                ? List.of()
                : options.requireDistinct("tiers", options.integers("tiers", 1, 20_000));
        List<Double> rates = options.isGiven("rates")
                ? options.requireDistinct(
                        "rates",
                        options.names("rates").stream().map(Planner::rate).toList())
                : List.of();
        if (!rates.isEmpty()
                && generators.stream().noneMatch(name -> Generators.named(name).has(Trait.FIXED_RATES))) {
            throw new UsageException(
                    "--rates: the open model is " + Generators.titles(one -> one.has(Trait.FIXED_RATES)) + "'s: add "
                            + Generators.names(one -> one.has(Trait.FIXED_RATES)) + " to --generators");
        }
        generators.stream()
                .filter(name -> !rates.isEmpty() && !Generators.named(name).has(Trait.FIXED_RATES))
                .forEach(name ->
                        say.accept("left out: --rates with " + name + ", which has no open model in campaigns"));
        List<Cell> cells = new ArrayList<>();
        for (String generator : generators) {
            for (Workload workload : workloads) {
                tiers.forEach(tier -> cells.add(new Cell(workload.name(), tier, 0, generator)));
                if (Generators.named(generator).has(Trait.FIXED_RATES)) {
                    rates.forEach(rate -> cells.add(new Cell(workload.name(), 0, rate, generator)));
                }
            }
        }
        return cells;
    }

    /** Whether every load can come from load hosts. */
    static void requireLoadHosts(int hosts, List<Cell> cells) {
        for (Cell cell : hosts == 0 ? List.<Cell>of() : cells) {
            if (cell.isCapacity() && hosts > 1) {
                throw new UsageException("--load-hosts: " + Schedule.ONE_GENERATOR);
            }
            if (ServerMachine.sharesUsers(cell) && cell.load().tier() < hosts) {
                throw new UsageException("--tiers " + cell.load().tier() + ": fewer users than the " + hosts
                        + " --load-hosts that share them");
            }
        }
    }

    private static double rate(String text) {
        try {
            double rate = Double.parseDouble(text);
            if (rate >= 1 && rate <= 1_000_000 && Load.canName(rate)) {
                return rate;
            }
        } catch (NumberFormatException e) {
            // Said below.
        }
        throw new UsageException(
                "--rates: '" + text + "' is not understood: give requests/s, such as 1000, with at most 9 decimals");
    }
}
