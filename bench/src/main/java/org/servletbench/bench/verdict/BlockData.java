package org.servletbench.bench.verdict;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.servletbench.bench.model.Cell;
import org.servletbench.bench.model.Metric;

/**
 * The values of one metric in one cell, for arms that may be compared with each other.
 *
 * @param group what these arms have in common, such as their line; arms of different groups are never compared
 * @param arms ids, the baseline among them, the control not; the order sets which arm of a pair is A
 * @param baseline the arm that the control is a second copy of
 * @param control id of that second copy, if there is one. It is compared with its baseline and with nothing else.
 * @param blocks block number -> arm id -> value in the metric's unit. An arm may be missing from a block; a value that
 *     is NaN, infinite, zero or negative is as good as missing. Values of other arms are ignored.
 * @param floors ids of the arms that ran at the generator's limit in any block of this cell; of response times also of those
 *     of which they are not known. Their throughput is a floor in all blocks; leaving out just the blocks in which they were fast would bias the rest
 * @param resolution how far a single response time may be from the truth because of the clock, in the metric's unit;
 *     0 or NaN where that is not limited
 * @param barred arms that have no verdict because of what their servers did, and why
 */
public record BlockData(
        String group,
        Cell cell,
        Metric metric,
        List<String> arms,
        String baseline,
        Optional<String> control,
        SortedMap<Integer, Map<String, Double>> blocks,
        Set<String> floors,
        double resolution,
        Map<String, Lack> barred) {

    /** Without an arm that may have no verdict. */
    public BlockData(
            String group,
            Cell cell,
            Metric metric,
            List<String> arms,
            String baseline,
            Optional<String> control,
            SortedMap<Integer, Map<String, Double>> blocks,
            Set<String> floors,
            double resolution) {
        this(group, cell, metric, arms, baseline, control, blocks, floors, resolution, Map.of());
    }

    /** @throws IllegalArgumentException if the baseline is no arm, the control is one, or an arm is named twice */
    public BlockData {
        arms = List.copyOf(arms);
        Set<String> names = new HashSet<>(arms);
        if (names.size() != arms.size()) {
            throw new IllegalArgumentException("an arm of group " + group + " is named twice: " + arms);
        }
        if (!names.contains(baseline)) {
            throw new IllegalArgumentException("the baseline " + baseline + " is not among the arms " + arms);
        }
        if (control.isPresent() && names.contains(control.get())) {
            throw new IllegalArgumentException("the control " + control.get() + " is among the arms " + arms);
        }
        SortedMap<Integer, Map<String, Double>> copy = new TreeMap<>();
        blocks.forEach((block, values) -> copy.put(block, Map.copyOf(values)));
        blocks = Collections.unmodifiableSortedMap(copy);
        floors = Set.copyOf(floors);
        barred = Map.copyOf(barred);
    }

    /** The same with other values. */
    public BlockData with(SortedMap<Integer, Map<String, Double>> others) {
        return new BlockData(group, cell, metric, arms, baseline, control, others, floors, resolution, barred);
    }

    /** The differences {@code ln(a) - ln(b)} of the blocks that have both, in the blocks' order. */
    public double[] logRatios(String a, String b) {
        return blocks.keySet().stream()
                .mapToDouble(block -> logRatio(block, a, b))
                .filter(Double::isFinite)
                .toArray();
    }

    /** The difference {@code ln(a) - ln(b)} of one block; NaN unless it has both. */
    public double logRatio(int block, String a, String b) {
        Map<String, Double> values = blocks.getOrDefault(block, Map.of());
        return present(values.get(a)) && present(values.get(b))
                ? Math.log(values.get(a)) - Math.log(values.get(b))
                : Double.NaN;
    }

    /** The geometric mean of an arm's values, over all blocks that have one; NaN without any. */
    public double typical(String arm) {
        double meanLog = blocks.values().stream()
                .map(block -> block.get(arm))
                .filter(BlockData::present)
                .mapToDouble(Math::log)
                .average()
                .orElse(Double.NaN);
        return Math.exp(meanLog);
    }

    /** All unordered pairs of arms, without the control. */
    List<Contrast> contrasts() {
        List<Contrast> contrasts = new ArrayList<>();
        for (int i = 0; i < arms.size(); i++) {
            for (int j = i + 1; j < arms.size(); j++) {
                contrasts.add(new Contrast(group, cell, metric, arms.get(i), arms.get(j)));
            }
        }
        return contrasts;
    }

    Optional<Contrast> guard() {
        return control.map(copy -> new Contrast(group, cell, metric, copy, baseline));
    }

    /** Why one of the two has no verdict because of what its servers did. */
    Optional<Lack> barred(Contrast contrast) {
        return Stream.of(contrast.a(), contrast.b())
                .map(barred::get)
                .filter(Objects::nonNull)
                .min(Comparator.naturalOrder());
    }

    /** What the generator's limit makes of the ratio of two arms. */
    Bound bound(Contrast contrast) {
        boolean a = floors.contains(contrast.a());
        boolean b = floors.contains(contrast.b());
        if (metric.higherIsBetter()) {
            return a && b ? Bound.NONE : a ? Bound.AT_LEAST : b ? Bound.AT_MOST : Bound.EXACT;
        }
        return metric.kind() == Metric.Kind.LATENCY && (a || b) ? Bound.NONE : Bound.EXACT;
    }

    /**
     * By how much the clock may have moved the mean of ln(A/B). A value v stands for anything from {@code v - r} to
     * {@code v + r}, and the errors of a percentile have no reason to differ from block to block, so they do not average
     * out: the mean over blocks of {@code ln((A - r) / (B + r)) - ln(A / B)} below, and of
     * {@code ln((A + r) / (B - r)) - ln(A / B)} above. A value of r or less may be as small as any.
     */
    Interval clock(Contrast contrast) {
        if (!metric.isSingleTime() || !(resolution > 0)) {
            return new Interval(0, 0);
        }
        double low = 0;
        double high = 0;
        int n = 0;
        for (Map<String, Double> block : blocks.values()) {
            if (present(block.get(contrast.a())) && present(block.get(contrast.b()))) {
                double a = resolution / block.get(contrast.a());
                double b = resolution / block.get(contrast.b());
                low += Math.log(Math.max(0, 1 - a)) - Math.log1p(b);
                high += Math.log1p(a) - Math.log(Math.max(0, 1 - b));
                n++;
            }
        }
        return new Interval(low / n, high / n);
    }

    /** By how much the clock may move the mean of any pair at most, as a logarithm; 0 where it does not count. */
    public double clockMost() {
        return contrasts().stream()
                .map(this::clock)
                .mapToDouble(clock -> Math.max(-clock.low(), clock.high()))
                .filter(Double::isFinite)
                .max()
                .orElse(0);
    }

    static boolean present(Double value) {
        return value != null && value > 0 && value < Double.POSITIVE_INFINITY;
    }
}
