package org.servletbench.proofs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.servletbench.bench.verdict.BlockData;
import org.servletbench.bench.verdict.Settings;
import org.servletbench.proofs.Finding.Outcome;

/** Analysis of simulated A/A campaigns whose truth is known. */
class NullAnalysisTest {

    private static final double SPREAD = 0.015;

    private static NullAnalysis analysis(double bias, long seed) {
        return new NullAnalysis(AaData.of(8, 20, SPREAD, bias, seed), Settings.DEFAULTS, 5);
    }

    @Test
    void pseudoCampaignsShareNeitherArmsNorBlocks() {
        assertThat(analysis(1, 1).campaigns()).isEqualTo(2 * 4);
        assertThat(new NullAnalysis(AaData.of(8, 19, SPREAD, 1, 1), Settings.DEFAULTS, 5).campaigns())
                .as("four blocks are left over")
                .isEqualTo(2 * 3);
        assertThat(new NullAnalysis(AaData.of(3, 2, SPREAD, 1, 1), Settings.DEFAULTS, 5).campaigns())
                .as("a miniature is one")
                .isEqualTo(1);
    }

    @Test
    void itNamesNothingWhereNothingIsAndABiasedArmWhereOneIs() {
        NullAnalysis.Named none = analysis(1, 2).named();
        assertThat(none.campaigns().hits()).isLessThanOrEqualTo(Counted.mostByChance(8, 0.05));
        assertThat(none.broken()).isZero();
        assertThat(none.controls()).isEqualTo(16);

        NullAnalysis.Named biased = analysis(1.08, 2).named();
        assertThat(biased.campaigns().hits())
                .as("the first arm's group in each of four chunks")
                .isEqualTo(4);
        assertThat(biased.byMetric().get("throughput")).isGreaterThanOrEqualTo(8);
        assertThat(biased.broken()).as("its control as well").isPositive();
    }

    /**
     * Over many campaigns, intervals cover the truth as often as promised, so that a deviating count means something.
     */
    @Test
    void coverageIsNominalOnNormalNoise() {
        int[] in = new int[3];
        int[] of = new int[3];
        int families = 0;
        for (int seed = 0; seed < 60; seed++) {
            List<NullAnalysis.Coverage> coverage = analysis(1, seed).coverage();
            assertThat(coverage).hasSize(6);
            for (int i = 0; i < 6; i++) {
                in[i % 3] += coverage.get(i).disjoint().hits();
                of[i % 3] += coverage.get(i).disjoint().of();
            }
            families += coverage.get(2).families().hits()
                    + coverage.get(5).families().hits();
        }
        for (int level = 0; level < 3; level++) {
            assertThat(of[level]).isEqualTo(60 * 2 * 16);
            assertThat((double) in[level] / of[level])
                    .as(NullAnalysis.LEVELS.get(level) + ", standard error below 0.01")
                    .isCloseTo(NullAnalysis.LEVELS.get(level), within(0.035));
        }
        assertThat(families / (60 * 16.0))
                .as("simultaneous ones are conservative")
                .isGreaterThan(0.94);
    }

    @Test
    void aBiasLowersTheCoverage() {
        NullAnalysis.Coverage half = analysis(1.08, 3).coverage().get(0);
        assertThat(half.level()).isEqualTo(0.5);
        assertThat(half.all().share())
                .isLessThan(analysis(1, 3).coverage().get(0).all().share());
    }

    /** Shuffled labels spread a biased arm over all of them: fewer differences are named than with the true labels. */
    @Test
    void permutationCannotSeeABias() {
        NullAnalysis biased = analysis(1.08, 2);
        assertThat(biased.permuted(20, 1).share()).isLessThan(0.2);
        assertThat(biased.named().campaigns().share()).isEqualTo(0.5);
        assertThat(analysis(1, 2).permuted(50, 1).of()).isEqualTo(50 * 8);
    }

    private static List<Finding> findings(double bias) {
        List<BlockData> whole = AaData.of(8, 20, 0.012, bias, 5);
        NullExperiment experiment = new NullExperiment(null, 5, 0.05);
        List<Finding> all = new ArrayList<>(experiment.analysed(whole, Settings.DEFAULTS, AaData.QUICK));
        all.addAll(experiment.spiked(whole, Settings.DEFAULTS, AaData.QUICK));
        return all;
    }

    private static Finding about(List<Finding> findings, String subject) {
        return findings.stream()
                .filter(finding -> finding.subject().startsWith(subject))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void everyClaimIsAFinding() {
        List<Finding> sound = findings(1);
        assertThat(sound)
                .filteredOn(finding -> finding.outcome() == Outcome.FAILED)
                .isEmpty();
        assertThat(about(sound, "labels as they ran").outcome()).isEqualTo(Outcome.PASSED);
        assertThat(about(sound, "labels permuted").outcome()).isEqualTo(Outcome.SHOWN);
        assertThat(about(sound, "false alarms, 4 arms and control, 5 blocks").outcome())
                .isEqualTo(Outcome.PASSED);
        assertThat(about(sound, "throughput x 1.05, 4 arms and control, 5 blocks")
                        .outcome())
                .isEqualTo(Outcome.PASSED);
        assertThat(about(sound, "CPU time per request x 1.03, 4 arms and control, 10 blocks")
                        .outcome())
                .isEqualTo(Outcome.PASSED);
        assertThat(about(sound, "throughput x 1.02, 4 arms and control, 5 blocks")
                        .outcome())
                .isEqualTo(Outcome.SHOWN);

        List<Finding> biased = new NullExperiment(null, 5, 0.01)
                .analysed(AaData.of(8, 20, SPREAD, 1.08, 5), Settings.DEFAULTS, AaData.QUICK);
        assertThat(about(biased, "labels as they ran").outcome()).isEqualTo(Outcome.FAILED);
    }
}
