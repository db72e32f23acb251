package org.servletbench.bench.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.record.Analysis;
import org.servletbench.bench.record.Analysis.Group;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.LoadFigures;
import org.servletbench.bench.record.ServerRun;
import org.servletbench.bench.record.StartCourse;

/** The charts behind the answer: windows in order of time, response times of each server, threads. */
record Curves(Analysis analysis, Group group) {
    private static final List<String> STATES = List.of("live", "runnable", "waiting", "timed_waiting", "blocked");
    private static final List<String> ROLES = List.of("acceptor", "io", "worker");
    private static final int TIMES = 120;
    /** Maximum number of blocks drawn as dots. With more, windows become a solid area. */
    private static final int MOST_BLOCKS_IN_DOTS = 40;

    /** Length of the chart of starts, s. */
    private static final int FIRST_SECONDS = 30;

    private static final double[] QUANTILES = {0.1, 0.5, 0.9};
    private static final List<Metric> LADDER =
            List.of(Metric.P50, Metric.P75, Metric.P90, Metric.P95, Metric.P99, Metric.P999);

    String legend() {
        return Template.html(
                "legend",
                group.all().stream()
                        .map(arm -> new Chart.Key(style(arm), analysis.name(arm)))
                        .toList());
    }

    /** Returns the line style of an arm. An A/A copy is dashed, in the colour of its baseline. */
    String style(Arm arm) {
        return switch (arm.role()) {
            case CONTROL -> "c1 copy";
            case REFERENCE -> "ref copy";
            default -> "c" + (group.all().indexOf(arm) % 6 + 1);
        };
    }

    /** Returns the ranked arms and the A/A copy, but not references, which may be far away. */
    private List<Arm> compared() {
        return group.all().stream()
                .filter(arm -> arm.role() != Arm.Role.REFERENCE)
                .toList();
    }

    /** Returns the number of compared arms that were measured before this one in a block. */
    private long before(Arm arm, int block) {
        int own = analysis.servers(arm).get(block).position();
        return compared().stream()
                .map(other -> analysis.servers(other).get(block))
                .filter(other -> other != null && other.position() < own)
                .count();
    }

    /** Charts the throughput of each window, or batch of time slices, in order of time; empty if none is known. */
    Optional<String> windows(MeasuredLoad load) {
        boolean together = analysis.campaign().plan().together();
        int last = analysis.blocks();
        List<Chart.Tick> ticks = new ArrayList<>();
        int step = Math.max(1, (int) Chart.step(last, 12));
        for (int block = 1; block <= last; block += step) {
            ticks.add(new Chart.Tick(block - 0.5, "block " + block));
        }
        String title = Metric.THROUGHPUT.label() + ", " + Metric.THROUGHPUT.unit() + ": " + load.words();
        Chart chart = new Chart(title, "blocks, in time order", 0, Math.max(1, last), ticks)
                .close()
                .wide();
        if (last > MOST_BLOCKS_IN_DOTS) {
            return quantiles(load, chart);
        }
        boolean any = false;
        for (Arm arm : compared()) {
            List<double[]> dots = new ArrayList<>();
            analysis.results(arm, load).forEach((block, result) -> {
                int n = result.rates().size();
                double from =
                        together ? 0.05 : 0.9 * before(arm, block) / compared().size() + 0.05;
                double length = together ? 0.9 : 0.8 / compared().size();
                for (int i = 0; i < n; i++) {
                    Double rate = result.rates().get(i);
                    dots.add(new double[] {
                        block - 1 + from + length * (i + 0.5) / n, rate == null || rate.isInfinite() ? Double.NaN : rate
                    });
                }
                dots.add(new double[] {block, Double.NaN});
            });
            any |= dots.stream().anyMatch(dot -> !Double.isNaN(dot[1]));
            chart.line(new Chart.Line(
                    analysis.name(arm),
                    style(arm),
                    dots.stream().mapToDouble(dot -> dot[0]).toArray(),
                    dots.stream().mapToDouble(dot -> dot[1]).toArray()));
        }
        return any ? Optional.of(figure(load.words(), "throughput, requests/s", chart, List.of())) : Optional.empty();
    }

    /** Charts the median and the middle 80 % of each block's windows, because single points would overlap. */
    private Optional<String> quantiles(MeasuredLoad load, Chart chart) {
        boolean any = false;
        for (Arm arm : compared()) {
            int n = analysis.blocks();
            double[] xs = IntStream.range(0, n).mapToDouble(i -> i + 0.5).toArray();
            double[][] ys = new double[3][n];
            for (double[] row : ys) {
                Arrays.fill(row, Double.NaN);
            }
            analysis.results(arm, load).forEach((block, result) -> {
                double[] rates = result.rates().stream()
                        .filter(rate -> rate != null && Double.isFinite(rate))
                        .mapToDouble(Double::doubleValue)
                        .sorted()
                        .toArray();
                for (int q = 0; q < ys.length && rates.length > 0; q++) {
                    ys[q][block - 1] = rates[(int) Math.round((rates.length - 1) * QUANTILES[q])];
                }
            });
            any |= Arrays.stream(ys[1]).anyMatch(y -> !Double.isNaN(y));
            String name = analysis.name(arm);
            chart.band(new Chart.Band(name + ", the middle 80 % of windows", style(arm), xs, ys[0], ys[2]));
            chart.line(new Chart.Line(name, style(arm), xs, ys[1]));
        }
        return any
                ? Optional.of(figure(
                        load.words(),
                        "throughput, requests/s: medians of blocks, and the middle 80 % of their windows",
                        chart,
                        List.of()))
                : Optional.empty();
    }

    /**
     * Charts the throughput of starts under load in their first seconds, as the mean of each arm's starts; empty if
     * starts were not under load.
     */
    Optional<String> starts() {
        Chart chart = new Chart(
                "Throughput after the start, requests/s",
                "s since the start of the process",
                0,
                FIRST_SECONDS,
                Chart.ticks(FIRST_SECONDS, 6));
        String load = "";
        for (Arm arm : compared()) {
            List<StartCourse> courses = analysis.courses(arm);
            if (!courses.isEmpty()) {
                load = courses.get(0).load();
                int seconds = (int) Math.min(
                        FIRST_SECONDS,
                        courses.stream()
                                .mapToInt(one -> one.rates().size())
                                .min()
                                .orElse(0));
                double[] ys = IntStream.range(0, seconds)
                        .mapToDouble(second -> courses.stream()
                                .mapToDouble(one -> one.rates().get(second))
                                .average()
                                .orElse(Double.NaN))
                        .toArray();
                double[] xs =
                        IntStream.range(0, seconds).mapToDouble(i -> i + 0.5).toArray();
                chart.line(new Chart.Line(analysis.name(arm), style(arm), xs, ys));
            }
        }
        List<Chart.Key> legend = compared().stream()
                .map(arm -> new Chart.Key(style(arm), analysis.name(arm)))
                .toList();
        return load.isEmpty()
                ? Optional.empty()
                : Optional.of(Template.html(
                        "pairs",
                        List.of(figure(
                                chart.title,
                                "under " + load + " from the first answer on: mean of each arm's starts",
                                chart,
                                legend))));
    }

    /** Small charts next to each other, by arm, all with the same scale. */
    record Ladders(String title, Map<String, String> charts) {}

    /** Charts p50 to p99.9, with a line for each server; empty if no response times are known. */
    Optional<String> ladders(MeasuredLoad load) {
        double least = Double.POSITIVE_INFINITY;
        double most = 0;
        Map<Arm, List<Chart.Line>> lines = new LinkedHashMap<>();
        for (Arm arm : compared()) {
            for (Map.Entry<Integer, LoadFigures> server :
                    analysis.results(arm, load).entrySet()) {
                double[] ys = LADDER.stream()
                        .mapToDouble(metric -> FigureTables.isSupported(
                                        metric, server.getValue().requests())
                                ? server.getValue().figure(metric).orElse(Double.NaN)
                                : Double.NaN)
                        .toArray();
                for (double y : ys) {
                    if (y > 0 && Double.isFinite(y)) {
                        least = Math.min(least, y);
                        most = Math.max(most, y);
                    }
                }
                lines.computeIfAbsent(arm, a -> new ArrayList<>())
                        .add(new Chart.Line(
                                "block " + server.getKey(),
                                style(arm),
                                IntStream.range(0, ys.length).asDoubleStream().toArray(),
                                ys));
            }
        }
        if (!(most > 0)) {
            return Optional.empty();
        }
        // The axis extends a little beyond the smallest and largest value, so that it is logarithmic and the same in
        // all charts.
        double bottom = least * 0.9;
        double top = Math.max(most * 1.1, bottom * 11);
        List<Chart.Tick> ticks = IntStream.range(0, LADDER.size())
                .mapToObj(i -> new Chart.Tick(i, LADDER.get(i).label().substring(1)))
                .toList();
        Map<String, String> charts = new LinkedHashMap<>();
        lines.forEach((arm, all) -> {
            String name = analysis.name(arm);
            Chart chart = new Chart(
                            "Response time, ms, of each server: " + name + ", " + load.words(),
                            "percentile",
                            0,
                            LADDER.size() - 1,
                            ticks)
                    .small()
                    .untitled()
                    .logarithmic()
                    .from(bottom)
                    .reach(top);
            all.forEach(chart::line);
            charts.put(name, chart.svg());
        });
        return Optional.of(Template.html("ladders", new Ladders(load.words(), charts)));
    }

    /** Charts the threads of each arm's first monitored server, by state and by role. */
    Optional<String> threads() {
        Map<String, ServerRun.ThreadTimeline> watched = new LinkedHashMap<>();
        for (Arm arm : group.all()) {
            analysis.servers(arm).values().stream()
                    .filter(serverRun -> drawable(serverRun.threads()))
                    .findFirst()
                    .ifPresent(first -> watched.put(analysis.name(arm) + ", block " + first.block(), first.threads()));
        }
        return threads(watched);
    }

    /**
     * Charts the threads of servers, by state and by role. Servers without data are left out.
     *
     * @param servers threads by the servers' names
     */
    static Optional<String> threads(Map<String, ServerRun.ThreadTimeline> servers) {
        Map<String, ServerRun.ThreadTimeline> watched = new LinkedHashMap<>(servers);
        watched.values().removeIf(threads -> !drawable(threads));
        if (watched.isEmpty()) {
            return Optional.empty();
        }
        double mostStates = most(watched.values(), STATES);
        double mostRoles = most(watched.values(), ROLES);
        List<String> charts = new ArrayList<>();
        watched.forEach((name, threads) -> {
            charts.add(threads("Threads by state: " + name, threads, STATES, mostStates));
            charts.add(threads("Threads by role: " + name, threads, ROLES, mostRoles));
        });
        return Optional.of(Template.html("pairs", charts));
    }

    private static boolean drawable(ServerRun.ThreadTimeline threads) {
        return threads != null && threads.seconds().size() > 1;
    }

    private static String threads(String title, ServerRun.ThreadTimeline threads, List<String> kinds, double most) {
        double[] seconds = numbers(threads.seconds());
        double end = Math.max(1, Arrays.stream(seconds).max().orElse(1));
        Chart chart = new Chart(title, "s since the server was ready", 0, end, Chart.ticks(end, 6))
                .shade("measured load", threads.loadFrom(), end)
                .reach(most)
                .flat();
        List<Chart.Key> legend = new ArrayList<>();
        for (String kind : kinds) {
            double[] values = series(threads, kind);
            if (values.length > 1) {
                String style = "c" + (kinds.indexOf(kind) + 1);
                int n = Math.min(values.length, seconds.length);
                chart.line(new Chart.Line(kind, style, thin(seconds, n), thin(values, n)));
                legend.add(new Chart.Key(style, kind.equals("io") ? "I/O" : kind.replace('_', ' ')));
            }
        }
        return figure(title, "", chart, legend);
    }

    private static double most(Collection<ServerRun.ThreadTimeline> servers, List<String> kinds) {
        return servers.stream()
                .flatMap(threads -> kinds.stream().map(kind -> series(threads, kind)))
                .flatMapToDouble(Arrays::stream)
                .filter(Double::isFinite)
                .max()
                .orElse(0);
    }

    /** Returns a series by its bare name: {@code threads.live}, {@code state.live} and {@code live} are equivalent. */
    private static double[] series(ServerRun.ThreadTimeline threads, String kind) {
        for (String prefix : List.of("", "threads.", "state.", "role.")) {
            List<Double> values = threads.series().get(prefix + kind);
            if (values != null) {
                return numbers(values);
            }
        }
        return new double[0];
    }

    private static double[] numbers(List<Double> values) {
        return values.stream()
                .mapToDouble(value -> value == null || value.isInfinite() ? Double.NaN : value)
                .toArray();
    }

    /** Averages neighbouring values if there are more than a reader can see. */
    private static double[] thin(double[] values, int n) {
        int each = Math.max(1, (n + TIMES - 1) / TIMES);
        return IntStream.range(0, (n + each - 1) / each)
                .mapToDouble(i -> Arrays.stream(values, i * each, Math.min(n, (i + 1) * each))
                        .average()
                        .orElse(Double.NaN))
                .toArray();
    }

    /** A drawing with its heading next to it. */
    record Figure(String title, String what, String svg, List<Chart.Key> legend) {}

    static String figure(String title, String what, Chart chart, List<Chart.Key> legend) {
        return Template.html("figure", new Figure(title, what, chart.untitled().svg(), legend));
    }
}
