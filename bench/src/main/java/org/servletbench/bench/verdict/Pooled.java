package org.servletbench.bench.verdict;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.apache.commons.numbers.rootfinder.BrentSolver;
import org.apache.commons.statistics.descriptive.Mean;
import org.apache.commons.statistics.descriptive.Variance;
import org.apache.commons.statistics.distribution.FDistribution;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * One ratio from several campaigns of the same comparison. It uses a random-effects model,
 * {@code y_i = ln(ratio) + e_i + noise_i}, in which the campaign's own offset e_i varies with standard deviation tau.
 *
 * <p>The noise of a server is pooled over the campaigns. The variance of campaign i is then
 * {@code v_i = c_i sigma^2 / blocks_i}, where c_i is the {@link Estimate#variance} of a difference, in variances of one
 * server. With separate estimates, the few degrees of freedom of each campaign would make weights and Q unreliable (in
 * simulations with 4 and 10 campaigns, Q finds heterogeneity that does not exist in 12 to 33 %). tau^2 is that of R. C.
 * Paule and J. Mandel (Journal of Research of the NBS 87, 1982). The interval has k - 1 degrees of freedom. With this
 * tau^2, the factor of J. Hartung and G. Knapp (Statistics in Medicine 20, 2001) is 1, or below 1 and not applied (C.
 * Röver, G. Knapp and T. Friede, BMC Medical Research Methodology 15, 2015).
 *
 * <p>The prediction interval of all campaigns cannot show whether one of them agrees with the others, because it
 * contains its own campaigns by arithmetic: for three campaigns of equal blocks, it reaches 4.97 standard deviations of
 * their ratios, and none of them is further than 1.155 from their mean. A prediction from two other campaigns alone
 * would have only one degree of freedom. Therefore each campaign is compared with the prediction from the others under
 * the assumption that blocks are the only noise: their mean, with the variance {@code v_i + 1 / sum(1 / v_j)}, and t
 * with the degrees of freedom of sigma.
 *
 * <p>The prediction interval is for the ratio that the next campaign of this size <em>measures</em>:
 * {@code tau^2 + SE^2 + mean v}, and t with k - 1 degrees of freedom. The interval of J. P. T. Higgins and others
 * (Journal of the Royal Statistical Society A 172, 2009) is for the next campaign's true ratio, with k - 2 degrees. In
 * simulations, that interval covers only 88 to 92 % if tau is near the noise, because tau is then often estimated as 0,
 * and three campaigns would predict nothing. Neither interval is simultaneous with others.
 *
 * @param ratio arm / baseline; NaN, like all figures, if there is a reason for a missing interval
 * @param low lower end of its interval
 * @param nextLow lower end of the prediction interval
 * @param tau standard deviation of the log ratio from campaign to campaign, beyond the noise of the blocks; at least 0
 * @param q Cochran's Q, with k - 1 degrees of freedom
 * @param expected by campaign, the range in which the other campaigns expect its ratio if campaigns do not vary
 * @param p probability of such a Q without heterogeneity: {@code Q / (k - 1)} against F, whose denominator has the
 *     degrees of freedom of sigma
 */
public record Pooled(
        double ratio,
        double low,
        double high,
        double nextLow,
        double nextHigh,
        double tau,
        double q,
        double p,
        List<Expected> expected,
        Lack lack) {

    /** The range in which a ratio is expected, at the same level as the other intervals. */
    public record Expected(double low, double high) {
        public boolean holds(double ratio) {
            return low <= ratio && ratio <= high;
        }
    }

    /** Minimum number of campaigns that can be pooled. */
    public static final int LEAST = 3;

    /** Reasons for a missing interval. */
    public enum Lack {
        NONE,
        /**
         * A campaign has fewer than two blocks with both arms. Leaving that campaign out would keep those in which the
         * arm did well.
         */
        NOT_IN_EVERY_CAMPAIGN,
        /** The generator was the limit of one of the arms in any of the campaigns. */
        GENERATOR_LIMIT,
        /** A server of one of the arms was not warm in a campaign, so its figures are from its warm-up. */
        NOT_WARM,
        /**
         * In a campaign, a server of one of the arms failed, or did not keep up with the load. Only its fast blocks
         * would be left.
         */
        NOT_HELD,
        /** The values do not vary, because they were recorded too coarsely. */
        NO_SPREAD
    }

    /**
     * Pools an arm against its baseline.
     *
     * @param campaigns the same comparison in each of at least {@link #LEAST} campaigns
     * @param arm one of its arms, or its control
     * @param alpha 1 minus the level of each interval, in (0, 1)
     */
    public static Pooled of(List<BlockData> campaigns, String arm, double alpha) {
        List<Estimate> estimates = new ArrayList<>();
        List<Interval> clocks = new ArrayList<>();
        boolean limited = false;
        EnumSet<NoVerdictReason> barred = EnumSet.noneOf(NoVerdictReason.class);
        for (BlockData one : campaigns) {
            Contrast contrast = new Contrast(one.group(), one.load(), one.metric(), arm, one.baseline());
            one.barred(contrast).ifPresent(barred::add);
            limited |= one.bound(contrast) != Bound.EXACT;
            estimates.add(new BlockModel(one).estimate(contrast));
            clocks.add(one.clock(contrast));
        }
        if (!barred.isEmpty()) {
            return without(
                    barred.contains(NoVerdictReason.NOT_HELD)
                            ? Lack.NOT_HELD
                            : barred.contains(NoVerdictReason.NOT_WARM) ? Lack.NOT_WARM : Lack.NOT_IN_EVERY_CAMPAIGN);
        }
        return limited
                ? without(Lack.GENERATOR_LIMIT)
                : estimates.stream().allMatch(Estimate::possible)
                        ? of(estimates, clocks, alpha)
                        : without(Lack.NOT_IN_EVERY_CAMPAIGN);
    }

    private static Pooled without(Lack lack) {
        double none = Double.NaN;
        return new Pooled(none, none, none, none, none, none, none, none, List.of(), lack);
    }

    /** @param estimates estimates of three or more campaigns, each from at least two blocks */
    static Pooled of(List<Estimate> estimates, List<Interval> clocks, double alpha) {
        int k = estimates.size();
        double df = estimates.stream().mapToDouble(Estimate::df).sum();
        double sigma2 = estimates.stream()
                        .mapToDouble(one -> one.df() * one.n() * one.error() * one.error() / one.variance())
                        .sum()
                / df;
        double[] y = estimates.stream().mapToDouble(Estimate::meanLog).toArray();
        double[] v = estimates.stream()
                .mapToDouble(one -> one.variance() * sigma2 / one.n())
                .toArray();
        if (!(sigma2 > 0)) {
            return without(Lack.NO_SPREAD);
        }
        double q = new Weighted(y, v, 0).q();
        double tau2 = tau2(y, v);
        Weighted pooled = new Weighted(y, v, tau2);
        double error2 = 1 / pooled.sum();
        double t = TDistribution.of(k - 1).inverseSurvivalProbability(alpha / 2);
        double half = t * Math.sqrt(error2);
        double next = t * Math.sqrt(tau2 + error2 + Mean.of(v).getAsDouble());
        // The clock's errors have no reason to differ from campaign to campaign, so they do not average out.
        double down = clocks.stream().mapToDouble(Interval::low).average().orElse(0);
        double up = clocks.stream().mapToDouble(Interval::high).average().orElse(0);
        return new Pooled(
                Math.exp(pooled.mean()),
                Math.exp(pooled.mean() - half + down),
                Math.exp(pooled.mean() + half + up),
                Math.exp(pooled.mean() - next + down),
                Math.exp(pooled.mean() + next + up),
                Math.sqrt(tau2),
                q,
                FDistribution.of(k - 1.0, df).survivalProbability(q / (k - 1)),
                expected(y, v, TDistribution.of(df).inverseSurvivalProbability(alpha / 2)),
                Lack.NONE);
    }

    private static List<Expected> expected(double[] y, double[] v, double t) {
        Weighted all = new Weighted(y, v, 0);
        return IntStream.range(0, y.length)
                .mapToObj(own -> {
                    double weight = all.sum() - 1 / v[own];
                    double mean = (all.sum(i -> y[i]) - y[own] / v[own]) / weight;
                    double half = t * Math.sqrt(v[own] + 1 / weight);
                    return new Expected(Math.exp(mean - half), Math.exp(mean + half));
                })
                .toList();
    }

    /**
     * Returns the tau^2 at which Q equals its expectation, k - 1; 0 if Q is not larger even without it. It is at most
     * the variance of y.
     */
    private static double tau2(double[] y, double[] v) {
        int df = y.length - 1;
        return new Weighted(y, v, 0).q() <= df
                ? 0
                : new BrentSolver(1e-10, 1e-14, 1e-12)
                        .findRoot(
                                tau2 -> new Weighted(y, v, tau2).q() - df,
                                0,
                                1.01 * Variance.of(y).getAsDouble());
    }

    /** Estimates, each weighted by {@code 1 / (v + tau^2)}. */
    private record Weighted(double[] y, double[] v, double tau2) {
        private double sum(IntToDoubleFunction of) {
            return IntStream.range(0, y.length)
                    .mapToDouble(i -> of.applyAsDouble(i) / (v[i] + tau2))
                    .sum();
        }

        double sum() {
            return sum(i -> 1);
        }

        double mean() {
            return sum(i -> y[i]) / sum();
        }

        double q() {
            double mean = mean();
            return sum(i -> (y[i] - mean) * (y[i] - mean));
        }
    }
}
