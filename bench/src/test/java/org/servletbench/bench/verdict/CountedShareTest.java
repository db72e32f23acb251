package org.servletbench.bench.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CountedShareTest {

    /** Expected values from tables of the exact limits; 1 - 0.05^(1/5771) for none of 5,771. */
    @Test
    void limitsAreThoseOfTheTables() {
        assertThat(CountedShare.of(0, 5771, 0.05).high()).isCloseTo(0.000519, within(1e-6));
        assertThat(CountedShare.of(0, 5771, 0.05).low()).isZero();
        assertThat(CountedShare.of(1, 10, 0.025).low()).isCloseTo(0.00253, within(1e-5));
        assertThat(CountedShare.of(1, 10, 0.025).high()).isCloseTo(0.44502, within(1e-5));
        assertThat(CountedShare.of(10, 10, 0.025).low()).isCloseTo(0.69150, within(1e-5));
        assertThat(CountedShare.of(10, 10, 0.025).high()).isEqualTo(1);
        assertThat(CountedShare.of(0, 0, 0.05)).isEqualTo(new CountedShare(0, 1));
    }

    @Test
    void eachLimitMissesAtMostAsOftenAsItMay() {
        Random random = new Random(5);
        int runs = 4000;
        for (double share : new double[] {0.0005, 0.003, 0.02}) {
            long[] counts = IntStream.range(0, runs)
                    .mapToLong(run -> IntStream.range(0, 1000)
                            .filter(request -> random.nextDouble() < share)
                            .count())
                    .toArray();
            double above = IntStream.range(0, runs)
                    .filter(run -> CountedShare.of(counts[run], 1000, 0.05).high() < share)
                    .count();
            double below = IntStream.range(0, runs)
                    .filter(run -> CountedShare.of(counts[run], 1000, 0.05).low() > share)
                    .count();
            assertThat(above / runs).isLessThanOrEqualTo(0.057);
            assertThat(below / runs).isLessThanOrEqualTo(0.057);
        }
    }
}
