package org.servletbench.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.servletbench.bench.model.Cell;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Text;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.Campaign;
import org.servletbench.bench.record.Judgement;
import org.servletbench.bench.record.Judgement.Against;
import org.servletbench.bench.record.Judgement.Group;
import org.servletbench.bench.verdict.AaCheck;
import org.servletbench.bench.verdict.PairVerdict;
import org.servletbench.bench.verdict.Spread;

/** The findings as interval plots. */
record Conclusions(Judgement judgement) {
    private boolean isVoid() {
        return judgement.family().isVoid();
    }

    static String versions(Group group) {
        String boots = group.arms().stream()
                .map(Arm::bootVersion)
                .filter(version -> !version.isEmpty())
                .distinct()
                .collect(Collectors.joining(", "));
        return boots.isEmpty() ? "" : "Spring Boot " + boots;
    }

    /** Returns the first metric of interest for a load: in the open model throughput is given, and the question is its cost. */
    Metric lead(Cell cell) {
        List<Metric> primary = judgement.primary();
        return primary.stream()
                .filter(metric -> cell.tier() <= 0 && metric != Metric.THROUGHPUT)
                .findFirst()
                .orElse(primary.get(0));
    }

    static boolean hasArm(PairVerdict pair, String arm) {
        return List.of(pair.contrast().a(), pair.contrast().b()).contains(arm);
    }

    /** Returns the difference that the blocks would most likely have found, as {@code ratio - 1}; NaN if there is none. */
    double detectable(Group group, Cell cell, Metric metric) {
        return judgement.family().detectable(judgement.comparison(group.name(), cell, metric));
    }

    /** The interval plots of a load. */
    record Plots(String name, List<Forest> plots) {}

    /** Returns the plots of one load: one for each tested metric. */
    String plots(Group group, Cell cell) {
        List<Forest> plots = judgement.primary().stream()
                .map(metric -> plot(group, cell, metric))
                .filter(plot -> plot.rows().stream().anyMatch(row -> !Double.isNaN(row.ratio())))
                .toList();
        return plots.isEmpty() ? "<p>Nothing is judged: no two arms have figures.</p>" : Template.html("plots", plots);
    }

    private Forest plot(Group group, Cell cell, Metric metric) {
        // All numbers of users of a workload share one axis, so that they can be compared.
        List<Forest.Row> onAxis = new ArrayList<>();
        judgement.cells().stream()
                .filter(other -> other.workload().equals(cell.workload())
                        && other.generator().equals(cell.generator()))
                .forEach(other -> onAxis.addAll(rows(group, other, metric)));
        return Forest.of(metric, onAxis, judgement.settings().logMargin(metric), rows(group, cell, metric));
    }

    /** Returns the rows of a plot, in the order of {@link Group#all}; arms without a figure have none. */
    List<Forest.Row> rows(Group group, Cell cell, Metric metric) {
        List<Forest.Row> rows = new ArrayList<>();
        double margin = judgement.settings().margin(metric);
        for (Arm arm : group.all()) {
            String name = Words.name(judgement, arm);
            if (arm.equals(group.baseline())) {
                Spread own = judgement.describe(arm, cell, metric);
                boolean floor = metric.higherIsBetter() && judgement.hasFloor(arm, cell);
                String value = own.known()
                        ? (floor ? "at least " : "") + Numbers.shown(metric, own.mean()) + " " + Numbers.unit(metric)
                        : "no usable figure";
                rows.add(new Forest.Row(
                        name, "baseline", Forest.Kind.BASELINE, Double.NaN, Double.NaN, Double.NaN, margin, value));
            } else if (arm.role() == Arm.Role.REFERENCE) {
                Spread ratio = judgement.reference(group, arm, cell, metric);
                if (ratio.known()) {
                    rows.add(new Forest.Row(
                            name,
                            "reference"
                                    + (metric.higherIsBetter() && judgement.hasFloor(arm, cell) ? ", at least" : ""),
                            Forest.Kind.REFERENCE,
                            ratio.mean(),
                            ratio.low(),
                            ratio.high(),
                            margin,
                            "not ranked"));
                }
            } else {
                judgement.against(group, arm, cell, metric).ifPresent(found -> rows.add(row(arm, found, metric)));
            }
        }
        return rows;
    }

    Forest.Row row(Arm arm, Against against, Metric metric) {
        boolean control = arm.role() == Arm.Role.CONTROL;
        Forest.Kind kind = Words.kind(against.verdict());
        if (control) {
            kind = AaCheck.of(against.pair()) == AaCheck.BROKEN ? Forest.Kind.BROKEN : Forest.Kind.CONTROL;
        } else if (isVoid()) {
            kind = Forest.Kind.OPEN;
        }
        String word = control
                ? Words.control(against.pair())
                : isVoid() ? "void" : judgement.isSilent() ? "no verdict" : Words.word(against, metric);
        return new Forest.Row(
                Words.name(judgement, arm),
                Words.bound(against.bound()) + (control ? "A/A copy" : ""),
                kind,
                against.ratio(),
                against.low(),
                against.high(),
                judgement.settings().margin(metric),
                word);
    }

    /** Returns the arms of a campaign, each once, for the page's title. */
    static String title(Campaign campaign) {
        List<String> labels = campaign.arms().stream()
                .filter(Arm::isRanked)
                .map(arm -> arm.label().isBlank() ? arm.id() : arm.label().replaceFirst(", \\w+ heap$", ""))
                .distinct()
                .toList();
        List<String> heaps = campaign.heaps();
        return Text.list(labels) + " compared"
                + (heaps.isEmpty() ? "" : " with heaps of " + Text.list(heaps))
                + (Arm.acrossLines(campaign.arms()).isPresent() ? ": a change of framework and container" : "");
    }
}
