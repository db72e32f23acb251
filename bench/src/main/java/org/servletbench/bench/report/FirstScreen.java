package org.servletbench.bench.report;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.stream.Stream;
import org.servletbench.bench.model.Cell;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.CellResult;
import org.servletbench.bench.record.Invocation;
import org.servletbench.bench.record.Judgement;
import org.servletbench.bench.record.Judgement.Group;
import org.servletbench.bench.report.CampaignAnswer.ArmVerdict;
import org.servletbench.bench.report.CampaignAnswer.Part;

/**
 * The start of a group's page: its answer around one chart.
 *
 * @param layers bars of the CPU time, drawn next to the reasons; empty without profiles
 * @param only true if the page has only this group, so that its answer is the page's title
 * @param checks link to all checks
 */
record FirstScreen(
        Judgement judgement,
        CampaignAnswer answer,
        Part part,
        Optional<LayerBars> layers,
        boolean only,
        String checks) {
    /** Most dots of one server in the chart. */
    private static final int MOST_PARTS = 40;

    private Group group() {
        return part.group();
    }

    /** Returns the load of the chart. */
    Cell cell() {
        return part.cell();
    }

    Metric metric() {
        return part.metric();
    }

    /** True if a reason explains a difference. */
    boolean hasBrief() {
        return part.whyFirst().stream().anyMatch(why -> !why.brief().isEmpty());
    }

    /** True if the page has no question of its own, which would stand above this one. */
    boolean asksItself() {
        return judgement.campaign().plan().question().isEmpty() || !only;
    }

    /** Returns the outcomes of the comparison's claims; empty if there are none, or if the page shows them once elsewhere. */
    String claims() {
        return only ? answer.claims() : "";
    }

    /** True if the chart shows the time slices of a server; generators without slices have windows. */
    boolean inTurns() {
        return Method.inTurns(judgement.campaign().plan(), cell());
    }

    DotPlot strip() {
        List<Forest.Row> ratios = ratios();
        double margin = judgement.settings().logMargin(metric());
        return new DotPlot(Numbers.unit(metric()), rows(ratios), Forest.Axis.of(ratios, margin), margin);
    }

    /** Returns the arms in the chart's order: the baseline, its copy, the others; no references, which may be far away. */
    private List<Arm> shown() {
        List<Arm> arms = new ArrayList<>(List.of(group().baseline()));
        group().control().ifPresent(arms::add);
        group().arms().stream().filter(arm -> !arm.equals(group().baseline())).forEach(arms::add);
        return arms;
    }

    private Optional<ArmVerdict> verdict(Arm arm) {
        return part.tested(cell(), metric()).arms().stream()
                .filter(one -> one.arm().equals(arm))
                .findFirst();
    }

    private List<Forest.Row> ratios() {
        double margin = judgement.settings().margin(metric());
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

    /** Returns the values of a further figure; none for a percentile that depends on a few requests. */
    private SortedMap<Integer, Double> values(Arm arm, Metric figure) {
        return FigureTables.isSupported(judgement, figure, arm, cell())
                ? judgement.values(arm, cell(), figure)
                : Collections.emptySortedMap();
    }

    private List<DotPlot.Row> rows(List<Forest.Row> ratios) {
        List<DotPlot.Row> rows = new ArrayList<>();
        for (Arm arm : shown()) {
            Forest.Row ratio = ratios.get(rows.size());
            boolean copy = arm.role() == Arm.Role.CONTROL;
            rows.add(new DotPlot.Row(
                    copy,
                    Words.name(judgement, arm) + (copy ? " copy" : ""),
                    copy ? "same jar: shows noise" : version(arm) + (arm.equals(group().baseline()) ? "baseline" : ""),
                    Numbers.scaled(
                            metric(), judgement.describe(arm, cell(), metric()).mean()),
                    metric().higherIsBetter()
                            && judgement.hasFloor(arm, cell())
                            && !judgement.values(arm, cell(), metric()).isEmpty(),
                    servers(arm),
                    ratio,
                    verdict(arm).map(ArmVerdict::blocks).orElse(""),
                    figures().stream()
                            .map(figure -> Numbers.shown(
                                    figure,
                                    judgement
                                            .describe(figure, values(arm, figure))
                                            .mean()))
                            .toList()));
        }
        return rows;
    }

    /** Returns container and version of the user's own service, as the running server reported them: an arm's name contains neither. */
    private String version(Arm arm) {
        String version = arm.spec().app() == null
                ? arm.containerVersion()
                : Invocation.container(
                        arm, judgement.servers(arm).values().stream().findFirst());
        return version.isBlank() ? "" : version + " ";
    }

    private List<DotPlot.Server> servers(Arm arm) {
        SortedMap<Integer, CellResult> results = judgement.results(arm, cell());
        List<DotPlot.Server> servers = new ArrayList<>();
        judgement
                .values(arm, cell(), metric())
                .forEach((block, value) -> servers.add(new DotPlot.Server(
                        block,
                        !judgement.isCold(judgement.servers(arm).get(block), results.get(block)),
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
