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
import java.util.function.DoubleUnaryOperator;
import java.util.stream.Stream;
import org.servletbench.bench.comparison.Effect;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.Metric;

/**
 * The values of one metric in one load, for arms that may be compared with each other.
 *
 * <p>In a pair with another arm, the baseline's figure of a block is the mean of the logarithms of both copies, which
 * are servers of one jar ({@link Baseline#BOTH_COPIES}). If only one copy of a block is usable, it is the figure of
 * that copy. Its difference then has 2 instead of 1.5 times the variance of one server, which {@link #variance} takes
 * into account. The block has the same weight as the others, though: weights of 3 and 4 would reduce the variance by at
 * most 2 %, and with equal weights the sample variance stays unbiased. Dropping such a block would lose all of its
 * arms. A pair is a floor, or has no verdict, if this applies to either copy. Otherwise the copy that did well would be
 * chosen.
 *
 * @param group common property of these arms, such as their version of Spring Boot; arms of different groups are never
 *     compared
 * @param arms ids, including the baseline but not the control; their order determines which arm of a pair is A
 * @param baseline the arm of which the control is a second copy
 * @param control id of that second copy, if there is one. It is compared only with its baseline.
 * @param blocks values in the metric's unit, by block number and arm id. An arm may be missing from a block; a value
 *     that is NaN, infinite, zero or negative counts as missing. Values of other arms are ignored.
 * @param floors ids of the arms that ran at the generator's limit in any block of this load; for response times, also
 *     of arms whose times are unknown. Their throughput is a floor in all blocks, because leaving out only the blocks
 *     in which they were fast would bias the rest
 * @param resolution largest error of a single response time because of the clock, in the metric's unit; 0 or NaN if
 *     there is none
 * @param barred arms without a verdict because of their servers' behavior, with the reason
 * @param rule rule for the figure with which the other arms are compared; without a control, it is that of the
 *     baseline's only copy
 * @param effects effects of a factorial, which are judged instead of the pairs of arms; empty in other comparisons
 */
public record BlockData(
        String group,
        MeasuredLoad load,
        Metric metric,
        List<String> arms,
        String baseline,
        Optional<String> control,
        SortedMap<Integer, Map<String, Double>> blocks,
        Set<String> floors,
        double resolution,
        Map<String, NoVerdictReason> barred,
        Baseline rule,
        List<Effect> effects) {

    /** Creates data in which arms are compared with both copies, and all arms may have a verdict. */
    public BlockData(
            String group,
            MeasuredLoad load,
            Metric metric,
            List<String> arms,
            String baseline,
            Optional<String> control,
            SortedMap<Integer, Map<String, Double>> blocks,
            Set<String> floors,
            double resolution) {
        this(
                group,
                load,
                metric,
                arms,
                baseline,
                control,
                blocks,
                floors,
                resolution,
                Map.of(),
                Baseline.BOTH_COPIES,
                List.of());
    }

    /**
     * @throws IllegalArgumentException if the baseline is not an arm, the control is one, an arm is named twice, or an
     * effect has an unknown arm
     */
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
        effects = List.copyOf(effects);
        if (!effects.stream().allMatch(effect -> names.containsAll(effect.a()) && names.containsAll(effect.b()))) {
            throw new IllegalArgumentException("an effect has an arm that is not among " + arms);
        }
        SortedMap<Integer, Map<String, Double>> copy = new TreeMap<>();
        blocks.forEach((block, values) -> copy.put(block, Map.copyOf(values)));
        blocks = Collections.unmodifiableSortedMap(copy);
        floors = Set.copyOf(floors);
        barred = Map.copyOf(barred);
    }

    /** Returns this data with other values. */
    public BlockData with(SortedMap<Integer, Map<String, Double>> others) {
        return new BlockData(
                group, load, metric, arms, baseline, control, others, floors, resolution, barred, rule, effects);
    }

    /** Returns this data with these arms excluded from verdicts. */
    public BlockData barring(Map<String, NoVerdictReason> others) {
        return new BlockData(
                group, load, metric, arms, baseline, control, blocks, floors, resolution, others, rule, effects);
    }

    /** Returns this data with another rule for the baseline. */
    public BlockData with(Baseline other) {
        return new BlockData(
                group, load, metric, arms, baseline, control, blocks, floors, resolution, barred, other, effects);
    }

    /** Returns this data with the effects of a factorial. */
    public BlockData with(List<Effect> others) {
        return new BlockData(
                group, load, metric, arms, baseline, control, blocks, floors, resolution, barred, rule, others);
    }

    /**
     * Returns the ids of an arm's servers in a pair. The baseline has both copies, except in its pair with the control.
     */
    List<String> copies(String arm, String beside) {
        boolean both = rule == Baseline.BOTH_COPIES
                && arm.equals(baseline)
                && control.isPresent()
                && !control.get().equals(beside);
        return both ? List.of(baseline, control.get()) : List.of(arm);
    }

    /**
     * Returns a side of a contrast: its arms, each given by the ids of its servers. A side of an effect may have
     * several arms, and a block must have all of them. Any other side is a single arm.
     */
    List<List<String>> side(String one, String beside) {
        return effects.stream()
                .filter(effect -> effect.name().equals(one) || effect.name().equals(beside))
                .findFirst()
                .map(effect -> (effect.name().equals(one) ? effect.a() : effect.b())
                        .stream().map(arm -> copies(arm, "")).toList())
                .orElseGet(() -> List.of(copies(one, beside)));
    }

    /** Returns a mean over the arms of a side in a block; NaN if an arm has no usable value. */
    private static double meanOf(Map<String, Double> block, List<List<String>> side, DoubleUnaryOperator of) {
        double sum = 0;
        for (List<String> servers : side) {
            sum += mean(block, servers, of);
        }
        return sum / side.size();
    }

    /** True if a block has all arms of a side. */
    private static boolean has(Map<String, Double> block, List<List<String>> side) {
        return side.stream().allMatch(servers -> usable(block, servers) > 0);
    }

    /** Returns the variance of a side's mean in a block, in variances of one server; infinite if an arm is missing. */
    private static double variance(Map<String, Double> block, List<List<String>> side) {
        double sum = 0;
        for (List<String> servers : side) {
            sum += 1.0 / usable(block, servers);
        }
        return sum / side.size() / side.size();
    }

    /** Returns a mean over the usable values of some servers in a block; NaN if there are none. */
    private static double mean(Map<String, Double> block, List<String> servers, DoubleUnaryOperator of) {
        double sum = 0;
        for (String server : servers) {
            Double value = block.get(server);
            sum += present(value) ? of.applyAsDouble(value) : 0;
        }
        return sum / usable(block, servers);
    }

    private static int usable(Map<String, Double> block, List<String> servers) {
        int usable = 0;
        for (String server : servers) {
            usable += present(block.get(server)) ? 1 : 0;
        }
        return usable;
    }

    /** Returns the differences {@code ln(a) - ln(b)} of the blocks that have both, in the order of blocks. */
    public double[] logRatios(String a, String b) {
        List<List<String>> ofA = side(a, b);
        List<List<String>> ofB = side(b, a);
        return blocks.values().stream()
                .mapToDouble(block -> meanOf(block, ofA, Math::log) - meanOf(block, ofB, Math::log))
                .filter(Double::isFinite)
                .toArray();
    }

    /** Returns the difference {@code ln(a) - ln(b)} of one block; NaN unless the block has both. */
    public double logRatio(int block, String a, String b) {
        Map<String, Double> values = blocks.getOrDefault(block, Map.of());
        return meanOf(values, side(a, b), Math::log) - meanOf(values, side(b, a), Math::log);
    }

    /**
     * Returns the expected variance of a pair's differences, in variances of one server: 2 between two servers, 1.5
     * between a server and the mean of two, less between means of several arms. If blocks differ, it is the mean over
     * those that have both sides.
     */
    double variance(String a, String b) {
        List<List<String>> ofA = side(a, b);
        List<List<String>> ofB = side(b, a);
        return blocks.values().stream()
                .mapToDouble(block -> variance(block, ofA) + variance(block, ofB))
                .filter(Double::isFinite)
                .average()
                .orElse(2);
    }

    /** Returns the geometric mean of an arm's figures, over all blocks that have one; NaN if none has. */
    public double typical(String arm) {
        double meanLog = blocks.values().stream()
                .mapToDouble(block -> mean(block, copies(arm, ""), Math::log))
                .filter(Double::isFinite)
                .average()
                .orElse(Double.NaN);
        return Math.exp(meanLog);
    }

    /** Returns all unordered pairs of arms, without the control. */
    List<Contrast> contrasts() {
        List<Contrast> contrasts = new ArrayList<>();
        for (int i = 0; i < arms.size(); i++) {
            for (int j = i + 1; j < arms.size(); j++) {
                contrasts.add(new Contrast(group, load, metric, arms.get(i), arms.get(j)));
            }
        }
        return contrasts;
    }

    /** Returns the effects of a factorial as contrasts; empty in other comparisons. */
    List<Contrast> effectContrasts() {
        return effects.stream()
                .map(effect -> new Contrast(group, load, metric, effect.name(), ""))
                .toList();
    }

    Optional<Contrast> guard() {
        return control.map(copy -> new Contrast(group, load, metric, copy, baseline));
    }

    /** Returns why one of the two arms has no verdict because of its servers' behavior; empty if both may have one. */
    Optional<NoVerdictReason> barred(Contrast contrast) {
        return Stream.of(barred(contrast.a(), contrast.b()), barred(contrast.b(), contrast.a()))
                .flatMap(Optional::stream)
                .min(Comparator.naturalOrder());
    }

    /** Returns why an arm has no verdict in a pair because of its own servers' behavior; empty if it may have one. */
    Optional<NoVerdictReason> barred(String arm, String beside) {
        return side(arm, beside).stream()
                .flatMap(List::stream)
                .map(barred::get)
                .filter(Objects::nonNull)
                .min(Comparator.naturalOrder());
    }

    /** True if an arm's figure is a floor in its pair with another arm. */
    boolean isFloor(String arm, String beside) {
        return side(arm, beside).stream().flatMap(List::stream).anyMatch(floors::contains);
    }

    /** Returns how the generator's limit affects the ratio of two arms. */
    Bound bound(Contrast contrast) {
        boolean a = isFloor(contrast.a(), contrast.b());
        boolean b = isFloor(contrast.b(), contrast.a());
        if (metric.higherIsBetter()) {
            return a && b ? Bound.NONE : a ? Bound.AT_LEAST : b ? Bound.AT_MOST : Bound.EXACT;
        }
        return metric.kind() == Metric.Kind.LATENCY && (a || b) ? Bound.NONE : Bound.EXACT;
    }

    /**
     * Returns the largest shifts of the mean of ln(A/B) that the clock can cause. A value v represents anything from
     * {@code v - r} to {@code v + r}. The errors of a percentile have no reason to differ from block to block, so they
     * do not average out. The shift downwards is the mean over blocks of {@code ln((A - r) / (B + r)) - ln(A / B)}, the
     * shift upwards that of {@code ln((A + r) / (B - r)) - ln(A / B)}. A value of r or less may be arbitrarily small.
     */
    Interval clock(Contrast contrast) {
        if (!metric.isSingleTime() || !(resolution > 0)) {
            return new Interval(0, 0);
        }
        List<List<String>> a = side(contrast.a(), contrast.b());
        List<List<String>> b = side(contrast.b(), contrast.a());
        double low = 0;
        double high = 0;
        int n = 0;
        for (Map<String, Double> block : blocks.values()) {
            if (has(block, a) && has(block, b)) {
                low += meanOf(block, a, this::lower) - meanOf(block, b, this::higher);
                high += meanOf(block, a, this::higher) - meanOf(block, b, this::lower);
                n++;
            }
        }
        return new Interval(low / n, high / n);
    }

    private double lower(double value) {
        return Math.log(Math.max(0, 1 - resolution / value));
    }

    private double higher(double value) {
        return Math.log1p(resolution / value);
    }

    /**
     * Returns the largest shift of the mean of any pair that the clock can cause, as a logarithm; 0 if the clock does
     * not matter.
     */
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
