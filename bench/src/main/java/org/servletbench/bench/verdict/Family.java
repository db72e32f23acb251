package org.servletbench.bench.verdict;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * All that is claimed together, judged together: every pair of every comparison.
 *
 * <p>The controls are no claims. They are judged by the same rule in a family of their own, so that a control more does
 * not make the claims weaker, and the chance that a sound campaign is called void stays at or below alpha however many
 * controls there are.
 *
 * @param settings what was decided beforehand
 * @param comparisons what was compared
 * @param pairs the claims, in the order of the comparisons and their arms
 * @param controls the control against its baseline, for each comparison that has one
 */
public record Family(
        Settings settings, List<Comparison> comparisons, List<PairVerdict> pairs, List<PairVerdict> controls) {

    /**
     * Judges.
     *
     * @param comparisons all that is claimed together
     * @param settings level, margin and power
     * @throws IllegalArgumentException if group, cell and metric of two comparisons are the same
     */
    public static Family of(List<Comparison> comparisons, Settings settings) {
        List<Claim> claims = new ArrayList<>();
        List<Estimate> estimates = new ArrayList<>();
        List<Claim> guards = new ArrayList<>();
        List<Estimate> guardEstimates = new ArrayList<>();
        Set<List<Object>> seen = new HashSet<>();
        for (Comparison comparison : comparisons) {
            if (!seen.add(List.of(comparison.group(), comparison.cell(), comparison.metric()))) {
                throw new IllegalArgumentException("compared twice: "
                        + comparison.metric().id() + " of " + comparison.cell() + " in group " + comparison.group());
            }
            for (Claim claim : comparison.claims()) {
                claims.add(claim);
                estimates.add(estimate(comparison, claim, settings));
            }
            comparison.guard().ifPresent(guard -> {
                guards.add(guard);
                guardEstimates.add(estimate(comparison, guard, settings));
            });
        }
        return new Family(
                settings,
                List.copyOf(comparisons),
                judge(claims, estimates, settings),
                judge(guards, guardEstimates, settings));
    }

    private static Estimate estimate(Comparison comparison, Claim claim, Settings settings) {
        return Estimate.of(comparison.logRatios(claim.a(), claim.b()), settings.logMargin());
    }

    /** Adjusts, draws the intervals, decides. */
    private static List<PairVerdict> judge(List<Claim> claims, List<Estimate> estimates, Settings settings) {
        double[] pHolm = Holm.adjust(estimates.stream().mapToDouble(Estimate::p).toArray());
        double[] tostHolm =
                Holm.adjust(estimates.stream().mapToDouble(Estimate::tostP).toArray());
        Map<Integer, Reach> reaches = new HashMap<>();
        List<PairVerdict> verdicts = new ArrayList<>();
        for (int i = 0; i < claims.size(); i++) {
            Estimate estimate = estimates.get(i);
            double low = Double.NaN;
            double high = Double.NaN;
            double detectable = Double.NaN;
            if (estimate.possible()) {
                Reach reach = reaches.computeIfAbsent(estimate.n(), n -> Reach.of(n, claims.size(), settings));
                low = estimate.meanLog() - reach.interval() * estimate.standardError();
                high = estimate.meanLog() + reach.interval() * estimate.standardError();
                detectable =
                        estimate.spreads() ? Math.expm1(reach.detectable() * estimate.standardError()) : Double.NaN;
            }
            Verdict verdict = Verdict.decide(
                    low,
                    high,
                    pHolm[i] <= settings.alpha(),
                    tostHolm[i] <= settings.alpha(),
                    settings.logMargin(),
                    claims.get(i).metric().better());
            verdicts.add(new PairVerdict(
                    claims.get(i),
                    estimate,
                    Math.exp(low),
                    Math.exp(high),
                    pHolm[i],
                    tostHolm[i],
                    detectable,
                    CrossCheck.of(estimate, settings.alpha()),
                    verdict));
        }
        return List.copyOf(verdicts);
    }

    /**
     * What n blocks reach, in standard errors.
     *
     * @param interval from the mean to either end of the simultaneous interval
     * @param detectable the smallest difference found with the power asked for
     */
    private record Reach(double interval, double detectable) {
        static Reach of(int blocks, int claims, Settings settings) {
            double each = settings.alpha() / claims;
            return new Reach(
                    TDistribution.of(blocks - 1).inverseSurvivalProbability(each / 2),
                    new TPower(blocks - 1, each).noncentrality(settings.power()));
        }
    }

    /** The same estimates and intervals, from which nothing is concluded: every claim is INCONCLUSIVE. */
    public Family withoutVerdicts() {
        return new Family(
                settings,
                comparisons,
                pairs.stream().map(PairVerdict::withoutVerdict).toList(),
                controls);
    }

    /** What became of the A/A guard. */
    public Guard guard() {
        if (controls.stream().anyMatch(Family::breaks)) {
            return Guard.BROKEN;
        }
        boolean tested = !controls.isEmpty()
                && controls.stream().allMatch(control -> control.estimate().possible());
        return tested ? Guard.HELD : Guard.UNTESTED;
    }

    /** Whether no verdict of this family may be used, because the A/A guard is broken. */
    public boolean isVoid() {
        return guard() == Guard.BROKEN;
    }

    static boolean breaks(PairVerdict control) {
        return control.verdict() == Verdict.FASTER || control.verdict() == Verdict.SLOWER;
    }

    /**
     * The claims of one comparison, in its arms' order.
     *
     * @param group the comparison's group
     * @param cell its cell
     * @param metric its metric
     */
    public List<PairVerdict> pairs(String group, Cell cell, Metric metric) {
        return pairs.stream()
                .filter(pair -> pair.claim().group().equals(group)
                        && pair.claim().cell().equals(cell)
                        && pair.claim().metric().equals(metric))
                .toList();
    }

    /**
     * The arms of one comparison, best first. Arms that were not measured are left out.
     *
     * @param comparison one of {@link #comparisons()}
     */
    public List<Standing> standings(Comparison comparison) {
        return Standing.of(comparison, pairs(comparison.group(), comparison.cell(), comparison.metric()));
    }

    /**
     * How far the widest interval of all claims reaches on either side of its ratio, as {@code ratio - 1}: what a wish
     * for precision is held against. Infinite as long as a claim has no interval.
     */
    public double widestHalfWidth() {
        return pairs.stream()
                .mapToDouble(PairVerdict::halfWidth)
                .map(width -> Double.isNaN(width) ? Double.POSITIVE_INFINITY : width)
                .max()
                .orElse(Double.POSITIVE_INFINITY);
    }

    /** The control of one comparison against its baseline, if there is one. */
    public Optional<PairVerdict> control(Comparison comparison) {
        return comparison.guard().flatMap(guard -> controls.stream()
                .filter(control -> control.claim().equals(guard))
                .findFirst());
    }
}
