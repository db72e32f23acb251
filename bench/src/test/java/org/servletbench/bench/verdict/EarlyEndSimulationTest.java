package org.servletbench.bench.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.servletbench.bench.model.Text.text;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Shares;

/**
 * Simulates gates of comparisons/pull-request.yaml: two builds and the A/A copy, whose second build may need at most 5
 * % more CPU time and 1 % more allocation. Each gate is judged twice, with and without an early end, on the same
 * values. {@code -Dgates=40000} simulates more of them, and prints the figures.
 */
class EarlyEndSimulationTest {
    private static final int GATES = Integer.getInteger("gates", 2000);
    private static final boolean PRINTS = System.getProperty("gates") != null;

    /** Maximum chance that a claim fails although it holds, in a gate with every metric exactly at its margin. */
    private static final double FALSE_ALARMS = 0.025;

    /** Noise between servers of the service in docs/proof.md: gates of three and nine blocks find as much as there. */
    private static final double CPU = 0.02;

    private static final double ALLOCATION = 0.0088;

    private static final Shares MARGIN = Shares.parse("cpu=5%,alloc=1%", 0.03);
    private static final Shares PRECISION = Shares.parse("cpu=4%,alloc=0.8%", 0.039);
    private static final Shares NEVER = Shares.of(0);

    /**
     * Outcomes of gates.
     *
     * @param red share of gates in which a claim failed
     * @param usual the same share without an early end, at the level of a campaign that has none
     * @param missed share of gates in which any interval of the last analysis misses the truth
     * @param blocks number of blocks until a gate was red, sorted; infinite for green gates
     * @param usualBlocks the same without an early end
     */
    private record Gates(double red, double usual, double missed, double[] blocks, double[] usualBlocks) {
        double median() {
            return blocks[blocks.length / 2];
        }

        double usualMedian() {
            return usualBlocks[usualBlocks.length / 2];
        }
    }

    /** Changes that the second build makes, as ratios. */
    private record Truth(double cpu, double allocation, double noisier) {
        static final Truth AT_MARGIN = new Truth(1.05, 1.01, 1);
    }

    /** The tested metrics of a gate so far. */
    private record Sofar(List<BlockData> data, List<BlockModel> models) {
        static Sofar of(List<BlockData> all, int blocks) {
            List<BlockData> data = first(all, blocks);
            return new Sofar(data, data.stream().map(BlockModel::new).toList());
        }

        /** Returns the intervals of baseline / second build, as in {@link MultipleComparison}. */
        List<Interval> intervals(double alpha) {
            return IntStream.range(0, data.size())
                    .mapToObj(i -> {
                        List<Contrast> pair = data.get(i).contrasts();
                        BlockModel model = models.get(i);
                        return Interval.around(model.estimate(pair.get(0)), model.critical(pair, alpha / data.size()));
                    })
                    .toList();
        }

        /**
         * True if the claim that the second build is not slower does not hold: the whole interval lies beyond the
         * margin.
         */
        boolean fails(double alpha) {
            List<Interval> intervals = intervals(alpha);
            return IntStream.range(0, data.size())
                    .anyMatch(i -> intervals.get(i).high()
                            < -Math.log1p(MARGIN.of(data.get(i).metric())));
        }

        boolean misses(double alpha, Truth truth) {
            List<Interval> intervals = intervals(alpha);
            return IntStream.range(0, data.size()).anyMatch(i -> {
                double difference = -Math.log(data.get(i).metric() == Metric.CPU ? truth.cpu : truth.allocation);
                return intervals.get(i).low() > difference || intervals.get(i).high() < difference;
            });
        }

        boolean isPrecise(double alpha, int blocks, Shares precision) {
            if (blocks < Stopping.MIN_BLOCKS || precision.of(Metric.CPU) == 0) {
                return false;
            }
            List<Interval> intervals = intervals(alpha);
            return IntStream.range(0, data.size()).allMatch(i -> {
                Interval interval = intervals.get(i);
                double half = Math.expm1((interval.high() - interval.low()) / 2);
                return Stopping.enough(half, blocks, precision.of(data.get(i).metric()));
            });
        }
    }

    private static Gates gates(int number, Truth truth, int most, Shares precision) {
        double whole = Stopping.alpha(0.05, precision.of(Metric.CPU), true);
        double usual = Stopping.alpha(0.05, precision.of(Metric.CPU));
        Random random = new Random(20261128);
        int missed = 0;
        double[] blocks = new double[number];
        double[] usualBlocks = new double[number];
        for (int i = 0; i < number; i++) {
            List<BlockData> all = List.of(
                    drawn(random, Metric.CPU, truth.cpu, CPU, truth.noisier, most),
                    drawn(random, Metric.ALLOCATION, truth.allocation, ALLOCATION, truth.noisier, most));
            for (int n = 2; blocks[i] == 0 || usualBlocks[i] == 0; n++) {
                Sofar sofar = Sofar.of(all, n);
                if (usualBlocks[i] == 0 && (n == most || sofar.isPrecise(usual, n, precision))) {
                    usualBlocks[i] = sofar.fails(usual) ? n : Double.POSITIVE_INFINITY;
                }
                if (blocks[i] == 0) {
                    boolean ends = n == most || sofar.isPrecise(whole, n, precision);
                    if (!ends && n < Stopping.FIRST_LOOK) {
                        continue;
                    }
                    double level = ends ? whole : Stopping.look(0.05, n);
                    boolean red = sofar.fails(level);
                    if (ends || red) {
                        blocks[i] = red ? n : Double.POSITIVE_INFINITY;
                        missed += sofar.misses(level, truth) ? 1 : 0;
                    }
                }
            }
        }
        Arrays.sort(blocks);
        Arrays.sort(usualBlocks);
        Gates gates = new Gates(finite(blocks), finite(usualBlocks), missed / (double) number, blocks, usualBlocks);
        if (PRINTS) {
            System.out.println(text(
                    "%s, at most %d blocks, precision %s: red %.2f %% (%.2f %% without an early end), median %.0f (%.0f), missed %.2f %%",
                    truth,
                    most,
                    precision,
                    100 * gates.red,
                    100 * gates.usual,
                    gates.median(),
                    gates.usualMedian(),
                    100 * gates.missed));
        }
        return gates;
    }

    private static double finite(double[] blocks) {
        return Arrays.stream(blocks).filter(Double::isFinite).count() / (double) blocks.length;
    }

    private static BlockData drawn(
            Random random, Metric metric, double ratio, double spread, double noisier, int blocks) {
        return Draw.campaign(
                random,
                "hello 100 users",
                metric,
                new double[] {0, Math.log(ratio)},
                arm -> arm == 1 ? noisier * spread : spread,
                blocks,
                "copy");
    }

    private static List<BlockData> first(List<BlockData> all, int blocks) {
        return all.stream()
                .map(one -> Draw.with(one, one.blocks().headMap(blocks)))
                .toList();
    }

    /** The simulation decides as a campaign does. */
    @Test
    void claimsFailByTheIntervalsOfTheFamily() {
        Random random = new Random(1);
        int failed = 0;
        for (int i = 0; i < 50; i++) {
            List<BlockData> all = List.of(
                    drawn(random, Metric.CPU, 1.25, CPU, 1, 4), drawn(random, Metric.ALLOCATION, 1, ALLOCATION, 1, 4));
            double alpha = Stopping.look(0.05, 4);
            MultipleComparison family = MultipleComparison.of(all, new Settings(alpha, MARGIN, 0.8));
            boolean fails = family.pairs().stream().anyMatch(pair -> pair.verdict() == Verdict.FASTER);
            assertThat(Sofar.of(all, 4).fails(alpha)).isEqualTo(fails);
            failed += fails ? 1 : 0;
        }
        assertThat(failed).isBetween(5, 45);
    }

    /**
     * The levels of all interim looks and of the last analysis add up to no more than the campaign's level, whatever
     * the number of blocks.
     */
    @Test
    void theLevelIsSpentOnceForAnyNumberOfBlocks() {
        for (double precision : new double[] {0, 0.04}) {
            double spent = Stopping.alpha(0.05, precision, true)
                    + IntStream.range(Stopping.FIRST_LOOK, 10_000)
                            .mapToDouble(blocks -> Stopping.look(0.05, blocks))
                            .sum();
            assertThat(spent).isLessThanOrEqualTo(0.05);
        }
        assertThat(Stopping.alpha(0.05, 0, false)).isEqualTo(0.05);
        assertThat(Stopping.alpha(0.05, 0.04, true)).as("unchanged").isEqualTo(Stopping.alpha(0.05, 0.04));
    }

    /** Three blocks take ten minutes, nine take half an hour, and twenty are the maximum of a campaign. */
    @ParameterizedTest
    @CsvSource({"3, false", "9, true", "20, true"})
    void metricsAtTheirMarginsSeldomFail(int most, boolean stopsAtPrecision) {
        Gates gates = gates(GATES, Truth.AT_MARGIN, most, stopsAtPrecision ? PRECISION : NEVER);
        assertThat(gates.red).isLessThanOrEqualTo(FALSE_ALARMS);
        assertThat(gates.missed).isLessThanOrEqualTo(0.05);
    }

    /** Without a precision, many blocks use up the level. */
    @Tag("simulation")
    @Test
    void gatesOfManyBlocksSeldomFailAsWell() {
        assertThat(gates(10_000, Truth.AT_MARGIN, 20, NEVER).red).isLessThanOrEqualTo(FALSE_ALARMS);
    }

    /** Unequal noise may cost a fifth more than the level, as without an early end. */
    @Tag("simulation")
    @ParameterizedTest
    @CsvSource({"3, false", "9, true", "20, true", "20, false"})
    void withANoisySecondBuildAsWell(int most, boolean stopsAtPrecision) {
        Gates gates = gates(5000, new Truth(1.05, 1.01, 3), most, stopsAtPrecision ? PRECISION : NEVER);
        assertThat(gates.red).isLessThanOrEqualTo(Critical.NOISIER_MISSES * FALSE_ALARMS);
    }

    /**
     * At changes that the gate finds in a third to four fifths of its runs, because power is lost most easily there.
     */
    @ParameterizedTest
    @CsvSource({"3, 1.12, false", "5, 1.09, false", "9, 1.08, false", "9, 1.08, true"})
    void littlePowerIsLost(int most, double cpu, boolean stopsAtPrecision) {
        Gates gates = gates(GATES, new Truth(cpu, 1, 1), most, stopsAtPrecision ? PRECISION : NEVER);
        assertThat(gates.usual).isBetween(0.3, 0.8);
        assertThat(gates.red).isGreaterThanOrEqualTo(gates.usual - 0.02);
    }

    /** A precision that ends campaigns of five arms keeps all of their intervals right, even with interim looks. */
    @Tag("simulation")
    @ParameterizedTest
    @CsvSource({"0.05", "0.03", "0.024", "0.018"})
    void theShareOfAPrecisionCoversTheLooks(double precision) {
        Random random = new Random(17);
        int campaigns = 4000;
        int missed = 0;
        for (int i = 0; i < campaigns; i++) {
            BlockData whole = Draw.campaign(
                    random, "hello 100 users", Metric.THROUGHPUT, new double[4], arm -> 0.0145, 20, "copy");
            boolean ended = false;
            for (int n = 2; !ended; n++) {
                List<BlockData> sofar = first(List.of(whole), n);
                MultipleComparison last =
                        MultipleComparison.of(sofar, new Settings(Stopping.alpha(0.05, precision, true), 0.03, 0.8));
                ended = n == 20 || Stopping.enough(last, n, precision);
                if (!ended && n < Stopping.FIRST_LOOK) {
                    continue;
                }
                // As if every pair were claimed to be at a margin that equals its true value, so that any miss ends the
                // campaign.
                MultipleComparison judged =
                        ended ? last : MultipleComparison.of(sofar, new Settings(Stopping.look(0.05, n), 0.03, 0.8));
                if (judged.pairs().stream().anyMatch(pair -> pair.low() > 1 || pair.high() < 1)) {
                    missed++;
                    ended = true;
                }
            }
        }
        assertThat(missed / (double) campaigns).isLessThanOrEqualTo(0.05 + 2 * 0.0035);
    }

    /**
     * The table of docs/pull-requests.md: gates of half an hour for the service in docs/proof.md, with blocks of three
     * minutes.
     */
    @Test
    void theTimeUntilAGateIsRedIsAsPublished() throws IOException {
        Map<Integer, List<String>> rows = new TreeMap<>();
        for (int percent : new int[] {10, 20, 50}) {
            Gates gates = gates(GATES / 2, new Truth(1 + percent / 100.0, 1, 1), 9, PRECISION);
            rows.put(percent, new ArrayList<>(List.of(time(gates.median()), time(gates.usualMedian()))));
        }
        String page = Files.readString(Path.of(System.getProperty("bench.root")).resolve("docs/pull-requests.md"));
        rows.forEach((percent, times) ->
                assertThat(page).contains(text("|%d %% more CPU time|%s|", percent, String.join("|", times))));
    }

    private static String time(double blocks) {
        return text("%.0f (%.0f min)", blocks, 3 * blocks);
    }
}
