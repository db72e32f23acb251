package org.servletbench.bench.report.run;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.servletbench.bench.measure.CellMeasurement;
import org.servletbench.bench.measure.Check;
import org.servletbench.bench.measure.LogMeasurement;
import org.servletbench.bench.measure.Slice;
import org.servletbench.bench.report.Chart;
import org.servletbench.bench.report.Html;

/**
 * The page of one run, or of any logs: what is marked, the figures, what the server used, response times by percentile, and the
 * series of every cell. Self-contained, no script; it links only the files of its own run.
 */
public final class MeasuredPage {
    /** Cells with charts of their own: a foreign log may have hundreds. */
    private static final int MOST_CELLS = 60;
    /** Curves in one chart, and colours for them. */
    private static final int MOST_CURVES = 6;
    /** Logs hold whole ms: what took less is drawn here on a logarithmic axis. */
    private static final double SHORTEST_MS = 1;

    private final List<Measured> logs;

    /**
     * A page.
     *
     * @param logs at least one
     */
    public MeasuredPage(List<Measured> logs) {
        this.logs = List.copyOf(logs);
    }

    /** The page as HTML. */
    public String html() {
        Optional<RunFacts> run = logs.size() == 1 ? RunFacts.beside(logs.get(0)) : Optional.empty();
        String title = run.map(RunFacts::title).orElse("Measured logs");
        StringBuilder page = new StringBuilder();
        page.append("<!DOCTYPE html>\n<html lang='en'><head><meta charset='utf-8'>")
                .append("<meta name='viewport' content='width=device-width, initial-scale=1'>")
                .append(Html.text(
                        "<title>%s%s</title><style>",
                        run.filter(facts -> !facts.marks().isEmpty()).isPresent() ? "MARKED: " : "",
                        Html.escape(title)))
                .append(Html.resource("base.css", "measured.css"))
                .append(Html.text("</style></head><body><main>\n<h1>%s</h1>\n", Html.escape(title)));
        for (Measured measured : logs) {
            log(measured, run.or(() -> RunFacts.beside(measured)), page);
        }
        page.append("<h2>How to read this</h2>\n")
                .append(
                        "<p class='note'>The figures are those of the steady window, which is shaded in the charts: ramps are cut."
                                + " Failed requests are included. Closed users wait for a slow server, so their response times"
                                + " understate stalls. In the open model (<i>at n/s</i>) requests do not wait for earlier ones; they are"
                                + " timed from when they were sent.</p>\n");
        return page.append("</main></body></html>\n").toString();
    }

    private void log(Measured measured, Optional<RunFacts> run, StringBuilder page) {
        LogMeasurement log = measured.log();
        if (logs.size() > 1 || run.isEmpty()) {
            page.append(Html.text(
                    "<h2>%s</h2>\n",
                    Html.escape(run.map(RunFacts::title).orElse(measured.file().toString()))));
        }
        run.ifPresent(facts -> marks(facts.marks(), page));
        String description = log.source().description();
        page.append(Html.text(
                "<p class='note'>%s%s, %,d requests</p>\n",
                Html.escape(log.source().tool()),
                description.isEmpty() ? "" : ", " + Html.escape(description),
                log.records()));
        if (logs.size() == 1) {
            run.ifPresent(facts -> links(facts.files(), page));
        }
        List<CellMeasurement> cells = measured.cells();
        tables(log, cells, page);
        List<CellMeasurement> shown = shown(cells);
        if (shown.size() < cells.size()) {
            page.append(Html.text(
                    "<p class='note'>Charts of the %d cells with most requests, of %d.</p>\n",
                    shown.size(), cells.size()));
        }
        if (!shown.isEmpty()) {
            curves(shown, page);
            new SeriesCharts(shown).append(page);
        }
    }

    private static void marks(List<RunMark> marks, StringBuilder page) {
        if (marks.isEmpty()) {
            return;
        }
        page.append("<section class='marked' aria-label='marks'><h2>MARKED: do not rely on these figures</h2><ul>\n");
        marks.forEach(mark -> page.append(Html.text(
                "<li><b>%s.</b> To do: %s.</li>\n",
                Html.escape(capital(mark.text())), Html.escape(mark.kind().remedy()))));
        page.append("</ul></section>\n");
    }

    private static String capital(String text) {
        return Character.toUpperCase(text.charAt(0)) + text.substring(1);
    }

    private static void links(Map<String, String> files, StringBuilder page) {
        page.append("<p class='links'>");
        files.forEach(
                (name, title) -> page.append(Html.text("<a href='%s'>%s</a> ", Html.escape(name), Html.escape(title))));
        page.append("</p>\n");
    }

    private static List<CellMeasurement> shown(List<CellMeasurement> cells) {
        Set<CellMeasurement> most = cells.stream()
                .sorted(Comparator.comparingLong(
                        (CellMeasurement c) -> -c.steady().count()))
                .limit(MOST_CELLS)
                .collect(Collectors.toSet());
        return cells.stream().filter(most::contains).toList();
    }

    private static void tables(LogMeasurement log, List<CellMeasurement> cells, StringBuilder page) {
        failures(log.checks(), page);
        table("The load; response times in ms", MeasuredFigures.FIRST, cells, page);
        cells.forEach(cell -> failures(
                cell.checks().stream()
                        .map(check -> new Check(cell.name() + ": " + check.name(), check.outcome(), check.figures()))
                        .toList(),
                page));
        table("What the server used", MeasuredFigures.SERVER, cells, page);
        page.append("<details><summary>All figures of the load</summary>\n");
        table("All figures of the load; response times in ms", MeasuredFigures.ALL, cells, page);
        page.append("</details>\n");
    }

    private static void table(
            String caption, List<MeasuredFigures.Figure> all, List<CellMeasurement> cells, StringBuilder page) {
        List<MeasuredFigures.Figure> figures = MeasuredFigures.known(all, cells);
        if (figures.isEmpty()) {
            return;
        }
        page.append(Html.text(
                "<div class='scroll' tabindex='0' role='region' aria-label='%s'><table><caption>%s</caption>"
                        + "<thead><tr><th scope='col'>cell</th>",
                caption, caption));
        figures.forEach(f ->
                page.append("<th scope='col'>").append(Html.escape(f.title())).append("</th>"));
        page.append("</tr></thead><tbody>\n");
        for (CellMeasurement cell : cells) {
            page.append(Html.text(
                    "<tr><th scope='row'>%s%s</th>",
                    Html.escape(cell.name().text()),
                    cell.sound() ? "" : " <span class='bad' title='a check failed'>!</span>"));
            figures.forEach(f -> page.append("<td>").append(f.shown(cell)).append("</td>"));
            page.append("</tr>\n");
        }
        page.append("</tbody></table></div>\n");
    }

    /** A chart for each workload, a curve for each of its tiers or rates. */
    private static void curves(List<CellMeasurement> cells, StringBuilder page) {
        Map<String, List<CellMeasurement>> workloads = cells.stream()
                .filter(cell -> cell.steady().count() > 0)
                .collect(Collectors.groupingBy(c -> c.name().workload(), LinkedHashMap::new, Collectors.toList()));
        page.append("<h2>Response time by percentile</h2>\n<div class='charts'>\n");
        workloads.forEach((workload, all) -> {
            for (int from = 0; from < all.size(); from += MOST_CURVES) {
                curves(workload, all.subList(from, Math.min(all.size(), from + MOST_CURVES)), page);
            }
        });
        page.append("</div>\n");
    }

    private static void curves(String workload, List<CellMeasurement> cells, StringBuilder page) {
        long most = cells.stream().mapToLong(c -> c.steady().count()).max().orElse(1);
        double decades = Math.max(1, Math.log10(most));
        List<Chart.Tick> ticks = new ArrayList<>(List.of(new Chart.Tick(0, "0")));
        StringBuilder nines = new StringBuilder();
        for (int decade = 1; decade <= decades; decade++) {
            nines.append(decade == 3 ? ".9" : "9");
            ticks.add(new Chart.Tick(decade, decade == 1 ? "90 %" : nines + " %"));
        }
        Chart chart = new Chart(workload + ", ms", "share of requests that were as fast", decades, ticks);
        StringBuilder legend = new StringBuilder("<p class='legend'>");
        for (int i = 0; i < cells.size(); i++) {
            CellMeasurement cell = cells.get(i);
            chart.line(curve(cell, "c" + (i + 1)));
            legend.append(Html.text("<span class='key'><i class='c%d'></i>%s</span> ", i + 1, Html.escape(load(cell))));
        }
        figure(chart, legend.append("</p>").toString(), page);
    }

    private static String load(CellMeasurement cell) {
        String text = cell.name().text();
        String workload = cell.name().workload();
        return text.equals(workload) ? text : text.substring(workload.length() + 1);
    }

    /** The quantile function over log10(1 / (1 - p)), up to the one request that was slowest. */
    private static Chart.Line curve(CellMeasurement cell, String style) {
        Histogram histogram = cell.histogram();
        double end = Math.log10(Math.max(2, histogram.getTotalCount()));
        int points = 160;
        double[] xs = new double[points + 1];
        double[] ys = new double[points + 1];
        for (int i = 0; i <= points; i++) {
            xs[i] = end * i / points;
            double percent = 100 * (1 - Math.pow(10, -xs[i]));
            ys[i] = Math.min(
                    cell.steady().latency().max(), histogram.getValueAtPercentile(i == points ? 100 : percent));
        }
        return new Chart.Line(cell.name().text(), style, xs, ys);
    }

    static void figure(Chart chart, String legend, StringBuilder page) {
        page.append("<figure>").append(chart.svg()).append(legend).append("</figure>\n");
    }

    private static void failures(List<Check> checks, StringBuilder page) {
        List<Check> failed = checks.stream().filter(Check::failed).toList();
        if (!failed.isEmpty()) {
            page.append("<ul class='checks'>");
            failed.forEach(check -> page.append(Html.text(
                    "<li><b class='bad'>%s</b> %s</li>", Html.escape(check.name()), Html.escape(check.figures()))));
            page.append("</ul>\n");
        }
    }

    /** The series of all cells as small charts beside each other, all with the same scales. */
    private static final class SeriesCharts {
        private final List<CellMeasurement> cells;
        private final double seconds;
        private final List<Chart.Tick> ticks;

        SeriesCharts(List<CellMeasurement> cells) {
            this.cells = cells;
            this.seconds = cells.stream()
                    .map(CellMeasurement::slices)
                    .mapToDouble(slices -> (slices.get(slices.size() - 1).toMs()
                                    - slices.get(0).fromMs())
                            / 1000.0)
                    .max()
                    .orElse(1);
            this.ticks = Chart.ticks(seconds, 4, Chart::label);
        }

        void append(StringBuilder page) {
            double most = slices().mapToDouble(Slice::throughput).max().orElse(1);
            page.append("<h2>Second by second</h2>\n<details open><summary>Throughput, requests/s</summary>\n")
                    .append("<p class='legend'><span class='key'><i class='c1'></i>all</span>");
            if (cells.stream().anyMatch(cell -> cell.whole().errors() > 0)) {
                page.append(" <span class='key'><i class='bad'></i>failed</span>");
            }
            page.append("</p>\n<div class='small'>\n");
            for (CellMeasurement cell : cells) {
                Chart chart = chart(cell).reach(most).line(line("all requests", "c1", cell, Slice::throughput));
                if (cell.whole().errors() > 0) {
                    chart.line(line("failed", "bad", cell, s -> s.errors() * 1000.0 / (s.toMs() - s.fromMs())));
                }
                figure(chart, "", page);
            }
            double slowest = slices().mapToDouble(s -> s.latency().max())
                    .filter(Double::isFinite)
                    .max()
                    .orElse(SHORTEST_MS);
            page.append("</div></details>\n<details><summary>Response time, ms, logarithmic</summary>\n")
                    .append(
                            "<p class='legend'><span class='key'><i class='c1'></i>p50</span> <span class='key'><i class='c2'></i>p99"
                                    + "</span> <span class='key'><i class='c4'></i>max</span></p>\n<div class='small'>\n");
            for (CellMeasurement cell : cells) {
                Chart chart = chart(cell)
                        .logarithmic()
                        .from(SHORTEST_MS)
                        .reach(Math.max(20 * SHORTEST_MS, slowest))
                        .line(line(
                                "max",
                                "c4",
                                cell,
                                s -> Math.max(SHORTEST_MS, s.latency().max())))
                        .line(line(
                                "p99",
                                "c2",
                                cell,
                                s -> Math.max(SHORTEST_MS, s.latency().p99())))
                        .line(line(
                                "p50",
                                "c1",
                                cell,
                                s -> Math.max(SHORTEST_MS, s.latency().p50())));
                figure(chart, "", page);
            }
            page.append("</div></details>\n");
        }

        private Stream<Slice> slices() {
            return cells.stream().flatMap(cell -> cell.slices().stream());
        }

        private Chart chart(CellMeasurement cell) {
            long begin = cell.slices().get(0).fromMs();
            return new Chart(cell.name().text(), "s", seconds, ticks)
                    .small()
                    .shade(
                            (cell.window().fromMs() - begin) / 1000.0,
                            (cell.window().toMs() - begin) / 1000.0);
        }

        /** A point in the middle of each slice. */
        private static Chart.Line line(String name, String style, CellMeasurement cell, ToDoubleFunction<Slice> value) {
            List<Slice> slices = cell.slices();
            long begin = slices.get(0).fromMs();
            double[] xs = slices.stream()
                    .mapToDouble(s -> ((s.fromMs() + s.toMs()) / 2.0 - begin) / 1000)
                    .toArray();
            return new Chart.Line(
                    name, style, xs, slices.stream().mapToDouble(value).toArray());
        }
    }
}
