package org.servletbench.bench.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The promises, kept on campaigns whose truth is known: six arms, runs that spread by 2 %. */
class SimulatedCampaignsTest {
    private static final double SPREAD = 0.02;

    /** Holm keeps below 5 %, because pairs share arms: 4.7 % in 60,000 campaigns elsewhere. */
    @Test
    void whereNothingDiffersAtMostOneCampaignInTwentyNamesADifference() {
        Random random = new Random(20261121);
        int campaigns = 2000;
        int wrong = 0;
        int voided = 0;
        for (int campaign = 0; campaign < campaigns; campaign++) {
            double[] nothing = new double[6];
            List<Comparison> primary = List.of(
                    Draw.campaign(random, "hello 100 users", Metric.THROUGHPUT, nothing, SPREAD, 10, "copy"),
                    Draw.campaign(random, "hello 100 users", Metric.P99, nothing, SPREAD, 10, "copy"),
                    Draw.campaign(random, "hello 100 users", Metric.CPU_PER_REQUEST, nothing, SPREAD, 10, "copy"));
            Family family = Family.of(primary, Settings.DEFAULTS);
            wrong += family.pairs().stream().anyMatch(pair -> pair.verdict().namesADifference()) ? 1 : 0;
            voided += family.isVoid() ? 1 : 0;
        }
        assertThat(wrong).isLessThanOrEqualTo(campaigns / 20);
        assertThat(voided).isLessThanOrEqualTo(campaigns / 20);
    }

    /**
     * One arm of six is 5 % faster. Of its five pairs 90.6 % are found at ten blocks (20,000 campaigns elsewhere), and
     * 92.1 % when the 5 % are meant on the log scale; the formula's 88.1 % leave out what Holm gains over Bonferroni.
     */
    @Test
    void fivePercentIsFoundInNineOfTenCampaignsOfTenBlocks() {
        double ten = found(10, 4000);
        assertThat(ten).isGreaterThanOrEqualTo(0.90);
        assertThat(ten - formula(10)).isBetween(0.0, 0.05);
    }

    @Test
    void fiveBlocksFindItInOneOfFive() {
        double five = found(5, 1000);
        assertThat(five).isBetween(0.15, 0.25);
        assertThat(five - formula(5)).isBetween(-0.02, 0.05);
    }

    /** The share of pairs with the faster arm that are reported as different. */
    private static double found(int blocks, int campaigns) {
        Random random = new Random(42);
        double[] oneFaster = {0, 0, Math.log(1.05), 0, 0, 0};
        int found = 0;
        for (int campaign = 0; campaign < campaigns; campaign++) {
            Comparison comparison =
                    Draw.campaign(random, "hello 100 users", Metric.THROUGHPUT, oneFaster, SPREAD, blocks, null);
            found += (int) Family.of(List.of(comparison), Settings.DEFAULTS).pairs().stream()
                    .filter(pair ->
                            pair.claim().a().equals("arm2") || pair.claim().b().equals("arm2"))
                    .filter(pair -> pair.verdict().namesADifference())
                    .count();
        }
        return found / (5.0 * campaigns);
    }

    private static double formula(int blocks) {
        return SampleSize.power(0.05, SampleSize.spreadOfDifference(SPREAD), blocks, SampleSize.claims(6, 1, 1), 0.05);
    }
}
