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
 * The page of one run, or of any logs: warnings, findings, figures, response times by percentile, and the series of
 * every load. It is self-contained, has no scripts, and links only to files of its own run.
 */
public final class MeasuredPage {
    /** Maximum number of loads with charts of their own. A third-party log may have hundreds of loads. */
    private static final int MOST_LOADS = 60;
    /** Maximum number of curves in one chart, and number of their colours. */
    private static final int MOST_CURVES = 6;
    /** Shortest time on a logarithmic axis, ms. Logs contain whole ms, and shorter times are drawn here. */
    private static final double SHORTEST_MS = 1;

    private final List<Measured> logs;
    private final Optional<RunFacts> run;
    private final Optional<Slo> slo;

    /**
     * @param logs at least one log
     *
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

    boolean hasWarning() {
        return sections().stream().anyMatch(log -> log.warnings().warned() > 0);
    }

    List<Log> sections() {
        return logs.stream()
                .map(measured -> new Log(
                        measured,
                        run.or(() -> RunFacts.beside(measured)),
                        slo.map(objective -> SloReport.of(measured, objective)),
                        logs.size() > 1,
                        measured.loads(),
                        RunFacts.warnings(measured)))
                .toList();
    }

    /**
     * Content of the page for one log.
     *
     * @param run facts from the log's folder
     * @param several true if the page has other logs as well
     * @param loads loads in the order in which they ran
     */
    record Log(
            Measured measured,
            Optional<RunFacts> run,
            Optional<SloReport> objective,
            boolean several,
            List<WindowResult> loads,
            RunWarnings warnings) {
        /** Returns the heading; empty if the page has the same title. */
        Optional<String> heading() {
            return several || run.isEmpty()
                    ? Optional.of(run.map(RunFacts::title).orElse(measured.name()))
                    : Optional.empty();
        }

        String source() {
            return RunFacts.source(measured, run);
        }

        /**
         * Returns where the throughput of each workload stops growing with the number of users. Loads with a warning
         * are ignored.
         */
        List<Peak> peaks() {
            Map<String, List<WindowResult>> workloads = loads.stream()
                    .filter(load -> load.load().users() > 0)
                    .collect(Collectors.groupingBy(c -> c.load().workload(), LinkedHashMap::new, Collectors.toList()));
            return workloads.values().stream()
                    .filter(all -> all.stream().anyMatch(this::trusted))
                    .map(all -> Peak.of(all, this::trusted))
                    .toList();
        }

        /** True if no warning concerns this load's figures. */
        boolean trusted(WindowResult load) {
            return !warnings.hasWarning(load);
        }

        Figures first() {
            return new Figures("The load", MeasuredFigures.FIRST, loads, warnings);
        }

        /** Returns the first measurements of loads that were repeated. */
        Figures firstTries() {
            return new Figures(
                    "Measured again: the JIT compiler was busy the first time, which does not count",
                    MeasuredFigures.FIRST,
                    measured.firstTries(),
                    warnings);
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
                    loads,
                    warnings);
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
            Set<WindowResult> most = loads.stream()
                    .sorted(Comparator.comparingLong(
                            (WindowResult c) -> -c.steady().count()))
                    .limit(MOST_LOADS)
                    .collect(Collectors.toSet());
            return loads.stream().filter(most::contains).toList();
        }

        /** Returns a chart for each workload, with a curve for each number of users or rate. */
        List<Chart> curves() {
            Map<String, List<WindowResult>> workloads = charted().stream()
                    .filter(load -> load.steady().count() > 0)
                    .collect(Collectors.groupingBy(c -> c.load().workload(), LinkedHashMap::new, Collectors.toList()));
            List<Chart> charts = new ArrayList<>();
            workloads.forEach((workload, all) -> {
                for (int from = 0; from < all.size(); from += MOST_CURVES) {
                    charts.add(curves(workload, all.subList(from, Math.min(all.size(), from + MOST_CURVES))));
                }
            });
            return charts;
        }

        private static Chart curves(String workload, List<WindowResult> loads) {
            long most = loads.stream().mapToLong(c -> c.steady().count()).max().orElse(1);
            Chart chart = Chart.percentiles(workload + ", ms", "share of requests that were as fast", most, " %");
            for (int i = 0; i < loads.size(); i++) {
                WindowResult load = loads.get(i);
                double slowest = load.steady().latency().max();
                chart.line(Chart.Line.percentiles(
                        load(load), "c" + (i + 1), load.histogram().orElseThrow(), slowest));
            }
            return loads.size() > 1 ? chart.named(80) : chart;
        }

        private static String load(WindowResult load) {
            return load.load().isUnknown() ? load.name() : load.load().amount();
        }

        SeriesCharts series() {
            return new SeriesCharts(charted());
        }
    }

    /**
     * The limit of a workload's throughput.
     *
     * @param most the load with the most requests/s
     * @param enough the smallest number of users for which no larger number reaches {@value #GAIN} times the
     *     requests/s; empty if there is no larger number, or if one has a warning and its result is therefore unknown
     */
    record Peak(WindowResult most, Optional<WindowResult> enough) {
        /** Largest ratio between loads of one run that may occur without a cause. */
        private static final double GAIN = 1.1;

        /** @param loads loads of one workload */
        static Peak of(List<WindowResult> loads, Predicate<WindowResult> trusted) {
            List<WindowResult> users = loads.stream()
                    .filter(trusted)
                    .sorted(Comparator.comparingInt(load -> load.load().users()))
                    .toList();
            Comparator<WindowResult> faster = Comparator.comparingDouble(Peak::throughput);
            WindowResult most = users.stream().max(faster).orElseThrow();
            Optional<WindowResult> enough = IntStream.range(0, users.size() - 1)
                    .filter(i -> users.subList(i + 1, users.size()).stream()
                            .allMatch(larger -> throughput(larger) < GAIN * throughput(users.get(i))))
                    .mapToObj(users::get)
                    .findFirst()
                    .filter(any -> users.size() == loads.size());
            return new Peak(most, enough);
        }

        private static double throughput(WindowResult load) {
            return load.steady().throughput();
        }
    }

    /** The figures of several loads. Unknown figures are left out. */
    record Figures(String caption, List<MeasuredFigures.Figure> all, List<WindowResult> loads, RunWarnings warnings) {
        List<MeasuredFigures.Figure> known() {
            return MeasuredFigures.known(all, loads);
        }
    }

    /** The series of all loads as small charts next to each other, all with the same scales. */
    static final class SeriesCharts {
        private final List<WindowResult> loads;
        private final double seconds;
        private final List<Chart.Tick> ticks;

        SeriesCharts(List<WindowResult> loads) {
            this.loads = loads;
            this.seconds = loads.stream()
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
            return loads.stream()
                    .map(load -> {
                        Chart chart = chart(load).reach(most).line(line("all", "c1", load, Slice::throughput));
                        return load.whole().errors() == 0
                                ? chart
                                : chart.named(58)
                                        .line(line(
                                                "failed",
                                                "bad",
                                                load,
                                                s -> s.errors() * 1000.0 / (s.toMs() - s.fromMs())));
                    })
                    .toList();
        }

        List<Chart> times() {
            double slowest = slices().mapToDouble(s -> s.latency().max())
                    .filter(Double::isFinite)
                    .max()
                    .orElse(SHORTEST_MS);
            return loads.stream()
                    .map(load -> chart(load)
                            .named(38)
                            .logarithmic()
                            .from(SHORTEST_MS)
                            .reach(Math.max(20 * SHORTEST_MS, slowest))
                            .line(time("max", "c4", load, s -> s.latency().max()))
                            .line(time("p99", "c2", load, s -> s.latency().p99()))
                            .line(time("p50", "c1", load, s -> s.latency().p50())))
                    .toList();
        }

        private static Chart.Line time(String name, String style, WindowResult load, ToDoubleFunction<Slice> ms) {
            return line(name, style, load, s -> Math.max(SHORTEST_MS, ms.applyAsDouble(s)));
        }

        private Stream<Slice> slices() {
            return loads.stream().flatMap(load -> load.slices().stream());
        }

        private Chart chart(WindowResult load) {
            long begin = load.slices().get(0).fromMs();
            return new Chart(load.name(), "s", 0, seconds, ticks)
                    .small()
                    .shade(
                            "steady window",
                            (load.window().fromMs() - begin) / 1000.0,
                            (load.window().toMs() - begin) / 1000.0);
        }

        /** Returns a line with a point in the middle of each time slice. */
        private static Chart.Line line(String name, String style, WindowResult load, ToDoubleFunction<Slice> value) {
            List<Slice> slices = load.slices();
            long begin = slices.get(0).fromMs();
            double[] xs = slices.stream()
                    .mapToDouble(s -> ((s.fromMs() + s.toMs()) / 2.0 - begin) / 1000)
                    .toArray();
            return new Chart.Line(
                    name, style, xs, slices.stream().mapToDouble(value).toArray());
        }
    }
}
