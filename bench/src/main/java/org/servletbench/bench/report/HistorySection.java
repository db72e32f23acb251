package org.servletbench.bench.report;

import static org.servletbench.bench.model.Text.text;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.servletbench.bench.model.OwnCommand;
import org.servletbench.bench.record.Campaign;
import org.servletbench.bench.record.CampaignEvent;
import org.servletbench.bench.record.CampaignEvent.What;
import org.servletbench.bench.record.Invocation;
import org.servletbench.bench.record.Judgement;

/** What happened to a campaign after its plan was decided: when it ended or went on, and what that cost. */
public final class HistorySection {
    /** Before the number that gives a campaign's order. */
    static final String SEED = " --set=stop.seed=";

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

    /** Why nothing was measured, of a campaign that has tried; empty where something was, or nothing was tried yet. */
    public static Optional<String> failure(Judgement judgement) {
        List<Invocation> all = judgement.invocations();
        return all.stream().anyMatch(Invocation::measured)
                ? Optional.empty()
                : all.stream()
                        .filter(one -> !one.outcome().startsWith(Invocation.GIVEN_UP))
                        .reduce((first, last) -> last)
                        .map(one -> (one.isServerFailed() ? one.arm() + ": " : "") + one.outcome());
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
        String command = command(campaign);
        return command.isEmpty() ? "" : command + " --blocks " + blocks + " --limit 0s";
    }

    /** How to repeat a campaign, ended by the same rule and with its servers in the same order; empty as above. */
    static String again(Campaign campaign) {
        String command = whole(campaign);
        return command.isEmpty() ? "" : command + SEED + campaign.plan().seed();
    }

    /** How to begin a campaign like this one, ended by the same rule; empty as above. */
    public static String whole(Campaign campaign) {
        String command = command(campaign);
        return command.isEmpty()
                ? ""
                : command
                        // With --blocks a precision of the file does not count, unless it is set.
                        + given(campaign, " --blocks=", "blocks")
                        + given(campaign, " --limit=", "limit")
                        + given(campaign, " --set=stop.precision=", "precision");
    }

    /** Empty where nobody gave it. */
    private static String given(Campaign campaign, String option, String name) {
        String value = campaign.conditions().options().get(name);
        return value != null && campaign.conditions().given().contains(name) ? option + value : "";
    }

    /** The command without the options that end it; empty as above. */
    private static String command(Campaign campaign) {
        String command = campaign.conditions().command();
        return command.isEmpty() ? "" : OwnCommand.NAME + " " + command;
    }
}
