package org.servletbench.bench.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import org.apache.commons.statistics.distribution.TDistribution;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.verdict.SampleSize.Design;

class SampleSizeTest {
    private static final Design ONE_PAIR = new Design(2, false, 1);
    private static final Design QUICK = new Design(4, true, 2);

    /** Cohen's textbook case: a difference of one standard deviation, ten pairs, 5 %. */
    @Test
    void oneStandardDeviationInTenPairs() {
        assertThat(SampleSize.power(Math.expm1(0.1), 0.1 / Math.sqrt(2), 10, ONE_PAIR, 0.05))
                .isCloseTo(0.803, within(0.0005));
    }

    /** The share of simulated campaigns whose interval excludes 1 must equal the forecast, within 3 points. */
    @Tag("simulation")
    @Test
    void theForecastPowerIsThatOfSimulatedCampaigns() {
        for (int blocks : new int[] {3, 5, 10}) {
            for (double aim : new double[] {0.5, 0.8}) {
                double effect =
                        SampleSize.detectable(0.0145, blocks, new Design(4, true, 1), new Settings(0.05, 0.03, aim));
                Random random = new Random(5);
                int campaigns = 3000;
                int found = 0;
                for (int i = 0; i < campaigns; i++) {
                    BlockData comparison = Draw.campaign(
                            random,
                            "hello 100 users",
                            Metric.THROUGHPUT,
                            new double[] {0, Math.log1p(effect), 0, 0},
                            0.0145,
                            blocks,
                            "copy");
                    // Two arms other than the baseline, as in the forecast.
                    PairVerdict pair = MultipleComparison.of(List.of(comparison), Settings.DEFAULTS)
                            .pairs()
                            .get(3);
                    found += pair.low() > 1 || pair.high() < 1 ? 1 : 0;
                }
                assertThat(found / (double) campaigns)
                        .as("%d blocks, power %.1f", blocks, aim)
                        .isCloseTo(aim, within(0.03));
            }
        }
    }

    /**
     * Compares the average widest interval of simulated campaigns, and the number of blocks that makes it narrow
     * enough.
     */
    @Tag("simulation")
    @Test
    void theForecastWidthIsThatOfSimulatedCampaigns() {
        Design design = new Design(4, true, 1);
        for (int blocks : new int[] {5, 10}) {
            Random random = new Random(8);
            double sum = 0;
            for (int i = 0; i < 500; i++) {
                BlockData comparison = Draw.campaign(
                        random, "hello 100 users", Metric.THROUGHPUT, new double[4], 0.0145, blocks, "copy");
                sum += MultipleComparison.of(List.of(comparison), Settings.DEFAULTS)
                                .widestHalfWidth()
                        / 500;
            }
            double width = SampleSize.halfWidth(0.0145, blocks, design, 0.05);
            assertThat(sum).as("%d blocks", blocks).isCloseTo(width, within(0.08 * width));
            assertThat(SampleSize.reaching(width, 0.0145, design, 0.05)).hasValue(blocks);
        }
    }

    /**
     * "8 of 10 new campaigns find a difference of 5 %" is planned from the results of a campaign with few blocks. If
     * planned from the spread itself, 70 to 74 % of them would find it after three blocks, 78 % after five, and 54 to
     * 57 % if one arm is noisier.
     */
    @Tag("simulation")
    @ParameterizedTest
    @CsvSource({"2, 3, 1", "3, 3, 1", "4, 3, 1", "3, 5, 1", "3, 3, 3", "3, 5, 3"})
    void aNewCampaignThatIsPlannedFromThisOneFindsIt(int arms, int seen, double noisier) {
        IntToDoubleFunction spread = arm -> (arm == 1 ? noisier : 1) * 0.03;
        Design design = new Design(arms, true, 1);
        double gap = 0.05;
        Random random = new Random(20261128);
        int campaigns = 400;
        int found = 0;
        for (int i = 0; i < campaigns; i++) {
            BlockData first =
                    Draw.campaign(random, "hello 100 users", Metric.THROUGHPUT, new double[arms], spread, seen, "copy");
            double promised =
                    MultipleComparison.of(List.of(first), Settings.DEFAULTS).detectable(first);
            int planned = SampleSize.blocks(gap, promised, seen, design, Settings.DEFAULTS, Settings.DEFAULTS)
                    .orElseThrow();
            double[] effects = new double[arms];
            effects[1] = Math.log1p(gap);
            BlockData next =
                    Draw.campaign(random, "hello 100 users", Metric.THROUGHPUT, effects, spread, planned, "copy");
            PairVerdict pair = MultipleComparison.of(List.of(next), Settings.DEFAULTS)
                    .pairs()
                    .get(0);
            found += pair.low() > 1 || pair.high() < 1 ? 1 : 0;
        }
        assertThat(found / (double) campaigns).isGreaterThanOrEqualTo(0.8);
    }

    /** On two quiet cores: 1.45 % in time slices of 0.1 s. */
    @Test
    void whatTheQuickPlanFinds() {
        assertThat(SampleSize.detectable(0.0145, 5, QUICK, Settings.DEFAULTS)).isBetween(0.035, 0.05);
    }

    @Test
    void detectableIsTheInverseOfPower() {
        for (int blocks : new int[] {2, 3, 5, 10, 100}) {
            for (double spread : new double[] {0.001, 0.03}) {
                for (Design design : List.of(ONE_PAIR, QUICK, new Design(6, true, 32))) {
                    double difference = SampleSize.detectable(spread, blocks, design, Settings.DEFAULTS);
                    assertThat(SampleSize.power(difference, spread, blocks, design, 0.05))
                            .as("%s blocks, %s, %s", blocks, spread, design)
                            .isCloseTo(0.8, within(1e-6));
                }
            }
        }
    }

    @Test
    void blocksAreTheFewestThatReachThePower() {
        for (double difference : new double[] {0.02, 0.05, -0.1, 0.5}) {
            int blocks = SampleSize.blocks(difference, 0.02, QUICK, Settings.DEFAULTS)
                    .orElseThrow();
            assertThat(SampleSize.power(difference, 0.02, blocks, QUICK, 0.05)).isGreaterThanOrEqualTo(0.8);
            if (blocks > 2) {
                assertThat(SampleSize.power(difference, 0.02, blocks - 1, QUICK, 0.05))
                        .isLessThan(0.8);
            }
        }
        assertThat(SampleSize.blocks(3, 0.001, QUICK, Settings.DEFAULTS)).hasValue(2);
        assertThat(SampleSize.blocks(0.0001, 0.1, QUICK, Settings.DEFAULTS)).isEmpty();
    }

    /** The plan uses the noise with which this number of blocks would find that difference. */
    @Test
    void aNewCampaignIsPlannedFromWhatThisOneWouldHaveFound() {
        double found = SampleSize.detectable(0.03, 4, QUICK, Settings.DEFAULTS);
        assertThat(SampleSize.blocks(0.05, found, 4, QUICK, Settings.DEFAULTS, Settings.DEFAULTS))
                .isEqualTo(SampleSize.blocks(0.05, 0.03, QUICK, Settings.DEFAULTS));
        assertThat(SampleSize.blocks(found, found, 4, QUICK, Settings.DEFAULTS, Settings.DEFAULTS))
                .hasValue(4);
    }

    @Test
    void farOutItIsStillANumber() {
        assertThat(SampleSize.power(0.5, 1e-9, 2, QUICK, 0.05)).isCloseTo(1, within(1e-9));
        assertThat(SampleSize.power(0, 0.02, 2, new Design(2, false, 45), 0.05)).isCloseTo(0.05 / 45, within(1e-9));
    }

    /** For cases that need no draws, values must match exact ones to a seventh of the uncertainty of draws. */
    @Test
    void criticalValuesBetweenThoseThatAreDrawn() {
        List<Integer> drawn = new ArrayList<>();
        for (double level : new double[] {0.05, 0.001}) {
            IntToDoubleFunction exact = blocks -> TDistribution.of(blocks - 1.0).inverseSurvivalProbability(level / 2);
            for (int blocks = 2; blocks <= 3000; blocks++) {
                double value = SampleSize.between(blocks, at -> {
                    drawn.add(at);
                    return exact.applyAsDouble(at);
                });
                assertThat(value / exact.applyAsDouble(blocks)).as("%d", blocks).isCloseTo(1, within(0.0015));
            }
        }
        assertThat(drawn.stream().distinct().filter(at -> at >= 16))
                .as("two for each doubling")
                .hasSize(16);
    }

    @Test
    void rejectsWhatIsOutOfRange() {
        assertThatThrownBy(() -> SampleSize.power(0.05, 0, 10, QUICK, 0.05)).hasMessage("the spread cannot be 0.0");
        assertThatThrownBy(() -> SampleSize.power(-1, 0.02, 10, QUICK, 0.05)).hasMessageContaining("difference");
        assertThatThrownBy(() -> SampleSize.detectable(0.02, 1, QUICK, Settings.DEFAULTS))
                .hasMessageContaining("blocks");
        assertThatThrownBy(() -> SampleSize.blocks(0, 0.02, QUICK, Settings.DEFAULTS))
                .hasMessageContaining("difference");
        assertThatThrownBy(() -> new Design(1, true, 1)).hasMessageContaining("arms");
        assertThatThrownBy(() -> new Settings(0.05, 0, 0.8)).hasMessageContaining("margin");
    }
}
