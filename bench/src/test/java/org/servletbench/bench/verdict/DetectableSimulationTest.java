package org.servletbench.bench.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.servletbench.bench.model.Metric;

/**
 * Tests the statement "A difference of X would very likely have shown up". It counts how many further campaigns with
 * the same truth find X.
 */
@Tag("simulation")
class DetectableSimulationTest {
    private static final double SPREAD = 0.0145;
    private static final int CAMPAIGNS = 1000;

    /** @param difference ln(1 + X), where X is the detectable difference that this campaign promises */
    private record Campaign(double difference, double meanLog, double half) {}

    /**
     * If computed from the spread itself, the promised difference would be found in 62 to 89 % of all cases, and in 22
     * to 78 % if the promise came from the quarter of campaigns with the smallest spread.
     */
    @ParameterizedTest
    @CsvSource({"2, 3, 1", "3, 3, 1", "3, 5, 1", "3, 5, 3", "4, 5, 1", "3, 10, 1", "4, 20, 3"})
    void whatIsPromisedIsFound(int arms, int blocks, double noisier) {
        Random random = new Random(20261125);
        IntToDoubleFunction spread = arm -> arm == 1 ? noisier * SPREAD : SPREAD;
        List<Campaign> campaigns = new ArrayList<>();
        for (int i = 0; i < CAMPAIGNS; i++) {
            BlockData drawn = Draw.campaign(
                    random, "hello 100 users", Metric.THROUGHPUT, new double[arms], spread, blocks, "copy");
            MultipleComparison family = MultipleComparison.of(List.of(drawn), Settings.DEFAULTS);
            PairVerdict pair = family.pairs().get(0);
            campaigns.add(new Campaign(
                    Math.log1p(family.detectable(drawn)), pair.estimate().meanLog(), Math.log1p(pair.halfWidth())));
        }
        campaigns.sort(Comparator.comparingDouble(Campaign::difference));
        assertThat(found(campaigns, campaigns)).isGreaterThan(0.9);
        assertThat(found(campaigns.subList(0, CAMPAIGNS / 4), campaigns)).isGreaterThanOrEqualTo(0.78);
    }

    /** Returns how often intervals exclude 1 if the true difference is what one of the promising campaigns promised. */
    private static double found(List<Campaign> promising, List<Campaign> all) {
        return promising.stream()
                .mapToDouble(one -> all.stream()
                                .filter(other -> Math.abs(other.meanLog + one.difference) > other.half)
                                .count()
                        / (double) all.size())
                .average()
                .orElse(0);
    }
}
