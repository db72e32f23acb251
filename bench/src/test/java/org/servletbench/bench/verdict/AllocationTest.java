package org.servletbench.bench.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.verdict.Allocation.Aim;
import org.servletbench.bench.verdict.Allocation.Cost;
import org.servletbench.bench.verdict.SampleSize.Design;

/** Tests campaigns of three arms and the control in 19 minutes, whose load follows the noise that they measure. */
class AllocationTest {
    private static final List<String> ARMS = List.of("arm0", "arm1", "arm2");
    private static final double LIMIT = 1140;
    /** Start and warm-up of a block, as forecast and as simulated. */
    private static final double FIXED = 160;

    private static final double PER_LOAD = 4;
    /** A precision that no campaign reaches. */
    private static final double NEVER = 1e-4;

    private static final Noise ASSUMED = Noise.assumed(0.013, 0.014, 8);
    private static final Design DESIGN = new Design(3, true, 1);

    /** A simulated campaign without any true difference between arms. */
    private record Simulated(Random random, double between, double withinTwelve, double persistence) {

        /** @param fixed load of each block, s; 0 if it follows the noise */
        MultipleComparison run(double fixed, double precision) {
            SortedMap<Integer, Map<String, Double>> values = new TreeMap<>();
            List<double[][]> batches = new ArrayList<>();
            List<Double> loads = new ArrayList<>();
            List<Double> costs = new ArrayList<>();
            Settings settings = new Settings(Stopping.alpha(0.05, precision), 0.03, 0.8);
            double left = LIMIT;
            double[] state = new double[ARMS.size() + 1];
            MultipleComparison family = null;
            while (true) {
                double mean = costs.stream().mapToDouble(one -> one).average().orElse(FIXED);
                double longest = costs.stream().mapToDouble(one -> one).max().orElse(FIXED);
                int done = loads.size();
                // A last block has at least half of the usual load.
                double usual = done / loads.stream().mapToDouble(one -> 1 / one).sum();
                double least = fixed > 0
                        ? fixed
                        : done < 2 ? Allocation.LEAST_LOAD : Math.min(Allocation.LEAST_LOAD, usual / 2);
                if (done >= 2 && longest + PER_LOAD * least > left) {
                    break;
                }
                double load = fixed;
                if (fixed == 0) {
                    List<Noise> seen = done == 0
                            ? List.of()
                            : List.of(Noise.of(MultipleComparison.residual(comparison(values)), batches, loads));
                    load = Allocation.of(
                                    seen,
                                    ASSUMED,
                                    done,
                                    new Cost(mean, PER_LOAD, Allocation.LEAST_LOAD, Allocation.MOST_LOAD, 0),
                                    new Aim(DESIGN, settings.alpha(), precision, left, 20 - done))
                            .load();
                    load = Math.max(least, Math.min(load, (left - longest) / PER_LOAD));
                }
                block(load, done, values, batches, state);
                loads.add(load);
                double cost = FIXED * Math.exp(0.07 * random.nextGaussian());
                costs.add(cost);
                left -= cost + PER_LOAD * load;
                family = MultipleComparison.of(List.of(comparison(values)), settings);
                if (Stopping.enough(family, done + 1, precision)) {
                    break;
                }
            }
            return family;
        }

        private void block(
                double load,
                int block,
                SortedMap<Integer, Map<String, Double>> values,
                List<double[][]> all,
                double[] state) {
            int number = (int) Math.round(load);
            double[][] rates = new double[ARMS.size() + 1][number];
            double level = 0.1 * random.nextGaussian();
            Map<String, Double> row = new HashMap<>();
            for (int arm = 0; arm < rates.length; arm++) {
                double jvm = between * random.nextGaussian();
                double sum = 0;
                for (int i = 0; i < number; i++) {
                    double fresh = Math.sqrt(1 - persistence * persistence) * random.nextGaussian();
                    state[arm] = persistence * state[arm] + fresh;
                    double one = withinTwelve * Math.sqrt(12 * (1 - persistence) / (1 + persistence)) * state[arm];
                    rates[arm][i] = 1000 * Math.exp(level + jvm + one);
                    sum += rates[arm][i];
                }
                row.put(arm < ARMS.size() ? ARMS.get(arm) : "copy", sum / number);
            }
            values.put(block, row);
            all.add(rates);
        }

        private BlockData comparison(SortedMap<Integer, Map<String, Double>> values) {
            return new BlockData(
                    "boot3",
                    Draw.HELLO,
                    Metric.THROUGHPUT,
                    ARMS,
                    "arm0",
                    Optional.of("copy"),
                    new TreeMap<>(values),
                    Set.of(),
                    0);
        }
    }

    private record Outcome(double halfWidth, double missed, double blocks) {}

    private static Outcome simulate(
            double between, double within, double persistence, double fixed, double precision, int campaigns) {
        Random random = new Random(20261125);
        double width = 0;
        int missed = 0;
        double blocks = 0;
        for (int i = 0; i < campaigns; i++) {
            MultipleComparison family = new Simulated(random, between, within, persistence).run(fixed, precision);
            width += family.pairs().stream()
                            .mapToDouble(PairVerdict::halfWidth)
                            .average()
                            .orElseThrow()
                    / campaigns;
            missed += family.pairs().stream().anyMatch(pair -> pair.low() > 1 || pair.high() < 1) ? 1 : 0;
            blocks += family.pairs().get(0).estimate().n() / (double) campaigns;
        }
        return new Outcome(width, missed / (double) campaigns, blocks);
    }

    /**
     * Noise as measured on four machines: between JVMs, within a JVM over 12 s, and the correlation from one second to
     * the next.
     */
    @Tag("simulation")
    @ParameterizedTest
    @CsvSource({"0.005, 0.026, 0", "0.019, 0.011, 0", "0.013, 0.011, 0", "0.005, 0.026, 0.5"})
    void theLoadIsAsGoodAsTheBestFixedOneAndIntervalsHoldTheTruth(double between, double within, double persistence) {
        double best = DoubleStream.of(12, 16, 25, 50)
                .map(load -> simulate(between, within, persistence, load, NEVER, 500).halfWidth)
                .min()
                .orElseThrow();
        Outcome follows = simulate(between, within, persistence, 0, NEVER, 1500);

        assertThat(follows.halfWidth / best).isLessThanOrEqualTo(1.05);
        assertThat(follows.missed).isLessThanOrEqualTo(0.05);
        assertThat(simulate(between, within, persistence, 0, 0.039, 1500).missed)
                .as("stopping at the usual precision")
                .isLessThanOrEqualTo(0.05);
        assertThat(simulate(between, within, persistence, 0, 0, 1500).missed)
                .as("at the whole alpha, to the limit")
                .isLessThanOrEqualTo(0.05 + 2 * 0.0056);
    }

    private static Allocation allocation(Noise seen, double precision, double left, int blocks) {
        return Allocation.of(
                List.of(seen),
                ASSUMED,
                5,
                new Cost(FIXED, PER_LOAD, Allocation.LEAST_LOAD, Allocation.MOST_LOAD, 0),
                new Aim(DESIGN, 0.05, precision, left, blocks));
    }

    @Test
    void moreNoiseWithinAJvmTakesMoreLoadAndMoreBetweenThemMoreBlocks() {
        Allocation noisyWithin = allocation(new Noise(0.026, 0.0255, 12, 40), 0, 1800, 100);
        Allocation noisyBetween = allocation(new Noise(0.026, 0.004, 12, 40), 0, 1800, 100);

        assertThat(noisyWithin.load()).isGreaterThan(2 * noisyBetween.load());
        assertThat(noisyWithin.blocks()).isLessThan(noisyBetween.blocks());
        assertThat(noisyBetween.load()).isGreaterThanOrEqualTo(Allocation.LEAST_LOAD);
    }

    @Test
    void aPrecisionIsReachedAsSoonAsItCanBe() {
        Noise noise = new Noise(0.02, 0.014, 12, 15);
        Allocation soon = allocation(noise, 0.03, Double.POSITIVE_INFINITY, 1000);
        double seconds = soon.blocks() * (FIXED + PER_LOAD * soon.load());

        assertThat(soon.halfWidth()).isLessThanOrEqualTo(0.03 + 1e-9);
        assertThat(allocation(noise, 0.03, 0.95 * seconds, 1000).halfWidth()).isGreaterThan(0.03);
        assertThat(allocation(noise, 0.03, 1.2 * seconds, 1000)).isEqualTo(soon);
        assertThat(allocation(noise, 0, 1e5, 7).blocks())
                .as("no more than planned")
                .isEqualTo(7);
    }
}
