package org.servletbench.bench.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class NoiseTest {
    private static final int ARMS = 5;
    private static final int BATCHES = 30;
    private static final double LOAD = 15;

    /** Simulates batches of a load with a known noise within a JVM, and a known correlation r from batch to batch. */
    private static List<double[][]> blocks(Random random, int number, double within, double r) {
        List<double[][]> blocks = new ArrayList<>();
        // The variance of a mean of n such batches is about that of one batch, times (1 + r) / (1 - r) / n.
        double one = within * Math.sqrt(BATCHES * (1 - r) / (1 + r));
        for (int block = 0; block < number; block++) {
            double[][] rates = new double[ARMS][BATCHES];
            double[] state =
                    random.doubles(ARMS).map(any -> random.nextGaussian()).toArray();
            for (int batch = 0; batch < BATCHES; batch++) {
                double machine = 0.2 * random.nextGaussian();
                for (int arm = 0; arm < ARMS; arm++) {
                    state[arm] = r * state[arm] + Math.sqrt(1 - r * r) * random.nextGaussian();
                    rates[arm][batch] = 1000 * (arm + 1) * Math.exp(machine + one * state[arm]);
                }
            }
            blocks.add(rates);
        }
        return blocks;
    }

    private static List<Double> loads(int number) {
        return Collections.nCopies(number, LOAD);
    }

    /**
     * Half of the blocks have four times the load, and half the noise within. Together they are like the harmonic mean
     * of the loads.
     */
    @Test
    void theNoiseWithinAJvmIsKnownWhereLoadsDiffer() {
        List<double[][]> blocks = blocks(new Random(3), 60, 0.01, 0);
        blocks.addAll(blocks(new Random(4), 60, 0.005, 0));
        List<Double> loads = new ArrayList<>(loads(60));
        loads.addAll(Collections.nCopies(60, 4 * LOAD));
        Noise noise = Noise.of(new Residual(0.0164, 16), blocks, loads);

        assertThat(noise.seconds()).isCloseTo(1.6 * LOAD, within(1e-9));
        assertThat(noise.within() * Math.sqrt(1.6)).isCloseTo(0.01, within(0.0006));
    }

    @Test
    void theNoiseWithinAJvmIsThatOfItsWholeLoad() {
        Noise noise = Noise.of(new Residual(0.0164, 16), blocks(new Random(1), 60, 0.01, 0), loads(60));

        assertThat(noise.within()).isCloseTo(0.01, within(0.0006));
        assertThat(noise.between())
                .isCloseTo(Math.sqrt(0.0164 * 0.0164 - noise.within() * noise.within()), within(1e-9));
    }

    /** Single batches, treated as independent, would show 0.58 %. */
    @Test
    void batchesThatAreAlikeAreJoined() {
        assertThat(Noise.of(new Residual(0.0164, 16), blocks(new Random(2), 60, 0.01, 0.5), loads(60))
                        .within())
                .isBetween(0.0082, 0.0105);
    }

    @Test
    void withoutBatchesOnlyTheWholeIsKnown() {
        Noise noise = Noise.of(new Residual(0.02, 16), List.<double[][]>of(new double[ARMS][1]), List.of(10.0));

        assertThat(noise.between()).isNaN();
        assertThat(noise.words()).isEqualTo("2.0 % in all (10 s of load)");
        // Pessimistic either way.
        assertThat(noise.residual(5)).isCloseTo(0.02 * Math.sqrt(2), within(1e-12));
        assertThat(noise.residual(40)).isEqualTo(0.02);
    }

    @Test
    void moreLoadTakesOnlyTheNoiseWithin() {
        Noise noise = Noise.assumed(0.013, 0.014, 8);

        assertThat(noise.residual(8)).isCloseTo(Math.hypot(0.013, 0.014), within(1e-12));
        assertThat(noise.residual(32)).isCloseTo(Math.hypot(0.013, 0.007), within(1e-12));
        assertThat(noise.residual(1e9)).isCloseTo(0.013, within(1e-6));
        assertThat(Noise.assumed(0.013, 0.01, 15).words())
                .isEqualTo("1.3 % between JVMs, 1.0 % within one (15 s of load)");
    }
}
