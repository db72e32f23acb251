package org.servletbench.bench.report;

import static org.servletbench.bench.model.Text.quoted;
import static org.servletbench.bench.model.Text.text;

import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
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

    /** How often verdicts could be seen before the planned blocks were complete, and the campaign then went on. */
    static int wentOnAfterVerdicts(Campaign campaign) {
        List<CampaignEvent> history = campaign.history();
        return (int) IntStream.range(1, history.size())
                .filter(i -> history.get(i).what() == What.RESUMED)
                .filter(i -> Set.of(What.TIME_LIMIT, What.PRECISION)
                        .contains(history.get(i - 1).what()))
                .count();
    }

    static String words(What what) {
        return switch (what) {
            case RESUMED -> "resumed";
            case EXTENDED -> "extended";
            case COMPLETED -> "all blocks measured";
            case TIME_LIMIT -> "time limit reached";
            case PRECISION -> "precision reached";
        };
    }

    /** Whether more blocks extend this campaign, in a look that its plan reserved; else they need a new one. */
    static boolean isExtended(Campaign campaign) {
        return campaign.look().number() < campaign.look().reserved();
    }

    /**
     * How to measure so many blocks: go on where the plan allows it, else again; blocks that no plan reserved have no verdicts. Empty
     * for a campaign that no such command makes: one of an article, or of an older version.
     */
    static String command(Campaign campaign, int blocks) {
        String bench = "java -jar bench/target/bench.jar ";
        if (isExtended(campaign)) {
            String folder = campaign.options().getOrDefault(Campaign.FOLDER, "bench/target/campaigns/" + campaign.id());
            return bench + "compare --resume " + quoted(folder) + " --blocks " + blocks + " --limit 0s";
        }
        String command = campaign.options().getOrDefault(Campaign.COMMAND, "");
        return command.isEmpty() ? "" : bench + command + " --blocks " + blocks + " --limit 0s";
    }
}
