package org.servletbench.bench.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.record.Look;

/** Four equal arms; whoever finds no difference after 10 blocks measures 5 more, up to three times. */
class LooksSimulationTest {
    private static final double ALPHA = 0.05;
    private static final int[] EXTENDED = {10, 15, 20, 25};

    /** The share of campaigns in which any look names a difference. */
    private static double falseAlarms(int campaigns, int reserved, int... ends) {
        Random random = new Random(20261121);
        double[] nothing = new double[4];
        int wrong = 0;
        for (int campaign = 0; campaign < campaigns; campaign++) {
            Comparison all = Draw.campaign(
                    random, "hello 100 users", Metric.THROUGHPUT, nothing, 0.02, ends[ends.length - 1], null);
            boolean found = false;
            for (int look = 1; look <= ends.length && !found; look++) {
                Map<Integer, Map<String, Double>> blocks = all.blocks().headMap(ends[look - 1]);
                Comparison sofar = new Comparison(
                        all.group(),
                        all.cell(),
                        all.metric(),
                        all.arms(),
                        all.baseline(),
                        Optional.empty(),
                        new TreeMap<>(blocks),
                        Set.of(),
                        0);
                Settings settings = new Settings(Look.alpha(ALPHA, reserved, look), 0.03, 0.8);
                found = Family.of(List.of(sofar), settings).pairs().stream()
                        .anyMatch(pair -> pair.verdict().namesADifference());
            }
            wrong += found ? 1 : 0;
        }
        return wrong / (double) campaigns;
    }

    @Test
    void reserved_looks_keep_false_alarms_below_five_percent() {
        assertThat(falseAlarms(1500, 4, EXTENDED)).isLessThanOrEqualTo(0.055);
    }

    /** Why looks must be reserved: at the whole alpha each time it is 12 % (4,000 campaigns). */
    @Test
    void looks_at_the_whole_alpha_would_not() {
        assertThat(falseAlarms(300, 1, EXTENDED)).isGreaterThan(0.08);
    }

    /** What {@link Look} says of going on after the time limit because of the verdicts: 8.7 % (4,000 campaigns). */
    @Test
    void going_on_after_four_of_six_blocks_because_of_the_verdicts_would_be_another_look() {
        assertThat(falseAlarms(1000, 1, 4, 6)).isBetween(0.065, 0.11);
        assertThat(falseAlarms(1000, 2, 4, 6)).isLessThanOrEqualTo(0.055);
    }
}
