package org.servletbench.bench.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.servletbench.bench.campaign.Arm;
import org.servletbench.bench.campaign.ArmBuilds;
import org.servletbench.bench.campaign.BlockOrder;
import org.servletbench.bench.campaign.Campaign;
import org.servletbench.bench.campaign.CampaignFolder;
import org.servletbench.bench.campaign.CampaignLock;
import org.servletbench.bench.campaign.CampaignRunner;
import org.servletbench.bench.campaign.CampaignStore;
import org.servletbench.bench.campaign.CellResult;
import org.servletbench.bench.campaign.Forecast;
import org.servletbench.bench.campaign.Judgement;
import org.servletbench.bench.campaign.Look.WithoutVerdicts;
import org.servletbench.bench.campaign.Machine;
import org.servletbench.bench.campaign.Mark;
import org.servletbench.bench.campaign.Memory;
import org.servletbench.bench.campaign.Plan;
import org.servletbench.bench.campaign.Planner;
import org.servletbench.bench.campaign.Preparation;
import org.servletbench.bench.campaign.WarmStart;
import org.servletbench.bench.load.Generators;
import org.servletbench.bench.load.LoadException;
import org.servletbench.bench.profile.Options;
import org.servletbench.bench.profile.ProfilesFolder;
import org.servletbench.bench.profile.UsageException;
import org.servletbench.bench.profile.Workload;
import org.servletbench.bench.report.HistorySection;
import org.servletbench.bench.report.ReportPage;
import org.servletbench.bench.target.Jdk;
import org.servletbench.bench.target.Processors;
import org.servletbench.bench.target.TargetException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** A campaign: randomised blocks of fresh servers, verdicts with intervals, and the comparison page. */
@Command(
        name = "compare",
        description = "Compares containers in randomised blocks of fresh JVMs, and says which differences are real.",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        sortOptions = false,
        footer = {
            "",
            "What is not given comes from profiles/campaign.properties. Times have a unit: 10s, 2m.",
            "Exit code: 0 done, 1 it could not be done (what was measured is kept), 2 bad usage."
        })
final class CompareCommand implements Callable<Integer> {

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");
    private static final String RESUMED = "resume";

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--plan",
            paramLabel = "NAME",
            description =
                    "quick (20 minutes on two cores), full (hours), or auto: two pilot blocks choose load and blocks for"
                            + " --precision")
    private String plan;

    @Option(
            names = "--arms",
            paramLabel = "LIST",
            description = "profiles, or profile+line: jetty,tomcat-nio+boot2; nginx stands beside them, not ranked."
                    + " Arms of one line are ranked together")
    private String arms;

    @Option(names = "--baseline", paramLabel = "ARM", description = "what the others are held against: the first arm")
    private String baseline;

    @Option(names = "--generators", paramLabel = "LIST", description = "gatling, jmeter, wrk, ab, siege")
    private String generators;

    @Option(names = "--tiers", paramLabel = "LIST", description = "concurrent users, closed model")
    private String tiers;

    @Option(names = "--rates", paramLabel = "LIST", description = "requests/s, open model, beside the tiers (Gatling)")
    private String rates;

    @Option(names = "--workloads", paramLabel = "LIST", description = "hello, static, payload, metrics")
    private String workloads;

    @Option(names = "--settings", paramLabel = "NAME", description = "settings set: equalised or defaults")
    private String settings;

    @Option(names = "--jvm-options", paramLabel = "FILE", description = "options of every server's JVM")
    private String jvmOptions;

    @Option(
            names = "--jdk",
            paramLabel = "HOME",
            description = "the JDK that every server runs on, 17 or newer; default: the rig's")
    private String jdk;

    @Option(
            names = "--warm-start",
            paramLabel = "WAY",
            description = "aot: servers start with an AOT cache that was trained under load (JDK 25 or newer); none")
    private String warmStart;

    @Option(
            names = "--aot-caches",
            paramLabel = "N",
            description = "with --warm-start aot: trainings of each arm, of which each block draws one")
    private String aotCaches;

    @Option(names = "--aot-training", paramLabel = "TIME", description = "load of one training")
    private String aotTraining;

    @Option(names = "--blocks", paramLabel = "N", description = "how often every arm gets a fresh JVM")
    private String blocks;

    @Option(names = "--seed", paramLabel = "N", description = "from which the order of every block is drawn")
    private String seed;

    @Option(names = "--rounds", paramLabel = "N", description = "windows of each cell in each JVM")
    private String rounds;

    @Option(
            names = "--hold",
            paramLabel = "TIME",
            description = "measured load of each server in each cell and round: in turns, or in one window")
    private String hold;

    @Option(
            names = "--turn",
            paramLabel = "TIME",
            description = "Gatling, JMeter: shortest turn of a server, 100ms; 0s for one window after the other")
    private String turn;

    @Option(names = "--warmup", paramLabel = "TIME", description = "most load for warming up one server")
    private String warmup;

    @Option(names = "--generator-warmup", paramLabel = "TIME", description = "longest warm-up of Gatling itself")
    private String generatorWarmup;

    @Option(
            names = "--together",
            paramLabel = "BOOL",
            description = "true: all servers of a group are up at once and take turns; false: one after the other")
    private String together;

    @Option(names = "--primary", paramLabel = "LIST", description = "metrics about which verdicts are drawn")
    private String primary;

    @Option(names = "--margin", paramLabel = "SHARE", description = "what counts as equal: 0.03")
    private String margin;

    @Option(names = "--alpha", paramLabel = "P", description = "probability of any false verdict: 0.05")
    private String alpha;

    @Option(
            names = "--precision",
            paramLabel = "SHARE",
            description =
                    "stop when every interval is this narrow on either side: 3%%; quick and auto have one, unless --blocks or"
                            + " --looks is given")
    private String precision;

    @Option(
            names = "--looks",
            paramLabel = "K",
            description = "how often verdicts may be drawn, 1 to 5: at the planned end, and after each extension with"
                    + " --resume --blocks. Looks share alpha: with more than one, look k gets alpha / 2^k. Default: 1,"
                    + " no extension with verdicts")
    private String looks;

    @Option(names = "--limit", paramLabel = "TIME", description = "no block begins that would end later; 0s: no limit")
    private String limit;

    @Option(names = "--keep-raw", paramLabel = "BOOL", description = "keep raw logs after measuring")
    private String keepRaw;

    @Option(names = "--out", paramLabel = "DIR", description = "the campaign's folder; must not exist")
    private Path out;

    @Option(
            names = "--resume",
            paramLabel = "DIR",
            description = "go on with a campaign up to its planned blocks; --limit sets another limit. With --blocks N"
                    + " beyond the plan, extend it: verdicts follow only if --looks reserved that at the start")
    private Path resume;

    @Option(names = "--jar", paramLabel = "FILE", description = "an application of your own instead of arms; repeat it")
    private List<Path> jars;

    @Option(
            names = "--workload-file",
            paramLabel = "FILE",
            description = "paths and checks, in the form of profiles/workloads.properties")
    private Path workloadFile;

    @Option(names = "--dry-run", description = "print the plan: order, time, the difference it can find")
    private boolean dryRun;

    @Option(names = "--root", paramLabel = "DIR", description = "the repository, where it is not found by itself")
    private Path root;

    @Parameters(hidden = true, arity = "0..*")
    private List<String> nothing;

    @Override
    public Integer call() {
        try {
            if (nothing != null && !nothing.isEmpty()) {
                throw new UsageException("'" + nothing.get(0) + "' is not understood: every value follows its option");
            }
            requireValue("out", out);
            requireValue("resume", resume);
            return resume == null ? begin() : goOn();
        } catch (UsageException e) {
            return said(e, Main.USAGE);
        } catch (TargetException | LoadException e) {
            return said(e, Main.FAILED);
        }
    }

    private int said(RuntimeException e, int code) {
        spec.commandLine().getErr().println("compare: " + Main.oneLine(e.getMessage()));
        return code;
    }

    private Map<String, String> given() {
        Map<String, String> given = new LinkedHashMap<>();
        put(given, "plan", plan);
        put(given, "arms", arms);
        put(given, "baseline", baseline);
        put(given, "generators", generators);
        put(given, "tiers", tiers);
        put(given, "rates", rates);
        put(given, "workloads", workloads);
        put(given, "settings", settings);
        put(given, "jvm.options", jvmOptions);
        put(given, "jdk", jdk);
        put(given, "warm-start", warmStart);
        put(given, "aot-caches", aotCaches);
        put(given, "aot-training", aotTraining);
        put(given, "blocks", blocks);
        put(given, "seed", seed);
        put(given, "rounds", rounds);
        put(given, "hold", hold);
        put(given, "turn", turn);
        put(given, "warmup", warmup);
        put(given, "generator.warmup", generatorWarmup);
        put(given, "together", together);
        put(given, "primary", primary);
        put(given, "margin", margin);
        put(given, "alpha", alpha);
        put(given, "precision", precision);
        put(given, "looks", looks);
        put(given, "limit", limit);
        put(given, "keep-raw", keepRaw);
        put(given, "workload-file", workloadFile == null ? null : workloadFile.toString());
        if (jars != null && arms != null) {
            throw new UsageException("--jar and --arms exclude each other: your own applications, or the containers");
        }
        if (jars != null) {
            put(
                    given,
                    "jar",
                    String.join("\n", jars.stream().map(Path::toString).toList()));
        }
        return given;
    }

    /** An empty value is a mistake here, such as an empty variable of a shell; with Maven it counts as not given. */
    private static void put(Map<String, String> given, String name, String value) {
        requireValue(name, value);
        if (value != null) {
            given.put(name, value);
        }
    }

    private static void requireValue(String name, Object value) {
        if (value != null && value.toString().isBlank()) {
            throw new UsageException("--" + name.replace('.', '-') + " has an empty value");
        }
    }

    // ---- a new campaign ----

    private int begin() {
        Path repository = Repository.root(root);
        ProfilesFolder profiles = new ProfilesFolder(repository.resolve("profiles"));
        Options options = Planner.options("--", given(), profiles);
        ConsoleProgress progress = new ConsoleProgress(spec.commandLine().getOut());
        Planner.Draft draft = Planner.draft(options, profiles, progress::say);
        if (out != null && Files.exists(out)) {
            throw new UsageException(
                    "--out " + out + " is there already: nothing measured is ever overwritten; to go on"
                            + " with it give --resume " + out);
        }
        Plan decided = fitting(draft, options, profiles, progress);
        List<List<String>> order = order(draft.arms(), decided);
        Forecast forecast = Forecast.of(decided, draft.arms(), options);
        tell(decided, draft.arms(), order, forecast);
        WarmStart.costs(options, draft.arms()).forEach(progress::say);
        Optional<String> tooLittle = Memory.tooLittle(
                draft.arms(), decided.together(), Planner.jvmOptions(options, profiles), Memory.available());
        if (dryRun) {
            tooLittle.ifPresent(line -> progress.say("warning: " + line));
            return 0;
        }
        requireMemory(tooLittle);
        Path folder = out == null ? null : out.toAbsolutePath().normalize();
        String id = "campaign-" + LocalDateTime.now().format(TIME);
        if (folder == null) {
            folder = repository.resolve("bench/target/campaigns").resolve(id);
        } else {
            id = folder.getFileName().toString();
        }
        try (CampaignLock lock = CampaignLock.take(folder)) {
            ArmBuilds builds = new ArmBuilds(repository, progress::say);
            List<Arm> complete = builds.complete(draft.arms());
            builds.generators(decided);
            Campaign campaign = new Campaign(
                    Campaign.FORMAT,
                    id,
                    Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
                    Repository.commit(repository),
                    decided,
                    complete,
                    order,
                    Machine.facts(),
                    versions(repository, decided, Jdk.of(options)),
                    recorded(options, profiles, decided),
                    pinning(),
                    List.of());
            make(folder);
            CampaignStore store = new CampaignStore(folder);
            store.write(campaign);
            return run(campaign, options, profiles, draft.workloads(), repository, store, progress);
        }
    }

    private static void requireMemory(Optional<String> tooLittle) {
        tooLittle.ifPresent(line -> {
            throw new UsageException(line);
        });
    }

    static void make(Path folder) {
        try {
            Files.createDirectories(folder.toAbsolutePath().getParent());
            Files.createDirectory(folder);
        } catch (IOException e) {
            throw new TargetException("cannot make the folder " + folder + " (" + e.getMessage() + ")");
        }
    }

    /** All servers at once only where there is memory for them. */
    static Plan fitting(Planner.Draft draft, Options options, ProfilesFolder profiles, ConsoleProgress progress) {
        Plan plan = draft.plan();
        long memory = Long.parseLong(Machine.facts().getOrDefault("memory.bytes", Long.toString(Long.MAX_VALUE)));
        Optional<String> tooLittle = plan.together()
                ? CampaignRunner.tooLittleMemory(draft.arms(), Planner.jvmOptions(options, profiles), memory)
                : Optional.empty();
        if (tooLittle.isEmpty()) {
            return plan;
        }
        progress.say(tooLittle.get());
        return plan.oneAfterTheOther();
    }

    static List<List<String>> order(List<Arm> arms, Plan plan) {
        return IntStream.rangeClosed(1, plan.blocks())
                .mapToObj(block -> BlockOrder.of(arms, plan.seed(), block))
                .toList();
    }

    static Map<String, String> versions(Path repository, Plan plan, Jdk jdk) {
        Map<String, String> versions = new TreeMap<>(jdk.versions());
        versions.put("servlet-bench", Main.version());
        plan.cells().stream().map(cell -> cell.generator()).distinct().forEach(name -> Generators.named(name)
                .version(repository)
                .ifPresent(version -> versions.put(name, version)));
        return versions;
    }

    static Map<String, String> recorded(Options options, ProfilesFolder profiles, Plan plan) {
        Map<String, String> recorded = new TreeMap<>();
        options.all().forEach((name, value) -> recorded.put("option " + name, value));
        recorded.put(
                "jvm.options",
                String.join(" ", Planner.jvmOptions(options, profiles).values()));
        Map<String, String> settings =
                ProfilesFolder.settingsValues(Planner.settingsFile(options, profiles, plan.settings()));
        settings.forEach((name, value) -> recorded.put("setting " + name, value));
        return recorded;
    }

    static String pinning() {
        return Processors.divided()
                .map(division -> "after the warm-up: servers on processors " + Processors.list(division.server())
                        + ", generators on " + Processors.list(division.generator()))
                .orElse("none: there is one processor, or no taskset");
    }

    // ---- an old one ----

    private int goOn() {
        Path repository = Repository.root(root);
        ProfilesFolder profiles = new ProfilesFolder(repository.resolve("profiles"));
        Map<String, String> others = given();
        others.remove("blocks");
        others.remove("limit");
        if (dryRun) {
            others.put("dry-run", "");
        }
        if (out != null) {
            others.put("out", "");
        }
        if (!others.isEmpty()) {
            throw new UsageException("--resume takes the plan from " + resume
                    + ": of the other options only --blocks and --limit are understood with it, not --"
                    + others.keySet().iterator().next().replace('.', '-'));
        }
        if (!Files.isRegularFile(resume.resolve("campaign.json"))) {
            throw new UsageException("--resume " + resume + ": there is no campaign.json in it");
        }
        Optional<Integer> wanted = blocks == null
                ? Optional.empty()
                : Optional.of(new Options("--", Map.of("blocks", blocks), Map.of()).integer("blocks", 2, 10_000));
        Optional<Double> seconds = limit == null
                ? Optional.empty()
                : Optional.of(Planner.limitSeconds(new Options("--", Map.of("limit", limit), Map.of())));
        ConsoleProgress progress = new ConsoleProgress(spec.commandLine().getOut());
        Path folder = resume.toAbsolutePath().normalize();
        try (CampaignLock lock = CampaignLock.take(folder)) {
            CampaignFolder before = CampaignFolder.read(folder);
            before.problems().forEach(problem -> progress.say(problem));
            Preparation ready =
                    Preparation.goOn(before, wanted, seconds, profiles, new ArmBuilds(repository, progress::say));
            Campaign longer = ready.campaign();
            requireMemory(Memory.tooLittle(
                    longer.arms(),
                    longer.plan().together(),
                    Planner.jvmOptions(ready.options(), profiles),
                    Memory.available()));
            CampaignStore store = new CampaignStore(folder);
            if (longer != before.campaign()) {
                store.write(longer);
            }
            progress.say("going on with " + folder + ": " + before.completeBlocks() + " of "
                    + longer.order().size() + " blocks are there");
            if (longer.look().withoutVerdicts().equals(Optional.of(WithoutVerdicts.EXTENSION_NOT_RESERVED))) {
                progress.say("this extension was not reserved with --looks: there will be estimates, but no verdicts");
            }
            return run(longer, ready.options(), profiles, ready.workloads(), repository, store, progress);
        } catch (IOException e) {
            throw new TargetException(e.getMessage());
        }
    }

    // ---- both ----

    private int run(
            Campaign campaign,
            Options options,
            ProfilesFolder profiles,
            List<Workload> used,
            Path repository,
            CampaignStore store,
            ConsoleProgress progress) {
        progress.say("campaign: " + store.folder());
        CampaignFolder read;
        try (progress) {
            progress.begin(
                    campaign,
                    Forecast.of(campaign.plan().withBlocks(campaign.order().size()), campaign.arms(), options)
                            .seconds());
            read = new CampaignRunner(campaign, options, profiles, used, repository, store, progress).run();
        } finally {
            render(store.folder(), progress);
        }
        Judgement judged = Judgement.of(read.campaign(), read.invocations());
        PrintWriter console = spec.commandLine().getOut();
        if (read.campaign().look().withoutVerdicts().isPresent()) {
            console.println(HistorySection.withoutVerdicts(read.campaign()));
            ConsoleProgress.estimates(judged).forEach(console::println);
        } else {
            VerdictText.print(judged, console);
        }
        judged.noises().stream().filter(seen -> seen.noise().known()).forEach(seen -> console.println(seen.words()));
        Forecast.needed(judged, read.times()).ifPresent(console::println);
        read.times().ifPresent(times -> console.println("time: " + times.words()));
        console.println("report: " + store.folder().resolve(ReportPage.INDEX).toUri());
        if (judged.family().isVoid()) {
            spec.commandLine()
                    .getErr()
                    .println("compare: the campaign is void: the A/A control came out as different from its own copy");
            return Main.FAILED;
        }
        Optional<String> nothing = nothingUsable(read, judged);
        nothing.ifPresent(why -> spec.commandLine().getErr().println("compare: " + Main.oneLine(why)));
        return nothing.isPresent() ? Main.FAILED : 0;
    }

    /** Why there is not one cell that could take part in a verdict; empty if there is one. */
    private static Optional<String> nothingUsable(CampaignFolder read, Judgement judged) {
        List<Judgement.LeftOut> leftOut = judged.leftOut();
        boolean some = judged.chosen().stream()
                .filter(one -> one.marks().stream().noneMatch(Mark::excludes))
                .flatMap(one -> one.cells().stream())
                .anyMatch(CellResult::isUsable);
        if (some || leftOut.isEmpty()) {
            return Optional.empty();
        }
        Judgement.LeftOut first = leftOut.get(0);
        Mark mark = first.marks().get(0);
        return Optional.of("no cell can take part in a verdict: " + leftOut.size() + " are left out, the first one ("
                + read.folder(first.invocation()) + ") because of '" + mark.check() + "': " + mark.figures());
    }

    static void render(Path folder, ConsoleProgress progress) {
        try {
            ReportPage.of(CampaignFolder.read(folder)).write(folder);
        } catch (IOException e) {
            progress.say("the page could not be made: " + e.getMessage());
        }
    }

    private static String aim(Plan plan) {
        if (plan.name().equals(Plan.AUTO)) {
            return String.format(
                    Locale.ROOT,
                    "%d pilot blocks, then as many as ± %.1f %% takes: ",
                    plan.blocks(),
                    100 * plan.precision());
        }
        return plan.precision() > 0
                ? String.format(
                        Locale.ROOT,
                        "until every interval is within ± %.1f %%, at most %d ",
                        100 * plan.precision(),
                        plan.blocks())
                : plan.blocks() + " ";
    }

    private void tell(Plan decided, List<Arm> all, List<List<String>> order, Forecast forecast) {
        PrintWriter console = spec.commandLine().getOut();
        List<String> lines = new ArrayList<>();
        lines.add(
                "plan " + decided.name() + ", seed " + decided.seed() + ": " + aim(decided) + "blocks of " + all.size()
                        + " fresh servers, "
                        + (decided.looks() == 1 ? "" : decided.looks() + " looks, ")
                        + (decided.together() ? "those of a group up at once" : "one after the other"));
        decided.cells()
                .forEach(cell -> lines.add(String.format(
                        Locale.ROOT,
                        "  cell: %s with %s, %d x %.0f s",
                        cell.loadName(),
                        cell.generator(),
                        decided.rounds(),
                        decided.windowSeconds())));
        lines.addAll(forecast.lines());
        if (dryRun) {
            for (int block = 0; block < order.size(); block++) {
                lines.add("  block " + (block + 1) + ": " + String.join(", ", order.get(block)));
            }
        }
        lines.forEach(console::println);
        console.flush();
    }
}
