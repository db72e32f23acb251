package org.servletbench.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RisingFitTest {

    @Test
    void valuesThatRiseStay() {
        assertThat(RisingFit.of(new double[] {1, 2, 5})).containsExactly(1, 2, 5);
        assertThat(RisingFit.of(new double[0])).isEmpty();
    }

    @Test
    void valuesThatFallArePooledByWeight() {
        assertThat(RisingFit.of(new double[] {1, 4, 2, 3, 5})).containsExactly(1, 3, 3, 3, 5);
        assertThat(RisingFit.of(new double[] {4, 1}, new double[] {1, 3})).containsExactly(1.75, 1.75);
    }

    /** A fit's value is known: the largest, over all beginnings, of the smallest mean up to an end. */
    @Test
    void itIsTheFitOfTheDefinition() {
        Random random = new Random(7);
        for (int repeat = 0; repeat < 200; repeat++) {
            double[] values = random.doubles(1 + random.nextInt(12)).toArray();
            double[] fit = RisingFit.of(values);
            for (int i = 0; i < values.length; i++) {
                double most = Double.NEGATIVE_INFINITY;
                for (int from = 0; from <= i; from++) {
                    double least = Double.POSITIVE_INFINITY;
                    for (int to = i; to < values.length; to++) {
                        least = Math.min(
                                least,
                                Arrays.stream(values, from, to + 1).average().orElseThrow());
                    }
                    most = Math.max(most, least);
                }
                assertThat(fit[i]).isCloseTo(most, within(1e-12));
            }
        }
    }
}
