package org.servletbench.bench.campaign;

import static org.servletbench.bench.model.Text.text;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.servletbench.bench.comparison.CampaignSpec;
import org.servletbench.bench.comparison.Comparison;
import org.servletbench.bench.host.Machines;
import org.servletbench.bench.load.Generators;
import org.servletbench.bench.load.gatling.Gatling;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.model.JvmOptions;
import org.servletbench.bench.model.LocalJar;
import org.servletbench.bench.model.OwnCommand;
import org.servletbench.bench.model.Procedure;
import org.servletbench.bench.model.ProfilesFolder;
import org.servletbench.bench.model.SafeFiles;
import org.servletbench.bench.model.Secrets;
import org.servletbench.bench.model.Sha256;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.model.Text;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.model.Workload;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.Campaign;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.record.CampaignStore;
import org.servletbench.bench.record.Conditions;
import org.servletbench.bench.record.Plan;
import org.servletbench.bench.server.exchange.ContainerSwap;
import org.servletbench.bench.server.exchange.JarDifference;
import org.servletbench.bench.server.exchange.ServiceJar;
import org.servletbench.bench.server.http.Tls;
import org.servletbench.bench.server.process.Jdk;
import org.servletbench.bench.server.process.MavenBuild;
import org.servletbench.bench.verdict.Allocation;

/**
 * Turns a user's request into a campaign that is ready to run, a new or a resumed one. All commands with campaigns use
 * it.
 */
public final class Preparation {
    /** Name of servlet-bench among the versions. */
    public static final String OWN_VERSION = "servlet-bench";

    private final Path repository;
    private final ProfilesFolder profiles;
    private final ArmBuilds builds;
    private final Supplier<String> version;
    private final Supplier<String> commit;
    private final Consumer<String> say;
    private ServerMachine asked;
    private boolean onlyReported;
    /** Differences between two builds, one line each, by their files. */
    private final Map<List<Path>, List<String>> differences = new HashMap<>();

    /** @param version returns the version of servlet-bench; called, like commit, when a campaign starts */
    public Preparation(Path repository, Supplier<String> version, Supplier<String> commit, Consumer<String> say) {
        this.repository = repository;
        this.profiles = new ProfilesFolder(repository.resolve("profiles"));
        this.builds = new ArmBuilds(repository, say);
        this.version = version;
        this.commit = commit;
        this.say = say;
    }

    /** Returns the root of the repository. */
    public Path repository() {
        return repository;
    }

    /** Returns the repository's profiles. */
    public ProfilesFolder profiles() {
        return profiles;
    }

    /** Returns the builder of applications and generators, which builds each of them only once. */
    public ArmBuilds builds() {
        return builds;
    }

    /** Reports a line for people. */
    public void say(String line) {
        say.accept(line);
    }

    /**
     * Drafts a comparison's campaign, as far as it is known before anything is built.
     *
     * @param named a comparison that ships, or a file; empty for the default one, or that of the given {@code app}
     * @param given options that override its values, by name
     * @throws UsageException if a value is not understood, or nothing is left to compare
     */
    public Planner.Draft draft(Optional<String> named, Map<String, String> given) {
        boolean service = given.containsKey("app");
        boolean two = service && apps(given).size() > 1;
        boolean ownRequests = two && named.isPresent();
        if (service != given.containsKey("url") && !ownRequests) {
            throw new UsageException("--app and --url belong together: --app shop.jar --url /api/owners");
        }
        String file = named.orElse(two ? Comparison.TWO_BUILDS : Comparison.USUAL);
        Map<String, String> over = new LinkedHashMap<>(given);
        boolean shows = over.remove(Secrets.OPTION) != null;
        Secrets.showAll(shows);
        Comparison read = two
                ? ofTwo(file, over)
                : service
                        ? named.map(own -> ofOne(own, over)).orElseGet(() -> ofService(over))
                        : Comparison.read(repository, file, over, profiles);
        Comparison comparison = ServiceArms.speaking(shows ? read.showingValues() : read);
        ServerMachine machine = machine(comparison.spec());
        Planner.Draft draft = Planner.draft(comparison, profiles, machine, say)
                .of(command(service ? named.stream().toList() : List.of(file), given));
        ServiceArms.requirePossible(draft, machine.jdks());
        builds.requireBuildable(draft.arms(), draft.plan(), MavenBuild.isThere());
        // This reports an unset variable now instead of after a build.
        Secrets.ofEnvironment(
                List.of(draft.arms(), draft.workloads(), draft.spec().texts().all()));
        Map<String, List<String>> said = new LinkedHashMap<>();
        ServiceArms.words(draft, profiles, System.getenv())
                .forEach((arm, words) ->
                        said.computeIfAbsent(words, any -> new ArrayList<>()).add(arm));
        said.forEach((words, arms) -> say.accept(String.join(", ", arms) + ": " + words));
        return draft;
    }

    private static List<String> apps(Map<String, String> given) {
        return List.of(given.get("app").split("\n"));
    }

    private Path jar(String app) {
        return Stream.of(Path.of(""), repository)
                .map(folder -> folder.resolve(app).toAbsolutePath().normalize())
                .filter(Files::isRegularFile)
                .findFirst()
                .orElseThrow(() -> new UsageException("--app: there is no file " + app));
    }

    private static Map<String, String> withoutService(Map<String, String> given) {
        Map<String, String> over = new LinkedHashMap<>(given);
        over.keySet().removeAll(List.of("app", "url"));
        return over;
    }

    private Comparison ofService(Map<String, String> given) {
        Path jar = jar(given.get("app"));
        List<String> containers = ContainerSwap.containers(jar);
        if (!given.containsKey("arms") && containers.size() > 1) {
            ServiceJar.read(jar, jar.getParent(), List.of()).leftOut().forEach(this::say);
        }
        return Comparison.ofService(repository, jar, given.get("url"), containers, withoutService(given), profiles);
    }

    private Comparison ofOne(String named, Map<String, String> given) {
        return Comparison.ofOne(
                repository, named, () -> jar(given.get("app")), given.get("url"), withoutService(given), profiles);
    }

    private Comparison ofTwo(String named, Map<String, String> given) {
        List<Path> jars = apps(given).stream().map(this::jar).toList();
        if (jars.size() > 2) {
            throw new UsageException("--app: give one jar, or two: the one before a change and the one after it");
        }
        try {
            if (Sha256.of(jars.get(0)).equals(Sha256.of(jars.get(1)))) {
                say.accept("note: " + String.join(" and ", Comparison.names(jars.get(0), jars.get(1)))
                        + " are equal (SHA-256): any difference that is found is a false alarm");
            } else {
                difference(jars.get(0), jars.get(1));
            }
        } catch (IOException e) {
            throw new UsageException("--app: cannot be read (" + e.getMessage() + ")");
        }
        return Comparison.ofTwo(
                repository, named, jars, Optional.ofNullable(given.get("url")), withoutService(given), profiles);
    }

    /** Prints once what differs between two jars. Jars whose differences cannot be read can still be compared. */
    private List<String> difference(Path before, Path after) {
        return differences.computeIfAbsent(List.of(before, after), both -> {
            try {
                JarDifference difference = JarDifference.between(before, after);
                say.accept("changed: " + difference.words() + " (all: " + OwnCommand.NAME + " diff " + before + " "
                        + after + ")");
                return difference.lines().stream()
                        .map(line -> line.about().strip() + ": " + line.what())
                        .toList();
            } catch (UsageException e) {
                say.accept("note: what changed is unknown: " + e.getMessage());
                return List.of();
            }
        });
    }

    /** Returns the differences between two builds of one service; empty unless exactly two are compared. */
    private List<String> changed(List<Arm> arms) {
        List<Path> jars = arms.stream()
                .filter(arm -> arm.isRanked() && arm.spec().app() != null)
                .map(arm -> Path.of(arm.jar()).toAbsolutePath().normalize())
                .distinct()
                .toList();
        return jars.size() == 2 ? difference(jars.get(0), jars.get(1)) : List.of();
    }

    /** Returns the command that requests the same comparison, without its stopping rule. */
    private static String command(List<String> named, Map<String, String> given) {
        List<String> words = new ArrayList<>(List.of("compare"));
        words.addAll(named);
        given.forEach((name, value) -> {
            if (name.equals("set")) {
                Stream.of(value.split("[;\n]"))
                        .filter(set -> !set.strip().startsWith("stop."))
                        .forEach(set -> words.add("--set=" + set));
            } else if (name.equals("app")) {
                Stream.of(value.split("\n")).forEach(app -> words.add("--app=" + app));
            } else if (name.equals(Secrets.OPTION)) {
                words.add("--show-values");
            } else if (!List.of("blocks", "limit", "precision", "seed").contains(name)) {
                words.add("--" + name + "=" + value);
            }
        });
        return words.stream().map(Text::quoted).collect(Collectors.joining(" "));
    }

    /** Declares that nothing will run. Other machines are then not contacted. */
    public void onlyTell() {
        onlyReported = true;
    }

    /** Returns the machine on which a campaign's servers run. Another machine is contacted only once. */
    public ServerMachine machine(CampaignSpec spec) {
        Machines wanted = Machines.of(spec.measure());
        if (asked == null || wanted.none() || !asked.machines().equals(wanted)) {
            asked = onlyReported ? ServerMachine.unasked(spec, profiles) : ServerMachine.of(spec, profiles, say);
        }
        return asked;
    }

    /**
     * Returns the draft, changed to one server after another if a whole group does not fit into the machine's memory.
     */
    public Planner.Draft fitting(Planner.Draft draft) {
        Optional<String> tooLittle = draft.plan().together() ? tooLittleMemoryTogether(draft) : Optional.empty();
        tooLittle.ifPresent(line -> say.accept(line + ": they run one after the other"));
        return tooLittle.isEmpty() ? draft : draft.with(draft.plan().oneAfterTheOther());
    }

    /**
     * Returns why the servers of a group cannot all be up at once on this machine, even if nothing else runs; empty if
     * they can.
     */
    public Optional<String> tooLittleMemoryTogether(Planner.Draft draft) {
        return Memory.tooLittleTogether(
                draft.arms(),
                jvmOptions(draft.procedure()),
                machine(draft.spec()).memory());
    }

    /** Returns an error if the memory that is now unused is too small for the servers; empty if it suffices. */
    public Optional<String> tooLittleMemory(Planner.Draft draft) {
        return tooLittleMemory(draft.procedure(), machine(draft.spec()), draft.plan(), draft.arms());
    }

    /** Returns an error if the memory that is now unused is too small for a prepared campaign; empty if it suffices. */
    public static Optional<String> tooLittleMemory(Prepared ready) {
        return tooLittleMemory(
                ready.procedure(),
                ready.machine(),
                ready.campaign().plan(),
                ready.campaign().arms());
    }

    private static Optional<String> tooLittleMemory(
            Procedure procedure, ServerMachine machine, Plan plan, List<Arm> arms) {
        return Memory.tooLittle(arms, plan.together(), jvmOptions(procedure), machine.available());
    }

    private static Function<Arm, JvmOptions> jvmOptions(Procedure procedure) {
        return arm -> arm.spec().jvmOptions(procedure.start().jvm());
    }

    /**
     * Creates a new campaign, and builds what is missing.
     *
     * @param folder folder of the campaign; created here
     * @throws TargetException if something cannot be built, or the folder contains a campaign
     */
    public Prepared begin(Planner.Draft draft, String id, Path folder) {
        showNames(draft.arms(), folder);
        Campaign campaign = asOfNow(draft, id, folder);
        try {
            SafeFiles.ownFolder(folder);
        } catch (IOException e) {
            throw new TargetException("cannot make the folder " + folder + " (" + e.getMessage() + ")");
        }
        CampaignStore store = new CampaignStore(folder);
        if (store.exists()) {
            throw new TargetException("there is a campaign in " + folder + ": measurements are never overwritten");
        }
        return new Prepared(
                campaign,
                draft.procedure(),
                named(draft.spec()),
                resolved(draft.workloads()),
                profiles,
                repository,
                store,
                machine(draft.spec()));
    }

    /** Returns the campaign as it would start now. Builds what is missing. */
    private Campaign asOfNow(Planner.Draft draft, String id, Path folder) {
        Plan plan = draft.plan();
        ServerMachine machine = machine(draft.spec());
        machine.requireFileHandles(plan.loads(), plan.together() ? draft.mostTogether() : 1);
        draft.arms().stream()
                .flatMap(arm -> Stream.ofNullable(arm.spec().agent()))
                .forEach(agent -> LocalJar.parse(agent).requireThere());
        List<Arm> arms = builds.complete(draft.arms(), draft.with());
        builds.generators(plan);
        Map<String, String> versions = versions(plan, machine.jdks());
        draft.workloads().stream()
                .filter(Workload::isSimulation)
                .map(one -> Gatling.requireSimulation(repository, one.simulation()))
                .forEach(sha256 -> versions.put(Campaign.SIMULATIONS, sha256));
        return new Campaign(
                Campaign.FORMAT,
                new Campaign.Origin(
                        id, Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(), commit.get()),
                plan,
                arms,
                draft.with(arms).order(),
                new Campaign.Surroundings(
                        machine.facts(), versions, conditions(draft, arms, folder), machine.pinning()),
                List.of());
    }

    /**
     * A comparison named on the command line.
     *
     * @param set values of {@code --set} for it; empty if there are none
     */
    public record Named(String comparison, String set) {}

    /**
     * Resumes a campaign with its original options. Nothing that affects figures may have changed. What only a command
     * line can permit has to be permitted again, because a record may come from someone else.
     *
     * @param named comparison that the command names again, with its {@code --set}; needed if commands start arms
     * @param again options of the resuming command: those of {@link Comparison#ofCommandLine}
     * @param blocks final number of blocks; empty for the planned number
     * @param limitSeconds time limit from now on, s, 0 for none; empty for the plan's
     * @throws UsageException if fewer blocks are requested than planned, or machines other than the recorded ones are
     *     named
     * @throws TargetException if an application, or anything else that affects figures, has changed
     */
    public Prepared goOn(
            CampaignFolder before,
            Path folder,
            Optional<Named> named,
            Map<String, String> again,
            Optional<Integer> blocks,
            Optional<Double> limitSeconds) {
        try {
            SafeFiles.requireOnlyFiles(folder);
        } catch (IOException e) {
            throw new TargetException("the campaign cannot go on: " + e.getMessage());
        }
        Tls.sweep(folder);
        Secrets.showAll(before.campaign().showsValues());
        if (named.isPresent() && !CommandArms.any(before.campaign().arms())) {
            throw new UsageException("--resume takes its comparison from " + folder + ": leave out "
                    + named.get().comparison());
        }
        showNames(before.campaign().arms(), folder);
        Optional<Comparison> asked = named.map(one -> Comparison.read(
                repository, one.comparison(), one.set().isEmpty() ? Map.of() : Map.of("set", one.set()), profiles));
        Campaign campaign = whole(CommandArms.again(before.campaign(), asked), again);
        Secrets.learn(Map.of(
                "arms", campaign.arms(),
                "workloads", campaign.conditions().workloads(),
                "options", campaign.asked()));
        requireNamedAgain(Comparison.ofCommandLine(campaign.asked()), new TreeMap<>(again));
        CampaignSpec spec = asBegun(campaign, again);
        Procedure procedure = Planner.procedure(spec, profiles);
        List<Workload> used = campaign.conditions().workloads();
        int aim = blocks.orElse(campaign.order().size());
        Campaign longer;
        try {
            longer = campaign.goingOn(
                    aim,
                    before.completeBlocks(),
                    limitSeconds.orElse(campaign.plan().limitSeconds()),
                    Instant.now().truncatedTo(ChronoUnit.SECONDS));
        } catch (IllegalArgumentException e) {
            throw new UsageException("--blocks " + aim + ": " + e.getMessage());
        }
        Resumable.require(
                campaign,
                asOfNow(
                        new Planner.Draft(spec, procedure, campaign.plan(), campaign.arms(), used, ""),
                        campaign.id(),
                        folder),
                say);
        return new Prepared(
                longer,
                procedure,
                named(spec),
                resolved(used),
                profiles,
                repository,
                new CampaignStore(folder),
                machine(spec));
    }

    /** Checks that the command names the recorded machines. How ssh reaches them does not affect figures. */
    private static void requireNamedAgain(SortedMap<String, String> recorded, SortedMap<String, String> again) {
        SortedMap<String, String> shown = new TreeMap<>(recorded);
        shown.remove(Machines.CONFIG);
        SortedMap<String, String> named = new TreeMap<>(again);
        named.remove(Machines.CONFIG);
        if (shown.equals(named)) {
            return;
        }
        throw new UsageException(
                shown.isEmpty()
                        ? "--resume: this campaign began without " + String.join(", ", named.keySet())
                                + ": leave it out"
                        : "--resume: a record does not name machines or allow load on them: if they are yours, name again "
                                + shown.entrySet().stream()
                                        .map(one -> one.getKey() + "=" + Text.shown(Secrets.scrubbed(one.getValue())))
                                        .collect(Collectors.joining(", "))
                                + " (--target-host, --load-hosts, or --set measure.KEY=VALUE)");
    }

    /** Allows names of arms and folders in all output, because the resuming command needs them. */
    private void showNames(List<Arm> arms, Path folder) {
        Secrets.show(arms.stream().map(Arm::id).toList());
        Secrets.show(List.of(
                folder.toAbsolutePath().normalize().toString(),
                repository.toAbsolutePath().normalize().toString()));
    }

    private static List<Workload> resolved(List<Workload> workloads) {
        return workloads.stream().map(Workload::resolved).toList();
    }

    /**
     * Returns the campaign with the values that its record hides, which are read again from its comparison.
     *
     * @throws TargetException if a value is missing, or has changed
     */
    private Campaign whole(Campaign hidden, Map<String, String> again) {
        if (!isHidden(hidden)) {
            return hidden;
        }
        if (hidden.showsValues()) {
            throw new TargetException("campaign.json is damaged: it says that it shows values, and hides some");
        }
        List<String> words = Text.words(hidden.conditions().command());
        Map<String, String> given = new LinkedHashMap<>();
        words.stream().filter(word -> word.startsWith("--")).forEach(word -> {
            String[] parts = word.substring(2).split("=", 2);
            given.merge(parts[0], parts.length < 2 ? "" : parts[1], (one, other) -> one + "\n" + other);
        });
        given.keySet().removeAll(List.of(Secrets.OPTION, "show-values"));
        Optional<String> named =
                words.stream().skip(1).filter(word -> !word.startsWith("--")).findFirst();
        Secrets secrets = new Secrets();
        secrets.hidden(Map.of("options", again));
        boolean two = given.containsKey("app") && apps(given).size() > 1;
        if (two || named.isPresent()) {
            try {
                Comparison read = two
                        ? ofTwo(named.orElse(Comparison.TWO_BUILDS), given)
                        : Comparison.read(repository, named.get(), given, profiles);
                secrets.hidden(Map.of(
                        "arms",
                        read.arms(),
                        "workloads",
                        read.workloads(),
                        "options",
                        read.spec().asked()));
            } catch (UsageException e) {
                throw new TargetException("values of this campaign are not on record, and its comparison cannot be read"
                        + " again: " + e.getMessage());
            }
        }
        Campaign whole = hidden.restored(secrets.values());
        if (isHidden(whole)) {
            throw new TargetException("a value of this campaign is not on record and not, or no longer, in "
                    + named.orElse("a comparison file")
                    + ": restore it there; a value that is not in a file is written as ${env:NAME}");
        }
        return whole;
    }

    /** True if the record hides values that servers or generators need. */
    private static boolean isHidden(Campaign campaign) {
        Map<String, String> options = campaign.asked();
        options.keySet().removeIf(name -> name.startsWith("env:"));
        return Secrets.isHidden(Json.MAPPER
                .valueToTree(List.of(campaign.arms(), campaign.conditions().workloads(), options))
                .toString());
    }

    /** Returns the options that this command gave and that only a command line may give. */
    private static Map<String, String> named(CampaignSpec spec) {
        return Comparison.ofCommandLine(spec.asked());
    }

    /** Returns the options of the campaign over the defaults of the time when it began. */
    private CampaignSpec asBegun(Campaign campaign, Map<String, String> again) {
        Map<String, String> recorded = campaign.asked();
        recorded.keySet().removeAll(Comparison.ofCommandLine(recorded).keySet());
        Map<String, String> given = new TreeMap<>(recorded);
        given.keySet().retainAll(campaign.conditions().given());
        given.putAll(again);
        Map<String, String> all =
                new TreeMap<>(CampaignSpec.of(Map.of(), profiles).texts().all());
        all.putAll(recorded);
        all.putAll(given);
        return CampaignSpec.of(all, given.keySet());
    }

    /** Returns the versions of the servers' JDKs, the plan's generators and servlet-bench. */
    public Map<String, String> versions(Plan plan, List<Jdk> jdks) {
        Map<String, String> versions = new TreeMap<>(Jdk.versions(jdks));
        versions.put(OWN_VERSION, version.get());
        for (String name : plan.tools()) {
            Generators.named(name).version(repository).ifPresent(known -> versions.put(name, known));
        }
        return versions;
    }

    private static Optional<String> exchange(Arm arm) {
        try {
            return ContainerSwap.of(Path.of(arm.jar())).map(ContainerSwap.Exchange::text);
        } catch (IOException e) {
            throw new TargetException("cannot read " + arm.jar() + " (" + e.getMessage() + ")");
        }
    }

    private Conditions conditions(Planner.Draft draft, List<Arm> arms, Path folder) {
        Path root = repository.toAbsolutePath().normalize();
        Path place = folder.toAbsolutePath().normalize();
        CampaignSpec.Texts texts = draft.spec().texts();
        Map<String, String> exchanges = new TreeMap<>();
        arms.stream()
                .filter(arm -> arm.role() != Arm.Role.CONTROL && arm.spec().app() != null)
                .forEach(arm -> exchange(arm).ifPresent(text -> exchanges.put(arm.id(), text)));
        Map<String, String> inForce = new TreeMap<>(texts.all());
        inForce.putAll(Secrets.ofEnvironment(List.of(arms, draft.workloads(), texts.all())));
        return new Conditions(
                new Conditions.Asked(
                        (place.startsWith(root) ? root.relativize(place) : place).toString(),
                        draft.command(),
                        inForce,
                        texts.all().keySet().stream()
                                .filter(texts.given()::contains)
                                .toList()),
                new Conditions.Servers(
                        draft.procedure().start().jvm().values(),
                        ProfilesFolder.settingsValues(
                                profiles.settings(draft.plan().settings())),
                        draft.workloads(),
                        exchanges,
                        ServiceArms.words(draft.with(arms), profiles, Map.of()),
                        changed(arms)),
                draft.followsNoise() ? text("%.0f to %.0f s", Allocation.LEAST_LOAD, Allocation.MOST_LOAD) : "");
    }
}
