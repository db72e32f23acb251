package org.servletbench.bench.campaign;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;
import org.servletbench.bench.load.Fidelity;
import org.servletbench.bench.load.ToolResult;
import org.servletbench.bench.measure.Audit;
import org.servletbench.bench.measure.CellMeasurement;
import org.servletbench.bench.measure.Check;
import org.servletbench.bench.measure.MonitorSeries;
import org.servletbench.bench.measure.Rotation;
import org.servletbench.bench.measure.ServerUse;
import org.servletbench.bench.measure.Slice;
import org.servletbench.bench.measure.Trend;
import org.servletbench.bench.measure.TurnsMeasurement;
import org.servletbench.bench.record.Cell;
import org.servletbench.bench.record.CellResult;
import org.servletbench.bench.record.Mark;
import org.servletbench.bench.record.MarkKind;
import org.servletbench.bench.record.Metric;

/**
 * One window of one cell, whatever the generator: what is merged over the rounds of an invocation.
 *
 * @param fromMs when it began, ms since the epoch
 * @param requests that ended in it
 * @param errors failed ones among them
 * @param seconds its length, s
 * @param slices rates within it, evenly spaced, in order, for the {@link Trend}; empty where the tool does not tell
 * @param histogram response times, ms; empty where the tool gives only figures
 * @param told figures that the tool gives itself, by {@link Metric#key}; used where there is no histogram
 * @param use what the server used; empty where nobody could tell
 * @param marks what a reader must know
 * @param links raw logs and native reports, from the invocation's folder
 * @param rates throughput in parts of it, requests/s, in order of time
 * @param cpuRates CPU time per request in the same parts, µs; empty where it is not known
 */
record Part(
        long fromMs,
        long requests,
        long errors,
        double seconds,
        List<Double> slices,
        Optional<Histogram> histogram,
        Map<String, Double> told,
        Optional<ServerUse> use,
        List<Mark> marks,
        List<String> links,
        List<Double> rates,
        List<Double> cpuRates) {

    /**
     * How processors are divided.
     *
     * @param server processors for the server
     * @param generator processors for the generator
     * @param busyShare of its processors' time that the generator may be busy, 0 to 1
     * @param othersPercent of the time of the server's processors that others may take
     */
    record Division(int server, int generator, double busyShare, double othersPercent) {}

    /** Judged over all rounds together, by the {@link Trend}: a window of some seconds drifts by chance. */
    private static final String TREND = "trend";
    /**
     * The kernel finds and clears each page of a heap when it is used for the first time. Where this was found that was a quarter
     * of a server's CPU time (docs/proof.md), so that a twentieth of it is 1 to 2 %.
     */
    private static final double FIRST_TOUCH = 0.05;
    /** Of turns less than this share counted tells little: the rest was spent on answers for the server before. */
    private static final double LEAST_COUNTED = 0.5;
    /** A server that works between its turns by so much more than the others, as a share of what its requests cost. */
    private static final double OUTSIDE = 0.05;
    /** Pauses longer than a turn, as a share of a server's turns: a shared machine stands still once in a while by itself. */
    private static final double LONG_PAUSES = 0.05;
    /** Users for whom the generator has no time, as a share: with more the throughput is what the generator could do. */
    private static final double USERS_MISSING = 0.05;

    static Part of(CellMeasurement cell, MonitorSeries monitor, List<Check> ofLog, List<String> links) {
        CellMeasurement watched = cell.with(monitor);
        List<Slice> inside = cell.slices().stream()
                .filter(slice -> slice.fromMs() >= cell.window().fromMs()
                        && slice.toMs() <= cell.window().toMs())
                .toList();
        List<Mark> marks = new ArrayList<>(Stream.concat(ofLog.stream(), cell.checks().stream())
                .filter(check -> check.failed() && !check.name().equals(TREND))
                .map(check -> Mark.of(MarkKind.of(check.name()), check.figures()))
                .toList());
        if (cell.steady().count() == 0) {
            marks.add(Mark.of(MarkKind.EMPTY, "no request ended while all users were active: the window is too short"));
        }
        return new Part(
                cell.window().fromMs(),
                cell.steady().count(),
                cell.steady().errors(),
                cell.steady().seconds(),
                inside.stream().map(Slice::throughput).toList(),
                Optional.of(cell.histogram()),
                Map.of(Metric.MAX.key(), cell.steady().latency().max()),
                watched.server(),
                marks,
                links,
                List.of(cell.steady().count() / cell.steady().seconds()),
                List.of());
    }

    /**
     * A server's turns.
     *
     * @param turns what was measured
     * @param rotation who had his turn when
     * @param users of the load
     * @param outside by how much more its CPU time per request is over the whole load than in its turns, as a share, less the same
     *     of the server where it is least; NaN where not known
     * @param besideOthers its rates in batches of rounds, divided by those of the other servers; for the {@link Trend}
     * @param monitor the server's
     * @param ofLog what is wrong with the log as a whole
     * @param links the raw log
     */
    static Part of(
            TurnsMeasurement turns,
            Rotation rotation,
            int users,
            double outside,
            List<Double> besideOthers,
            MonitorSeries monitor,
            List<Check> ofLog,
            List<String> links) {
        List<Mark> marks = new ArrayList<>(ofLog.stream()
                .map(check -> Mark.of(MarkKind.of(check.name()), check.figures()))
                .toList());
        if (turns.requests() == 0) {
            marks.add(Mark.of(MarkKind.EMPTY, "no request was answered in the counted part of its turns"));
        } else {
            if (turns.failed() > Audit.ERRORS * turns.all()) {
                marks.add(Mark.of(MarkKind.ERRORS, turns.failed() + " of " + turns.all() + " failed: " + turns.errorKinds()));
            }
            double missing = 1 - turns.users() / users;
            if (missing > USERS_MISSING) {
                marks.add(Mark.of(MarkKind.USERS_WAITING,
                        text(
                                "only %.1f of %d users waited for this server in its turns (limit %.0f %% fewer): the generator had no"
                                        + " time for the others",
                                turns.users(), users, 100 * USERS_MISSING)));
            }
        }
        if (turns.seconds() < LEAST_COUNTED * turns.turnSeconds()) {
            marks.add(Mark.of(MarkKind.SHORT_TURNS,
                    text(
                            "only %.0f %% of its turns of %d ms could be counted (limit %.0f %%): the servers before took long to"
                                    + " answer what was under way; give longer turns (--turn)",
                            100 * turns.seconds() / turns.turnSeconds(), rotation.turnMs(), 100 * LEAST_COUNTED)));
        }
        if (turns.blocked() > LONG_PAUSES * rotation.rounds()) {
            marks.add(Mark.of(MarkKind.LONG_PAUSES,
                    text(
                            "it held the users through %d whole turns of other servers: pauses longer than a turn of %d ms are not"
                                    + " charged to it, so that its throughput may be too high; give longer turns (--turn)",
                            turns.blocked(), rotation.turnMs())));
        }
        if (outside > OUTSIDE) {
            marks.add(Mark.of(MarkKind.OUTSIDE_TURNS,
                    text(
                            "its CPU time per request is %.0f %% more over the whole load than in its turns, beyond what all servers"
                                    + " have: it compiled or collected between its turns",
                            100 * outside)));
        }
        if (turns.readings() < rotation.rounds() / 2) {
            marks.add(Mark.of(MarkKind.NO_CPU_READINGS,
                    text(
                            "CPU time was read at the edges of only %d of its %d turns",
                            turns.readings(), rotation.rounds())));
        }
        Optional<ServerUse> whole = monitor.over(rotation.originMs(), rotation.endMs(), turns.all());
        Map<String, Double> told = turns.maxMs() < 0 ? Map.of() : Map.of(Metric.MAX.key(), (double) turns.maxMs());
        return new Part(
                rotation.originMs(),
                turns.requests(),
                turns.errors(),
                turns.seconds(),
                besideOthers,
                Optional.of(turns.latency()),
                told,
                Optional.of(ServerUse.inTurns(
                        whole,
                        1.0 / rotation.names().size(),
                        turns.cpuMicrosPerRequest(),
                        turns.cores(),
                        turns.generatorCores())),
                marks,
                links,
                turns.rates(),
                turns.cpuRates());
    }

    private static String text(String format, Object... figures) {
        return String.format(Locale.ROOT, format, figures);
    }

    /**
     * @param fromMs a row of the monitor before the tool began, ms since the epoch
     * @param toMs one after it had ended: all that the requests cost lies between them
     */
    static Part of(ToolResult result, MonitorSeries monitor, long fromMs, long toMs, List<String> links) {
        var figures = result.figures();
        Map<String, Double> told = new TreeMap<>();
        put(told, Metric.MEAN, figures.latency().mean());
        put(told, Metric.MAX, figures.latency().max());
        put(told, Metric.P50, figures.latency().percentile(50));
        put(told, Metric.P75, figures.latency().percentile(75));
        put(told, Metric.P90, figures.latency().percentile(90));
        put(told, Metric.P95, figures.latency().percentile(95));
        put(told, Metric.P99, figures.latency().percentile(99));
        put(told, Metric.P999, figures.latency().percentile(99.9));
        double share = Math.min(1, 1000 * figures.seconds() / (toMs - fromMs));
        List<Mark> marks = new ArrayList<>(figures.notes().stream()
                .map(note -> new Mark(MarkKind.of(note.kind().key()), note.figures(), note.excludes()))
                .toList());
        if (figures.failed() > figures.completed() / 1000) {
            marks.add(Mark.of(MarkKind.ERRORS,
                    figures.failed() + " of " + figures.completed() + " failed: " + figures.failures()));
        }
        return new Part(
                fromMs,
                figures.completed(),
                figures.failed(),
                figures.seconds(),
                List.of(),
                Optional.empty(),
                told,
                monitor.over(fromMs, toMs, figures.completed())
                        .map(use -> use.underLoad(share).withGenerator(result.cpuSeconds() / figures.seconds())),
                marks,
                links,
                List.of(figures.completed() / figures.seconds()),
                List.of());
    }

    private static void put(Map<String, Double> figures, Metric metric, double value) {
        if (Double.isFinite(value)) {
            figures.put(metric.key(), value);
        }
    }

    /**
     * The cell of an invocation from its windows.
     *
     * @param unordered at least one window
     * @param division which processors there are for server and generator, and when the generator counts as busy
     */
    static CellResult merge(Cell cell, List<Part> unordered, Division division) {
        List<Part> parts = unordered.stream()
                .sorted(Comparator.comparingLong(Part::fromMs))
                .toList();
        long requests = parts.stream().mapToLong(Part::requests).sum();
        long errors = parts.stream().mapToLong(Part::errors).sum();
        double seconds = parts.stream().mapToDouble(Part::seconds).sum();
        Map<String, Double> figures = new TreeMap<>();
        put(figures, Metric.THROUGHPUT, seconds > 0 ? requests / seconds : Double.NaN);
        put(figures, Metric.ERRORS, requests > 0 ? 100.0 * errors / requests : Double.NaN);
        String histogram = latency(parts, figures);
        use(parts, requests, seconds, figures);
        Optional<Trend> trend = trend(cell, parts);
        Optional<Fidelity> fidelity = Fidelity.of(cell.generator());
        Map<String, Double> told = new TreeMap<>();
        if (!fidelity.map(Fidelity::latencyMeasured).orElse(true)) {
            figures.forEach((key, value) -> Metric.of(key)
                    .filter(metric -> metric.kind() == Metric.Kind.LATENCY)
                    .ifPresent(metric -> told.put(key, value)));
            figures.keySet().removeAll(told.keySet());
        }
        return new CellResult(
                cell,
                parts.size(),
                requests,
                errors,
                seconds,
                figures,
                parts.stream().flatMap(part -> part.rates.stream()).toList(),
                histogram,
                marks(parts, figures, trend, division),
                parts.stream().flatMap(part -> part.links.stream()).distinct().toList(),
                fidelity.map(Fidelity::resolutionMs).orElse(Double.NaN),
                told,
                trend.orElse(null),
                parts.stream().flatMap(part -> part.cpuRates.stream()).toList());
    }

    /** Over all windows in order; under an open model it is the generator that sets the rate. */
    private static Optional<Trend> trend(Cell cell, List<Part> parts) {
        if (cell.rate() > 0) {
            return Optional.empty();
        }
        boolean sliced = parts.stream().noneMatch(part -> part.slices.isEmpty());
        return Trend.of(parts.stream()
                .flatMap(part -> sliced ? part.slices.stream() : Stream.of(part.requests / part.seconds))
                .mapToDouble(Double::doubleValue)
                .toArray());
    }

    private static String latency(List<Part> parts, Map<String, Double> figures) {
        if (parts.stream().anyMatch(part -> part.histogram.isEmpty())) {
            // Percentiles are never averaged: with one window the tool's own figures stand, with more only the mean
            // does.
            if (parts.size() == 1) {
                figures.putAll(parts.get(0).told);
            } else {
                long requests = parts.stream().mapToLong(Part::requests).sum();
                put(
                        figures,
                        Metric.MEAN,
                        parts.stream()
                                        .mapToDouble(part ->
                                                part.requests * part.told.getOrDefault(Metric.MEAN.key(), Double.NaN))
                                        .sum()
                                / requests);
            }
            return "";
        }
        Histogram all = parts.get(0).histogram.orElseThrow().copy();
        parts.stream().skip(1).forEach(part -> all.add(part.histogram.orElseThrow()));
        if (all.getTotalCount() == 0) {
            return "";
        }
        put(figures, Metric.MEAN, all.getMean());
        put(figures, Metric.P50, percentile(all, 50));
        put(figures, Metric.P75, percentile(all, 75));
        put(figures, Metric.P90, percentile(all, 90));
        put(figures, Metric.P95, percentile(all, 95));
        put(figures, Metric.P99, percentile(all, 99));
        put(figures, Metric.P999, percentile(all, 99.9));
        put(
                figures,
                Metric.MAX,
                parts.stream()
                        .mapToDouble(part -> part.told.getOrDefault(Metric.MAX.key(), Double.NaN))
                        .max()
                        .orElse(Double.NaN));
        ByteBuffer bytes = ByteBuffer.allocate(all.getNeededByteBufferCapacity());
        int length = all.encodeIntoCompressedByteBuffer(bytes);
        return Base64.getEncoder().encodeToString(Arrays.copyOf(bytes.array(), length));
    }

    /**
     * The percentile of grouped data: the tools' times are whole ms, so those of one ms are taken as spread evenly around it.
     * The nearest rank alone would jump from 2 to 3 ms, by half, where a server became a little slower.
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

    private static void use(List<Part> parts, long requests, double seconds, Map<String, Double> figures) {
        if (parts.stream().anyMatch(part -> part.use.isEmpty())) {
            return;
        }
        put(figures, Metric.CPU, byRequest(parts, requests, ServerUse::cpuMicrosPerRequest));
        put(figures, Metric.ALLOCATION, byRequest(parts, requests, ServerUse::allocatedBytesPerRequest));
        put(figures, Metric.SWITCHES, byRequest(parts, requests, ServerUse::contextSwitchesPerRequest));
        put(figures, Metric.GC, byTime(parts, seconds, ServerUse::gcPercent));
        put(figures, Metric.JIT, byTime(parts, seconds, ServerUse::jitPercent));
        put(figures, Metric.SERVER_CORES, byTime(parts, seconds, ServerUse::cores));
        put(figures, Metric.GENERATOR_CORES, byTime(parts, seconds, ServerUse::generatorCores));
        put(figures, Metric.STEAL, byTime(parts, seconds, ServerUse::stealPercent));
        put(figures, Metric.OTHERS, byTime(parts, seconds, ServerUse::othersPercent));
        OptionalDouble rss = parts.stream()
                .mapToDouble(part -> part.use.orElseThrow().residentBytes())
                .max();
        put(figures, Metric.RSS, rss.orElse(Double.NaN));
    }

    /** Over all windows, by what was allocated in each; NaN where nobody could tell. */
    private static double firstTouch(List<Part> parts) {
        if (parts.stream().anyMatch(part -> part.use.isEmpty())) {
            return Double.NaN;
        }
        return byRequest(parts, 1, use -> use.allocatedBytesPerRequest() * use.firstTouchShare())
                / byRequest(parts, 1, ServerUse::allocatedBytesPerRequest);
    }

    private static double byRequest(List<Part> parts, long requests, ToDoubleFunction<ServerUse> figure) {
        return parts.stream()
                        .mapToDouble(part -> part.requests * figure.applyAsDouble(part.use.orElseThrow()))
                        .sum()
                / requests;
    }

    private static double byTime(List<Part> parts, double seconds, ToDoubleFunction<ServerUse> figure) {
        return parts.stream()
                        .mapToDouble(part -> part.seconds * figure.applyAsDouble(part.use.orElseThrow()))
                        .sum()
                / seconds;
    }

    private static List<Mark> marks(
            List<Part> parts, Map<String, Double> figures, Optional<Trend> trend, Division division) {
        List<Mark> marks = new ArrayList<>(new LinkedHashSet<>(
                parts.stream().flatMap(part -> part.marks.stream()).toList()));
        trend.filter(Trend::rises)
                .ifPresent(rise ->
                        marks.add(Mark.of(MarkKind.RISING, "the server was still getting faster: " + rise.words())));
        trend.filter(Trend::falls)
                .ifPresent(fall -> marks.add(Mark.of(MarkKind.UNSTEADY, "the server became slower: " + fall.words())));
        double firstTouch = firstTouch(parts);
        if (firstTouch > FIRST_TOUCH) {
            marks.add(Mark.of(MarkKind.FIRST_TOUCH,
                    String.format(
                            Locale.ROOT,
                            "the server's process grew by %.0f %% of what it allocated (limit %.0f %%): a heap that is used for the"
                                    + " first time costs CPU that it will not cost later; warm up for longer, or with"
                                    + " -XX:+AlwaysPreTouch",
                            100 * firstTouch,
                            100 * FIRST_TOUCH)));
        }
        double others = figures.getOrDefault(Metric.OTHERS.key(), Double.NaN);
        if (others > division.othersPercent) {
            marks.add(Mark.of(MarkKind.DISTURBED,
                    text(
                            "other programs took %.1f %% of the time of the server's processors (limit %.0f %%): measure again when"
                                    + " nothing else runs",
                            others, division.othersPercent)));
        }
        double busy = figures.getOrDefault(Metric.GENERATOR_CORES.key(), Double.NaN) / division.generator;
        double server = figures.getOrDefault(Metric.SERVER_CORES.key(), Double.NaN) / division.server;
        if (busy > division.busyShare) {
            // With both at their limits the server's queue is never empty: it sets the pace as much as the generator
            // does.
            boolean alone = !(server >= busy);
            marks.add(Mark.of(
                    alone ? MarkKind.GENERATOR_BOTTLENECK : MarkKind.GENERATOR_BUSY,
                    String.format(
                            Locale.ROOT,
                            "the generator was busy %.0f %% of its processors' time (limit %.0f %%), the server %.0f %%: %s",
                            100 * busy,
                            100 * division.busyShare,
                            100 * server,
                            alone
                                    ? "this is the generator's speed, not the server's"
                                    : "a faster server would hardly show as such")));
        }
        return List.copyOf(marks);
    }
}
