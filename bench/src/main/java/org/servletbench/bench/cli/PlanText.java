package org.servletbench.bench.cli;

import static org.servletbench.bench.model.Text.text;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.servletbench.bench.campaign.Planner;
import org.servletbench.bench.comparison.Factorial;
import org.servletbench.bench.model.Secrets;
import org.servletbench.bench.model.Time;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.ArmText;
import org.servletbench.bench.record.Forecast;
import org.servletbench.bench.record.Plan;
import org.servletbench.bench.record.WarmStart;

/** Describes a planned campaign in lines for the console. */
final class PlanText {

    private PlanText() {}

    /** @param orders true to include the order of each block */
    static List<String> lines(Planner.Draft draft, boolean orders) {
        Plan plan = draft.plan();
        Forecast forecast = Forecast.of(plan, draft.arms(), draft.procedure());
        List<String> lines = new ArrayList<>();
        lines.add("comparison " + plan.name() + ", seed " + plan.seed() + ": " + aim(plan, forecast) + "blocks of "
                + draft.arms().size() + " fresh servers, "
                + (plan.together() ? "those of one baseline at the same time" : "one after the other"));
        if (plan.endsEarly()) {
            lines.add("  ends early if a claim has certainly failed");
        }
        plan.loads().stream()
                .filter(load -> !load.isStartUp())
                .forEach(load -> lines.add(text(
                        "  load: %s%s",
                        load.words().replace(", ", " with "),
                        draft.followsNoise()
                                ? ""
                                : text(
                                        ", %s%.0f s",
                                        load.isCapacity() ? "steps of " : plan.rounds() + " x ",
                                        plan.windowSeconds()))));
        draft.procedure()
                .peak()
                .ifPresent(length -> lines.add(text(
                        "  load: %s with %d users, for %s from the start of each server; again until its code is warm",
                        draft.workloads().get(0).name(),
                        draft.procedure().warmUp().users(),
                        Time.of(length))));
        if (plan.isCapacity()) {
            lines.add("  objective: "
                    + draft.procedure().requiredSearch().objective().words());
        }
        plan.factorial().ifPresent(design -> lines.add(factors(design)));
        if (plan.factorial().isEmpty()) {
            lines.addAll(ArmText.lines(shown(draft)));
        }
        lines.addAll(given(shown(draft)));
        lines.addAll(forecast.lines());
        if (orders) {
            List<List<String>> order = draft.order();
            for (int block = 0; block < order.size(); block++) {
                lines.add("  block " + (block + 1) + ": " + String.join(", ", order.get(block)));
            }
        }
        lines.addAll(WarmStart.costs(draft.procedure().archives(), draft.arms()));
        return lines;
    }

    private static String factors(Factorial design) {
        return "  factors: "
                + design.factors().stream()
                        .map(factor -> factor.name() + " (" + String.join(", ", factor.levels()) + ")")
                        .collect(Collectors.joining(", "))
                + text(
                        ": %s %d combinations; %d effects get verdicts, single arms do not",
                        design.isHalf() ? "only half," : "all",
                        design.combinations().size(),
                        design.effects().size());
    }

    /**
     * Returns the settings of servers that differ from the defaults. The user should see them, because a file may come
     * from someone else.
     */
    private static List<String> given(List<Arm> arms) {
        Map<String, List<String>> given = new LinkedHashMap<>();
        arms.stream().filter(arm -> arm.role() != Arm.Role.CONTROL).forEach(arm -> {
            List<String> parts = new ArrayList<>();
            if (!arm.spec().command().isEmpty()) {
                parts.add("command " + String.join(" ", arm.spec().command()));
            }
            if (!arm.spec().jvm().isEmpty()) {
                parts.add("JVM options " + String.join(" ", arm.spec().jvm()));
            }
            if (!arm.spec().env().isEmpty()) {
                parts.add("environment " + String.join(", ", arm.spec().env().keySet()));
            }
            Optional.ofNullable(arm.spec().jdk()).ifPresent(home -> parts.add("JDK " + home));
            given.computeIfAbsent(String.join("; ", parts), any -> new ArrayList<>())
                    .add(arm.id());
        });
        given.remove("");
        return given.entrySet().stream()
                .map(one -> "  " + String.join(", ", one.getValue()) + ": " + one.getKey())
                .toList();
    }

    private static List<Arm> shown(Planner.Draft draft) {
        return draft.spec().showsValues()
                ? draft.arms()
                : draft.arms().stream()
                        .map(arm -> Secrets.shown(arm, Arm.class))
                        .toList();
    }

    private static String aim(Plan plan, Forecast forecast) {
        return plan.precision() > 0
                ? text(
                        "until, by noise alone, every interval is within ± %s, at most %d ",
                        plan.precisionWords(), plan.blocks())
                : forecast.blocks() < plan.blocks()
                        ? text("about %d (the limit leaves no time for %d) ", forecast.blocks(), plan.blocks())
                        : plan.blocks() + " ";
    }
}
