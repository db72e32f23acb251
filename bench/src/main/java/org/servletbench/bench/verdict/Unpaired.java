package org.servletbench.bench.verdict;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.commons.statistics.descriptive.Mean;
import org.apache.commons.statistics.descriptive.Variance;
import org.apache.commons.statistics.distribution.TDistribution;
import org.apache.commons.statistics.inference.AlternativeHypothesis;
import org.apache.commons.statistics.inference.DataDispersion;
import org.apache.commons.statistics.inference.TTest;

/**
 * One thing before and after, from two campaigns that have no blocks in common: Welch's t-test on the logarithms, which
 * asks for neither equal spreads nor equal numbers. Figures that there are not are NaN.
 *
 * @param before values before
 * @param after values after
 * @param ratio geometric mean of after / before
 * @param low lower end of its interval, simultaneous (Bonferroni) over all that is judged together
 * @param high its upper end
 * @param p Welch's test of no difference
 * @param pHolm p, adjusted over all that is judged together
 * @param tostHolm the equivalence test's p, adjusted likewise
 * @param verdict on what came after
 */
public record Unpaired(
        int before,
        int after,
        double ratio,
        double low,
        double high,
        double p,
        double pHolm,
        double tostHolm,
        Verdict verdict) {
    /** Below this a spread is rounding. */
    private static final double ROUNDING = 1e-12;

    /**
     * Two samples.
     *
     * @param before values before; those that are not above 0 and finite are as good as missing
     * @param after values after
     * @param better which way the metric is good
     */
    public record Samples(double[] before, double[] after, Better better) {}

    /**
     * Judges together.
     *
     * @param all what is claimed together
     * @param settings level and margin
     * @return in the same order
     */
    public static List<Unpaired> judge(List<Samples> all, Settings settings) {
        List<Estimate> estimates =
                all.stream().map(samples -> estimate(samples, settings)).toList();
        double[] pHolm = Holm.adjust(estimates.stream().mapToDouble(Estimate::p).toArray());
        double[] tostHolm =
                Holm.adjust(estimates.stream().mapToDouble(Estimate::tostP).toArray());
        List<Unpaired> judged = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            Estimate e = estimates.get(i);
            double half = Double.NaN;
            if (e.error() < ROUNDING) {
                half = 0;
            } else if (e.df() > 0) {
                double each = settings.alpha() / all.size();
                half = TDistribution.of(e.df()).inverseSurvivalProbability(each / 2) * e.error();
            }
            double low = e.mean() - half;
            double high = e.mean() + half;
            // An interval without a width decides nothing by itself.
            boolean decides = half != 0 || Math.min(pHolm[i], tostHolm[i]) <= settings.alpha();
            Verdict verdict = decides
                    ? Verdict.decide(low, high, settings.logMargin(), all.get(i).better())
                    : Verdict.INCONCLUSIVE;
            judged.add(new Unpaired(
                    e.before(),
                    e.after(),
                    Math.exp(e.mean()),
                    Math.exp(low),
                    Math.exp(high),
                    e.p(),
                    pHolm[i],
                    tostHolm[i],
                    verdict));
        }
        return List.copyOf(judged);
    }

    /** Whether there are values enough, at least two on either side. */
    public boolean possible() {
        return before >= 2 && after >= 2;
    }

    private record Estimate(int before, int after, double mean, double error, double df, double p, double tostP) {}

    private static Estimate estimate(Samples samples, Settings settings) {
        double[] x = logs(samples.after());
        double[] y = logs(samples.before());
        if (x.length == 0 || y.length == 0) {
            return new Estimate(y.length, x.length, Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN);
        }
        double mean = Mean.of(x).getAsDouble() - Mean.of(y).getAsDouble();
        if (x.length < 2 || y.length < 2) {
            return new Estimate(y.length, x.length, mean, Double.NaN, Double.NaN, Double.NaN, Double.NaN);
        }
        double error = Math.sqrt(
                Variance.of(x).getAsDouble() / x.length + Variance.of(y).getAsDouble() / y.length);
        if (error < ROUNDING) {
            return withoutSpread(y.length, x.length, mean, settings);
        }
        TTest welch = TTest.withDefaults().with(DataDispersion.HETEROSCEDASTIC);
        TTest.Result two = welch.test(x, y);
        double above = welch.with(AlternativeHypothesis.GREATER_THAN)
                .withMu(-settings.logMargin())
                .test(x, y)
                .getPValue();
        double below = welch.with(AlternativeHypothesis.LESS_THAN)
                .withMu(settings.logMargin())
                .test(x, y)
                .getPValue();
        return new Estimate(
                y.length, x.length, mean, error, two.getDegreesOfFreedom(), two.getPValue(), Math.max(above, below));
    }

    /**
     * All values of either side are the same: recorded too coarsely. By ranks, complete separation has one chance in as many
     * as there are ways to choose one side's places.
     */
    private static Estimate withoutSpread(int before, int after, double mean, Settings settings) {
        double ways = 1;
        for (int i = 1; i <= before; i++) {
            ways = ways * (after + i) / i;
        }
        double p = Math.abs(mean) < ROUNDING ? 1 : Math.min(1, 2 / ways);
        double tostP = Math.abs(mean) < settings.logMargin() - ROUNDING ? 1 / ways : 1;
        return new Estimate(before, after, mean, 0, Double.NaN, p, tostP);
    }

    private static double[] logs(double[] values) {
        return Arrays.stream(values)
                .filter(value -> value > 0 && value < Double.POSITIVE_INFINITY)
                .map(Math::log)
                .toArray();
    }
}
