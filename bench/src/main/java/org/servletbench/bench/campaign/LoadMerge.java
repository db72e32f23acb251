package org.servletbench.bench.campaign;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;
import org.servletbench.bench.load.Generators;
import org.servletbench.bench.measure.Latency;
import org.servletbench.bench.measure.Relative;
import org.servletbench.bench.measure.RequestTally;
import org.servletbench.bench.measure.ServerUse;
import org.servletbench.bench.measure.Trend;
import org.servletbench.bench.measure.WindowResult;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.MeasurementQuality;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Warning;
import org.servletbench.bench.model.WarningKind;
import org.servletbench.bench.record.LoadFigures;

/** Merges the windows or time slices of a server run, over all rounds, into the result of a load. */
public final class LoadMerge {

    /**
     * Maximum share of allocated memory that the server touches for the first time under load. The kernel finds and
     * clears each page of a heap on first use. That took up to a quarter of a server's CPU time (docs/proof.md), so a
     * twentieth of the memory costs 1 to 2 %.
     */
    private static final double FIRST_TOUCH = 0.05;
    /**
     * Maximum time in which a compilation was under way, relative to the time in which the server was busy. It is not
     * above the usual margin, because the compiler's time is part of the CPU time per request. A service with much to
     * compile had 0.42 to 0.54 after a warm-up that was too short for it, and 0.01 to 0.02 when it was warm.
     */
    static final double COMPILING_PERCENT = ServerUse.COMPILING_PERCENT;

    /**
     * The division of processors, and limits for their use.
     *
     * @param busyShare maximum share of its processors' time that the generator may use, 0 to 1
     * @param othersPercent maximum share of the time of the server's and the generator's processors that other programs
     *     may use, percent
     */
    record Division(int server, int generator, double busyShare, double othersPercent) {

        Division withGenerator(int processors) {
            return new Division(server, processors, busyShare, othersPercent);
        }

        /** Leaves out processors for which the generator has no threads. */
        private Division of(MeasuredLoad load) {
            return withGenerator(Math.min(
                    generator,
                    Generators.find(load.tool())
                            .map(tool -> tool.mostProcessors(load.settings(), load.users()))
                            .orElse(generator)));
        }
    }

    /**
     * The rates from which a server's trend is computed.
     *
     * @param ordered rates in order of time; empty if unknown
     * @param relative true if they are relative to the servers that were up with it; false if they are requests/s of a
     *     server that was up alone
     */
    record Rates(List<Double> ordered, boolean relative) {

        /**
         * Returns the rates of time slices in batches, which are relative already; without slices, the rates of
         * windows, relative to others of the same round. A server that was up alone has rates for each second, or for
         * whole windows if the generator does not report seconds.
         *
         * @param all windows of each server that was up
         * @param server index of the server among them
         */
        static Rates of(List<List<WindowResult>> all, int server) {
            List<WindowResult> own = inOrder(all.get(server));
            if (!own.isEmpty()
                    && own.stream().allMatch(window -> window.timeSlices().isPresent())) {
                return new Rates(seconds(own), true);
            }
            if (all.size() == 1) {
                boolean sliced =
                        own.stream().noneMatch(window -> window.trendRates().isEmpty());
                return new Rates(sliced ? seconds(own) : rounds(own), false);
            }
            List<List<Double>> rounds =
                    all.stream().map(one -> rounds(inOrder(one))).toList();
            return new Rates(
                    own.size() < Trend.LEAST_POINTS
                            ? List.of()
                            : Relative.of(rounds).get(server),
                    true);
        }

        private static List<Double> seconds(List<WindowResult> windows) {
            return windows.stream()
                    .flatMap(window -> window.trendRates().stream())
                    .toList();
        }

        private static List<Double> rounds(List<WindowResult> windows) {
            return windows.stream().map(WindowResult::throughput).toList();
        }

        /** Returns the trend; empty in an open model, where the generator sets the rate. */
        private Optional<Trend> trend(MeasuredLoad load) {
            double[] rates = ordered.stream().mapToDouble(Double::doubleValue).toArray();
            return load.rate() > 0 ? Optional.empty() : relative ? Trend.ofRounds(rates) : Trend.of(rates);
        }

        /** Describes how a server changed. */
        private String words(String changed) {
            return relative
                    ? "relative to the others the server " + changed
                    : "the server, which was up alone, " + changed + ", absolutely";
        }
    }

    /**
     * Minimum number of spans per request, below which spans are missing. Each request has at least one, but those of a
     * load's last requests may not have been exported yet.
     */
    private static final double LEAST_SPANS = 0.95;

    private LoadMerge() {}

    private static List<WindowResult> inOrder(List<WindowResult> windows) {
        return windows.stream()
                .sorted(Comparator.comparingLong(
                        (WindowResult window) -> window.steady().fromMs()))
                .toList();
    }

    private static void put(Map<String, Double> figures, Metric metric, double value) {
        if (Double.isFinite(value)) {
            figures.put(metric.key(), value);
        }
    }

    /** Merges the windows of a server that had time slices or was up alone. */
    static LoadFigures of(MeasuredLoad load, List<WindowResult> windows, Division division) {
        return of(load, List.of(windows), 0, division);
    }

    /**
     * @param all windows of each server that was up
     *
     * @param server index of the server among them
     */
    static LoadFigures of(MeasuredLoad load, List<List<WindowResult>> all, int server, Division division) {
        List<WindowResult> windows = inOrder(all.get(server));
        long requests = windows.stream().mapToLong(WindowResult::requests).sum();
        long errors = windows.stream().mapToLong(WindowResult::errors).sum();
        double seconds = windows.stream().mapToDouble(WindowResult::seconds).sum();
        Map<String, Double> figures = new TreeMap<>();
        put(figures, Metric.THROUGHPUT, seconds > 0 ? requests / seconds : Double.NaN);
        put(figures, Metric.ERRORS, requests > 0 ? 100.0 * errors / requests : Double.NaN);
        String histogram = latency(windows, figures);
        use(windows, requests, seconds, figures);
        Rates rates = Rates.of(all, server);
        Optional<Trend> trend = rates.trend(load);
        Optional<MeasurementQuality> fidelity = MeasurementQuality.of(load.tool());
        Map<String, Double> reported = new TreeMap<>();
        if (!fidelity.map(MeasurementQuality::latencyMeasured).orElse(true)) {
            figures.forEach((key, value) -> Metric.of(key)
                    .filter(metric -> metric.kind() == Metric.Kind.LATENCY)
                    .ifPresent(metric -> reported.put(key, value)));
            figures.keySet().removeAll(reported.keySet());
        }
        return new LoadFigures(
                load,
                new LoadFigures.Counted(windows.size(), requests, errors, seconds),
                new LoadFigures.Values(
                        figures,
                        reported,
                        histogram,
                        fidelity.map(MeasurementQuality::resolutionMs).orElse(Double.NaN)),
                new LoadFigures.Course(
                        windows.stream()
                                .flatMap(window -> window.rates().stream())
                                .toList(),
                        windows.stream()
                                .flatMap(window -> window.cpuRates().stream())
                                .toList(),
                        trend.orElse(null)),
                new LoadFigures.Findings(
                        warnings(windows, figures, rates, trend, division.of(load)),
                        windows.stream()
                                .flatMap(window -> window.links().stream())
                                .distinct()
                                .toList()),
                List.of(),
                each(windows, seconds));
    }

    private static List<LoadFigures.Request> each(List<WindowResult> windows, double seconds) {
        Map<String, RequestTally> all = new LinkedHashMap<>();
        windows.stream().flatMap(window -> window.each().stream()).forEach(one -> all.computeIfAbsent(
                        one.label(), RequestTally::new)
                .add(one));
        return all.values().stream()
                .map(one -> {
                    Map<String, Double> figures = new TreeMap<>();
                    put(figures, Metric.THROUGHPUT, one.requests() / seconds);
                    put(figures, Metric.ERRORS, 100.0 * one.errors() / one.requests());
                    latency(one.latency(), figures);
                    return new LoadFigures.Request(one.label(), one.requests(), one.errors(), figures);
                })
                .toList();
    }

    private static String latency(List<WindowResult> windows, Map<String, Double> figures) {
        if (windows.stream().anyMatch(window -> window.histogram().isEmpty())) {
            // Percentiles are never averaged. A single window keeps the generator's own figures, several have only the
            // mean.
            if (windows.size() == 1) {
                windows.get(0).steady().latency().figures().forEach((metric, value) -> put(figures, metric, value));
            } else {
                put(figures, Metric.MEAN, mean(windows));
            }
            return "";
        }
        Histogram all = windows.get(0).histogram().orElseThrow().copy();
        windows.stream().skip(1).forEach(window -> all.add(window.histogram().orElseThrow()));
        if (all.getTotalCount() == 0) {
            return "";
        }
        latency(all, figures);
        if (windows.stream().allMatch(window -> window.timeSlices().isPresent())) {
            put(figures, Metric.MEAN, mean(windows));
        }
        put(
                figures,
                Metric.MAX,
                windows.stream()
                        .mapToDouble(window -> window.steady().latency().max())
                        .max()
                        .orElse(Double.NaN));
        return encoded(all);
    }

    private static double mean(List<WindowResult> windows) {
        long requests = windows.stream().mapToLong(WindowResult::requests).sum();
        return windows.stream()
                        .mapToDouble(window ->
                                window.requests() * window.steady().latency().mean())
                        .sum()
                / requests;
    }

    private static void latency(Histogram times, Map<String, Double> figures) {
        if (times.getTotalCount() > 0) {
            put(figures, Metric.MEAN, times.getMean());
            Latency.PERCENTILES.forEach((metric, percent) -> put(figures, metric, percentile(times, percent)));
        }
    }

    /** Returns HdrHistogram's own compressed encoding (V2) in Base64, which HdrHistogram's tools can read and merge. */
    public static String encoded(Histogram histogram) {
        ByteBuffer bytes = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        int length = histogram.encodeIntoCompressedByteBuffer(bytes);
        return Base64.getEncoder().encodeToString(Arrays.copyOf(bytes.array(), length));
    }

    /**
     * Returns a percentile of grouped data. Times in the logs are whole ms, so requests of the same ms are treated as
     * if spread evenly around it. The nearest rank would jump from 2 to 3 ms, by half, for a server that became only
     * slightly slower.
     */
    static double percentile(Histogram histogram, double percent) {
        double rank = percent / 100 * histogram.getTotalCount();
        long before = 0;
        for (HistogramIterationValue step : histogram.recordedValues()) {
            long count = step.getCountAddedInThisIterationStep();
            if (before + count >= rank) {
                double low = Math.max(0, histogram.lowestEquivalentValue(step.getValueIteratedTo()) - 0.5);
                double high = histogram.highestEquivalentValue(step.getValueIteratedTo()) + 0.5;
                return low + (high - low) * (rank - before) / count;
            }
            before += count;
        }
        return Double.NaN;
    }

    private static void use(List<WindowResult> windows, long requests, double seconds, Map<String, Double> figures) {
        if (windows.stream().anyMatch(window -> window.use().isEmpty())) {
            return;
        }
        ToDoubleFunction<WindowResult> cpu =
                window -> window.requests() * use(window).of(Metric.CPU);
        for (Metric metric : Metric.ofServer()) {
            DoubleStream seen = windows.stream()
                    .mapToDouble(window -> use(window).of(metric))
                    .filter(Double::isFinite);
            put(
                    figures,
                    metric,
                    switch (metric.reading().orElseThrow().how()) {
                        case PER_REQUEST, PART_OF_CPU, PER_CONNECTION ->
                            mean(windows, WindowResult::requests, requests, metric);
                        case PER_CPU_TIME ->
                            mean(windows, cpu, windows.stream().mapToDouble(cpu).sum(), metric);
                        case MOST -> seen.max().orElse(Double.NaN);
                        case LEAST -> seen.min().orElse(Double.NaN);
                        case PER_TIME_OF_LOAD, MEAN, OF_BUSIEST_GENERATOR, OF_WORST_MACHINE, OF_WORST_PROCESSORS ->
                            mean(windows, WindowResult::seconds, seconds, metric);
                    });
        }
    }

    private static ServerUse use(WindowResult window) {
        return window.use().orElseThrow();
    }

    /** Returns the share of first touches over all windows, weighted by their allocation; NaN if unknown. */
    private static double firstTouch(List<WindowResult> windows) {
        if (windows.stream().anyMatch(window -> window.use().isEmpty())) {
            return Double.NaN;
        }
        ToDoubleFunction<WindowResult> allocated =
                window -> window.requests() * use(window).of(Metric.ALLOCATION);
        return windows.stream()
                        .mapToDouble(window ->
                                allocated.applyAsDouble(window) * use(window).firstTouchShare())
                        .sum()
                / windows.stream().mapToDouble(allocated).sum();
    }

    /** Returns the weighted sum of a metric over all windows, divided by {@code all}. */
    private static double mean(
            List<WindowResult> windows, ToDoubleFunction<WindowResult> weight, double all, Metric metric) {
        return windows.stream()
                        .mapToDouble(window ->
                                weight.applyAsDouble(window) * use(window).of(metric))
                        .sum()
                / all;
    }

    private static List<Warning> changing(Map<String, Double> figures, Rates rates, Optional<Trend> trend) {
        List<Warning> warnings = new ArrayList<>();
        trend.ifPresent(one -> Warning.add(
                warnings, one.rises(), WarningKind.RISING, "%s: %s", rates.words("became faster"), one.words()));
        double compiler = figures.getOrDefault(Metric.COMPILER.key(), Double.NaN);
        Warning.add(
                warnings,
                compiler > COMPILING_PERCENT,
                WarningKind.COMPILING,
                "the JIT compiler took %.1f %% of the server's CPU time (limit %.0f %%)",
                compiler,
                COMPILING_PERCENT);
        return warnings;
    }

    private static List<Warning> warnings(
            List<WindowResult> windows,
            Map<String, Double> figures,
            Rates rates,
            Optional<Trend> trend,
            Division division) {
        List<Warning> warnings = new ArrayList<>(new LinkedHashSet<>(
                windows.stream().flatMap(window -> window.warnings().stream()).toList()));
        warnings.addAll(changing(figures, rates, trend));
        trend.ifPresent(one -> Warning.add(
                warnings, one.falls(), WarningKind.UNSTEADY, "%s: %s", rates.words("became slower"), one.words()));
        double firstTouch = firstTouch(windows);
        Warning.add(
                warnings,
                firstTouch > FIRST_TOUCH,
                WarningKind.FIRST_TOUCH,
                "the server's process grew by %.0f %% of what it allocated (limit %.0f %%)",
                100 * firstTouch,
                100 * FIRST_TOUCH);
        // Servers that must not export have no spans.
        double spans = figures.getOrDefault(Metric.SPANS.key(), Double.NaN);
        Warning.add(
                warnings,
                spans > 0 && spans < LEAST_SPANS,
                WarningKind.SPANS_MISSING,
                "%.2f spans per request arrived at the collector (limit %.2f)",
                spans,
                LEAST_SPANS);
        ServerUse.disturbances(
                        figures.getOrDefault(Metric.OTHERS.key(), Double.NaN),
                        figures.getOrDefault(Metric.STEAL.key(), Double.NaN),
                        division.othersPercent())
                .forEach(words -> warnings.add(Warning.of(WarningKind.DISTURBED, words)));
        double busy = figures.getOrDefault(Metric.GENERATOR_CORES.key(), Double.NaN) / division.generator();
        double server = figures.getOrDefault(Metric.SERVER_CORES.key(), Double.NaN) / division.server();
        // If both are at their limits, the server's queue is never empty, so that the server sets the pace as much as
        // the generator.
        boolean alone = !(server >= busy);
        Warning.add(
                warnings,
                busy > division.busyShare(),
                alone ? WarningKind.GENERATOR_BOTTLENECK : WarningKind.GENERATOR_BUSY,
                "the generator was busy %.0f %% of its processors' time (limit %.0f %%), the server %.0f %%",
                100 * busy,
                100 * division.busyShare(),
                100 * server);
        return List.copyOf(warnings);
    }
}
