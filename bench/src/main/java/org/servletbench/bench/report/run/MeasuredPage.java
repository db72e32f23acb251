package org.servletbench.bench.report.run;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.servletbench.bench.measure.Slice;
import org.servletbench.bench.measure.WindowResult;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Slo;
import org.servletbench.bench.report.Chart;
import org.servletbench.bench.report.Template;

/**
 * The page of one run, or of any logs: warnings, findings, figures, response times by percentile, and the
 * series of every load. Self-contained, without scripts; it links only to the files of its own run.
 */
public final class MeasuredPage {
    /** Most loads with their own charts: a third-party log may have hundreds. */
    private static final int MOST_CELLS = 60;
    /** Most curves in one chart, and number of their colours. */
    private static final int MOST_CURVES = 6;
    /** Shortest time on a logarithmic axis: logs hold whole ms, and shorter times are drawn here. */
    private static final double SHORTEST_MS = 1;

    private final List<Measured> logs;
    private final Optional<RunFacts> run;
    private final Optional<Slo> slo;

    /**
     * @param logs at least one
     * @param slo objective for each load
     */
    public MeasuredPage(List<Measured> logs, Optional<Slo> slo) {
        this.logs = List.copyOf(logs);
        this.slo = slo;
        run = logs.size() == 1 ? RunFacts.beside(logs.get(0)) : Optional.empty();
    }

    public String html() {
        return Template.html("run/measured", this);
    }

    String title() {
        return run.map(RunFacts::title).orElse("Measured logs");
    }

    boolean isMarked() {
        return sections().stream().anyMatch(log -> log.marks().marked() > 0);
    }

    List<Log> sections() {
        return logs.stream()
                .map(measured -> new Log(
                        measured,
                        run.or(() -> RunFacts.beside(measured)),
                        slo.map(objective -> SloReport.of(measured, objective)),
                        logs.size() > 1,
                        measured.cells(),
                        RunFacts.marks(measured)))
                .toList();
    }

    /**
     * Content of the page for one log.
     *
     * @param run facts from its folder
     * @param several true if the page has other logs as well
     * @param cells in the order in which they ran
     */
    record Log(
            Measured measured,
            Optional<RunFacts> run,
            Optional<SloReport> objective,
            boolean several,
            List<WindowResult> cells,
            RunMarks marks) {
        /** Returns empty if the page has the same title. */
        Optional<String> heading() {
            return several || run.isEmpty()
                    ? Optional.of(run.map(RunFacts::title).orElse(measured.name()))
                    : Optional.empty();
        }

        String source() {
            return RunFacts.source(measured, run);
        }

        /** Returns where the throughput of each workload ends, if it ran with numbers of users; loads with a warning are ignored. */
        List<Peak> peaks() {
            Map<String, List<WindowResult>> workloads = cells.stream()
                    .filter(cell -> cell.load().tier() > 0)
                    .collect(Collectors.groupingBy(c -> c.load().workload(), LinkedHashMap::new, Collectors.toList()));
            return workloads.values().stream()
                    .filter(all -> all.stream().anyMatch(this::trusted))
                    .map(all -> Peak.of(all, this::trusted))
                    .toList();
        }

        /** True if no warning concerns its figures. */
        boolean trusted(WindowResult cell) {
            return !marks.isMarked(cell);
        }

        Figures first() {
            return new Figures("The load", MeasuredFigures.FIRST, cells, marks);
        }

        /** Returns first measurements of loads that were repeated. */
        Figures firstTries() {
            return new Figures(
                    "Measured once more: the JIT compiler was at work the first time, which does not count",
                    MeasuredFigures.FIRST,
                    measured.firstTries(),
                    marks);
        }

        Figures load(String caption, Predicate<String> keys) {
            return figures(caption, MeasuredFigures.ALL, keys);
        }

        Figures server() {
            return figures("Server and machine", MeasuredFigures.SERVER, key -> Metric.of(key)
                    .isPresent());
        }

        Figures threads() {
            return figures(
                    "Live threads of the server, by role and state", MeasuredFigures.SERVER, key -> Metric.of(key)
                            .isEmpty());
        }

        private Figures figures(String caption, List<MeasuredFigures.Figure> of, Predicate<String> keys) {
            return new Figures(
                    caption,
                    of.stream().filter(figure -> keys.test(figure.key())).toList(),
                    cells,
                    marks);
        }

        Map<String, String> about() {
            return run.map(RunFacts::about).orElse(Map.of());
        }

        Optional<String> comparison() {
            return run.flatMap(RunFacts::comparison);
        }

        Map<String, String> files() {
            return several ? Map.of() : run.map(RunFacts::files).orElse(Map.of());
        }

        List<WindowResult> charted() {
            Set<WindowResult> most = cells.stream()
                    .sorted(Comparator.comparingLong(
                            (WindowResult c) -> -c.steady().count()))
                    .limit(MOST_CELLS)
                    .collect(Collectors.toSet());
            return cells.stream().filter(most::contains).toList();
        }

        /** Returns a chart for each workload, with a curve for each number of users or rate. */
        List<Chart> curves() {
            Map<String, List<WindowResult>> workloads = charted().stream()
                    .filter(cell -> cell.steady().count() > 0)
                    .collect(Collectors.groupingBy(c -> c.load().workload(), LinkedHashMap::new, Collectors.toList()));
            List<Chart> charts = new ArrayList<>();
            workloads.forEach((workload, all) -> {
                for (int from = 0; from < all.size(); from += MOST_CURVES) {
                    charts.add(curves(workload, all.subList(from, Math.min(all.size(), from + MOST_CURVES))));
                }
            });
            return charts;
        }

        private static Chart curves(String workload, List<WindowResult> cells) {
            long most = cells.stream().mapToLong(c -> c.steady().count()).max().orElse(1);
            Chart chart = Chart.percentiles(workload + ", ms", "share of requests that were as fast", most, " %");
            for (int i = 0; i < cells.size(); i++) {
                WindowResult cell = cells.get(i);
                double slowest = cell.steady().latency().max();
                chart.line(Chart.Line.percentiles(
                        load(cell), "c" + (i + 1), cell.histogram().orElseThrow(), slowest));
            }
            return cells.size() > 1 ? chart.named(80) : chart;
        }

        private static String load(WindowResult cell) {
            return cell.load().isUnknown() ? cell.name() : cell.load().amount();
        }

        SeriesCharts series() {
            return new SeriesCharts(charted());
        }
    }

    /**
     * The limit of a workload's throughput.
     *
     * @param most the load with the most requests/s
     * @param enough the fewest users for which no larger number reaches {@value #GAIN} times the requests/s; empty if there is no larger
     *     number, or one has a warning, because its result is unknown
     */
    record Peak(WindowResult most, Optional<WindowResult> enough) {
        /** Largest ratio between loads of one run that needs no cause. */
        private static final double GAIN = 1.1;

        /** @param cells of one workload */
        static Peak of(List<WindowResult> cells, Predicate<WindowResult> trusted) {
            List<WindowResult> tiers = cells.stream()
                    .filter(trusted)
                    .sorted(Comparator.comparingInt(cell -> cell.load().tier()))
                    .toList();
            Comparator<WindowResult> faster = Comparator.comparingDouble(Peak::throughput);
            WindowResult most = tiers.stream().max(faster).orElseThrow();
            Optional<WindowResult> enough = IntStream.range(0, tiers.size() - 1)
                    .filter(i -> tiers.subList(i + 1, tiers.size()).stream()
                            .allMatch(larger -> throughput(larger) < GAIN * throughput(tiers.get(i))))
                    .mapToObj(tiers::get)
                    .findFirst()
                    .filter(any -> tiers.size() == cells.size());
            return new Peak(most, enough);
        }

        private static double throughput(WindowResult cell) {
            return cell.steady().throughput();
        }
    }

    /** The figures of several loads; unknown ones are left out. */
    record Figures(String caption, List<MeasuredFigures.Figure> all, List<WindowResult> cells, RunMarks marks) {
        List<MeasuredFigures.Figure> known() {
            return MeasuredFigures.known(all, cells);
        }
    }

    /** The series of all loads as small charts next to each other, all with the same scales. */
    static final class SeriesCharts {
        private final List<WindowResult> cells;
        private final double seconds;
        private final List<Chart.Tick> ticks;

        SeriesCharts(List<WindowResult> cells) {
            this.cells = cells;
            this.seconds = cells.stream()
                    .map(WindowResult::slices)
                    .mapToDouble(slices -> (slices.get(slices.size() - 1).toMs()
                                    - slices.get(0).fromMs())
                            / 1000.0)
                    .max()
                    .orElse(1);
            this.ticks = Chart.ticks(seconds, 4);
        }

        List<Chart> throughput() {
            double most = slices().mapToDouble(Slice::throughput).max().orElse(1);
            return cells.stream()
                    .map(cell -> {
                        Chart chart = chart(cell).reach(most).line(line("all", "c1", cell, Slice::throughput));
                        return cell.whole().errors() == 0
                                ? chart
                                : chart.named(58)
                                        .line(line(
                                                "failed",
                                                "bad",
                                                cell,
                                                s -> s.errors() * 1000.0 / (s.toMs() - s.fromMs())));
                    })
                    .toList();
        }

        List<Chart> times() {
            double slowest = slices().mapToDouble(s -> s.latency().max())
                    .filter(Double::isFinite)
                    .max()
                    .orElse(SHORTEST_MS);
            return cells.stream()
                    .map(cell -> chart(cell)
                            .named(38)
                            .logarithmic()
                            .from(SHORTEST_MS)
                            .reach(Math.max(20 * SHORTEST_MS, slowest))
                            .line(time("max", "c4", cell, s -> s.latency().max()))
                            .line(time("p99", "c2", cell, s -> s.latency().p99()))
                            .line(time("p50", "c1", cell, s -> s.latency().p50())))
                    .toList();
        }

        private static Chart.Line time(String name, String style, WindowResult cell, ToDoubleFunction<Slice> ms) {
            return line(name, style, cell, s -> Math.max(SHORTEST_MS, ms.applyAsDouble(s)));
        }

        private Stream<Slice> slices() {
            return cells.stream().flatMap(cell -> cell.slices().stream());
        }

        private Chart chart(WindowResult cell) {
            long begin = cell.slices().get(0).fromMs();
            return new Chart(cell.name(), "s", 0, seconds, ticks)
                    .small()
                    .shade(
                            "steady window",
                            (cell.window().fromMs() - begin) / 1000.0,
                            (cell.window().toMs() - begin) / 1000.0);
        }

        /** Returns a line with a point in the middle of each time slice. */
        private static Chart.Line line(String name, String style, WindowResult cell, ToDoubleFunction<Slice> value) {
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
