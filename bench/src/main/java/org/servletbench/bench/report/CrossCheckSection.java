package org.servletbench.bench.report;

import static org.servletbench.bench.model.Text.text;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.servletbench.bench.model.Cell;
import org.servletbench.bench.model.Load;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.CellResult;
import org.servletbench.bench.record.Judgement;
import org.servletbench.bench.record.Judgement.Against;
import org.servletbench.bench.record.Judgement.Group;
import org.servletbench.bench.report.Table.Column;
import org.servletbench.bench.report.Table.Value;

/**
 * What each generator measured of the same arms under the same load, in a table for each load,.
 * Nothing is averaged over generators, and nothing is judged.
 */
record CrossCheckSection(Judgement judgement) {
    private static final List<Metric> SHOWN =
            List.of(Metric.THROUGHPUT, Metric.MEAN, Metric.P99, Metric.SERVER_CORES, Metric.GENERATOR_CORES);
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
     */
    record Measured(String load, Table table) {}

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
}
