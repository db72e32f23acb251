package org.servletbench.bench.report;

import static org.servletbench.bench.model.Text.text;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.servletbench.bench.load.Generator;
import org.servletbench.bench.load.Generators;
import org.servletbench.bench.model.Cell;
import org.servletbench.bench.model.Load;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Text;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.CellResult;
import org.servletbench.bench.record.Judgement;
import org.servletbench.bench.record.Judgement.Against;
import org.servletbench.bench.record.Judgement.Group;
import org.servletbench.bench.report.Table.Column;
import org.servletbench.bench.report.Table.Value;

/**
 * What each generator measured of the same arms under the same load, in a table for each load, and what can make them differ.
 * Nothing is averaged over generators, and nothing is judged.
 */
record CrossCheckSection(Judgement judgement) {
    private static final List<Metric> SHOWN =
            List.of(Metric.THROUGHPUT, Metric.MEAN, Metric.P99, Metric.SERVER_CORES, Metric.GENERATOR_CORES);
    /** Those with a log of every request. */
    private static final String CHECKING = Generators.titles(one -> one.log().isPresent());
    /** A server that is busy for less than this share of another generator's load was not loaded by this one. */
    private static final double LESS_BUSY = 0.8;

    /** Adds the section where a load came from more than one generator; else nothing. */
    static void addTo(Shell shell, Judgement judgement, Map<String, String> files) {
        List<Measured> all = new CrossCheckSection(judgement).all();
        if (!all.isEmpty()) {
            all.forEach(one -> one.table().put(files));
            shell.section("cross-check", "What each generator measured").append(Template.html("crosscheck", all));
        }
    }

    /**
     * A load under every generator.
     *
     * @param why they can differ, as a sentence; may be empty
     */
    record Measured(String load, String why, Table table) {}

    private List<Measured> all() {
        Map<Load, List<Cell>> loads = new LinkedHashMap<>();
        judgement.cells().stream().filter(cell -> cell.tier() > 0).forEach(cell -> loads.computeIfAbsent(
                        cell.load(), load -> new ArrayList<>())
                .add(cell));
        loads.values().removeIf(cells -> cells.size() < 2);
        List<Measured> all = new ArrayList<>();
        for (Group group : judgement.groups()) {
            loads.forEach((load, cells) -> all.add(new Measured(
                    text(
                            "%s, %d users%s",
                            load.workload(), load.tier(), judgement.groups().size() > 1 ? ": " + group.name() : ""),
                    Words.sentence(String.join("; ", reasons(group, cells))),
                    table(group, load, cells))));
        }
        return all;
    }

    private Table table(Group group, Load load, List<Cell> cells) {
        List<Column> columns =
                new ArrayList<>(List.of(Column.words("generator", "Generator"), Column.words("arm", "Container")));
        columns.addAll(List.of(
                Column.number("ratio", "Throughput to baseline", ""),
                Column.number("low", "from", ""),
                Column.number("high", "to", "")));
        SHOWN.forEach(metric -> columns.add(Column.spread(metric)));
        columns.add(Column.words("left-out", "Left out"));
        Table table = new Table(
                "cross-check-" + judgement.groups().indexOf(group) + "-"
                        + load.workload().replaceAll("[^A-Za-z0-9]", "_") + "-" + load.tier(),
                load.workload() + ", " + load.tier() + " users, by generator",
                columns);
        for (Cell cell : cells) {
            for (Arm arm : group.all()) {
                if (arm.role() == Arm.Role.CONTROL) {
                    continue;
                }
                List<Value> row =
                        new ArrayList<>(List.of(Value.words(cell.generator()), Value.words(judgement.name(arm))));
                Optional<Against> against = judgement.primary().contains(Metric.THROUGHPUT) && arm.isRanked()
                        ? judgement.against(group, arm, cell, Metric.THROUGHPUT)
                        : Optional.empty();
                row.add(ratio(against.map(Against::ratio)));
                row.add(ratio(against.map(Against::low)));
                row.add(ratio(against.map(Against::high)));
                for (Metric metric : SHOWN) {
                    row.add(FigureTables.value(judgement, arm, cell, metric, ""));
                }
                row.add(Value.words(String.join("; ", marks(arm, cell))));
                table.row(row);
            }
        }
        return table;
    }

    private static Value ratio(Optional<Double> ratio) {
        return Value.number(ratio.orElse(Double.NaN), ratio.map(Numbers::shown).orElse(Numbers.NONE));
    }

    /** Why results of an arm took part in nothing. */
    private List<String> marks(Arm arm, Cell cell) {
        return results(arm, cell).stream()
                .flatMap(result -> result.excluding().stream())
                .map(mark -> mark.check().replace('-', ' '))
                .distinct()
                .toList();
    }

    private List<CellResult> results(Arm arm, Cell cell) {
        return judgement.servers(arm).values().stream()
                .flatMap(invocation -> invocation.cells().stream())
                .filter(result -> result.cell().equals(cell))
                .toList();
    }

    /** What was measured or is known of the generators that can make them differ. */
    private List<String> reasons(Group group, List<Cell> cells) {
        Set<String> reasons = new LinkedHashSet<>();
        double busiest = cells.stream()
                .mapToDouble(cell -> mean(group, cell, Metric.SERVER_CORES))
                .max()
                .orElse(Double.NaN);
        for (Cell cell : cells) {
            double pause = cell.settings().pauseSeconds();
            if (pause > 0) {
                reasons.add(text(
                        "%s pauses up to %s s before each request: %d users make no more than about %.0f requests/s",
                        cell.generator(), Numbers.shown(pause), cell.tier(), 2 * cell.tier() / pause));
            }
            group.all().stream()
                    .flatMap(arm -> results(arm, cell).stream())
                    .flatMap(result -> result.marks().stream().filter(result::isFloor))
                    .findFirst()
                    .ifPresent(mark -> reasons.add(cell.generator() + ": " + mark.figures()));
            double own = mean(group, cell, Metric.SERVER_CORES);
            if (pause == 0 && own < LESS_BUSY * busiest) {
                reasons.add(text(
                        "under %s the server keeps %.2f processors busy, under another %.2f: users wait for the tool, which"
                                + " uses %s processors",
                        cell.generator(), own, busiest, Numbers.shown(mean(group, cell, Metric.GENERATOR_CORES))));
            }
        }
        if (cells.stream().anyMatch(cell -> !cell.settings().keepAlive())) {
            reasons.add("the command-line tools open a connection for each request; " + CHECKING + " keep theirs");
        }
        cells.stream()
                .flatMap(cell -> Generators.find(cell.tool()).flatMap(Generator::peculiarity).stream())
                .forEach(reasons::add);
        List<String> counting = cells.stream()
                .filter(cell ->
                        Generators.find(cell.tool()).flatMap(Generator::log).isEmpty())
                .map(Cell::generator)
                .toList();
        if (!counting.isEmpty() && cells.size() > counting.size()) {
            reasons.add(CHECKING + " check every answer, " + Text.list(counting) + " only count them");
        }
        return List.copyOf(reasons);
    }

    private double mean(Group group, Cell cell, Metric metric) {
        return group.arms().stream()
                .flatMap(arm -> judgement.values(arm, cell, metric).values().stream())
                .mapToDouble(Double::doubleValue)
                .average()
                .orElse(Double.NaN);
    }
}
