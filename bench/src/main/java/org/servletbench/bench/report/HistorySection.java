package org.servletbench.bench.report;

import static org.servletbench.bench.model.Text.text;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.servletbench.bench.record.Campaign;
import org.servletbench.bench.record.CampaignEvent;
import org.servletbench.bench.record.CampaignEvent.What;
import org.servletbench.bench.record.Look;
import org.servletbench.bench.record.Plan;

/** What happened to a campaign after its plan was decided: when it ended, went on or was extended, and what that cost. */
public final class HistorySection {
    private HistorySection() {}

    /** What a longer campaign has otherwise: it ends at its number of blocks. */
    private static final Set<String> NOT_AGAIN = Set.of("blocks", "limit", "looks", "precision", "seed");

    private static final String HOLD = "hold";

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
            case SIZED -> "sized by its pilot blocks";
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
     * for a campaign that no such command makes: one of an article.
     */
    static String command(Campaign campaign, int blocks) {
        Plan plan = campaign.plan();
        if (plan.name().equals(Plan.REPRODUCE)) {
            return "";
        }
        String bench = "java -jar bench/target/bench.jar " + (plan.isCapacity() ? "capacity " : "compare ");
        if (isExtended(campaign)) {
            String folder = campaign.options().getOrDefault(Campaign.FOLDER, "bench/target/campaigns/" + campaign.id());
            return bench + "--resume " + quoted(folder) + " --blocks " + blocks + " --limit 0s";
        }
        Map<String, String> asked = campaign.asked();
        return bench
                + Stream.of(campaign.options().getOrDefault(Campaign.GIVEN, "").split(","))
                        .filter(name -> !NOT_AGAIN.contains(name)
                                && !(name.equals(HOLD) && plan.name().equals(Plan.AUTO))
                                && !(name.equals("plan")
                                        && (plan.isCapacity() || plan.name().equals(Plan.AUTO))))
                        .flatMap(name -> asked.getOrDefault(name, "").lines().map(value -> option(name, value)))
                        .map(option -> option + " ")
                        .collect(Collectors.joining())
                // Its length of load is the pilot's choice, and the number of blocks is for that.
                + (plan.name().equals(Plan.AUTO) ? text("--hold=%.0fs ", plan.windowSeconds()) : "")
                + "--blocks " + blocks + " --limit 0s";
    }

    /** As it was given: a file's path is from the folder in which the campaign began. */
    private static String option(String name, String value) {
        boolean flag = name.equals("plan") && (value.equals(Plan.STARTUP) || value.equals(Plan.MIGRATION));
        String option = flag
                ? "--" + value
                : name.endsWith(".version")
                        ? "--build=" + name + "=" + value
                        : "--" + name.replace('.', '-') + "=" + value;
        return quoted(option);
    }

    /** As a shell takes it. */
    private static String quoted(String word) {
        return word.matches("[\\w.,:/@%+=-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
