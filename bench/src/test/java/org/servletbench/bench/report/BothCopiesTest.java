package org.servletbench.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.record.Analysis;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.verdict.NoVerdictReason;
import org.servletbench.bench.verdict.PairVerdict;

/**
 * Tests the baseline in output for people and programs: the mean of both copies, or the first copy in earlier
 * campaigns.
 */
class BothCopiesTest {
    private static final MeasuredLoad HELLO = new MeasuredLoad("hello", 100, 0, "gatling");

    private static Fixture fixture() {
        return Fixture.seeded(67).oneGroup().loads(List.of(HELLO)).spread(0.02);
    }

    private final Fixture.Drawn both = fixture().draw();
    private final Fixture.Drawn first = fixture().firstCopy().draw();

    private static Analysis.Group group(Analysis judged) {
        return judged.groups().get(0);
    }

    private static double ratio(Analysis judged, String arm, Metric metric) {
        return judged.against(group(judged), judged.campaign().arm(arm), HELLO, metric)
                .orElseThrow()
                .ratio();
    }

    private static String page(Fixture.Drawn drawn) {
        return drawn.page().files().get(ReportPage.INDEX).replaceAll("[\\s\u00a0]+", " ");
    }

    @Test
    void aRatioIsToTheMeanOfBothAndTheOtherPairsAreAsBefore() {
        Analysis now = both.analysis();
        Analysis before = first.analysis();
        double copies = ratio(now, "tomcat-nio-control", Metric.THROUGHPUT);

        assertThat(ratio(before, "tomcat-nio-control", Metric.THROUGHPUT)).isEqualTo(copies);
        assertThat(ratio(before, "jetty", Metric.THROUGHPUT) / ratio(now, "jetty", Metric.THROUGHPUT))
                .isCloseTo(Math.sqrt(copies), within(1e-9));
        assertThat(now.family().guard()).isEqualTo(before.family().guard());
        assertThat(ratios(now, "jetty", "undertow")).isEqualTo(ratios(before, "jetty", "undertow"));
    }

    private static List<Double> ratios(Analysis judged, String a, String b) {
        return judged.family().pairs().stream()
                .filter(pair ->
                        pair.contrast().a().equals(a) && pair.contrast().b().equals(b))
                .map(PairVerdict::ratio)
                .toList();
    }

    @Test
    void pagesSayWithWhatArmsAreCompared() {
        assertThat(page(both))
                .contains("<small>against the mean of both copies of Tomcat NIO</small>")
                .contains("ratios to the baseline (the mean of its two copies in each block), lines")
                .contains("is the mean of the logarithms of its two copies")
                .contains("the mean of both copies");
        assertThat(page(first))
                .contains("<small>against Tomcat NIO</small>", "the first copy alone")
                .doesNotContain("mean of both copies", "mean of its two copies", "mean of the logarithms");
    }

    /**
     * An arm is shown next to the figure that is the baseline of its ratio, and the A/A copy next to that of the other
     * copy.
     */
    @Test
    void figuresFitTheirRatio() {
        Analysis now = both.analysis();
        Arm jetty = now.campaign().arm("jetty");
        Arm copy = now.campaign().arm("tomcat-nio-control");
        double own = now.describe(jetty, HELLO, Metric.THROUGHPUT).mean();
        double base =
                now.comparedWith(group(now), jetty, HELLO, Metric.THROUGHPUT).mean();

        assertThat(own / base).isCloseTo(ratio(now, "jetty", Metric.THROUGHPUT), within(1e-9));
        assertThat(now.comparedWith(group(now), copy, HELLO, Metric.THROUGHPUT))
                .isEqualTo(now.describe(group(now).baseline(), HELLO, Metric.THROUGHPUT));
        Analysis before = first.analysis();
        assertThat(before.comparedWith(group(before), jetty, HELLO, Metric.THROUGHPUT))
                .isEqualTo(before.describe(group(before).baseline(), HELLO, Metric.THROUGHPUT));
    }

    /** Otherwise the baseline would be represented by the copy that happened to pass. */
    @Test
    void aCopyThatDidNotHoldTheLoadLeavesTheBaselineWithoutAVerdict() {
        Analysis now = fixture().failing("tomcat-nio-control").draw().analysis();
        assertThat(now.family().pairs().stream()
                        .filter(pair -> pair.contrast().a().equals("tomcat-nio"))
                        .map(PairVerdict::reason))
                .isNotEmpty()
                .allMatch(reason -> reason.equals(Optional.of(NoVerdictReason.NOT_HELD)));
        assertThat(now.family().pairs().stream()
                        .filter(pair -> !pair.contrast().a().equals("tomcat-nio"))
                        .map(PairVerdict::reason))
                .isNotEmpty()
                .noneMatch(reason -> reason.equals(Optional.of(NoVerdictReason.NOT_HELD)));
        Arm baseline = now.campaign().arm("tomcat-nio");
        assertThat(now.barredBeside(baseline, HELLO)).contains(NoVerdictReason.NOT_HELD);
        assertThat(now.barred(baseline, HELLO)).isEmpty();

        Analysis before =
                fixture().failing("tomcat-nio-control").firstCopy().draw().analysis();
        assertThat(before.barredBeside(baseline, HELLO)).isEmpty();
        assertThat(before.family().pairs())
                .noneMatch(pair -> pair.reason().equals(Optional.of(NoVerdictReason.NOT_HELD)));
    }

    @Test
    void severalCampaignsAreNotMixedSilently() {
        List<Analysis> mixed = List.of(
                Fixture.seeded(1).named("one").spread(0.01).firstCopy().draw().analysis(),
                Fixture.seeded(2).named("two").spread(0.01).draw().analysis(),
                Fixture.seeded(3).named("three").spread(0.01).draw().analysis());
        String said = "first copy of the baseline in one, and with the mean of both copies in the others";
        assertThat(SeveralCampaigns.judged(mixed, List.of()).notes()).anyMatch(note -> note.contains(said));
        assertThat(SeveralCampaigns.judged(mixed.subList(0, 2), List.of()).notes())
                .anyMatch(note -> note.contains(said));
        assertThat(SeveralCampaigns.judged(mixed.subList(1, 3), List.of()).notes())
                .noneMatch(note -> note.contains("copy of the baseline"));
    }
}
