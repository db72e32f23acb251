package org.servletbench.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.StringReader;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Function;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.servletbench.bench.model.Cell;
import org.servletbench.bench.model.Scheduling;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.CampaignEvent;
import org.servletbench.bench.record.Judgement;
import org.servletbench.bench.report.CompareTwo.Descriptive;
import org.servletbench.bench.report.ci.JUnitXml;
import org.servletbench.bench.verdict.Verdict;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;

class CompareTwoTest {
    private static Fixture campaign(long seed) {
        return Fixture.seeded(seed).spread(0.01);
    }

    private static CompareTwo two(Fixture before, Fixture after, OptionalDouble spread) {
        return new CompareTwo(before.draw().judgement(), after.draw().judgement(), spread, List.of());
    }

    private static String page(CompareTwo two) {
        return two.files().get(CompareTwo.PAGE);
    }

    @Test
    void finds_the_arm_that_became_slower_beside_those_that_did_not_change() {
        CompareTwo two = two(campaign(41), campaign(42).speed("jetty", 0.7).upgraded("jetty"), OptionalDouble.of(0.01));

        // One arm changed; 3 cells, 3 metrics.
        assertThat(two.changes())
                .hasSize(3 * 3)
                .allMatch(change -> change.arm().id().equals("jetty")
                        && change.common().stream()
                                .map(Arm::id)
                                .toList()
                                .equals(List.of("tomcat-nio", "tomcat-nio2", "undertow")));
        assertThat(two.changes())
                .filteredOn(change -> change.metric().key().equals("throughput")
                        && change.cell().tier() > 0)
                .hasSize(2)
                .allMatch(change -> change.judged().low() < 0.7
                        && change.judged().high() > 0.7
                        && change.judged().verdict() == Verdict.SLOWER);
        assertThat(two.descriptive()).isEmpty();
        assertThat(two.claims().fail()).isTrue();
        assertThat(page(two))
                .contains("throughput of Jetty changed by −")
                .contains(" beside Tomcat NIO, Tomcat NIO2 and Undertow")
                .contains("Jetty changed: jar.")
                .contains("varies by 1 % from campaign to campaign");
        assertThat(two.files()).isEqualTo(two.files());
    }

    /** In one group of the scheduler the turns of others change how a server's threads share it. */
    @Test
    void servers_that_were_another_thing_to_the_scheduler_are_no_common_arms() {
        Fixture.Drawn before = campaign(41).inTurns(0.25).draw();
        Fixture.Drawn after = campaign(42).inTurns(0.25).upgraded("jetty").draw();
        Function<Scheduling, CompareTwo> against = how -> new CompareTwo(
                judgement(before, Scheduling.SESSION), judgement(after, how), OptionalDouble.of(0.01), List.of());

        assertThat(against.apply(Scheduling.CONTROL_GROUP).descriptive()).isEmpty();
        assertThat(against.apply(Scheduling.SHARED).descriptive()).contains(Descriptive.NO_COMMON_ARM);
        assertThat(page(against.apply(Scheduling.SHARED))).contains("scheduler");
    }

    private static Judgement judgement(Fixture.Drawn drawn, Scheduling how) {
        return new Fixture.Drawn(
                        drawn.campaign(),
                        drawn.invocations().stream()
                                .map(one -> Fixture.proven(one, Scheduling.FACT, how.toString()))
                                .toList())
                .judgement();
    }

    @Test
    void three_common_arms_estimate_the_spread() {
        CompareTwo two = two(campaign(41), campaign(42).speed("jetty", 0.5).upgraded("jetty"), OptionalDouble.empty());

        assertThat(two.descriptive()).isEmpty();
        assertThat(two.changes()).allMatch(change -> change.judged().df() == 2);
        assertThat(two.claims().fail()).isTrue();
    }

    @Test
    void what_changed_for_all_arms_leaves_none_in_common_and_no_verdict() {
        CompareTwo two = two(campaign(41), campaign(42).speed("jetty", 0.5).jdk("21.0.9+10"), OptionalDouble.of(0.01));

        assertThat(two.descriptive()).contains(Descriptive.NO_COMMON_ARM);
        assertThat(two.changes())
                .hasSize(6 * 3 * 3)
                .allMatch(change -> change.judged().verdict() == Verdict.INCONCLUSIVE
                        && Double.isNaN(change.judged().low())
                        && change.judged().ratio() > 0);
        assertThat(two.claims().fail()).isFalse();
        assertThat(page(two))
                .contains("<b>No verdicts: no arm of the group is the same in both campaigns")
                .contains("Jetty changed: JDK.")
                .contains("no common arm");
        assertThat(JUnitXml.of(two.claims())).contains("failures=\"0\"").contains("skipped=\"54\"");
    }

    @Test
    void another_load_leaves_no_arm_in_common() {
        Fixture after = campaign(42).speed("jetty", 0.5).upgraded("jetty").load(0.1, "0s", "3.16.0");
        CompareTwo two = two(campaign(41), after, OptionalDouble.of(0.01));

        assertThat(two.descriptive()).contains(Descriptive.NO_COMMON_ARM);
        assertThat(two.changes()).allMatch(change -> change.judged().verdict() == Verdict.INCONCLUSIVE);
        assertThat(page(two))
                .contains("the load is not the same in both campaigns (turn, settle and version of gatling)")
                .contains("Jetty changed: jar and load.")
                .contains("Undertow changed: load.");
    }

    @Test
    void one_common_arm_needs_the_spread_to_be_given() {
        List<Arm> arms = List.of(
                Fixture.arm("tomcat-nio", "Tomcat NIO", "boot3", Arm.Role.BASELINE),
                Fixture.arm("jetty", "Jetty", "boot3", Arm.Role.ARM));
        Fixture before = campaign(41).arms(arms);
        Fixture after = campaign(42).arms(arms).speed("jetty", 0.5).upgraded("jetty");
        CompareTwo without = two(before, after, OptionalDouble.empty());

        assertThat(without.descriptive()).contains(Descriptive.NO_CAMPAIGN_SPREAD);
        assertThat(without.changes()).allMatch(change -> change.judged().verdict() == Verdict.INCONCLUSIVE);
        assertThat(page(without)).contains("Give it with --campaign-spread");
        assertThat(two(before, after, OptionalDouble.of(0.02)).claims().fail()).isTrue();
    }

    @Test
    void where_nothing_changed_nothing_is_claimed() {
        CompareTwo two = two(campaign(41), campaign(42).speed("jetty", 0.7), OptionalDouble.of(0.01));

        assertThat(two.descriptive()).contains(Descriptive.NOTHING_CHANGED);
        assertThat(two.changes()).isEmpty();
        assertThat(page(two)).contains("<b>No verdicts: no arm differs between the campaigns");
        // Two groups of unchanged arms; jetty, whose runs are slower by 30 % here, is one of them.
        assertThat(two.files().get("tables/unchanged.csv").lines())
                .hasSize(1 + 2 * 3 * 3)
                .anyMatch(row -> row.matches(".*boot3.*hroughput.*,4,0\\.[12][0-9]*"));
    }

    @Test
    void a_campaign_without_verdicts_gives_none_here() {
        CampaignEvent extended = new CampaignEvent(CampaignEvent.What.EXTENDED, "2026-11-21T10:00:00Z", 5, 10, 2);
        CompareTwo two = two(
                campaign(41),
                campaign(42).speed("jetty", 0.7).upgraded("jetty").history(5, 1, extended),
                OptionalDouble.of(0.01));

        assertThat(two.descriptive()).contains(Descriptive.CAMPAIGN_WITHOUT_VERDICTS);
        assertThat(two.changes()).allMatch(change -> change.judged().verdict() == Verdict.INCONCLUSIVE);
        assertThat(two.claims().fail()).isFalse();
    }

    @Test
    void nothing_in_common_is_said_in_one_line() {
        assertThatThrownBy(() -> two(
                        campaign(43),
                        campaign(44).cells(List.of(new Cell("other", 5, 0, "wrk"))),
                        OptionalDouble.empty()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("have no arm, load and primary metric in common")
                .hasMessageNotContaining("\n");
    }

    @Test
    void names_what_changed_beside_the_arms_and_what_is_in_one_only() {
        String page = new CompareTwo(
                        campaign(45).draw().judgement(),
                        campaign(46)
                                .arms(List.of(Fixture.arm("jetty", "Jetty", "boot3", Arm.Role.BASELINE)))
                                .draw()
                                .judgement(),
                        OptionalDouble.empty(),
                        List.of("blocks/1/1-a/invocation.json: damaged"))
                .files()
                .get(CompareTwo.PAGE);

        assertThat(page)
                .contains("In one of the campaigns only, and left out: ")
                .contains("Undertow")
                .contains("blocks/1/1-a/invocation.json: damaged");
    }

    @Test
    void junit_has_a_testcase_for_each_claim_and_a_failure_for_each_that_is_slower() throws Exception {
        Claims claims =
                Claims.of(campaign(47).hostile().speed("jetty", 0.6).draw().judgement());
        Element suite = parse(JUnitXml.of(claims)).getDocumentElement();

        assertThat(suite.getAttribute("tests"))
                .isEqualTo(Integer.toString(claims.claims().size()));
        assertThat(suite.getElementsByTagName("testcase").getLength())
                .isEqualTo(claims.claims().size());
        int failures = suite.getElementsByTagName("failure").getLength();
        assertThat(failures).isPositive();
        assertThat(suite.getAttribute("failures")).isEqualTo(Integer.toString(failures));
        for (int i = 0; i < failures; i++) {
            Element test =
                    (Element) suite.getElementsByTagName("failure").item(i).getParentNode();
            assertThat(test.getAttribute("name")).endsWith("against Tomcat NIO");
        }
        assertThat(suite.getElementsByTagName("skipped").getLength())
                .isEqualTo(Integer.parseInt(suite.getAttribute("skipped")));
        assertThat(claims.fail()).isTrue();
    }

    @Test
    void of_pairs_without_the_baseline_neither_side_can_fail() {
        Claims claims = Claims.of(campaign(48)
                .speed("tomcat-nio2", 1.4)
                .speed("jetty", 1.2)
                .speed("undertow", 1.6)
                .draw()
                .judgement());

        assertThat(claims.claims()).anyMatch(claim -> claim.verdict() == Verdict.SLOWER);
        assertThat(claims.fail()).isFalse();
    }

    @Test
    void a_void_campaign_is_an_error_in_every_testcase() throws Exception {
        Claims claims =
                Claims.of(campaign(49).speed("tomcat-nio-control", 1.5).draw().judgement());
        Element suite = parse(JUnitXml.of(claims)).getDocumentElement();

        assertThat(suite.getAttribute("errors"))
                .isEqualTo(Integer.toString(claims.claims().size()));
        assertThat(suite.getAttribute("failures")).isEqualTo("0");
        assertThat(claims.fail()).isTrue();
    }

    private static Document parse(String xml) throws Exception {
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(xml)));
    }
}
