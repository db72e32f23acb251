package org.servletbench.proofs;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.verdict.BlockData;
import org.servletbench.bench.verdict.SampleSize;

/** A/A campaigns made up for tests: throughput and CPU time per request of identical arms, with a known noise. */
final class AaData {

    /** The quick plan: four arms and an A/A copy, two metrics. */
    static final SampleSize.Design QUICK = new SampleSize.Design(4, true, 2);

    private AaData() {}

    /**
     * Draws the values of an A/A campaign.
     *
     * @param arms number of arms; the last one is the A/A copy
     * @param spread standard deviation of ln(value) of a server in a block
     * @param bias of the first arm: its throughput is multiplied by it, its CPU time per request divided
     */
    static List<BlockData> of(int arms, int blocks, double spread, double bias, long seed) {
        Random random = new Random(seed);
        Map<Integer, Map<String, Double>> throughput = new TreeMap<>();
        Map<Integer, Map<String, Double>> cpu = new TreeMap<>();
        List<String> names =
                IntStream.rangeClosed(1, arms).mapToObj(i -> "copy" + i).toList();
        for (int block = 1; block <= blocks; block++) {
            double level = 0.2 * random.nextGaussian();
            Map<String, Double> fast = new HashMap<>();
            Map<String, Double> costly = new HashMap<>();
            for (String name : names) {
                double effect = name.equals("copy1") ? Math.log(bias) : 0;
                double shared = random.nextGaussian();
                double own = random.nextGaussian();
                fast.put(name, 20_000 * Math.exp(level + effect + spread * shared));
                costly.put(name, 45 * Math.exp(-level - effect + spread * (0.6 * own - 0.8 * shared)));
            }
            throughput.put(block, fast);
            cpu.put(block, costly);
        }
        List<BlockData> whole = new ArrayList<>();
        for (Metric metric : List.of(Metric.THROUGHPUT, Metric.CPU)) {
            whole.add(new BlockData(
                    "boot3",
                    new MeasuredLoad("hello", 100, 0, "gatling"),
                    metric,
                    names.subList(0, arms - 1),
                    names.get(0),
                    Optional.of(names.get(arms - 1)),
                    new TreeMap<>(metric == Metric.THROUGHPUT ? throughput : cpu),
                    Set.of(),
                    0));
        }
        return whole;
    }
}
