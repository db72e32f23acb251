package org.servletbench.bench.report.across;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.servletbench.bench.model.Cell;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.Campaign;
import org.servletbench.bench.record.WarmStart;

/**
 * Which arms of two campaigns are the same: same jar, JDK, JVM options, settings, processors and load. What a campaign did
 * not record counts as different.
 *
 * @param scheduler whether servers were the same to the kernel's scheduler; see {@link org.servletbench.bench.model.Scheduling}
 */
public record CommonArms(Campaign before, Campaign after, boolean scheduler) {
    public enum Differs {
        JAR("jar"),
        JDK("JDK"),
        JVM_OPTIONS("JVM options"),
        WARM_START("warm start"),
        SETTINGS("settings"),
        MACHINE("processors"),
        LOAD("load");

        private final String words;

        Differs(String words) {
            this.words = words;
        }

        public String words() {
            return words;
        }
    }

    /** Options that change what a load does to a server; of others, such as its length, only the spread depends. */
    private static final List<String> OF_LOAD = List.of(
            "settle", "delay", "slo", "users", "db.url", "probe.rate", "probe.host", "load.hosts", "target.host");

    /** Options of how far servers were warmed up before the load: where there is none, they change nothing. */
    private static final List<String> OF_WARM_UP =
            List.of("warmup", "warmup.users", "warmup.burst", "warmup.pause", "warmup.flat.bursts");

    /** Ranked arms that both campaigns have, by id, as the later one has them, with what differs. */
    public Map<Arm, List<Differs>> arms() {
        Map<Arm, List<Differs>> arms = new LinkedHashMap<>();
        for (Arm arm : after.arms()) {
            if (arm.isRanked()) {
                before.arms().stream()
                        .filter(other -> other.id().equals(arm.id()) && other.isRanked())
                        .findFirst()
                        .ifPresent(other -> arms.put(arm, differences(other, arm)));
            }
        }
        return arms;
    }

    private List<Differs> differences(Arm was, Arm is) {
        List<Differs> differences = new ArrayList<>();
        if (was.sha256().isBlank() || !was.sha256().equals(is.sha256())) {
            differences.add(Differs.JAR);
        }
        String jdk = jdk(before, was);
        if (jdk == null || !jdk.equals(jdk(after, is))) {
            differences.add(Differs.JDK);
        }
        if (differs(before.options(), after.options(), "jvm.options")
                || !Objects.equals(
                        before.options().get(Campaign.ARM_OPTIONS + was.id()),
                        after.options().get(Campaign.ARM_OPTIONS + is.id()))) {
            differences.add(Differs.JVM_OPTIONS);
        }
        if (!WarmStart.isSame(before, was, after, is)) {
            differences.add(Differs.WARM_START);
        }
        if (!before.plan().settings().equals(after.plan().settings())
                || !before.settings().equals(after.settings())) {
            differences.add(Differs.SETTINGS);
        }
        if (differs(before.serverMachine(), after.serverMachine(), "cpu")
                || differs(before.serverMachine(), after.serverMachine(), "cores")) {
            differences.add(Differs.MACHINE);
        }
        if (!load().isEmpty()) {
            differences.add(Differs.LOAD);
        }
        return differences;
    }

    /** What differs in the loads that both have, by the names of its options: a figure is then another for every arm. */
    public List<String> load() {
        List<String> names = new ArrayList<>();
        if (before.plan().turnSeconds() != after.plan().turnSeconds()) {
            names.add("turn");
        }
        if (before.plan().together() != after.plan().together()) {
            names.add("together");
        }
        Stream.concat(OF_LOAD.stream(), after.plan().isStartUp() ? Stream.empty() : OF_WARM_UP.stream())
                .filter(name ->
                        !Objects.equals(before.asked().get(name), after.asked().get(name)))
                .forEach(names::add);
        List<Cell> both = after.plan().cells().stream()
                .filter(before.plan().cells()::contains)
                .toList();
        both.stream()
                .map(Cell::workload)
                .distinct()
                .map(name -> Campaign.WORKLOAD + name)
                .filter(key -> before.options().containsKey(key)
                        && !before.options().get(key).equals(after.options().get(key)))
                .forEach(names::add);
        both.stream()
                .filter(cell -> !cell.isStartUp())
                .map(Cell::tool)
                .distinct()
                .filter(tool -> !Objects.equals(
                        before.versions().get(tool), after.versions().get(tool)))
                .map(tool -> "version of " + tool)
                .forEach(names::add);
        if (!scheduler) {
            names.add("scheduler");
        }
        if (!before.pinning().equals(after.pinning())) {
            names.add("pinning");
        }
        return names;
    }

    /** Of several JDKs the first has no number in its key. */
    private static String jdk(Campaign campaign, Arm arm) {
        return campaign.versions()
                .getOrDefault("jdk@" + arm.jdk(), campaign.versions().get("jdk"));
    }

    private static boolean differs(Map<String, String> was, Map<String, String> is, String key) {
        return !was.containsKey(key) || !was.get(key).equals(is.get(key));
    }
}
