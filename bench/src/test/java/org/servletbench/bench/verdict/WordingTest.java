package org.servletbench.bench.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.Metric;

class WordingTest {
    private static final Map<String, String> NAMES = Map.of("A", "Undertow", "B", "Tomcat NIO", "C", "Jetty");

    /** Ten differences with mean 0 and standard deviation 1. */
    private static final double[] NOISE = standardised(-1.4, 0.3, 0.8, -0.6, 1.7, -0.2, 0.1, -1.1, 0.9, -0.5);

    @Test
    void faster() {
        String sentence = "For hello at 100 users, Undertow is 9.0 % faster than Tomcat NIO (6.7 to 11.4 %)";
        assertThat(sentence(Metric.THROUGHPUT, 1.09, 0.03)).isEqualTo(sentence);
        assertThat(swapped(Metric.THROUGHPUT, 1 / 1.09, 0.03))
                .as("slower is said from the other side")
                .isEqualTo(sentence);
    }

    @Test
    void lowerIsBetter() {
        assertThat(sentence(Metric.P99, 0.88, 0.04))
                .isEqualTo("For hello at 100 users, Undertow has a 12 % lower p99 response time than Tomcat NIO"
                        + " (9 to 14 %)");
        assertThat(sentence(Metric.P99, 1 / 0.82, 0.04))
                .isEqualTo("For hello at 100 users, Tomcat NIO has an 18 % lower p99 response time than Undertow"
                        + " (16 to 20 %)");
        assertThat(sentence(Metric.CPU, 0.88, 0.04))
                .isEqualTo("For hello at 100 users, Undertow needs 12 % less CPU time per request than Tomcat NIO"
                        + " (9 to 14 %)");
        assertThat(sentence(Metric.WRITE_CALLS, 0.88, 0.04))
                .isEqualTo(
                        "For hello at 100 users, Undertow has 12 % fewer write calls per request than Tomcat NIO (9 to 14 %)");
        assertThat(sentence(Metric.CPU_SYSTEM, 0.88, 0.04))
                .startsWith(
                        "For hello at 100 users, Undertow has a 12 % lower system CPU time per request than Tomcat NIO");
        assertThat(sentence(Metric.READY, 0.92, 0.01))
                .isEqualTo("For hello at 100 users, Undertow has an 8.0 % lower time to ready than Tomcat NIO"
                        + " (7.3 to 8.7 %)");
    }

    @Test
    void anArmAgainstItsBaselineIsNamedFirstWhetherItIsBetterOrWorse() {
        assertThat(ofB(Metric.THROUGHPUT, 1 / 0.85, 0.03))
                .isEqualTo("For hello at 100 users, Tomcat NIO answers 15 % fewer requests than Undertow (13 to 17 %)");
        assertThat(ofB(Metric.THROUGHPUT, 0.8, 0.03))
                .startsWith("For hello at 100 users, Tomcat NIO is 25 % faster than Undertow (");
        assertThat(ofB(Metric.CPU, 0.8, 0.03))
                .startsWith("For hello at 100 users, Tomcat NIO needs 25 % more CPU time per request than Undertow (");
        assertThat(ofB(Metric.P99, 0.8, 0.03))
                .startsWith("For hello at 100 users, Tomcat NIO has a 25 % higher p99 response time than Undertow (");
        assertThat(ofB(Metric.P99, 1.25, 0.03))
                .startsWith("For hello at 100 users, Tomcat NIO has a 20 % lower p99 response time than Undertow (");
        assertThat(ofB(Metric.THROUGHPUT, 0.99, 0.005))
                .as("the interval is told from the same side")
                .isEqualTo("For hello at 100 users, Tomcat NIO and Undertow are equal in throughput within 3 %"
                        + " (0.6 to +1.4 %)");
        assertThat(ofB(Metric.THROUGHPUT, 1.02, 0.1))
                .startsWith("For hello at 100 users, Tomcat NIO and Undertow cannot be distinguished in throughput");
    }

    /** Returns the clause as seen from B. */
    private static String ofB(Metric metric, double ratio, double sd) {
        MultipleComparison family = MultipleComparison.of(List.of(drawn(metric, ratio, sd)), Settings.DEFAULTS);
        return new Wording(family, NAMES).sentence(family.pairs().get(0), "B");
    }

    @Test
    void different() {
        assertThat(sentence(Metric.THROUGHPUT, 1.05, 0.04))
                .isEqualTo("For hello at 100 users, Undertow is 5.0 % faster than Tomcat NIO (2.0 to 8.0 %),"
                        + " maybe within the margin of 3 %");
    }

    @Test
    void roundingMovesNoEndOntoZero() {
        Set<Verdict> seen = new HashSet<>();
        clauses(1.02, 1.05, 0.0005, 0.04, (pair, clause) -> {
            seen.add(pair.verdict());
            if (pair.verdict() == Verdict.DIFFERENT) {
                assertThat(clause).doesNotContain("(0 to");
            }
        });
        assertThat(seen).contains(Verdict.DIFFERENT, Verdict.INCONCLUSIVE);
    }

    /** The margin decides as well: intervals that print alike have the same verdict. */
    @Test
    void roundingMovesNoEndOntoTheMargin() {
        Set<Verdict> seen = new HashSet<>();
        clauses(1.15, 1.35, 0.001, 0.16, (pair, clause) -> {
            seen.add(pair.verdict());
            assertThat(clause).doesNotContain("(3 to");
        });
        assertThat(seen).contains(Verdict.DIFFERENT, Verdict.FASTER);
    }

    /** Passes on the pairs and clauses for ratios in a range, with this much noise. */
    private static void clauses(double from, double to, double step, double sd, BiConsumer<PairVerdict, String> seen) {
        for (double ratio = from; ratio < to; ratio += step) {
            MultipleComparison family =
                    MultipleComparison.of(List.of(drawn(Metric.THROUGHPUT, ratio, sd)), Settings.DEFAULTS);
            PairVerdict pair = family.pairs().get(0);
            seen.accept(pair, new Wording(family, NAMES).clause(pair));
        }
    }

    @Test
    void equal() {
        assertThat(sentence(Metric.P99, 1.002, 0.01))
                .isEqualTo("For hello at 100 users, Undertow and Tomcat NIO are equal in p99 response time within 3 %"
                        + " (-0.5 to +0.9 %)");
        assertThat(sentence(Metric.THROUGHPUT, 0.99, 0.005))
                .as("a certain difference that does not matter")
                .isEqualTo("For hello at 100 users, Undertow and Tomcat NIO are equal in throughput within 3 %"
                        + " (-1.4 to -0.6 %)");
    }

    @Test
    void floors() {
        assertThat(limited(Metric.THROUGHPUT, 1.09, Set.of("A"), 0))
                .isEqualTo("Undertow is at least 9 % faster than Tomcat NIO (7 % or more)");
        assertThat(limited(Metric.THROUGHPUT, 0.9, Set.of("A"), 0))
                .isEqualTo(
                        "Undertow and Tomcat NIO cannot be distinguished in throughput (Undertow ran at the generator's"
                                + " limit, so the true throughput is at least what was measured)");
        assertThat(limited(Metric.P99, 0.9, Set.of("A", "B"), 0))
                .endsWith(
                        "(response times of Undertow and Tomcat NIO are not the server's own, as their warnings say)");
    }

    @Test
    void resolution() {
        assertThat(limited(Metric.P99, 1.001, Set.of(), 250))
                .endsWith(
                        "cannot be distinguished in p99 response time (the times were recorded to ± 250 ms, too coarse"
                                + " to decide)");
    }

    @Test
    void whatIsPromised() {
        assertThat(Wording.promise(0.05))
                .isEqualTo("all intervals hold together, for this campaign on this machine, at 95 %");
    }

    @Test
    void inconclusive() {
        assertThat(sentence(Metric.THROUGHPUT, 1.02, 0.1))
                .isEqualTo("For hello at 100 users, Undertow and Tomcat NIO cannot be distinguished in throughput"
                        + " (a difference of 18 % or more would very likely have shown up)");
        assertThat(sentence(Metric.THROUGHPUT, 1.02, 8))
                .endsWith("(even a tenfold difference might have gone unnoticed)");
    }

    @Test
    void tooFewBlocksOrNoSpread() {
        assertThat(clause(Metric.P99, new double[0], new double[0]))
                .isEqualTo("Undertow and Tomcat NIO cannot be distinguished in p99 response time"
                        + " (no block has both: at least two are needed)");
        assertThat(clause(Metric.P99, new double[] {2}, new double[] {3}))
                .endsWith("(only one block has both: at least two are needed)");
        assertThat(clause(Metric.P99, new double[] {2, 2}, new double[] {3, 3}))
                .endsWith("(the same in all 2 blocks: recorded too coarsely)");
    }

    @Test
    void loads() {
        BlockData comparison = drawn(Metric.THROUGHPUT, 1.1, 0.02);
        Wording one = new Wording(MultipleComparison.of(List.of(comparison), Settings.DEFAULTS), NAMES);
        MeasuredLoad open = new MeasuredLoad("static", 0, 62.50, "gatling");
        assertThat(one.load(open)).isEqualTo("static at 62.5 requests/s");
        assertThat(one.load(new MeasuredLoad("GET /", 0, 0, "ab"))).isEqualTo("GET /");

        BlockData other = new BlockData(
                "boot3",
                open,
                Metric.THROUGHPUT,
                comparison.arms(),
                "A",
                Optional.empty(),
                comparison.blocks(),
                Set.of(),
                0);
        Wording several = new Wording(MultipleComparison.of(List.of(comparison, other), Settings.DEFAULTS), NAMES);
        assertThat(several.load(open)).isEqualTo("static at 62.5 requests/s (gatling)");
    }

    @Test
    void guards() {
        assertThat(guard(null))
                .isEqualTo(
                        "Inconclusive: no arm was measured twice, so nothing shows that this campaign is free of bias");
        assertThat(guard(1.001))
                .isEqualTo("Two copies of Undertow came out equal within the margin of 3 %; between equal servers,"
                        + " a bias of more than 1.2 % is ruled out");
        assertThat(guard(1.03))
                .isEqualTo(
                        "Inconclusive: the two copies of Undertow do not show that this campaign is free of bias; a bias"
                                + " of up to 5 % would not have been seen, and the margin is 3 %");
        assertThat(guard(1.2))
                .isEqualTo("VOID, no verdict of this campaign may be used: two copies of the same arm came out"
                        + " different (hello at 100 users: copy is 20 % faster than Undertow (19 to 21 %))");
        assertThat(guard(Double.NaN))
                .isEqualTo(
                        "Inconclusive: the two copies of Undertow do not show that this campaign is free of bias: too few"
                                + " blocks, figures without an interval, or the generator's limit");
    }

    /** Returns ten blocks in which A/B has exactly this geometric mean, and its logarithm this standard deviation. */
    private static BlockData drawn(Metric metric, double ratio, double sd) {
        return Draw.pair(metric, values(ratio, sd, 1), values(1, 0, 1));
    }

    private static double[] values(double ratio, double sd, int sign) {
        return Arrays.stream(NOISE)
                .map(noise -> 1000 * ratio * Math.exp(sign * sd * noise))
                .toArray();
    }

    private static String sentence(Wording wording, MultipleComparison family) {
        PairVerdict pair = family.pairs().get(0);
        return "For " + wording.load(pair.contrast().load()) + ", " + wording.clause(pair);
    }

    private static String sentence(Metric metric, double ratio, double sd) {
        MultipleComparison family = MultipleComparison.of(List.of(drawn(metric, ratio, sd)), Settings.DEFAULTS);
        return sentence(new Wording(family, NAMES), family);
    }

    /** Returns the clause for the mirror image, with names and noise exchanged. */
    private static String swapped(Metric metric, double ratio, double sd) {
        BlockData comparison = Draw.pair(metric, values(ratio, sd, -1), values(1, 0, 1));
        MultipleComparison family = MultipleComparison.of(List.of(comparison), Settings.DEFAULTS);
        return sentence(new Wording(family, Map.of("A", "Tomcat NIO", "B", "Undertow")), family);
    }

    private static String limited(Metric metric, double ratio, Set<String> floors, double resolution) {
        BlockData drawn = drawn(metric, ratio, 0.02);
        MultipleComparison family =
                MultipleComparison.of(List.of(Draw.with(drawn, metric, floors, resolution)), Settings.DEFAULTS);
        return new Wording(family, NAMES).clause(family.pairs().get(0));
    }

    private static String clause(Metric metric, double[] a, double[] b) {
        MultipleComparison family = MultipleComparison.of(List.of(Draw.pair(metric, a, b)), Settings.DEFAULTS);
        return new Wording(family, NAMES).clause(family.pairs().get(0));
    }

    private static String guard(Double ratio) {
        SortedMap<Integer, Map<String, Double>> blocks = new TreeMap<>();
        for (int i = 0; i < NOISE.length; i++) {
            double copy = ratio == null ? 1 : ratio * Math.exp(0.02 * NOISE[i]);
            blocks.put(i, Map.of("A", 1.0, "B", 2.0, "copy", copy));
        }
        BlockData comparison = Draw.table(List.of("A", "B"), ratio == null ? null : "copy", blocks);
        return new Wording(MultipleComparison.of(List.of(comparison), Settings.DEFAULTS), NAMES).guard();
    }

    private static double[] standardised(double... values) {
        double mean = Arrays.stream(values).average().orElseThrow();
        double squares = Arrays.stream(values).map(x -> (x - mean) * (x - mean)).sum();
        double sd = Math.sqrt(squares / (values.length - 1));
        return Arrays.stream(values).map(x -> (x - mean) / sd).toArray();
    }
}
