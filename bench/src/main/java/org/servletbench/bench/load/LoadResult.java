package org.servletbench.bench.load;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.servletbench.bench.measure.CellMeasurement;
import org.servletbench.bench.measure.Check;
import org.servletbench.bench.measure.LogMeasurement;
import org.servletbench.bench.measure.Recorder;
import org.servletbench.bench.measure.Records;
import org.servletbench.bench.measure.RequestTally;
import org.servletbench.bench.measure.Rotation;
import org.servletbench.bench.measure.SteadyWindow;
import org.servletbench.bench.measure.TurnsReader;
import org.servletbench.bench.model.Load;

/** What a generator measured of one {@link Batch.Task}. */
public sealed interface LoadResult {

    /** Of which load and servers. */
    Batch.Task task();

    /**
     * A window, or several in one, from the log of every request.
     *
     * @param server name of the stop
     * @param each of the requests that users send in order; empty where that is one
     * @param ofLog what is wrong with the log as a whole
     * @param files native report and raw log, those that are kept
     */
    record FromLog(
            Batch.Task task,
            String server,
            CellMeasurement cell,
            List<RequestTally> each,
            List<Check> ofLog,
            List<Path> files)
            implements LoadResult {}

    /**
     * A window, from figures that the tool gives itself.
     *
     * @param server name of the stop
     * @param fromMs a row of the server's monitor before the tool began, ms since the epoch
     * @param toMs one after it had ended
     */
    record FromTool(Batch.Task task, String server, ToolResult result, long fromMs, long toMs) implements LoadResult {}

    /**
     * A search for the highest rate.
     *
     * @param server name of the stop
     * @param steps in order
     * @param ofLog what is wrong with the log as a whole
     * @param files the raw log, if it is kept
     */
    record Searched(Batch.Task task, String server, List<Step> steps, List<Check> ofLog, List<Path> files)
            implements LoadResult {

        /**
         * A rate that was tried.
         *
         * @param tried how the generator saw it, from when requests were due
         * @param cell the same in the log, from when they were sent; empty if none was answered
         */
        public record Step(RateSearch.Tried tried, Optional<CellMeasurement> cell) {}
    }

    /**
     * A load in turns: all of its servers.
     *
     * @param rotation who had his turn when
     * @param turns of the servers, in the order of the load's stops
     * @param files the raw log, if it is kept
     */
    record InTurns(Batch.Task task, Rotation rotation, TurnsReader.Result turns, List<Path> files)
            implements LoadResult {}

    /**
     * Measures the windows of a log.
     *
     * @param windows by the names that their requests have in it
     * @param others names of requests that are measured elsewhere
     * @throws LoadException if it cannot be read, holds other requests, or not one of a load and server
     */
    static List<LoadResult> windows(
            RawLog log, Map<String, Batch.Window> windows, Set<String> others, List<Path> files) {
        List<LoadResult> results = new ArrayList<>();
        Map<String, String> windowOf = new HashMap<>();
        windows.forEach((name, window) ->
                window.stop().named(name).parts().forEach(request -> windowOf.put(request.name(), name)));
        try {
            LogMeasurement measurement = log.measure(name -> windowOf.getOrDefault(name, name));
            List<Check> ofLog =
                    measurement.checks().stream().filter(Check::failed).toList();
            List<Counted> requests = each(log, windows, measurement.cells());
            for (CellMeasurement cell : measurement.cells()) {
                String name = cell.name();
                Batch.Window window = windows.get(name);
                if (window != null) {
                    List<RequestTally> each = requests.stream()
                            .filter(one -> one.whole == cell)
                            .map(Counted::tally)
                            .toList();
                    List<Check> checks = new ArrayList<>(ofLog);
                    RequestTally.mix(name, each, window.task().load().tier()).ifPresent(checks::add);
                    results.add(
                            new LoadResult.FromLog(window.task(), window.stop().name(), cell, each, checks, files));
                } else if (!others.contains(name)) {
                    throw new LoadException(log + " holds '" + name + "', which was not asked for");
                }
            }
        } catch (IOException e) {
            throw new LoadException("cannot measure " + log + " (" + e.getMessage() + ")");
        }
        for (Batch.Window window : windows.values()) {
            if (results.stream()
                    .noneMatch(one -> one instanceof LoadResult.FromLog found
                            && found.task().equals(window.task())
                            && found.server().equals(window.stop().name()))) {
                throw new LoadException("not one request of '" + window.name() + "' was finished; see " + log);
            }
        }
        return results;
    }

    /** A request of a list, in the window of all of them. */
    record Counted(String name, CellMeasurement whole, RequestTally tally) {}

    /** Counts each request of the lists that ended in the window of all of them. */
    private static List<Counted> each(RawLog log, Map<String, Batch.Window> windows, List<CellMeasurement> cells)
            throws IOException {
        List<Counted> all = new ArrayList<>();
        cells.stream().filter(cell -> windows.containsKey(cell.name())).forEach(cell -> windows.get(cell.name())
                .stop()
                .labels()
                .forEach(label -> all.add(new Counted(Load.step(cell.name(), label), cell, new RequestTally(label)))));
        List<String> names = all.stream().map(Counted::name).toList();
        if (!all.isEmpty()) {
            log.read(source -> new Records() {
                @Override
                public int cell(String name) {
                    return names.indexOf(name);
                }

                @Override
                public void request(int cell, long startMs, long endMs, int kind) {
                    if (cell >= 0 && startMs <= endMs) {
                        RequestTally one = all.get(cell).tally;
                        SteadyWindow window = all.get(cell).whole.window();
                        one.logged();
                        long at = source.originMs() + endMs;
                        if (at >= window.fromMs() && at < window.toMs()) {
                            one.ended(kind != Recorder.OK);
                            one.answered(endMs - startMs);
                        }
                    }
                }
            });
        }
        return all;
    }
}
