package org.servletbench.bench.report;

import static org.servletbench.bench.report.Html.escape;
import static org.servletbench.bench.report.Html.text;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.servletbench.bench.campaign.Arm;
import org.servletbench.bench.campaign.Cell;
import org.servletbench.bench.campaign.CellResult;
import org.servletbench.bench.campaign.Judgement;
import org.servletbench.bench.campaign.Judgement.Group;
import org.servletbench.bench.campaign.Mark;
import org.servletbench.bench.campaign.Metric;
import org.servletbench.bench.campaign.ToolSettings;
import org.servletbench.bench.report.Table.Column;
import org.servletbench.bench.report.Table.Value;
import org.servletbench.bench.verdict.Comparison;
import org.servletbench.bench.verdict.Spread;

/**
 * What each generator says of the same arms under the same load: throughput, latency, and the order of the containers. They
 * agree, or it depends on the tool, and then the reasons that can be computed are given. Nothing is averaged over generators.
 */
final class CrossCheckSection {
    private static final List<Metric> SHOWN =
            List.of(Metric.THROUGHPUT, Metric.MEAN, Metric.P99, Metric.SERVER_CORES, Metric.GENERATOR_CORES);
    private static final String BOTTLENECK = "generator-bottleneck";
    /** A server that is busy for less than this share of another generator's load was not loaded by this one. */
    private static final double LESS_BUSY = 0.8;

    /** The same load from several generators. */
    private record Load(String workload, int tier) {}

    private final Judgement judgement;

    private CrossCheckSection(Judgement judgement) {
        this.judgement = judgement;
    }

    /** Adds the section where a load came from more than one generator; else nothing. */
    static void addTo(Shell shell, Judgement judgement, Consumer<Table> files) {
        CrossCheckSection section = new CrossCheckSection(judgement);
        Map<Load, List<Cell>> loads = section.loads();
        if (loads.isEmpty()) {
            return;
        }
        StringBuilder html = shell.section("cross-check", "What each generator says");
        html.append("<p class='note'>The same servers, workload and number of users, from each generator by itself."
                + " Figures of different generators are never averaged.</p>\n");
        for (Group group : judgement.groups()) {
            loads.forEach((load, cells) -> {
                html.append(text(
                        "<h3>%s, %d users%s</h3>\n",
                        escape(load.workload()),
                        load.tier(),
                        judgement.groups().size() > 1 ? ": " + escape(group.name()) : ""));
                html.append(section.words(group, cells));
                Table table = section.table(group, load, cells);
                files.accept(table);
                html.append(table.html());
            });
        }
    }

    private Map<Load, List<Cell>> loads() {
        Map<Load, List<Cell>> loads = new LinkedHashMap<>();
        judgement.cells().stream().filter(cell -> cell.tier() > 0).forEach(cell -> loads.computeIfAbsent(
                        new Load(cell.workload(), cell.tier()), load -> new ArrayList<>())
                .add(cell));
        loads.values().removeIf(cells -> cells.size() < 2);
        return loads;
    }

    // ---- the figures ----

    private Table table(Group group, Load load, List<Cell> cells) {
        List<Column> columns =
                new ArrayList<>(List.of(Column.words("generator", "Generator"), Column.words("arm", "Container")));
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
                for (Metric metric : SHOWN) {
                    row.add(Value.of(metric, judgement.describe(metric, judgement.values(arm, cell, metric))));
                }
                row.add(Value.words(String.join("; ", marks(arm, cell))));
                table.row(row);
            }
        }
        return table;
    }

    /** Why results of an arm took part in nothing. */
    private List<String> marks(Arm arm, Cell cell) {
        return results(arm, cell).stream()
                .flatMap(result -> result.marks().stream())
                .filter(Mark::excludes)
                .map(mark -> mark.check().replace('-', ' '))
                .distinct()
                .toList();
    }

    private List<CellResult> results(Arm arm, Cell cell) {
        return judgement.chosen().stream()
                .filter(invocation -> invocation.arm().equals(arm.id()))
                .flatMap(invocation -> invocation.cells().stream())
                .filter(result -> result.cell().equals(cell))
                .toList();
    }

    // ---- the words ----

    private String words(Group group, List<Cell> cells) {
        Set<String> orders = new LinkedHashSet<>();
        StringBuilder lines = new StringBuilder("<ul class='orders'>\n");
        for (Cell cell : cells) {
            Optional<String> order = order(group, cell);
            order.ifPresent(orders::add);
            lines.append(text(
                    "<li>%s: %s</li>\n",
                    escape(cell.generator()), escape(order.orElse("no usable throughput of two containers"))));
        }
        lines.append("</ul>\n");
        List<String> against = contradictions(group, cells);
        List<String> levels = levels(group, cells);
        StringBuilder html = new StringBuilder();
        if (against.isEmpty() && levels.isEmpty()) {
            html.append(
                    orders.isEmpty()
                            ? "<p>Nothing can be compared.</p>\n"
                            : "<p><span class='better'>They agree</span>: no two containers are put in opposite orders, and"
                                    + " no throughput lies apart by more than its intervals.</p>\n");
        } else {
            List<String> reasons = reasons(group, cells);
            html.append("<p><span class='worse'>It depends on the tool</span>: ")
                    .append(escape(Words.sentence(String.join("; ", join(against, levels)))))
                    .append("</p>\n<p class='note'>Why: ")
                    .append(
                            reasons.isEmpty()
                                    ? "nothing that was measured tells."
                                    : escape(Words.sentence(String.join("; ", reasons))))
                    .append("</p>\n");
        }
        return html.append(lines).toString();
    }

    private static List<String> join(List<String> one, List<String> other) {
        List<String> both = new ArrayList<>(one);
        both.addAll(other);
        return both;
    }

    private Spread throughput(Arm arm, Cell cell) {
        return judgement.describe(Metric.THROUGHPUT, judgement.values(arm, cell, Metric.THROUGHPUT));
    }

    private static List<Arm> compared(Group group) {
        return group.all().stream()
                .filter(arm -> arm.role() != Arm.Role.CONTROL && arm.role() != Arm.Role.REFERENCE)
                .toList();
    }

    /** From the fastest to the slowest; {@code >} where the blocks tell two neighbours apart, {@code ~} where they do not. */
    private Optional<String> order(Group group, Cell cell) {
        List<Arm> sorted = compared(group).stream()
                .filter(arm -> throughput(arm, cell).known())
                .sorted(Comparator.comparingDouble(
                                (Arm arm) -> throughput(arm, cell).mean())
                        .reversed())
                .toList();
        if (sorted.size() < 2) {
            return Optional.empty();
        }
        StringBuilder order = new StringBuilder(judgement.name(sorted.get(0)));
        for (int i = 1; i < sorted.size(); i++) {
            order.append(sign(group, cell, sorted.get(i - 1), sorted.get(i)) == 0 ? " ~ " : " > ")
                    .append(judgement.name(sorted.get(i)));
        }
        return Optional.of(order.toString());
    }

    /** 1 if the first is faster beyond doubt, -1 if the other is, 0 if the blocks do not tell. */
    private int sign(Group group, Cell cell, Arm one, Arm other) {
        double[] d = new Comparison(
                        group.name(),
                        Judgement.judged(cell),
                        Judgement.judged(Metric.THROUGHPUT),
                        List.of(one.id(), other.id()),
                        one.id(),
                        Optional.empty(),
                        blocks(cell, one, other))
                .logRatios(one.id(), other.id());
        int pairs = Math.max(1, compared(group).size() * (compared(group).size() - 1) / 2);
        Spread spread = Spread.of(d, false, judgement.settings().alpha() / pairs);
        if (!spread.hasInterval()) {
            return 0;
        }
        return spread.low() > 0 ? 1 : spread.high() < 0 ? -1 : 0;
    }

    private java.util.SortedMap<Integer, Map<String, Double>> blocks(Cell cell, Arm one, Arm other) {
        java.util.SortedMap<Integer, Map<String, Double>> blocks = new java.util.TreeMap<>();
        for (Arm arm : List.of(one, other)) {
            judgement.values(arm, cell, Metric.THROUGHPUT).forEach((block, value) -> blocks.computeIfAbsent(
                            block, number -> new LinkedHashMap<>())
                    .put(arm.id(), value));
        }
        return blocks;
    }

    /** Pairs that one generator puts in one order, beyond doubt, and another in the other. */
    private List<String> contradictions(Group group, List<Cell> cells) {
        List<String> found = new ArrayList<>();
        List<Arm> arms = compared(group);
        for (int i = 0; i < arms.size(); i++) {
            for (int j = i + 1; j < arms.size(); j++) {
                Arm one = arms.get(i);
                Arm other = arms.get(j);
                List<String> first = by(group, cells, one, other, 1);
                List<String> second = by(group, cells, one, other, -1);
                if (!first.isEmpty() && !second.isEmpty()) {
                    found.add(text(
                            "%s is faster than %s by %s, and slower by %s",
                            judgement.name(one), judgement.name(other), Words.list(first), Words.list(second)));
                }
            }
        }
        return found;
    }

    private List<String> by(Group group, List<Cell> cells, Arm one, Arm other, int sign) {
        return cells.stream()
                .filter(cell -> sign(group, cell, one, other) == sign)
                .map(Cell::generator)
                .toList();
    }

    /** Arms whose throughput by two generators is apart by more than the margin, with intervals that do not meet. */
    private List<String> levels(Group group, List<Cell> cells) {
        List<String> found = new ArrayList<>();
        for (Arm arm : compared(group)) {
            List<Cell> known = cells.stream()
                    .filter(cell -> throughput(arm, cell).hasInterval())
                    .sorted(Comparator.comparingDouble(
                            cell -> throughput(arm, cell).mean()))
                    .toList();
            if (known.size() < 2) {
                continue;
            }
            Cell least = known.get(0);
            Cell most = known.get(known.size() - 1);
            Spread low = throughput(arm, least);
            Spread high = throughput(arm, most);
            if (low.high() < high.low()
                    && high.mean() > (1 + judgement.settings().margin()) * low.mean()) {
                found.add(text(
                        "%s answers %s requests/s to %s and %s to %s",
                        judgement.name(arm),
                        Numbers.shown(low.mean()),
                        least.generator(),
                        Numbers.shown(high.mean()),
                        most.generator()));
            }
        }
        return found;
    }

    /** What was measured or is known of the generators that can make them differ. */
    private List<String> reasons(Group group, List<Cell> cells) {
        Set<String> reasons = new LinkedHashSet<>();
        double busiest =
                cells.stream().mapToDouble(cell -> busy(group, cell)).max().orElse(Double.NaN);
        for (Cell cell : cells) {
            double pause = ToolSettings.maxPauseSeconds(cell.generator());
            if (pause > 0) {
                reasons.add(text(
                        "%s pauses up to %s s before each request: %d users make no more than about %.0f requests/s",
                        cell.generator(), Numbers.shown(pause), cell.tier(), 2 * cell.tier() / pause));
            }
            group.all().stream()
                    .flatMap(arm -> results(arm, cell).stream())
                    .flatMap(result -> result.marks().stream())
                    .filter(mark -> mark.check().equals(BOTTLENECK))
                    .findFirst()
                    .ifPresent(mark -> reasons.add(cell.generator() + ": " + mark.figures()));
            double own = busy(group, cell);
            if (pause == 0 && own < LESS_BUSY * busiest) {
                reasons.add(text(
                        "under %s the server keeps %.2f processors busy, under another %.2f: users wait for the tool, which"
                                + " uses %s processors",
                        cell.generator(), own, busiest, Numbers.shown(generator(group, cell))));
            }
        }
        if ("false".equals(judgement.campaign().options().get("option tool.keep-alive"))) {
            reasons.add("the command-line tools open a connection for each request; Gatling and JMeter keep theirs");
        }
        List<String> names = cells.stream().map(Cell::generator).toList();
        if (names.contains("ab")) {
            reasons.add("ab speaks HTTP/1.0, and keeps a connection only where the answer's length is stated");
        }
        List<String> closed = names.stream()
                .filter(name -> !List.of("gatling", "jmeter").contains(name))
                .collect(Collectors.toList());
        if (!closed.isEmpty() && names.size() > closed.size()) {
            reasons.add("JMeter and Gatling check every answer, " + Words.list(closed) + " only count them");
        }
        return List.copyOf(reasons);
    }

    private double busy(Group group, Cell cell) {
        return mean(group, cell, Metric.SERVER_CORES);
    }

    private double generator(Group group, Cell cell) {
        return mean(group, cell, Metric.GENERATOR_CORES);
    }

    private double mean(Group group, Cell cell, Metric metric) {
        return compared(group).stream()
                .flatMap(arm -> judgement.values(arm, cell, metric).values().stream())
                .mapToDouble(Double::doubleValue)
                .average()
                .orElse(Double.NaN);
    }
}
