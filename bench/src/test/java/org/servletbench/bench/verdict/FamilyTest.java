package org.servletbench.bench.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class FamilyTest {
    /** The extra hours of sleep of Student (1908), taken as logarithms: t = 4.0621, p = 0.002833, 0.70 to 2.46. */
    @Test
    void studentsSleep() {
        double[] a = {1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4};
        double[] b = {0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0};

        PairVerdict pair = Draw.judged(Metric.THROUGHPUT, exp(a), exp(b));

        assertThat(pair.estimate().meanLog()).isCloseTo(1.58, within(1e-12));
        assertThat(pair.estimate().sd()).isCloseTo(1.229995, within(1e-6));
        assertThat(pair.estimate().p()).isCloseTo(0.002833, within(1e-6));
        assertThat(pair.pHolm()).isEqualTo(pair.estimate().p());
        assertThat(Math.log(pair.low())).isCloseTo(0.7001142, within(1e-7));
        assertThat(Math.log(pair.high())).isCloseTo(2.4598858, within(1e-7));
        assertThat(pair.verdict()).isEqualTo(Verdict.FASTER);
        assertThat(pair.crossCheck()).isEqualTo(CrossCheck.AGREES);
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
            assertThat(pair.caveat()).contains(Caveat.TOO_FEW_BLOCKS);
            assertThat(pair.crossCheck()).isEqualTo(CrossCheck.CANNOT_TELL);
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
        Comparison comparison = new Comparison(
                "boot3", Draw.HELLO, Metric.THROUGHPUT, List.of("x", "y", "z"), "x", Optional.empty(), blocks);

        Family family = Family.of(List.of(comparison), Settings.DEFAULTS);

        assertThat(family.pairs())
                .extracting(pair ->
                        pair.claim().a() + pair.claim().b() + pair.estimate().n())
                .containsExactly("xy2", "xz3", "yz2");
        assertThat(family.standings(comparison)).extracting(Standing::arm).containsExactly("z", "y", "x");
        assertThat(family.guard()).isEqualTo(Guard.UNTESTED);
    }

    @Test
    void equalDifferencesAreJudgedByTheirSigns() {
        for (int n = 2; n <= 12; n++) {
            double[] twoMs = filled(n, 2);
            double[] threeMs = filled(n, 3);
            PairVerdict pair = Draw.judged(Metric.P99, twoMs, threeMs);
            assertThat(pair.estimate().p()).isEqualTo(Math.pow(2, 1 - n));
            assertThat(pair.verdict()).isEqualTo(n < 6 ? Verdict.INCONCLUSIVE : Verdict.FASTER);
            assertThat(pair.caveat()).contains(Caveat.NO_SPREAD);
            assertThat(List.of(pair.low(), pair.high(), pair.ratio()))
                    .allSatisfy(r -> assertThat(r).isCloseTo(2 / 3.0, within(1e-12)));

            PairVerdict same = Draw.judged(Metric.P99, twoMs, twoMs);
            assertThat(same.estimate().p()).isEqualTo(1);
            assertThat(same.verdict()).isEqualTo(n < 5 ? Verdict.INCONCLUSIVE : Verdict.EQUIVALENT);
            assertThat(same.pHolm()).isEqualTo(1);
        }
    }

    @Test
    void anAlmostEqualRatioIsNoSpreadOfItsOwn() {
        double[] a = {1000, 1234, 1777, 1313.7, 999.1, 1e6, 3e-3};
        PairVerdict pair = Draw.judged(
                Metric.THROUGHPUT, Arrays.stream(a).map(x -> 1.1 * x).toArray(), a);
        assertThat(pair.caveat()).contains(Caveat.NO_SPREAD);
        assertThat(pair.verdict()).isEqualTo(Verdict.FASTER);
    }

    @Test
    void ranksMayDisagree() {
        // One block of ten carries the whole mean: the t-test is blind to what nine small differences agree on.
        double[] d = {0.01, 0.012, 0.011, 0.013, 0.009, 0.0105, 0.0125, 0.0115, 0.0095, 0.5};
        PairVerdict pair = Draw.judged(Metric.THROUGHPUT, exp(d), filled(10, 1));
        assertThat(pair.estimate().wilcoxonP()).isEqualTo(2 / 1024.0);
        assertThat(pair.crossCheck()).isEqualTo(CrossCheck.DISAGREES);
    }

    @Test
    void aDifferingControlMakesAllVoid() {
        Random random = new Random(1);
        Comparison sound = Draw.campaign(
                random, "hello 100 users", Metric.THROUGHPUT, new double[] {0, 0.2, 0}, 0.02, 10, "arm0-copy");
        Family held = Family.of(List.of(sound), Settings.DEFAULTS);
        assertThat(held.guard()).isEqualTo(Guard.HELD);
        assertThat(held.isVoid()).isFalse();
        assertThat(held.pairs()).as("the control is in no claim").hasSize(3);
        assertThat(held.control(sound)).hasValueSatisfying(control -> {
            assertThat(control.claim().a()).isEqualTo("arm0-copy");
            assertThat(control.claim().b()).isEqualTo("arm0");
        });

        SortedMap<Integer, Map<String, Double>> blocks = new TreeMap<>();
        sound.blocks().forEach((block, values) -> {
            Map<String, Double> changed = new TreeMap<>(values);
            changed.compute("arm0-copy", (arm, value) -> 0.8 * value);
            blocks.put(block, changed);
        });
        Comparison unsound = new Comparison(
                "boot3",
                new Cell(sound.cell().load(), "ab"),
                Metric.THROUGHPUT,
                sound.arms(),
                "arm0",
                sound.control(),
                blocks);
        Family broken = Family.of(List.of(sound, unsound), Settings.DEFAULTS);
        assertThat(broken.guard()).isEqualTo(Guard.BROKEN);
        assertThat(broken.isVoid()).isTrue();
        assertThat(broken.controls()).extracting(PairVerdict::verdict).contains(Verdict.SLOWER);
    }

    @Test
    void aControlOfOneBlockTestsNothing() {
        Comparison comparison =
                Draw.campaign(new Random(2), "hello 100 users", Metric.P99, new double[] {0, 0}, 0.02, 1, "copy");
        assertThat(Family.of(List.of(comparison), Settings.DEFAULTS).guard()).isEqualTo(Guard.UNTESTED);
    }

    @Test
    void precisionIsThatOfTheWidestInterval() {
        double[] b = {100, 101, 100, 99, 101, 100};
        Comparison narrow = Draw.pair(Metric.THROUGHPUT, new double[] {90, 91, 89, 90, 92, 90}, b);
        Comparison wide = Draw.pair(Metric.P99, new double[] {90, 120, 80, 90, 92, 90}, b);
        Family family = Family.of(List.of(narrow, wide), Settings.DEFAULTS);
        PairVerdict widest = family.pairs().get(1);
        assertThat(family.widestHalfWidth()).isEqualTo(widest.halfWidth());
        assertThat(widest.ratio() * (1 + widest.halfWidth())).isCloseTo(widest.high(), within(1e-12));
        Comparison none = Draw.pair(Metric.CPU_PER_REQUEST, new double[1], new double[1]);
        assertThat(Family.of(List.of(narrow, none), Settings.DEFAULTS).widestHalfWidth())
                .isInfinite();
    }

    @Test
    void refusesWhatCannotBe() {
        Comparison pair = Draw.pair(Metric.P99, new double[0], new double[0]);
        assertThatThrownBy(() -> Family.of(List.of(pair, pair), Settings.DEFAULTS))
                .hasMessageContaining("twice");
        assertThatThrownBy(() -> new Comparison(
                        "g", Draw.HELLO, Metric.P99, List.of("x"), "y", Optional.empty(), new TreeMap<>()))
                .hasMessage("the baseline y is not among the arms [x]");
        assertThatThrownBy(() -> new Comparison(
                        "g", Draw.HELLO, Metric.P99, List.of("x"), "x", Optional.of("x"), new TreeMap<>()))
                .hasMessageContaining("control");
    }

    @Test
    void anEmptyFamily() {
        Family family = Family.of(List.of(), Settings.DEFAULTS);
        assertThat(family.pairs()).isEmpty();
        assertThat(family.isVoid()).isFalse();
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
