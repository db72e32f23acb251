package org.servletbench.bench.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntToDoubleFunction;
import org.apache.commons.statistics.distribution.TDistribution;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.servletbench.bench.model.Metric;

/**
 * Tests that the promises are kept in campaigns with a known truth, with four arms and the control, and runs that
 * spread by 1.45 %.
 */
class SimulatedCampaignsTest {
    private static final double SPREAD = 0.0145;
    private static final int CAMPAIGNS = 8000;

    /** The standard error of a share of 5 % of 8,000 is 0.25 points, so that the limits reflect the truth, not luck. */
    @Tag("simulation")
    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5, 10, 30})
    void withEqualSpreadsAllIntervalsHoldTheTruth(int blocks) {
        assertThat(missed(blocks, arm -> SPREAD, Map.of())).isLessThanOrEqualTo(0.055);
    }

    @Tag("simulation")
    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5, 10, 30})
    void withOneArmThreeTimesNoisierAsWell(int blocks) {
        assertThat(missed(blocks, arm -> arm == 2 ? 3 * SPREAD : SPREAD, Map.of()))
                .isLessThanOrEqualTo(0.07);
    }

    @Tag("simulation")
    @ParameterizedTest
    @ValueSource(ints = {4, 10})
    void withHolesAsWell(int blocks) {
        Map<Integer, String> holes = Map.of(0, "arm1", 1, "arm2", 2, "arm2", 3, "copy");
        assertThat(missed(blocks, arm -> SPREAD, holes)).isLessThanOrEqualTo(0.055);
        assertThat(missed(blocks, arm -> arm == 2 ? 3 * SPREAD : SPREAD, holes)).isLessThanOrEqualTo(0.07);
    }

    /**
     * Arms at the generator's limit vary less than servers do. Pooling must not make the intervals of the others too
     * narrow.
     */
    @Tag("simulation")
    @Test
    void withTwoArmsAtTheGeneratorsLimitAsWell() {
        Random random = new Random(11);
        int missed = 0;
        for (int i = 0; i < CAMPAIGNS; i++) {
            BlockData all = Draw.campaign(
                    random,
                    "hello 100 users",
                    Metric.THROUGHPUT,
                    new double[5],
                    arm -> arm == 3 || arm == 4 ? 0.1 * SPREAD : SPREAD,
                    5,
                    "copy");
            missed += missesOne(MultipleComparison.of(
                            List.of(Draw.with(
                                    all, all.metric(), Set.copyOf(all.arms().subList(3, 5)), 0)),
                            Settings.DEFAULTS))
                    ? 1
                    : 0;
        }
        assertThat(missed / (double) CAMPAIGNS).isLessThanOrEqualTo(0.055);
    }

    /** The allowance for unequal spreads costs nothing with equal ones: at 30 blocks, the level is used up. */
    @Tag("simulation")
    @Test
    void withManyBlocksTheLevelIsUsed() {
        assertThat(missed(30, arm -> SPREAD, Map.of())).isGreaterThan(0.04);
    }

    /** Several comparisons share the level: loads, tested metrics, groups. */
    @Tag("simulation")
    @Test
    void overSeveralComparisonsToo() {
        Random random = new Random(3);
        int campaigns = 4000;
        int missed = 0;
        for (int i = 0; i < campaigns; i++) {
            List<BlockData> comparisons = List.of(
                    Draw.campaign(random, "hello 100 users", Metric.THROUGHPUT, new double[4], SPREAD, 10, "copy"),
                    Draw.campaign(random, "hello 100 users", Metric.P99, new double[4], SPREAD, 10, "copy"),
                    Draw.campaign(random, "hello 100 users", Metric.CPU, new double[4], SPREAD, 10, "copy"));
            missed += missesOne(MultipleComparison.of(comparisons, Settings.DEFAULTS)) ? 1 : 0;
        }
        assertThat(missed / (double) campaigns).isBetween(0.03, 0.055);
    }

    /** Five blocks with the noise of two quiet cores: ±2.5 % against the baseline. */
    @Tag("simulation")
    @Test
    void theIntervalsAreNarrow() {
        assertThat(meanHalfWidth(5)).isBetween(0.022, 0.028);
        double bonferroni = TDistribution.of(3).inverseSurvivalProbability(0.05 / 6 / 2);
        double paired = Math.expm1(bonferroni * SPREAD * Math.sqrt(2.0 / 4) * 0.92);
        assertThat(meanHalfWidth(4))
                .as("a paired t with Bonferroni has %.3f", paired)
                .isLessThan(0.75 * paired);
    }

    /** With only two arms it is Student's t. Simulated values agree with it, and with Tukey's table. */
    @Test
    void theCriticalValueOfAKnownCase() {
        boolean[][] all = new boolean[6][2];
        for (boolean[] block : all) {
            Arrays.fill(block, true);
        }
        for (double level : new double[] {0.05, 0.0016}) {
            double student = TDistribution.of(5).inverseSurvivalProbability(level / 2);
            assertThat(Critical.value(all, List.of(new Critical.Pair(0, 1)), level))
                    .isCloseTo(student, within((level < 0.01 ? 0.04 : 0.015) * student));
        }
        // Many blocks: the studentized range of four at 5 % is 3.633, divided by the root of 2.
        assertThat(Critical.complete(2000, 4, true, Baseline.FIRST_COPY, 0.05))
                .isCloseTo(3.633 / Math.sqrt(2), within(0.02));
        // The values meet where drawn blocks are replaced by drawn cross products.
        assertThat(Critical.complete(67, 4, true, Baseline.FIRST_COPY, 0.05))
                .isCloseTo(Critical.complete(66, 4, true, Baseline.FIRST_COPY, 0.05), within(0.02));
    }

    /** Expected values come from separate draws for each level. */
    @Test
    void theDrawsOfATableServeEveryLevel() {
        Map<Double, Double> values =
                Map.of(0.2, 2.1617818236229236, 0.05, 2.9768621948479925, 0.005, 4.668580477322486);
        values.forEach((level, value) -> assertThat(Critical.complete(7, 4, true, Baseline.FIRST_COPY, level))
                .isCloseTo(value, within(1e-12)));
    }

    /**
     * Campaigns stop when all intervals are narrow enough, at precisions that are reached early, in between and late.
     */
    @Tag("simulation")
    @ParameterizedTest
    @ValueSource(doubles = {0.05, 0.03, 0.024, 0.018})
    void stoppingAtAPrecisionKeepsTheCoverage(double precision) {
        assertThat(missedWhenStopping(precision, arm -> SPREAD)).isLessThanOrEqualTo(0.05 + 2 * 0.0049);
    }

    @Tag("simulation")
    @ParameterizedTest
    @ValueSource(doubles = {0.06, 0.04})
    void withOneArmThreeTimesNoisierToo(double precision) {
        assertThat(missedWhenStopping(precision, arm -> arm == 2 ? 3 * SPREAD : SPREAD))
                .isLessThanOrEqualTo(0.07);
    }

    private static double missedWhenStopping(double precision, IntToDoubleFunction spread) {
        Random random = new Random(17);
        Settings settings = new Settings(Stopping.alpha(0.05, precision), 0.03, 0.8);
        int campaigns = 2000;
        int missed = 0;
        for (int i = 0; i < campaigns; i++) {
            BlockData whole =
                    Draw.campaign(random, "hello 100 users", Metric.THROUGHPUT, new double[4], spread, 20, "copy");
            int blocks = Stopping.MIN_BLOCKS;
            MultipleComparison family = MultipleComparison.of(List.of(first(whole, blocks)), settings);
            while (blocks < 20 && !Stopping.enough(family, blocks, precision)) {
                blocks++;
                family = MultipleComparison.of(List.of(first(whole, blocks)), settings);
            }
            missed += missesOne(family) ? 1 : 0;
        }
        return missed / (double) campaigns;
    }

    private static BlockData first(BlockData whole, int blocks) {
        return Draw.with(whole, whole.blocks().headMap(blocks));
    }

    /**
     * Returns the share of campaigns in which any interval misses the true ratio, which is 1.
     *
     * @param holes by block, the arm that it lacks
     */
    private static double missed(int blocks, IntToDoubleFunction spread, Map<Integer, String> holes) {
        Random random = new Random(20261121);
        int missed = 0;
        for (int i = 0; i < CAMPAIGNS; i++) {
            BlockData drawn =
                    Draw.campaign(random, "hello 100 users", Metric.THROUGHPUT, new double[4], spread, blocks, "copy");
            missed += missesOne(MultipleComparison.of(List.of(without(drawn, holes)), Settings.DEFAULTS)) ? 1 : 0;
        }
        return missed / (double) CAMPAIGNS;
    }

    private static BlockData without(BlockData drawn, Map<Integer, String> holes) {
        SortedMap<Integer, Map<String, Double>> blocks = new TreeMap<>(drawn.blocks());
        holes.forEach((block, arm) -> {
            Map<String, Double> values = new TreeMap<>(blocks.get(block));
            values.remove(arm);
            blocks.put(block, values);
        });
        return Draw.with(drawn, blocks);
    }

    private static boolean missesOne(MultipleComparison family) {
        return family.pairs().stream().anyMatch(pair -> pair.low() > 1 || pair.high() < 1);
    }

    private static double meanHalfWidth(int blocks) {
        Random random = new Random(9);
        double sum = 0;
        for (int i = 0; i < 500; i++) {
            BlockData drawn =
                    Draw.campaign(random, "hello 100 users", Metric.THROUGHPUT, new double[4], SPREAD, blocks, "copy");
            sum += MultipleComparison.of(List.of(drawn), Settings.DEFAULTS)
                    .pairs()
                    .get(0)
                    .halfWidth();
        }
        return sum / 500;
    }
}
