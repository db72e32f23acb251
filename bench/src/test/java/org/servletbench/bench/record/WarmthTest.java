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

    /**
     * 10 of 1000: the limits by Clopper and Pearson at 5 % are 0.5438 and 1.687 %, and such code loses 2.2 times its
     * time.
     */
    @Test
    void theBoundIsTheUpperLimitOfWhatSlowerCodeLoses() {
        Warmth warmth = Warmth.of(TopTier.C2, List.of(new CodeTiers(1, 4, 495), new CodeTiers(2, 3, 495)), true);
        assertThat(warmth.samples()).isEqualTo(1000);
        assertThat(warmth.share()).isCloseTo(1.0, within(1e-9));
        assertThat(warmth.most()).isCloseTo(2.2 * 100 * 0.01687 / (1 - 0.01687), within(0.01));
        assertThat(warmth.least()).isCloseTo(2.2 * 100 * 0.005438 / (1 - 0.005438), within(0.01));
        assertThat(warmth.isWarm()).as("3.8 % may be left").isFalse();
        assertThat(warmth.bars()).isFalse();
        assertThat(Warmth.of(TopTier.C2, List.of(new CodeTiers(2, 5, 993)), true)
                        .isWarm())
                .as("7 of 1000: 2.9 %")
                .isTrue();
    }

    /** 8 of 100 may be as few as 4.1 %, but 24 of 300 are certainly more than 4.3 %. */
    @Test
    void fewSamplesDoNotBarAnArm() {
        assertThat(Warmth.of(TopTier.C2, List.of(new CodeTiers(0, 8, 92)), true).bars())
                .isFalse();
        assertThat(Warmth.of(TopTier.C2, List.of(new CodeTiers(0, 24, 276)), true)
                        .bars())
                .isTrue();
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

    /** The machine's speed does not matter, because it affects no sample. */
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
                            < 2.2 * 100 * share / (1 - share))
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
