package org.servletbench.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.Scheduling;
import org.servletbench.bench.model.Size;
import org.servletbench.bench.record.Analysis;
import org.servletbench.bench.record.Arm;

class SeveralCampaignsTest {
    private static Fixture campaign(long seed) {
        return Fixture.seeded(seed).named("campaign-" + seed).spread(0.01);
    }

    private static SeveralCampaigns several(Fixture... campaigns) {
        return SeveralCampaigns.judged(
                List.of(campaigns).stream().map(one -> one.draw().analysis()).toList(), List.of());
    }

    /** Returns three campaigns of one comparison, the last of which is changed. */
    private static SeveralCampaigns three(UnaryOperator<Fixture> changed) {
        return several(campaign(61), campaign(62), changed.apply(campaign(63)));
    }

    private static String page(SeveralCampaigns several) {
        return several.files().get(SeveralCampaigns.PAGE).replaceAll("[\\s\u00a0]+", " ");
    }

    @Test
    void fiveCampaignsArePooledIntoAMeanAPredictionAndTheirSpread() {
        SeveralCampaigns five = several(LongStream.rangeClosed(71, 75)
                .mapToObj(seed -> campaign(seed).speed("jetty", 0.7 * Math.exp(0.03 * (seed - 73))))
                .toArray(Fixture[]::new));

        // 4 arms and 2 A/A copies; 3 loads and 3 metrics.
        assertThat(five.words()).hasSize(6 * 3 * 3);
        assertThat(five.words())
                .filteredOn(line -> line.contains("hello at 100 users, the throughput of Jetty (boot3)"))
                .singleElement()
                .asString()
                .matches(
                        "For .* is −(29|30|31)(\\.\\d)? % \\(−3\\d.* to −2\\d.* %\\) against Tomcat NIO; the next campaign:"
                                + " −(3[5-9]|4\\d).* to −[12]\\d.* %; campaigns vary by [345](\\.\\d)? %"
                                + " \\(Q = .* with 4 df, p = below 0\\.001\\)");
        assertThat(page(five))
                .contains(
                        "servlet-bench · 5 campaigns, pooled</p>", "campaign-71, begun 2026-11-20T09:14:05Z, 10 blocks")
                .contains("No verdicts are drawn", "next campaign", "the copy of Tomcat NIO (boot2)")
                .doesNotContain("faster", "slower", ">NaN");
        // Each arm is shown next to the baseline of its own group.
        assertThat(five.answer())
                .matches(
                        "Over 5 campaigns, Undertow \\(boot3\\) has the highest throughput for hello at 100 users"
                                + " \\(\\+[\\d.]+ % ± [\\d.]+ against Tomcat NIO \\(boot3\\)\\), Jetty \\(boot3\\) the lowest"
                                + " \\(−[\\d.]+ % ± \\d+\\); Tomcat APR \\(boot2\\) has the highest throughput for hello at"
                                + " 100 users \\(\\+[\\d.]+ % ± [\\d.]+ against Tomcat NIO \\(boot2\\)\\), Tomcat NIO \\(boot2\\) the lowest\\.");
        Map<String, String> files = five.files();
        assertThat(files).isEqualTo(five.files());
        assertThat(files.get("tables/pooled.csv").lines())
                .hasSize(1 + 6 * 3 * 3)
                .first()
                .isEqualTo("load,group,arm,metric,ratio,low,high,next.low,next.high,tau,q,p");
        assertThat(files.get("tables/campaigns.csv").lines())
                .hasSize(1 + 5 * 8 * 3 * 3)
                .first()
                .asString()
                .endsWith(",ratio,low,high,expected.low,expected.high");
        assertThat(page(five))
                .containsPattern("\\d+ of 180 differences in single campaigns lie where the others predict them")
                .contains("Measured: ", "JDK 17", "100 users")
                .doesNotContain("90 % each");
        assertThat(five.markdown().orElseThrow()).contains("- Measured: ");
        assertThat(((PooledCampaigns) five).answerPlots())
                .hasSize(2)
                .extracting(AnswerPlot::baseline)
                .containsOnly("Tomcat NIO");
        // One table, and no sentence with a Q.
        assertThat(five.markdown().orElseThrow().lines())
                .filteredOn(line -> line.startsWith("| hello at 100 users, throughput | "))
                .hasSize(6);
        assertThat(five.markdown().orElseThrow()).doesNotContain("(Q = ");
        assertThat(page(five)).doesNotContain("(Q = ");
        assertThat(files).containsKeys("tables/pooled.json", "tables/campaigns.json");
    }

    /** The effect of different loads, jars, JDKs or machines would be mistaken for variation between campaigns. */
    @Test
    void whatIsNotTheSameComparisonIsNotPooled() {
        assertThat(three(same -> same.blocks(5)).words()).isNotEmpty();
        assertRejected(changed -> changed.upgraded("jetty"), "they differ in jar of Jetty");
        assertRejected(changed -> changed.jdk("21.0.9+10"), "they differ in JDK of ");
        assertRejected(
                changed -> changed.asking("jetty", spec -> spec.withHeap(new Size("256m"))),
                "they differ in heap of Jetty");
        assertRejected(
                changed -> changed.load(0.1, "0s", "3.16.0"),
                "they differ in slice, settling-time and version of gatling)");
        assertRejected(changed -> changed.oneGroup(), "they differ in the arms)");
        assertRejected(
                changed -> changed.loads(List.of(new MeasuredLoad("hello", 100, 0, "gatling"))),
                "they differ in the loads)");
    }

    private static void assertRejected(UnaryOperator<Fixture> changed, String why) {
        assertThatThrownBy(() -> three(changed))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("campaigns campaign-61 and campaign-63 are not the same comparison")
                .hasMessageContaining(why)
                .hasMessageNotContaining("\n");
    }

    @Test
    void aCampaignThatMaySayNothingIsNotPooled() {
        assertThatThrownBy(() -> three(changed -> changed.speed("tomcat-nio-control", 1.5)))
                .hasMessage(
                        "1 of 3 campaigns are void, because two copies of the same arm came out different: a pool takes 3"
                                + " others; two campaigns can be shown side by side");
        assertThatThrownBy(() -> three(Fixture::history))
                .hasMessageStartingWith(
                        "campaign campaign-63 has no verdicts (No verdicts: the campaign has not reached");
        assertThatThrownBy(() -> several(campaign(61), campaign(62), campaign(61)))
                .hasMessage("campaign campaign-61 is named twice");
    }

    @Test
    void twoCampaignsAreDescribedAndNotJudged() {
        SeveralCampaigns two =
                several(campaign(41), campaign(42).speed("jetty", 0.5).upgraded("jetty"));

        assertThat(two.words()).isEmpty();
        assertThat(page(two))
                .contains("<h1>2 campaigns, side by side: nothing is judged</h1>", "Described, not judged")
                .contains("They differ in jar of Jetty.", "arm: jetty", "10.1.61.1")
                .contains("measure before and after as two arms of one campaign")
                .doesNotContain("faster", "slower", "inconclusive", ">NaN");
        assertThat(two.files()).doesNotContainKey("tables/pooled.csv");
        assertThat(two.files().get("tables/campaigns.csv").lines())
                .hasSize(1 + 2 * 8 * 3 * 3)
                .anyMatch(row -> row.matches(".*,boot3,jetty,throughput,campaign-42,.*,10,0\\.(49|50)\\d*,0\\.4.*"));
        assertThat(page(several(campaign(41), campaign(42)))).contains("Recorded as the same comparison");
    }

    @Test
    void ofTwoCampaignsAllArmsAndLoadsAreShownAndWhyFiguresMayNotBeUsed() {
        List<Arm> one = List.of(Fixture.arm("jetty", "Jetty", "boot3", Arm.Role.BASELINE));
        String page = page(SeveralCampaigns.judged(
                List.of(
                        campaign(45).speed("tomcat-nio-control", 1.5).draw().analysis(),
                        campaign(46).arms(one).draw().analysis()),
                List.of("blocks/1/1-a/server-run.json: damaged")));

        assertThat(page)
                .contains("They differ in the arms and role of Jetty", "Undertow")
                .contains("VOID: two copies of the same arm came out different")
                .contains("blocks/1/1-a/server-run.json: damaged");
    }

    /** In a shared scheduler group, a server's threads share their time with those of other servers. */
    @Test
    void serversThatWereAnotherThingToTheSchedulerAreAnotherLoad() {
        Analysis session = analysis(Scheduling.SESSION);

        assertThat(new Differences(session, analysis(Scheduling.CONTROL_GROUP)).all())
                .isEmpty();
        assertThat(new Differences(session, analysis(Scheduling.SHARED)).all()).containsExactly("scheduler");
    }

    private static Analysis analysis(Scheduling how) {
        Fixture.Drawn drawn = campaign(41).inTimeSlices(0.25).draw();
        return new Fixture.Drawn(
                        drawn.campaign(),
                        drawn.serverRuns().stream()
                                .map(one -> Fixture.proven(one, Scheduling.FACT, how.toString()))
                                .toList())
                .analysis();
    }
}
