package org.servletbench.bench.report;

import static org.servletbench.bench.model.Text.text;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.servletbench.bench.model.OwnCommand;
import org.servletbench.bench.record.Analysis;
import org.servletbench.bench.record.Campaign;
import org.servletbench.bench.record.CampaignEvent;
import org.servletbench.bench.record.CampaignEvent.What;
import org.servletbench.bench.record.ServerRun;

/** Events of a campaign after its plan was decided, such as when it ended or was resumed, and their consequences. */
public final class HistorySection {
    /** Option for the seed, which determines a campaign's order. */
    static final String SEED = " --set=stop.seed=";

    private HistorySection() {}

    /** Returns why a campaign has no verdicts, without a full stop; empty if it has verdicts. */
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

    /** Returns why a campaign failed to measure anything; empty if it measured something, or has not tried yet. */
    public static Optional<String> failure(Analysis analysis) {
        List<ServerRun> all = analysis.serverRuns();
        return all.stream().anyMatch(ServerRun::measured)
                ? Optional.empty()
                : all.stream()
                        .filter(one -> !one.outcome().startsWith(ServerRun.GIVEN_UP))
                        .reduce((first, last) -> last)
                        .map(one -> (one.isServerFailed() ? one.arm() + ": " : "") + one.outcome());
    }

    /** Returns how often the campaign was resumed after its verdicts could be seen. */
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
            case CLAIM_FAILED -> "a claim has certainly failed";
        };
    }

    /**
     * Returns the command that measures this number of blocks in a new campaign; empty if no command started this one.
     */
    static String command(Campaign campaign, int blocks) {
        String command = command(campaign);
        return command.isEmpty() ? "" : command + " --blocks " + blocks + " --limit 0s";
    }

    /**
     * Returns the command that repeats a campaign with the same stopping rule and order of servers; empty if no command
     * started it.
     */
    static String again(Campaign campaign) {
        String command = whole(campaign);
        return command.isEmpty() ? "" : command + SEED + campaign.plan().seed();
    }

    /**
     * Returns the command that starts a similar campaign with the same stopping rule; empty if no command started this
     * one.
     */
    public static String whole(Campaign campaign) {
        String command = command(campaign);
        return command.isEmpty()
                ? ""
                : command
                        // With --blocks, the file's precision is ignored unless it is set again.
                        + given(campaign, " --blocks=", "blocks")
                        + given(campaign, " --limit=", "limit")
                        + given(campaign, " --set=stop.precision=", "precision");
    }

    /** Returns the option if the user gave it; otherwise empty text. */
    private static String given(Campaign campaign, String option, String name) {
        String value = campaign.conditions().options().get(name);
        return value != null && campaign.conditions().given().contains(name) ? option + value : "";
    }

    /** Returns the command without the options of its stopping rule; empty if no command started the campaign. */
    private static String command(Campaign campaign) {
        String command = campaign.conditions().command();
        return command.isEmpty() ? "" : OwnCommand.NAME + " " + command;
    }
}
