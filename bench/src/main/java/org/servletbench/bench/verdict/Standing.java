package org.servletbench.bench.verdict;

import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One arm among those it was compared with, in one cell and by one metric.
 *
 * @param typical the geometric mean of its values, in the metric's unit
 * @param letters arms that share a letter cannot be told apart; a has the best
 */
public record Standing(String arm, double typical, String letters) {

    /**
     * Best first. The order is that of the mean log ratio to the other arms, over the blocks that each pair shares, so
     * that an arm which missed the slow blocks does not gain by it. Arms without any value are left out.
     */
    static List<Standing> of(Comparison comparison, List<PairVerdict> pairs) {
        Map<String, DoubleSummaryStatistics> advantages = new HashMap<>();
        for (PairVerdict pair : pairs) {
            double meanLog = pair.estimate().meanLog();
            if (!Double.isNaN(meanLog)) {
                double sign = pair.claim().metric().higherIsBetter() ? 1 : -1;
                advantages
                        .computeIfAbsent(pair.claim().a(), arm -> new DoubleSummaryStatistics())
                        .accept(sign * meanLog);
                advantages
                        .computeIfAbsent(pair.claim().b(), arm -> new DoubleSummaryStatistics())
                        .accept(-sign * meanLog);
            }
        }
        Map<String, Double> scores = new HashMap<>();
        advantages.forEach((arm, all) -> scores.put(arm, all.getAverage()));
        List<String> arms = comparison.arms().stream()
                .filter(arm -> !Double.isNaN(comparison.typical(arm)))
                .sorted(Comparator.comparingDouble(arm -> -scores.getOrDefault(arm, Double.NEGATIVE_INFINITY)))
                .toList();
        Set<Set<String>> different = new HashSet<>();
        for (PairVerdict pair : pairs) {
            if (pair.verdict().namesADifference()) {
                different.add(Set.of(pair.claim().a(), pair.claim().b()));
            }
        }
        Map<String, String> letters = Letters.of(arms, different);
        return arms.stream()
                .map(arm -> new Standing(arm, comparison.typical(arm), letters.get(arm)))
                .toList();
    }
}
