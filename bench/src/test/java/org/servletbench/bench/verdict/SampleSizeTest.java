package org.servletbench.bench.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class SampleSizeTest {
    /** Cohen's textbook case: a difference of one standard deviation, ten pairs, 5 %. */
    @Test
    void oneStandardDeviationInTenPairs() {
        assertThat(SampleSize.power(Math.expm1(0.1), 0.1, 10, 1, 0.05)).isCloseTo(0.803, within(0.0005));
    }

    /** What the design promises for six arms, one metric, one cell and runs that spread by 2 %. */
    @Test
    void tenBlocksFindFivePercentAmongSixArmsAndFiveDoNot() {
        int claims = SampleSize.claims(6, 1, 1);
        double sd = SampleSize.spreadOfDifference(0.02);
        assertThat(claims).isEqualTo(15);
        assertThat(SampleSize.power(0.05, sd, 10, claims, 0.05)).isBetween(0.85, 0.95);
        assertThat(SampleSize.power(0.05, sd, 5, claims, 0.05)).isBetween(0.15, 0.25);
    }

    @Test
    void detectableIsTheInverseOfPower() {
        for (int blocks : new int[] {2, 3, 5, 10, 100}) {
            for (double sd : new double[] {0.001, 0.03}) {
                for (int claims : new int[] {1, 45}) {
                    double difference = SampleSize.detectable(sd, blocks, claims, Settings.DEFAULTS);
                    assertThat(SampleSize.power(difference, sd, blocks, claims, 0.05))
                            .as("%s blocks, %s, %s claims", blocks, sd, claims)
                            .isCloseTo(0.8, within(1e-6));
                }
            }
        }
    }

    @Test
    void blocksAreTheFewestThatReachThePower() {
        for (double difference : new double[] {0.02, 0.05, -0.1, 0.5}) {
            int blocks =
                    SampleSize.blocks(difference, 0.03, 15, Settings.DEFAULTS).orElseThrow();
            assertThat(SampleSize.power(difference, 0.03, blocks, 15, 0.05)).isGreaterThanOrEqualTo(0.8);
            assertThat(SampleSize.power(difference, 0.03, blocks - 1, 15, 0.05)).isLessThan(0.8);
        }
        assertThat(SampleSize.blocks(3, 0.001, 1, Settings.DEFAULTS)).hasValue(2);
        assertThat(SampleSize.blocks(0.0001, 0.1, 1, Settings.DEFAULTS)).isEmpty();
    }

    @Test
    void farOutItIsStillANumber() {
        assertThat(SampleSize.power(0.5, 1e-9, 2, 45, 0.05)).isCloseTo(1, within(1e-9));
        assertThat(SampleSize.power(0, 0.02, 2, 45, 0.05)).isCloseTo(0.05 / 45, within(1e-9));
        assertThat(SampleSize.power(0, 0.02, 5000, 1000, 0.05)).isCloseTo(0.05 / 1000, within(1e-9));
        assertThat(SampleSize.detectable(1, 2, 1000, Settings.DEFAULTS)).isEqualTo(Double.POSITIVE_INFINITY);
    }

    @Test
    void refusesWhatCannotBe() {
        assertThatThrownBy(() -> SampleSize.power(0.05, 0, 10, 1, 0.05)).hasMessage("the spread cannot be 0.0");
        assertThatThrownBy(() -> SampleSize.power(-1, 0.02, 10, 1, 0.05)).hasMessageContaining("difference");
        assertThatThrownBy(() -> SampleSize.detectable(0.02, 1, 1, Settings.DEFAULTS))
                .hasMessageContaining("blocks");
        assertThatThrownBy(() -> SampleSize.blocks(0, 0.02, 1, Settings.DEFAULTS))
                .hasMessageContaining("difference");
        assertThatThrownBy(() -> new Settings(0.05, 0, 0.8)).hasMessageContaining("margin");
    }
}
