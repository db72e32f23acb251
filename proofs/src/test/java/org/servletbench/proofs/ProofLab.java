package org.servletbench.proofs;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.servletbench.bench.campaign.CampaignWatch;
import org.servletbench.bench.campaign.Planner;
import org.servletbench.bench.campaign.Preparation;
import org.servletbench.bench.campaign.Prepared;
import org.servletbench.bench.comparison.ArmSpec;
import org.servletbench.bench.comparison.CampaignSpec;
import org.servletbench.bench.comparison.ClaimList;
import org.servletbench.bench.comparison.Comparison;
import org.servletbench.bench.load.Generators;
import org.servletbench.bench.load.jmeter.JMeter;
import org.servletbench.bench.load.jmeter.JMeterGenerator;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.model.JvmOptions;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.ProfilesFolder;
import org.servletbench.bench.model.Share;
import org.servletbench.bench.model.Shares;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.model.ThreadingMode;
import org.servletbench.bench.model.Workload;
import org.servletbench.bench.record.Analysis;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.record.Plan;
import org.servletbench.bench.record.ServerRun;
import org.servletbench.bench.server.Target;
import org.servletbench.bench.server.process.Jdk;
import org.servletbench.bench.server.process.MavenBuild;
import org.servletbench.bench.server.process.TargetSpec;
import org.servletbench.bench.verdict.Baseline;

/** Creates and runs the small campaigns of the experiments, with the engine that runs all campaigns. */
final class ProofLab {

    static final class Recipe {
        final String name;
        final List<Arm> arms = new ArrayList<>();
        final List<MeasuredLoad> loads = new ArrayList<>();
        List<String> primary = List.of("throughput");
        int blocks = 1;
        int rounds = 1;
        double windowSeconds = 3;
        double timeSliceSeconds;
        double warmUpSeconds = 6;
        boolean generatorWarmUp = true;

        Recipe(String name) {
            this.name = name;
        }

        Recipe load(int users, double rate, String generator) {
            loads.add(new MeasuredLoad("hello", users, rate, generator));
            return this;
        }

        /** Adds an arm with additional JVM options for its server, separated by blanks. */
        Recipe arm(Arm arm, String jvmOptions) {
            arms.add(withOptions(arm, jvmOptions));
            return this;
        }
    }

    private static final Pattern BOOT = Pattern.compile("<boot3.version>([^<]+)<");

    private static Arm withOptions(Arm arm, String options) {
        return options.isEmpty() ? arm : arm.with(arm.spec().withJvm(List.of(options.split(" +"))));
    }

    private final Preparation preparation;
    private final ProfilesFolder profiles;
    private final Path folder;

    ProofLab(Preparation preparation, Path folder) {
        this.preparation = preparation;
        this.profiles = preparation.profiles();
        this.folder = folder;
    }

    Path folder() {
        return folder;
    }

    void say(String line) {
        preparation.say(line);
    }

    Path repository() {
        return preparation.repository();
    }

    /** Builds the JPA service that the tests use. */
    Path shop() {
        Path root = repository();
        try {
            Matcher version = BOOT.matcher(Files.readString(root.resolve("pom.xml")));
            if (!version.find()) {
                throw new TargetException("no version of Spring Boot in " + root.resolve("pom.xml"));
            }
            Path target = folder().resolve("shop");
            Path jar = target.resolve("shop.jar");
            if (!Files.isRegularFile(jar)) {
                say("building the service");
                MavenBuild.run(
                        root.resolve("bench/src/test/services/shop/pom.xml"),
                        List.of("-Dboot.version=" + version.group(1), "-Dservice.target=" + target, "package"));
            }
            return jar;
        } catch (IOException e) {
            throw new TargetException("shop: " + e.getMessage());
        }
    }

    /**
     * Runs or resumes a comparison, and judges it.
     *
     * @param content content of its file
     * @param given options that override it
     */
    Analysis judged(String name, String content, Map<String, String> given) {
        try {
            Path file = Files.writeString(folder.resolve(name + ".yaml"), content);
            CampaignFolder read = comparison(name, file, given);
            return Analysis.of(read.campaign(), read.serverRuns());
        } catch (IOException e) {
            throw new TargetException("cannot write in " + folder + " (" + e.getMessage() + ")");
        }
    }

    /** Returns a built arm with this profile on boot3. */
    Arm arm(String profile, String id, Arm.Role role) {
        return preparation
                .builds()
                .complete(List.of(Arm.planned(id, id, role, profiles.container(profile), "boot3")))
                .get(0);
    }

    /**
     * Runs a recipe as a campaign.
     *
     * @throws TargetException if servlet-bench refuses or fails
     */
    CampaignFolder run(Recipe recipe, CampaignWatch watch) {
        CampaignSpec spec = CampaignSpec.of(Map.of("generator.warmup", recipe.generatorWarmUp ? "9s" : "0s"), profiles);
        Plan plan = new Plan(
                new Plan.Subject("proofs", "", ClaimList.NONE),
                new Plan.Design(recipe.name.hashCode(), recipe.blocks, true, 0),
                new Plan.Windows(
                        recipe.rounds,
                        recipe.windowSeconds,
                        recipe.loads.stream().allMatch(load -> load.users() > 0) ? 1 : 0,
                        recipe.warmUpSeconds,
                        recipe.timeSliceSeconds),
                recipe.loads,
                new Plan.Rule(
                        recipe.primary,
                        Map.of(),
                        spec.judged().margin().shares("margin", Share.USUAL_MARGIN),
                        spec.judged().alpha(),
                        Shares.of(0),
                        Baseline.BOTH_COPIES),
                "equalised",
                true);
        Planner.Draft draft =
                new Planner.Draft(spec, Planner.procedure(spec, profiles), plan, recipe.arms, hello(), "");
        return run(recipe.name, draft, watch, "");
    }

    /** Starts a new campaign, or resumes the one in its folder. */
    private CampaignFolder run(String name, Planner.Draft draft, CampaignWatch watch, String goOn) {
        Path place = folder.resolve(name);
        Prepared ready = found(name)
                .map(before -> goingOn(before, place, draft.plan()))
                .orElseGet(() -> preparation.begin(draft, name, place));
        return ready.run(watch, goOn);
    }

    private Prepared goingOn(CampaignFolder before, Path place, Plan wanted) {
        int blocks = Math.max(wanted.blocks(), before.campaign().order().size());
        say(before.campaign().id() + ": going on, " + before.completeBlocks() + " of " + blocks + " blocks are there");
        return preparation.goOn(
                before, place, Optional.empty(), Map.of(), Optional.of(blocks), Optional.of(wanted.limitSeconds()));
    }

    /** Returns the number of arms of the default comparison, without the A/A copy. */
    int quickArms() {
        return Comparison.read(repository(), Comparison.USUAL, Map.of(), profiles)
                .arms()
                .size();
    }

    CampaignSpec usual() {
        return CampaignSpec.of(Map.of(), profiles);
    }

    List<Workload> hello() {
        return profiles.workloads().stream()
                .filter(workload -> workload.name().equals("hello"))
                .toList();
    }

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
     * Runs or resumes a campaign of these arms, otherwise with the quick preset.
     *
     * @param armOptions additional JVM options by the id of the arm
     * @param given options that override the preset; for a resumed campaign only {@code blocks} and {@code limit} count
     * @throws TargetException if memory does not suffice for all servers at once, or the campaign fails
     */
    CampaignFolder quick(String name, List<Arm> arms, Map<String, String> armOptions, Map<String, String> given) {
        return quick(name, arms, armOptions, given, UnaryOperator.identity());
    }

    /**
     * Runs or resumes a campaign with the quick preset.
     *
     * @param watch receives its progress
     */
    CampaignFolder quick(
            String name,
            List<Arm> arms,
            Map<String, String> armOptions,
            Map<String, String> given,
            CampaignWatch watch) {
        return quick(name, arms, armOptions, given, UnaryOperator.identity(), watch);
    }

    /**
     * Runs or resumes a campaign with the quick preset.
     *
     * @param loads changes the loads of the preset
     */
    CampaignFolder quick(
            String name,
            List<Arm> arms,
            Map<String, String> armOptions,
            Map<String, String> given,
            UnaryOperator<List<MeasuredLoad>> loads) {
        return quick(name, arms, armOptions, given, loads, new Quiet());
    }

    private CampaignFolder quick(
            String name,
            List<Arm> arms,
            Map<String, String> armOptions,
            Map<String, String> given,
            UnaryOperator<List<MeasuredLoad>> loads,
            CampaignWatch watch) {
        // No raw logs: hours of load would fill a disk with them.
        Map<String, String> all = new HashMap<>(Map.of("keep-raw", "false"));
        all.putAll(given);
        Planner.Draft preset = preparation
                .draft(Optional.of(Comparison.USUAL), all)
                .with(arms.stream()
                        .map(arm -> withOptions(arm, armOptions.getOrDefault(arm.id(), "")))
                        .toList());
        Plan plan = preset.plan();
        Planner.Draft draft = preset.with(plan.with(loads.apply(plan.loads())));
        preparation.tooLittleMemoryTogether(draft).ifPresent(line -> {
            throw new TargetException(
                    name + ": " + arms.size() + " servers must be up at once: " + line + "; give fewer -Dproofs.arms");
        });
        return run(name, draft, watch, "the same command and -Dproofs.folder=" + folder);
    }

    /**
     * Runs or resumes the comparison of a file.
     *
     * @param given options that override it; for a resumed campaign only {@code blocks} and {@code limit} count
     */
    CampaignFolder comparison(String name, Path file, Map<String, String> given) {
        Map<String, String> all = new HashMap<>(Map.of("keep-raw", "false"));
        all.putAll(given);
        Planner.Draft draft = preparation.draft(Optional.of(file.toString()), all);
        return run(name, draft, new Quiet(), "the same command and -Dproofs.folder=" + folder);
    }

    /** Returns the plan of a comparison with these options, without running it. */
    Plan plan(String named, Map<String, String> given) {
        return Planner.draft(Comparison.read(repository(), named, given, profiles), profiles, this::say)
                .plan();
    }

    JMeter jmeter() {
        preparation.builds().generator(Generators.named(JMeterGenerator.NAME));
        return JMeter.ofBuild(preparation.repository().resolve("jmeter-plans"));
    }

    /** Starts a single server, on boot3 with the equalised settings. */
    Target server(String profile, Path place) {
        return server(profile, place, profiles.jvmOptions());
    }

    /** Starts a server with its heap pre-touched, as in campaigns. */
    Target preTouched(String profile, Path place) {
        return server(
                profile, place, Planner.procedure(usual(), profiles).start().jvm());
    }

    private Target server(String profile, Path place, JvmOptions jvm) {
        Arm arm = arm(profile, profile, Arm.Role.BASELINE);
        return Target.start(
                new TargetSpec(
                        new TargetSpec.Application(
                                Path.of(arm.jar()),
                                profiles.container(profile),
                                arm.line(),
                                arm.bootVersion(),
                                arm.containerVersion(),
                                Optional.empty()),
                        new TargetSpec.Start(Jdk.own(), jvm, "equalised", profiles.settings("equalised"), List.of()),
                        new TargetSpec.Endpoint(
                                TargetSpec.LOOPBACK,
                                OptionalInt.empty(),
                                Duration.ofSeconds(60),
                                TargetSpec.READY_PATH),
                        ThreadingMode.USUAL,
                        ArmSpec.USUAL),
                place);
    }

    /** Returns a folder that does not exist yet, because an interrupted run leaves its folder behind. */
    static Path free(Path folder, String name) {
        return IntStream.iterate(1, i -> i + 1)
                .mapToObj(i -> folder.resolve(name + "-" + i))
                .filter(path -> !Files.exists(path))
                .findFirst()
                .orElseThrow();
    }

    /** Returns a running server of a campaign. */
    static Optional<ProcessHandle> server(Path campaign) throws IOException {
        return server(campaign, "");
    }

    /**
     * Returns the running server of an arm.
     *
     * @param folder folder of a campaign or a block
     */
    static Optional<ProcessHandle> server(Path folder, String arm) throws IOException {
        return running(folder, arm)
                .flatMap(json -> ProcessHandle.of(json.get("pid").asLong()));
    }

    /**
     * Returns the record of the running server of an arm.
     *
     * @param folder folder of a campaign or a block
     */
    static Optional<JsonNode> running(Path folder, String arm) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(one -> one.endsWith("server.json")
                            && one.getParent().getFileName().toString().endsWith(arm))
                    .toList()) {
                JsonNode json = Json.MAPPER.readTree(file.toFile());
                if (json.has("pid")
                        && !json.has("ended")
                        && ProcessHandle.of(json.get("pid").asLong()).isPresent()) {
                    return Optional.of(json);
                }
            }
        }
        return Optional.empty();
    }

    CampaignFolder run(Recipe recipe) {
        return run(recipe, new Quiet());
    }

    /** Reports progress briefly: of server runs only those that were not measured. */
    class Quiet implements CampaignWatch {

        @Override
        public void say(String line) {
            preparation.say("  " + line);
        }

        @Override
        public void serverRun(ServerRun serverRun) {
            if (!serverRun.measured()) {
                preparation.say("  " + serverRun.arm() + ": " + serverRun.outcome());
            }
        }

        @Override
        public void block(int block, CampaignFolder sofar, Analysis judged) {
            preparation.say("  block " + block + " done");
        }
    }
}
