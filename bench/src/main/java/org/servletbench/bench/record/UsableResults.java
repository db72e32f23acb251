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
import org.servletbench.bench.model.Cell;
import org.servletbench.bench.model.Mark;
import org.servletbench.bench.model.MarkKind;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.verdict.NoVerdictReason;

/** The invocations of a campaign that count, and their usable results. */
abstract class UsableResults {

    private static final Comparator<Invocation> ORDER = Comparator.comparingInt(Invocation::block)
            .thenComparingInt(Invocation::position)
            .thenComparing(Invocation::arm)
            .thenComparingInt(Invocation::attempt);

    private static final List<Mark> FAILED =
            List.of(Mark.of(MarkKind.SERVER_FAILED, "the server failed twice in another block"));

    private record Place(String arm, Cell cell) {}

    private final List<Invocation> all;
    private final Set<String> givenUp;
    private final Map<String, SortedMap<Integer, Invocation>> chosen;
    private final List<Judgement.LeftOut> leftOut = new ArrayList<>();
    private final Map<Place, SortedMap<Integer, CellResult>> usable = new HashMap<>();
    private final Map<Place, SortedMap<Integer, CellResult>> counted = new HashMap<>();
    private final Map<Place, NoVerdictReason> barred = new HashMap<>();
    private final Map<Cell, Set<String>> floors = new HashMap<>();
    private final Map<Cell, Set<String>> untimed = new HashMap<>();
    private final Map<Place, Warmth> warmths = new HashMap<>();

    /**
     * @param givenUp arms whose figures do not count: a block in which the server died shows that it did not hold
     */
    UsableResults(List<Invocation> invocations, Set<String> givenUp) {
        all = invocations.stream().sorted(ORDER).toList();
        this.givenUp = givenUp;
        chosen = choose(all);
        findWarmths();
        findLeftOut();
        findUsable();
    }

    /** True if its server failed twice in a block; {@link RateOutcome#givenUp}. */
    public boolean isGivenUp(Arm arm) {
        return givenUp.contains(arm.id());
    }

    /** Chooses for each arm and block the last attempt that completed; one that is marked as unusable only if no other did. */
    private static Map<String, SortedMap<Integer, Invocation>> choose(List<Invocation> sorted) {
        Map<String, SortedMap<Integer, Invocation>> chosen = new HashMap<>();
        for (Invocation invocation : sorted) {
            if (invocation.measured()) {
                chosen.computeIfAbsent(invocation.arm(), arm -> new TreeMap<>())
                        .merge(invocation.block(), invocation, (a, b) -> excluded(b) && !excluded(a) ? a : b);
            }
        }
        return chosen;
    }

    private static boolean excluded(Invocation invocation) {
        return invocation.marks().stream().anyMatch(Mark::excludes);
    }

    private void findLeftOut() {
        for (Invocation invocation : all) {
            if (!contains(invocation)) {
                continue;
            }
            List<Mark> whole =
                    invocation.marks().stream().filter(Mark::excludes).toList();
            if (!whole.isEmpty()) {
                leftOut.add(new Judgement.LeftOut(invocation, Optional.empty(), whole));
            }
            for (CellResult result : invocation.cells()) {
                List<Mark> marks = result.excluding();
                if (!marks.isEmpty()) {
                    leftOut.add(new Judgement.LeftOut(invocation, Optional.of(result.cell()), marks));
                }
            }
        }
    }

    private void findWarmths() {
        chosen.forEach((arm, byBlock) -> {
            List<Invocation> sound = byBlock.values().stream()
                    .filter(invocation -> !excluded(invocation))
                    .filter(invocation ->
                            invocation.warmUp() != null && invocation.warmUp().code() != null)
                    .toList();
            sound.stream()
                    .flatMap(invocation -> invocation.cells().stream())
                    .map(CellResult::cell)
                    .distinct()
                    .forEach(cell -> warmths.put(new Place(arm, cell), warmth(sound, cell)));
        });
    }

    private static Warmth warmth(List<Invocation> servers, Cell cell) {
        TopTier top = servers.get(0).warmUp().code().top();
        List<CodeTiers> under = servers.stream()
                .flatMap(server -> server.latestCode(cell).stream())
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
    public Warmth warmth(String arm, Cell cell) {
        return warmths.getOrDefault(new Place(arm, cell), Warmth.UNKNOWN);
    }

    /** Returns how the machine's speed changed within the loads. */
    public Drift drift() {
        return Drift.of(chosen().stream()
                .flatMap(server -> server.cells().stream())
                .filter(CellResult::isUsable)
                .toList());
    }

    /** True if a server was not warm under one of its loads. */
    public boolean isCold(Invocation server, CellResult result) {
        return server.isCold(result);
    }

    private boolean isBarred(Invocation server, CellResult result) {
        Warmth ofArm = warmth(server.arm(), result.cell());
        return ofArm.isKnown() ? ofArm.bars() : server.isCold(result);
    }

    private void findUsable() {
        Map<Place, List<Mark>> missed = new LinkedHashMap<>();
        chosen.forEach((arm, byBlock) -> byBlock.forEach((block, invocation) -> {
            for (CellResult result : invocation.cells()) {
                Place place = new Place(arm, result.cell());
                if (result.marks().stream().anyMatch(result::isFloor)) {
                    floors.computeIfAbsent(result.cell(), cell -> new HashSet<>())
                            .add(arm);
                }
                if (result.marks().stream()
                        .anyMatch(mark -> mark.kind().effect() == MarkKind.Effect.NO_RESPONSE_TIMES)) {
                    untimed.computeIfAbsent(result.cell(), cell -> new HashSet<>())
                            .add(arm);
                }
                if (givenUp.contains(arm) || result.isMissed()) {
                    missed.putIfAbsent(place, givenUp.contains(arm) ? FAILED : result.excluding());
                    barred.put(place, NoVerdictReason.NOT_HELD);
                } else if (isBarred(invocation, result)) {
                    barred.putIfAbsent(place, NoVerdictReason.NOT_WARM);
                }
                counted.computeIfAbsent(place, any -> new TreeMap<>()).putIfAbsent(block, result);
                if (!excluded(invocation) && result.isUsable()) {
                    usable.computeIfAbsent(place, any -> new TreeMap<>()).putIfAbsent(block, result);
                }
            }
        }));
        // Leaving out only the blocks in which the server failed requests or did not keep up with the load would keep
        // its fast
        // ones.
        missed.forEach((place, why) -> Optional.ofNullable(usable.remove(place)).ifPresent(results -> results.keySet()
                .forEach(block -> leftOut.add(
                        new Judgement.LeftOut(chosen.get(place.arm).get(block), Optional.of(place.cell), why)))));
    }

    /** Returns all invocations, in the order in which they ran, including failed ones and earlier attempts. */
    public List<Invocation> invocations() {
        return all;
    }

    /** Returns the invocations that count, in the order in which they ran. */
    public List<Invocation> chosen() {
        return all.stream().filter(this::contains).toList();
    }

    private boolean contains(Invocation invocation) {
        SortedMap<Integer, Invocation> ofArm = chosen.get(invocation.arm());
        return ofArm != null && ofArm.get(invocation.block()) == invocation;
    }

    /** Returns the invocations of an arm that count, by block. */
    public SortedMap<Integer, Invocation> servers(Arm arm) {
        return chosen.getOrDefault(arm.id(), new TreeMap<>());
    }

    /** Returns the number of blocks in which at least one invocation completed. */
    public int blocks() {
        return (int) all.stream()
                .filter(Invocation::measured)
                .mapToInt(Invocation::block)
                .distinct()
                .count();
    }

    public List<Judgement.LeftOut> leftOut() {
        return List.copyOf(leftOut);
    }

    /** True if an arm ran at the generator's limit in any block of a cell, so that its throughput is a lower bound. */
    public boolean hasFloor(Arm arm, Cell cell) {
        return floors(cell).contains(arm.id());
    }

    /** True if figures of this kind are too low in any block of a cell: they would look good next to those of others. */
    public boolean isCut(Arm arm, Cell cell, Metric metric) {
        return metric.kind() == Metric.Kind.LATENCY
                && counted(arm, cell).values().stream()
                        .flatMap(result -> result.marks().stream())
                        .anyMatch(mark -> mark.kind() == MarkKind.CUT_RESPONSES);
    }

    /** Returns the arms that ran at the generator's limit in any block of a cell. */
    Set<String> floors(Cell cell) {
        return floors.getOrDefault(cell, Set.of());
    }

    /** True if figures of this kind are not the server's own in any block of a cell: they are floors, or include delays. */
    public boolean isLimited(Arm arm, Cell cell, Metric metric) {
        return (metric.higherIsBetter() || metric.kind() == Metric.Kind.LATENCY)
                && floors(cell, metric).contains(arm.id());
    }

    /**
     * Returns the arms that ran at the generator's limit in any block of a cell; for response times also arms whose own times are
     * not known.
     */
    Set<String> floors(Cell cell, Metric metric) {
        Set<String> all = new HashSet<>(floors(cell));
        if (metric.kind() == Metric.Kind.LATENCY) {
            all.addAll(untimed.getOrDefault(cell, Set.of()));
        }
        return all;
    }

    /** Returns why an arm has no verdict in a cell because of its server's behavior in any block; empty if it may have one. */
    public Optional<NoVerdictReason> barred(Arm arm, Cell cell) {
        return Optional.ofNullable(barred.get(new Place(arm.id(), cell)));
    }

    public SortedMap<Integer, CellResult> results(Arm arm, Cell cell) {
        return of(usable, arm, cell);
    }

    /** Returns all results of an arm, by block: also those that take part in no verdict, for example because requests failed. */
    public SortedMap<Integer, CellResult> counted(Arm arm, Cell cell) {
        return of(counted, arm, cell);
    }

    private static SortedMap<Integer, CellResult> of(
            Map<Place, SortedMap<Integer, CellResult>> results, Arm arm, Cell cell) {
        return Collections.unmodifiableSortedMap(
                results.getOrDefault(new Place(arm.id(), cell), Collections.emptySortedMap()));
    }

    /** Returns the usable values of an arm by block, in the metric's unit. Failed requests are those of {@link #counted all results}. */
    public SortedMap<Integer, Double> values(Arm arm, Cell cell, Metric metric) {
        SortedMap<Integer, Double> values = new TreeMap<>();
        boolean failed = metric == Metric.ERRORS;
        (failed ? counted(arm, cell) : results(arm, cell)).forEach((block, result) -> {
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

    public SortedMap<Integer, Double> startUps(Arm arm, Metric metric) {
        SortedMap<Integer, Double> values = new TreeMap<>();
        servers(arm).forEach((block, invocation) -> {
            Double value = invocation.startUp().get(metric.key());
            if (value != null && Double.isFinite(value) && !excluded(invocation)) {
                values.put(block, value);
            }
        });
        return values;
    }
}
