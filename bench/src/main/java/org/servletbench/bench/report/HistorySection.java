package org.servletbench.bench.report;

import static org.servletbench.bench.report.Html.escape;
import static org.servletbench.bench.report.Html.text;

import java.util.List;
import org.servletbench.bench.record.Campaign;
import org.servletbench.bench.record.CampaignEvent;
import org.servletbench.bench.record.CampaignEvent.What;
import org.servletbench.bench.record.Look;

/** What happened to a campaign after its plan was decided: when it ended, went on or was extended, and what that cost. */
public final class HistorySection {
    private HistorySection() {}

    /** Why a campaign has no verdicts, without a full stop; empty if it has them. */
    public static String withoutVerdicts(Campaign campaign) {
        Look look = campaign.look();
        return look.withoutVerdicts()
                .map(why -> switch (why) {
                    case NOT_ENDED ->
                        text(
                                "No verdicts: the campaign has not reached the end of its %s yet",
                                Words.count(campaign.order().size(), "block"));
                    case EXTENSION_NOT_RESERVED ->
                        text(
                                "No verdicts: the campaign was extended from %d to %s, and its plan reserved %s",
                                campaign.plan().blocks(),
                                Words.count(campaign.order().size(), "block"),
                                Words.count(look.reserved(), "look"));
                })
                .orElse("");
    }

    /** Whether verdicts could be seen before the planned blocks were complete, and the campaign then went on. */
    static boolean wentOnAfterVerdicts(Campaign campaign) {
        List<CampaignEvent> history = campaign.history() == null ? List.of() : campaign.history();
        for (int i = 1; i < history.size(); i++) {
            What before = history.get(i - 1).what();
            if (history.get(i).what() == What.RESUMED && (before == What.TIME_LIMIT || before == What.PRECISION)) {
                return true;
            }
        }
        return false;
    }

    static void addTo(Shell shell, Campaign campaign) {
        StringBuilder html = shell.section("history", "History");
        Look look = campaign.look();
        html.append(text(
                "<p>Planned: %s%s and %s at the verdicts. This is look %d%s.</p>\n",
                campaign.plan().precision() > 0 ? "at most " : "",
                Words.count(campaign.plan().blocks(), "block"),
                Words.count(look.reserved(), "look"),
                look.number(),
                look.withoutVerdicts().isPresent()
                        ? ", without verdicts"
                        : text(
                                ", judged at a level of %s of the campaign's %s",
                                Numbers.share(look.alpha()),
                                Numbers.share(campaign.plan().alpha()))));
        if (campaign.history() == null) {
            html.append("<p>Whether it was interrupted or extended was not recorded by the version that ran it.</p>\n");
            return;
        }
        if (campaign.history().isEmpty()) {
            return;
        }
        html.append(
                "<div class='scroll' role='region' tabindex='0' aria-label='History'><table class='plain'><thead><tr>"
                        + "<th scope='col'>When (UTC)</th><th scope='col'>What</th><th scope='col'>Blocks then</th>"
                        + "<th scope='col'>Blocks aimed at</th><th scope='col'>Look</th></tr></thead><tbody>\n");
        for (CampaignEvent event : campaign.history()) {
            html.append(text(
                    "<tr><th scope='row'>%s</th><td>%s</td><td>%d</td><td>%d</td><td>%d</td></tr>\n",
                    escape(event.when()), words(event.what()), event.before(), event.after(), event.look()));
        }
        html.append("</tbody></table></div>\n");
    }

    private static String words(What what) {
        return switch (what) {
            case RESUMED -> "resumed";
            case EXTENDED -> "extended";
            case SIZED -> "sized by its pilot blocks";
            case COMPLETED -> "all blocks measured";
            case TIME_LIMIT -> "time limit reached";
            case PRECISION -> "precision reached";
        };
    }
}
