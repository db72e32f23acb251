package org.servletbench.bench.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.commons.statistics.descriptive.Variance;
import org.junit.jupiter.api.Test;
import org.servletbench.bench.model.Metric;

/** Tests that the mean of both copies represents the baseline, except between the copies and in older campaigns. */
class BaselineTest {
    private static final double[] BASE = {0.01, -0.02, 0.03, 0.00};
    private static final double[] COPY = {-0.03, 0.02, 0.01, 0.02};
    private static final double[] FAST = {0.21, 0.19, 0.24, 0.20};
    private static final double[] SLOW = {-0.11, -0.08, -0.10, -0.12};

    /** Returns a comparison with these logarithms of values. */
    private static BlockData table(double[] base, double[] copy, double[] fast, double[] slow) {
        SortedMap<Integer, Map<String, Double>> blocks = new TreeMap<>();
        for (int block = 0; block < base.length; block++) {
            Map<String, Double> row = new HashMap<>();
            row.put("base", Math.exp(base[block]));
            row.put("copy", Math.exp(copy[block]));
            row.put("fast", Math.exp(fast[block]));
            row.put("slow", Math.exp(slow[block]));
            blocks.put(block, row);
        }
        return Draw.table(List.of("base", "fast", "slow"), "copy", blocks);
    }

    private static final BlockData WHOLE = table(BASE, COPY, FAST, SLOW);

    private static PairVerdict pair(BlockData of, String a, String b) {
        return MultipleComparison.of(List.of(of), Settings.DEFAULTS).pairs().stream()
                .filter(pair ->
                        pair.contrast().a().equals(a) && pair.contrast().b().equals(b))
                .findFirst()
                .orElseThrow();
    }

    private static double mean(double... x) {
        return Arrays.stream(x).average().orElseThrow();
    }

    private static double variance(double... x) {
        return Variance.of(x).getAsDouble();
    }

    /**
     * Expected standard error: {@code (4 · c s² + (n - 1) s_d²) / (4 + n - 1) / n}. c is 1.5 against the mean of two
     * copies, and 2 between two servers.
     */
    private static double error(double c, double ownVariance, int n, BlockData of) {
        double sd = MultipleComparison.residual(of).sd();
        return Math.sqrt((4 * c * sd * sd + (n - 1) * ownVariance) / (4 + n - 1) / n);
    }

    @Test
    void theBaselineIsTheMeanOfBothCopies() {
        double[] d = new double[4];
        for (int block = 0; block < 4; block++) {
            d[block] = (BASE[block] + COPY[block]) / 2 - FAST[block];
        }
        Estimate estimate = pair(WHOLE, "base", "fast").estimate();
        assertThat(estimate.meanLog()).isCloseTo(mean(d), within(1e-12));
        assertThat(estimate.variance()).isEqualTo(1.5);
        assertThat(estimate.error()).isCloseTo(error(1.5, variance(d), 4, WHOLE), within(1e-12));
        // Its geometric mean is that of eight servers.
        assertThat(WHOLE.typical("base")).isCloseTo(Math.exp((mean(BASE) + mean(COPY)) / 2), within(1e-12));
    }

    @Test
    void twoOtherArmsAreAsBefore() {
        Estimate estimate = pair(WHOLE, "fast", "slow").estimate();
        assertThat(estimate.variance()).isEqualTo(2);
        assertThat(estimate)
                .isEqualTo(pair(WHOLE.with(Baseline.FIRST_COPY), "fast", "slow").estimate());
        assertThat(MultipleComparison.residual(WHOLE))
                .isEqualTo(MultipleComparison.residual(WHOLE.with(Baseline.FIRST_COPY)));
    }

    @Test
    void theCopiesAreComparedWithEachOtherAsBefore() {
        BlockData holes = without(WHOLE, 1, "copy");
        for (BlockData one : List.of(WHOLE, holes)) {
            assertThat(MultipleComparison.of(List.of(one), Settings.DEFAULTS).controls())
                    .isEqualTo(MultipleComparison.of(List.of(one.with(Baseline.FIRST_COPY)), Settings.DEFAULTS)
                            .controls());
        }
        assertThat(MultipleComparison.of(List.of(WHOLE), Settings.DEFAULTS)
                        .controls()
                        .get(0)
                        .estimate()
                        .meanLog())
                .isCloseTo(mean(COPY) - mean(BASE), within(1e-12));
    }

    @Test
    void aCampaignFromBeforeKeepsItsFirstCopy() {
        BlockData first = WHOLE.with(Baseline.FIRST_COPY);
        double[] d = new double[4];
        for (int block = 0; block < 4; block++) {
            d[block] = BASE[block] - FAST[block];
        }
        Estimate estimate = pair(first, "base", "fast").estimate();
        assertThat(estimate.meanLog()).isCloseTo(mean(d), within(1e-12));
        assertThat(estimate.error()).isCloseTo(error(2, variance(d), 4, first), within(1e-12));
        assertThat(first.typical("base")).isCloseTo(Math.exp(mean(BASE)), within(1e-12));
        assertThat(pair(first, "base", "fast").halfWidth())
                .isCloseTo(
                        Math.expm1(Critical.complete(4, 3, true, Baseline.FIRST_COPY, 0.05) * estimate.error()),
                        within(1e-4));
    }

    /**
     * Whichever copy is missing, the block counts with the other one, and the expected variance is the mean over
     * blocks.
     */
    @Test
    void aBlockWithOneUsableCopyCountsWithThatCopy() {
        for (String missing : List.of("copy", "base")) {
            BlockData hole = without(WHOLE, 1, missing);
            double[] d = new double[4];
            for (int block = 0; block < 4; block++) {
                d[block] = (BASE[block] + COPY[block]) / 2 - FAST[block];
            }
            d[1] = (missing.equals("copy") ? BASE[1] : COPY[1]) - FAST[1];
            Estimate estimate = pair(hole, "base", "fast").estimate();
            assertThat(estimate.n()).isEqualTo(4);
            assertThat(estimate.meanLog()).isCloseTo(mean(d), within(1e-12));
            assertThat(estimate.variance()).isEqualTo((3 * 1.5 + 2) / 4);
            assertThat(estimate.error()).isCloseTo(error((3 * 1.5 + 2) / 4, variance(d), 4, hole), within(1e-12));
        }
        BlockData none = without(without(WHOLE, 1, "copy"), 1, "base");
        assertThat(pair(none, "base", "fast").estimate().n()).isEqualTo(3);
    }

    /** A copy that never has a figure does no harm. */
    @Test
    void withoutAnyFigureOfOneCopyTheOtherIsTheBaseline() {
        BlockData alone = WHOLE;
        for (int block = 0; block < 4; block++) {
            alone = without(alone, block, "copy");
        }
        List<PairVerdict> pairs =
                MultipleComparison.of(List.of(alone), Settings.DEFAULTS).pairs();
        assertThat(pairs)
                .isEqualTo(MultipleComparison.of(List.of(alone.with(Baseline.FIRST_COPY)), Settings.DEFAULTS)
                        .pairs());
    }

    @Test
    void eitherCopyAtTheGeneratorsLimitMakesAFloor() {
        for (String copy : List.of("base", "copy")) {
            BlockData floored = Draw.with(WHOLE, WHOLE.metric(), Set.of(copy), 0);
            assertThat(pair(floored, "base", "fast").bound()).isEqualTo(Bound.AT_LEAST);
            assertThat(pair(floored, "fast", "slow").bound()).isEqualTo(Bound.EXACT);
        }
        BlockData first = Draw.with(WHOLE, WHOLE.metric(), Set.of("copy"), 0).with(Baseline.FIRST_COPY);
        assertThat(pair(first, "base", "fast").bound()).isEqualTo(Bound.EXACT);
    }

    /** Returns the whole comparison, in which one arm had a server that was not warm. */
    private static BlockData cold(String arm) {
        return WHOLE.barring(Map.of(arm, NoVerdictReason.NOT_WARM));
    }

    /** Both copies are of one jar. Choosing the one that has a verdict would mean choosing the faster one. */
    @Test
    void eitherCopyWithoutAVerdictTakesThatOfItsPairs() {
        for (String copy : List.of("base", "copy")) {
            BlockData barred = cold(copy);
            assertThat(pair(barred, "base", "fast").reason()).contains(NoVerdictReason.NOT_WARM);
            assertThat(pair(barred, "fast", "slow").verdict()).isEqualTo(Verdict.FASTER);
        }
    }

    /** The copy is a server of the baseline's jar, so sentences use the baseline's name. */
    @Test
    void sentencesNameTheBaselineForItsCopy() {
        Map<String, String> names =
                Map.of("base", "Tomcat", "copy", "Tomcat (control)", "fast", "Jetty", "slow", "Netty");
        BlockData cold = cold("copy");
        PairVerdict pair = pair(cold, "base", "fast");
        assertThat(new Wording(MultipleComparison.of(List.of(cold), Settings.DEFAULTS), names).clause(pair))
                .contains("(Tomcat had servers that were not warm");
        BlockData floored = Draw.with(WHOLE, Metric.P99, Set.of("copy"), 0);
        assertThat(new Wording(MultipleComparison.of(List.of(floored), Settings.DEFAULTS), names)
                        .clause(pair(floored, "base", "fast")))
                .contains("response times of Tomcat are not the server's own");
    }

    /** With 10 and 20 ms on a clock of 1 ms, the error of the logarithm is at most the mean of their errors. */
    @Test
    void theClockOfBothCopiesCounts() {
        SortedMap<Integer, Map<String, Double>> blocks = new TreeMap<>();
        blocks.put(1, Map.of("base", 10.0, "copy", 20.0, "arm", 40.0));
        blocks.put(2, Map.of("base", 10.0, "arm", 40.0));
        BlockData coarse = Draw.with(Draw.table(List.of("base", "arm"), "copy", blocks), Metric.P99, Set.of(), 1);
        Interval clock = coarse.clock(coarse.contrasts().get(0));
        double both = (Math.log1p(0.1) + Math.log1p(0.05)) / 2 - Math.log(1 - 0.025);
        assertThat(clock.high()).isCloseTo((both + Math.log1p(0.1) - Math.log(1 - 0.025)) / 2, within(1e-12));
        double less = (Math.log(0.9) + Math.log(0.95)) / 2 - Math.log1p(0.025);
        assertThat(clock.low()).isCloseTo((less + Math.log(0.9) - Math.log1p(0.025)) / 2, within(1e-12));
    }

    /** This includes differences in events per request: 3 and 5 of the copies count as 4. */
    @Test
    void reasonsAreToTheMeanOfBothCopies() {
        Random random = new Random(5);
        SortedMap<Integer, Map<String, Double>> blocks = new TreeMap<>();
        for (int block = 0; block < 6; block++) {
            blocks.put(
                    block,
                    Map.of(
                            "base", 3 + 0.001 * random.nextGaussian(),
                            "copy", 5 + 0.001 * random.nextGaussian(),
                            "arm", 9 + 0.001 * random.nextGaussian()));
        }
        BlockData values = Draw.with(Draw.table(List.of("base", "arm"), "copy", blocks), Metric.CPU, Set.of(), 0);
        Reason reason = Reasons.of(List.of(new Candidate(new Cause.Layer("kernel"), values)), 0.05)
                .get(0)
                .candidates()
                .get(0);
        assertThat(reason.difference()).isCloseTo(5, within(0.01));
        Reason counted = Reasons.of(List.of(new Candidate(new Cause.Counter(Metric.CPU), values)), 0.05)
                .get(0)
                .candidates()
                .get(0);
        assertThat(counted.difference()).isCloseTo(9 - Math.sqrt(15), within(0.01));
    }

    /** Pools weight each campaign by the noise that its own rule leaves. */
    @Test
    void poolsTakeTheRuleOfEachCampaign() {
        double sigma = 0.02;
        List<Estimate> estimates = List.of(
                new Estimate(6, 0.10, 0.02, sigma * Math.sqrt(1.5 / 6), 10, 1.5),
                new Estimate(6, 0.11, 0.02, sigma * Math.sqrt(2.0 / 6), 10, 2),
                new Estimate(6, 0.09, 0.02, sigma * Math.sqrt(2.0 / 6), 10, 2));
        Pooled pooled = Pooled.of(estimates, Collections.nCopies(3, new Interval(0, 0)), 0.05);
        assertThat(pooled.tau()).isZero();
        assertThat(Math.log(pooled.ratio()))
                .isCloseTo((0.10 / 1.5 + 0.11 / 2 + 0.09 / 2) / (1 / 1.5 + 1 / 2.0 + 1 / 2.0), within(1e-12));
    }

    /** A gate has a single pair, which includes the baseline. */
    @Test
    void forecastsKnowWhatThePairsAre() {
        SampleSize.Design gate = new SampleSize.Design(2, true, 1);
        SampleSize.Design before = new SampleSize.Design(2, true, 1, Baseline.FIRST_COPY);
        for (int blocks : new int[] {5, 10, 20}) {
            assertThat(SampleSize.halfWidth(0.02, blocks, gate, 0.05)
                            / SampleSize.halfWidth(0.02, blocks, before, 0.05))
                    .isBetween(0.85, 0.94);
        }
        assertThat(SampleSize.blocks(0.03, 0.02, gate, Settings.DEFAULTS).orElseThrow())
                .isLessThan(
                        SampleSize.blocks(0.03, 0.02, before, Settings.DEFAULTS).orElseThrow());
        // With four arms, the widest interval is between two arms that are not the baseline.
        SampleSize.Design four = new SampleSize.Design(4, true, 1);
        assertThat(SampleSize.powerToBaseline(0.03, 0.0145, 8, four, 0.05))
                .isGreaterThan(0.05 + SampleSize.power(0.03, 0.0145, 8, four, 0.05));
        // Without an A/A copy there is nothing to gain.
        assertThat(SampleSize.powerToBaseline(0.03, 0.0145, 8, new SampleSize.Design(4, false, 1), 0.05))
                .isEqualTo(SampleSize.power(0.03, 0.0145, 8, new SampleSize.Design(4, false, 1), 0.05));
    }

    /** Compares with tables of this rule, simulated by separate code: 4,000 draws of the largest |t| at 10 blocks. */
    @Test
    void theCriticalValueIsThatOfTheSimulatedTable() {
        Random random = new Random(20261128);
        double[] largest = new double[4000];
        for (int draw = 0; draw < largest.length; draw++) {
            BlockData drawn =
                    Draw.campaign(random, "hello 100 users", Metric.THROUGHPUT, new double[4], 0.01, 10, "copy");
            largest[draw] = MultipleComparison.of(List.of(drawn), Settings.DEFAULTS).pairs().stream()
                    .mapToDouble(pair -> Math.abs(pair.estimate().meanLog())
                            / pair.estimate().error())
                    .max()
                    .orElseThrow();
        }
        Arrays.sort(largest);
        assertThat(Critical.complete(10, 4, true, Baseline.BOTH_COPIES, 0.05))
                .isCloseTo(largest[(int) (0.95 * largest.length)], within(0.1));
    }

    private static BlockData without(BlockData whole, int block, String arm) {
        SortedMap<Integer, Map<String, Double>> blocks = new TreeMap<>(whole.blocks());
        Map<String, Double> row = new HashMap<>(blocks.get(block));
        row.remove(arm);
        blocks.put(block, row);
        return Draw.with(whole, blocks).with(whole.rule());
    }
}
