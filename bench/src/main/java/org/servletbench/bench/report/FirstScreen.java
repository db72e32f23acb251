package org.servletbench.bench.report;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.stream.Stream;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Proven;
import org.servletbench.bench.record.Analysis;
import org.servletbench.bench.record.Analysis.Group;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.LoadFigures;
import org.servletbench.bench.record.ServerRun;
import org.servletbench.bench.report.CampaignAnswer.ArmVerdict;
import org.servletbench.bench.report.CampaignAnswer.Part;

/**
 * The start of a group's page, which is its answer around one chart.
 *
 * @param layers bars of the CPU time, next to the reasons; empty without profiles
 * @param only true if the page has only this group, so that its answer is the page's title
 * @param checks link to all checks
 */
record FirstScreen(
        Analysis analysis, CampaignAnswer answer, Part part, Optional<LayerBars> layers, boolean only, String checks) {
    /** Maximum number of dots of one server in the chart. */
    private static final int MOST_PARTS = 40;

    private Group group() {
        return part.group();
    }

    /** Returns the load of the chart. */
    MeasuredLoad load() {
        return part.load();
    }

    Metric metric() {
        return part.metric();
    }

    /** True if there is a reason that explains a difference. */
    boolean hasBrief() {
        return part.whyFirst().stream().anyMatch(why -> !why.brief().isEmpty());
    }

    /** True if this screen has to ask the question, because no question of the comparison is above it. */
    boolean asksItself() {
        return analysis.campaign().plan().question().isEmpty() || !only;
    }

    String headline() {
        return Effects.concluded(analysis, group()).map(Effects::title).orElse(part.headline());
    }

    /** Returns the effects of factors; empty in a comparison of arms. */
    Optional<Effects.Shown> effects() {
        return analysis.isSilent() && analysis.blocks() < 2
                ? Optional.empty()
                : Effects.of(analysis, group()).map(Effects::shown);
    }

    /**
     * Returns the outcomes of the comparison's claims; empty if there are none, or if the page shows them elsewhere.
     */
    String claims() {
        return only ? answer.claims() : "";
    }

    /** True if the chart shows the time slices of servers. Generators without slices have windows. */
    boolean inTimeSlices() {
        return Method.inTimeSlices(analysis.campaign().plan(), load());
    }

    DotPlot strip() {
        List<Forest.Row> ratios = ratios();
        double margin = analysis.settings().logMargin(metric());
        return new DotPlot(Numbers.unit(metric()), rows(ratios), Forest.Axis.of(ratios, margin), margin);
    }

    /**
     * Returns the arms in the chart's order: the baseline, its copy, the others. References are left out, because they
     * may be far away.
     */
    private List<Arm> shown() {
        List<Arm> arms = new ArrayList<>(List.of(group().baseline()));
        group().control().ifPresent(arms::add);
        group().arms().stream().filter(arm -> !arm.equals(group().baseline())).forEach(arms::add);
        return arms;
    }

    private Optional<ArmVerdict> verdict(Arm arm) {
        return part.tested(load(), metric()).arms().stream()
                .filter(one -> one.arm().equals(arm))
                .findFirst();
    }

    private List<Forest.Row> ratios() {
        double margin = analysis.settings().margin(metric());
        return shown().stream()
                .map(arm -> (arm.role() == Arm.Role.CONTROL
                                ? part.copy()
                                : verdict(arm).flatMap(ArmVerdict::row))
                        .orElse(new Forest.Row(
                                arm.label(),
                                "",
                                Forest.Kind.BASELINE,
                                Double.NaN,
                                Double.NaN,
                                Double.NaN,
                                margin,
                                "baseline")))
                .toList();
    }

    /** Returns further figures, for the last columns. */
    List<Metric> figures() {
        return Stream.of(Metric.CPU, Metric.P50, Metric.P99)
                .filter(figure -> figure != metric())
                .filter(figure -> group().all().stream()
                        .anyMatch(arm -> !values(arm, figure).isEmpty()))
                .toList();
    }

    /**
     * Returns the values of a further figure; empty for a percentile that depends on only a few requests, or on the
     * generator's limit.
     */
    private SortedMap<Integer, Double> values(Arm arm, Metric figure) {
        boolean isOfGenerator = figure.kind() == Metric.Kind.LATENCY && analysis.hasFloor(arm, load());
        return FigureTables.isSupported(analysis, figure, arm, load()) && !isOfGenerator
                ? analysis.values(arm, load(), figure)
                : Collections.emptySortedMap();
    }

    private List<DotPlot.Row> rows(List<Forest.Row> ratios) {
        List<DotPlot.Row> rows = new ArrayList<>();
        for (Arm arm : shown()) {
            Forest.Row ratio = ratios.get(rows.size());
            boolean copy = arm.role() == Arm.Role.CONTROL;
            rows.add(new DotPlot.Row(
                    copy,
                    Words.name(analysis, arm) + (copy ? " copy" : ""),
                    copy ? "same jar: shows noise" : version(arm) + (arm.equals(group().baseline()) ? "baseline" : ""),
                    Numbers.scaled(
                            metric(), analysis.describe(arm, load(), metric()).mean()),
                    metric().higherIsBetter()
                            && analysis.hasFloor(arm, load())
                            && !analysis.values(arm, load(), metric()).isEmpty(),
                    servers(arm),
                    ratio,
                    verdict(arm).map(ArmVerdict::blocks).orElse(""),
                    figures().stream()
                            .map(figure -> Numbers.shown(
                                    figure,
                                    analysis.describe(figure, values(arm, figure))
                                            .mean()))
                            .toList()));
        }
        return rows;
    }

    /**
     * Returns container and version of the user's own service or command, as its server reported them, because the
     * arm's name contains neither.
     */
    private String version(Arm arm) {
        String version = arm.spec().app() == null && arm.spec().command().isEmpty()
                ? arm.containerVersion()
                : ServerRun.container(
                        arm, analysis.servers(arm).values().stream().findFirst());
        return version.isBlank() ? "" : (version.equals(Proven.UNPROVEN) ? "container " : "") + version + " ";
    }

    private List<DotPlot.Server> servers(Arm arm) {
        SortedMap<Integer, LoadFigures> results = analysis.results(arm, load());
        List<DotPlot.Server> servers = new ArrayList<>();
        analysis.values(arm, load(), metric())
                .forEach((block, value) -> servers.add(new DotPlot.Server(
                        block,
                        !analysis.isCold(analysis.servers(arm).get(block), results.get(block)),
                        Numbers.scaled(metric(), value),
                        metric() == Metric.THROUGHPUT ? parts(results.get(block).rates()) : List.of())));
        return servers;
    }

    private static List<Double> parts(List<Double> rates) {
        List<Double> known = rates.stream()
                .filter(rate -> rate != null && rate > 0 && Double.isFinite(rate))
                .toList();
        return known.size() < 2 ? List.of() : known.subList(0, Math.min(MOST_PARTS, known.size()));
    }
}
