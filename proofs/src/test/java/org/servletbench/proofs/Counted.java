package org.servletbench.proofs;

import org.apache.commons.statistics.distribution.BetaDistribution;
import org.apache.commons.statistics.distribution.BinomialDistribution;
import org.servletbench.bench.model.Text;

/**
 * Number of successes in independent trials.
 *
 * @param hits from 0 to {@code of}
 * @param of number of trials, 0 or more
 */
record Counted(int hits, int of) {

    double share() {
        return (double) hits / of;
    }

    /**
     * Returns the lower end of the exact interval of the true share (C. J. Clopper and E. S. Pearson, Biometrika 26,
     * 1934).
     *
     * @param level coverage of the two-sided interval, in (0, 1)
     */
    double low(double level) {
        return hits == 0 ? 0 : BetaDistribution.of(hits, of - hits + 1.0).inverseCumulativeProbability((1 - level) / 2);
    }

    double high(double level) {
        return hits == of ? 1 : BetaDistribution.of(hits + 1.0, of - hits).inverseSurvivalProbability((1 - level) / 2);
    }

    /** Returns the maximum number of hits that chance explains: more have a probability of at most 5 %. */
    static int mostByChance(int trials, double chance) {
        return trials == 0 ? 0 : BinomialDistribution.of(trials, chance).inverseCumulativeProbability(0.95);
    }

    String text() {
        return hits + " of " + of;
    }

    String interval(double level) {
        return Text.text("%.1f to %.1f %%", 100 * low(level), 100 * high(level));
    }
}
