package org.servletbench.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.servletbench.bench.record.Analysis;
import org.servletbench.bench.verdict.Verdict;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;

class ClaimsTest {
    private static Fixture campaign(long seed) {
        return Fixture.seeded(seed).spread(0.01);
    }

    @Test
    void junitHasATestcaseForEachClaimAndAFailureForEachThatIsSlower() throws Exception {
        Claims claims =
                Claims.of(campaign(47).hostile().speed("jetty", 0.6).draw().analysis());
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
    void ofPairsWithoutTheBaselineNeitherSideCanFail() {
        Analysis analysis = campaign(48)
                .speed("tomcat-nio2", 1.4)
                .speed("jetty", 1.2)
                .speed("undertow", 1.6)
                .draw()
                .analysis();

        assertThat(analysis.family().pairs()).anyMatch(pair -> pair.verdict() == Verdict.SLOWER);
        assertThat(Claims.of(analysis).fail()).isFalse();
    }

    @Test
    void aVoidCampaignIsAnErrorInEveryTestcase() throws Exception {
        Claims claims =
                Claims.of(campaign(49).speed("tomcat-nio-control", 1.5).draw().analysis());
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
