package org.servletbench.bench.verdict;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Shares;

/**
 * All claims of a campaign, judged together: every pair of every comparison.
 *
 * <p>Each comparison has one block model. Its intervals hold together (max-t, see {@link Critical}) at the level
 * {@code alpha / comparisons} (Bonferroni). All intervals of the family therefore hold the true ratios of the
 * campaign's own time with a probability of at least {@code 1 - alpha}. They do not include the variation from campaign
 * to campaign: see {@link Pooled}.
 *
 * <p>The controls (A/A copies) are not contrasts, and do not weaken the contrasts. A control is HELD if its own 90 %
 * interval lies inside the margin: two one-sided tests at 5 %, uncorrected, because the guard holds only if all
 * controls do. It is BROKEN only if its interval at the level {@code alpha / controls} lies outside as well. So at most
 * alpha of the campaigns without a bias are void.
 *
 * <p>In a factorial, effects are judged instead of pairs. Their intervals hold together. The intervals of the pairs of
 * arms, which hold together among themselves, are only shown.
 *
 * @param pairs the contrasts, in the order of the comparisons and their arms
 * @param effects effects of factorials, in the order of the comparisons
 * @param controls the control against its baseline, for each comparison that has one
 * @param others number of intervals besides those of the pairs, such as of one arm's own figure; each takes a share of
 *     the level, as a comparison does
 */
public record MultipleComparison(
        Settings settings,
        List<BlockData> comparisons,
        List<PairVerdict> pairs,
        List<PairVerdict> effects,
        List<PairVerdict> controls,
        int others) {

    /** Level of the controls' intervals: two one-sided tests at 5 %. */
    static final double CONTROL_LEVEL = 0.10;

    /** Level of the controls' intervals, for people. */
    public static final String CONTROL_CONFIDENCE = Math.round(100 * (1 - CONTROL_LEVEL)) + " %";

    /**
     * Judges all claims together.
     *
     * @throws IllegalArgumentException if group, load and metric of two comparisons are the same
     */
    public static MultipleComparison of(List<BlockData> comparisons, Settings settings) {
        return of(comparisons, settings, 0);
    }

    /** Judges all claims together with this number of further intervals. */
    public static MultipleComparison of(List<BlockData> comparisons, Settings settings, int others) {
        return of(comparisons, settings, others, settings.alpha());
    }

    /**
     * Judges all claims together with another level of the controls.
     *
     * @param breaking probability that the A/A check of a campaign without a bias fails, in (0, 1)
     */
    public static MultipleComparison of(List<BlockData> comparisons, Settings settings, int others, double breaking) {
        Set<List<Object>> seen = new HashSet<>();
        for (BlockData comparison : comparisons) {
            if (!seen.add(List.of(comparison.group(), comparison.load(), comparison.metric()))) {
                throw new IllegalArgumentException("compared twice: "
                        + comparison.metric().words() + " of " + comparison.load() + " in group " + comparison.group());
            }
        }
        double level = level(comparisons, settings, others);
        double breakingEach = breaking
                / Math.max(
                        1,
                        comparisons.stream()
                                .filter(c -> c.control().isPresent())
                                .count());
        List<PairVerdict> pairs = new ArrayList<>();
        List<PairVerdict> effects = new ArrayList<>();
        List<PairVerdict> controls = new ArrayList<>();
        for (BlockData comparison : comparisons) {
            BlockModel model = new BlockModel(comparison);
            double critical = model.critical(comparison.contrasts(), level);
            for (Contrast contrast : comparison.contrasts()) {
                PairVerdict pair = judge(comparison, model.estimate(contrast), contrast, critical, settings);
                pairs.add(comparison.effects().isEmpty() ? pair : pair.withoutVerdict());
            }
            double ofEffects = model.critical(comparison.effectContrasts(), level);
            for (Contrast contrast : comparison.effectContrasts()) {
                effects.add(judge(comparison, model.estimate(contrast), contrast, ofEffects, settings));
            }
            comparison.guard().ifPresent(guard -> {
                Estimate estimate = model.estimate(guard);
                PairVerdict own =
                        judge(comparison, estimate, guard, model.critical(List.of(guard), CONTROL_LEVEL), settings);
                PairVerdict strict =
                        judge(comparison, estimate, guard, model.critical(List.of(guard), breakingEach), settings);
                controls.add(control(own, strict));
            });
        }
        return new MultipleComparison(
                settings,
                List.copyOf(comparisons),
                List.copyOf(pairs),
                List.copyOf(effects),
                List.copyOf(controls),
                others);
    }

    /** Computes the interval and the verdict, with a reason if it is INCONCLUSIVE. */
    private static PairVerdict judge(
            BlockData comparison, Estimate estimate, Contrast contrast, double critical, Settings settings) {
        Metric metric = contrast.metric();
        double margin = settings.logMargin(metric);
        Bound bound = comparison.bound(contrast);
        Interval noise = Interval.around(estimate, critical);
        Interval clock = comparison.clock(contrast);
        Interval whole = estimate.spreads() ? bounded(noise.plus(clock), bound) : Interval.NONE;
        Optional<NoVerdictReason> barred = comparison.barred(contrast);
        Verdict verdict =
                barred.isPresent() ? Verdict.INCONCLUSIVE : Verdict.decide(whole.low(), whole.high(), margin, metric);
        NoVerdictReason reason = barred.orElse(null);
        if (barred.isPresent()) {
            // Neither more blocks nor a finer clock would help.
        } else if (!estimate.possible()) {
            reason = NoVerdictReason.TOO_FEW_BLOCKS;
        } else if (verdict == Verdict.INCONCLUSIVE && bound != Bound.EXACT) {
            reason = NoVerdictReason.FLOOR;
        } else if (!estimate.spreads()) {
            reason = NoVerdictReason.NO_SPREAD;
        } else if (verdict == Verdict.INCONCLUSIVE) {
            boolean noiseDecides = Verdict.decide(noise.low(), noise.high(), margin, metric) != Verdict.INCONCLUSIVE;
            reason = noiseDecides ? NoVerdictReason.RESOLUTION : NoVerdictReason.SPREAD;
        }
        boolean measured = estimate.spreads();
        return new PairVerdict(
                contrast,
                estimate,
                Math.exp(whole.low()),
                Math.exp(whole.high()),
                measured ? Math.expm1(critical * estimate.error()) : Double.NaN,
                bound,
                measured && bound == Bound.EXACT && barred.isEmpty()
                        ? Math.expm1(TPower.noncentrality(estimate.df(), critical, settings.power()) * estimate.error()
                                + Math.max(-clock.low(), clock.high()))
                        : Double.NaN,
                verdict,
                Optional.ofNullable(reason));
    }

    private static Interval bounded(Interval interval, Bound bound) {
        return switch (bound) {
            case EXACT -> interval;
            case AT_LEAST -> new Interval(interval.low(), Double.POSITIVE_INFINITY);
            case AT_MOST -> new Interval(Double.NEGATIVE_INFINITY, interval.high());
            case NONE -> new Interval(Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);
        };
    }

    /**
     * Returns the control with its own interval. It is EQUIVALENT only if that interval lies inside the margin, and
     * FASTER or SLOWER only if the strict interval lies outside as well.
     */
    private static PairVerdict control(PairVerdict own, PairVerdict strict) {
        boolean broken = strict.verdict() == Verdict.FASTER || strict.verdict() == Verdict.SLOWER;
        boolean held = own.verdict() == Verdict.EQUIVALENT;
        Verdict verdict = broken || held ? own.verdict() : Verdict.INCONCLUSIVE;
        return own.with(verdict, verdict == Verdict.INCONCLUSIVE ? own.reason().orElse(NoVerdictReason.SPREAD) : null);
    }

    /** Returns the same estimates and intervals without conclusions: all contrasts are INCONCLUSIVE. */
    public MultipleComparison withoutVerdicts() {
        return new MultipleComparison(
                settings,
                comparisons,
                pairs.stream().map(PairVerdict::withoutVerdict).toList(),
                effects.stream().map(PairVerdict::withoutVerdict).toList(),
                controls,
                others);
    }

    /** Returns the outcome of the A/A check, which is the worst of all controls. */
    public AaCheck guard() {
        return AaCheck.worst(controls);
    }

    /** True if no verdict of this family may be used because the A/A check failed. */
    public boolean isVoid() {
        return guard() == AaCheck.BROKEN;
    }

    /**
     * Returns the largest bias that the controls could have missed, as {@code ratio - 1}: the farthest end of their 90
     * % intervals. Infinite if there is no control, or one has no interval.
     */
    public double biasNotExcluded() {
        return controls.stream()
                .mapToDouble(PairVerdict::notExcluded)
                .map(bias -> Double.isNaN(bias) ? Double.POSITIVE_INFINITY : bias)
                .max()
                .orElse(Double.POSITIVE_INFINITY);
    }

    /** Returns the residual of one comparison's block model: the noise from server to server within a block. */
    public static Residual residual(BlockData comparison) {
        return new BlockModel(comparison).residual();
    }

    /** Returns the contrasts of one comparison, in the order of its arms. */
    public List<PairVerdict> pairs(String group, MeasuredLoad load, Metric metric) {
        return of(pairs, group, load, metric);
    }

    /** Returns the effects of one comparison; empty if it is not a factorial. */
    public List<PairVerdict> effects(String group, MeasuredLoad load, Metric metric) {
        return of(effects, group, load, metric);
    }

    private static List<PairVerdict> of(List<PairVerdict> all, String group, MeasuredLoad load, Metric metric) {
        return all.stream()
                .filter(pair -> pair.contrast().group().equals(group)
                        && pair.contrast().load().equals(load)
                        && pair.contrast().metric().equals(metric))
                .toList();
    }

    /** Returns everything that is judged: the effects of a factorial, else the pairs of arms. */
    public List<PairVerdict> judged() {
        return effects.isEmpty() ? pairs : effects;
    }

    /**
     * Returns the true difference that the blocks of a comparison would most likely have found, as {@code ratio - 1}.
     * It is that of the pair that is hardest to separate, with the noise at its upper 95 % limit, because blocks that
     * spread little by luck find less than their spread suggests. In simulations (DetectableSimulationTest), it is
     * found in at least 78 % of campaigns, even if the spread is small by luck. Infinite if the clock hides any
     * difference; NaN without an interval.
     */
    public double detectable(BlockData comparison) {
        return of(judged(), comparison.group(), comparison.load(), comparison.metric()).stream()
                .filter(pair -> !Double.isNaN(pair.detectable()))
                .mapToDouble(pair -> detectable(pair, comparison.clock(pair.contrast())))
                .max()
                .orElse(Double.NaN);
    }

    private static double detectable(PairVerdict pair, Interval clock) {
        double hidden = Math.max(-clock.low(), clock.high());
        double byNoise = Math.log1p(pair.detectable()) - hidden;
        return Double.isInfinite(pair.detectable())
                ? pair.detectable()
                : Math.expm1(byNoise * Estimate.unlucky(pair.estimate().df()) + hidden);
    }

    /**
     * Returns the number of parts into which the level is divided: comparisons with more than one arm, plus
     * {@link #others}.
     */
    public long shares() {
        return shares(comparisons, others);
    }

    /** Returns the level of each of the other intervals. */
    public double level() {
        return level(comparisons, settings, others);
    }

    private static double level(List<BlockData> comparisons, Settings settings, int others) {
        return settings.alpha() / Math.max(1, shares(comparisons, others));
    }

    private static long shares(List<BlockData> comparisons, int others) {
        return comparisons.stream().filter(one -> one.arms().size() > 1).count() + others;
    }

    /**
     * Returns the half width of the widest interval of all contrasts, as {@code ratio - 1}, which the precision limits.
     * Infinite if a contrast has no interval yet.
     */
    public double widestHalfWidth() {
        return judged().stream()
                .mapToDouble(PairVerdict::halfWidth)
                .map(width -> Double.isNaN(width) ? Double.POSITIVE_INFINITY : width)
                .max()
                .orElse(Double.POSITIVE_INFINITY);
    }

    /**
     * Returns the half width of the widest interval if metrics have different precisions. Each half width is converted
     * to that of one metric, so that it is equally wide relative to the metric's share.
     *
     * @param asked share for each metric
     * @param as the metric to which half widths are converted
     */
    public double widestHalfWidth(Shares asked, Metric as) {
        return judged().stream()
                .mapToDouble(pair ->
                        asked.halfWidth(pair.halfWidth(), pair.contrast().metric(), as))
                .map(width -> Double.isNaN(width) ? Double.POSITIVE_INFINITY : width)
                .max()
                .orElse(Double.POSITIVE_INFINITY);
    }

    /**
     * Returns the half width of the widest interval, ignoring contrasts without one, because more blocks give no
     * interval to an arm without usable figures. NaN if no contrast has one.
     */
    public double widestHalfWidthKnown(Shares asked, Metric as) {
        return judged().stream()
                .mapToDouble(pair ->
                        asked.halfWidth(pair.halfWidth(), pair.contrast().metric(), as))
                .filter(Double::isFinite)
                .max()
                .orElse(Double.NaN);
    }

    /** Returns the control of one comparison against its baseline; empty if there is none. */
    public Optional<PairVerdict> control(BlockData comparison) {
        return comparison.guard().flatMap(guard -> controls.stream()
                .filter(control -> control.contrast().equals(guard))
                .findFirst());
    }
}
