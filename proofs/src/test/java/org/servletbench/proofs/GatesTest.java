package org.servletbench.proofs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.campaign.Preparation;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Shares;
import org.servletbench.bench.record.Plan;
import org.servletbench.bench.verdict.BlockData;
import org.servletbench.bench.verdict.NoVerdictReason;
import org.servletbench.bench.verdict.Settings;
import org.servletbench.bench.verdict.Stopping;
import org.servletbench.proofs.GatesExperiment.Answer;
import org.servletbench.proofs.GatesExperiment.Draws;
import org.servletbench.proofs.GatesExperiment.Gates;

/** Tallies of gates on simulated values with a known truth. */
class GatesTest {

    private static final Map<Metric, Double> NOISE =
            Map.of(Metric.CPU, 0.015, Metric.ALLOCATION, 0.004, Metric.MEAN, 0.05);

    @TempDir
    Path folder;

    private Plan gate;

    @BeforeEach
    void ships() throws IOException {
        Path jar = Files.createFile(folder.resolve("shop.jar"));
        Preparation preparation = new Preparation(Path.of(".."), () -> "", () -> "", line -> {});
        gate = new GatesExperiment(new ProofLab(preparation, folder)).gate(jar);
    }

    /**
     * Returns 40 blocks of equal builds, with noise of 1.5 % in CPU time, 0.4 % in allocation and 5 % in the mean
     * response time.
     */
    private static List<BlockData> whole(double cpu, double allocation, double control) {
        return whole(cpu, allocation, control, 1, Map.of());
    }

    private static List<BlockData> whole(
            double cpu, double allocation, double control, double noisier, Map<String, NoVerdictReason> barred) {
        Random random = new Random(7);
        return Stream.of(Metric.CPU, Metric.ALLOCATION, Metric.MEAN)
                .map(metric -> {
                    double noise = noisier * NOISE.get(metric);
                    double truth = metric == Metric.CPU ? cpu : metric == Metric.ALLOCATION ? allocation : 1;
                    SortedMap<Integer, Map<String, Double>> blocks = new TreeMap<>();
                    for (int block = 1; block <= 40; block++) {
                        blocks.put(
                                block,
                                Map.of(
                                        "before",
                                        100 * Math.exp(noise * random.nextGaussian()),
                                        "control",
                                        100 * control * Math.exp(noise * random.nextGaussian()),
                                        "arm",
                                        100 * truth * Math.exp(noise * random.nextGaussian())));
                    }
                    return new BlockData(
                                    "service",
                                    new MeasuredLoad("request", metric == Metric.MEAN ? 8 : 32, 0, "gatling"),
                                    metric,
                                    List.of("before", "arm"),
                                    "before",
                                    Optional.of("control"),
                                    blocks,
                                    Set.of(),
                                    0)
                            .barring(barred);
                })
                .toList();
    }

    private Gates gates(List<BlockData> whole, int most) {
        return draws(whole, List.of()).gates(most);
    }

    private Draws draws(List<BlockData> whole, List<String> equal) {
        return new Draws(whole, gate, "arm", equal);
    }

    private double share(List<BlockData> whole, int most, Answer answer) {
        return gates(whole, most).counted(answer).share();
    }

    @Test
    void equalBuildsSeldomFireAndCostsBeyondTheMarginAreFound() {
        assertThat(share(whole(1, 1, 1), 5, Answer.FIRES)).isLessThan(0.025);
        assertThat(share(whole(1, 1.05, 1), 5, Answer.FIRES)).isGreaterThan(0.95);
        // A gate ends when it reaches its precision, which takes fewer than its 15 blocks.
        assertThat(share(whole(1.10, 1, 1), 15, Answer.FIRES)).isBetween(0.85, 0.95);
        assertThat(gates(whole(0.9, 0.9, 1), 15).counted(Answer.FIRES).hits()).isZero();
    }

    /** Every gate is counted exactly once. A cost far below the margin holds; one at the margin is undecided. */
    @Test
    void gatesHoldFireOrAreUndecided() {
        Gates equal = gates(whole(1, 1, 1), 15);
        assertThat(Stream.of(Answer.values())
                        .mapToInt(one -> equal.counted(one).hits())
                        .sum())
                .isEqualTo(GatesExperiment.DRAWS);
        assertThat(share(whole(0.9, 0.9, 1), 15, Answer.HOLDS)).isGreaterThan(0.95);
        assertThat(share(whole(1.05, 1, 1), 15, Answer.UNDECIDED)).isGreaterThan(0.9);
        assertThat(equal.words())
                .matches("fires in [\\d.]+ %, holds in [\\d.]+ %, undecided in [\\d.]+ %, void in [\\d.]+ %");
    }

    /**
     * One of the equal builds happens to be 3 % slower in this campaign. It could as well have been the baseline or the
     * A/A copy.
     */
    @Test
    void equalBuildsExchangeTheirRoles() {
        List<BlockData> lucky = whole(1.03, 1.03, 1, 0.3, Map.of());
        assertThat(share(lucky, 9, Answer.FIRES)).isGreaterThan(0.9);
        Gates exchanged = draws(lucky, List.of("before", "arm", "control")).gates(9);
        assertThat(exchanged.share(Answer.FIRES)).isLessThan(0.025);
        assertThat(exchanged.of()).isEqualTo(GatesExperiment.DRAWS);
    }

    /** A constant share has an interval of zero width, but one that depends on the blocks does not. */
    @Test
    void anIntervalOverCampaignsHoldsTheShare() {
        assertThat(draws(whole(1.3, 1.3, 1), List.of()).between(5, Answer.FIRES))
                .containsExactly(1, 1);
        Draws some = draws(whole(1.08, 1, 1), List.of());
        double[] ends = some.between(9, Answer.FIRES);
        assertThat(some.gates(9).share(Answer.FIRES)).isBetween(ends[0], ends[1]);
        assertThat(ends[1] - ends[0]).isBetween(0.1, 0.9);
    }

    /** With little noise no gate needs all of its blocks; with much noise every gate does. */
    @Test
    void aGateEndsAtItsPrecision() {
        assertThat(gates(whole(1, 1, 1, 0.1, Map.of()), 15).meanBlocks()).isEqualTo(Stopping.MIN_BLOCKS);
        assertThat(gates(whole(1, 1, 1, 20, Map.of()), 15).meanBlocks()).isEqualTo(15);
        assertThat(gates(whole(1, 1, 1), 15).meanBlocks()).isBetween(5.5, 14.5);
    }

    @Test
    void gatesAreJudgedByTheComparisonThatShips() {
        assertThat(gate.judging())
                .isEqualTo(new Settings(Stopping.SHARE * 0.05, Shares.parse("cpu=5%,alloc=1%,mean=20%", 0.03), 0.8));
        assertThat(gate.precisions().of(Metric.CPU)).isEqualTo(0.04);
        assertThat(gate.precisions().of(Metric.ALLOCATION)).isEqualTo(0.008);
        assertThat(gate.precisions().of(Metric.MEAN)).isEqualTo(0.15);
        assertThat(gate.claims().all().stream()
                        .flatMap(claim -> claim.parts().stream())
                        .map(part -> part.of() + " " + part.claimed() + " " + part.than() + " " + part.metric()))
                .containsExactly(
                        "after not slower before cpu", "after not slower before alloc", "after not slower before mean");
    }

    @Test
    void aGateWithABrokenControlSaysNothing() {
        Gates broken = gates(whole(1.10, 1.05, 1.3), 15);
        assertThat(broken.counted(Answer.VOID).share()).isGreaterThan(0.99);
        assertThat(broken.counted(Answer.FIRES).hits()).isZero();
    }

    /** Without a verdict no gate can fire, which must not count as a pass. */
    @Test
    void anArmWithoutAVerdictIsNoPass() {
        assertThat(GatesExperiment.barred(whole(1, 1, 1), "arm")).isEmpty();
        for (String arm : List.of("before", "arm")) {
            List<BlockData> whole = whole(1, 1, 1, 1, Map.of(arm, NoVerdictReason.NOT_WARM));
            assertThat(GatesExperiment.barred(whole, "arm")).contains(NoVerdictReason.NOT_WARM);
        }
        Finding finding = GatesExperiment.undecided("same, 5 blocks", "nothing differs", NoVerdictReason.NOT_WARM);
        assertThat(finding.outcome()).isEqualTo(Finding.Outcome.SHOWN);
        assertThat(finding.note()).endsWith("has no verdict: not warm");
    }
}
