package org.servletbench.bench.cli;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;
import org.servletbench.bench.measure.CellMeasurement;
import org.servletbench.bench.measure.Check;
import org.servletbench.bench.measure.LogMeasurement;
import org.servletbench.bench.measure.Slice;
import org.servletbench.bench.report.Chart;
import org.servletbench.bench.report.Html;

/** One self-contained page: the latency-by-percentile curves and the series of every cell. No script, no link. */
final class PlotPage {
    /** Cells with charts of their own: a foreign log may have hundreds. */
    private static final int MOST_CELLS = 60;
    /** Curves in one chart, and colours for them. */
    private static final int MOST_CURVES = 6;

    private final List<MeasureCommand.Measured> logs;

    PlotPage(List<MeasureCommand.Measured> logs) {
        this.logs = logs;
    }

    String html() {
        StringBuilder page = new StringBuilder();
        page.append("<!DOCTYPE html>\n<html lang='en'><head><meta charset='utf-8'>")
                .append("<meta name='viewport' content='width=device-width, initial-scale=1'>")
                .append("<title>servlet-bench: measured logs</title><style>")
                .append(Html.resource("base.css"))
                .append("</style></head><body>\n<h1>Measured logs</h1>\n")
                .append("<p class='note'>Figures and curves are those of the steady window, shaded in the series;"
                        + " failed requests are in them. Closed users wait for a slow server, so these latencies are too"
                        + " kind to stalls. Under an open model (<i>at n/s</i>) requests do not wait for earlier ones; they are"
                        + " timed from when they were really sent.</p>\n");
        logs.forEach(measured -> log(measured, page));
        return page.append("</body></html>\n").toString();
    }

    private void log(MeasureCommand.Measured measured, StringBuilder page) {
        LogMeasurement log = measured.log();
        page.append(Html.text("<h2>%s</h2>\n", Html.escape(measured.file().toString())));
        String description = log.source().description();
        page.append(Html.text(
                "<p class='note'>%s%s, %,d requests</p>\n",
                Html.escape(log.source().tool()),
                description.isEmpty() ? "" : ", " + Html.escape(description),
                log.records()));
        failures(log.checks(), page);
        table(log, page);
        List<CellMeasurement> shown = shown(log.cells());
        if (shown.size() < log.cells().size()) {
            page.append(Html.text(
                    "<p class='note'>Charts of the %d cells with most requests, of %d.</p>\n",
                    shown.size(), log.cells().size()));
        }
        curves(shown, page);
        shown.forEach(cell -> series(cell, page));
    }

    private static List<CellMeasurement> shown(List<CellMeasurement> cells) {
        Set<CellMeasurement> most = cells.stream()
                .sorted(Comparator.comparingLong(
                        (CellMeasurement c) -> -c.steady().count()))
                .limit(MOST_CELLS)
                .collect(Collectors.toSet());
        return cells.stream().filter(most::contains).toList();
    }

    private static void table(LogMeasurement log, StringBuilder page) {
        List<Figures.Figure> figures = Figures.ALL.stream()
                .filter(f -> log.cells().stream().anyMatch(c -> !f.shown(c).equals("-")))
                .toList();
        page.append("<div class='scroll'><table><thead><tr><th>cell</th>");
        figures.forEach(f -> page.append("<th>").append(Html.escape(f.title())).append("</th>"));
        page.append("</tr></thead><tbody>\n");
        for (CellMeasurement cell : log.cells()) {
            page.append(Html.text(
                    "<tr><th>%s%s</th>",
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
        page.append("<h3>Latency by percentile</h3>\n<div class='charts'>\n");
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

    private static void series(CellMeasurement cell, StringBuilder page) {
        List<Slice> slices = cell.slices();
        long begin = slices.get(0).fromMs();
        double end = (slices.get(slices.size() - 1).toMs() - begin) / 1000.0;
        double from = (cell.window().fromMs() - begin) / 1000.0;
        double to = (cell.window().toMs() - begin) / 1000.0;
        List<Chart.Tick> ticks = Chart.ticks(end, 6, Chart::label);

        page.append(Html.text("<h3>%s</h3>\n", Html.escape(cell.name().text())));
        failures(cell.checks(), page);
        page.append("<div class='charts'>\n");
        Chart throughput = new Chart("throughput, requests/s", "s", end, ticks)
                .shade(from, to)
                .line(line("all requests", "c1", begin, slices, Slice::throughput));
        String keys = "<span class='key'><i class='c1'></i>all</span>";
        if (cell.whole().errors() > 0) {
            throughput.line(line("failed", "bad", begin, slices, s -> s.errors() * 1000.0 / (s.toMs() - s.fromMs())));
            keys += " <span class='key'><i class='bad'></i>failed</span>";
        }
        figure(throughput, "<p class='legend'>" + keys + "</p>", page);
        Chart latency = new Chart("latency, ms", "s", end, ticks)
                .shade(from, to)
                .line(line("max", "c4", begin, slices, s -> s.latency().max()))
                .line(line("p99", "c2", begin, slices, s -> s.latency().p99()))
                .line(line("p50", "c1", begin, slices, s -> s.latency().p50()));
        figure(
                latency,
                "<p class='legend'><span class='key'><i class='c1'></i>p50</span> <span class='key'><i class='c2'></i>p99"
                        + "</span> <span class='key'><i class='c4'></i>max</span></p>",
                page);
        page.append("</div>\n");
    }

    /** A point in the middle of each slice. */
    private static Chart.Line line(
            String name, String style, long begin, List<Slice> slices, ToDoubleFunction<Slice> value) {
        double[] xs = slices.stream()
                .mapToDouble(s -> ((s.fromMs() + s.toMs()) / 2.0 - begin) / 1000)
                .toArray();
        return new Chart.Line(
                name, style, xs, slices.stream().mapToDouble(value).toArray());
    }

    private static void figure(Chart chart, String legend, StringBuilder page) {
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
}
