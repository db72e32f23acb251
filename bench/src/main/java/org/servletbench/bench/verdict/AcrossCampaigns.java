package org.servletbench.bench.verdict;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.apache.commons.statistics.descriptive.Mean;
import org.apache.commons.statistics.descriptive.Variance;
import org.apache.commons.statistics.distribution.ChiSquaredDistribution;
import org.apache.commons.statistics.distribution.TDistribution;
import org.servletbench.bench.model.Metric;

/**
 * What changed in an arm from one campaign to a later one, seen through arms that did not change: the difference of
 * differences {@code [ln X - ln C]_after - [ln X - ln C]_before}, where C is the mean of the m common arms.
 *
 * <p>What does not cancel is an arm's own offset of a whole campaign, {@code e ~ N(0, tau^2)}: it adds
 * {@code 2 tau^2 (1 + 1/m)} to the variance. Given sigma, the standard deviation of ln(A/B) of two unchanged arms from campaign
 * to campaign ({@code sigma^2 = 2 tau^2}), the variance is {@code V + sigma^2 (1 + 1/m)}, with V of the blocks (B. L. Welch,
 * Biometrika 34, 1947) and F. E. Satterthwaite's degrees of freedom (Biometrics Bulletin 2, 1946). Without it, the changes of
 * two or more common arms vary around their mean by s^2, and X is one more draw: {@code s^2 (1 + 1/m)} with m - 1 degrees of
 * freedom (the prediction interval of a normal sample), plus the excess where the blocks of X are noisier, and never narrower
 * than Welch's.
 *
 * <p>Figures that there are not are NaN.
 *
 * @param before blocks before that have the arm and every common arm
 * @param after blocks after
 * @param ratio {@code (X/C) after / (X/C) before}, geometric mean; without a common arm {@code X after / X before}
 * @param low lower end of its interval, simultaneous (Bonferroni) over all that is judged together
 * @param lack why there is no interval and no verdict; empty if there are
 */
public record AcrossCampaigns(
        int before, int after, double ratio, double low, double high, double df, Optional<Lack> lack, Verdict verdict) {
    /** Below this a variance of logarithms is rounding. */
    private static final double ROUNDING = 1e-24;

    public enum Lack {
        /** No arm is the same in both campaigns. */
        NO_COMMON_ARM,
        /** One arm is, and the spread from campaign to campaign is neither given nor can it be estimated. */
        NO_CAMPAIGN_SPREAD,
        /** The common arms moved against each other by more than the given spread explains. */
        CAMPAIGN_SPREAD_TOO_SMALL,
        /** Fewer than two blocks of a campaign have the arm and every common arm. */
        TOO_FEW_BLOCKS,
        /** The values do not vary: they were recorded too coarsely. */
        NO_SPREAD,
        /** The generator was the limit of one of the arms: what it could do is not known. */
        GENERATOR_LIMIT
    }

    /**
     * An arm and the common arms in both campaigns.
     *
     * @param common number of common arms
     * @param before a row for each block: the arm's value, then one for each common arm; above 0 and finite
     * @param resolution how far the clock may have moved a value, in its unit; 0 or NaN where that is not limited
     * @param limited whether the generator was the limit of one of them, and that matters for the metric
     */
    public record Change(
            int common, double[][] before, double[][] after, Metric metric, double resolution, boolean limited) {

        Change(double[][] before, double[][] after, Metric metric) {
            this(before, after, metric, 0, false);
        }

        Change(double[][] before, double[][] after, Metric metric, double resolution, boolean limited) {
            this(Math.max(common(before), common(after)), before, after, metric, resolution, limited);
        }

        private static int common(double[][] rows) {
            return rows.length == 0 ? 0 : rows[0].length - 1;
        }
    }

    /**
     * Judges together, and answers in the same order.
     *
     * @param campaignSpread sigma, above 0: standard deviation of the log ratio of two unchanged arms from campaign to campaign; empty
     *     to estimate it
     */
    public static List<AcrossCampaigns> judge(List<Change> all, OptionalDouble campaignSpread, Settings settings) {
        List<AcrossCampaigns> judged = new ArrayList<>();
        for (Change change : all) {
            judged.add(judge(change, campaignSpread, settings, settings.alpha() / all.size()));
        }
        return List.copyOf(judged);
    }

    public AcrossCampaigns withoutVerdict() {
        return new AcrossCampaigns(before, after, ratio, low, high, df, lack, Verdict.INCONCLUSIVE);
    }

    private static AcrossCampaigns judge(
            Change change, OptionalDouble campaignSpread, Settings settings, double alpha) {
        Side before = new Side(change.before());
        Side after = new Side(change.after());
        double mean = after.mean() - before.mean();
        int common = change.common();
        Optional<Lack> lack = change.limited()
                ? Optional.of(Lack.GENERATOR_LIMIT)
                : lack(before, after, common, campaignSpread, alpha);
        if (lack.isPresent()) {
            return new AcrossCampaigns(
                    before.n(),
                    after.n(),
                    Math.exp(mean),
                    Double.NaN,
                    Double.NaN,
                    Double.NaN,
                    lack,
                    Verdict.INCONCLUSIVE);
        }
        double blocks = before.error2() + after.error2();
        double parts = before.error2() * before.error2() / (before.n() - 1)
                + after.error2() * after.error2() / (after.n() - 1);
        double more = 1 + 1.0 / common;
        double half;
        double df;
        if (campaignSpread.isPresent()) {
            double variance = blocks + campaignSpread.getAsDouble() * campaignSpread.getAsDouble() * more;
            df = variance * variance / parts;
            half = half(variance, df, alpha);
        } else {
            double excess = blocks - more * (before.commonError2() + after.commonError2());
            double variance = varianceOfChanges(before, after) * more + Math.max(0, excess);
            df = common - 1;
            half = Math.max(half(variance, df, alpha), half(blocks, blocks * blocks / parts, alpha));
        }
        Interval clock = clock(change, before, after);
        double low = mean - half + clock.low();
        double high = mean + half + clock.high();
        return new AcrossCampaigns(
                before.n(),
                after.n(),
                Math.exp(mean),
                Math.exp(low),
                Math.exp(high),
                df,
                Optional.empty(),
                Verdict.decide(low, high, settings.logMargin(), change.metric()));
    }

    /** By how much the clock may have moved the change: as in {@link Comparison#clock}, in both campaigns. */
    private static Interval clock(Change change, Side before, Side after) {
        if (!change.metric().isSingleTime() || !(change.resolution() > 0)) {
            return new Interval(0, 0);
        }
        Interval was = before.clock(change.resolution());
        Interval is = after.clock(change.resolution());
        return new Interval(is.low() - was.high(), is.high() - was.low());
    }

    /**
     * How much unchanged arms moved against each other between two campaigns, beyond what their blocks explain.
     *
     * @param before a row for each block: a value for each arm, at least two arms; above 0 and finite
     * @param after likewise, with the same arms
     * @return the standard deviation of the log ratio of two of them from campaign to campaign, at least 0; NaN with
     *     fewer than two blocks in a campaign
     */
    public static double spread(double[][] before, double[][] after) {
        Side was = new Side(commonOnly(before));
        Side is = new Side(commonOnly(after));
        return was.n() < 2 || is.n() < 2
                ? Double.NaN
                : Math.sqrt(Math.max(0, varianceOfChanges(was, is) - was.commonError2() - is.commonError2()));
    }

    private static double[][] commonOnly(double[][] rows) {
        return Arrays.stream(rows)
                .map(row -> DoubleStream.concat(DoubleStream.of(1), Arrays.stream(row))
                        .toArray())
                .toArray(double[][]::new);
    }

    /** s^2: of the common arms' changes around their mean. */
    private static double varianceOfChanges(Side before, Side after) {
        return Variance.of(IntStream.range(0, before.common())
                        .mapToDouble(j -> after.commonMean(j) - before.commonMean(j))
                        .toArray())
                .getAsDouble();
    }

    private static Optional<Lack> lack(
            Side before, Side after, int common, OptionalDouble campaignSpread, double alpha) {
        if (common == 0) {
            return Optional.of(Lack.NO_COMMON_ARM);
        }
        if (common == 1 && campaignSpread.isEmpty()) {
            return Optional.of(Lack.NO_CAMPAIGN_SPREAD);
        }
        if (before.n() < 2 || after.n() < 2) {
            return Optional.of(Lack.TOO_FEW_BLOCKS);
        }
        if (before.error2() + after.error2() < ROUNDING) {
            return Optional.of(Lack.NO_SPREAD);
        }
        return common > 1
                        && campaignSpread.isPresent()
                        && isTooSmall(campaignSpread.getAsDouble(), before, after, alpha)
                ? Optional.of(Lack.CAMPAIGN_SPREAD_TOO_SMALL)
                : Optional.empty();
    }

    /** The chi-square test of a variance. */
    private static boolean isTooSmall(double spread, Side before, Side after, double alpha) {
        int df = before.common() - 1;
        double expected = spread * spread + before.commonError2() + after.commonError2();
        return ChiSquaredDistribution.of(df).survivalProbability(df * varianceOfChanges(before, after) / expected)
                < alpha;
    }

    private static double half(double variance, double df, double alpha) {
        return TDistribution.of(df).inverseSurvivalProbability(alpha / 2) * Math.sqrt(variance);
    }

    /** One campaign: logarithms, a row for each block. */
    private record Side(double[][] logs) {
        Side {
            logs = Arrays.stream(logs)
                    .map(row -> Arrays.stream(row).map(Math::log).toArray())
                    .toArray(double[][]::new);
        }

        int n() {
            return logs.length;
        }

        int common() {
            return logs.length == 0 ? 0 : logs[0].length - 1;
        }

        /** The arm less the mean of the common arms, or the arm itself, by block. */
        private double[] differences() {
            return Arrays.stream(logs)
                    .mapToDouble(
                            row -> row[0] - Arrays.stream(row).skip(1).average().orElse(0))
                    .toArray();
        }

        double mean() {
            return n() == 0 ? Double.NaN : Mean.of(differences()).getAsDouble();
        }

        /** Squared standard error of the mean. */
        double error2() {
            return Variance.of(differences()).getAsDouble() / n();
        }

        /** By how much errors of r in every value may have moved the mean difference. */
        Interval clock(double r) {
            double low = 0;
            double high = 0;
            for (double[] row : logs) {
                double[] shares =
                        Arrays.stream(row).map(log -> r / Math.exp(log)).toArray();
                low += Math.log(Math.max(0, 1 - shares[0]))
                        - Arrays.stream(shares)
                                .skip(1)
                                .map(Math::log1p)
                                .average()
                                .orElse(0);
                high += Math.log1p(shares[0])
                        - Arrays.stream(shares)
                                .skip(1)
                                .map(share -> Math.log(Math.max(0, 1 - share)))
                                .average()
                                .orElse(0);
            }
            return new Interval(low / n(), high / n());
        }

        double commonMean(int j) {
            return Arrays.stream(logs).mapToDouble(row -> row[j + 1]).average().orElse(Double.NaN);
        }

        /** Squared standard error of one common arm's mean, by the residuals of the common arms from block and arm. */
        double commonError2() {
            double sum = 0;
            for (double[] row : logs) {
                double block = Arrays.stream(row).skip(1).average().orElseThrow();
                for (int j = 0; j < common(); j++) {
                    double residual = row[j + 1] - block;
                    sum += residual * residual;
                }
            }
            double all = IntStream.range(0, common())
                    .mapToDouble(this::commonMean)
                    .average()
                    .orElseThrow();
            for (int j = 0; j < common(); j++) {
                sum -= n() * (commonMean(j) - all) * (commonMean(j) - all);
            }
            return sum / ((n() - 1) * (common() - 1)) / n();
        }
    }
}
