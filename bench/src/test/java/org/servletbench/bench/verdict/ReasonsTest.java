package org.servletbench.bench.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Metric.Part;

class ReasonsTest {

    private static final double ALPHA = 0.05;

    /** Returns a counter of a baseline {@code tomcat}, its A/A copy, and another arm. */
    private static Candidate counter(Random random, Metric metric, double tomcat, double other, double spread) {
        return new Candidate(new Cause.Counter(metric), values(random, metric, tomcat, tomcat, other, spread, true));
    }

    private static Candidate layer(Random random, String name, double tomcat, double other, double noise) {
        return new Candidate(new Cause.Layer(name), values(random, Metric.CPU, tomcat, tomcat, other, noise, false));
    }

    private static BlockData values(
            Random random, Metric metric, double tomcat, double copy, double other, double noise, boolean relative) {
        SortedMap<Integer, Map<String, Double>> blocks = new TreeMap<>();
        for (int block = 1; block <= 6; block++) {
            Map<String, Double> row = new HashMap<>();
            Map.of("tomcat", tomcat, "copy", copy, "other", other)
                    .forEach((arm, mean) -> row.put(
                            arm,
                            relative
                                    ? mean * Math.exp(noise * random.nextGaussian())
                                    : Math.max(0, mean + noise * random.nextGaussian())));
            blocks.put(block, row);
        }
        return new BlockData(
                "boot3",
                Draw.HELLO,
                metric,
                List.of("tomcat", "other"),
                "tomcat",
                Optional.of("copy"),
                blocks,
                Set.of(),
                0);
    }

    /**
     * If each copy was up in one of two blocks, nothing is left to pool, and the search for a common critical value
     * used to run forever.
     */
    @Test
    @Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
    void withoutResidualDegreesOfFreedomAPairStandsAlone() {
        BlockData data = values(new Random(1), Metric.CPU, 48, 48, 50, 0.01, true)
                .with(new TreeMap<>(
                        Map.of(1, Map.of("tomcat", 48.0, "other", 50.0), 2, Map.of("copy", 48.0, "other", 51.0))));
        BlockModel model = new BlockModel(data);

        assertThat(model.residual().df()).isZero();
        // Student's t with one degree of freedom.
        assertThat(model.critical(data.contrasts(), ALPHA)).isCloseTo(12.7062, withinPercentage(0.001));
        assertThat(of(new Candidate(new Cause.Counter(Metric.CPU), data)).whole())
                .isEmpty();
    }

    private static Reasons of(Candidate... candidates) {
        return Reasons.of(List.of(candidates), ALPHA).get(0);
    }

    private static Stream<String> names(List<Reason> reasons) {
        return reasons.stream().map(reason -> reason.cause().words());
    }

    private static Wording wording(Map<String, String> names) {
        return new Wording(MultipleComparison.of(List.of(), Settings.DEFAULTS), names);
    }

    private static List<Candidate> handOver(Random random) {
        return List.of(
                counter(random, Metric.CPU, 48, 61, 0.01),
                counter(random, Metric.CPU_USER, 30, 36, 0.01),
                counter(random, Metric.CPU_SYSTEM, 18, 25, 0.01),
                counter(random, Metric.CPU_COMPILER, 0.3, 0.3, 0.3),
                counter(random, Metric.CPU_GC, 0.5, 0.5, 0.2),
                counter(random, Metric.VOLUNTARY, 0.17, 1.17, 0.03),
                counter(random, Metric.READ_CALLS, 1, 1, 0.002),
                counter(random, Metric.WRITE_CALLS, 1, 1, 0.002),
                counter(random, Metric.ALLOCATION, 2600, 2600, 0.01));
    }

    /** Another framework on the same kind of threads: one read call less, and all that it saves is user code. */
    @Test
    void fewerCallsAreNoReasonIfTheKernelNeedsNoLess() {
        Random random = new Random(1);
        Reasons reasons = of(
                counter(random, Metric.CPU, 24, 16, 0.01),
                counter(random, Metric.CPU_USER, 13, 5, 0.01),
                counter(random, Metric.CPU_SYSTEM, 11.3, 11.7, 0.01),
                counter(random, Metric.READ_CALLS, 2, 1, 0.002),
                counter(random, Metric.ALLOCATION, 11_000, 4_000, 0.01));
        assertThat(names(reasons.modes())).contains("in user code");
        assertThat(names(reasons.named())).noneMatch(name -> name.contains("read calls"));
    }

    @Test
    void aHandOverIsNamedWithTheCpuTimeThatItExplains() {
        Reasons reasons = Reasons.of(handOver(new Random(1)), ALPHA).get(0);
        assertThat(reasons.whole().orElseThrow().difference()).isBetween(12.0, 14.0);
        assertThat(names(reasons.modes())).containsExactly("in the kernel", "in user code");
        assertThat(names(reasons.named())).containsExactly("voluntary context switches per request");
        Reason handOver = reasons.named().get(0);
        assertThat(handOver.low()).isLessThan(handOver.difference()).isPositive();
        assertThat(handOver.arm()).isBetween(1.1, 1.25);
        assertThat(handOver.baseline()).isBetween(0.15, 0.19);
        Wording wording = wording(Map.of("other", "Undertow"));
        assertThat(wording.why(reasons, true))
                .matches(
                        "Why: Undertow needs 1[23]\\.\\d µs more CPU time per request \\(1\\d to 1\\d\\): [67]\\.\\d in the kernel,"
                                + " [56]\\.\\d in user code; [01]\\.\\d+ more voluntary context switches per request"
                                + " \\(1\\.\\d\\d against 0\\.1\\d\\)");
    }

    /** A few events cannot explain much, so their sentence gives an upper limit. */
    @Test
    void eventsThatExplainLittleAreNamedWithTheirLimit() {
        Random random = new Random(3);
        Reasons reasons =
                of(counter(random, Metric.CPU, 48, 52, 0.001), counter(random, Metric.VOLUNTARY, 0.1, 0.2, 0.01));
        assertThat(wording(Map.of()).why(reasons, true))
                .matches("Why: other needs [34]\\.\\d+ µs more CPU time per request \\([34].* to [34].*\\);"
                        + " 0\\.\\d+ more voluntary context switches per request"
                        + " \\(0\\.20 against 0\\.10; at most 0\\.5 µs\\)");
        Reasons one = of(counter(random, Metric.CPU, 48, 52, 0.001), counter(random, Metric.VOLUNTARY, 0.1, 1.1, 0.01));
        assertThat(wording(Map.of()).why(one, true)).endsWith(" against 0.10)");
    }

    /** Covers sentences from the other side, and an arm whose difference nothing explains. */
    @Test
    void sentencesSayLessFewerAndNothing() {
        Random random = new Random(7);
        Reasons better = of(
                counter(random, Metric.CPU, 61, 48, 0.01),
                counter(random, Metric.CPU_GC, 5, 2, 0.01),
                counter(random, Metric.VOLUNTARY, 1.17, 0.17, 0.03));
        Wording wording = wording(Map.of("tomcat", "Tomcat"));
        assertThat(wording.why(better, true))
                .matches(
                        "Why: other needs 1[23]\\.\\d µs less CPU time per request \\(1\\d to 1\\d\\); [23]\\.\\d µs less in garbage"
                                + " collection; [01]\\.\\d+ fewer voluntary context switches per request \\(0\\.1\\d against 1\\.\\d\\d\\)");
        Reasons none = of(counter(random, Metric.READ_CALLS, 1, 1, 0.01));
        assertThat(wording.why(none, true))
                .isEqualTo("Why: nothing measured explains the difference between other and Tomcat");
    }

    /** On several processors, a server may be faster and still need more CPU time. */
    @Test
    void whatGoesTheOtherWayIsSaidAndNotCalledAReason() {
        Wording wording = wording(Map.of());
        assertThat(wording.why(Reasons.of(handOver(new Random(1)), ALPHA).get(0), false))
                .startsWith("Also measured: other needs 1");
    }

    /** Layers of profiles are reported with their interval, and only once if there is also a counter. */
    @Test
    void aLayerHasItsIntervalAndACounterComesBeforeIt() {
        Random random = new Random(11);
        Reasons reasons = of(
                counter(random, Metric.CPU, 48, 61, 0.01),
                counter(random, Metric.CPU_GC, 1, 4, 0.01),
                layer(random, "garbage collection", 1, 4, 0.1),
                layer(random, "metrics", 5, 7, 0.2));
        assertThat(wording(Map.of()).why(reasons, true))
                .matches(".*; [23]\\.\\d µs more in garbage collection; [12]\\.\\d µs more in metrics \\([12]\\.\\d to"
                        + " [23]\\.\\d, by profile\\)");
    }

    /** As measured: Jetty allocated 2,095 bytes more, and needed 5.8 µs more. The memory takes at most half a µs. */
    @Test
    void fewBytesAreNoReason() {
        Random random = new Random(12);
        Reasons reasons = of(
                counter(random, Metric.CPU, 34.4, 40.2, 0.01),
                counter(random, Metric.ALLOCATION, 14_774, 16_869, 0.001));
        assertThat(reasons.candidates()).allMatch(Reason::shown);
        assertThat(reasons.named()).isEmpty();
    }

    /** Without an A/A copy, the difference between two copies is unknown. */
    @Test
    void withoutAControlThereIsNoReason() {
        BlockData all = values(new Random(13), Metric.VOLUNTARY, 1, 1, 3, 0.01, true);
        BlockData alone = new BlockData(
                all.group(),
                all.load(),
                all.metric(),
                all.arms(),
                all.baseline(),
                Optional.empty(),
                all.blocks(),
                Set.of(),
                0);
        assertThat(of(new Candidate(new Cause.Counter(Metric.VOLUNTARY), alone)).isEmpty())
                .isTrue();
    }

    /** Undertow needs more CPU time, but makes fewer read calls. */
    @Test
    void whatDiffersTheOtherWayIsNoReason() {
        Random random = new Random(8);
        Reasons reasons = of(
                counter(random, Metric.CPU, 48, 61, 0.01),
                counter(random, Metric.READ_CALLS, 2, 1, 0.01),
                counter(random, Metric.VOLUNTARY, 0.17, 1.17, 0.03));
        assertThat(names(reasons.named())).containsExactly("voluntary context switches per request");
        assertThat(reasons.candidates().get(1).shown()).isTrue();
    }

    /** As measured: Jetty needed 6.7 µs more, and had 0.07 more context switches, which take at most 0.3 µs. */
    @Test
    void whatIsShownAndTooSmallIsNoReason() {
        Random random = new Random(9);
        Reasons reasons = of(
                counter(random, Metric.CPU, 32.9, 39.6, 0.01),
                counter(random, Metric.CPU_GC, 0.10, 0.18, 0.02),
                counter(random, Metric.VOLUNTARY, 0.13, 0.19, 0.02),
                counter(random, Metric.INVOLUNTARY, 0.08, 0.28, 0.02));
        assertThat(reasons.candidates()).allMatch(Reason::shown);
        assertThat(names(reasons.named())).containsExactly("involuntary context switches per request");
    }

    /** The baseline is in all pairs, whatever its name. If it is noisy, it misleads more than any other arm. */
    @Test
    void theCriticalValueDoesNotDependOnNames() {
        boolean[][] complete = new boolean[5][4];
        Stream.of(complete).forEach(block -> Arrays.fill(block, true));
        double first = Critical.value(complete, pairsWith(0), 0.01);
        double last = Critical.value(complete, pairsWith(3), 0.01);
        assertThat(last).isCloseTo(first, withinPercentage(5));
    }

    private static List<Critical.Pair> pairsWith(int baseline) {
        return IntStream.range(0, 4)
                .filter(arm -> arm != baseline)
                .mapToObj(arm -> new Critical.Pair(arm, baseline))
                .toList();
    }

    /** Even if no difference in CPU time is shown, it may be so large that a small part of it explains nothing. */
    @Test
    void nothingSmallIsNamedWhereNoDifferenceInCpuTimeIsShown() {
        Random random = new Random(10);
        Reasons reasons = of(
                counter(random, Metric.CPU, 40, 41, 0.1),
                counter(random, Metric.VOLUNTARY, 0.13, 0.16, 0.01),
                counter(random, Metric.WRITE_CALLS, 1, 2, 0.01));
        assertThat(reasons.whole()).isEmpty();
        assertThat(reasons.candidates().get(1).shown()).isTrue();
        assertThat(names(reasons.named())).containsExactly("write calls per request");
    }

    /** A figure is a reason only if it exceeds the difference between two copies of one server. */
    @Test
    void whatTheControlDiffersByTooIsNoReason() {
        BlockData biased = values(new Random(2), Metric.FAULTS, 1, 1.4, 1.3, 0.01, true);
        Reasons reasons = Reasons.of(List.of(new Candidate(new Cause.Counter(Metric.FAULTS), biased)), ALPHA)
                .get(0);
        Reason faults = reasons.candidates().get(0);
        assertThat(faults.low()).isPositive();
        assertThat(faults.shown()).isFalse();
        assertThat(reasons.isEmpty()).isTrue();
    }

    /** A layer may be absent from the baseline. */
    @Test
    void aLayerMayBeNewAndComesBeforeCounts() {
        Random random = new Random(3);
        Reasons reasons = of(
                counter(random, Metric.CPU, 48, 61, 0.01),
                layer(random, "thread hand-off", 0, 9, 0.4),
                layer(random, "JSON", 3, 3, 0.4),
                layer(random, "metrics", 5, 8, 0.2),
                layer(random, "your code", 4, 6, 0.1),
                counter(random, Metric.VOLUNTARY, 0.17, 1.17, 0.03));
        assertThat(names(reasons.named()))
                .containsExactly("in thread hand-off", "in metrics", "voluntary context switches per request");
    }

    @Test
    void aRecordedServerThatIsBarredHasNoReason() {
        BlockData all = values(new Random(4), Metric.VOLUNTARY, 1, 1, 3, 0.01, true);
        BlockData barred = all.barring(Map.of("other", NoVerdictReason.NOT_WARM));
        assertThat(of(new Candidate(new Cause.Counter(Metric.VOLUNTARY), all)).isEmpty())
                .isFalse();
        assertThat(of(new Candidate(new Cause.Counter(Metric.VOLUNTARY), barred))
                        .isEmpty())
                .isTrue();
    }

    @Test
    void withoutFiguresNothingIsSaid() {
        assertThat(Reasons.of(List.of(), ALPHA)).isEmpty();
        BlockData none = values(new Random(5), Metric.CPU, 0, 0, 0, 0, false);
        assertThat(Reasons.of(List.of(new Candidate(new Cause.Counter(Metric.CPU), none)), ALPHA))
                .isEmpty();
    }

    /**
     * For two copies of one jar, at most 5 % of 400 campaigns with all candidates of the catalogue may name any reason.
     */
    @Test
    void copiesHaveNoReason() {
        Random random = new Random(6);
        int alarms = 0;
        int found = 0;
        for (int campaign = 0; campaign < 400; campaign++) {
            List<Candidate> equal = new ArrayList<>();
            for (Part part : List.of(Part.WHOLE, Part.MODE, Part.ROLE, Part.COUNT)) {
                Metric.of(part).forEach(metric -> equal.add(counter(random, metric, 7, 7, 0.03)));
            }
            equal.add(layer(random, "JSON", 1, 1, 0.5));
            alarms += Reasons.of(equal, ALPHA).get(0).isEmpty() ? 0 : 1;
            found += names(Reasons.of(handOver(random), ALPHA).get(0).named())
                            .toList()
                            .contains("voluntary context switches per request")
                    ? 1
                    : 0;
        }
        assertThat(alarms).isLessThanOrEqualTo(20);
        assertThat(found).isGreaterThanOrEqualTo(380);
    }
}
