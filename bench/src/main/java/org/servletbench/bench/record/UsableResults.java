package org.servletbench.bench.record;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.servletbench.bench.measure.CodeTiers;
import org.servletbench.bench.measure.TopTier;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Warning;
import org.servletbench.bench.model.WarningKind;
import org.servletbench.bench.verdict.NoVerdictReason;

/** The server runs of a campaign that count, and their usable results. */
abstract class UsableResults {

    private static final Comparator<ServerRun> ORDER = Comparator.comparingInt(ServerRun::block)
            .thenComparingInt(ServerRun::position)
            .thenComparing(ServerRun::arm)
            .thenComparingInt(ServerRun::attempt);

    private static final List<Warning> FAILED =
            List.of(Warning.of(WarningKind.SERVER_FAILED, "the server failed twice in another block"));

    private record ArmAndLoad(String arm, MeasuredLoad load) {}

    private final List<ServerRun> all;
    private final Set<String> givenUp;
    private final Map<String, SortedMap<Integer, ServerRun>> chosen;
    private final List<Analysis.LeftOut> leftOut = new ArrayList<>();
    private final Map<ArmAndLoad, SortedMap<Integer, LoadFigures>> usable = new HashMap<>();
    private final Map<ArmAndLoad, SortedMap<Integer, LoadFigures>> counted = new HashMap<>();
    private final Map<ArmAndLoad, NoVerdictReason> barred = new HashMap<>();
    private final Map<MeasuredLoad, Set<String>> floors = new HashMap<>();
    private final Map<MeasuredLoad, Set<String>> untimed = new HashMap<>();
    private final Map<ArmAndLoad, Warmth> warmths = new HashMap<>();

    /**
     * @param givenUp arms whose figures do not count, because a block in which the server died shows that it did not
     * sustain the load
     */
    UsableResults(List<ServerRun> serverRuns, Set<String> givenUp) {
        all = serverRuns.stream().sorted(ORDER).toList();
        this.givenUp = givenUp;
        chosen = choose(all);
        findWarmths();
        findLeftOut();
        findUsable();
    }

    /** True if its server failed twice in a block: {@link RateOutcome#givenUp}. */
    public boolean isGivenUp(Arm arm) {
        return givenUp.contains(arm.id());
    }

    /**
     * Chooses for each arm and block the last attempt that completed. An attempt that is marked as unusable is chosen
     * only if no other completed.
     */
    private static Map<String, SortedMap<Integer, ServerRun>> choose(List<ServerRun> sorted) {
        Map<String, SortedMap<Integer, ServerRun>> chosen = new HashMap<>();
        for (ServerRun serverRun : sorted) {
            if (serverRun.measured()) {
                chosen.computeIfAbsent(serverRun.arm(), arm -> new TreeMap<>())
                        .merge(serverRun.block(), serverRun, (a, b) -> excluded(b) && !excluded(a) ? a : b);
            }
        }
        return chosen;
    }

    private static boolean excluded(ServerRun serverRun) {
        return serverRun.warnings().stream().anyMatch(Warning::excludes);
    }

    private void findLeftOut() {
        for (ServerRun serverRun : all) {
            if (!contains(serverRun)) {
                continue;
            }
            List<Warning> whole =
                    serverRun.warnings().stream().filter(Warning::excludes).toList();
            if (!whole.isEmpty()) {
                leftOut.add(new Analysis.LeftOut(serverRun, Optional.empty(), whole));
            }
            for (LoadFigures result : serverRun.loads()) {
                List<Warning> warnings = result.excluding();
                if (!warnings.isEmpty()) {
                    leftOut.add(new Analysis.LeftOut(serverRun, Optional.of(result.load()), warnings));
                }
            }
        }
    }

    private void findWarmths() {
        chosen.forEach((arm, byBlock) -> {
            List<ServerRun> sound = byBlock.values().stream()
                    .filter(serverRun -> !excluded(serverRun))
                    .filter(serverRun ->
                            serverRun.warmUp() != null && serverRun.warmUp().code() != null)
                    .toList();
            sound.stream()
                    .flatMap(serverRun -> serverRun.loads().stream())
                    .map(LoadFigures::load)
                    .distinct()
                    .forEach(load -> warmths.put(new ArmAndLoad(arm, load), warmth(sound, load)));
        });
    }

    private static Warmth warmth(List<ServerRun> servers, MeasuredLoad load) {
        TopTier top = servers.get(0).warmUp().code().top();
        List<CodeTiers> under = servers.stream()
                .flatMap(server -> server.latestCode(load).stream())
                .toList();
        return under.isEmpty()
                ? Warmth.of(
                        top,
                        servers.stream()
                                .flatMap(server -> server.codeOfWarmUp().stream())
                                .toList(),
                        false)
                : Warmth.of(top, under, true);
    }

    /** Returns how warm an arm's servers were under a load, over all blocks. */
    public Warmth warmth(String arm, MeasuredLoad load) {
        return warmths.getOrDefault(new ArmAndLoad(arm, load), Warmth.UNKNOWN);
    }

    /** Returns how much the machine's speed changed within the loads. */
    public Drift drift() {
        return Drift.of(chosen().stream()
                .flatMap(server -> server.loads().stream())
                .filter(LoadFigures::isUsable)
                .toList());
    }

    /** True if a server was not warm under this load. */
    public boolean isCold(ServerRun server, LoadFigures result) {
        return server.isCold(result);
    }

    private boolean isBarred(ServerRun server, LoadFigures result) {
        Warmth ofArm = warmth(server.arm(), result.load());
        return ofArm.isKnown() ? ofArm.bars() : server.isCold(result);
    }

    private void findUsable() {
        Map<ArmAndLoad, List<Warning>> missed = new LinkedHashMap<>();
        chosen.forEach((arm, byBlock) -> byBlock.forEach((block, serverRun) -> {
            for (LoadFigures result : serverRun.loads()) {
                ArmAndLoad place = new ArmAndLoad(arm, result.load());
                if (result.warnings().stream().anyMatch(result::isFloor)) {
                    floors.computeIfAbsent(result.load(), load -> new HashSet<>())
                            .add(arm);
                }
                if (result.warnings().stream()
                        .anyMatch(warning -> warning.kind().effect() == WarningKind.Effect.NO_RESPONSE_TIMES)) {
                    untimed.computeIfAbsent(result.load(), load -> new HashSet<>())
                            .add(arm);
                }
                if (givenUp.contains(arm) || result.isMissed()) {
                    missed.putIfAbsent(place, givenUp.contains(arm) ? FAILED : result.excluding());
                    barred.put(place, NoVerdictReason.NOT_HELD);
                } else if (isBarred(serverRun, result)) {
                    barred.putIfAbsent(place, NoVerdictReason.NOT_WARM);
                }
                counted.computeIfAbsent(place, any -> new TreeMap<>()).putIfAbsent(block, result);
                if (!excluded(serverRun) && result.isUsable()) {
                    usable.computeIfAbsent(place, any -> new TreeMap<>()).putIfAbsent(block, result);
                }
            }
        }));
        // Leaving out only the blocks in which the server failed requests or did not keep up with the load would keep
        // its fast ones.
        missed.forEach((place, why) -> Optional.ofNullable(usable.remove(place)).ifPresent(results -> results.keySet()
                .forEach(block -> leftOut.add(
                        new Analysis.LeftOut(chosen.get(place.arm).get(block), Optional.of(place.load), why)))));
    }

    /** Returns all server runs, in the order in which they ran, including failed ones and earlier attempts. */
    public List<ServerRun> serverRuns() {
        return all;
    }

    /** Returns the server runs that count, in the order in which they ran. */
    public List<ServerRun> chosen() {
        return all.stream().filter(this::contains).toList();
    }

    private boolean contains(ServerRun serverRun) {
        SortedMap<Integer, ServerRun> ofArm = chosen.get(serverRun.arm());
        return ofArm != null && ofArm.get(serverRun.block()) == serverRun;
    }

    /** Returns the server runs of an arm that count, by block. */
    public SortedMap<Integer, ServerRun> servers(Arm arm) {
        return chosen.getOrDefault(arm.id(), new TreeMap<>());
    }

    /** Returns the number of blocks in which at least one server run completed. */
    public int blocks() {
        return (int) all.stream()
                .filter(ServerRun::measured)
                .mapToInt(ServerRun::block)
                .distinct()
                .count();
    }

    public List<Analysis.LeftOut> leftOut() {
        return List.copyOf(leftOut);
    }

    /** True if an arm ran at the generator's limit in any block of a load, so that its throughput is a lower bound. */
    public boolean hasFloor(Arm arm, MeasuredLoad load) {
        return floors(load).contains(arm.id());
    }

    /**
     * True if figures of this kind are too low in any block of a load, so that they would look good next to those of
     * others.
     */
    public boolean isCut(Arm arm, MeasuredLoad load, Metric metric) {
        return metric.kind() == Metric.Kind.LATENCY
                && counted(arm, load).values().stream()
                        .flatMap(result -> result.warnings().stream())
                        .anyMatch(warning -> warning.kind() == WarningKind.CUT_RESPONSES);
    }

    /** Returns the arms that ran at the generator's limit in any block of a load. */
    Set<String> floors(MeasuredLoad load) {
        return floors.getOrDefault(load, Set.of());
    }

    /**
     * True if figures of this kind are not the server's own in any block of a load, because they are floors or include
     * delays.
     */
    public boolean isLimited(Arm arm, MeasuredLoad load, Metric metric) {
        return (metric.higherIsBetter() || metric.kind() == Metric.Kind.LATENCY)
                && floors(load, metric).contains(arm.id());
    }

    /**
     * Returns the arms that ran at the generator's limit in any block of a load; for response times, also arms whose
     * own times are unknown.
     */
    Set<String> floors(MeasuredLoad load, Metric metric) {
        Set<String> all = new HashSet<>(floors(load));
        if (metric.kind() == Metric.Kind.LATENCY) {
            all.addAll(untimed.getOrDefault(load, Set.of()));
        }
        return all;
    }

    /**
     * Returns why an arm has no verdict in a load because of its server's behavior in any block; empty if it may have
     * one.
     */
    public Optional<NoVerdictReason> barred(Arm arm, MeasuredLoad load) {
        return Optional.ofNullable(barred.get(new ArmAndLoad(arm.id(), load)));
    }

    public SortedMap<Integer, LoadFigures> results(Arm arm, MeasuredLoad load) {
        return of(usable, arm, load);
    }

    /**
     * Returns all results of an arm, by block, including those that take part in no verdict, for example because
     * requests failed.
     */
    public SortedMap<Integer, LoadFigures> counted(Arm arm, MeasuredLoad load) {
        return of(counted, arm, load);
    }

    private static SortedMap<Integer, LoadFigures> of(
            Map<ArmAndLoad, SortedMap<Integer, LoadFigures>> results, Arm arm, MeasuredLoad load) {
        return Collections.unmodifiableSortedMap(
                results.getOrDefault(new ArmAndLoad(arm.id(), load), Collections.emptySortedMap()));
    }

    /**
     * Returns the courses of an arm's starts under load, in the order of blocks; empty if starts were not under load.
     */
    public List<StartCourse> courses(Arm arm) {
        return servers(arm).values().stream()
                .flatMap(one -> Optional.ofNullable(one.course()).stream())
                .toList();
    }

    /**
     * Returns the number of an arm's starts under load that did not reach this in their time. If there are any, none of
     * the arm's starts count.
     */
    public long unreached(Arm arm, Metric metric) {
        return servers(arm).values().stream()
                .filter(one -> metric.isOfPeak() && one.course() != null)
                .filter(one -> !one.startUp().containsKey(metric.key()))
                // Code that could not be sampled may have been warm.
                .filter(one -> one.course().unseen() == null || metric.isOfThroughput())
                .count();
    }

    /**
     * Returns the usable values of an arm by block, in the metric's unit. Failed requests come from
     * {@link #counted all results}. There are no values for what some starts did not reach.
     */
    public SortedMap<Integer, Double> values(Arm arm, MeasuredLoad load, Metric metric) {
        SortedMap<Integer, Double> values = new TreeMap<>();
        if (unreached(arm, metric) > 0) {
            return values;
        }
        boolean failed = metric == Metric.ERRORS;
        (failed ? counted(arm, load) : results(arm, load)).forEach((block, result) -> {
            OptionalDouble value = result.figure(metric);
            if (failed && result.requests() > 0) {
                value = OptionalDouble.of(100.0 * result.errors() / result.requests());
            }
            if (value.isPresent() && Double.isFinite(value.getAsDouble())) {
                values.put(block, value.getAsDouble());
            }
        });
        return values;
    }

    /** Returns a figure of an arm's starts by block; empty if some starts did not reach it. */
    public SortedMap<Integer, Double> startUps(Arm arm, Metric metric) {
        SortedMap<Integer, Double> values = new TreeMap<>();
        if (unreached(arm, metric) > 0) {
            return values;
        }
        servers(arm).forEach((block, serverRun) -> {
            Double value = serverRun.startUp().get(metric.key());
            if (value != null && Double.isFinite(value) && !excluded(serverRun)) {
                values.put(block, value);
            }
        });
        return values;
    }
}
