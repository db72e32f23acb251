package org.servletbench.bench.report;

import static org.servletbench.bench.model.Text.text;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.servletbench.bench.host.Machines;
import org.servletbench.bench.model.Cell;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.Campaign;
import org.servletbench.bench.record.CampaignEvent;
import org.servletbench.bench.record.CampaignEvent.What;
import org.servletbench.bench.record.Look;
import org.servletbench.bench.record.Plan;

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
        List<CampaignEvent> history = campaign.history();
        for (int i = 1; i < history.size(); i++) {
            What before = history.get(i - 1).what();
            if (history.get(i).what() == What.RESUMED && (before == What.TIME_LIMIT || before == What.PRECISION)) {
                return true;
            }
        }
        return false;
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

    /** How to measure so many blocks: go on where the plan allows it, else again; blocks that no plan reserved have no verdicts. */
    static String command(Campaign campaign, int blocks) {
        Plan plan = campaign.plan();
        String bench = "java -jar bench/target/bench.jar " + (plan.isCapacity() ? "capacity " : "compare ");
        List<CampaignEvent> history = campaign.history();
        boolean limited = !history.isEmpty()
                && history.get(history.size() - 1).what() == What.TIME_LIMIT
                && campaign.order().size() >= blocks;
        boolean reserved = campaign.look().number() < campaign.look().reserved();
        if (limited || reserved) {
            return bench + "--resume bench/target/campaigns/" + campaign.id()
                    + (limited ? "" : " --blocks " + blocks)
                    + " --limit 0s";
        }
        if (campaign.asked().containsKey(Campaign.MEMORY)) {
            return "";
        }
        String arms = "--arms "
                + campaign.arms().stream()
                        .filter(arm -> arm.role() != Arm.Role.CONTROL)
                        .map(Arm::id)
                        .collect(Collectors.joining(","));
        boolean starts = plan.isStartUp();
        return bench
                + (starts || plan.name().equals(Plan.MIGRATION) ? "--" + plan.name() + " " : "")
                + arms
                + (starts
                        ? ""
                        : list(" --workloads ", plan.cells().stream().map(Cell::workload))
                                + list(
                                        " --tiers ",
                                        plan.cells().stream()
                                                .filter(each -> each.tier() > 0)
                                                .map(each -> "" + each.tier()))
                                + list(
                                        " --rates ",
                                        plan.cells().stream()
                                                .filter(each -> each.rate() > 0)
                                                .map(each -> Chart.label(each.rate())))
                                + (plan.isCapacity()
                                        ? " --slo '" + campaign.asked().get("slo") + "'"
                                        : list(" --generators ", plan.tools().stream())))
                + (plan.settings().equals("equalised") ? "" : " --settings " + plan.settings())
                + machines(campaign.asked())
                + " --blocks " + blocks + " --limit 0s";
    }

    private static String machines(Map<String, String> asked) {
        return Machines.OPTIONS.stream()
                .filter(name -> !asked.getOrDefault(name, "").isBlank())
                .map(name -> " --" + name.replace('.', '-') + "=" + asked.get(name))
                .collect(Collectors.joining());
    }

    private static String list(String option, Stream<String> values) {
        String joined = values.distinct().collect(Collectors.joining(","));
        return joined.isEmpty() ? "" : option + joined;
    }
}
