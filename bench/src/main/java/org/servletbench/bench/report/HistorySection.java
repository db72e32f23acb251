package org.servletbench.bench.report;

import static org.servletbench.bench.model.Text.text;

import java.util.List;
import java.util.stream.IntStream;
import org.servletbench.bench.model.OwnCommand;
import org.servletbench.bench.record.Campaign;
import org.servletbench.bench.record.CampaignEvent;
import org.servletbench.bench.record.CampaignEvent.What;

/** What happened to a campaign after its plan was decided: when it ended or went on, and what that cost. */
public final class HistorySection {
    private HistorySection() {}

    /** Why a campaign has no verdicts, without a full stop; empty if it has them. */
    public static String withoutVerdicts(Campaign campaign) {
        if (campaign.hasEnded()) {
            return "";
        }
        return campaign.plan().precision() > 0
                ? "No verdicts: the campaign has not ended yet"
                : text(
                        "No verdicts: the campaign has not reached the end of its %s yet",
                        Words.count(campaign.order().size(), "block"));
    }

    /** How often verdicts could be seen, and the campaign then went on. */
    static int wentOnAfterVerdicts(Campaign campaign) {
        List<CampaignEvent> history = campaign.history();
        return (int) IntStream.range(1, history.size())
                .filter(i -> history.get(i).what() == What.RESUMED)
                .filter(i -> history.get(i - 1).what().ends())
                .count();
    }

    static String words(What what) {
        return switch (what) {
            case RESUMED -> "resumed";
            case COMPLETED -> "all blocks measured";
            case TIME_LIMIT -> "time limit reached";
            case PRECISION -> "precision reached";
        };
    }

    /** How to measure so many blocks, in a new campaign. Empty for one that no such command makes: of an article, or an older version. */
    static String command(Campaign campaign, int blocks) {
        String command = campaign.conditions().command();
        return command.isEmpty() ? "" : command(command + " --blocks " + blocks + " --limit 0s");
    }

    /** A command of ours as it is typed. */
    static String command(String words) {
        return OwnCommand.NAME + " " + words;
    }
}
