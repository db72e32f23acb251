package org.servletbench.bench.measure;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.servletbench.bench.model.Load;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Warning;
import org.servletbench.bench.model.WarningKind;

/**
 * Figures of one window of one server, or of its time slices, from any generator. A single run has one; a load of a
 * campaign merges those of all its rounds.
 *
 * @param name name of its requests in the log
 * @param load load parsed from the name
 */
public record WindowResult(
        String name, Load load, Counted counted, Course course, Monitored monitored, Findings findings) {

    /**
     * The requests that count.
     *
     * @param steady figures of these requests
     * @param histogram response times, ms; empty if the tool reports only figures
     * @param each counts for each of the requests that users send in order; empty if there is only one
     */
    public record Counted(Summary steady, Optional<Histogram> histogram, List<RequestTally> each) {}

    /**
     * The load over time.
     *
     * @param whole figures from the start of the first to the end of the last request, including ramps
     * @param slices the series, second by second, including ramps; empty if there is none
     * @param timeSlices figures of time slices; empty if it is a single window
     */
    public record Course(
            Summary whole, SteadyWindow window, List<Slice> slices, Optional<SlicesMeasurement> timeSlices) {}

    /**
     * The server during the load.
     *
     * @param meters spans over which its monitor is read; empty if it is read over the window
     * @param use its resource use; empty if it was not monitored
     */
    public record Monitored(Optional<Meters> meters, Optional<ServerUse> use) {
        /** A server whose monitor has not been read, and would be read over the window. */
        static final Monitored NOT = new Monitored(Optional.empty(), Optional.empty());

        private Monitored with(Optional<ServerUse> read) {
            return new Monitored(meters, read);
        }
    }

    /**
     * How the monitor is read if the server had the users for only part of the time.
     *
     * @param fromMs start of the time, ms since the epoch
     * @param requests number of requests that ended from then on until {@code toMs}
     * @param share share of that time that was load, above 0, up to 1
     * @param connecting number of users that open their connections in it; 0 if they already have them
     * @param own figures from better sources than the monitor
     */
    public record Meters(
            long fromMs, long toMs, long requests, double share, int connecting, Map<Metric, Double> own) {}

    /**
     * Warnings and links.
     *
     * @param checks checks of the audit, including those that passed
     * @param notes further warnings
     * @param links raw logs and native reports, relative to the server run's folder
     */
    public record Findings(List<Warning> checks, List<Warning> notes, List<String> links) {
        public static final Findings NONE = new Findings(List.of(), List.of(), List.of());
    }

    /** Creates a result that has only figures. */
    public static WindowResult of(String name, Summary steady) {
        return new WindowResult(
                name,
                Load.parse(name),
                new Counted(steady, Optional.empty(), List.of()),
                new Course(
                        steady,
                        new SteadyWindow(steady.fromMs(), steady.toMs(), SteadyWindow.Cut.NONE, Double.NaN),
                        List.of(),
                        Optional.empty()),
                Monitored.NOT,
                Findings.NONE);
    }

    public WindowResult with(Histogram histogram, List<RequestTally> each) {
        return with(new Counted(steady(), Optional.of(histogram), each));
    }

    public WindowResult withEach(List<RequestTally> each) {
        return with(new Counted(steady(), histogram(), each));
    }

    private WindowResult with(Counted other) {
        return new WindowResult(name, load, other, course, monitored, findings);
    }

    public WindowResult with(Course other) {
        return new WindowResult(name, load, counted, other, monitored, findings);
    }

    public WindowResult with(SlicesMeasurement timeSlices) {
        return with(new Course(whole(), window(), slices(), Optional.of(timeSlices)));
    }

    public WindowResult with(Meters other) {
        return with(new Monitored(Optional.of(other), use()));
    }

    public WindowResult with(ServerUse other) {
        return with(monitored.with(Optional.of(other)));
    }

    private WindowResult with(Monitored other) {
        return new WindowResult(name, load, counted, course, other, findings);
    }

    private WindowResult with(Findings other) {
        return new WindowResult(name, load, counted, course, monitored, other);
    }

    public WindowResult withWarnings(List<Warning> more) {
        return with(new Findings(
                checks(), Stream.concat(findings.notes.stream(), more.stream()).toList(), links()));
    }

    /** @param links links relative to the server run's folder */
    public WindowResult withLinks(List<String> links) {
        return with(new Findings(checks(), findings.notes, links));
    }

    /** Returns this result with the failed checks of the whole log, followed by its own checks. */
    public WindowResult ofLog(List<Warning> failed) {
        return with(
                new Findings(Stream.concat(failed.stream(), checks().stream()).toList(), findings.notes, links()));
    }

    /** Returns this result with the server's resource use, and warnings that follow from it. */
    public WindowResult with(MonitorSeries monitor) {
        Optional<ServerUse> read = meters().map(time -> read(time, monitor)).orElseGet(() -> inWindow(monitor));
        List<Warning> checks = Stream.concat(
                        checks().stream(),
                        read.stream().flatMap(use -> Stream.of(Audit.compiling(use), Audit.disturbed(use))))
                .toList();
        List<Warning> notes = new ArrayList<>(findings.notes);
        meters().flatMap(time -> Audit.dropped(monitor.dropped(time.fromMs, time.toMs), time.connecting))
                .ifPresent(notes::add);
        return with(monitored.with(read)).with(new Findings(checks, notes, links()));
    }

    private Optional<ServerUse> read(Meters time, MonitorSeries monitor) {
        Optional<ServerUse> all = monitor.over(time.fromMs, time.toMs, time.requests);
        // Readings at the edges of time slices do not need a monitor.
        return (timeSlices().isPresent() ? Optional.of(all.orElse(ServerUse.UNKNOWN)) : all)
                .map(known -> known.underLoad(time.share, time.own));
    }

    /**
     * Returns by how much more CPU time a request takes over the whole load than in the time slices, as a share; NaN if
     * it is not known.
     *
     * @param monitor monitor of the server
     */
    double outsideSlices(MonitorSeries monitor) {
        return meters().filter(time -> timeSlices().isPresent())
                .flatMap(time -> monitor.over(time.fromMs, time.toMs, time.requests)
                        .map(all -> all.of(Metric.CPU) / time.own.get(Metric.CPU) - 1))
                .orElse(Double.NaN);
    }

    /**
     * Returns the use between the outermost rows within the window. Rows around its edges would include time with less
     * load.
     */
    private Optional<ServerUse> inWindow(MonitorSeries monitor) {
        SteadyWindow window = window();
        return monitor.within(window.fromMs(), window.toMs())
                .flatMap(inside -> monitor.over(
                        inside.fromMs(), inside.toMs(), Math.round(requests(inside.fromMs(), inside.toMs()))))
                .or(() -> monitor.over(window.fromMs(), window.toMs(), requests()));
    }

    /** Returns the number of requests that ended in part of the steady window, in which the load does not change. */
    private double requests(long fromMs, long toMs) {
        return slices().stream()
                .mapToDouble(slice -> slice.throughput()
                        / 1000
                        * Math.max(0, Math.min(toMs, slice.toMs()) - Math.max(fromMs, slice.fromMs())))
                .sum();
    }

    /** Returns a name for use in a sentence. Requests may have none. */
    public static String shown(String name) {
        return name.isEmpty() ? "(no name)" : name;
    }

    public Optional<Meters> meters() {
        return monitored.meters;
    }

    public Optional<ServerUse> use() {
        return monitored.use;
    }

    public Summary whole() {
        return course.whole;
    }

    public SteadyWindow window() {
        return course.window;
    }

    public Summary steady() {
        return counted.steady;
    }

    public List<Slice> slices() {
        return course.slices;
    }

    public Optional<SlicesMeasurement> timeSlices() {
        return course.timeSlices;
    }

    /** Returns the response times, ms, three significant digits; empty if the tool gives only figures. */
    public Optional<Histogram> histogram() {
        return counted.histogram;
    }

    public List<RequestTally> each() {
        return counted.each;
    }

    public List<Warning> checks() {
        return findings.checks;
    }

    public List<String> links() {
        return findings.links;
    }

    /** Returns the number of requests that count, including failed ones. */
    public long requests() {
        return steady().count();
    }

    /** Returns the number of failed requests among those that count. */
    public long errors() {
        return steady().errors();
    }

    /**
     * Returns the requests/s over all counted time. A mean over single time slices would give pauses the wrong weight.
     */
    public double throughput() {
        return steady().throughput();
    }

    /** Returns the length of the counted time, s. */
    public double seconds() {
        return steady().seconds();
    }

    /** Returns the requests/s in parts of the counted time, in order of time. */
    public List<Double> rates() {
        return timeSlices().map(SlicesMeasurement::rates).orElseGet(() -> List.of(throughput()));
    }

    /** Returns the CPU time per request in these parts, µs; empty if it is not known. */
    public List<Double> cpuRates() {
        return timeSlices().map(SlicesMeasurement::cpuRates).orElse(List.of());
    }

    /**
     * Returns the rates for the {@link Trend}, in order of time: those of whole slices, or those of time slices
     * relative to the other servers. Empty if the tool reports none.
     */
    public List<Double> trendRates() {
        return timeSlices().map(SlicesMeasurement::besideOthers).orElseGet(() -> slices().stream()
                .filter(slice -> slice.fromMs() >= window().fromMs() && slice.toMs() <= window().toMs())
                .map(Slice::throughput)
                .toList());
    }

    public boolean sound() {
        return checks().stream().noneMatch(Warning::failed);
    }

    private String kinds(Warning check) {
        return check.kind() == WarningKind.ERRORS ? ": " + steady().errorKinds() : "";
    }

    private static final Set<WarningKind> OF_ALL_ROUNDS =
            EnumSet.of(WarningKind.TREND, WarningKind.COMPILING, WarningKind.DISTURBED);

    /**
     * Returns its warnings in a campaign. Some kinds are only judged over all rounds together, because a window of a
     * few seconds drifts by chance.
     */
    public List<Warning> warnings() {
        List<Warning> warnings = new ArrayList<>(checks().stream()
                .filter(check -> check.failed() && !OF_ALL_ROUNDS.contains(check.kind()))
                .map(check -> Warning.of(check.kind(), check.figures() + kinds(check)))
                .toList());
        if (meters().isEmpty()) {
            Stream.of(Audit.empty(this)).filter(Warning::failed).forEach(warnings::add);
        }
        warnings.addAll(findings.notes);
        return warnings;
    }
}
