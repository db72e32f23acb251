package org.servletbench.bench.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.servletbench.bench.article.Article;
import org.servletbench.bench.article.ArticleAudit;
import org.servletbench.bench.article.Figures;
import org.servletbench.bench.article.FindingKind;
import org.servletbench.bench.article.Point;
import org.servletbench.bench.article.Quantity;
import org.servletbench.bench.model.Cell;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.Judgement;
import org.servletbench.bench.report.Table.Column;
import org.servletbench.bench.report.Table.Value;
import org.servletbench.bench.reproduce.Observed;
import org.servletbench.bench.reproduce.Tried;
import org.servletbench.bench.verdict.Spread;

/** An article's figures and ours, side by side. */
record ReproducedFigures(Article article, Figures ours, List<Tried> tried) {

    /** The article's figures, ours as published, and ours with intervals. */
    List<String> tables(Map<String, String> files) {
        return Stream.concat(
                        Stream.of(table("load", "Under load", false), table("start-up", "At start-up", true)),
                        tried.stream().flatMap(one -> others(one).stream()))
                .filter(table -> !table.isEmpty())
                .map(table -> table.put(files).html())
                .toList();
    }

    private Table table(String file, String caption, boolean startUp) {
        List<Quantity> metrics = Arrays.stream(Quantity.values())
                .filter(metric -> metric.isStartUp() == startUp && metric != Quantity.LATENCY_MEAN_SECONDS)
                .filter(metric -> cells(startUp).stream()
                        .anyMatch(cell -> theirs(cell, metric).isPresent()
                                || claimed(metric) && ours.at(cell, metric).isPresent()))
                .toList();
        List<Column> columns = new ArrayList<>(List.of(Column.words("arm", "Container")));
        if (!startUp) {
            columns.add(Column.words("workload", "Workload"));
            columns.add(Column.number("users", "Users", ""));
        }
        columns.add(Column.words("source", "From"));
        metrics.forEach(metric -> columns.add(Column.spread(metric.key(), metric.title(), metric.unit())));
        String alone = startUp && !article.claimedOfStarts().isEmpty() ? ", starts alone" : "";
        Table table = new Table("figures-" + file, caption, columns);
        for (Point cell : cells(startUp)) {
            row(table, cell, startUp, "article", metrics, metric -> single(theirs(cell, metric)));
            row(table, cell, startUp, "here, as published", metrics, metric -> single(ours.at(cell, metric)));
            for (Tried one : tried) {
                row(
                        table,
                        cell,
                        startUp,
                        "here, as it should be (" + one.treatment().option() + alone + ")",
                        metrics,
                        metric -> Spread.of(
                                one.observed().values(cell, metric), metric != Quantity.ERRORS_PRINTED, 0.05));
            }
        }
        return table;
    }

    private boolean claimed(Quantity metric) {
        return article.claims().stream()
                .anyMatch(claim ->
                        claim.statement().metric().filter(metric::equals).isPresent());
    }

    private static Spread single(OptionalDouble value) {
        return Spread.of(value.isPresent() ? new double[] {value.getAsDouble()} : new double[0], false, 0.05);
    }

    private static Spread single(Spread spread) {
        return spread.known() ? single(OptionalDouble.of(spread.mean())) : spread;
    }

    private OptionalDouble theirs(Point cell, Quantity metric) {
        if (metric == Quantity.ERRORS_PRINTED) {
            return article.figures().at(cell, metric);
        }
        OptionalDouble ms = article.figures().at(cell, metric);
        OptionalDouble seconds = article.figures().at(cell, Quantity.LATENCY_MEAN_SECONDS);
        return metric == Quantity.LATENCY_MEAN && ms.isEmpty() && seconds.isPresent()
                ? OptionalDouble.of(1000 * seconds.getAsDouble())
                : ms;
    }

    private void row(
            Table table,
            Point cell,
            boolean startUp,
            String source,
            List<Quantity> metrics,
            Function<Quantity, Spread> value) {
        List<Value> row = new ArrayList<>(List.of(Value.words(cell.arm())));
        if (!startUp) {
            row.add(Value.words(cell.workload()));
            row.add(Value.count(cell.users()));
        }
        row.add(Value.words(source));
        boolean any = false;
        for (Quantity metric : metrics) {
            Spread spread = value.apply(metric);
            any |= spread.known();
            boolean asShare = metric == Quantity.ERRORS_PRINTED && !(source.equals("article") && isPercent(cell));
            // How many requests fit into a window is throughput again: no interval.
            Spread inUnit = asShare ? times(spread, 100) : spread;
            row.add(shown(metric == Quantity.REQUESTS ? single(inUnit) : inUnit));
        }
        if (any) {
            table.row(row);
        }
    }

    /** Whether a printed share of failures is a percentage, as its column says, or a fraction, as the audit finds. */
    private boolean isPercent(Point cell) {
        return article.errorsArePercent()
                && ArticleAudit.of(article).stream()
                        .noneMatch(finding -> finding.kind() == FindingKind.FRACTION_AS_PERCENT
                                && finding.text().startsWith(cell.text()));
    }

    private static Spread times(Spread spread, double factor) {
        return new Spread(
                spread.n(), spread.mean() * factor, spread.low() * factor, spread.high() * factor, spread.geometric());
    }

    private static Value shown(Spread spread) {
        if (!spread.known()) {
            return new Value(Numbers.NONE, null, spread);
        }
        String interval = spread.hasInterval()
                ? "<small>" + Numbers.shown(Math.max(0, spread.low())) + " to " + Numbers.shown(spread.high())
                        + "</small>"
                : "";
        return new Value(Numbers.shown(spread.mean()) + interval, Numbers.exact(spread.mean()), spread);
    }

    /** The article's cells, then those that only our runs or the claims have. */
    private List<Point> cells(boolean startUp) {
        Set<Point> cells = new LinkedHashSet<>(article.figures().values().keySet());
        cells.addAll(ours.values().keySet());
        article.claims().forEach(claim -> cells.addAll(claim.statement().cells()));
        boolean claimsStartUp = !article.claimedOfStarts().isEmpty()
                || article.figures().values().keySet().stream().anyMatch(cell -> cell.users() == 0);
        return cells.stream()
                .filter(cell -> (cell.users() == 0) == startUp && (!startUp || claimsStartUp))
                .toList();
    }

    /** Loads of the campaign that decide no claim: siege with its pause. */
    private Optional<Table> others(Tried one) {
        if (one.judgement().isEmpty()) {
            return Optional.empty();
        }
        Judgement judged = one.judgement().get();
        String own = article.asItShouldBe().generator();
        List<Cell> cells = judged.cells().stream()
                .filter(cell -> judged.cells().stream()
                        .anyMatch(other -> !other.generator().equals(own)))
                .filter(cell -> judged.cells().stream()
                        .anyMatch(other -> !other.generator().equals(cell.generator())
                                && other.workload().equals(cell.workload())
                                && other.tier() == cell.tier()))
                .toList();
        Table table = new Table(
                "figures-variants-" + one.treatment().option(),
                "With and without the pause, as it should be ("
                        + one.treatment().option() + ")",
                List.of(
                        Column.words("arm", "Container"),
                        Column.words("workload", "Workload"),
                        Column.number("users", "Users", ""),
                        Column.words("generator", "Generator"),
                        Column.spread(Metric.THROUGHPUT),
                        Column.spread(Metric.MEAN),
                        Column.spread(Metric.SERVER_CORES)));
        for (Arm arm : judged.campaign().arms()) {
            if (arm.role() == Arm.Role.CONTROL) {
                continue;
            }
            for (Cell cell : cells) {
                List<Value> row = new ArrayList<>(List.of(
                        Value.words(Observed.name(arm)),
                        Value.words(cell.workload()),
                        Value.count(cell.tier()),
                        Value.words(cell.generator())));
                for (var metric : List.of(Metric.THROUGHPUT, Metric.MEAN, Metric.SERVER_CORES)) {
                    row.add(FigureTables.value(judged, arm, cell, metric, ""));
                }
                table.row(row);
            }
        }
        return Optional.of(table);
    }
}
