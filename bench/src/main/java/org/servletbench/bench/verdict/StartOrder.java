package org.servletbench.bench.verdict;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * The difference between the servers that started first in their blocks and those that started last, whatever their
 * arms. On a virtual machine, memory of the processes that start first may be slower. The random order of a block makes
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

    private static final double ZERO = 1e-12;

    /** @param order ids in the order in which the servers of each block started, from block 1 on */
    public static StartOrder of(BlockData data, List<List<String>> order) {
        List<String> arms = new ArrayList<>(data.arms());
        data.control().ifPresent(arms::add);
        List<List<Integer>> started = new ArrayList<>();
        data.blocks()
                .forEach((block, values) -> started.add(order.get(block - 1).stream()
                        .filter(id -> arms.contains(id) && BlockData.present(values.get(id)))
                        .map(arms::indexOf)
                        .toList()));
        List<Map<String, Double>> blocks = List.copyOf(data.blocks().values());
        boolean[][] present = new boolean[blocks.size()][arms.size()];
        double[][] y = new double[blocks.size()][arms.size()];
        for (int b = 0; b < y.length; b++) {
            for (int arm : started.get(b)) {
                present[b][arm] = true;
                y[b][arm] = Math.log(blocks.get(b).get(arms.get(arm)));
            }
        }
        Layout layout = new Layout(present);
        double[][] residuals = layout.residuals(y);
        double seen = difference(layout, residuals, started);
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
            asLarge += Math.abs(difference(layout, residuals, another)) >= Math.abs(seen) - ZERO ? 1 : 0;
        }
        return new StartOrder(seen, (1.0 + asLarge) / (1 + ORDERS));
    }

    /** True if the difference exceeds a margin, as a logarithm, and is hardly due to chance. */
    public boolean isSeen(double logMargin) {
        return Math.abs(difference) > logMargin && chance <= RARE;
    }

    /**
     * Returns the least-squares estimate of the difference, adjusted for arms and blocks, which is that of the residuals
     * (R. Frisch and F. V. Waugh 1933).
     *
     * @param residuals values without the effects of arms and blocks
     */
    private static double difference(Layout layout, double[][] residuals, List<List<Integer>> started) {
        double[][] half = new double[residuals.length][];
        for (int b = 0; b < half.length; b++) {
            half[b] = new double[residuals[b].length];
            List<Integer> order = started.get(b);
            for (int i = 0; i < order.size() / 2; i++) {
                half[b][order.get(i)] = 0.5;
                half[b][order.get(order.size() - 1 - i)] = -0.5;
            }
        }
        double[][] own = layout.residuals(half);
        double both = 0;
        double squares = 0;
        for (int b = 0; b < own.length; b++) {
            for (int arm = 0; arm < own[b].length; arm++) {
                both += residuals[b][arm] * own[b][arm];
                squares += own[b][arm] * own[b][arm];
            }
        }
        return squares < ZERO ? Double.NaN : both / squares;
    }
}
