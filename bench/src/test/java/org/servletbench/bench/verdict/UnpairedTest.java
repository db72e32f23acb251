package org.servletbench.bench.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.servletbench.bench.verdict.Unpaired.Samples;

class UnpairedTest {
    private static final double[] BEFORE = {101.2, 99.5, 103.3, 98.7, 100.9, 102.4, 97.9, 100.1};
    private static final double[] AFTER = {111.0, 107.2, 115.8, 104.1, 112.6, 108.3};

    private static Unpaired one(double[] before, double[] after, Better better) {
        return Unpaired.judge(List.of(new Samples(before, after, better)), Settings.DEFAULTS)
                .get(0);
    }

    /** SciPy 1.x: ttest_ind(log(after), log(before), equal_var=False), shifted by the margin for the equivalence test. */
    @Test
    void agrees_with_scipys_welch_test() {
        Unpaired higher = one(BEFORE, AFTER, Better.HIGHER);

        assertThat(higher.p()).isCloseTo(0.0013159960812152499, within(1e-9));
        assertThat(higher.ratio()).isCloseTo(1.0923715064217097, within(1e-12));
        assertThat(higher.low()).isCloseTo(1.0495903523047425, within(1e-9));
        assertThat(higher.high()).isCloseTo(1.136896414321818, within(1e-9));
        assertThat(higher.tostHolm()).isCloseTo(0.9947291309357266, within(1e-9));
        assertThat(higher.verdict()).isEqualTo(Verdict.FASTER);
        assertThat(one(BEFORE, AFTER, Better.LOWER).verdict()).isEqualTo(Verdict.SLOWER);
    }

    @Test
    void what_hardly_changed_is_equivalent() {
        Unpaired same = one(
                new double[] {100.0, 100.4, 99.8, 100.1, 99.9, 100.2},
                new double[] {100.3, 100.1, 99.7, 100.5, 100.0},
                Better.HIGHER);

        assertThat(same.p()).isCloseTo(0.7519716867272016, within(1e-9));
        assertThat(same.tostHolm()).isCloseTo(1.8084460353221374e-07, within(1e-12));
        assertThat(same.verdict()).isEqualTo(Verdict.EQUIVALENT);
    }

    @Test
    void one_value_on_a_side_decides_nothing() {
        Unpaired one = one(new double[] {100}, AFTER, Better.HIGHER);

        assertThat(one.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
        assertThat(one.possible()).isFalse();
        assertThat(one.low()).isNaN();
        assertThat(one(new double[0], AFTER, Better.HIGHER).ratio()).isNaN();
        assertThat(one(new double[] {Double.NaN, 0, -1}, AFTER, Better.HIGHER).before())
                .isZero();
    }

    @Test
    void values_without_spread_are_judged_by_their_number() {
        // One of 70 ways to choose four of eight: two-sided 2/70.
        Unpaired four = one(new double[] {5, 5, 5, 5}, new double[] {6, 6, 6, 6}, Better.LOWER);
        Unpaired three = one(new double[] {5, 5, 5}, new double[] {6, 6, 6}, Better.LOWER);

        assertThat(four.p()).isCloseTo(2 / 70.0, within(1e-12));
        assertThat(four.verdict()).isEqualTo(Verdict.SLOWER);
        assertThat(three.p()).isCloseTo(0.1, within(1e-12));
        assertThat(three.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
    }

    @Test
    void what_is_judged_together_has_wider_intervals_and_larger_p() {
        Samples samples = new Samples(BEFORE, AFTER, Better.HIGHER);
        Unpaired alone = one(BEFORE, AFTER, Better.HIGHER);
        Unpaired among = Unpaired.judge(List.of(samples, samples, samples), Settings.DEFAULTS)
                .get(1);

        assertThat(among.low()).isLessThan(alone.low());
        assertThat(among.high()).isGreaterThan(alone.high());
        assertThat(among.pHolm()).isCloseTo(3 * alone.p(), within(1e-12));
    }

    /** 1,000 times nine figures of which none changed: at most 5 % may have any false verdict. */
    @Test
    void where_nothing_changed_seldom_anything_is_found() {
        Random random = new Random(5);
        int wrong = 0;
        for (int i = 0; i < 1000; i++) {
            List<Samples> all = new ArrayList<>();
            for (int j = 0; j < 9; j++) {
                all.add(new Samples(draw(random), draw(random), Better.HIGHER));
            }
            boolean any = Unpaired.judge(all, Settings.DEFAULTS).stream()
                    .anyMatch(u -> u.verdict().namesADifference());
            wrong += any ? 1 : 0;
        }
        assertThat(wrong).isLessThanOrEqualTo(65);
    }

    private static double[] draw(Random random) {
        return random.doubles(8)
                .map(u -> 100 * Math.exp(0.05 * random.nextGaussian()))
                .toArray();
    }
}
