package org.servletbench.bench.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.servletbench.bench.model.JvmOptions;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.Scheduling;
import org.servletbench.bench.model.Text;
import org.servletbench.bench.model.Workload;
import org.servletbench.bench.record.Analysis;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.Campaign;
import org.servletbench.bench.record.WarmStart;

/**
 * Conditions in which two campaigns differ and which may explain different ratios: arms, jars, JDK, options, settings,
 * machine, load. Blocks, rounds, length of load, limit, precision and the number of A/A copies that count are not
 * listed, because they only affect the width of intervals. Anything that a campaign did not record counts as different.
 */
record Differences(Analysis one, Analysis other) {

    /**
     * The only difference that is allowed in a pool. The spread of its campaigns then includes the spread between
     * machines.
     */
    static final String KIND_OF_PROCESSOR = "the kind of processor";

    /** Options that change how a load affects a server. */
    private static final List<String> OF_LOAD = List.of(
            "settling-time", "delay", "accept-encoding", "slo", "in-flight", "db.url", "load.hosts", "target.host");

    /** Warm-up options. They have no effect without a warm-up. */
    private static final List<String> OF_WARM_UP = List.of(
            "warmup",
            "warmup.users",
            "warmup.burst",
            "warmup.pause",
            "warmup.flat.bursts",
            "warmup.rise.percent",
            "warmup.backlog",
            "warmup.compiler.percent");

    /** Keys of arms that contain paths on a machine. What they lead to is compared by version or checksum. */
    private static final List<String> OF_PLACE = List.of("app", "archive", "jdk", "workdir");

    /** Returns the differences, each in a few words; empty for two campaigns of the same comparison. */
    List<String> all() {
        Campaign a = one.campaign();
        Campaign b = other.campaign();
        List<String> all = new ArrayList<>();
        add(all, "the arms", arms(a).keySet().equals(arms(b).keySet()));
        add(all, "the loads", Set.copyOf(one.loads()).equals(Set.copyOf(other.loads())));
        add(all, "the judged metrics", Set.copyOf(one.primary()).equals(Set.copyOf(other.primary())));
        ofArms(a, b).forEach((what, arms) -> all.add(what + " of " + Text.list(arms)));
        add(all, "JVM options", withoutProfiles(a).equals(withoutProfiles(b)));
        add(
                all,
                "settings",
                a.plan().settings().equals(b.plan().settings()) && a.settings().equals(b.settings()));
        add(all, KIND_OF_PROCESSOR, isSame(a.serverMachine(), b.serverMachine(), "cpu"));
        add(all, "the number of processors", isSame(a.serverMachine(), b.serverMachine(), "cores"));
        all.addAll(load(a, b));
        return all;
    }

    /** Returns the JVM options, except those for CPU profiles, which do not change anything else: see docs/proof.md. */
    private static List<String> withoutProfiles(Campaign campaign) {
        return campaign.conditions().jvmOptions().stream()
                .filter(option -> !JvmOptions.OF_PROFILES.contains(option))
                .toList();
    }

    private static void add(List<String> all, String what, boolean same) {
        if (!same) {
            all.add(what);
        }
    }

    /** Returns the differences between the arms that both campaigns have, with the arms concerned. */
    private Map<String, List<String>> ofArms(Campaign a, Campaign b) {
        Map<String, List<String>> differ = new LinkedHashMap<>();
        Map<String, Arm> before = arms(a);
        arms(b).forEach((id, is) -> {
            Arm was = before.get(id);
            if (was != null) {
                List<String> all = new ArrayList<>();
                add(all, "role", was.role() == is.role());
                add(all, "jar", isKnown(was) && was.sha256().equals(is.sha256()));
                add(all, "JDK", jdk(a, was) != null && jdk(a, was).equals(jdk(b, is)));
                was.differences(is).stream()
                        .filter(key -> !OF_PLACE.contains(key))
                        .forEach(all::add);
                add(all, "warm start", WarmStart.isSame(a, was, b, is));
                all.forEach(what ->
                        differ.computeIfAbsent(what, any -> new ArrayList<>()).add(other.name(is)));
            }
        });
        return differ;
    }

    private static boolean isKnown(Arm arm) {
        return arm.role() == Arm.Role.REFERENCE || !arm.sha256().isBlank();
    }

    private static Map<String, Arm> arms(Campaign campaign) {
        return campaign.arms().stream()
                .filter(arm -> arm.role() != Arm.Role.CONTROL)
                .collect(Collectors.toMap(Arm::id, arm -> arm, (x, y) -> x, LinkedHashMap::new));
    }

    /** Returns the differences in the loads, by option name. They change the figures of all arms. */
    private List<String> load(Campaign a, Campaign b) {
        List<String> names = new ArrayList<>();
        add(names, "slice", a.plan().timeSliceSeconds() == b.plan().timeSliceSeconds());
        add(names, "together", a.plan().together() == b.plan().together());
        Stream.concat(OF_LOAD.stream(), b.plan().isStartUp() ? Stream.empty() : OF_WARM_UP.stream())
                .forEach(name -> add(
                        names,
                        name,
                        Objects.equals(a.asked().get(name), b.asked().get(name))));
        List<MeasuredLoad> both =
                b.plan().loads().stream().filter(a.plan().loads()::contains).toList();
        both.stream()
                .map(MeasuredLoad::workload)
                .distinct()
                .filter(name -> workload(a, name).isPresent())
                .forEach(
                        name -> add(names, "workload " + name, workload(a, name).equals(workload(b, name))));
        both.stream()
                .filter(load -> !load.isStartUp())
                .map(MeasuredLoad::tool)
                .distinct()
                .forEach(tool -> add(
                        names,
                        "version of " + tool,
                        Objects.equals(a.versions().get(tool), b.versions().get(tool))));
        add(
                names,
                "the compiled simulations",
                Objects.equals(
                        a.versions().get(Campaign.SIMULATIONS), b.versions().get(Campaign.SIMULATIONS)));
        add(names, "scheduler", scheduling(one).equals(scheduling(other)));
        add(names, "pinning", a.pinning().equals(b.pinning()));
        return names;
    }

    /**
     * Returns how servers with time slices were scheduled; {@code unknown} if one did not report it. Other servers
     * shared the scheduler with no server.
     */
    private static Set<String> scheduling(Analysis analysis) {
        Campaign campaign = analysis.campaign();
        return campaign.plan().loads().stream().noneMatch(campaign.plan()::inTimeSlices)
                ? Set.of()
                : analysis.chosen().stream()
                        .map(server -> server.proven().getOrDefault(Scheduling.FACT, ""))
                        .map(fact -> fact.isEmpty() ? "unknown" : Scheduling.isShared(fact) ? "shared" : "own")
                        .collect(Collectors.toSet());
    }

    /** Returns an arm's JDK. If there are several JDKs, the first one has no suffix in its key. */
    private static String jdk(Campaign campaign, Arm arm) {
        return campaign.versions()
                .getOrDefault("jdk@" + arm.spec().jdk(), campaign.versions().get("jdk"));
    }

    private static boolean isSame(Map<String, String> a, Map<String, String> b, String key) {
        return a.containsKey(key) && a.get(key).equals(b.get(key));
    }

    private static Optional<Workload> workload(Campaign campaign, String name) {
        return campaign.conditions().workloads().stream()
                .filter(one -> one.name().equals(name))
                .findFirst();
    }
}
