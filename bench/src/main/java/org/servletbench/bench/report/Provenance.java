package org.servletbench.bench.report;

import static org.servletbench.bench.model.Text.text;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.servletbench.bench.model.Proven;
import org.servletbench.bench.model.ServedAtOnce;
import org.servletbench.bench.model.Text;
import org.servletbench.bench.model.ThreadingMode;
import org.servletbench.bench.record.Analysis;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.Campaign;
import org.servletbench.bench.record.OwnLimits;
import org.servletbench.bench.record.ServerRun;
import org.servletbench.bench.record.WarmStart;

/** Versions, machine and conditions of a campaign, in words. */
final class Provenance {

    /** Keys of JDKs in a campaign's versions: that of the servers, and others. */
    private static final Pattern JDK = Pattern.compile("jdk(@.+)?");

    /** Maximum number of loads that are named among the conditions. If there are more, only their number is given. */
    private static final int MOST_NAMED = 4;

    private static final String VIRTUAL = "virtual";

    private Provenance() {}

    /** Returns the versions of the JDKs that servers ran on, as {@code 17.0.15, 25.0.1}. */
    static String jdks(Campaign campaign) {
        String known = campaign.versions().entrySet().stream()
                .filter(version -> JDK.matcher(version.getKey()).matches())
                .map(version -> number(version.getValue()))
                .distinct()
                .collect(Collectors.joining(", "));
        return known.isEmpty() ? "unknown" : known;
    }

    /** Returns the version of the JDK with this home, as {@code 17.0.15}, or nothing if the campaign has no such JDK. */
    static Optional<String> jdk(Campaign campaign, String home) {
        Map<String, String> versions = campaign.versions();
        return Optional.ofNullable(versions.get(home.equals(versions.get("jdk.home")) ? "jdk" : "jdk@" + home))
                .map(Provenance::number);
    }

    private static String number(String identityOfJdk) {
        return identityOfJdk.replaceFirst("^\\D.* VM ", "").replaceFirst("[-+].*", "");
    }

    /** Returns the versions of containers, frameworks and JDKs. */
    static String versions(Analysis analysis) {
        return Stream.concat(
                        analysis.groups().stream().map(Conclusions::versions),
                        Stream.of("JDK " + jdks(analysis.campaign())))
                .filter(text -> !text.isEmpty())
                .distinct()
                .collect(Collectors.joining(", "));
    }

    /** Returns the machine on which the servers ran. */
    static String machine(Campaign campaign) {
        Map<String, String> machine = campaign.serverMachine();
        return text(
                "%s, %s processors%s, %s",
                machine.getOrDefault("cpu", "unknown processor"),
                machine.getOrDefault("cores", "?"),
                machine.getOrDefault("virtual", "").equals("yes") ? " of a virtual machine" : "",
                machine.getOrDefault("os", "unknown system"));
    }

    /**
     * Returns the conditions besides the containers that affect the result, in words: load, processors, worker threads,
     * heaps, limits, network path.
     *
     * @param arms arms of a group, or all arms
     */
    static String conditions(Analysis analysis, List<Arm> arms) {
        Campaign campaign = analysis.campaign();
        List<String> conditions = new ArrayList<>();
        conditions.add((analysis.loads().size() <= MOST_NAMED
                        ? Text.list(analysis.loads().stream()
                                .map(analysis.wording()::load)
                                .toList())
                        : Words.count(analysis.loads().size(), "load"))
                + startLoad(analysis));
        conditions.add(processors(campaign));
        if (!campaign.plan().isStartUp()) {
            workers(analysis, arms).ifPresent(conditions::add);
        }
        sizes(analysis, arms).forEach(conditions::add);
        if (!campaign.plan().isStartUp()) {
            OwnLimits.differing(arms, analysis.serverRuns(), campaign)
                    .ifPresent(limits -> conditions.add(
                            "the services serve different numbers of requests at once (" + limits + ")"));
            boolean apart = campaign.machine().containsKey(Campaign.TARGET)
                    || campaign.machine().keySet().stream().anyMatch(fact -> fact.startsWith(Campaign.LOAD_HOST));
            conditions.add(apart ? "load over the network" : "load over loopback");
        }
        int caches = WarmStart.sharedCaches(campaign, analysis.blocks());
        if (caches > 0) {
            conditions.add(text(
                    "%s for each arm in %s: intervals hold for these, and another training may change the figures",
                    Words.count(caches, "trained AOT cache"), Words.count(analysis.blocks(), "block")));
        }
        return String.join("; ", conditions);
    }

    /** Returns ", under hello with 6 users from the first answer on" for starts under load; otherwise empty text. */
    private static String startLoad(Analysis analysis) {
        return analysis.serverRuns().stream()
                .map(ServerRun::course)
                .filter(Objects::nonNull)
                .findFirst()
                .map(course -> ", under " + course.load() + " from the first answer on")
                .orElse("");
    }

    /** Returns the processors of servers and generators. A start has them all, because servers are pinned after a warm-up. */
    private static String processors(Campaign campaign) {
        String number = campaign.serverMachine().getOrDefault("cores", "unknown");
        return campaign.plan().isStartUp()
                ? text("all %s processors for each start", number)
                : campaign.pinning().isBlank()
                        ? text("a machine with %s processors", number)
                        : campaign.pinning()
                                .replaceFirst("^after the warm-up: ", "")
                                .replaceFirst(";.*", "")
                                .replaceFirst("\\bprocessors (\\d+)(?=, [a-z]|$)", "processor $1");
    }

    /**
     * Returns the worker threads in words, as servers reported them; empty if one of our own did not report them, or if
     * there are many different numbers. Servers that a command starts are not named.
     */
    private static Optional<String> workers(Analysis analysis, List<Arm> arms) {
        Map<String, List<Arm>> byNumber = byThreads(analysis, arms);
        if (byNumber.size() == 1
                && arms.stream().allMatch(arm -> arm.spec().command().isEmpty())) {
            return Optional.of(byNumber.keySet().iterator().next() + " worker threads in each server"
                    + undertowsOwn(byNumber.values().iterator().next()));
        }
        // Limits of services are reported by OwnLimits.
        boolean few = byNumber.size() <= MOST_NAMED
                && arms.stream().allMatch(arm -> arm.spec().app() == null);
        return few && !byNumber.isEmpty()
                ? Optional.of("worker threads: " + byArm(analysis, byNumber))
                : Optional.empty();
    }

    /** Returns heaps and limits of memory and CPU time in words, as servers and the kernel reported them. */
    private static Stream<String> sizes(Analysis analysis, List<Arm> arms) {
        return Stream.of(
                        condition(analysis, arms, proven -> proven.heapSize(), "a heap of %s", "heaps: %s"),
                        condition(
                                analysis,
                                arms,
                                proven -> proven.limit(Proven.MEMORY_LIMIT),
                                "a memory limit of %s",
                                "memory limits: %s"),
                        condition(
                                analysis,
                                arms,
                                proven -> proven.limit(Proven.CPU_LIMIT),
                                "a CPU limit of %s",
                                "CPU limits: %s"))
                .flatMap(Optional::stream);
    }

    /**
     * Returns a fact of servers in words; empty if one of our own did not report it, none has such a limit, or there
     * are many values.
     *
     * @param one format if all servers have the same value
     * @param several format if they differ, or are not known of some that a command starts
     */
    private static Optional<String> condition(
            Analysis analysis, List<Arm> arms, Function<Proven, String> fact, String one, String several) {
        List<Arm> compared =
                arms.stream().filter(arm -> arm.role() != Arm.Role.REFERENCE).toList();
        Map<String, List<Arm>> byValue = by(analysis, compared, server -> fact.apply(new Proven(server.proven())));
        boolean all = compared.stream()
                .filter(arm -> !arm.spec().command().isEmpty())
                .allMatch(arm -> byValue.values().stream().anyMatch(known -> known.contains(arm)));
        return byValue.isEmpty()
                        || byValue.size() > MOST_NAMED
                        || byValue.keySet().equals(Set.of(Proven.NO_LIMIT))
                ? Optional.empty()
                : Optional.of(
                        byValue.size() == 1 && all
                                ? text(one, byValue.keySet().iterator().next())
                                : text(several, byArm(analysis, byValue)));
    }

    /** Returns values with the arms that have them: "200 in Jetty and Tomcat NIO, 16 in Undertow". */
    private static String byArm(Analysis analysis, Map<String, List<Arm>> byValue) {
        return byValue.entrySet().stream()
                .map(one -> one.getKey() + " in "
                        + Text.list(one.getValue().stream()
                                .filter(arm -> arm.role() != Arm.Role.CONTROL)
                                .map(analysis::name)
                                .toList()))
                .collect(Collectors.joining(", "));
    }

    /** Returns arms by the number of their worker threads, or that they are virtual. Those that a command starts do not report them. */
    private static Map<String, List<Arm>> byThreads(Analysis analysis, List<Arm> arms) {
        return by(
                analysis,
                arms.stream().filter(arm -> arm.spec().command().isEmpty()).toList(),
                server -> VIRTUAL.equals(server.proven().get(ServedAtOnce.KIND))
                        ? VIRTUAL
                        : ServedAtOnce.expected(server.proven()));
    }

    /**
     * Returns arms by a fact that their servers reported. Servers that a command starts are skipped if they did not
     * report it; if one of our own did not, the result is empty.
     */
    private static Map<String, List<Arm>> by(Analysis analysis, List<Arm> arms, Function<ServerRun, String> fact) {
        Map<String, List<Arm>> byValue = new LinkedHashMap<>();
        for (Arm arm : arms) {
            List<String> values = analysis.chosen().stream()
                    .filter(server -> server.arm().equals(arm.id()))
                    .map(fact)
                    .filter(value -> !value.isEmpty() || arm.spec().command().isEmpty())
                    .distinct()
                    .toList();
            if (values.size() > 1 || values.contains("")) {
                return Map.of();
            }
            if (!values.isEmpty()) {
                byValue.computeIfAbsent(values.get(0), any -> new ArrayList<>()).add(arm);
            }
        }
        return byValue;
    }

    /**
     * Returns an arm's worker threads, such as "200 threads", if the campaign's arms differ in them or one of them is
     * Undertow; otherwise empty text.
     */
    static String threads(Analysis analysis, Arm arm) {
        List<Arm> all = analysis.campaign().arms();
        Map<String, List<Arm>> byNumber = byThreads(analysis, all);
        return byNumber.size() < 2 && undertowsOwn(all).isEmpty()
                ? ""
                : byNumber.entrySet().stream()
                        .filter(one ->
                                one.getValue().contains(arm) && !one.getKey().equals(VIRTUAL))
                        .map(one -> one.getKey() + " threads")
                        .findFirst()
                        .orElse("");
    }

    /** Returns Undertow's own default, if servlet-bench gives Undertow as many workers as the others. */
    private static String undertowsOwn(List<Arm> all) {
        return all.stream()
                        .anyMatch(arm ->
                                arm.spec().app() == null && arm.container().equals("undertow"))
                ? " (Undertow defaults to " + ThreadingMode.UNDERTOWS_OWN_POOL + ")"
                : "";
    }
}
