package org.servletbench.bench.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.servletbench.bench.measure.Trend;
import org.servletbench.bench.model.Cell;

/** What is said of an arm whose servers share with all others what the machine does during a block. */
class WarmthTest {

    private static final int CAMPAIGNS = 4000;
    private static final int BATCHES = 30;
    private static final Cell USERS = new Cell("hello", 100, 0, "gatling");

    private static CellResult result(Cell cell, List<Double> rates, Trend trend) {
        return new CellResult(
                cell, 1, 1000, 0, 30, Map.of(), rates, "", List.of(), List.of(), 1, Map.of(), trend, List.of(),
                List.of(), List.of());
    }

    /** A server that gains so much on a machine that does what it likes from block to block and within one. */
    private static List<Double> rates(Random random, double gain, double betweenBlocks) {
        double rise = Math.log1p(gain) + betweenBlocks * random.nextGaussian();
        return IntStream.range(0, BATCHES)
                .mapToObj(i -> 1000 * Math.exp(rise * i / (BATCHES - 1) + 0.03 * random.nextGaussian()))
                .toList();
    }

    /** Share of arms of which this is said after so many blocks. */
    private static double share(int blocks, double gain, double betweenBlocks, Predicate<Warmth> said) {
        Random random = new Random(9);
        return IntStream.range(0, CAMPAIGNS)
                        .filter(campaign -> said.test(Warmth.of(
                                IntStream.range(0, blocks)
                                        .mapToObj(block -> result(USERS, rates(random, gain, betweenBlocks), null))
                                        .toList(),
                                false)))
                        .count()
                / (double) CAMPAIGNS;
    }

    /** A rise as large as the limit is called flat in one campaign of a hundred, one of 30 % hardly ever, whatever all servers share. */
    @Test
    @Tag("simulation")
    void anArmThatRisesIsNotCalledFlat() {
        for (int blocks : new int[] {2, 3, 6, 12}) {
            for (double between : new double[] {0, 0.03, 0.06}) {
                // Twice the standard error of so many campaigns above 1 %.
                assertThat(share(blocks, Trend.FLAT / 100, between, Warmth::isFlat))
                        .as("%d blocks, %.2f", blocks, between)
                        .isLessThan(0.0132);
                assertThat(share(blocks, 0.3, between, Warmth::isFlat)).isLessThan(0.0035);
                assertThat(share(blocks, 0, between, Warmth::rises)).isLessThan(0.0132);
            }
        }
    }

    /** What a campaign of usual length can show. */
    @Test
    @Tag("simulation")
    void anArmThatDoesNotRiseIsMostlyShownToBeFlat() {
        assertThat(share(6, 0, 0.03, Warmth::isFlat)).isGreaterThan(0.95);
        assertThat(share(6, 0, 0.06, Warmth::isFlat)).isBetween(0.5, 0.8);
        assertThat(share(12, 0, 0.06, Warmth::isFlat)).isGreaterThan(0.95);
        assertThat(share(3, 0, 0.03, Warmth::isFlat)).isBetween(0.2, 0.6);
        assertThat(share(6, 0.1, 0.03, Warmth::rises)).isGreaterThan(0.95);
    }

    @Test
    void theIntervalHoldsTheRise() {
        assertThat(share(6, 0.08, 0.04, arm -> arm.low() < 8 && arm.high() > 8)).isBetween(0.974, 0.986);
    }

    @Test
    void oneBlockOrTooFewRoundsOrAFixedRateTellNothing() {
        Random random = new Random(1);
        CellResult known = result(USERS, rates(random, 0.1, 0), null);
        CellResult few = result(USERS, known.rates().subList(0, Trend.LEAST_POINTS - 1), null);
        CellResult fixed = result(new Cell("hello", 0, 500, "gatling"), known.rates(), null);
        List<Double> gaps = new ArrayList<>(known.rates());
        Collections.fill(gaps.subList(0, BATCHES / 2), Double.NaN);
        for (List<CellResult> results : List.of(
                List.<CellResult>of(),
                List.of(known),
                List.of(known, few, few),
                List.of(fixed, fixed),
                List.of(known, result(USERS, gaps, null)))) {
            Warmth warmth = Warmth.of(results, false);
            assertThat(warmth.isKnown()).as("%s", results).isFalse();
            assertThat(warmth.isFlat()).isFalse();
            assertThat(warmth.rises()).isFalse();
        }
        assertThat(Warmth.of(List.of(known, few), false).blocks()).isEqualTo(1);
        assertThat(Warmth.of(List.of(known), false).rise()).isCloseTo(10, within(4.0));
    }

    /** Nobody was beside it: its trend is its own. */
    @Test
    void aServerThatWasUpAloneHasItsTrend() {
        List<CellResult> alone = List.of(
                result(USERS, List.of(1000.0), new Trend(30, 4, -2, 11)),
                result(USERS, List.of(1000.0), new Trend(30, 5, -2, 12)));
        assertThat(Warmth.of(alone, true).rise()).isCloseTo(4.5, within(0.01));
        assertThat(Warmth.of(alone, true).isKnown()).isTrue();
        assertThat(Warmth.of(alone, false).isKnown()).isFalse();
    }
}
