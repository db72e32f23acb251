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
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.commons.statistics.descriptive.StandardDeviation;
import org.servletbench.bench.load.ToolSettings;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.Cell;
import org.servletbench.bench.record.CellResult;
import org.servletbench.bench.record.Judgement;
import org.servletbench.bench.record.Judgement.Group;
import org.servletbench.bench.record.Mark;
import org.servletbench.bench.record.Metric;
import org.servletbench.bench.report.Table.Column;
import org.servletbench.bench.report.Table.Value;
import org.servletbench.bench.verdict.SampleSize;
import org.servletbench.bench.verdict.Spread;

/**
 * What each generator says of the same arms under the same load: throughput, latency, and the order of the containers. Whether
 * two generators contradict each other about two containers is tested: by the interaction, which is the difference between
 * generators of the log ratio of the two, taken within every block. Where nothing is found, the section says how large a
 * contradiction would have been found. Nothing is averaged over generators.
 */
final class CrossCheckSection {
    private static final List<Metric> SHOWN =
            List.of(Metric.THROUGHPUT, Metric.MEAN, Metric.P99, Metric.SERVER_CORES, Metric.GENERATOR_CORES);
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
                + " Figures of different generators are never averaged. wrk's response times are left out: it adds samples that"
                + " were not measured.</p>\n");
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
        StringBuilder lines = new StringBuilder("<ul class='orders'>\n");
        for (Cell cell : cells) {
            lines.append(text(
                    "<li>%s: %s</li>\n",
                    escape(cell.generator()),
                    escape(order(group, cell).orElse("no usable throughput of two containers"))));
        }
        lines.append("</ul>\n");
        List<Interaction> tested = interactions(group, cells);
        List<String> levels = levels(group, cells);
        StringBuilder html = new StringBuilder("<p>").append(finding(tested)).append("</p>\n");
        if (!levels.isEmpty()) {
            html.append(
                    text("<p>Throughput itself depends on the tool: %s</p>\n", escape(Words.sentence(list(levels)))));
        }
        if (!levels.isEmpty() || tested.stream().anyMatch(Interaction::contradicts)) {
            List<String> reasons = reasons(group, cells);
            html.append(text(
                    "<p class='note'>Why: %s</p>\n",
                    reasons.isEmpty() ? "nothing that was measured tells." : escape(Words.sentence(list(reasons)))));
        }
        List<String> untested = untested(group, cells);
        if (!untested.isEmpty()) {
            html.append(text(
                    "<p class='note'>Not compared, because the generator was at its limit and throughput is a floor: %s</p>\n",
                    escape(Words.sentence(list(untested)))));
        }
        return html.append(lines).toString();
    }

    private static String list(List<String> parts) {
        return String.join("; ", parts);
    }

    /** What the tests of a load say together. */
    private String finding(List<Interaction> tested) {
        List<Interaction> known =
                tested.stream().filter(one -> one.spread().hasInterval()).toList();
        if (known.isEmpty()) {
            return "Nothing can be compared: that needs two blocks with two containers under two generators.";
        }
        double logMargin = judgement.settings().logMargin();
        String level = text(
                "%s with an error of %s together (Bonferroni)",
                Words.count(tests(), "comparison"),
                Numbers.share(judgement.settings().alpha()));
        if (known.size() == tested.size() && known.stream().allMatch(one -> one.within(logMargin))) {
            return text(
                    "<span class='better'>They agree within the margin of %s</span>: no ratio of two containers differs by more"
                            + " between two generators; %s.",
                    Numbers.share(judgement.settings().margin()), level);
        }
        List<String> against = known.stream()
                .filter(one -> one.contradicts() && !one.within(logMargin))
                .map(this::said)
                .toList();
        if (!against.isEmpty()) {
            return text("<span class='worse'>They contradict each other</span>: %s; %s.", escape(list(against)), level);
        }
        double detectable = known.stream().mapToDouble(this::detectable).max().orElse(Double.NaN);
        return text(
                "<span class='open'>No contradiction found</span>, which does not mean that they agree: a ratio of two containers"
                        + " that differs between two generators by %s would have been found with a probability of %s; %s.",
                detectable < 10 ? Numbers.share(detectable) + " or more" : "10 times or more",
                Numbers.share(judgement.settings().power()),
                level);
    }

    /**
     * Two arms under two generators.
     *
     * @param one an arm
     * @param other another
     * @param first a generator's cell
     * @param second another's
     * @param differences of the log ratio one / other, first minus second, one for each block that has all four
     * @param spread their mean with its interval at the level of one test
     */
    private record Interaction(Arm one, Arm other, Cell first, Cell second, double[] differences, Spread spread) {

        /** Whether the log ratio is not the same under both. */
        boolean contradicts() {
            return spread.hasInterval() && (spread.low() > 0 || spread.high() < 0);
        }

        boolean within(double logMargin) {
            return spread.low() > -logMargin && spread.high() < logMargin;
        }
    }

    private String said(Interaction found) {
        return text(
                "%s over %s is %s by %s and %s by %s, a factor of %s (%s to %s)",
                judgement.name(found.one()),
                judgement.name(found.other()),
                Numbers.shown(ratio(found.one(), found.other(), found.first())),
                found.first().generator(),
                Numbers.shown(ratio(found.one(), found.other(), found.second())),
                found.second().generator(),
                Numbers.shown(Math.exp(found.spread().mean())),
                Numbers.shown(Math.exp(found.spread().low())),
                Numbers.shown(Math.exp(found.spread().high())));
    }

    private double ratio(Arm one, Arm other, Cell cell) {
        return Math.exp(Spread.of(
                        values(logRatios(cell, one, other)),
                        false,
                        judgement.settings().alpha())
                .mean());
    }

    /** What this test finds with the campaign's power, as ratio - 1; NaN without a spread. */
    private double detectable(Interaction one) {
        double sd = StandardDeviation.of(one.differences()).getAsDouble();
        return sd > 0 ? SampleSize.detectable(sd, one.differences().length, tests(), judgement.settings()) : Double.NaN;
    }

    private static double[] values(SortedMap<Integer, Double> byBlock) {
        return byBlock.values().stream().mapToDouble(Double::doubleValue).toArray();
    }

    /** How many interactions the section tests, whatever became of them: decided before anything was measured. */
    private int tests() {
        return judgement.groups().stream()
                .mapToInt(group -> loads().values().stream()
                        .mapToInt(cells -> pairs(compared(group).size()) * pairs(cells.size()))
                        .sum())
                .sum();
    }

    private static int pairs(int number) {
        return number * (number - 1) / 2;
    }

    private List<Interaction> interactions(Group group, List<Cell> cells) {
        List<Interaction> all = new ArrayList<>();
        List<Arm> arms = compared(group);
        for (int i = 0; i < arms.size(); i++) {
            for (int j = i + 1; j < arms.size(); j++) {
                for (int k = 0; k < cells.size(); k++) {
                    for (int l = k + 1; l < cells.size(); l++) {
                        interaction(arms.get(i), arms.get(j), cells.get(k), cells.get(l))
                                .ifPresent(all::add);
                    }
                }
            }
        }
        return all;
    }

    /** Empty where a throughput is a floor: then no ratio is known. */
    private Optional<Interaction> interaction(Arm one, Arm other, Cell first, Cell second) {
        if (Stream.of(first, second).anyMatch(cell -> limited(one, cell) || limited(other, cell))) {
            return Optional.empty();
        }
        SortedMap<Integer, Double> under = logRatios(first, one, other);
        SortedMap<Integer, Double> against = logRatios(second, one, other);
        double[] differences = under.keySet().stream()
                .filter(against::containsKey)
                .mapToDouble(block -> under.get(block) - against.get(block))
                .toArray();
        return Optional.of(new Interaction(
                one,
                other,
                first,
                second,
                differences,
                Spread.of(differences, false, judgement.settings().alpha() / tests())));
    }

    /** Whether the generator was at its limit in any block, so that the throughput is a floor. */
    private boolean limited(Arm arm, Cell cell) {
        return results(arm, cell).stream()
                .anyMatch(result -> result.marks().stream().anyMatch(result::isFloor));
    }

    private List<String> untested(Group group, List<Cell> cells) {
        return cells.stream()
                .flatMap(cell -> compared(group).stream()
                        .filter(arm -> limited(arm, cell))
                        .map(arm -> judgement.name(arm) + " by " + cell.generator()))
                .toList();
    }

    /** ln(one / other) of the throughput, by block. */
    private SortedMap<Integer, Double> logRatios(Cell cell, Arm one, Arm other) {
        SortedMap<Integer, Double> ofOther = judgement.values(other, cell, Metric.THROUGHPUT);
        SortedMap<Integer, Double> ratios = new TreeMap<>();
        judgement.values(one, cell, Metric.THROUGHPUT).forEach((block, value) -> {
            double log = Math.log(value / ofOther.getOrDefault(block, Double.NaN));
            if (Double.isFinite(log)) {
                ratios.put(block, log);
            }
        });
        return ratios;
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
        double level =
                judgement.settings().alpha() / Math.max(1, pairs(compared(group).size()));
        Spread spread = Spread.of(values(logRatios(cell, one, other)), false, level);
        if (!spread.hasInterval()) {
            return 0;
        }
        return spread.low() > 0 ? 1 : spread.high() < 0 ? -1 : 0;
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
                    .flatMap(result -> result.marks().stream().filter(result::isFloor))
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
