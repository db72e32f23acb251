package org.servletbench.bench.report;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.servletbench.bench.model.Cell;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.CellResult;
import org.servletbench.bench.record.Invocation;
import org.servletbench.bench.record.Judgement.Group;
import org.servletbench.bench.record.Judgement;

/** The charts behind the answer: latency by percentile, drift over blocks and positions, threads. */
final class Curves {
    private static final List<String> STATES = List.of("live", "runnable", "waiting", "timed_waiting", "blocked");
    private static final List<String> ROLES = List.of("acceptor", "io", "worker");
    private static final int TIMES = 120;

    private final Judgement judgement;
    private final int points;

    /** @param points of each latency curve */
    Curves(Judgement judgement, int points) {
        this.judgement = judgement;
        this.points = points;
    }

    /** What the colours of a group's arms are. */
    String legend(Group group) {
        return Template.html(
                "legend",
                group.all().stream()
                        .map(arm -> new Chart.Key(style(group, arm), judgement.name(arm)))
                        .toList());
    }

    /** The control is a dashed copy of its baseline. */
    static String style(Group group, Arm arm) {
        return switch (arm.role()) {
            case CONTROL -> "c1 copy";
            case REFERENCE -> "ref copy";
            default -> "c" + (group.all().indexOf(arm) % 6 + 1);
        };
    }

    /** Latency by percentile, all blocks of an arm merged. Empty where no generator gave a histogram. */
    Optional<String> latency(Group group, Cell cell) {
        Map<Arm, Histogram> merged = new java.util.LinkedHashMap<>();
        for (Arm arm : group.all()) {
            merge(judgement.results(arm, cell)).ifPresent(histogram -> merged.put(arm, histogram));
        }
        if (merged.isEmpty()) {
            return Optional.empty();
        }
        long most = merged.values().stream()
                .mapToLong(Histogram::getTotalCount)
                .max()
                .orElse(1);
        Chart chart = Chart.percentiles(
                        "Response time, ms: " + title(cell), "share of requests that were as fast, %", most, "")
                .logarithmic();
        // Whole milliseconds: below one there is no telling, and no logarithm of 0.
        merged.forEach((arm, histogram) -> chart.line(Chart.Line.percentiles(
                judgement.name(arm), style(group, arm), histogram, points, 0.5, histogram.getMaxValue())));
        return Optional.of(figure(title(cell), "response time, ms", chart));
    }

    private static Optional<Histogram> merge(SortedMap<Integer, CellResult> results) {
        Histogram sum = null;
        for (CellResult result : results.values()) {
            Optional<Histogram> one = decode(result.histogram());
            if (one.isPresent()) {
                if (sum == null) {
                    sum = new Histogram(3);
                    sum.setAutoResize(true);
                }
                sum.add(one.get());
            }
        }
        return Optional.ofNullable(sum).filter(histogram -> histogram.getTotalCount() > 0);
    }

    /** A histogram that cannot be read draws no curve: its figures stand in the tables all the same. */
    private static Optional<Histogram> decode(String base64) {
        if (base64 == null || base64.isEmpty()) {
            return Optional.empty();
        }
        try {
            ByteBuffer bytes = ByteBuffer.wrap(Base64.getDecoder().decode(base64));
            return Optional.of(Histogram.decodeFromCompressedByteBuffer(bytes, 0));
        } catch (Exception e) {
            return Optional.empty();
        }
    }

    /** A primary metric against the block: drift shows as a slope that all arms share. */
    Optional<String> blocks(Group group, Cell cell, Metric metric) {
        int last = Math.max(
                2,
                judgement.invocations().stream()
                        .mapToInt(Invocation::block)
                        .max()
                        .orElse(2));
        Chart chart = new Chart(metric.label() + unit(metric) + ": " + title(cell), "block", 1, last, whole(1, last))
                .close()
                .points()
                .flat();
        boolean any = false;
        for (Arm arm : group.all()) {
            SortedMap<Integer, Double> values = judgement.values(arm, cell, metric);
            any |= !values.isEmpty() && arm.role() != Arm.Role.REFERENCE;
            if (arm.role() != Arm.Role.REFERENCE) {
                double[] xs = IntStream.rangeClosed(1, last).asDoubleStream().toArray();
                double[] ys = IntStream.rangeClosed(1, last)
                        .mapToDouble(block -> Numbers.scaled(metric, values.getOrDefault(block, Double.NaN)))
                        .toArray();
                chart.line(new Chart.Line(judgement.name(arm), style(group, arm), xs, ys));
            }
        }
        return any ? Optional.of(figure(title(cell), metric.label() + unit(metric), chart)) : Optional.empty();
    }

    /** How far an invocation lies from its arm's mean, by its position in the block, over all loads of a group. */
    Optional<String> positions(Group group, Metric metric) {
        TreeMap<Integer, List<Double>> byPosition = new TreeMap<>();
        List<Invocation> chosen = judgement.chosen();
        for (Arm arm : group.all()) {
            if (arm.role() == Arm.Role.REFERENCE) {
                continue;
            }
            for (Invocation invocation : chosen) {
                if (invocation.arm().equals(arm.id())) {
                    double away = away(arm, invocation.block(), metric);
                    if (!Double.isNaN(away)) {
                        byPosition
                                .computeIfAbsent(invocation.position(), p -> new ArrayList<>())
                                .add(away);
                    }
                }
            }
        }
        if (byPosition.size() < 2) {
            return Optional.empty();
        }
        int first = byPosition.firstKey();
        int last = byPosition.lastKey();
        Chart chart = new Chart(
                        metric.label() + ", % from the arm's mean: " + group.name(),
                        "position in the block",
                        first - 0.3,
                        last + 0.3,
                        whole(first, last))
                .close()
                .points()
                .flat()
                .yLabel(value -> (value > 0 ? "+" : "") + Chart.label(value));
        List<double[]> dots = new ArrayList<>();
        byPosition.forEach((position, values) -> values.forEach(value -> dots.add(new double[] {position, value})));
        chart.line(new Chart.Line(
                "invocations",
                "ref single",
                dots.stream().mapToDouble(dot -> dot[0]).toArray(),
                dots.stream().mapToDouble(dot -> dot[1]).toArray()));
        chart.line(new Chart.Line(
                "mean",
                "c1",
                byPosition.keySet().stream().mapToDouble(Integer::doubleValue).toArray(),
                byPosition.values().stream().mapToDouble(Curves::mean).toArray()));
        return Optional.of(figure(metric.label(), "% from the arm's mean", chart));
    }

    /** In percent, the mean over all loads; NaN without any. */
    private double away(Arm arm, int block, Metric metric) {
        List<Double> away = new ArrayList<>();
        for (Cell cell : judgement.cells()) {
            SortedMap<Integer, Double> values = judgement.values(arm, cell, metric);
            Double value = values.get(block);
            double mean = judgement.describe(metric, values).mean();
            if (value != null && value > 0 && mean > 0) {
                away.add(Math.log(value / mean));
            }
        }
        return away.isEmpty() ? Double.NaN : 100 * Math.expm1(mean(away));
    }

    private static double mean(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).average().orElse(Double.NaN);
    }

    /** The threads of each arm's first server that was watched: by state, and by role. */
    Optional<String> threads(Group group) {
        Map<String, Invocation.ThreadTimeline> watched = new java.util.LinkedHashMap<>();
        for (Arm arm : group.all()) {
            judgement.chosen().stream()
                    .filter(invocation -> invocation.arm().equals(arm.id()) && drawable(invocation.threads()))
                    .findFirst()
                    .ifPresent(first -> watched.put(judgement.name(arm) + ", block " + first.block(), first.threads()));
        }
        return threads(watched);
    }

    /** Threads of servers by their names: by state, and by role; those that nobody could see are left out. */
    static Optional<String> threads(Map<String, Invocation.ThreadTimeline> servers) {
        Map<String, Invocation.ThreadTimeline> watched = new java.util.LinkedHashMap<>(servers);
        watched.values().removeIf(threads -> !drawable(threads));
        if (watched.isEmpty()) {
            return Optional.empty();
        }
        double mostStates = watched.values().stream()
                .mapToDouble(threads -> most(threads, STATES))
                .max()
                .orElse(0);
        double mostRoles = watched.values().stream()
                .mapToDouble(threads -> most(threads, ROLES))
                .max()
                .orElse(0);
        List<String> charts = new ArrayList<>();
        watched.forEach((name, threads) -> {
            charts.add(threads("Threads by state: " + name, threads, STATES, mostStates));
            charts.add(threads("Threads by role: " + name, threads, ROLES, mostRoles));
        });
        return Optional.of(Template.html("pairs", charts));
    }

    private static boolean drawable(Invocation.ThreadTimeline threads) {
        return threads != null
                && threads.seconds() != null
                && threads.series() != null
                && threads.seconds().size() > 1;
    }

    private static String threads(String title, Invocation.ThreadTimeline threads, List<String> kinds, double most) {
        double[] seconds = numbers(threads.seconds());
        double end = Math.max(1, Arrays.stream(seconds).max().orElse(1));
        Chart chart = new Chart(title, "s since the server was ready", end, Chart.ticks(end, 6, Chart::label))
                .shade(threads.loadFrom(), end)
                .shadeName("measured load")
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

    private static double most(Invocation.ThreadTimeline threads, List<String> kinds) {
        return kinds.stream()
                .flatMapToDouble(kind -> Arrays.stream(series(threads, kind)))
                .filter(Double::isFinite)
                .max()
                .orElse(0);
    }

    /** A series by its bare name: {@code threads.live}, {@code state.live} and {@code live} are the same. */
    private static double[] series(Invocation.ThreadTimeline threads, String kind) {
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

    /** Means of neighbours, where there are more values than can be seen. */
    private static double[] thin(double[] values, int n) {
        int each = Math.max(1, (n + TIMES - 1) / TIMES);
        return IntStream.range(0, (n + each - 1) / each)
                .mapToDouble(i -> Arrays.stream(values, i * each, Math.min(n, (i + 1) * each))
                        .average()
                        .orElse(Double.NaN))
                .toArray();
    }

    private static List<Chart.Tick> whole(int first, int last) {
        int step = Math.max(1, (int) Chart.step(last - first, 10));
        List<Chart.Tick> ticks = new ArrayList<>();
        for (int at = first; at <= last; at += step) {
            ticks.add(new Chart.Tick(at, Integer.toString(at)));
        }
        return ticks;
    }

    private static String title(Cell cell) {
        return cell.words();
    }

    private static String unit(Metric metric) {
        String unit = Numbers.unit(metric);
        return unit.isEmpty() ? "" : ", " + unit;
    }

    /** A drawing with its heading beside it. */
    record Figure(String title, String what, String svg, List<Chart.Key> legend) {}

    static String figure(String title, String what, Chart chart) {
        return figure(title, what, chart, List.of());
    }

    private static String figure(String title, String what, Chart chart, List<Chart.Key> legend) {
        return Template.html("figure", new Figure(title, what, chart.untitled().svg(), legend));
    }
}
