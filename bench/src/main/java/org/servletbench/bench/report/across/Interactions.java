package org.servletbench.bench.report.across;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.commons.statistics.descriptive.StandardDeviation;
import org.servletbench.bench.model.Cell;
import org.servletbench.bench.model.Load;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.CellResult;
import org.servletbench.bench.record.Judgement;
import org.servletbench.bench.record.Judgement.Group;
import org.servletbench.bench.verdict.Estimate;
import org.servletbench.bench.verdict.PairVerdict;
import org.servletbench.bench.verdict.SampleSize;
import org.servletbench.bench.verdict.Spread;

/**
 * Whether two generators contradict each other about two containers: the interaction, which is the difference between
 * generators of the log ratio of the two, taken within every block and tested at the campaign's level divided by the number of
 * all such tests (Bonferroni).
 */
public record Interactions(Judgement judgement) {

    /** Every load of more than one generator, with its cells. */
    public Map<Load, List<Cell>> loads() {
        Map<Load, List<Cell>> loads = new LinkedHashMap<>();
        judgement.cells().stream().filter(cell -> cell.tier() > 0).forEach(cell -> loads.computeIfAbsent(
                        cell.load(), load -> new ArrayList<>())
                .add(cell));
        loads.values().removeIf(cells -> cells.size() < 2);
        return loads;
    }

    public List<CellResult> results(Arm arm, Cell cell) {
        return judgement.servers(arm).values().stream()
                .flatMap(invocation -> invocation.cells().stream())
                .filter(result -> result.cell().equals(cell))
                .toList();
    }

    /**
     * Two arms under two generators.
     *
     * @param differences of the log ratio one / other, first minus second, one for each block that has all four
     * @param spread their mean with its interval at the level of one test
     */
    public record Interaction(Arm one, Arm other, Cell first, Cell second, double[] differences, Spread spread) {

        /** Whether the log ratio is not the same under both. */
        public boolean contradicts() {
            return spread.hasInterval() && (spread.low() > 0 || spread.high() < 0);
        }

        /** Whether it is certainly no more than the margin, as a logarithm. */
        public boolean within(double logMargin) {
            return spread.low() > -logMargin && spread.high() < logMargin;
        }
    }

    /** The mean ratio one / other of the throughput. */
    public double ratio(Arm one, Arm other, Cell cell) {
        return Math.exp(Spread.of(
                        values(logRatios(cell, one, other)),
                        false,
                        judgement.settings().alpha())
                .mean());
    }

    /** What this test finds with the campaign's power, as ratio - 1, also if its spread is small by luck; NaN without a spread. */
    public double detectable(Interaction one) {
        double sd = StandardDeviation.of(one.differences()).getAsDouble();
        int blocks = one.differences().length;
        return sd > 0
                ? SampleSize.detectable(sd * Estimate.unlucky(blocks - 1.0), blocks, tests(), judgement.settings())
                : Double.NaN;
    }

    private static double[] values(SortedMap<Integer, Double> byBlock) {
        return byBlock.values().stream().mapToDouble(Double::doubleValue).toArray();
    }

    /** How many interactions the section tests, whatever became of them: decided before anything was measured. */
    public int tests() {
        return judgement.groups().stream()
                .mapToInt(group -> loads().values().stream()
                        .mapToInt(cells -> pairs(compared(group).size()) * pairs(cells.size()))
                        .sum())
                .sum();
    }

    private static int pairs(int number) {
        return number * (number - 1) / 2;
    }

    /** Every pair of arms under every pair of generators. */
    public List<Interaction> interactions(Group group, List<Cell> cells) {
        List<Interaction> all = new ArrayList<>();
        List<Arm> arms = compared(group);
        for (int i = 0; i < arms.size(); i++) {
            for (int j = i + 1; j < arms.size(); j++) {
                for (int k = 0; k < cells.size(); k++) {
                    for (int l = k + 1; l < cells.size(); l++) {
                        interaction(arms.get(i), arms.get(j), cells.get(k), cells.get(l))
                                .ifPresent(all::add);
                    }
                }
            }
        }
        return all;
    }

    /** Empty where a throughput is a floor: then no ratio is known. */
    private Optional<Interaction> interaction(Arm one, Arm other, Cell first, Cell second) {
        if (Stream.of(first, second)
                .anyMatch(cell -> judgement.hasFloor(one, cell) || judgement.hasFloor(other, cell))) {
            return Optional.empty();
        }
        SortedMap<Integer, Double> under = logRatios(first, one, other);
        SortedMap<Integer, Double> against = logRatios(second, one, other);
        double[] differences = under.keySet().stream()
                .filter(against::containsKey)
                .mapToDouble(block -> under.get(block) - against.get(block))
                .toArray();
        return Optional.of(new Interaction(
                one,
                other,
                first,
                second,
                differences,
                Spread.of(differences, false, judgement.settings().alpha() / tests())));
    }

    /** ln(one / other) of the throughput, by block. */
    private SortedMap<Integer, Double> logRatios(Cell cell, Arm one, Arm other) {
        SortedMap<Integer, Double> ofOther = judgement.values(other, cell, Metric.THROUGHPUT);
        SortedMap<Integer, Double> ratios = new TreeMap<>();
        judgement.values(one, cell, Metric.THROUGHPUT).forEach((block, value) -> {
            double log = Math.log(value / ofOther.getOrDefault(block, Double.NaN));
            if (Double.isFinite(log)) {
                ratios.put(block, log);
            }
        });
        return ratios;
    }

    public Spread throughput(Arm arm, Cell cell) {
        return judgement.describe(arm, cell, Metric.THROUGHPUT);
    }

    public static List<Arm> compared(Group group) {
        return group.all().stream().filter(Arm::isRanked).toList();
    }

    /** 1 if the first is faster beyond doubt, -1 if the other is, 0 if the blocks do not tell: by the verdict, where there is one. */
    public int sign(Group group, Cell cell, Arm one, Arm other) {
        Optional<PairVerdict> judged = judgement.pairs(group, cell, Metric.THROUGHPUT).stream()
                .filter(pair -> Set.of(pair.claim().a(), pair.claim().b()).equals(Set.of(one.id(), other.id())))
                .findFirst();
        if (judged.isPresent()) {
            boolean oneIsFaster =
                    judged.get().claim().a().equals(one.id()) == judged.get().aLooksBetter();
            return judged.get().verdict().namesADifference() ? oneIsFaster ? 1 : -1 : 0;
        }
        double level =
                judgement.settings().alpha() / Math.max(1, pairs(compared(group).size()));
        Spread spread = Spread.of(values(logRatios(cell, one, other)), false, level);
        if (!spread.hasInterval()) {
            return 0;
        }
        // A floor may lie above what seems faster.
        return spread.low() > 0 && !judgement.hasFloor(other, cell)
                ? 1
                : spread.high() < 0 && !judgement.hasFloor(one, cell) ? -1 : 0;
    }
}
