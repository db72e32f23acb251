package org.servletbench.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.Warning;
import org.servletbench.bench.model.WarningKind;
import org.servletbench.bench.record.SeenCode;
import org.servletbench.bench.record.ServerRun;
import org.servletbench.bench.verdict.NoVerdictReason;
import org.servletbench.bench.verdict.PairVerdict;
import org.servletbench.bench.verdict.Verdict;

/**
 * Tests campaigns whose servers still run more or less code that may become faster, on machines whose speed changes.
 */
class WarmCampaignsTest {

    private static final int BATCHES = 30;
    private static final List<MeasuredLoad> MEASURED_LOADS = List.of(new MeasuredLoad("hello", 100, 0, "gatling"));

    private final Fixture.Drawn drawn = Fixture.seeded(38)
            .oneGroup()
            .loads(MEASURED_LOADS)
            .inTimeSlices(0.25)
            .blocks(8)
            .spread(0.004)
            .draw();

    /**
     * Returns a campaign whose servers have these samples, on a machine whose speed changes by {@code drift} within
     * each load.
     */
    private Fixture.Drawn with(double drift, SeenCode code, boolean settled) {
        Random random = new Random(2);
        return new Fixture.Drawn(
                drawn.campaign(),
                drawn.serverRuns().stream()
                        .map(one -> changed(one, random, drift, code, settled))
                        .toList());
    }

    private static ServerRun changed(ServerRun one, Random random, double drift, SeenCode code, boolean settled) {
        List<Double> shares = IntStream.range(0, BATCHES)
                .mapToObj(i -> Math.exp(Math.log1p(drift) * (i / (BATCHES - 1.0) - 0.5) + 0.02 * random.nextGaussian()))
                .toList();
        return Fixture.with(
                one,
                one.outcome(),
                one.proven(),
                new ServerRun.WarmUpRecord(settled, "", 60, List.of(), List.of(), code),
                Fixture.rated(one, shares, null),
                settled ? List.of() : List.of(Warning.of(WarningKind.WARM_UP, "too much in slow code")));
    }

    private static List<Verdict> verdicts(Fixture.Drawn one) {
        return one.analysis().family().pairs().stream()
                .map(PairVerdict::verdict)
                .toList();
    }

    private static String page(Fixture.Drawn one) {
        return one.page().files().get(ReportPage.INDEX).replaceAll("[\\s\u00a0]+", " ");
    }

    @Test
    void serversThatRanMuchSlowCodeHaveNoVerdict() {
        Fixture.Drawn cold = with(0, Fixture.code(MEASURED_LOADS, 90), true);
        assertThat(cold.analysis().family().pairs()).isNotEmpty().allSatisfy(pair -> {
            assertThat(pair.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
            assertThat(pair.reason()).contains(NoVerdictReason.NOT_WARM);
        });
        assertThat(page(cold))
                .contains("Trust: low", "48 of 48 servers were not warm")
                .containsPattern(
                        "Tomcat NIO, [^<]+ may still have been warming up: compiling more could make them faster");
    }

    @Test
    void warmServersKeepTheirVerdictsHoweverTheirWarmUpsEnded() {
        assertThat(verdicts(drawn)).anyMatch(Verdict::namesADifference);
        for (boolean settled : new boolean[] {true, false}) {
            Fixture.Drawn warm = with(0, Fixture.code(MEASURED_LOADS, 3), settled);
            assertThat(verdicts(warm)).isEqualTo(verdicts(drawn));
            assertThat(page(warm))
                    .contains("Trust: good")
                    .containsPattern("servers were warm: compiling more could make them faster by at most 1\\.\\d %"
                            + " \\(Tomcat NIO 1\\.\\d %, ");
        }
    }

    /** A machine that slows down or speeds up is no server that warms up. */
    @Test
    void aMachineThatChangesItsSpeedDoesNotChangeWhatIsSaidOfWarmth() {
        String still = page(with(0, Fixture.code(MEASURED_LOADS, 3), true));
        assertThat(still).doesNotContain("the machine s");
        for (double drift : new double[] {-0.18, 0.25}) {
            Fixture.Drawn moved = with(drift, Fixture.code(MEASURED_LOADS, 3), true);
            assertThat(verdicts(moved)).isEqualTo(verdicts(drawn));
            assertThat(page(moved))
                    .contains("Trust: good")
                    .containsPattern("the machine " + (drift < 0 ? "slowed by 1[789]" : "sped up by 2[456]")
                            + " % during the loads, which all arms share");
        }
    }

    /** The order is random, so verdicts stay, and only their intervals are wider. */
    @Test
    void theTrustSaysWhetherServersThatStartFirstAreSlower() {
        String first = "the servers that started first in a block came out ";
        Fixture slower = Fixture.seeded(38)
                .oneGroup()
                .loads(MEASURED_LOADS)
                .inTimeSlices(0.25)
                .blocks(8)
                .spread(0.004)
                .startedFirst(0.9);

        assertThat(page(slower.draw()))
                .containsPattern(first + "(9|10|11) % lower in throughput than those that started last");
        assertThat(page(drawn)).doesNotContain(first);
    }

    /** Then nothing counts as warm, but only servers that never settled get no verdict. */
    @Test
    void codeThatNobodySawIsSaidToBeUnknown() {
        Fixture.Drawn unseen = with(0.3, null, true);
        assertThat(verdicts(unseen)).isEqualTo(verdicts(drawn));
        assertThat(page(unseen))
                .contains("Trust: fair", "whether servers were warm was judged by throughput alone")
                .doesNotContain("servers were warm:");
        assertThat(with(0, null, false).analysis().family().pairs())
                .allSatisfy(pair -> assertThat(pair.reason()).contains(NoVerdictReason.NOT_WARM));
    }
}
