package org.servletbench.bench.campaign;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.servletbench.bench.comparison.CampaignSpec;
import org.servletbench.bench.host.Host;
import org.servletbench.bench.host.HostCheck;
import org.servletbench.bench.host.Machines;
import org.servletbench.bench.host.RemoteJvm;
import org.servletbench.bench.load.Generators;
import org.servletbench.bench.model.Capability;
import org.servletbench.bench.model.ContainerProfile.NativeLibrary;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.Procedure;
import org.servletbench.bench.model.ProfilesFolder;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.Campaign;
import org.servletbench.bench.record.WarmStart;
import org.servletbench.bench.server.os.MachineMemory;
import org.servletbench.bench.server.os.Processors;
import org.servletbench.bench.server.process.Jdk;
import org.servletbench.bench.server.process.Preflight;
import org.servletbench.bench.server.process.TargetSpec;

/**
 * The machine on which a campaign's servers run: this one, or another.
 *
 * @param jdks JDKs of the servers; at least one
 * @param facts facts of this machine, and of the other one: {@link Campaign#machine}
 * @param missing what to install, by the file of a missing native library
 * @param memory total memory, bytes
 * @param available unused memory, bytes
 * @param hosts results of the checks of all other machines
 */
public record ServerMachine(
        Machines machines,
        List<Jdk> jdks,
        Map<String, String> facts,
        Map<String, String> missing,
        long memory,
        long available,
        List<HostCheck> hosts) {

    /** Time between two checks of an unreachable machine. */
    private static final Duration LOOK = Duration.ofSeconds(1);

    /**
     * Contacts the servers' machine, and checks that every other machine can be used. Starts nothing.
     *
     * @param say receives each problem of a host, one line each
     * @throws TargetException if a host cannot be used
     */
    public static ServerMachine of(CampaignSpec spec, ProfilesFolder profiles, Consumer<String> say) {
        Machines machines = Machines.of(spec.measure());
        List<HostCheck> checks = machines.all().stream()
                .map(host -> HostCheck.of(host, machines.java()))
                .toList();
        requireUsable(checks, say);
        return of(
                profiles,
                machines,
                machines.target().isPresent() ? Optional.empty() : Optional.of(Jdk.all(spec.jdks())),
                checks);
    }

    /** Returns the machine for a plan that is only shown. No other machine is contacted; this one takes its place. */
    public static ServerMachine unasked(CampaignSpec spec, ProfilesFolder profiles) {
        return of(profiles, Machines.of(spec.measure()), Optional.of(Jdk.reportedOf(spec.jdks())), List.of());
    }

    /** @param own JDKs of servers on this machine; empty if they run on another */
    private static ServerMachine of(
            ProfilesFolder profiles, Machines machines, Optional<List<Jdk>> own, List<HostCheck> hosts) {
        List<NativeLibrary> libraries = profiles.containers().stream()
                .flatMap(name -> profiles.container(name).nativeLibrary().stream())
                .toList();
        if (own.isPresent()) {
            return new ServerMachine(
                    machines,
                    own.get(),
                    Machine.facts(),
                    missing(libraries),
                    MachineMemory.total(),
                    MachineMemory.available(),
                    hosts);
        }
        try (RemoteJvm there = RemoteJvm.connect(machines.target().get(), machines.java())) {
            Map<String, String> facts = new TreeMap<>(Machine.facts());
            facts.put(Campaign.TARGET, there.host().name());
            there.call(here -> new TreeMap<>(Machine.facts()))
                    .forEach((name, value) -> facts.put(Campaign.TARGET + "." + name, value));
            hosts.stream()
                    .filter(check -> machines.load().contains(check.host()))
                    .forEach(check -> check.hardware()
                            .forEach((name, value) ->
                                    facts.put(Campaign.LOAD_HOST + check.host().name() + "." + name, value)));
            return new ServerMachine(
                    machines,
                    List.of(there.<Jdk>call(here -> Jdk.own())),
                    facts,
                    there.call(here -> missing(libraries)),
                    there.call(here -> MachineMemory.total()),
                    there.call(here -> MachineMemory.available()),
                    hosts);
        }
    }

    private static LinkedHashMap<String, String> missing(List<NativeLibrary> libraries) {
        LinkedHashMap<String, String> missing = new LinkedHashMap<>();
        libraries.forEach(library -> TargetSpec.missing(library).ifPresent(line -> missing.put(library.file(), line)));
        return missing;
    }

    private static void requireUsable(List<HostCheck> checks, Consumer<String> say) {
        List<String> problems =
                checks.stream().flatMap(check -> check.problems().stream()).toList();
        if (problems.size() > 1) {
            problems.forEach(say);
        }
        if (!problems.isEmpty()) {
            throw new TargetException(
                    problems.size() == 1
                            ? problems.get(0)
                            : "nothing was started: hosts have " + problems.size() + " problems");
        }
    }

    /**
     * Checks that processes may open enough files. Every user needs a connection, in the generator and in the server.
     *
     * @param together number of servers to which each user of a generator with time slices connects
     * @throws TargetException if a machine allows a process fewer open files
     */
    void requireFileHandles(List<MeasuredLoad> loads, int together) {
        if (machines.load().isEmpty()) {
            Preflight.fileHandles(loads.stream()
                    .mapToInt(load -> isInterleaved(load) ? load.users() * together : load.users())
                    .max()
                    .orElse(0));
        }
        for (HostCheck host : hosts) {
            boolean isTarget = machines.target().filter(host.host()::equals).isPresent();
            int connections = loads.stream()
                    .mapToInt(load -> Math.max(generated(load, together, host.host()), isTarget ? load.users() : 0))
                    .max()
                    .orElse(0);
            Preflight.fileHandles(connections, host.mostFiles(), host.host().name());
        }
    }

    /**
     * Waits until ssh reaches every other machine, because a campaign of hours must survive a network failure of a
     * minute.
     *
     * @param limit longest wait; if a machine is still unreachable then, the next attempt will notice
     * @param say receives a line if there is something to wait for
     */
    void awaitReachable(Duration limit, Consumer<String> say) {
        long end = System.nanoTime() + limit.toNanos();
        for (Host host : machines.all()) {
            boolean said = false;
            for (HostCheck check = HostCheck.of(host, machines.java());
                    check.unreachable().isPresent() && System.nanoTime() < end;
                    check = HostCheck.of(host, machines.java())) {
                if (!said) {
                    say.accept(host.name() + " cannot be reached: waiting, at most " + limit.toSeconds() + " s");
                    said = true;
                }
                TargetException.sleep(LOOK, "waiting for other machines");
            }
        }
    }

    /** Returns the number of connections of a load host's generator. All load hosts share the users. */
    private int generated(MeasuredLoad load, int together, Host host) {
        int all = machines.load().size();
        return machines.load().contains(host) ? (load.users() * together + all - 1) / all : 0;
    }

    /**
     * True if users move from server to server and keep a connection to each. Other generators have a process for each
     * server and slice.
     */
    private static boolean isInterleaved(MeasuredLoad load) {
        return load.users() > 0 && Generators.named(load.tool()).has(Capability.INTERLEAVES);
    }

    /**
     * Rejects what servers on another machine cannot have. They run on that machine's JDK.
     *
     * @throws UsageException if something was requested that only servers on this machine can have
     */
    void requirePossible(Procedure procedure, List<Arm> arms) {
        if (machines.target().isEmpty()) {
            return;
        }
        String what = !procedure.start().jdks().isEmpty()
                ? "jdk names JDKs of this machine: set measure.host-jdk for the one there"
                : arms.stream().anyMatch(arm -> arm.warmStart() != WarmStart.NONE)
                        ? "archives of classes are trained on this machine: leave out archive"
                        : arms.stream().anyMatch(arm -> arm.role() == Arm.Role.REFERENCE)
                                ? "the reference nginx runs on this machine only: leave it out of the arms"
                                : CommandArms.any(arms)
                                        ? "a command runs on this machine only: leave its arm out"
                                        : arms.stream()
                                                        .anyMatch(arm ->
                                                                arm.spec().exports() != null)
                                                ? "the rig's collector listens on this machine only: leave out exports"
                                                : null;
        if (what != null) {
            throw new UsageException("servers run on " + machines.target().get().name() + ": " + what);
        }
    }

    /** Returns what to install for a connector's native library; empty if nothing is missing. */
    Optional<String> missing(NativeLibrary library) {
        return Optional.ofNullable(missing.get(library.file()));
    }

    /** Returns the division of processors between servers and generators; empty if there is none. */
    Optional<Processors> divided() {
        return machines.none() ? Processors.divided() : Optional.empty();
    }

    /** Returns the number of processors that a server has under load. */
    int processorsOfServers() {
        return divided().map(division -> division.server().size()).orElseGet(this::processors);
    }

    /** Returns the number of all its processors. A starting server has them all. */
    int processors() {
        return Integer.parseInt(Campaign.serverMachine(facts).get("cores"));
    }

    /** Describes the division in words. */
    public String pinning() {
        return division() + "; each server in a session of its own";
    }

    private String division() {
        return machines.none()
                ? divided()
                        .map(division ->
                                "after the warm-up: servers on processors " + Processors.list(division.server())
                                        + ", generators on " + Processors.list(division.generator()))
                        .orElse(Processors.NONE)
                : "none: servers and generators are on different machines";
    }
}
