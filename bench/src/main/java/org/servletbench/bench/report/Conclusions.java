package org.servletbench.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.servletbench.bench.comparison.Factorial;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Text;
import org.servletbench.bench.record.Analysis;
import org.servletbench.bench.record.Analysis.Against;
import org.servletbench.bench.record.Analysis.Group;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.Campaign;
import org.servletbench.bench.verdict.AaCheck;
import org.servletbench.bench.verdict.PairVerdict;
import org.servletbench.bench.verdict.Spread;

/** The findings as interval plots. */
record Conclusions(Analysis analysis) {
    private boolean isVoid() {
        return analysis.family().isVoid();
    }

    static String versions(Group group) {
        String boots = group.arms().stream()
                .map(Arm::bootVersion)
                .filter(version -> !version.isEmpty())
                .distinct()
                .collect(Collectors.joining(", "));
        return boots.isEmpty() ? "" : "Spring Boot " + boots;
    }

    /**
     * Returns the first metric of interest for a load. In the open model, throughput is given, and the question is its
     * cost.
     */
    Metric lead(MeasuredLoad load) {
        List<Metric> primary = analysis.primary(load);
        return primary.stream()
                .filter(metric -> load.users() <= 0 && metric != Metric.THROUGHPUT)
                .findFirst()
                .orElse(primary.get(0));
    }

    static boolean hasArm(PairVerdict pair, String arm) {
        return List.of(pair.contrast().a(), pair.contrast().b()).contains(arm);
    }

    /**
     * Returns the difference that the blocks would most likely have found, as {@code ratio - 1}; NaN if there is none.
     */
    double detectable(Group group, MeasuredLoad load, Metric metric) {
        return analysis.family().detectable(analysis.comparison(group.name(), load, metric));
    }

    /** The interval plots of a load. */
    record Plots(String name, List<Forest> plots) {}

    /** Returns the plots of one load, one for each tested metric. */
    String plots(Group group, MeasuredLoad load) {
        List<Forest> plots = analysis.primary(load).stream()
                .map(metric -> plot(group, load, metric))
                .filter(plot -> plot.rows().stream().anyMatch(row -> !Double.isNaN(row.ratio())))
                .toList();
        return plots.isEmpty() ? "<p>Nothing is judged: no two arms have figures.</p>" : Template.html("plots", plots);
    }

    private Forest plot(Group group, MeasuredLoad load, Metric metric) {
        // All numbers of users of a workload share one axis, so that they can be compared.
        List<Forest.Row> onAxis = new ArrayList<>();
        analysis.loads().stream()
                .filter(other -> other.workload().equals(load.workload())
                        && other.generator().equals(load.generator()))
                .forEach(other -> onAxis.addAll(rows(group, other, metric)));
        return Forest.of(metric, onAxis, analysis.settings().logMargin(metric), rows(group, load, metric));
    }

    /** Returns the rows of a plot, in the order of {@link Group#all}. Arms without a figure have no row. */
    List<Forest.Row> rows(Group group, MeasuredLoad load, Metric metric) {
        List<Forest.Row> rows = new ArrayList<>();
        double margin = analysis.settings().margin(metric);
        boolean both = analysis.countsBothCopies(group);
        for (Arm arm : group.all()) {
            String name = Words.name(analysis, arm);
            if (arm.equals(group.baseline())) {
                Spread own = analysis.comparedWith(group, arm, load, metric);
                boolean floor = metric.higherIsBetter()
                        && Stream.concat(Stream.of(arm), group.control().filter(copy -> both).stream())
                                .anyMatch(copy -> analysis.hasFloor(copy, load));
                String value = own.known()
                        ? (floor ? "at least " : "") + Numbers.shown(metric, own.mean()) + " " + Numbers.unit(metric)
                        : "no usable figure";
                rows.add(new Forest.Row(
                        name,
                        both ? "baseline, mean of both copies" : "baseline",
                        Forest.Kind.BASELINE,
                        Double.NaN,
                        Double.NaN,
                        Double.NaN,
                        margin,
                        value));
            } else if (arm.role() == Arm.Role.REFERENCE) {
                Spread ratio = analysis.reference(group, arm, load, metric);
                if (ratio.known()) {
                    rows.add(new Forest.Row(
                            name,
                            "reference" + (metric.higherIsBetter() && analysis.hasFloor(arm, load) ? ", at least" : ""),
                            Forest.Kind.REFERENCE,
                            ratio.mean(),
                            ratio.low(),
                            ratio.high(),
                            margin,
                            "not ranked"));
                }
            } else {
                analysis.against(group, arm, load, metric).ifPresent(found -> rows.add(row(arm, found, metric)));
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
                : isVoid() ? "void" : analysis.isSilent() ? "no verdict" : Words.word(against, metric);
        return new Forest.Row(
                Words.name(analysis, arm),
                Words.bound(against.bound()) + (control ? "A/A copy" : ""),
                kind,
                against.ratio(),
                against.low(),
                against.high(),
                analysis.settings().margin(metric),
                word);
    }

    /** Returns all arms of a campaign, each of them once, or its factors, for the page's title. */
    static String title(Campaign campaign) {
        Optional<Factorial> factorial = campaign.plan().factorial();
        if (factorial.isPresent()) {
            return "Effects of "
                    + Text.list(factorial.get().factors().stream()
                            .map(Factorial.Factor::name)
                            .toList());
        }
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
