package org.servletbench.bench.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.verdict.AcrossCampaigns.Change;
import org.servletbench.bench.verdict.AcrossCampaigns.Lack;

class AcrossCampaignsTest {
    private static final double[] BEFORE = {101.2, 99.5, 103.3, 98.7, 100.9, 102.4, 97.9, 100.1};
    private static final double[] AFTER = {111.0, 107.2, 115.8, 104.1, 112.6, 108.3};
    private static final OptionalDouble HARDLY = OptionalDouble.of(1e-9);
    private static final OptionalDouble NOT_GIVEN = OptionalDouble.empty();

    /** Beside common arms that do not vary. */
    private static double[][] rows(double[] arm, double... common) {
        return Arrays.stream(arm)
                .mapToObj(value -> {
                    double[] row = Arrays.copyOf(common, common.length + 1);
                    System.arraycopy(common, 0, row, 1, common.length);
                    row[0] = value;
                    return row;
                })
                .toArray(double[][]::new);
    }

    private static AcrossCampaigns one(double[][] before, double[][] after, Metric metric, OptionalDouble spread) {
        return AcrossCampaigns.judge(List.of(new Change(before, after, metric)), spread, Settings.DEFAULTS)
                .get(0);
    }

    /** SciPy 1.x: ttest_ind(log(after), log(before), equal_var=False). */
    @Test
    void beside_one_constant_arm_and_without_campaign_spread_it_is_scipys_welch_interval() {
        AcrossCampaigns higher = one(rows(BEFORE, 50), rows(AFTER, 50), Metric.THROUGHPUT, HARDLY);

        assertThat(higher.ratio()).isCloseTo(1.0923715064217097, within(1e-12));
        assertThat(higher.low()).isCloseTo(1.0495903523047425, within(1e-9));
        assertThat(higher.high()).isCloseTo(1.136896414321818, within(1e-9));
        assertThat(higher.verdict()).isEqualTo(Verdict.FASTER);
        assertThat(one(rows(BEFORE, 50), rows(AFTER, 50), Metric.P99, HARDLY).verdict())
                .isEqualTo(Verdict.SLOWER);
    }

    @Test
    void figures_that_nobody_has_are_no_lack_of_a_common_arm() {
        double[][] none = {};
        Change change = new Change(2, none, none, Metric.P99, 0, false);

        AcrossCampaigns judged = AcrossCampaigns.judge(List.of(change), NOT_GIVEN, Settings.DEFAULTS)
                .get(0);

        assertThat(judged.lack()).contains(AcrossCampaigns.Lack.TOO_FEW_BLOCKS);
        assertThat(judged.ratio()).isNaN();
    }

    @Test
    void what_the_later_day_did_to_all_arms_is_not_in_the_ratio() {
        AcrossCampaigns all = one(rows(BEFORE, 50), rows(BEFORE, 50), Metric.THROUGHPUT, HARDLY);
        double[][] halved = Arrays.stream(rows(BEFORE, 50))
                .map(row -> Arrays.stream(row).map(value -> value / 2).toArray())
                .toArray(double[][]::new);

        assertThat(one(rows(BEFORE, 50), halved, Metric.THROUGHPUT, HARDLY).ratio())
                .isCloseTo(all.ratio(), within(1e-12));
        assertThat(all.ratio()).isCloseTo(1, within(1e-12));
    }

    /** By hand: sigma^2 (1 + 1/m) beside hardly any block noise, at the normal quantile. */
    @Test
    void a_given_spread_widens_the_interval_however_many_blocks_there_are() {
        double[] quiet = {100, 100.001, 100, 100.001, 100, 100.001};
        AcrossCampaigns oneCommon = one(rows(quiet, 50), rows(quiet, 50), Metric.THROUGHPUT, OptionalDouble.of(0.03));
        AcrossCampaigns three =
                one(rows(quiet, 50, 60, 70), rows(quiet, 50, 60, 70), Metric.THROUGHPUT, OptionalDouble.of(0.03));

        assertThat(Math.log(oneCommon.high())).isCloseTo(1.959964 * 0.03 * Math.sqrt(2), within(1e-5));
        assertThat(Math.log(three.high())).isCloseTo(1.959964 * 0.03 * Math.sqrt(4.0 / 3), within(1e-5));
    }

    /** By hand: the two common arms changed by ln 1.02 and 0; t(1) at 97.5 % is 12.706. */
    @Test
    void two_common_arms_estimate_the_spread_with_one_degree_of_freedom() {
        double[] quiet = {100, 100.001, 100, 100.001, 100, 100.001};
        AcrossCampaigns two = one(rows(quiet, 50, 60), rows(quiet, 51, 60), Metric.THROUGHPUT, NOT_GIVEN);
        double sd = Math.log(1.02) / Math.sqrt(2);

        assertThat(two.df()).isEqualTo(1);
        assertThat(Math.log(two.high() / two.ratio())).isCloseTo(12.7062 * sd * Math.sqrt(1.5), within(1e-4));
        assertThat(two.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
    }

    @Test
    void where_something_is_missing_there_is_an_estimate_without_interval_and_verdict() {
        assertLack(one(rows(BEFORE), rows(AFTER), Metric.THROUGHPUT, HARDLY), Lack.NO_COMMON_ARM);
        assertLack(one(rows(BEFORE, 50), rows(AFTER, 50), Metric.THROUGHPUT, NOT_GIVEN), Lack.NO_CAMPAIGN_SPREAD);
        assertLack(one(rows(new double[] {100}, 50), rows(AFTER, 50), Metric.THROUGHPUT, HARDLY), Lack.TOO_FEW_BLOCKS);
        assertLack(
                one(rows(new double[] {5, 5, 5}, 2), rows(new double[] {6, 6, 6}, 2), Metric.THROUGHPUT, HARDLY),
                Lack.NO_SPREAD);
        assertThat(one(rows(BEFORE), rows(AFTER), Metric.THROUGHPUT, HARDLY).ratio())
                .isCloseTo(1.0923715064217097, within(1e-12));
        assertThat(one(rows(new double[0], 50), rows(AFTER, 50), Metric.THROUGHPUT, HARDLY)
                        .ratio())
                .isNaN();
    }

    @Test
    void where_the_generator_was_the_limit_there_is_no_verdict() {
        Change change = new Change(rows(BEFORE, 50), rows(AFTER, 50), Metric.THROUGHPUT, 0, true);
        assertLack(
                AcrossCampaigns.judge(List.of(change), HARDLY, Settings.DEFAULTS)
                        .get(0),
                Lack.GENERATOR_LIMIT);
    }

    /** By hand: times of 4 ms that may be 1 ms off, in two campaigns and of two arms: ln(3/5) to ln(5/3), twice. */
    @Test
    void a_coarse_clock_widens_the_interval_of_response_times() {
        double[] quiet = {4, 4.0001, 4, 4.0001};
        Change change = new Change(rows(quiet, 4), rows(quiet, 4), Metric.P99, 1, false);
        AcrossCampaigns judged = AcrossCampaigns.judge(List.of(change), HARDLY, Settings.DEFAULTS)
                .get(0);
        assertThat(Math.log(judged.low())).isCloseTo(2 * Math.log(0.6), within(1e-3));
        assertThat(Math.log(judged.high())).isCloseTo(2 * Math.log(5 / 3.0), within(1e-3));
        assertThat(judged.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
    }

    private static void assertLack(AcrossCampaigns judged, Lack lack) {
        assertThat(judged.lack()).contains(lack);
        assertThat(judged.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
        assertThat(judged.low()).isNaN();
        assertThat(judged.high()).isNaN();
    }

    @Test
    void what_is_judged_together_has_wider_intervals() {
        Change change = new Change(rows(BEFORE, 50), rows(AFTER, 50), Metric.THROUGHPUT);
        AcrossCampaigns alone = AcrossCampaigns.judge(List.of(change), HARDLY, Settings.DEFAULTS)
                .get(0);
        AcrossCampaigns among = AcrossCampaigns.judge(Collections.nCopies(3, change), HARDLY, Settings.DEFAULTS)
                .get(1);

        assertThat(among.low()).isLessThan(alone.low());
        assertThat(among.high()).isGreaterThan(alone.high());
        assertThat(among.lack()).isEqualTo(Optional.empty());
    }

    // ---- campaigns in which nothing changed: 10 blocks, 2 % from run to run, 3 % from campaign to campaign ----

    private static final double CAMPAIGN_SPREAD = 0.03;

    /**
     * The share of pairs of campaigns in which a difference is named.
     *
     * @param noisier how much noisier the runs of the arm are than those of the common arms
     */
    private static double falseAlarms(int common, OptionalDouble given, double noisier, int campaigns) {
        Random random = new Random(20261121);
        int wrong = 0;
        for (int i = 0; i < campaigns; i++) {
            AcrossCampaigns judged =
                    one(campaign(random, common, noisier), campaign(random, common, noisier), Metric.THROUGHPUT, given);
            wrong += judged.verdict().namesADifference() ? 1 : 0;
        }
        return wrong / (double) campaigns;
    }

    private static double[][] campaign(Random random, int common, double noisier) {
        double day = 0.05 * random.nextGaussian();
        double[] arms = new double[common + 1];
        // The log ratio of two arms varies by CAMPAIGN_SPREAD.
        Arrays.setAll(arms, arm -> day + CAMPAIGN_SPREAD / Math.sqrt(2) * random.nextGaussian());
        double[][] blocks = new double[10][common + 1];
        for (double[] block : blocks) {
            double level = Math.log(1000) + 0.05 * random.nextGaussian();
            Arrays.setAll(
                    block,
                    arm -> Math.exp(level + arms[arm] + 0.02 * (arm == 0 ? noisier : 1) * random.nextGaussian()));
        }
        return blocks;
    }

    @Test
    void with_the_spread_given_at_most_one_in_twenty_names_a_difference() {
        assertThat(falseAlarms(1, OptionalDouble.of(CAMPAIGN_SPREAD), 1, 10_000))
                .isBetween(0.02, 0.055);
        assertThat(falseAlarms(3, OptionalDouble.of(CAMPAIGN_SPREAD), 1, 10_000))
                .isBetween(0.02, 0.055);
    }

    @Test
    void with_the_spread_estimated_too_also_where_the_arm_is_noisier_than_the_common_ones() {
        assertThat(falseAlarms(2, NOT_GIVEN, 1, 10_000)).isBetween(0.02, 0.055);
        assertThat(falseAlarms(4, NOT_GIVEN, 1, 10_000)).isBetween(0.02, 0.055);
        assertThat(falseAlarms(4, NOT_GIVEN, 3, 10_000)).isLessThan(0.055);
    }

    @Test
    void without_the_spread_blocks_alone_would_be_wrong_in_every_third_case_and_no_verdict_is_given() {
        assertThat(falseAlarms(1, HARDLY, 1, 2000)).isGreaterThan(0.3);
        assertThat(falseAlarms(1, NOT_GIVEN, 1, 200)).isZero();
    }

    @Test
    void a_given_spread_that_the_common_arms_contradict_gives_no_verdict() {
        Random random = new Random(4);
        int contradicted = 0;
        for (int i = 0; i < 200; i++) {
            AcrossCampaigns judged =
                    one(campaign(random, 5, 1), campaign(random, 5, 1), Metric.THROUGHPUT, OptionalDouble.of(0.001));
            contradicted += judged.lack().equals(Optional.of(Lack.CAMPAIGN_SPREAD_TOO_SMALL)) ? 1 : 0;
        }
        assertThat(contradicted).isGreaterThan(180);
    }

    @Test
    void the_spread_that_was_seen_is_the_one_that_was_drawn() {
        Random random = new Random(6);
        double squares = 0;
        for (int i = 0; i < 500; i++) {
            double seen = AcrossCampaigns.spread(campaign(random, 5, 1), campaign(random, 5, 1));
            squares += seen * seen;
        }
        assertThat(Math.sqrt(squares / 500)).isCloseTo(CAMPAIGN_SPREAD, within(0.002));
    }

    @Test
    void a_real_change_is_found() {
        Random random = new Random(3);
        int found = 0;
        for (int i = 0; i < 500; i++) {
            double[][] after = campaign(random, 1, 1);
            Arrays.stream(after).forEach(row -> row[0] *= 1.25);
            AcrossCampaigns judged =
                    one(campaign(random, 1, 1), after, Metric.THROUGHPUT, OptionalDouble.of(CAMPAIGN_SPREAD));
            found += judged.verdict() == Verdict.FASTER ? 1 : 0;
        }
        assertThat(found).isGreaterThan(450);
    }
}
