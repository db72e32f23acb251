package org.servletbench.bench.campaign;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.servletbench.bench.comparison.ArmSpec;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.Procedure;
import org.servletbench.bench.model.ProfilesFolder;
import org.servletbench.bench.model.Secrets;
import org.servletbench.bench.model.ServerCommand;
import org.servletbench.bench.model.Sha256;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.model.ThreadingMode;
import org.servletbench.bench.model.Threads;
import org.servletbench.bench.model.Workload;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.Campaign;
import org.servletbench.bench.record.ServerRun;
import org.servletbench.bench.record.WarmStart;
import org.servletbench.bench.server.Target;
import org.servletbench.bench.server.process.Jdk;
import org.servletbench.bench.server.process.TargetSpec;

/** Starts the servers of a campaign with the right JDK, jar, options and settings. */
final class ServerLauncher implements Session.Servers {

    private final Prepared prepared;
    private final Campaign campaign;
    private final Path repository;
    private final Procedure procedure;
    private final ProfilesFolder profiles;
    private final List<Workload> workloads;
    private final List<Jdk> jdks;
    private final Map<WarmStart, ClassArchives> archives = new EnumMap<>(WarmStart.class);

    /** @throws TargetException if the JDK is not the one with which the campaign started */
    ServerLauncher(Prepared prepared) {
        this.prepared = prepared;
        campaign = prepared.campaign();
        repository = prepared.repository();
        procedure = prepared.procedure();
        profiles = prepared.profiles();
        workloads = prepared.workloads();
        jdks = prepared.machine().jdks();
        requireSame(campaign.versions(), Jdk.versions(jdks));
        for (WarmStart way : WarmStart.of(campaign)) {
            way.archive()
                    .ifPresent(kind -> archives.put(
                            way,
                            new ClassArchives(
                                    repository.resolve("bench/target/archives"),
                                    campaign.plan().seed(),
                                    new ClassArchives.Training(
                                            kind,
                                            way.archives(procedure.archives()),
                                            way.training(procedure.archives()),
                                            Session.warmUpPlan(campaign.plan(), procedure),
                                            workloads))));
        }
    }

    /** Checks that a resumed campaign runs on the JDKs it recorded. */
    static void requireSame(Map<String, String> then, Map<String, String> now) {
        boolean others = then.keySet().stream()
                .filter(name -> name.startsWith("jdk@"))
                .anyMatch(name -> !then.get(name).equals(now.get(name)));
        if (then.containsKey("jdk.home") && (others || !now.get("jdk").equals(then.get("jdk")))) {
            throw TargetException.refusal(
                    TargetException.Refusal.START,
                    "the campaign began on " + then.get("jdk") + " (" + then.get("jdk.home")
                            + ") and would go on with " + now.get("jdk") + " (" + now.get("jdk.home")
                            + "): run it on that JDK, or start a new campaign");
        }
    }

    /** Trains the class archives of arms that have them. */
    void prepare(Consumer<String> say) {
        campaign.arms()
                .forEach(arm -> archives(arm).ifPresent(own -> own.prepare(arm, plain(arm, Optional.empty()), say)));
    }

    /**
     * Checks that a resumed campaign uses the archives it began with. Each training samples other profiles, and a seed
     * assigns the archives of an arm to blocks.
     *
     * @throws TargetException if an archive with which a server was measured is missing or has changed
     */
    void requireSameArchives(List<ServerRun> before) {
        campaign.arms().forEach(arm -> archives(arm)
                .ifPresent(own -> own.requireSame(arm, plain(arm, Optional.empty()), before)));
    }

    private Optional<ClassArchives> archives(Arm arm) {
        return arm.role() == Arm.Role.REFERENCE ? Optional.empty() : Optional.ofNullable(archives.get(arm.warmStart()));
    }

    @Override
    public Target start(Hosting hosting, Arm arm, int block, Path folder) {
        if (arm.role() == Arm.Role.REFERENCE) {
            return Target.reference(repository, folder, campaign.hasCpuLimits());
        }
        requireSameJar(arm);
        TargetSpec plain = plain(arm, hosting.collector(arm));
        return hosting.start(
                archives(arm).map(own -> plain.with(own.of(arm, block))).orElse(plain), folder);
    }

    /**
     * Checks that the jar, or the files of a command, are unchanged. A rebuild during the campaign would mix two
     * applications in one verdict.
     */
    static void requireSameJar(Arm arm) {
        try {
            Optional<ServerCommand> command = arm.spec().serverCommand();
            String now =
                    command.isPresent() ? CommandArms.build(command.get()).sha256() : Sha256.of(Path.of(arm.jar()));
            if (!now.equals(arm.sha256())) {
                throw TargetException.refusal(
                        TargetException.Refusal.START,
                        command.isPresent()
                                ? "arms." + arm.id() + ": a file that its command names has changed since the campaign"
                                        + " began: compare copies that stay"
                                : arm.jar()
                                        + " is not the one with which the campaign began: it was built again; compare a copy"
                                        + " of it that stays");
            }
        } catch (IOException e) {
            throw new TargetException("cannot read " + arm.jar() + " (" + e.getMessage() + ")");
        }
    }

    /** @param collector address to which the server exports; empty if it does not export */
    private TargetSpec plain(Arm arm, Optional<URI> collector) {
        boolean own = arm.line().isEmpty();
        ArmSpec asked =
                collector.map(to -> arm.spec().exportingTo(to.toString())).orElse(arm.spec());
        ArmSpec spec = Secrets.resolved(asked, ArmSpec.class);
        String settings = spec.settings() == null ? campaign.plan().settings() : spec.settings();
        return new TargetSpec(
                new TargetSpec.Application(
                        Path.of(arm.jar()),
                        own
                                ? ArmList.profile(profiles, arm.profile(), "", arm.spec())
                                : profiles.container(arm.profile()),
                        own ? TargetSpec.OWN : arm.line(),
                        arm.bootVersion(),
                        arm.containerVersion(),
                        Optional.empty()),
                new TargetSpec.Start(
                        ArmList.jdk(arm, procedure, jdks),
                        asked.jvmOptions(procedure.start().jvm()).each(Secrets::resolved),
                        spec.command().isEmpty() ? settings : "of its command",
                        ServiceArms.settings(
                                profiles.settings(settings),
                                spec,
                                prepared.store().folder().resolve("settings"),
                                arm.id()),
                        arguments(arm.id(), spec, own),
                        campaign.hasCpuLimits(),
                        collector),
                new TargetSpec.Endpoint(
                        address(spec, campaign.arms().indexOf(arm)),
                        OptionalInt.empty(),
                        procedure.start().timeout(),
                        spec.ready() != null ? spec.ready() : own ? readyPath() : TargetSpec.READY_PATH),
                (own ? ThreadingMode.USUAL : serving(arm)).over(spec.speaks()),
                spec);
    }

    /** Returns a loopback address for one server only; the shared one if a command does not take the address. */
    private static String address(ArmSpec spec, int number) {
        boolean taken = spec.command().isEmpty()
                || Stream.concat(spec.command().stream(), spec.env().values().stream())
                        .anyMatch(text -> text.contains(ServerCommand.ADDRESS));
        return taken ? TargetSpec.loopback(number) : TargetSpec.LOOPBACK;
    }

    /** Returns the path whose answer shows that a service is ready: that of the first plain request. */
    private String readyPath() {
        return workloads.stream()
                .flatMap(one -> one.parts().stream())
                .filter(one -> one.sending().plain())
                .map(Workload::path)
                .findFirst()
                .orElse(TargetSpec.ANY_PATH);
    }

    /** Returns the application's arguments. An arm's properties come before those of its settings set. */
    private List<String> arguments(String arm, ArmSpec spec, boolean own) {
        return Stream.concat(
                        own
                                ? ServiceArms.arguments(spec).stream()
                                : TargetSpec.database(procedure.start().database()).stream()
                                        .map(Secrets::resolved),
                        spec.properties().entrySet().stream()
                                .map(one -> "--" + one.getKey() + "="
                                        + one.getValue().replace(ServiceArms.ARM, arm)))
                .toList();
    }

    private ThreadingMode serving(Arm arm) {
        List<Threads> all = campaign.arms().stream().map(Arm::threads).toList();
        int users =
                campaign.plan().loads().stream().mapToInt(this::atOnce).max().orElse(0);
        return campaign.plan().isStartUp()
                ? ThreadingMode.ofStarts(arm.threads(), all)
                : ThreadingMode.of(arm.threads(), all, workloads, users);
    }

    /**
     * Returns how many requests of a load may be in flight: at a fixed rate, twice the number that its handler's wait
     * explains.
     */
    private int atOnce(MeasuredLoad load) {
        if (campaign.plan().isCapacity()) {
            return procedure.requiredSearch().users();
        }
        long waitMs = workloads.stream()
                .filter(workload -> workload.name().equals(load.workload()))
                .mapToLong(Workload::waitMs)
                .max()
                .orElse(0);
        // A fixed rate continues even when a server falls behind.
        int queued = load.rate() > 0 ? ThreadingMode.USUAL_POOL : 0;
        return Math.max(Math.max(load.users(), queued), (int) Math.ceil(2 * load.rate() * waitMs / 1000));
    }
}
