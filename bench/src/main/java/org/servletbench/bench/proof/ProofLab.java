package org.servletbench.bench.proof;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.Consumer;
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
import org.servletbench.bench.load.JMeter;
import org.servletbench.bench.profile.Options;
import org.servletbench.bench.profile.ProfilesFolder;
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
        List<Workload> hello = profiles.workloads().stream()
                .filter(workload -> workload.name().equals("hello"))
                .toList();
        return new CampaignRunner(campaign, options, profiles, hello, root, store, watch).run();
    }

    /** JMeter, laid out. */
    JMeter jmeter() {
        builds.jmeter();
        return JMeter.ofBuild(root.resolve("jmeter-plans"));
    }

    /** One server alone, on boot3 with the equalised settings. */
    Target server(String profile, Path place) {
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
                        profiles.jvmOptions(),
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
