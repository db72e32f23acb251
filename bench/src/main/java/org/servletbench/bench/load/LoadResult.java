package org.servletbench.bench.load;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.servletbench.bench.generator.RateSearch;
import org.servletbench.bench.generator.RateSteps;
import org.servletbench.bench.generator.Schedule;
import org.servletbench.bench.measure.Audit;
import org.servletbench.bench.measure.LogMeasurement;
import org.servletbench.bench.measure.Recorder;
import org.servletbench.bench.measure.Records;
import org.servletbench.bench.measure.RequestTally;
import org.servletbench.bench.measure.SliceReader;
import org.servletbench.bench.measure.SteadyWindow;
import org.servletbench.bench.measure.Summary;
import org.servletbench.bench.measure.WindowResult;
import org.servletbench.bench.model.Load;
import org.servletbench.bench.model.Warning;

/**
 * A generator's measurement of one server under one {@link Batch.Task}: a window, all its time slices, or a step of its
 * search.
 *
 * @param server the server's name
 * @param tried a rate of a search, as the generator saw it, with response times counted from when requests were due; in
 *     {@code window}, they count from when requests were sent
 * @param files native report and raw log, as far as they are kept
 */
public record LoadResult(
        Batch.Task task, String server, WindowResult window, Optional<RateSearch.Tried> tried, List<Path> files) {

    /** Name for all requests of a simulation in its window. */
    private static final String JOURNEY = "journey";

    public LoadResult(Batch.Task task, String server, WindowResult window, List<Path> files) {
        this(task, server, window, Optional.empty(), files);
    }

    public LoadResult with(WindowResult other) {
        return new LoadResult(task, server, other, tried, files);
    }

    /** Returns the results of a load in time slices, in the order of its servers. */
    public static List<LoadResult> timeSlices(Batch.Task task, SliceReader.Result timeSlices, List<Path> files) {
        return IntStream.range(0, task.endpoints().size())
                .mapToObj(i -> new LoadResult(task, task.endpoints().get(i).name(), timeSlices.window(i), files))
                .toList();
    }

    /** Returns the results of a batch's searches, from its generator's log and the folder with the tried rates. */
    static List<LoadResult> searches(Batch batch, RawLog log, Path folder, List<Path> files) throws IOException {
        List<LoadResult> results = new ArrayList<>();
        if (batch.loads().stream().noneMatch(Batch.Task::isSearch)) {
            return results;
        }
        LogMeasurement measured = log.measure();
        List<Warning> ofLog = measured.checks().stream().filter(Warning::failed).toList();
        for (Batch.Task task : batch.loads()) {
            for (Schedule.Endpoint endpoint : task.isSearch() ? task.endpoints() : List.<Schedule.Endpoint>of()) {
                for (RateSearch.Tried tried : RateSteps.read(folder, endpoint.name())) {
                    WindowResult window = measured.loads().stream()
                            .filter(load -> load.name().equals(tried.name()))
                            .findFirst()
                            .orElse(WindowResult.of(tried.name(), Summary.NONE))
                            .ofLog(ofLog);
                    results.add(new LoadResult(task, endpoint.name(), window, Optional.of(tried), files));
                }
            }
        }
        return results;
    }

    /**
     * Measures the windows of a log.
     *
     * @param windows windows by the names that their requests have in the log
     * @param others names of requests that are measured elsewhere
     * @throws LoadException if the log cannot be read, contains other requests, or has no requests of a load on a
     *     server
     */
    static List<LoadResult> windows(
            RawLog log, Map<String, Batch.TaskWindow> windows, Set<String> others, List<Path> files) {
        List<LoadResult> results = new ArrayList<>();
        Map<String, String> windowOf = new HashMap<>();
        windows.forEach((name, window) ->
                window.endpoint().named(name).parts().forEach(request -> windowOf.put(request.name(), name)));
        try {
            LogMeasurement measurement =
                    log.measure(name -> windowOf.computeIfAbsent(name, any -> whole(any, windows)));
            List<Warning> ofLog =
                    measurement.checks().stream().filter(Warning::failed).toList();
            List<Counted> requests = each(log, windows, measurement.loads());
            for (WindowResult load : measurement.loads()) {
                String name =
                        Load.journey(load.name()).filter(windows::containsKey).orElse(load.name());
                Batch.TaskWindow window = windows.get(name);
                if (window != null) {
                    List<RequestTally> each = requests.stream()
                            .filter(one -> one.whole == load)
                            .map(Counted::tally)
                            .toList();
                    List<Warning> checks = new ArrayList<>(ofLog);
                    if (!window.endpoint().isSimulation()) {
                        Audit.mix(name, each, window.task().load().users()).ifPresent(checks::add);
                    }
                    results.add(new LoadResult(
                            window.task(),
                            window.endpoint().name(),
                            load.withEach(each).ofLog(checks),
                            files));
                } else if (!others.contains(name)) {
                    throw new LoadException(log + " holds '" + name + "', which was not asked for");
                }
            }
        } catch (IOException e) {
            throw new LoadException("cannot measure " + log + " (" + e.getMessage() + ")");
        }
        for (Batch.TaskWindow window : windows.values()) {
            if (results.stream()
                    .noneMatch(one -> one.task().equals(window.task())
                            && one.server().equals(window.endpoint().name()))) {
                throw new LoadException("no request of '" + window.name() + "' finished; see " + log);
            }
        }
        return results;
    }

    /**
     * Returns the common name of a window's requests. Those of a simulation form one journey, whose users may pause.
     */
    private static String whole(String name, Map<String, Batch.TaskWindow> windows) {
        return Load.journey(name)
                .filter(windows::containsKey)
                .map(window -> Load.step(window, JOURNEY))
                .orElse(name);
    }

    /** A request of a list, in the window of the whole list. */
    private record Counted(String name, WindowResult whole, RequestTally tally) {}

    /** Counts, for each request of the lists, the responses in the window of its list. */
    private static List<Counted> each(RawLog log, Map<String, Batch.TaskWindow> windows, List<WindowResult> loads)
            throws IOException {
        List<Counted> all = new ArrayList<>();
        loads.stream().filter(load -> windows.containsKey(load.name())).forEach(load -> windows.get(load.name())
                .endpoint()
                .labels()
                .forEach(label -> all.add(new Counted(Load.step(load.name(), label), load, new RequestTally(label)))));
        Map<String, WindowResult> simulations = new HashMap<>();
        loads.forEach(load -> Load.journey(load.name())
                .filter(windows::containsKey)
                .ifPresent(window -> simulations.put(window, load)));
        if (!all.isEmpty() || !simulations.isEmpty()) {
            log.read(source -> new Records() {
                @Override
                public int load(String name) {
                    for (int i = 0; i < all.size(); i++) {
                        if (all.get(i).name.equals(name)) {
                            return i;
                        }
                    }
                    return Load.journey(name)
                            .map(simulations::get)
                            .map(whole -> {
                                String window = Load.journey(name).orElseThrow();
                                String label =
                                        name.substring(Load.step(window, "").length());
                                all.add(new Counted(name, whole, new RequestTally(label)));
                                return all.size() - 1;
                            })
                            .orElse(-1);
                }

                @Override
                public void request(int load, long startMs, long endMs, int kind) {
                    if (load >= 0 && startMs <= endMs) {
                        RequestTally one = all.get(load).tally;
                        SteadyWindow window = all.get(load).whole.window();
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
