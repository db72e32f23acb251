package org.servletbench.bench.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.Metric;

class MultipleComparisonTest {
    /** Student's extra hours of sleep (1908), taken as logarithms: t = 4.0621, 0.70 to 2.46. */
    @Test
    void studentsSleep() {
        double[] a = {1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4};
        double[] b = {0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0};

        PairVerdict pair = Draw.judged(Metric.THROUGHPUT, exp(a), exp(b));

        assertThat(pair.estimate().meanLog()).isCloseTo(1.58, within(1e-12));
        assertThat(pair.estimate().sd()).isCloseTo(1.229995, within(1e-6));
        assertThat(Math.log(pair.low())).isCloseTo(0.7001142, within(1e-7));
        assertThat(Math.log(pair.high())).isCloseTo(2.4598858, within(1e-7));
        assertThat(pair.verdict()).isEqualTo(Verdict.FASTER);
    }

    @Test
    void lowerIsBetterTurnsTheVerdictAndNotTheRatio() {
        double[] a = {90, 91, 89, 90, 92, 90};
        double[] b = {100, 101, 100, 99, 101, 100};
        PairVerdict throughput = Draw.judged(Metric.THROUGHPUT, a, b);
        PairVerdict p99 = Draw.judged(Metric.P99, a, b);
        assertThat(throughput.verdict()).isEqualTo(Verdict.SLOWER);
        assertThat(p99.verdict()).isEqualTo(Verdict.FASTER);
        assertThat(p99.ratio()).isEqualTo(throughput.ratio()).isLessThan(1);
        assertThat(p99.aLooksBetter()).isTrue();
    }

    @Test
    void tooFewBlocks() {
        for (int n = 0; n < 2; n++) {
            PairVerdict pair = Draw.judged(Metric.P99, Arrays.copyOf(new double[] {1, 2}, n), new double[] {3, 4});
            assertThat(pair.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
            assertThat(pair.reason()).contains(NoVerdictReason.TOO_FEW_BLOCKS);
            assertThat(pair.low()).isNaN();
        }
    }

    @Test
    void aValueThatIsNoneIsAbsent() {
        double[] a = {10, Double.NaN, 11, 0, 12, -1, 13, Double.POSITIVE_INFINITY};
        double[] b = {20, 21, Double.NaN, 22, 24, 25, 26, 27};
        PairVerdict pair = Draw.judged(Metric.THROUGHPUT, a, b);
        assertThat(pair.estimate())
                .isEqualTo(Draw.judged(Metric.THROUGHPUT, new double[] {10, 12, 13}, new double[] {20, 24, 26})
                        .estimate());
        assertThat(pair.estimate().n()).isEqualTo(3);
    }

    @Test
    void everyPairTakesTheBlocksItHas() {
        SortedMap<Integer, Map<String, Double>> blocks = new TreeMap<>();
        blocks.put(1, Map.of("x", 10.0, "y", 11.0, "z", 12.0));
        blocks.put(2, Map.of("x", 10.5, "z", 12.0, "unknown", 1.0));
        blocks.put(7, Map.of("x", 10.2, "y", 11.1, "z", 12.1));
        blocks.put(8, Map.of("y", 10.9));
        BlockData comparison = Draw.table(List.of("x", "y", "z"), null, blocks);

        MultipleComparison family = MultipleComparison.of(List.of(comparison), Settings.DEFAULTS);

        assertThat(family.pairs())
                .extracting(pair -> pair.contrast().a()
                        + pair.contrast().b()
                        + pair.estimate().n())
                .containsExactly("xy2", "xz3", "yz2");
        assertThat(family.guard()).isEqualTo(AaCheck.UNPROVEN);
    }

    @Test
    void withoutAnyNoiseThereIsNoIntervalAndNoVerdict() {
        for (int n = 2; n <= 12; n++) {
            PairVerdict pair = Draw.judged(Metric.P99, filled(n, 2), filled(n, 3));
            assertThat(pair.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
            assertThat(pair.reason()).contains(NoVerdictReason.NO_SPREAD);
            assertThat(pair.low()).isNaN();
            assertThat(pair.ratio()).isCloseTo(2 / 3.0, within(1e-12));
        }
    }

    @Test
    void anAlmostEqualRatioIsNoSpreadOfItsOwn() {
        double[] a = {1000, 1234, 1777, 1313.7, 999.1, 1e6, 3e-3};
        PairVerdict pair = Draw.judged(
                Metric.THROUGHPUT, Arrays.stream(a).map(x -> 1.1 * x).toArray(), a);
        assertThat(pair.reason()).contains(NoVerdictReason.NO_SPREAD);
    }

    /**
     * A pair without noise of its own borrows it from the others, so that a lucky pair is not certain after two blocks.
     */
    @Test
    void aPairWithoutSpreadBorrowsTheOthersNoise() {
        SortedMap<Integer, Map<String, Double>> blocks = new TreeMap<>();
        double[] c = {1.00, 1.05, 0.98, 1.02};
        for (int b = 0; b < c.length; b++) {
            blocks.put(b, Map.of("A", 1.02, "B", 1.0, "C", c[b]));
        }
        PairVerdict pair = MultipleComparison.of(
                        List.of(Draw.table(List.of("A", "B", "C"), null, blocks)), Settings.DEFAULTS)
                .pairs()
                .get(0);
        assertThat(pair.estimate().sd()).isZero();
        assertThat(pair.halfWidth()).isGreaterThan(0.01);
    }

    /**
     * The residual of a complete two-way table, computed by hand: the mean square of the interaction, here 0.5 with 2
     * df.
     */
    @Test
    void theResidualIsThatOfTheTwoWayTable() {
        double[][] y = {{0, 1, 2}, {1, 2, 4.5}};
        SortedMap<Integer, Map<String, Double>> blocks = new TreeMap<>();
        for (int b = 0; b < 2; b++) {
            blocks.put(b, Map.of("x", Math.exp(y[b][0]), "y", Math.exp(y[b][1]), "copy", Math.exp(y[b][2])));
        }
        BlockData comparison = Draw.table(List.of("x", "y"), "copy", blocks);
        Residual residual = MultipleComparison.residual(comparison);
        // Differences in the blocks: 1, 1, 2.5. Squares about their mean of 1.5 add up to 1.5, which is halved and
        // divided by 2 df.
        assertThat(residual.df()).isEqualTo(2);
        assertThat(residual.sd()).isCloseTo(Math.sqrt(1.5 / 2 / 2), within(1e-12));
    }

    /** With holes the residual is that of least squares: here with a fourth arm and a hole, solved by hand. */
    @Test
    void theResidualOfATableWithHoles() {
        SortedMap<Integer, Map<String, Double>> blocks = new TreeMap<>();
        blocks.put(1, Map.of("x", 1.0, "y", Math.exp(0.3)));
        blocks.put(2, Map.of("x", 1.0, "y", Math.exp(0.5)));
        blocks.put(3, Map.of("x", 2.0));
        blocks.put(4, Map.of("u", 5.0, "v", 7.0));
        Residual residual = MultipleComparison.residual(Draw.table(List.of("x", "y", "u", "v"), null, blocks));
        // Only x and y repeat. Their differences 0.3 and 0.5 leave squares of 0.02, which are halved.
        assertThat(residual.df()).isEqualTo(1);
        assertThat(residual.sd()).isCloseTo(0.1, within(1e-12));
    }

    @Test
    void anArmAtTheGeneratorsLimitHasAFloor() {
        double[] slow = {90, 91, 89, 90, 92, 90};
        double[] fast = {100, 101, 100, 99, 101, 100};
        PairVerdict faster = floored(Metric.THROUGHPUT, fast, slow, Set.of("A"));
        assertThat(faster.verdict()).isEqualTo(Verdict.FASTER);
        assertThat(faster.high()).isInfinite();
        assertThat(faster.low())
                .isEqualTo(Draw.judged(Metric.THROUGHPUT, fast, slow).low());
        assertThat(faster.bound()).isEqualTo(Bound.AT_LEAST);
        assertThat(faster.detectable()).isNaN();

        // A lower bound that is smaller may still belong to a higher true value, and an equal one to a faster arm.
        for (double[] floor : List.of(slow, new double[] {100.1, 101, 100, 99, 101.1, 100})) {
            PairVerdict open = floored(Metric.THROUGHPUT, floor, fast, Set.of("A"));
            assertThat(open.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
            assertThat(open.reason()).contains(NoVerdictReason.FLOOR);
        }
        assertThat(floored(Metric.THROUGHPUT, slow, fast, Set.of("B")).verdict())
                .isEqualTo(Verdict.SLOWER);
        assertThat(floored(Metric.THROUGHPUT, fast, slow, Set.of("A", "B")).reason())
                .contains(NoVerdictReason.FLOOR);
        assertThat(floored(Metric.P99, fast, slow, Set.of("A")).reason()).contains(NoVerdictReason.FLOOR);
        assertThat(floored(Metric.CPU, fast, slow, Set.of("A")).verdict()).isEqualTo(Verdict.SLOWER);
    }

    /** p99 of 0.40 and 0.80 ms on a clock of whole milliseconds: both are recorded near 1.5 ms. */
    @Test
    void aCoarseClockDecidesNothing() {
        double[] a = {1.50, 1.51, 1.49, 1.50, 1.50, 1.51};
        double[] b = {1.50, 1.50, 1.51, 1.49, 1.51, 1.50};
        assertThat(clocked(Metric.P99, a, b, 0).verdict()).isEqualTo(Verdict.EQUIVALENT);
        PairVerdict coarse = clocked(Metric.P99, a, b, 1);
        assertThat(coarse.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
        assertThat(coarse.reason()).contains(NoVerdictReason.RESOLUTION);
        assertThat(coarse.low()).isLessThan(0.5);
        assertThat(coarse.high()).isGreaterThan(2);
        assertThat(coarse.detectable())
                .as("a fivefold difference may hide in that clock")
                .isGreaterThan(4);

        // At 150 ms one millisecond hardly matters, and a large difference stays one.
        assertThat(clocked(Metric.P99, times(100, a), times(100, b), 1).verdict())
                .isEqualTo(Verdict.EQUIVALENT);
        assertThat(clocked(Metric.P99, times(4, a), times(40, b), 1).verdict()).isEqualTo(Verdict.FASTER);
        // Below the clock's step a value may be anything. The mean and CPU time do not depend on that clock.
        assertThat(clocked(Metric.P99, times(0.5, a), b, 1).low()).isZero();
        assertThat(clocked(Metric.MEAN, a, b, 1).verdict()).isEqualTo(Verdict.EQUIVALENT);
        assertThat(clocked(Metric.P99, a, b, Double.NaN).verdict()).isEqualTo(Verdict.EQUIVALENT);
    }

    /** Without a bias, the A/A check seldom fails, even with noise that is large relative to the margin. */
    @Tag("simulation")
    @Test
    void aSoundCampaignIsSeldomVoid() {
        Random random = new Random(11);
        int campaigns = 1000;
        int broken = 0;
        int held = 0;
        for (int i = 0; i < campaigns; i++) {
            List<BlockData> loads = List.of(
                    Draw.campaign(random, "hello 100 users", Metric.THROUGHPUT, new double[3], 0.2, 4, "copy"),
                    Draw.campaign(random, "hello 500 users", Metric.THROUGHPUT, new double[3], 0.2, 4, "copy"),
                    Draw.campaign(random, "hello 900 users", Metric.THROUGHPUT, new double[3], 0.2, 4, "copy"));
            AaCheck guard = MultipleComparison.of(loads, Settings.DEFAULTS).guard();
            broken += guard == AaCheck.BROKEN ? 1 : 0;
            held += guard == AaCheck.HELD ? 1 : 0;
        }
        assertThat(broken).isLessThanOrEqualTo(campaigns / 20);
        assertThat(held).isZero();
    }

    /** A bias exactly at the margin is the smallest that must not pass, and HELD occurs in at most 5 % of campaigns. */
    @Tag("simulation")
    @Test
    void aBiasOfTheMarginIsSeldomHeld() {
        Random random = new Random(12);
        int campaigns = 2000;
        int held = 0;
        for (int i = 0; i < campaigns; i++) {
            BlockData drawn =
                    Draw.campaign(random, "hello 100 users", Metric.THROUGHPUT, new double[4], 0.01, 5, "copy");
            held += MultipleComparison.of(List.of(biased(drawn, 1.03)), Settings.DEFAULTS)
                                    .guard()
                            == AaCheck.HELD
                    ? 1
                    : 0;
        }
        assertThat(held).isBetween(campaigns / 100, (int) (0.055 * campaigns));
    }

    /** Four blocks with residuals of 8 % can only detect a bias of about 20 %, which proves nothing. */
    @Test
    void aBlindControlIsUnproven() {
        BlockData blind =
                Draw.campaign(new Random(13), "hello 100 users", Metric.THROUGHPUT, new double[4], 0.08, 4, "copy");
        MultipleComparison family = MultipleComparison.of(List.of(blind), Settings.DEFAULTS);
        assertThat(family.guard()).isEqualTo(AaCheck.UNPROVEN);
        assertThat(family.isVoid()).isFalse();
        PairVerdict control = family.controls().get(0);
        assertThat(family.biasNotExcluded())
                .isBetween(0.06, 0.4)
                .isEqualTo(Math.max(control.high(), 1 / control.low()) - 1);
    }

    @Test
    void aDifferingControlMakesAllVoid() {
        Random random = new Random(1);
        BlockData sound = Draw.campaign(
                random, "hello 100 users", Metric.THROUGHPUT, new double[] {0, 0.2, 0}, 0.01, 10, "arm0-copy");
        MultipleComparison held = MultipleComparison.of(List.of(sound), Settings.DEFAULTS);
        assertThat(held.guard()).isEqualTo(AaCheck.HELD);
        assertThat(held.isVoid()).isFalse();
        assertThat(held.pairs()).as("the control is in no claim").hasSize(3);
        assertThat(held.control(sound)).hasValueSatisfying(control -> {
            assertThat(control.contrast().a()).isEqualTo("arm0-copy");
            assertThat(control.contrast().b()).isEqualTo("arm0");
        });

        BlockData changed = biased(sound, 0.8);
        BlockData unsound = new BlockData(
                "boot3",
                new MeasuredLoad("hello", 100, 0, "ab"),
                Metric.THROUGHPUT,
                sound.arms(),
                "arm0",
                sound.control(),
                changed.blocks(),
                Set.of(),
                0);
        MultipleComparison broken = MultipleComparison.of(List.of(sound, unsound), Settings.DEFAULTS);
        assertThat(broken.guard()).isEqualTo(AaCheck.BROKEN);
        assertThat(broken.isVoid()).isTrue();
        assertThat(broken.controls()).extracting(PairVerdict::verdict).contains(Verdict.SLOWER);
    }

    /** An interim look at claims has hardly any level, which must not make the A/A check pass. */
    @Test
    void controlsKeepTheirLevelWhereIntervalsHaveHardlyAny() {
        BlockData unsound = biased(
                Draw.campaign(
                        new Random(1), "hello 100 users", Metric.THROUGHPUT, new double[] {0, 0}, 0.01, 3, "arm0-copy"),
                0.8);
        Settings look = new Settings(1e-6, 0.03, 0.8);
        assertThat(MultipleComparison.of(List.of(unsound), look).isVoid()).isFalse();
        assertThat(MultipleComparison.of(List.of(unsound), look, 0, 0.05).isVoid())
                .isTrue();
    }

    @Test
    void aControlOfOneBlockTestsNothing() {
        BlockData comparison =
                Draw.campaign(new Random(2), "hello 100 users", Metric.P99, new double[] {0, 0}, 0.02, 1, "copy");
        assertThat(MultipleComparison.of(List.of(comparison), Settings.DEFAULTS).guard())
                .isEqualTo(AaCheck.UNPROVEN);
    }

    @Test
    void precisionIsThatOfTheWidestInterval() {
        double[] b = {100, 101, 100, 99, 101, 100};
        BlockData narrow = Draw.pair(Metric.THROUGHPUT, new double[] {90, 91, 89, 90, 92, 90}, b);
        BlockData wide = Draw.pair(Metric.P99, new double[] {90, 120, 80, 90, 92, 90}, b);
        MultipleComparison family = MultipleComparison.of(List.of(narrow, wide), Settings.DEFAULTS);
        PairVerdict widest = family.pairs().get(1);
        assertThat(family.widestHalfWidth()).isEqualTo(widest.halfWidth());
        assertThat(widest.ratio() * (1 + widest.halfWidth())).isCloseTo(widest.high(), within(1e-12));
        assertThat(Stopping.enough(family, 6, widest.halfWidth())).isTrue();
        assertThat(Stopping.enough(family, 6, 0.99 * widest.halfWidth())).isFalse();
        assertThat(Stopping.enough(family, Stopping.MIN_BLOCKS - 1, 10)).isFalse();
        assertThat(Stopping.enough(family, 100, 0)).isFalse();
        BlockData none = Draw.pair(Metric.CPU, new double[1], new double[1]);
        assertThat(MultipleComparison.of(List.of(narrow, none), Settings.DEFAULTS)
                        .widestHalfWidth())
                .isInfinite();
    }

    @Test
    void refusesWhatCannotBe() {
        BlockData pair = Draw.pair(Metric.P99, new double[0], new double[0]);
        assertThatThrownBy(() -> MultipleComparison.of(List.of(pair, pair), Settings.DEFAULTS))
                .hasMessageContaining("twice");
        assertThatThrownBy(() -> new BlockData(
                        "g", Draw.HELLO, Metric.P99, List.of("x"), "y", Optional.empty(), new TreeMap<>(), Set.of(), 0))
                .hasMessage("the baseline y is not among the arms [x]");
        assertThatThrownBy(() -> new BlockData(
                        "g", Draw.HELLO, Metric.P99, List.of("x"), "x", Optional.of("x"), new TreeMap<>(), Set.of(), 0))
                .hasMessageContaining("control");
    }

    @Test
    void anEmptyFamily() {
        MultipleComparison family = MultipleComparison.of(List.of(), Settings.DEFAULTS);
        assertThat(family.pairs()).isEmpty();
        assertThat(family.isVoid()).isFalse();
    }

    private static BlockData biased(BlockData sound, double factor) {
        SortedMap<Integer, Map<String, Double>> blocks = new TreeMap<>();
        sound.blocks().forEach((block, values) -> {
            Map<String, Double> changed = new TreeMap<>(values);
            changed.compute(sound.control().orElseThrow(), (arm, value) -> factor * value);
            blocks.put(block, changed);
        });
        return Draw.with(sound, blocks);
    }

    private static PairVerdict floored(Metric metric, double[] a, double[] b, Set<String> floors) {
        return judged(metric, a, b, floors, 0);
    }

    private static PairVerdict clocked(Metric metric, double[] a, double[] b, double resolution) {
        return judged(metric, a, b, Set.of(), resolution);
    }

    private static PairVerdict judged(Metric metric, double[] a, double[] b, Set<String> floors, double resolution) {
        BlockData pair = Draw.pair(metric, a, b);
        return MultipleComparison.of(List.of(Draw.with(pair, metric, floors, resolution)), Settings.DEFAULTS)
                .pairs()
                .get(0);
    }

    private static double[] times(double factor, double[] values) {
        return Arrays.stream(values).map(value -> factor * value).toArray();
    }

    private static double[] exp(double[] logs) {
        return Arrays.stream(logs).map(Math::exp).toArray();
    }

    private static double[] filled(int n, double value) {
        double[] values = new double[n];
        Arrays.fill(values, value);
        return values;
    }
}
