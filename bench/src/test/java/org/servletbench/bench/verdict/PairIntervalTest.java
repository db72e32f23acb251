package org.servletbench.bench.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.servletbench.bench.model.Cell;
import org.servletbench.bench.model.Metric;

class PairIntervalTest {

    private static final List<String> ARMS = List.of("a", "b", "c", "d");

    private static Comparison table(Random random, int blocks, double noisy) {
        TreeMap<Integer, Map<String, Double>> values = new TreeMap<>();
        for (int block = 1; block <= blocks; block++) {
            double level = random.nextGaussian() * 0.1;
            Map<String, Double> row = new TreeMap<>();
            for (String arm : ARMS) {
                row.put(arm, Math.exp(level + 0.02 * (arm.equals("a") ? noisy : 1) * random.nextGaussian()));
            }
            values.put(block, row);
        }
        return new Comparison(
                "g",
                new Cell("hello", 100, 0, "wrk"),
                Metric.THROUGHPUT,
                ARMS,
                "a",
                Optional.empty(),
                values,
                Set.of(),
                0);
    }

    private static double missed(double noisy) {
        Random random = new Random(11);
        int missed = 0;
        int campaigns = 4000;
        for (int i = 0; i < campaigns; i++) {
            Comparison table = table(random, 4, noisy);
            double half =
                    PairInterval.of(table, "a", "b", 0.05, 0.8).orElseThrow().half();
            double mean =
                    java.util.Arrays.stream(table.logRatios("a", "b")).average().orElseThrow();
            missed += Math.abs(mean) > half ? 1 : 0;
        }
        return (double) missed / campaigns;
    }

    @Test
    void itMissesAsOftenAsItSays() {
        assertThat(missed(1)).isLessThanOrEqualTo(0.055);
        assertThat(missed(3))
                .as("the pair's one arm is three times noisier than all others")
                .isLessThanOrEqualTo(0.07);
    }

    @Test
    void theNoiseOfTheOthersMakesItNarrower() {
        Random random = new Random(5);
        double pooled = 0;
        double alone = 0;
        for (int i = 0; i < 300; i++) {
            Comparison table = table(random, 4, 1);
            pooled += PairInterval.of(table, "a", "b", 0.005, 0.8).orElseThrow().half();
            Spread spread = Spread.of(table.logRatios("a", "b"), false, 0.005);
            alone += spread.high() - spread.mean();
        }
        assertThat(pooled / alone).isLessThan(0.8);
    }

    @Test
    void whatCannotBeEstimatedIsNotThere() {
        Comparison one = table(new Random(1), 1, 1);
        assertThat(PairInterval.of(one, "a", "b", 0.05, 0.8)).isEmpty();
    }

    @Test
    void theDetectableDifferenceLiesBeyondTheInterval() {
        PairInterval found =
                PairInterval.of(table(new Random(3), 5, 1), "a", "b", 0.05, 0.8).orElseThrow();
        assertThat(Math.log1p(found.detectable())).isBetween(found.half(), 2 * found.half());
        assertThat(found.half()).isCloseTo(0.03, within(0.02));
    }
}
