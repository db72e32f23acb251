package org.servletbench.bench.verdict;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * The difference between the servers that started first in their blocks and those that started last, whatever their
 * arms. On some virtual machines, memory of the processes that start first is slower. The random order of a block makes
 * this noise instead of bias.
 *
 * @param difference difference {@code ln(first half) - ln(second half)} of a block's servers, without the effects of
 *     arms and blocks; NaN if it cannot be estimated
 * @param chance share of all orders of the blocks that would show a difference at least as large, 0 to 1, from a
 *     permutation test (E. S. Edgington and P. Onghena, Randomization Tests, 2007); 1 if it cannot be estimated
 */
public record StartOrder(double difference, double chance) {

    private static final StartOrder UNKNOWN = new StartOrder(Double.NaN, 1);

    /** Number of random orders. */
    private static final int ORDERS = 1999;
    /** Largest chance at which a difference counts as seen. A group has one such test. */
    private static final double RARE = 0.01;
    /** Number of sweeps after which the effects of arms and blocks are exact enough, even with missing values. */
    private static final int SWEEPS = 30;

    private static final double ZERO = 1e-12;

    /** @param order ids in the order in which the servers of each block started, from block 1 on */
    public static StartOrder of(BlockData data, List<List<String>> order) {
        List<String> arms = new ArrayList<>(data.arms());
        data.control().ifPresent(arms::add);
        List<List<Integer>> started = new ArrayList<>();
        List<double[]> logs = new ArrayList<>();
        data.blocks().forEach((block, values) -> {
            List<Integer> columns = order.get(block - 1).stream()
                    .filter(id -> arms.contains(id) && BlockData.present(values.get(id)))
                    .map(arms::indexOf)
                    .toList();
            started.add(columns);
            logs.add(logs(arms, values));
        });
        double[][] y = logs.toArray(double[][]::new);
        withoutArmsAndBlocks(y, started);
        double seen = difference(y, started);
        if (Double.isNaN(seen)) {
            return UNKNOWN;
        }
        // A fixed seed, so that every page of a campaign says the same.
        Random random = new Random(1);
        int asLarge = 0;
        for (int i = 0; i < ORDERS; i++) {
            List<List<Integer>> another = new ArrayList<>();
            for (List<Integer> block : started) {
                List<Integer> shuffled = new ArrayList<>(block);
                Collections.shuffle(shuffled, random);
                another.add(shuffled);
            }
            asLarge += Math.abs(difference(y, another)) >= Math.abs(seen) - ZERO ? 1 : 0;
        }
        return new StartOrder(seen, (1.0 + asLarge) / (1 + ORDERS));
    }

    /** True if the difference exceeds a margin, as a logarithm, and is hardly due to chance. */
    public boolean isSeen(double logMargin) {
        return Math.abs(difference) > logMargin && chance <= RARE;
    }

    private static double[] logs(List<String> arms, Map<String, Double> values) {
        return arms.stream()
                .mapToDouble(arm -> BlockData.present(values.get(arm)) ? Math.log(values.get(arm)) : 0)
                .toArray();
    }

    /**
     * Returns the least-squares estimate of the difference, adjusted for arms and blocks, which is that of the residuals
     * (R. Frisch and F. V. Waugh 1933).
     *
     * @param residuals values without the effects of arms and blocks
     */
    private static double difference(double[][] residuals, List<List<Integer>> started) {
        double[][] half = new double[residuals.length][residuals.length == 0 ? 0 : residuals[0].length];
        for (int b = 0; b < half.length; b++) {
            List<Integer> order = started.get(b);
            for (int i = 0; i < order.size() / 2; i++) {
                half[b][order.get(i)] = 0.5;
                half[b][order.get(order.size() - 1 - i)] = -0.5;
            }
        }
        withoutArmsAndBlocks(half, started);
        double both = 0;
        double squares = 0;
        for (int b = 0; b < half.length; b++) {
            for (int arm : started.get(b)) {
                both += residuals[b][arm] * half[b][arm];
                squares += half[b][arm] * half[b][arm];
            }
        }
        return squares < ZERO ? Double.NaN : both / squares;
    }

    /** Subtracts the means of arms and blocks in turn. Values that are missing stay as they are. */
    private static void withoutArmsAndBlocks(double[][] table, List<List<Integer>> present) {
        int arms = table.length == 0 ? 0 : table[0].length;
        for (int sweep = 0; sweep < SWEEPS; sweep++) {
            double[] sums = new double[arms];
            int[] counts = new int[arms];
            for (int b = 0; b < table.length; b++) {
                double mean = 0;
                for (int arm : present.get(b)) {
                    mean += table[b][arm] / present.get(b).size();
                }
                for (int arm : present.get(b)) {
                    table[b][arm] -= mean;
                    sums[arm] += table[b][arm];
                    counts[arm]++;
                }
            }
            for (int b = 0; b < table.length; b++) {
                for (int arm : present.get(b)) {
                    table[b][arm] -= sums[arm] / counts[arm];
                }
            }
        }
    }
}
