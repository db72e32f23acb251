package org.servletbench.bench.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

class HolmTest {
    @Test
    void workedByHand() {
        // 4 x 0.005; 3 x 0.01; 2 x 0.03; then 1 x 0.04 is raised to the one before.
        double[] adjusted = Holm.adjust(new double[] {0.01, 0.04, 0.03, 0.005});
        assertThat(adjusted).containsExactly(new double[] {0.03, 0.06, 0.06, 0.02}, within(1e-15));
    }

    @Test
    void aTestThatCouldNotBeMadeCounts() {
        double[] adjusted = Holm.adjust(new double[] {Double.NaN, 0.02, Double.NaN});
        assertThat(adjusted).containsExactly(Double.NaN, 0.06, Double.NaN);
    }

    @Test
    void noTests() {
        assertThat(Holm.adjust(new double[0])).isEmpty();
    }

    @Test
    void neverBelowThePAndInItsOrder() {
        Random random = new Random(1979);
        for (int round = 0; round < 1000; round++) {
            double[] p = random.doubles(1 + random.nextInt(60))
                    .map(x -> Math.pow(x, 4))
                    .toArray();
            double[] adjusted = Holm.adjust(p);
            for (int i = 0; i < p.length; i++) {
                assertThat(adjusted[i]).isBetween(p[i], Math.min(1, p.length * p[i]));
                for (int j = 0; j < p.length; j++) {
                    if (p[i] <= p[j]) {
                        assertThat(adjusted[i]).isLessThanOrEqualTo(adjusted[j]);
                    }
                }
            }
        }
    }
}
