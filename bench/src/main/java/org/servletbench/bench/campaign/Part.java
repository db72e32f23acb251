package org.servletbench.bench.campaign;

import static org.servletbench.bench.model.Text.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.servletbench.bench.load.ToolResult;
import org.servletbench.bench.measure.Audit;
import org.servletbench.bench.measure.CellMeasurement;
import org.servletbench.bench.measure.Check;
import org.servletbench.bench.measure.MonitorSeries;
import org.servletbench.bench.measure.RequestTally;
import org.servletbench.bench.measure.Rotation;
import org.servletbench.bench.measure.ServerUse;
import org.servletbench.bench.measure.Slice;
import org.servletbench.bench.measure.SteadyWindow;
import org.servletbench.bench.measure.Trend;
import org.servletbench.bench.measure.TurnsMeasurement;
import org.servletbench.bench.model.Mark;
import org.servletbench.bench.model.MarkKind;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.verdict.Settings;

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
 * @param links raw logs and native reports, from the invocation's folder
 * @param rates throughput in parts of it, requests/s, in order of time
 * @param cpuRates CPU time per request in the same parts, µs; empty where it is not known
 * @param each of the requests that users send in order; empty where that is one
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
        List<Double> cpuRates,
        List<RequestTally> each) {

    static final Map<Metric, Double> PERCENTILES = Map.of(
            Metric.P50,
            50.0,
            Metric.P75,
            75.0,
            Metric.P90,
            90.0,
            Metric.P95,
            95.0,
            Metric.P99,
            99.0,
            Metric.P999,
            99.9);

    /** Of turns less than this share counted tells little: the rest was spent on answers for the server before. */
    private static final double LEAST_COUNTED = 0.5;
    /** Of a tool's window: a user's last request, which does not end in it, is on average half of an answer's time. */
    private static final double LONG_ANSWERS = 0.05;
    /** A server that works between its turns by so much more than the others, as a share of what its requests cost: less than the margin. */
    private static final double OUTSIDE = 0.01;
    /** Pauses that go on for longer than a turn after their own, as a share of the server's time: it rests on few of them. */
    private static final double LONG_PAUSES = 0.01;
    /** Connections that were dropped, as a share of the users: the windows of some seconds lack that share of users for some time. */
    private static final double DROPPED = 0.02;
    /** Users for whom the generator has no time, as a share: with more the throughput is what the generator could do. */
    private static final double USERS_MISSING = 0.05;
    /** Users of whom throughput and response times of turns do not account, or who come late, as a share: the usual margin. */
    private static final double UNACCOUNTED = Settings.DEFAULTS.margin();
    /** Standard errors by which these may be further apart by chance: the edges of turns cut through requests. */
    private static final double BY_CHANCE = 3;

    static Part of(
            CellMeasurement cell,
            List<RequestTally> each,
            MonitorSeries monitor,
            List<Check> ofLog,
            List<String> links) {
        CellMeasurement watched = cell.with(monitor);
        List<Slice> inside = cell.slices().stream()
                .filter(slice -> slice.fromMs() >= cell.window().fromMs()
                        && slice.toMs() <= cell.window().toMs())
                .toList();
        List<Mark> marks = new ArrayList<>(Stream.concat(ofLog.stream(), cell.checks().stream())
                // The trend is judged over all rounds together: a window of some seconds drifts by chance.
                .filter(check -> check.failed() && check.kind() != MarkKind.TREND)
                .map(check -> Mark.of(check.kind(), check.figures()))
                .toList());
        mark(
                marks,
                cell.steady().count() == 0 || isUncut(cell),
                MarkKind.EMPTY,
                "no request ended while all users were active: the window is too short");
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
                List.of(),
                each);
    }

    /** Their number of users was never seen for a whole slice: ramps are in the figures. */
    private static boolean isUncut(CellMeasurement cell) {
        return cell.load().tier() > 0 && cell.window().cut() == SteadyWindow.Cut.NONE;
    }

    /**
     * A server's turns.
     *
     * @param rotation who had his turn when
     * @param outside by how much more its CPU time per request is over the whole load than in its turns, as a share, less the same
     *     of the server where it is least; NaN where not known
     * @param besideOthers its rates in batches of rounds, relative to the others; for the {@link Trend}
     * @param ofLog what is wrong with the log as a whole
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
                .map(check -> Mark.of(check.kind(), check.figures()))
                .toList());
        boolean empty = turns.requests() == 0;
        double counted = turns.seconds() - turns.chargedSeconds();
        double unaccounted = UNACCOUNTED + BY_CHANCE / Math.sqrt(turns.requests());
        mark(marks, empty, MarkKind.EMPTY, "no request was answered in the counted part of its turns");
        mark(
                marks,
                !empty && turns.failed() > Audit.ERRORS * turns.all(),
                MarkKind.ERRORS,
                "%d of %d failed: %s",
                turns.failed(),
                turns.all(),
                turns.errorKinds());
        mark(
                marks,
                !empty && 1 - (turns.users() + turns.late()) / users > USERS_MISSING,
                MarkKind.USERS_WAITING,
                "only %.1f of %d users waited for an answer in its turns (limit %.0f %% fewer)",
                turns.users() + turns.late(),
                users,
                100 * USERS_MISSING);
        mark(
                marks,
                !empty && turns.late() / users > UNACCOUNTED,
                MarkKind.LATE_ARRIVALS,
                "%.1f of %d users still waited for another server in its turns (limit %.0f %%)",
                turns.late(),
                users,
                100 * UNACCOUNTED);
        mark(
                marks,
                !empty
                        && turns.chargedSeconds() <= LONG_PAUSES * turns.seconds()
                        && Math.abs(turns.accounted() - turns.users()) > unaccounted * users,
                MarkKind.LITTLES_LAW,
                "throughput times response time is %.1f users, of %.1f who waited in its turns (limit %.0f %% of %d)",
                turns.accounted(),
                turns.users(),
                100 * unaccounted,
                users);
        mark(
                marks,
                counted < LEAST_COUNTED * turns.turnSeconds(),
                MarkKind.SHORT_TURNS,
                "only %.0f %% of its turns of %d ms could be counted (limit %.0f %%): the servers before took long to answer what"
                        + " was under way",
                100 * counted / turns.turnSeconds(),
                rotation.turnMs(),
                100 * LEAST_COUNTED);
        mark(
                marks,
                turns.chargedSeconds() > LONG_PAUSES * turns.seconds(),
                MarkKind.LONG_PAUSES,
                "its pauses went on for %.1f s after its turns, %.1f %% of its time (limit %.0f %%), through %d turns of others",
                turns.chargedSeconds(),
                100 * turns.chargedSeconds() / turns.seconds(),
                100 * LONG_PAUSES,
                turns.blocked());
        mark(
                marks,
                outside > OUTSIDE,
                MarkKind.OUTSIDE_TURNS,
                "its CPU time per request is %.1f %% more over the whole load than in its turns, beyond what all servers have (limit"
                        + " %.0f %%)",
                100 * outside,
                100 * OUTSIDE);
        mark(
                marks,
                2 * turns.readings() < rotation.rounds(),
                MarkKind.NO_CPU_READINGS,
                "CPU time was read at the edges of only %d of its %d turns",
                turns.readings(),
                rotation.rounds());
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
                turns.cpuRates(),
                turns.each());
    }

    /**
     * @param users of the tool, each with a connection that it opens when the window begins
     * @param counted whether the window was so many requests, and not a time
     * @param fromMs a row of the monitor before the tool began, ms since the epoch
     * @param toMs one after it had ended: all that the requests cost lies between them
     */
    static Part of(
            ToolResult result,
            int users,
            boolean counted,
            MonitorSeries monitor,
            long fromMs,
            long toMs,
            List<String> links) {
        var figures = result.figures();
        Map<String, Double> told = new TreeMap<>();
        put(told, Metric.MEAN, figures.latency().mean());
        put(told, Metric.MAX, figures.latency().max());
        PERCENTILES.forEach(
                (metric, percent) -> put(told, metric, figures.latency().percentile(percent)));
        double share = Math.min(1, 1000 * figures.seconds() / (toMs - fromMs));
        List<Mark> marks = new ArrayList<>(figures.notes());
        mark(marks, figures.completed() == 0, MarkKind.EMPTY, "no request was answered");
        // Where the tool leaves late answers out, its mean is not that of all (Little's law; such users do not pause).
        boolean lateMissing = marks.stream().anyMatch(mark -> mark.kind() == MarkKind.TIMEOUTS_MISSING);
        double mean = lateMissing && figures.requests() > 0
                ? users * figures.seconds() / figures.requests()
                : figures.latency().mean() / 1e3;
        // Of so many requests each is waited for.
        mark(
                marks,
                !counted && mean > LONG_ANSWERS * figures.seconds(),
                MarkKind.SHORT_TURNS,
                "answers took %.1f s, more than %.0f %% of a window of %.1f s: what was under way at its end is missing in the"
                        + " throughput",
                mean,
                100 * LONG_ANSWERS,
                figures.seconds());
        long dropped = monitor.dropped(fromMs, toMs);
        mark(
                marks,
                dropped > DROPPED * users,
                MarkKind.CONNECTIONS_DROPPED,
                "the kernel dropped %d attempts of %d users to connect, because too many waited to be accepted (limit %.0f %%)",
                dropped,
                users,
                100 * DROPPED);
        mark(
                marks,
                figures.failed() > Audit.ERRORS * figures.requests(),
                MarkKind.ERRORS,
                "%d of %d failed: %s",
                figures.failed(),
                figures.requests(),
                figures.failures());
        return new Part(
                fromMs,
                figures.requests(),
                figures.failed(),
                figures.seconds(),
                List.of(),
                Optional.empty(),
                told,
                monitor.over(fromMs, toMs, figures.requests())
                        .map(use -> use.underLoad(share, result.cpuSeconds() / figures.seconds())),
                marks,
                links,
                List.of(figures.requests() / figures.seconds()),
                List.of(),
                List.of());
    }

    static void mark(List<Mark> marks, boolean found, MarkKind kind, String format, Object... figures) {
        if (found) {
            marks.add(Mark.of(kind, text(format, figures)));
        }
    }

    static void put(Map<String, Double> figures, Metric metric, double value) {
        if (Double.isFinite(value)) {
            figures.put(metric.key(), value);
        }
    }
}
