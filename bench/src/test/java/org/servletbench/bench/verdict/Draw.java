package org.servletbench.bench.verdict;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.servletbench.bench.model.Load;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.Metric;

/** Comparisons for tests. */
final class Draw {
    static final MeasuredLoad HELLO = new MeasuredLoad("hello", 100, 0, "wrk");

    private Draw() {}

    /**
     * Returns a comparison of throughput with the workload hello.
     *
     * @param arms the first is the baseline
     * @param control the A/A copy, or null for none
     */
    static BlockData table(List<String> arms, String control, SortedMap<Integer, Map<String, Double>> blocks) {
        return new BlockData(
                "boot3",
                HELLO,
                Metric.THROUGHPUT,
                arms,
                arms.get(0),
                Optional.ofNullable(control),
                blocks,
                Set.of(),
                0);
    }

    /** Returns the comparison with other blocks. */
    static BlockData with(BlockData all, SortedMap<Integer, Map<String, Double>> blocks) {
        return new BlockData(
                all.group(), all.load(), all.metric(), all.arms(), all.baseline(), all.control(), blocks, Set.of(), 0);
    }

    /** Returns the same values as those of another metric, with lower bounds, or on a coarser clock. */
    static BlockData with(BlockData all, Metric metric, Set<String> floors, double resolution) {
        return new BlockData(
                all.group(),
                all.load(),
                metric,
                all.arms(),
                all.baseline(),
                all.control(),
                all.blocks(),
                floors,
                resolution);
    }

    /** Returns a comparison of two arms, A and B, with these values in blocks 0, 1, ... */
    static BlockData pair(Metric metric, double[] a, double[] b) {
        SortedMap<Integer, Map<String, Double>> blocks = new TreeMap<>();
        for (int i = 0; i < a.length; i++) {
            blocks.put(i, Map.of("A", a[i], "B", b[i]));
        }
        return new BlockData("boot3", HELLO, metric, List.of("A", "B"), "A", Optional.empty(), blocks, Set.of(), 0);
    }

    /** Returns the verdict on the only pair. */
    static PairVerdict judged(Metric metric, double[] a, double[] b) {
        return MultipleComparison.of(List.of(pair(metric, a, b)), Settings.DEFAULTS)
                .pairs()
                .get(0);
    }

    /**
     * Draws the values of a campaign.
     *
     * @param logEffects one for each arm; the first arm is the baseline
     * @param runSpread standard deviation of ln(value) from run to run; blocks differ from each other by far more
     */
    static BlockData campaign(
            Random random,
            String load,
            Metric metric,
            double[] logEffects,
            double runSpread,
            int blocks,
            String control) {
        return campaign(random, load, metric, logEffects, arm -> runSpread, blocks, control);
    }

    /**
     * Draws the values of a campaign.
     *
     * @param runSpread by the number of the arm
     */
    static BlockData campaign(
            Random random,
            String measuredLoad,
            Metric metric,
            double[] logEffects,
            IntToDoubleFunction runSpread,
            int blocks,
            String control) {
        Load load = Load.parse(measuredLoad);
        List<String> arms =
                IntStream.range(0, logEffects.length).mapToObj(i -> "arm" + i).toList();
        SortedMap<Integer, Map<String, Double>> values = new TreeMap<>();
        for (int block = 0; block < blocks; block++) {
            double level = Math.log(1000) + 0.1 * random.nextGaussian();
            Map<String, Double> row = new HashMap<>();
            for (int arm = 0; arm < arms.size(); arm++) {
                row.put(
                        arms.get(arm),
                        Math.exp(level + logEffects[arm] + runSpread.applyAsDouble(arm) * random.nextGaussian()));
            }
            if (control != null) {
                row.put(control, Math.exp(level + logEffects[0] + runSpread.applyAsDouble(0) * random.nextGaussian()));
            }
            values.put(block, row);
        }
        return new BlockData(
                "boot3",
                new MeasuredLoad(load.workload(), load.users(), load.rate(), "wrk"),
                metric,
                arms,
                "arm0",
                Optional.ofNullable(control),
                values,
                Set.of(),
                0);
    }
}
