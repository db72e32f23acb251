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

/** Leads from a user's request to a campaign that is ready to run, new or resumed: for every command that runs one. */
public final class Preparation {
    /** Key of servlet-bench's own version among the versions. */
    public static final String OWN_VERSION = "servlet-bench";

    private final Path repository;
    private final ProfilesFolder profiles;
    private final ArmBuilds builds;
    private final Supplier<String> version;
    private final Supplier<String> commit;
    private final Consumer<String> say;
    private ServerMachine asked;
    private boolean onlyReported;
    /** Differences of two builds, a line each, by their files. */
    private final Map<List<Path>, List<String>> differences = new HashMap<>();

    /** @param version gives the version of servlet-bench; called, like commit, when a campaign starts */
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

    /** Returns the builder of applications and generators, which builds each only once. */
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
     * @param given options that override it, by name
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
        // Reports an unset variable now instead of after a build.
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

    /** Says once what differs between both jars; a jar that cannot be read so is no reason not to compare. */
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

    /** Returns the differences between the two builds of one service that are compared; none if there are not two. */
    private List<String> changed(List<Arm> arms) {
        List<Path> jars = arms.stream()
                .filter(arm -> arm.isRanked() && arm.spec().app() != null)
                .map(arm -> Path.of(arm.jar()).toAbsolutePath().normalize())
                .distinct()
                .toList();
        return jars.size() == 2 ? difference(jars.get(0), jars.get(1)) : List.of();
    }

    /** Returns the command for the same comparison, without its stopping rule. */
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

    /** Declares that nothing will run, so that other machines are not contacted. */
    public void onlyTell() {
        onlyReported = true;
    }

    /** Returns the machine on which a campaign's servers run; another machine is contacted once. */
    public ServerMachine machine(CampaignSpec spec) {
        Machines wanted = Machines.of(spec.measure());
        if (asked == null || wanted.none() || !asked.machines().equals(wanted)) {
            asked = onlyReported ? ServerMachine.unasked(spec, profiles) : ServerMachine.of(spec, profiles, say);
        }
        return asked;
    }

    /** Returns the draft; with one server after another if the machine has too little memory for a whole group at once. */
    public Planner.Draft fitting(Planner.Draft draft) {
        Optional<String> tooLittle = draft.plan().together() ? tooLittleMemoryTogether(draft) : Optional.empty();
        tooLittle.ifPresent(line -> say.accept(line + ": they run one after the other"));
        return tooLittle.isEmpty() ? draft : draft.with(draft.plan().oneAfterTheOther());
    }

    /** Returns why the servers of a group cannot all be up at once on this machine, whatever else runs on it; empty if they can. */
    public Optional<String> tooLittleMemoryTogether(Planner.Draft draft) {
        return Memory.tooLittleTogether(
                draft.arms(),
                jvmOptions(draft.procedure()),
                machine(draft.spec()).memory());
    }

    /** Returns why the servers cannot start next to the programs that run now, as an error for people; empty if they can. */
    public Optional<String> tooLittleMemory(Planner.Draft draft) {
        return tooLittleMemory(draft.procedure(), machine(draft.spec()), draft.plan(), draft.arms());
    }

    /** Returns the same for a campaign that is ready to run. */
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
     * Starts a new campaign; builds what is missing.
     *
     * @param folder folder of the campaign; made here
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
            throw new TargetException("there is a campaign in " + folder + ": nothing measured is ever overwritten");
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

    /** Returns the campaign as it would start now; builds what is missing. */
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
     * A comparison that is named on the command line.
     *
     * @param set the values of {@code --set} over it; empty: none
     */
    public record Named(String comparison, String set) {}

    /**
     * Resumes a campaign with its original options; everything that affects figures must be unchanged. A record gives no
     * consent: permissions that only a command line can give are required again.
     *
     * @param named comparison that the command names again, and the {@code --set} over it; needed if commands start arms
     * @param again options of the resuming command: those of {@link Comparison#ofCommandLine}
     * @param blocks final number of blocks; empty for the planned number
     * @param limitSeconds time limit from now on, s, 0 for none; empty for the plan's
     * @throws UsageException if fewer blocks are requested than planned, or machines other than the recorded ones are named
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

    /** Compares the recorded machines with those of the command; the way ssh reaches them affects no figure. */
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
                        : "--resume: a record names no machine and gives no consent to load one: if they are yours, name again "
                                + shown.entrySet().stream()
                                        .map(one -> one.getKey() + "=" + Text.shown(Secrets.scrubbed(one.getValue())))
                                        .collect(Collectors.joining(", "))
                                + " (--target-host, --load-hosts, or --set measure.KEY=VALUE)");
    }

    /** Shows arms and folders everywhere: the resuming command needs them. */
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
     * Returns the campaign before its values were hidden: they are read again from its comparison.
     *
     * @throws TargetException if one is missing, or has changed
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

    /** True if values that its servers or generators need are hidden. */
    private static boolean isHidden(Campaign campaign) {
        Map<String, String> options = campaign.asked();
        options.keySet().removeIf(name -> name.startsWith("env:"));
        return Secrets.isHidden(Json.MAPPER
                .valueToTree(List.of(campaign.arms(), campaign.conditions().workloads(), options))
                .toString());
    }

    /** Returns the options of the command line alone that this one gave. */
    private static Map<String, String> named(CampaignSpec spec) {
        return Comparison.ofCommandLine(spec.asked());
    }

    /** Returns what was asked for, over the defaults of that time. */
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
