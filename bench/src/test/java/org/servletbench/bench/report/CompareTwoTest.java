package org.servletbench.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.StringReader;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.servletbench.bench.campaign.Cell;
import org.servletbench.bench.verdict.Verdict;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;

class CompareTwoTest {
    private static Fixture campaign(long seed) {
        return Fixture.seeded(seed).spread(0.01);
    }

    @Test
    void finds_the_arm_that_became_slower_and_says_by_how_much() {
        CompareTwo two = new CompareTwo(
                campaign(41).draw().judgement(),
                campaign(42).speed("jetty", 0.7).draw().judgement(),
                List.of());

        // 6 arms, 3 cells, 3 metrics.
        assertThat(two.changes()).hasSize(6 * 3 * 3);
        assertThat(two.changes())
                .filteredOn(change -> change.judged().verdict() == Verdict.SLOWER)
                .isNotEmpty()
                .allMatch(change -> change.arm().id().equals("jetty"));
        assertThat(two.changes())
                .filteredOn(change -> change.arm().id().equals("jetty")
                        && change.metric().key().equals("throughput")
                        && change.cell().tier() > 0)
                .allMatch(
                        change -> change.judged().low() < 0.7 && change.judged().high() > 0.7);
        assertThat(two.claims().isSlower()).isTrue();
        assertThat(two.files().get(CompareTwo.PAGE)).contains("throughput of Jetty changed by −");
        assertThat(two.files()).isEqualTo(two.files());
    }

    @Test
    void nothing_in_common_is_said_in_one_line() {
        assertThatThrownBy(() -> new CompareTwo(
                        campaign(43).draw().judgement(),
                        campaign(44)
                                .cells(List.of(new Cell("other", 5, 0, "wrk")))
                                .draw()
                                .judgement(),
                        List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("nothing in common".substring(8))
                .hasMessageNotContaining("\n");
    }

    @Test
    void names_what_changed_beside_the_arms_and_what_is_in_one_only() {
        String page = new CompareTwo(
                        campaign(45).draw().judgement(),
                        campaign(46)
                                .arms(List.of(Fixture.arm(
                                        "jetty", "Jetty", "boot3", org.servletbench.bench.campaign.Arm.Role.BASELINE)))
                                .draw()
                                .judgement(),
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
        assertThat(claims.isSlower()).isTrue();
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
        assertThat(claims.isSlower()).isFalse();
    }

    @Test
    void a_void_campaign_is_an_error_in_every_testcase() throws Exception {
        Claims claims =
                Claims.of(campaign(49).speed("tomcat-nio-control", 1.5).draw().judgement());
        Element suite = parse(JUnitXml.of(claims)).getDocumentElement();

        assertThat(suite.getAttribute("errors"))
                .isEqualTo(Integer.toString(claims.claims().size()));
        assertThat(suite.getAttribute("failures")).isEqualTo("0");
        assertThat(claims.isSlower()).isTrue();
    }

    private static Document parse(String xml) throws Exception {
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(xml)));
    }
}
