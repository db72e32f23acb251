package org.servletbench.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.servletbench.bench.record.Analysis;
import org.servletbench.bench.record.CampaignEvent;
import org.servletbench.bench.record.CampaignEvent.What;
import org.servletbench.bench.verdict.Verdict;

/** Tests campaigns in which an arm is far slower, but no verdict is allowed. */
class WithoutVerdictsTest {
    private static final CampaignEvent COMPLETED = event(What.COMPLETED, 10, 10);

    private static CampaignEvent event(What what, int before, int after) {
        return new CampaignEvent(what, "2026-11-21T10:00:00Z", before, after);
    }

    private static Fixture.Drawn drawn(CampaignEvent... history) {
        return Fixture.seeded(61)
                .spread(0.01)
                .speed("jetty", 0.6)
                .history(history)
                .draw();
    }

    private static void assertSilent(Fixture.Drawn drawn, String why) {
        Analysis judged = drawn.analysis();
        assertThat(judged.family().pairs())
                .allMatch(pair -> pair.verdict() == Verdict.INCONCLUSIVE)
                .anyMatch(pair -> pair.high() < 1 && pair.low() > 0);
        String page = drawn.page().files().get(ReportPage.INDEX);
        assertThat(page.substring(0, page.indexOf("<section id='method'")))
                .contains("<p role='alert'><b>No verdicts: " + why)
                .contains(">no verdict<")
                .doesNotContain(">inconclusive<")
                .doesNotContain("% faster")
                .doesNotContain("cannot be distinguished");
        assertThat(Claims.of(judged).claims())
                .allMatch(claim -> claim.sentence().startsWith("No verdicts: " + why));
        assertThat(JUnitXml.of(Claims.of(judged)))
                .contains("<skipped message=\"No verdicts: " + why)
                .contains("failures=\"0\"");
    }

    @Test
    void aCampaignThatHasNotEnded() {
        assertSilent(drawn(), "the campaign has not reached the end of its 10 blocks yet");
    }

    @Test
    void goingOnAfterTheTimeLimitIsOnThePage() {
        CampaignEvent limit = event(What.TIME_LIMIT, 6, 6);
        CampaignEvent resumed = event(What.RESUMED, 6, 10);
        String page = drawn(limit, resumed, COMPLETED).page().files().get(ReportPage.INDEX);

        assertThat(page)
                .contains("Verdicts could be seen, and the campaign went on")
                .contains("<td>time limit reached</td>")
                .contains("% faster");
        assertThat(drawn(COMPLETED).page().files().get(ReportPage.INDEX)).doesNotContain("Verdicts could be seen");
    }
}
