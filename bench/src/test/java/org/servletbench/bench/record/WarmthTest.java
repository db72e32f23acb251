package org.servletbench.bench.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.servletbench.bench.measure.CodeTiers;
import org.servletbench.bench.measure.TopTier;

class WarmthTest {

    /** 10 of 1000: the upper limit of Clopper and Pearson at 5 % is 1.687 %, and that much time can be saved. */
    @Test
    void theBoundIsTheUpperLimitOfTheTimeThatCanBeSaved() {
        Warmth warmth = Warmth.of(TopTier.C2, List.of(new CodeTiers(1, 4, 495), new CodeTiers(2, 3, 495)), true);
        assertThat(warmth.samples()).isEqualTo(1000);
        assertThat(warmth.share()).isCloseTo(1.0, within(1e-9));
        assertThat(warmth.most()).isCloseTo(100 * 0.01687 / (1 - 0.01687), within(0.01));
        assertThat(warmth.isWarm()).isTrue();
        assertThat(warmth.bars()).isFalse();
    }

    @Test
    void aColdArmIsBarredAndOneThatNobodySawIsUnknown() {
        assertThat(Warmth.of(TopTier.C2, List.of(new CodeTiers(40, 60, 500)), true)
                        .bars())
                .isTrue();
        assertThat(Warmth.of(TopTier.C1, List.of(new CodeTiers(0, 100, 500)), true)
                        .bars())
                .as("nothing is better there")
                .isFalse();
        Warmth nothing = Warmth.of(TopTier.C2, List.of(), true);
        assertThat(nothing.isKnown()).isFalse();
        assertThat(nothing.isWarm()).isFalse();
        assertThat(nothing.bars()).isFalse();
    }

    /** Whatever the machine's speed does: it is in no sample. */
    @Test
    @Tag("simulation")
    void theBoundHoldsInNineteenOfTwentyCampaigns() {
        Random random = new Random(5);
        for (double share : new double[] {0.005, 0.02, 0.05}) {
            long below = IntStream.range(0, 4000)
                    .filter(campaign -> Warmth.of(
                                            TopTier.C2,
                                            IntStream.range(0, 6)
                                                    .mapToObj(block -> drawn(random, share, 700))
                                                    .toList(),
                                            true)
                                    .most()
                            < 100 * share / (1 - share))
                    .count();
            assertThat(below / 4000.0).as("%s", share).isLessThan(0.057);
        }
    }

    private static CodeTiers drawn(Random random, double share, int samples) {
        int below = (int) IntStream.range(0, samples)
                .filter(one -> random.nextDouble() < share)
                .count();
        return new CodeTiers(0, below, samples - below);
    }
}
