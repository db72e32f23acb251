package org.servletbench.bench.verdict;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * The model {@code ln(value) = block + arm + noise} of one comparison. All its arms and the control contribute to the
 * residual, each copy as a separate server; references do not. A pair is estimated from the blocks that have both. The
 * variance of its differences is shrunk towards the value expected from the residual variance
 * ({@link BlockData#variance}: 2 times between two servers, 1.5 times between a server and the mean of two copies), as
 * if the residual were {@link #PRIOR} more blocks of that pair (after G. K. Smyth, Linear models and empirical Bayes
 * methods, Statistical Applications in Genetics 3, 2004, but with a fixed weight, because a few arms do not show how
 * much their spreads differ).
 */
final class BlockModel {
    /**
     * Weight of the pooled variance, in degrees of freedom. In simulations, weights of 3 to 12 give the same widths
     * within 5 %. The smaller the weight, the better a pair of noisier arms is protected.
     */
    private static final double PRIOR = 4;

    private final BlockData comparison;
    private final List<String> arms;
    private final boolean[][] present;
    private final Residual residual;

    BlockModel(BlockData comparison) {
        this.comparison = comparison;
        // Sorted by name, so that the given order does not matter.
        List<String> names = new ArrayList<>(comparison.arms());
        comparison.control().ifPresent(names::add);
        arms = names.stream()
                .filter(arm ->
                        comparison.blocks().values().stream().anyMatch(block -> BlockData.present(block.get(arm))))
                .sorted()
                .toList();
        List<Map<String, Double>> blocks = comparison.blocks().values().stream()
                .filter(block -> arms.stream()
                                .filter(arm -> BlockData.present(block.get(arm)))
                                .count()
                        > 1)
                .toList();
        present = new boolean[blocks.size()][arms.size()];
        double[][] y = new double[blocks.size()][arms.size()];
        for (int b = 0; b < y.length; b++) {
            for (int i = 0; i < arms.size(); i++) {
                present[b][i] = BlockData.present(blocks.get(b).get(arms.get(i)));
                y[b][i] = present[b][i] ? Math.log(blocks.get(b).get(arms.get(i))) : 0;
            }
        }
        Layout layout = new Layout(present);
        residual = new Residual(
                layout.df() > 0 ? Math.sqrt(layout.residual(y) / layout.df()) : Double.NaN, Math.max(0, layout.df()));
    }

    Residual residual() {
        return residual;
    }

    /**
     * Returns the squared standard error of a pair's mean difference.
     *
     * @param pooledVariance variance of one server
     * @param variance expected variance of the pair's differences, in variances of one server
     */
    static double errorSquared(double ownVariance, int n, double pooledVariance, double variance) {
        return (PRIOR * variance * pooledVariance + (n - 1) * ownVariance) / (PRIOR + n - 1) / n;
    }

    /**
     * Returns the effective degrees of freedom of that error if spreads are equal (F. E. Satterthwaite 1946). The
     * pair's own differences are part of the pooled ones.
     */
    static double effectiveDf(int n, int pooledDf) {
        double own = n - 1.0;
        double rest = pooledDf - own;
        if (rest <= 0) {
            return own;
        }
        double ownWeight = (PRIOR / pooledDf + 1) * own / (PRIOR + own);
        double restWeight = 1 - ownWeight;
        return 1 / (ownWeight * ownWeight / own + restWeight * restWeight / rest);
    }

    Estimate estimate(Contrast contrast) {
        double variance = comparison.variance(contrast.a(), contrast.b());
        Estimate alone = Estimate.of(comparison.logRatios(contrast.a(), contrast.b()), variance);
        if (alone.n() < 2 || residual.df() <= 0) {
            return alone;
        }
        double error =
                Math.sqrt(errorSquared(alone.sd() * alone.sd(), alone.n(), residual.sd() * residual.sd(), variance));
        return new Estimate(
                alone.n(),
                alone.meanLog(),
                alone.sd(),
                error < Estimate.ROUNDING ? 0 : error,
                effectiveDf(alone.n(), residual.df()),
                variance);
    }

    /**
     * Returns the number of standard errors on either side with which the intervals of all these contrasts hold
     * together; NaN if none of them can be estimated.
     *
     * @param contrasts contrasts, of which those with fewer than two blocks are ignored
     * @param level probability that any interval misses, in (0, 1)
     */
    double critical(List<Contrast> contrasts, double level) {
        List<Critical.Pair> pairs = contrasts.stream()
                .filter(contrast -> comparison.logRatios(contrast.a(), contrast.b()).length > 1)
                .map(contrast ->
                        Critical.Pair.of(columns(contrast.a(), contrast.b()), columns(contrast.b(), contrast.a())))
                .sorted()
                .toList();
        if (pairs.isEmpty()) {
            return Double.NaN;
        }
        if (residual.df() <= 0) {
            // Nothing is pooled, because each pair has only its own spread.
            int fewest = contrasts.stream()
                    .mapToInt(contrast -> comparison.logRatios(contrast.a(), contrast.b()).length)
                    .filter(length -> length > 1)
                    .min()
                    .orElseThrow();
            return TDistribution.of(fewest - 1.0).inverseSurvivalProbability(level / pairs.size() / 2);
        }
        return arms.size() == 2
                ? TDistribution.of(residual.df()).inverseSurvivalProbability(level / 2)
                : Critical.value(present, pairs, level);
    }

    /**
     * Returns the columns of each arm of a side, whose mean represents the arm. An arm with figures has at least one.
     */
    private List<List<Integer>> columns(String side, String beside) {
        return comparison.side(side, beside).stream()
                .map(servers -> servers.stream()
                        .map(arms::indexOf)
                        .filter(column -> column >= 0)
                        .sorted()
                        .toList())
                .toList();
    }
}
