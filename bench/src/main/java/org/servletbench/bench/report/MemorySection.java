package org.servletbench.bench.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.Campaign;
import org.servletbench.bench.model.Cell;
import org.servletbench.bench.record.Judgement;
import org.servletbench.bench.record.Judgement.Group;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.report.Table.Column;
import org.servletbench.bench.report.Table.Value;

/** What each arm does with each heap ({@code --memory}), and the smallest one that holds a rate. */
final class MemorySection {

    private static final List<Metric> SHOWN =
            List.of(Metric.THROUGHPUT, Metric.P99, Metric.GC, Metric.CPU, Metric.RSS);

    private final Judgement judgement;
    private final List<String> heaps;

    private MemorySection(Judgement judgement) {
        this.judgement = judgement;
        // From the smallest.
        heaps = Arrays.stream(judgement.campaign().asked().getOrDefault(Campaign.MEMORY, "").split(","))
                .map(size -> size.strip().toLowerCase(Locale.ROOT))
                .filter(size -> !size.isEmpty())
                .sorted((a, b) -> Long.compare(mib(a), mib(b)))
                .toList();
    }

    private static long mib(String size) {
        return Long.parseLong(size.substring(0, size.length() - 1)) * (size.endsWith("g") ? 1024 : 1);
    }

    /**
     * What is shown.
     *
     * @param smallest sentences on the heaps that hold a rate; none without a rate
     */
    record Shown(List<String> smallest, Table table) {}

    /** Adds the section where arms have heaps of their own; else nothing. */
    static void addTo(Shell shell, Judgement judgement, Consumer<Table> files) {
        MemorySection section = new MemorySection(judgement);
        if (!section.heaps.isEmpty()) {
            Shown shown = new Shown(section.smallest(), section.table());
            files.accept(shown.table());
            shell.section("memory", "Heaps").append(Template.html("memory", shown));
        }
    }

    private Table table() {
        List<Column> columns = new ArrayList<>(
                List.of(Column.words("load", "Load"), Column.words("arm", "Arm"), Column.words("held", "Holds the rate")));
        SHOWN.forEach(metric -> columns.add(Column.spread(metric)));
        Table table = new Table("heaps", "Each arm with each heap", columns);
        for (Cell cell : judgement.cells()) {
            for (String heap : heaps) {
                for (Group group : groups(heap)) {
                    for (Arm arm : group.all()) {
                        List<Value> row = new ArrayList<>(List.of(
                                Value.words(cell.words()),
                                Value.words(judgement.name(arm)),
                                Value.words(cell.rate() > 0 ? isHeld(arm, cell) ? "yes" : "no" : "")));
                        SHOWN.forEach(metric -> row.add(
                                Value.of(metric, judgement.describe(metric, judgement.values(arm, cell, metric)))));
                        table.row(row);
                    }
                }
            }
        }
        return table;
    }

    private List<Group> groups(String heap) {
        return judgement.groups().stream()
                .filter(group -> group.name().endsWith(" " + heap))
                .toList();
    }

    /** Whether its servers reached the rate, with no more failed requests than allowed, in every block. */
    private boolean isHeld(Arm arm, Cell cell) {
        long measured = judgement.chosen().stream()
                .filter(invocation -> invocation.arm().equals(arm.id()))
                .count();
        return measured > 0 && judgement.results(arm, cell).size() == measured;
    }

    private List<String> smallest() {
        List<String> sentences = new ArrayList<>();
        for (Cell cell : judgement.cells()) {
            if (cell.rate() > 0) {
                Map<String, String> byArm = new LinkedHashMap<>();
                for (String heap : heaps) {
                    for (Group group : groups(heap)) {
                        group.arms().forEach(arm -> {
                            String name = arm.label().replace(", " + heap + " heap", "");
                            if (isHeld(arm, cell)) {
                                byArm.putIfAbsent(name, heap);
                            }
                        });
                    }
                }
                sentences.add(
                        byArm.isEmpty()
                                ? "None of these heaps holds " + cell.load().name()
                                : "The smallest of these heaps that holds " + cell.load().name() + ": "
                                        + Words.list(byArm.entrySet().stream()
                                                .map(one -> one.getKey() + " " + one.getValue())
                                                .toList()));
            }
        }
        return sentences;
    }
}
