package org.servletbench.bench.record;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.servletbench.bench.measure.Interleaving;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Shares;
import org.servletbench.bench.verdict.BlockData;
import org.servletbench.bench.verdict.MultipleComparison;
import org.servletbench.bench.verdict.Noise;

/** The noise of one comparison, as measured in a campaign. */
public record NoiseSeen(Analysis.Group group, MeasuredLoad load, Metric metric, Noise noise) {

    public String words() {
        return "noise of " + metric.label() + ", " + load.words() + ", " + group.name() + ": " + noise.words();
    }

    /** Returns the noise converted to that of another metric, in proportion to their shares. */
    public Noise beside(Shares asked, Metric other) {
        return noise.times(asked.factor(metric, other));
    }

    /** Returns the noise of everything that is judged, in the order of groups, loads and metrics. */
    static List<NoiseSeen> of(Analysis judged) {
        return judged.family().comparisons().stream()
                .map(one -> new NoiseSeen(judged.group(one.group()), one.load(), one.metric(), noise(judged, one)))
                .toList();
    }

    private static Noise noise(Analysis judged, BlockData one) {
        Analysis.Group group = judged.group(one.group());
        List<SortedMap<Integer, LoadFigures>> arms = Stream.concat(group.arms().stream(), group.control().stream())
                .map(arm -> judged.results(arm, one.load()))
                .filter(results -> !results.isEmpty())
                .toList();
        TreeSet<Integer> numbers = new TreeSet<>();
        arms.forEach(results -> numbers.addAll(results.keySet()));
        List<double[][]> blocks = new ArrayList<>();
        List<Double> loads = new ArrayList<>();
        for (int block : numbers) {
            List<List<Double>> batches = arms.stream()
                    .filter(results -> results.containsKey(block))
                    .map(results -> results.get(block).batches(one.metric()))
                    .toList();
            if (batches.stream().map(List::size).distinct().count() == 1) {
                blocks.add(complete(batches));
                loads.add(load(
                        judged.campaign(), arms.stream().flatMap(results -> Stream.ofNullable(results.get(block)))));
            }
        }
        return loads.isEmpty()
                ? new Noise(
                        MultipleComparison.residual(one).sd(),
                        Double.NaN,
                        0,
                        MultipleComparison.residual(one).df())
                : Noise.of(MultipleComparison.residual(one), blocks, loads);
    }

    /**
     * Removes batches in which an arm has no figure.
     *
     * @return [arm][batch]
     */
    private static double[][] complete(List<List<Double>> batches) {
        int[] usable = IntStream.range(0, batches.get(0).size())
                .filter(i -> batches.stream()
                        .allMatch(arm -> arm.get(i) != null && arm.get(i) > 0 && arm.get(i) < Double.POSITIVE_INFINITY))
                .toArray();
        return batches.stream()
                .map(arm -> IntStream.of(usable).mapToDouble(arm::get).toArray())
                .toArray(double[][]::new);
    }

    /** Returns the load for each server, s; 0 if it is not known beforehand. */
    private static double load(Campaign campaign, Stream<LoadFigures> block) {
        if (campaign.plan().isCapacity()) {
            return 0;
        }
        return campaign.followsNoise()
                ? block.mapToDouble(LoadFigures::seconds).average().orElse(0) / Interleaving.COUNTED
                : campaign.plan().loadSeconds();
    }
}
