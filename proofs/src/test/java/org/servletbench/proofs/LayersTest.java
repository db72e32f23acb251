package org.servletbench.proofs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.servletbench.proofs.LayersExperiment.Power;

class LayersTest {

    /** Returns 200 blocks with this difference, and noise of 1 % of the process's CPU time. */
    private static SortedMap<Integer, Double> differences(double difference) {
        Random random = new Random(3);
        SortedMap<Integer, Double> differences = new TreeMap<>();
        for (int block = 1; block <= 200; block++) {
            differences.put(block, difference + 0.01 * random.nextGaussian());
        }
        return differences;
    }

    /** By chance, the interval of equal builds lies above 0 in 2.5 % of campaigns. */
    @Test
    void aLargeCostIsFoundAndNoCostIsNot() {
        assertThat(Power.of(differences(0), 9).found().share()).isLessThan(0.06);
        assertThat(Power.of(differences(0.05), 9).found().share()).isGreaterThan(0.99);
        assertThat(Power.of(differences(0.01), 3).found().share())
                .isLessThan(Power.of(differences(0.01), 9).found().share());
        // 2.31, the quantile of t with 8 degrees of freedom, divided by 3.
        assertThat(Power.of(differences(0), 9).halfWidth()).isCloseTo(0.0075, within(0.0006));
    }
}
