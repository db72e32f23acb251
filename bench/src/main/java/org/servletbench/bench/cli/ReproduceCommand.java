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
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.servletbench.bench.campaign.Arm;
import org.servletbench.bench.campaign.ArmBuilds;
import org.servletbench.bench.campaign.Campaign;
import org.servletbench.bench.campaign.CampaignFolder;
import org.servletbench.bench.campaign.CampaignLock;
import org.servletbench.bench.campaign.CampaignRunner;
import org.servletbench.bench.campaign.CampaignStore;
import org.servletbench.bench.campaign.Cell;
import org.servletbench.bench.campaign.Forecast;
import org.servletbench.bench.campaign.Machine;
import org.servletbench.bench.campaign.Planner;
import org.servletbench.bench.campaign.Preparation;
import org.servletbench.bench.load.CommandLineGenerator;
import org.servletbench.bench.load.JMeter;
import org.servletbench.bench.load.LoadException;
import org.servletbench.bench.load.ToolSettings;
import org.servletbench.bench.profile.Options;
import org.servletbench.bench.profile.ProfilesFolder;
import org.servletbench.bench.profile.UsageException;
import org.servletbench.bench.article.Article;
import org.servletbench.bench.article.ArticleReader;
import org.servletbench.bench.reproduce.AsPublished;
import org.servletbench.bench.reproduce.ClaimVerdict;
import org.servletbench.bench.reproduce.Evaluation;
import org.servletbench.bench.article.Plan;
import org.servletbench.bench.reproduce.Reproduction;
import org.servletbench.bench.reproduce.Scale;
import org.servletbench.bench.article.Treatment;
import org.servletbench.bench.report.ReproductionIndex;
import org.servletbench.bench.report.ReproductionPage;
import org.servletbench.bench.target.Jdk;
import org.servletbench.bench.target.NativeLibraries;
import org.servletbench.bench.target.NginxSpec;
import org.servletbench.bench.target.TargetException;
import org.servletbench.bench.verdict.Settings;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The published experiments again: as they were, then as they should be, and which of their claims hold here. */
@Command(
        name = "reproduce",
        description = "Runs published comparisons again, as published and as they should be, and judges their claims.",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        sortOptions = false,
        footer = {
            "",
            "Articles are the files of published/. Each gets a folder of its own with a page; index.html is about all.",
            "Exit code: 0 done, 1 it could not be done (what was measured is kept), 2 bad usage."
        })
final class ReproduceCommand implements Callable<Integer> {

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");
    private static final int DEFAULT_SECONDS = 10;
    /** Start, probe and stop of a server, s. */
    private static final double SERVER_SECONDS = 7;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "ID", arity = "0..*", description = "articles, by the names of their files; none: all")
    private List<String> ids;

    @Option(
            names = "--scale",
            paramLabel = "F",
            description = "multiplies counts, times and blocks: 0.5; below 0.1 it only tries everything out")
    private String scale;

    @Option(
            names = "--blocks",
            paramLabel = "N",
            description = "blocks as it should be, instead of the article's file's")
    private String blocks;

    @Option(
            names = "--settings",
            paramLabel = "SET",
            description = "as it should be only with defaults (the article's treatment) or equalised; both by default")
    private String settings;

    @Option(
            names = "--limit",
            paramLabel = "TIME",
            description = "for each article: no block begins that would end later, but each campaign has two blocks;"
                    + " 0s: no limit, the default except for wrk-hello (30m)")
    private String limit;

    @Option(
            names = "--resume",
            paramLabel = "FOLDER",
            arity = "0..1",
            fallbackValue = "",
            description =
                    "go on with the reproduction in this folder; without a folder, with the newest unfinished one of"
                            + " the article. Only --limit may be given with it")
    private String resume;

    @Option(
            names = "--jdk",
            paramLabel = "HOME",
            description = "the JDK that every server runs on, 17 or newer; default: the rig's")
    private String jdk;

    @Option(names = "--out", paramLabel = "DIR", description = "gets a folder for each article; must not exist")
    private Path out;

    @Option(names = "--dry-run", description = "print what would run, and how long")
    private boolean dryRun;

    @Option(names = "--root", paramLabel = "DIR", description = "the repository, where it is not found by itself")
    private Path root;

    private Path repository;
    private ProfilesFolder profiles;
    private ArticleReader reader;
    private Scale factor;
    private Jdk servers = Jdk.own();
    private OptionalInt ownBlocks = OptionalInt.empty();
    private Optional<Treatment> only = Optional.empty();
    private Options reproduce;
    private ConsoleProgress progress;

    @Override
    public Integer call() {
        try {
            repository = Repository.root(root);
            profiles = new ProfilesFolder(repository.resolve("profiles"));
            reader = new ArticleReader(profiles);
            Options own = new Options("--", given(), Map.of());
            factor = own.isGiven("scale") ? new Scale(own.decimal("scale", 0, 1)) : Scale.FULL;
            ownBlocks = own.isGiven("blocks") ? OptionalInt.of(own.integer("blocks", 2, 10_000)) : ownBlocks;
            servers = Jdk.of(own);
            only = own.text("settings").map(ReproduceCommand::treatment);
            reproduce = new Options("--", Map.of(), profiles.campaignDefaults());
            limitSeconds("");
            progress = new ConsoleProgress(spec.commandLine().getOut());
            if (resume != null) {
                return goOn();
            }
            List<Article> articles = articles();
            if (dryRun) {
                articles.forEach(this::tell);
                return 0;
            }
            return run(articles);
        } catch (UsageException e) {
            return said(e, Main.USAGE);
        } catch (TargetException | LoadException e) {
            return said(e, Main.FAILED);
        }
    }

    private int said(RuntimeException e, int code) {
        spec.commandLine().getErr().println("reproduce: " + Main.oneLine(e.getMessage()));
        return code;
    }

    private Map<String, String> given() {
        Map<String, String> given = new LinkedHashMap<>();
        Optional.ofNullable(scale).ifPresent(value -> given.put("scale", value));
        Optional.ofNullable(blocks).ifPresent(value -> given.put("blocks", value));
        Optional.ofNullable(jdk).ifPresent(value -> given.put("jdk", value));
        Optional.ofNullable(settings).ifPresent(value -> given.put("settings", value));
        return given;
    }

    /** What was given, else the article's default, else that of all. */
    private double limitSeconds(String article) {
        String usual =
                reproduce.text("reproduce.limit." + article).orElseGet(() -> reproduce.required("reproduce.limit"));
        return Planner.limitSeconds(
                new Options("--", limit == null ? Map.of() : Map.of("limit", limit), Map.of("limit", usual)));
    }

    private static Treatment treatment(String option) {
        return Arrays.stream(Treatment.values())
                .filter(one -> one.option().equals(option))
                .findFirst()
                .orElseThrow(() -> new UsageException("--settings=" + option + ": choose from "
                        + Arrays.stream(Treatment.values())
                                .map(Treatment::option)
                                .collect(Collectors.joining(", "))));
    }

    private List<Article> articles() {
        Path folder = repository.resolve("published");
        return ids == null || ids.isEmpty()
                ? reader.readAll(folder)
                : new LinkedHashSet<>(ids)
                        .stream().map(id -> reader.read(folder, id)).toList();
    }

    // ---- all of them ----

    private int run(List<Article> articles) {
        Path base = out == null ? base() : out.toAbsolutePath().normalize();
        if (out != null && Files.exists(base)) {
            throw new UsageException("--out " + out + " is there already: nothing measured is ever overwritten");
        }
        int code = 0;
        try (CampaignLock lock = CampaignLock.take(base)) {
            Files.createDirectories(base);
            for (Article article : articles) {
                Path folder =
                        base.resolve(article.id() + "-" + LocalDateTime.now().format(TIME));
                Files.createDirectory(folder);
                code = Math.max(code, finish(begin(article, folder), folder));
            }
            spec.commandLine()
                    .getOut()
                    .println("all articles: "
                            + base.resolve(ReproductionIndex.INDEX).toUri());
        } catch (IOException e) {
            throw new TargetException("cannot write to " + base + " (" + e.getMessage() + ")");
        }
        return code;
    }

    private Path base() {
        return repository.resolve("bench/target/reproductions");
    }

    /** Goes on with a reproduction where it stopped: what is on disk is kept. */
    private int goOn() {
        Map<String, Object> others = new LinkedHashMap<>(given());
        if (out != null) {
            others.put("out", out);
        }
        if (dryRun) {
            others.put("dry-run", true);
        }
        List<String> named = ids == null ? List.of() : ids;
        Unfinished.Found found = resume.isEmpty()
                ? Unfinished.newest(base(), named, others, reader)
                : Unfinished.in(Path.of(resume), named, others, reader);
        Reproduction.Header header = found.read().header();
        factor = found.read().scale();
        ownBlocks = header.blocks() == null ? OptionalInt.empty() : OptionalInt.of(header.blocks());
        jdk = header.jdk();
        servers = Jdk.of(new Options("--", given(), Map.of()));
        double limitSeconds = limit == null ? header.limitSeconds() : limitSeconds(header.article());
        progress.say("going on with " + found.folder() + ": " + found.read().progress());
        try (CampaignLock lock = CampaignLock.take(found.folder())) {
            return finish(run(found.read().article(), found.folder(), header.goingOn(limitSeconds)), found.folder());
        } catch (IOException e) {
            throw new TargetException("cannot write to " + found.folder() + " (" + e.getMessage() + ")");
        }
    }

    /** With the page over all, and what came out. */
    private int finish(Reproduction done, Path folder) throws IOException {
        index(folder.getParent());
        print(done, folder);
        return done.header().troubles().isEmpty() ? 0 : Main.FAILED;
    }

    /** The page over all articles: of each the newest reproduction. */
    private void index(Path base) throws IOException {
        Map<String, Reproduction> newest = new TreeMap<>();
        List<Path> folders;
        try (var list = Files.list(base)) {
            folders = list.filter(one -> Files.isRegularFile(one.resolve(Reproduction.FILE)))
                    .sorted()
                    .toList();
        }
        for (Path folder : folders) {
            try {
                Reproduction read = Reproduction.read(folder, reader);
                newest.merge(
                        read.article().id(),
                        read,
                        (a, b) -> a.header().created().compareTo(b.header().created()) > 0 ? a : b);
            } catch (IOException | UsageException e) {
                progress.say("left out of the index: " + e.getMessage());
            }
        }
        new ReproductionIndex(List.copyOf(newest.values())).write(base);
    }

    private void print(Reproduction done, Path folder) {
        PrintWriter console = spec.commandLine().getOut();
        console.println(done.article().id() + ": " + done.article().title());
        for (Treatment treatment : done.header().treatments()) {
            console.println("  " + described(done.article(), treatment) + ":");
            for (ClaimVerdict verdict : done.verdicts(treatment)) {
                console.println(String.format(
                        Locale.ROOT,
                        "    %-19s %-18s %s",
                        verdict.outcome().words(),
                        verdict.claim().id(),
                        Main.oneLine(verdict.reason())));
            }
        }
        done.header().troubles().forEach(trouble -> console.println("  failed: " + Main.oneLine(trouble)));
        if (!done.isComplete()) {
            console.println("  " + done.progress() + ": go on with " + resumeCommand(done.article(), folder));
        }
        console.println("  page: " + folder.resolve(ReproductionPage.INDEX).toUri());
        console.flush();
    }

    // ---- one article ----

    private static String resumeCommand(Article article, Path folder) {
        return "reproduce " + article.id() + " --resume " + folder;
    }

    private Reproduction begin(Article article, Path folder) throws IOException {
        tell(article);
        Files.copy(
                repository.resolve("published").resolve(article.id() + ".yaml"),
                folder.resolve(article.id() + ".yaml"));
        Reproduction.Header header = new Reproduction.Header(
                Reproduction.Header.FORMAT,
                folder.getFileName().toString(),
                article.id(),
                Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
                Repository.commit(repository),
                factor.factor(),
                Machine.facts(),
                servers.versions(),
                CompareCommand.pinning(),
                treatments(article),
                ownBlocks.isPresent() ? ownBlocks.getAsInt() : null,
                limitSeconds(article.id()),
                jdk,
                List.of());
        return run(article, folder, header);
    }

    /** What is not on disk yet. */
    private Reproduction run(Article article, Path folder, Reproduction.Header begun) throws IOException {
        begun.write(folder);
        Reproduction.Header header = begun;
        Optional<String> missing = article.asPublished().tool().flatMap(CommandLineGenerator::missing);
        if (missing.isPresent()) {
            progress.say("left out: " + missing.get());
            header = header.with(missing.get());
        } else {
            try (OnInterrupt interrupted = new OnInterrupt(
                    spec.commandLine().getOut(),
                    "interrupted: what was measured is kept; go on with " + resumeCommand(article, folder))) {
                header = measure(article, folder, header);
            }
        }
        header.write(folder);
        Reproduction done = Reproduction.read(folder, reader);
        new ReproductionPage(done).write(folder);
        return done;
    }

    private Reproduction.Header measure(Article article, Path folder, Reproduction.Header begun) throws IOException {
        Reproduction.Header header = begun;
        try {
            ArmBuilds builds = new ArmBuilds(repository, progress::say);
            Map<Treatment, Asked> asked = new LinkedHashMap<>();
            header.treatments().forEach(one -> asked.put(one, asked(one.plan(article), folder, one.folder())));
            org.servletbench.bench.campaign.Plan any =
                    asked.values().iterator().next().draft.plan();
            builds.generators(any);
            header = header.withVersions(CompareCommand.versions(repository, any, servers));
            header.write(folder);
            long start = System.nanoTime();
            asPublished(article, folder, builds);
            int left = asked.size();
            for (Map.Entry<Treatment, Asked> one : asked.entrySet()) {
                double seconds = share(begun.limitSeconds(), (System.nanoTime() - start) / 1e9, left--);
                try {
                    campaign(one.getKey(), one.getValue(), folder, builds, seconds);
                } catch (TargetException | LoadException e) {
                    // The other campaign can still be measured.
                    String trouble = described(article, one.getKey()) + ": " + e.getMessage();
                    progress.say(article.id() + ", " + trouble);
                    header = header.with(trouble);
                }
            }
        } catch (TargetException | LoadException e) {
            progress.say(article.id() + ": " + e.getMessage());
            header = header.with(e.getMessage());
        }
        return header;
    }

    /**
     * What is left of the time limit is shared by the campaigns that are left.
     *
     * @return s; 0 where there is no limit
     */
    private static double share(double limitSeconds, double spentSeconds, int campaigns) {
        return limitSeconds == 0 ? 0 : Math.max(1, (limitSeconds - spentSeconds) / campaigns);
    }

    private void asPublished(Article article, Path folder, ArmBuilds builds) {
        Plan plan = article.asPublished();
        Map<String, String> leftOut = new LinkedHashMap<>();
        Map<String, Arm> arms = new LinkedHashMap<>();
        for (String name : AsPublished.arms(plan)) {
            missing(name).ifPresent(line -> leftOut.put(name, line));
        }
        List<Arm> complete =
                builds.complete(asked(plan, folder, "as-published").draft.arms());
        complete.stream().filter(arm -> arm.role() != Arm.Role.CONTROL).forEach(arm -> arms.put(arm.profile(), arm));
        Optional<JMeter> jmeter = plan.generator().equals("jmeter")
                ? Optional.of(JMeter.ofBuild(repository.resolve("jmeter-plans")))
                : Optional.empty();
        new AsPublished(
                        article,
                        factor,
                        new AsPublished.Rig(repository, profiles, jmeter, servers, progress::say),
                        folder)
                .run(arms, leftOut);
    }

    private Optional<String> missing(String arm) {
        return arm.equals(NginxSpec.ARM)
                ? NginxSpec.missing()
                : profiles.container(arm).nativeLibrary().flatMap(NativeLibraries::missing);
    }

    private void campaign(Treatment treatment, Asked should, Path folder, ArmBuilds builds, double seconds)
            throws IOException {
        Path place = folder.resolve(treatment.folder());
        CampaignStore store = new CampaignStore(place);
        if (Files.exists(place.resolve("campaign.json"))) {
            CampaignFolder before = CampaignFolder.read(place);
            if (before.completeBlocks() < before.campaign().order().size()) {
                before.problems().forEach(progress::say);
                Preparation ready = Preparation.goOn(before, Optional.empty(), Optional.of(seconds), profiles, builds);
                store.write(ready.campaign());
                run(ready, store);
            }
            return;
        }
        List<Arm> complete = builds.complete(should.draft.arms());
        org.servletbench.bench.campaign.Plan plan = CompareCommand.fitting(
                        should.draft, should.options, profiles, progress)
                .withLimit(seconds);
        Campaign campaign = new Campaign(
                Campaign.FORMAT,
                folder.getFileName() + "/" + treatment.folder(),
                Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
                Repository.commit(repository),
                plan,
                complete,
                CompareCommand.order(complete, plan),
                Machine.facts(),
                CompareCommand.versions(repository, plan, servers),
                CompareCommand.recorded(should.options, profiles, plan),
                CompareCommand.pinning(),
                List.of());
        if (!Files.isDirectory(place)) {
            CompareCommand.make(place);
        }
        store.write(campaign);
        run(new Preparation(campaign, should.options, should.draft.workloads()), store);
    }

    private void run(Preparation ready, CampaignStore store) {
        Campaign campaign = ready.campaign();
        ConsoleProgress shown = progress;
        try (shown) {
            shown.begin(
                    campaign,
                    Forecast.of(campaign.plan(), campaign.arms(), ready.options())
                            .seconds());
            new CampaignRunner(campaign, ready.options(), profiles, ready.workloads(), repository, store, progress)
                    .run();
        } finally {
            CompareCommand.render(store.folder(), progress);
        }
    }

    // ---- a plan of an article as a campaign's ----

    private record Asked(Options options, Planner.Draft draft) {}

    /** @param name of the files with settings and JVM options; folder: null for a plan that is only told */
    private Asked asked(Plan plan, Path folder, String name) {
        Set<String> generators = new LinkedHashSet<>();
        Set<Integer> users = new LinkedHashSet<>();
        Set<String> workloads = new LinkedHashSet<>();
        List<Cell> cells = new ArrayList<>();
        int seconds = 0;
        int rampUp = 1;
        Map<String, String> given = new LinkedHashMap<>();
        for (Plan.Load whole : plan.loads()) {
            Plan.Load load = factor.apply(whole);
            String generator = ToolSettings.withPause(plan.generator(), load.maxPauseSeconds());
            generators.add(generator);
            workloads.add(load.workload());
            seconds = Math.max(seconds, load.durationSeconds().orElse(DEFAULT_SECONDS));
            rampUp = Math.max(rampUp, load.rampUpSeconds());
            for (int number : factor.users(load)) {
                users.add(number);
                cells.add(new Cell(load.workload(), number, 0, generator));
            }
            load.requests().ifPresent(number -> given.put("tool.requests", Long.toString(number)));
            load.threads().ifPresent(number -> given.put("tool.threads", Integer.toString(number)));
            given.put("tool.keep-alive", Boolean.toString(load.keepAlive()));
            if (!load.options().isEmpty()) {
                given.put("tool.options", String.join(" ", load.options()));
            }
        }
        given.put("plan", "full");
        given.put("arms", arms(plan));
        given.put("generators", String.join(",", generators));
        given.put("workloads", String.join(",", workloads));
        given.put("tiers", users.stream().map(String::valueOf).collect(Collectors.joining(",")));
        given.put("settings", plan.settings());
        Optional.ofNullable(jdk).ifPresent(home -> given.put("jdk", home));
        given.put("blocks", Integer.toString(ownBlocks.orElse(Math.max(2, factor.blocks(Math.max(2, plan.blocks()))))));
        boolean counted = given.containsKey("tool.requests");
        given.put("rounds", counted ? reproduce.required("reproduce.counted.rounds") : "1");
        given.put("hold", Math.max(2, seconds) + "s");
        given.put("rampup", rampUp + "s");
        given.put("warmup", warmUpSeconds("reproduce.warmup") + "s");
        given.put("warmup.flat.bursts", reproduce.required("reproduce.warmup.flat.bursts"));
        given.put("generator.warmup", warmUpSeconds("reproduce.generator.warmup") + "s");
        if (factor.isTrial()) {
            given.put("warmup.burst", "1s");
            given.put("generator.warmup.burst", "1s");
            given.put("warmup.pause", "200ms");
        }
        given.put("primary", "throughput");
        given.put("limit", "0s");
        // As published the JVM has the article's options and no others.
        given.put("pre-touch", Boolean.toString(plan.warmUp()));
        files(plan, folder, name, given);
        Options options = Planner.options("--", given, profiles);
        Planner.Draft draft = Planner.draft(options, profiles, dryRun ? progress::say : line -> {});
        List<Arm> arms = draft.arms().stream()
                .filter(arm -> !factor.isTrial() || arm.role() != Arm.Role.CONTROL)
                .toList();
        return new Asked(options, new Planner.Draft(draft.plan().with("reproduce", cells), arms, draft.workloads()));
    }

    private int warmUpSeconds(String option) {
        return factor.warmUpSeconds((int) reproduce.duration(option).toSeconds());
    }

    /** Its settings and JVM options, where they are not those of the profiles. */
    private void files(Plan plan, Path folder, String name, Map<String, String> given) {
        if (folder == null) {
            return;
        }
        try {
            if (!plan.serverProperties().isEmpty()) {
                Path file = folder.resolve("settings-" + name + ".properties");
                given.put(
                        "settings.file",
                        AsPublished.settings(profiles, plan, file).toString());
            }
            if (plan.jvmOptions().isPresent()) {
                Path file = folder.resolve("jvm-" + name + ".options");
                AsPublished.jvmOptions(profiles, plan, file);
                given.put("jvm.options", file.toString());
            }
        } catch (IOException e) {
            throw new TargetException("cannot write to " + folder + " (" + e.getMessage() + ")");
        }
    }

    private static String arms(Plan plan) {
        return AsPublished.arms(plan).stream()
                .map(name -> name.equals(NginxSpec.ARM) ? name : name + "+" + plan.line())
                .collect(Collectors.joining(","));
    }

    // ---- words ----

    private void tell(Article article) {
        PrintWriter console = spec.commandLine().getOut();
        console.println(
                article.id() + ": " + article.title() + " (" + article.claims().size() + " claims)");
        Plan published = article.asPublished();
        double seconds = 0;
        console.println("  as published, with " + published.generator() + ", one run each:");
        for (Plan.Load whole : published.loads()) {
            Plan.Load load = factor.apply(whole);
            console.println(
                    "    " + load.workload() + (load.variant().isEmpty() ? "" : " (" + load.variant() + ")") + ": "
                            + String.join(", ", load.arms()) + "; users "
                            + load.users().stream().map(String::valueOf).collect(Collectors.joining(", ")) + how(load));
            seconds += load.arms().size()
                    * (load.users().size() * (double) load.durationSeconds().orElse(DEFAULT_SECONDS));
        }
        seconds += AsPublished.arms(published).size() * SERVER_SECONDS;
        List<String> minutes = new ArrayList<>(List.of(minutes(seconds) + " as published"));
        double all = seconds;
        double share =
                share(limitSeconds(article.id()), seconds, treatments(article).size());
        Set<Cell> cells = new LinkedHashSet<>();
        for (Treatment treatment : treatments(article)) {
            Asked should = asked(treatment.plan(article), null, "");
            cells.addAll(should.draft.plan().cells());
            double whole = Forecast.of(should.draft.plan(), should.draft.arms(), should.options)
                    .seconds();
            double campaign = share == 0 ? whole : Math.min(whole, share);
            console.println("  as it should be, " + described(article, treatment) + ": "
                    + should.draft.plan().blocks() + " blocks of "
                    + should.draft.arms().stream().map(Arm::id).collect(Collectors.joining(", ")));
            intervals(article, should, campaign / whole).ifPresent(console::println);
            minutes.add(minutes(campaign) + " with " + treatment.plan(article).settings());
            all += campaign;
        }
        cells.forEach(cell -> console.println("    " + cell.loadName() + " with " + cell.generator()));
        console.println("  about " + minutes(all) + ": " + String.join(", ", minutes));
        console.flush();
    }

    /**
     * How many blocks the time is enough for, and how wide the intervals of two containers under the same load are then, with the
     * spread that is assumed.
     *
     * @param part of the planned blocks, as time allows
     */
    private Optional<String> intervals(Article article, Asked should, double part) {
        int planned = should.draft.plan().blocks();
        int blocks = (int) Math.max(2, Math.floor(planned * part + 1e-9));
        int arms = (int) should.draft.arms().stream()
                .filter(arm -> arm.role() != Arm.Role.REFERENCE && arm.role() != Arm.Role.CONTROL)
                .count();
        if (arms < 2) {
            return Optional.empty();
        }
        double spread = Forecast.residual(should.draft.plan(), should.options);
        return Optional.of(String.format(
                Locale.ROOT,
                "    time for about %d of %d blocks; with noise of %.1f %% intervals of ± %.1f %%",
                blocks,
                planned,
                100 * spread,
                100 * Evaluation.forecast(article, arms, blocks, spread, Settings.DEFAULTS)));
    }

    private static String minutes(double seconds) {
        return String.format(Locale.ROOT, "%.0f min", seconds / 60);
    }

    private static String described(Article article, Treatment treatment) {
        return treatment.words() + " (settings " + treatment.plan(article).settings() + ")";
    }

    /** With which settings an article is run as it should be, the article's first. */
    private List<Treatment> treatments(Article article) {
        List<Treatment> all = Arrays.stream(Treatment.values())
                .filter(one -> one.isOf(article))
                .filter(one -> only.isEmpty() || only.get() == one)
                .toList();
        return all.isEmpty() ? List.of(Treatment.EQUALISED) : all;
    }

    private static String how(Plan.Load load) {
        List<String> parts = new ArrayList<>();
        load.durationSeconds().ifPresent(number -> parts.add(number + " s"));
        load.requests().ifPresent(number -> parts.add(number + " requests"));
        if (!load.loops().isEmpty()) {
            parts.add(
                    load.loops().stream().map(String::valueOf).collect(Collectors.joining(", ")) + " requests a user");
        }
        if (load.maxPauseSeconds() > 0) {
            parts.add("pause up to " + load.maxPauseSeconds() + " s");
        }
        return parts.isEmpty() ? "" : "; " + String.join("; ", parts);
    }
}
