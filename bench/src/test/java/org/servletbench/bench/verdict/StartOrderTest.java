package org.servletbench.bench.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.Metric;

/** Simulates campaigns in which the servers that start first are slower, or not. */
class StartOrderTest {

    private static final double MARGIN = Math.log1p(0.03);
    private static final List<String> ARMS = List.of("tomcat", "jetty", "undertow", "nio2", "apr");
    private static final String COPY = "tomcat-control";

    private final Random random = new Random(42);

    /**
     * Returns what a campaign shows whose servers differ by {@code noise}, and whose first half is faster by
     * {@code early}, as a logarithm.
     *
     * @param missing share of servers without a figure
     */
    private StartOrder campaign(int blocks, double early, double noise, double missing) {
        List<String> all = new ArrayList<>(ARMS);
        all.add(COPY);
        TreeMap<Integer, Map<String, Double>> values = new TreeMap<>();
        List<List<String>> order = new ArrayList<>();
        for (int block = 1; block <= blocks; block++) {
            List<String> shuffled = new ArrayList<>(all);
            Collections.shuffle(shuffled, random);
            order.add(shuffled);
            double speed = 0.3 * random.nextGaussian();
            Map<String, Double> own = new HashMap<>();
            for (String arm : all) {
                double half = shuffled.indexOf(arm) < shuffled.size() / 2 ? early : 0;
                double log = 10 + 0.1 * ARMS.indexOf(arm) + speed + half + noise * random.nextGaussian();
                if (random.nextDouble() >= missing) {
                    own.put(arm, Math.exp(log));
                }
            }
            values.put(block, own);
        }
        return StartOrder.of(
                new BlockData(
                        "boot3",
                        new MeasuredLoad("hello", 100, 0, "gatling"),
                        Metric.THROUGHPUT,
                        ARMS,
                        "tomcat",
                        Optional.of(COPY),
                        values,
                        java.util.Set.of(),
                        0),
                order);
    }

    @Test
    void withoutAnEffectItIsRarelySeen() {
        long seen = IntStream.range(0, 400)
                .filter(i -> campaign(7, 0, 0.05, 0).isSeen(MARGIN))
                .count();

        // 4 are expected, and 12 or more in one of a thousand tests.
        assertThat(seen).isLessThan(12);
    }

    @Test
    void theDifferenceIsFoundBesideThoseOfArmsAndBlocks() {
        List<StartOrder> many = IntStream.range(0, 50)
                .mapToObj(i -> campaign(7, -0.08, 0.02, 0.1))
                .toList();

        assertThat(many.stream().mapToDouble(StartOrder::difference).average().orElseThrow())
                .isCloseTo(-0.08, within(0.005));
        assertThat(many).filteredOn(one -> one.isSeen(MARGIN)).hasSizeGreaterThan(47);
    }

    @Test
    void aSmallDifferenceIsNotMentioned() {
        assertThat(campaign(40, 0.015, 0.002, 0)).satisfies(one -> {
            assertThat(one.chance()).isLessThan(0.01);
            assertThat(one.isSeen(MARGIN)).isFalse();
        });
    }

    @Test
    void nothingIsKnownOfOneBlock() {
        assertThat(campaign(1, -0.5, 0, 0).isSeen(MARGIN)).isFalse();
        assertThat(campaign(0, 0, 0, 0).isSeen(MARGIN)).isFalse();
        assertThat(campaign(3, 0, 0, 1).isSeen(MARGIN)).isFalse();
    }
}
