package org.servletbench.bench.proof;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.stream.IntStream;
import org.servletbench.bench.campaign.Arm;
import org.servletbench.bench.campaign.ArmBuilds;
import org.servletbench.bench.campaign.BlockOrder;
import org.servletbench.bench.campaign.Campaign;
import org.servletbench.bench.campaign.CampaignFolder;
import org.servletbench.bench.campaign.CampaignRunner;
import org.servletbench.bench.campaign.CampaignStore;
import org.servletbench.bench.campaign.CampaignWatch;
import org.servletbench.bench.campaign.Cell;
import org.servletbench.bench.campaign.Invocation;
import org.servletbench.bench.campaign.Judgement;
import org.servletbench.bench.campaign.Machine;
import org.servletbench.bench.campaign.Plan;
import org.servletbench.bench.campaign.Planner;
import org.servletbench.bench.load.Generators;
import org.servletbench.bench.load.jmeter.JMeter;
import org.servletbench.bench.profile.JvmOptions;
import org.servletbench.bench.profile.Options;
import org.servletbench.bench.profile.ProfilesFolder;
import org.servletbench.bench.profile.WarmUpPlan;
import org.servletbench.bench.profile.Workload;
import org.servletbench.bench.target.Target;
import org.servletbench.bench.target.TargetException;
import org.servletbench.bench.target.TargetSpec;

/** Makes and runs the small campaigns of the experiments, with the engine that every campaign uses. */
final class ProofLab {

    /** What is varied from experiment to experiment. */
    static final class Recipe {
        final String name;
        final List<Arm> arms = new ArrayList<>();
        final Map<String, String> armOptions = new HashMap<>();
        final List<Cell> cells = new ArrayList<>();
        List<String> primary = List.of("throughput");
        int blocks = 1;
        int rounds = 1;
        double windowSeconds = 3;
        double turnSeconds;
        double warmUpSeconds = 6;
        boolean generatorWarmUp = true;

        Recipe(String name) {
            this.name = name;
        }

        Recipe cell(int tier, double rate, String generator) {
            cells.add(new Cell("hello", tier, rate, generator));
            return this;
        }

        /** An arm with options of its own for the server's JVM, one or more with blanks between. */
        Recipe arm(Arm arm, String jvmOptions) {
            arms.add(arm);
            if (!jvmOptions.isEmpty()) {
                armOptions.put(arm.id(), jvmOptions);
            }
            return this;
        }
    }

    private final Path root;
    private final Path folder;
    private final ProfilesFolder profiles;
    private final Consumer<String> say;
    private final ArmBuilds builds;

    ProofLab(Path root, Path folder, Consumer<String> say) {
        this.root = root;
        this.folder = folder;
        this.profiles = new ProfilesFolder(root.resolve("profiles"));
        this.say = say;
        this.builds = new ArmBuilds(root, say);
    }

    Path root() {
        return root;
    }

    Path folder() {
        return folder;
    }

    void say(String line) {
        say.accept(line);
    }

    /** A built arm of a profile on boot3. */
    Arm arm(String profile, String id, Arm.Role role) {
        return builds.complete(List.of(Arm.planned(id, id, role, profiles.container(profile), "boot3")))
                .get(0);
    }

    Options options(Recipe recipe) {
        Map<String, String> given = new HashMap<>();
        if (!recipe.generatorWarmUp) {
            given.put("generator.warmup", "0s");
        } else {
            given.put("generator.warmup", "9s");
        }
        return Planner.options("--", given, profiles);
    }

    /**
     * Runs a recipe as a campaign.
     *
     * @param watch is told what happens
     * @throws TargetException if the rig refuses or fails
     */
    CampaignFolder run(Recipe recipe, CampaignWatch watch) {
        Options options = options(recipe);
        Plan plan = new Plan(
                "prove",
                recipe.name.hashCode(),
                recipe.blocks,
                true,
                recipe.rounds,
                recipe.windowSeconds,
                recipe.cells.stream().allMatch(cell -> cell.tier() > 0) ? 1 : 0,
                recipe.warmUpSeconds,
                recipe.cells,
                recipe.primary,
                options.decimal("margin", 0.001, 0.5),
                options.decimal("alpha", 0.0001, 0.5),
                0,
                "equalised",
                true,
                0,
                recipe.turnSeconds);
        builds.generators(plan);
        Map<String, String> recorded = new TreeMap<>();
        options.all().forEach((name, value) -> recorded.put("option " + name, value));
        recorded.put(
                "jvm.options",
                String.join(" ", Planner.jvmOptions(options, profiles).values()));
        recipe.armOptions.forEach((arm, value) -> recorded.put(Campaign.ARM_OPTIONS + arm, value));
        Campaign campaign = new Campaign(
                Campaign.FORMAT,
                recipe.name,
                Instant.now().toString(),
                "",
                plan,
                recipe.arms,
                IntStream.rangeClosed(1, plan.blocks())
                        .mapToObj(block -> BlockOrder.of(recipe.arms, plan.seed(), block))
                        .toList(),
                Machine.facts(),
                Map.of("jdk", Runtime.version().toString()),
                recorded,
                "",
                List.of());
        Path place = folder.resolve(recipe.name);
        try {
            Files.createDirectories(place);
        } catch (IOException e) {
            throw new TargetException("cannot make the folder " + place + " (" + e.getMessage() + ")");
        }
        CampaignStore store = new CampaignStore(place);
        store.write(campaign);
        return new CampaignRunner(campaign, options, profiles, hello(), root, store, watch).run();
    }

    /** Arms that the quick preset compares, without its control. */
    int quickArms() {
        return Planner.options("--", Map.of(), profiles).names("arms").size();
    }

    /** How the quick preset warms a server up. */
    WarmUpPlan quickWarmUp() {
        Options options = Planner.options("--", Map.of(), profiles);
        return new WarmUpPlan(
                options.duration("warmup"),
                options.integer("warmup.users", 1, 10_000),
                options.duration("warmup.burst"),
                options.duration("warmup.pause"),
                options.decimal("warmup.rise.percent", 0, 100),
                options.integer("warmup.flat.bursts", 1, 100),
                options.decimal("warmup.jit.percent", 0, 10_000));
    }

    /** The workload of the quick preset. */
    List<Workload> hello() {
        return profiles.workloads().stream()
                .filter(workload -> workload.name().equals("hello"))
                .toList();
    }

    /** What a campaign of this name left in the folder. */
    Optional<CampaignFolder> found(String name) {
        Path place = folder.resolve(name);
        try {
            return Files.isRegularFile(place.resolve("campaign.json"))
                    ? Optional.of(CampaignFolder.read(place))
                    : Optional.empty();
        } catch (IOException e) {
            throw new TargetException(e.getMessage());
        }
    }

    /**
     * Runs a campaign of these arms with everything else as the quick preset has it, or goes on with it where it was left.
     *
     * @param name of its folder
     * @param arms that are up at once
     * @param armOptions options of an arm's JVMs alone, by its id
     * @param given options over those of the preset; of a campaign that goes on only {@code blocks} and {@code limit} count
     * @throws TargetException if the memory is too little for all servers at once, or the campaign fails
     */
    CampaignFolder quick(String name, List<Arm> arms, Map<String, String> armOptions, Map<String, String> given) {
        Options options = Planner.options("--", quick(given), profiles);
        Planner.Draft draft = Planner.draft(options, profiles, say);
        Optional<String> tooLittle = CampaignRunner.tooLittleMemory(
                arms,
                Planner.jvmOptions(options, profiles),
                Long.parseLong(Machine.facts().getOrDefault("memory.bytes", Long.toString(Long.MAX_VALUE))));
        if (tooLittle.isPresent()) {
            throw new TargetException(name + ": " + arms.size() + " servers must be up at once: "
                    + tooLittle.get().replaceFirst(": they run.*", "") + "; give fewer --arms");
        }
        Optional<CampaignFolder> before = found(name);
        builds.generators(draft.plan());
        CampaignStore store = new CampaignStore(folder.resolve(name));
        Campaign campaign = before.map(read -> goingOn(read, draft.plan()))
                .orElseGet(() -> campaign(name, draft.plan(), arms, armOptions, options));
        store.write(campaign);
        Options decided = new Options("--", recordedOptions(campaign), Map.of());
        try {
            return new CampaignRunner(campaign, decided, profiles, draft.workloads(), root, store, new Quiet()).run();
        } catch (TargetException e) {
            throw e.getMessage().contains("compare --resume")
                    ? new TargetException(e.getMessage()
                            .replaceFirst(
                                    "compare --resume .*",
                                    Matcher.quoteReplacement("the same prove command and --resume " + folder)))
                    : e;
        }
    }

    private static Map<String, String> quick(Map<String, String> given) {
        // Without raw logs: those of hours of load would fill a disk.
        Map<String, String> all = new HashMap<>(Map.of("plan", "quick", "keep-raw", "false"));
        all.putAll(given);
        return all;
    }

    private static Map<String, String> recordedOptions(Campaign campaign) {
        Map<String, String> values = new TreeMap<>();
        campaign.options().forEach((name, value) -> {
            if (name.startsWith("option ")) {
                values.put(name.substring("option ".length()), value);
            }
        });
        return values;
    }

    private Campaign goingOn(CampaignFolder before, Plan wanted) {
        Campaign campaign = before.campaign();
        List<Arm> now = builds.complete(campaign.arms());
        for (Arm arm : now) {
            if (!arm.sha256().equals(campaign.arm(arm.id()).sha256())) {
                throw new TargetException(
                        "the application of " + arm.id() + " in " + folder
                                + " is not the one that was measured before (its SHA-256 differs): start anew in another folder");
            }
        }
        say(campaign.id() + ": going on, " + before.completeBlocks() + " of "
                + Math.max(wanted.blocks(), campaign.order().size()) + " blocks are there");
        return campaign.goingOn(
                Math.max(wanted.blocks(), campaign.order().size()),
                before.completeBlocks(),
                wanted.limitSeconds(),
                Instant.now().truncatedTo(ChronoUnit.SECONDS));
    }

    private Campaign campaign(String name, Plan plan, List<Arm> arms, Map<String, String> armOptions, Options options) {
        Map<String, String> recorded = new TreeMap<>();
        options.all().forEach((key, value) -> recorded.put("option " + key, value));
        recorded.put(
                "jvm.options",
                String.join(" ", Planner.jvmOptions(options, profiles).values()));
        armOptions.forEach((arm, value) -> recorded.put(Campaign.ARM_OPTIONS + arm, value));
        try {
            Files.createDirectories(folder.resolve(name));
        } catch (IOException e) {
            throw new TargetException("cannot make the folder " + folder.resolve(name) + " (" + e.getMessage() + ")");
        }
        return new Campaign(
                Campaign.FORMAT,
                name,
                Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
                "",
                plan,
                arms,
                IntStream.rangeClosed(1, plan.blocks())
                        .mapToObj(block -> BlockOrder.of(arms, plan.seed(), block))
                        .toList(),
                Machine.facts(),
                Map.of("jdk", Runtime.version().toString()),
                recorded,
                "",
                List.of());
    }

    /** JMeter, laid out. */
    JMeter jmeter() {
        builds.generator(Generators.named("jmeter"));
        return JMeter.ofBuild(root.resolve("jmeter-plans"));
    }

    /** One server alone, on boot3 with the equalised settings. */
    Target server(String profile, Path place) {
        return server(profile, place, profiles.jvmOptions());
    }

    /** The same with its heap pre-touched, as in campaigns. */
    Target preTouched(String profile, Path place) {
        return server(profile, place, Planner.jvmOptions(Planner.options("--", Map.of(), profiles), profiles));
    }

    private Target server(String profile, Path place, JvmOptions jvm) {
        Arm arm = arm(profile, profile, Arm.Role.BASELINE);
        return Target.start(
                new TargetSpec(
                        Path.of(arm.jar()),
                        profiles.container(profile),
                        arm.line(),
                        arm.bootVersion(),
                        arm.containerVersion(),
                        "equalised",
                        profiles.settings("equalised"),
                        jvm,
                        OptionalInt.empty(),
                        Duration.ofSeconds(60),
                        TargetSpec.READY_PATH),
                place);
    }

    CampaignFolder run(Recipe recipe) {
        return run(recipe, new Quiet());
    }

    /** Says only what is an invocation's end. */
    class Quiet implements CampaignWatch {

        @Override
        public void say(String line) {
            say.accept("  " + line);
        }

        @Override
        public void phase(int block, String arm, String phase) {
            // Too much of it.
        }

        @Override
        public void invocation(Invocation invocation) {
            if (!invocation.measured()) {
                say.accept("  " + invocation.arm() + ": " + invocation.outcome());
            }
        }

        @Override
        public void block(int block, CampaignFolder sofar, Judgement judged) {
            say.accept("  block " + block + " done");
        }

        @Override
        public void estimate(double doneSeconds, double leftSeconds, int leftBlocks) {
            // The experiments are many and short.
        }
    }
}
