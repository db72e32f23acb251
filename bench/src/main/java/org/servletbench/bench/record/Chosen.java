package org.servletbench.bench.record;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.servletbench.bench.model.Cell;
import org.servletbench.bench.model.Mark;
import org.servletbench.bench.model.MarkKind;
import org.servletbench.bench.model.Metric;

/** The invocations of a campaign that count, and what of them can be used. */
final class Chosen {

    private static final Comparator<Invocation> ORDER = Comparator.comparingInt(Invocation::block)
            .thenComparingInt(Invocation::position)
            .thenComparing(Invocation::arm)
            .thenComparingInt(Invocation::attempt);

    private final List<Invocation> all;
    private final Map<String, SortedMap<Integer, Invocation>> chosen;
    private final List<Judgement.LeftOut> leftOut = new ArrayList<>();
    private final Map<String, Map<Cell, SortedMap<Integer, CellResult>>> usable = new HashMap<>();
    private final Map<String, Map<Cell, SortedMap<Integer, CellResult>>> counted = new HashMap<>();
    private final Map<Cell, Set<String>> floors = new HashMap<>();

    Chosen(List<Invocation> invocations) {
        all = invocations.stream().sorted(ORDER).toList();
        chosen = choose(all);
        findLeftOut();
        findUsable();
    }

    /** For each arm and block the last attempt that came to its end; one that is marked as unusable only if no other did. */
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

    private void findUsable() {
        Map<Cell, Set<String>> missed = new HashMap<>();
        chosen.forEach((arm, byBlock) -> byBlock.forEach((block, invocation) -> {
            for (CellResult result : invocation.cells()) {
                if (result.marks().stream().anyMatch(result::isFloor)) {
                    floors.computeIfAbsent(result.cell(), cell -> new HashSet<>())
                            .add(arm);
                }
                if (result.marks().stream().anyMatch(mark -> mark.kind() == MarkKind.OBJECTIVE_MISSED)) {
                    missed.computeIfAbsent(result.cell(), cell -> new HashSet<>())
                            .add(arm);
                }
                put(counted, arm, block, result);
                if (!excluded(invocation) && result.isUsable()) {
                    put(usable, arm, block, result);
                }
            }
        }));
        // Without the blocks in which no rate met the objective, those would be left in which the server was fast.
        missed.forEach((cell, arms) ->
                arms.forEach(arm -> usable.getOrDefault(arm, new HashMap<>()).remove(cell)));
    }

    private static void put(
            Map<String, Map<Cell, SortedMap<Integer, CellResult>>> results, String arm, int block, CellResult result) {
        results.computeIfAbsent(arm, a -> new HashMap<>())
                .computeIfAbsent(result.cell(), c -> new TreeMap<>())
                .putIfAbsent(block, result);
    }

    List<Invocation> all() {
        return all;
    }

    /** Those that count, in the order in which they ran. */
    List<Invocation> inOrder() {
        return all.stream().filter(this::contains).toList();
    }

    boolean contains(Invocation invocation) {
        SortedMap<Integer, Invocation> ofArm = chosen.get(invocation.arm());
        return ofArm != null && ofArm.get(invocation.block()) == invocation;
    }

    SortedMap<Integer, Invocation> of(Arm arm) {
        return chosen.getOrDefault(arm.id(), new TreeMap<>());
    }

    /** Blocks of which at least one invocation came to its end. */
    int blocks() {
        return (int) all.stream()
                .filter(Invocation::measured)
                .mapToInt(Invocation::block)
                .distinct()
                .count();
    }

    List<Judgement.LeftOut> leftOut() {
        return List.copyOf(leftOut);
    }

    /** The arms that ran at the generator's limit in any block of a cell. */
    Set<String> floors(Cell cell) {
        return floors.getOrDefault(cell, Set.of());
    }

    SortedMap<Integer, CellResult> results(Arm arm, Cell cell) {
        return of(usable, arm, cell);
    }

    /** Also those that take part in no verdict: a result is left out because its requests failed, too. */
    SortedMap<Integer, CellResult> counted(Arm arm, Cell cell) {
        return of(counted, arm, cell);
    }

    private static SortedMap<Integer, CellResult> of(
            Map<String, Map<Cell, SortedMap<Integer, CellResult>>> results, Arm arm, Cell cell) {
        return Collections.unmodifiableSortedMap(
                results.getOrDefault(arm.id(), Map.of()).getOrDefault(cell, new TreeMap<>()));
    }

    SortedMap<Integer, Double> values(Arm arm, Cell cell, Metric metric) {
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

    SortedMap<Integer, Double> startUps(Arm arm, Metric metric) {
        SortedMap<Integer, Double> values = new TreeMap<>();
        of(arm).forEach((block, invocation) -> {
            Double value = invocation.startUp().get(metric.key());
            if (value != null && Double.isFinite(value) && !excluded(invocation)) {
                values.put(block, value);
            }
        });
        return values;
    }
}
