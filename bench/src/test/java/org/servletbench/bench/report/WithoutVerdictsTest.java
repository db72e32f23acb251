package org.servletbench.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.servletbench.bench.record.CampaignEvent;
import org.servletbench.bench.record.CampaignEvent.What;
import org.servletbench.bench.record.Judgement;
import org.servletbench.bench.report.ci.JUnitXml;
import org.servletbench.bench.verdict.Verdict;

/** Campaigns in which an arm is far slower, and that nevertheless may not say so. */
class WithoutVerdictsTest {
    private static final CampaignEvent COMPLETED = event(What.COMPLETED, 10, 10, 1);
    private static final CampaignEvent EXTENDED = event(What.EXTENDED, 10, 15, 2);
    private static final CampaignEvent COMPLETED_AGAIN = event(What.COMPLETED, 15, 15, 2);

    private static CampaignEvent event(What what, int before, int after, int look) {
        return new CampaignEvent(what, "2026-11-2" + look + "T10:00:00Z", before, after, look);
    }

    private static Fixture.Drawn drawn(int blocks, int planned, int looks, CampaignEvent... history) {
        return Fixture.seeded(61)
                .spread(0.01)
                .speed("jetty", 0.6)
                .blocks(blocks)
                .history(planned, looks, history)
                .draw();
    }

    private static void assertSilent(Fixture.Drawn drawn, String why) {
        Judgement judged = drawn.judgement();
        assertThat(judged.family().pairs())
                .allMatch(pair -> pair.verdict() == Verdict.INCONCLUSIVE)
                .anyMatch(pair -> pair.high() < 1 && pair.low() > 0);
        String page = drawn.page().files().get(ReportPage.INDEX);
        assertThat(page.substring(0, page.indexOf("<section id='method'")))
                .contains("<p role='alert'><b>No verdicts: " + why)
                .contains(">no verdict<")
                .doesNotContain(">inconclusive<")
                .doesNotContain("% faster")
                .doesNotContain("cannot be told apart");
        assertThat(Claims.of(judged).claims())
                .allMatch(claim -> claim.sentence().startsWith("No verdicts: " + why));
        assertThat(JUnitXml.of(Claims.of(judged)))
                .contains("<skipped message=\"No verdicts: " + why)
                .contains("failures=\"0\"");
    }

    @Test
    void an_extension_that_was_not_reserved() {
        assertSilent(
                drawn(15, 10, 1, COMPLETED, EXTENDED, COMPLETED_AGAIN),
                "the campaign was extended from 10 to 15 blocks");
    }

    @Test
    void a_campaign_that_has_not_ended() {
        assertSilent(drawn(10, 10, 1), "the campaign has not reached the end of its 10 blocks yet");
    }

    @Test
    void a_reserved_look_has_verdicts_at_its_own_level_and_the_page_tells_the_history() {
        Fixture.Drawn drawn = drawn(15, 10, 2, COMPLETED, EXTENDED, COMPLETED_AGAIN);

        assertThat(drawn.judgement().settings().alpha()).isEqualTo(0.0125);
        assertThat(Claims.of(drawn.judgement()).fail()).isTrue();
        assertThat(drawn.page().files().get(ReportPage.INDEX))
                .contains(
                        "Planned: 10 blocks and 2 looks at the verdicts. This is look 2, judged at a level of 1.25 % of"
                                + " the campaign&#39;s 5 %.".replace("&#39;", "'"))
                .contains("<th scope='row'>2026-11-22T10:00:00Z</th><td>extended</td><td>10</td><td>15</td><td>2</td>")
                .contains("15 blocks, equalised settings");
    }

    @Test
    void the_first_of_two_looks_has_half_of_alpha() {
        assertThat(drawn(10, 10, 2, COMPLETED).judgement().settings().alpha()).isEqualTo(0.025);
        assertThat(drawn(10, 10, 1, COMPLETED).judgement().settings().alpha()).isEqualTo(0.05);
    }

    @Test
    void who_went_on_after_the_time_limit_is_told_so() {
        CampaignEvent limit = event(What.TIME_LIMIT, 6, 6, 1);
        CampaignEvent resumed = event(What.RESUMED, 6, 10, 1);
        String page = drawn(10, 10, 1, limit, resumed, COMPLETED).page().files().get(ReportPage.INDEX);

        assertThat(page)
                .contains("Verdicts could be seen before the planned blocks were complete")
                .contains("<td>time limit reached</td>")
                .contains("% faster");
        assertThat(drawn(10, 10, 1, COMPLETED).page().files().get(ReportPage.INDEX))
                .doesNotContain("Verdicts could be seen before");
    }
}
