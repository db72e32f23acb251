package org.servletbench.bench.record;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * The order of a block: its groups in random order, and the arms of each group in random order. It depends only on the
 * seed and the block's number, so that blocks added later do not change earlier ones.
 */
public final class BlockOrder {

    /**
     * An odd number with well-mixed bits (from the golden ratio), so that the seeds of neighbouring blocks are far
     * apart.
     */
    private static final long STEP = 0x9E3779B97F4A7C15L;

    private BlockOrder() {}

    /**
     * Returns the ids of all arms, including controls and references, in the order of one block.
     *
     * @param block number of the block, from 1
     */
    public static List<String> of(List<Arm> arms, long seed, int block) {
        Random random = random(seed, block);
        List<String> groups =
                new ArrayList<>(arms.stream().map(Arm::group).distinct().toList());
        Collections.shuffle(groups, random);
        List<String> order = new ArrayList<>();
        for (String group : groups) {
            List<String> ids = new ArrayList<>(arms.stream()
                    .filter(arm -> arm.group().equals(group))
                    .map(Arm::id)
                    .toList());
            Collections.shuffle(ids, random);
            order.addAll(ids);
        }
        return List.copyOf(order);
    }

    /** Returns the orders of the blocks 1 to {@code blocks}. */
    public static List<List<String>> all(List<Arm> arms, long seed, int blocks) {
        return IntStream.rangeClosed(1, blocks)
                .mapToObj(block -> of(arms, seed, block))
                .toList();
    }

    /** Returns the source of all random choices within a block. */
    public static Random random(long seed, int block) {
        return new Random(seed + block * STEP);
    }
}
