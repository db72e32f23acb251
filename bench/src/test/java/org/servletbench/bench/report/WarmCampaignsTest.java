package org.servletbench.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.servletbench.bench.measure.Trend;
import org.servletbench.bench.model.Cell;
import org.servletbench.bench.model.Mark;
import org.servletbench.bench.model.MarkKind;
import org.servletbench.bench.record.Invocation;
import org.servletbench.bench.verdict.Lack;
import org.servletbench.bench.verdict.PairVerdict;
import org.servletbench.bench.verdict.Verdict;

/** Campaigns whose servers are all alike: none rises beside the others, and all of them may. */
class WarmCampaignsTest {

    private static final Trend FLAT_BESIDE_OTHERS = new Trend(30, 0.2, -2, 3);
    private static final int BATCHES = 30;

    private final Fixture.Drawn drawn = Fixture.seeded(38)
            .oneGroup()
            .cells(List.of(new Cell("hello", 100, 0, "gatling")))
            .inTurns(0.25)
            .blocks(8)
            .spread(0.004)
            .draw();

    /** The same whose servers all gain so much in so many batches, and whose warm-ups settled or not. */
    private Fixture.Drawn with(double gain, int batches, boolean settled) {
        Random random = new Random(2);
        return new Fixture.Drawn(
                drawn.campaign(),
                drawn.invocations().stream()
                        .map(one -> changed(one, random, gain, batches, settled))
                        .toList());
    }

    private static Invocation changed(Invocation one, Random random, double gain, int batches, boolean settled) {
        List<Double> shares = IntStream.range(0, batches)
                .mapToObj(i -> Math.exp(Math.log1p(gain) * (i / (batches - 1.0) - 0.5) + 0.02 * random.nextGaussian()))
                .toList();
        return Fixture.with(
                one,
                one.outcome(),
                one.proven(),
                new Invocation.WarmUpRecord(settled, "", 60, List.of(), List.of()),
                Fixture.rated(one, shares, FLAT_BESIDE_OTHERS),
                settled ? List.of() : List.of(Mark.of(MarkKind.WARM_UP, "still rising after 60 s")));
    }

    private static List<Verdict> verdicts(Fixture.Drawn one) {
        return one.judgement().family().pairs().stream()
                .map(PairVerdict::verdict)
                .toList();
    }

    private static String page(Fixture.Drawn one) {
        return one.page().files().get(ReportPage.INDEX).replaceAll("[\\s\u00a0]+", " ");
    }

    /** Same application, same JVM: a rise that all servers share is the likeliest one, and no trend beside the others shows it. */
    @Test
    void serversThatNeverSettledAndRoseTogetherHaveNoVerdict() {
        Fixture.Drawn rising = with(0.3, BATCHES, false);
        assertThat(rising.judgement().family().pairs()).isNotEmpty().allSatisfy(pair -> {
            assertThat(pair.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
            assertThat(pair.reason()).contains(Lack.NOT_WARM);
        });
        assertThat(page(rising))
                .contains("Trust: low", "48 of 48 servers were not warm")
                .containsPattern("servers became faster under the load: Tomcat NIO by (29|30|31) % \\(98 % interval ")
                .doesNotContain("servers were warm:");
    }

    @Test
    void warmServersThatDidNotRiseKeepTheirVerdicts() {
        assertThat(verdicts(drawn)).anyMatch(Verdict::namesADifference);
        Fixture.Drawn warm = with(0, BATCHES, true);
        assertThat(verdicts(warm)).isEqualTo(verdicts(drawn));
        assertThat(page(warm))
                .contains("Trust: good")
                .containsPattern("a rise of more than \\d % under the load would have been seen for every arm"
                        + " \\(98 % upper ends: Tomcat NIO \\d\\.\\d %, [^)]*Tomcat NIO copy \\d\\.\\d %[^)]*\\)");
        // What the load shows of both kinds counts more than how the warm-up ended.
        assertThat(verdicts(with(0, BATCHES, false))).isEqualTo(verdicts(drawn));
    }

    /** A bound that is missing is said, lifts no mark, and bars nothing. */
    @Test
    void tooShortLoadsTellNothingOfWhatAllServersDid() {
        Fixture.Drawn shortLoads = with(0, 10, true);
        assertThat(verdicts(shortLoads)).isEqualTo(verdicts(drawn));
        assertThat(page(shortLoads))
                .contains("Trust: fair")
                .contains(
                        "whether servers became faster under the load is not known (that takes two blocks or more of 20 rounds"
                                + " each, at no fixed rate); relative to the others none became 10 % faster")
                .doesNotContain("servers were warm:", "would have been seen");
        assertThat(with(0, 10, false).judgement().family().pairs())
                .allSatisfy(pair -> assertThat(pair.reason()).contains(Lack.NOT_WARM));
    }

    /** A rise that was seen is told, and servers whose warm-ups settled keep their verdicts. */
    @Test
    void aRiseAfterSettledWarmUpsIsTold() {
        Fixture.Drawn rising = with(0.3, BATCHES, true);
        assertThat(verdicts(rising)).isEqualTo(verdicts(drawn));
        assertThat(page(rising)).contains("Trust: fair", "servers became faster under the load: ");
    }
}
