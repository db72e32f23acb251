package org.servletbench.bench.report;

import static org.servletbench.bench.model.Text.text;

import java.util.ArrayList;
import java.util.Comparator;
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
import org.servletbench.bench.record.Judgement;
import org.servletbench.bench.record.Judgement.Group;
import org.servletbench.bench.report.Table.Column;
import org.servletbench.bench.report.Table.Value;
import org.servletbench.bench.report.across.Interactions;
import org.servletbench.bench.report.across.Interactions.Interaction;
import org.servletbench.bench.verdict.Spread;

/**
 * What each generator says of the same arms under the same load: throughput, latency, the order of the containers, and whether
 * they contradict each other ({@link Interactions}). Where nothing is found, the section says how large a contradiction would
 * have been found. Nothing is averaged over generators.
 */
record CrossCheckSection(Judgement judgement, Interactions interactions) {
    private static final List<Metric> SHOWN =
            List.of(Metric.THROUGHPUT, Metric.MEAN, Metric.P99, Metric.SERVER_CORES, Metric.GENERATOR_CORES);
    /** Those with a log of every request. */
    private static final String CHECKING = Generators.titles(one -> one.log().isPresent());
    /** A server that is busy for less than this share of another generator's load was not loaded by this one. */
    private static final double LESS_BUSY = 0.8;

    /** Adds the section where a load came from more than one generator; else nothing. */
    static void addTo(Shell shell, Judgement judgement, Map<String, String> files) {
        List<Said> all = new CrossCheckSection(judgement, new Interactions(judgement)).all();
        if (!all.isEmpty()) {
            all.forEach(said -> said.table().put(files));
            shell.section("cross-check", "What each generator says").append(Template.html("crosscheck", all));
        }
    }

    /**
     * What the generators say of a load.
     *
     * @param orders of the containers, by generator
     * @param levels how far apart the generators are; may be empty
     * @param why they differ, where they do, or must; else empty
     * @param untested what could not be compared; may be empty
     */
    record Said(
            String load,
            Map<String, String> orders,
            Finding finding,
            String levels,
            String why,
            String untested,
            Table table) {}

    /**
     * What the tests say.
     *
     * @param style of its first words, a class of the page's style
     * @param first its first words; empty where nothing could be tested
     */
    record Finding(String style, String first, String rest) {}

    private List<Said> all() {
        List<Said> all = new ArrayList<>();
        for (Group group : judgement.groups()) {
            interactions.loads().forEach((load, cells) -> all.add(said(group, load, cells)));
        }
        return all;
    }

    private Said said(Group group, Load load, List<Cell> cells) {
        Map<String, String> orders = new LinkedHashMap<>();
        cells.forEach(cell ->
                orders.put(cell.generator(), order(group, cell).orElse("no usable throughput of two containers")));
        List<Interaction> tested = interactions.interactions(group, cells);
        List<String> levels = levels(group, cells);
        List<String> reasons = reasons(group, cells);
        // Pauses rule the throughput by design, whether this campaign was long enough to see it or not.
        boolean differ = !levels.isEmpty()
                || tested.stream().anyMatch(Interaction::contradicts)
                || cells.stream().anyMatch(cell -> cell.settings().pauseSeconds() > 0);
        return new Said(
                text(
                        "%s, %d users%s",
                        load.workload(), load.tier(), judgement.groups().size() > 1 ? ": " + group.name() : ""),
                orders,
                finding(tested),
                Words.sentence(list(levels)),
                !differ ? "" : reasons.isEmpty() ? "nothing that was measured tells." : Words.sentence(list(reasons)),
                Words.sentence(list(untested(group, cells))),
                table(group, load, cells));
    }

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
                    row.add(FigureTables.value(judgement, arm, cell, metric, ""));
                }
                row.add(Value.words(String.join("; ", marks(arm, cell))));
                table.row(row);
            }
        }
        return table;
    }

    /** Why results of an arm took part in nothing. */
    private List<String> marks(Arm arm, Cell cell) {
        return interactions.results(arm, cell).stream()
                .flatMap(result -> result.excluding().stream())
                .map(mark -> mark.check().replace('-', ' '))
                .distinct()
                .toList();
    }

    private static String list(List<String> parts) {
        return String.join("; ", parts);
    }

    /** What the tests of a load say together. */
    private Finding finding(List<Interaction> tested) {
        List<Interaction> known =
                tested.stream().filter(one -> one.spread().hasInterval()).toList();
        if (known.isEmpty()) {
            return new Finding(
                    "", "", "Nothing can be compared: that needs two blocks with two containers under two generators.");
        }
        double logMargin = judgement.settings().logMargin();
        String level = text(
                "; %s with an error of %s together (Bonferroni).",
                Words.count(interactions.tests(), "comparison"),
                Numbers.share(judgement.settings().alpha()));
        if (known.size() == tested.size() && known.stream().allMatch(one -> one.within(logMargin))) {
            return new Finding(
                    "better",
                    "They agree within the margin of "
                            + Numbers.share(judgement.settings().margin()),
                    ": no ratio of two containers differs by more between two generators" + level);
        }
        List<String> against = known.stream()
                .filter(one -> one.contradicts() && !one.within(logMargin))
                .map(this::said)
                .toList();
        if (!against.isEmpty()) {
            return new Finding("worse", "They contradict each other", ": " + list(against) + level);
        }
        double detectable =
                known.stream().mapToDouble(interactions::detectable).max().orElse(Double.NaN);
        return new Finding(
                "open",
                "No contradiction found",
                text(
                        ", which does not mean that they agree: a ratio of two containers that differs between two generators by"
                                + " %s would have been found with a probability of %s%s",
                        detectable < 10 ? Numbers.share(detectable) + " or more" : "10 times or more",
                        Numbers.share(judgement.settings().power()),
                        level));
    }

    private String said(Interaction found) {
        return text(
                "%s over %s is %s by %s and %s by %s, a factor of %s (%s to %s)",
                judgement.name(found.one()),
                judgement.name(found.other()),
                Numbers.shown(interactions.ratio(found.one(), found.other(), found.first())),
                found.first().generator(),
                Numbers.shown(interactions.ratio(found.one(), found.other(), found.second())),
                found.second().generator(),
                Numbers.shown(Math.exp(found.spread().mean())),
                Numbers.shown(Math.exp(found.spread().low())),
                Numbers.shown(Math.exp(found.spread().high())));
    }

    private List<String> untested(Group group, List<Cell> cells) {
        return cells.stream()
                .flatMap(cell -> Interactions.compared(group).stream()
                        .filter(arm -> judgement.hasFloor(arm, cell))
                        .map(arm -> judgement.name(arm) + " by " + cell.generator()))
                .toList();
    }

    /** By the sign of the difference; {@code <} where means over other blocks have another order than the blocks that both have. */
    private static final List<String> SIGNS = List.of(" < ", " ~ ", " > ");

    /** From the fastest to the slowest; {@code >} where the blocks tell two neighbours apart, {@code ~} where they do not. */
    private Optional<String> order(Group group, Cell cell) {
        List<Arm> sorted = Interactions.compared(group).stream()
                .filter(arm -> interactions.throughput(arm, cell).known())
                .sorted(Comparator.comparingDouble(
                                (Arm arm) -> interactions.throughput(arm, cell).mean())
                        .reversed())
                .toList();
        if (sorted.size() < 2) {
            return Optional.empty();
        }
        StringBuilder order = new StringBuilder(judgement.name(sorted.get(0)));
        for (int i = 1; i < sorted.size(); i++) {
            order.append(SIGNS.get(1 + interactions.sign(group, cell, sorted.get(i - 1), sorted.get(i))))
                    .append(judgement.name(sorted.get(i)));
        }
        return Optional.of(order.toString());
    }

    /** Arms whose throughput by two generators is apart by more than the margin, with intervals that do not meet. */
    private List<String> levels(Group group, List<Cell> cells) {
        List<String> found = new ArrayList<>();
        for (Arm arm : Interactions.compared(group)) {
            List<Cell> known = cells.stream()
                    .filter(cell -> interactions.throughput(arm, cell).hasInterval())
                    .sorted(Comparator.comparingDouble(
                            cell -> interactions.throughput(arm, cell).mean()))
                    .toList();
            if (known.size() < 2) {
                continue;
            }
            Cell least = known.get(0);
            Cell most = known.get(known.size() - 1);
            Spread low = interactions.throughput(arm, least);
            Spread high = interactions.throughput(arm, most);
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
                    .flatMap(arm -> interactions.results(arm, cell).stream())
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
        return Interactions.compared(group).stream()
                .flatMap(arm -> judgement.values(arm, cell, metric).values().stream())
                .mapToDouble(Double::doubleValue)
                .average()
                .orElse(Double.NaN);
    }
}
