package org.servletbench.bench.load.jmeter;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.servletbench.bench.load.Batch;
import org.servletbench.bench.load.Fidelity;
import org.servletbench.bench.load.Generator;
import org.servletbench.bench.load.LoadException;
import org.servletbench.bench.load.LoadResult;
import org.servletbench.bench.load.LogFormat;
import org.servletbench.bench.load.RawLog;
import org.servletbench.bench.load.Schedule;
import org.servletbench.bench.load.ScheduledLoad;
import org.servletbench.bench.load.WindowLog;
import org.servletbench.bench.model.LoadModel.Closed;
import org.servletbench.bench.model.LoadModel.Hold;
import org.servletbench.bench.model.LoadPlan;
import org.servletbench.bench.model.WarmUpPlan;
import org.servletbench.bench.model.Workload;

/**
 * JMeter: in turns one process for all servers ({@link JMeterTurns}); without turns a process for each server, one after the other
 * in random order, whose plan has every workload and tier, and whose windows of all rounds are one.
 */
public final class JMeterGenerator implements Generator {

    /** Its name on command lines and in files. */
    public static final String NAME = "jmeter";

    private static final Fidelity FIDELITY = new Fidelity(
            1,
            true,
            List.of(
                    "JMeter logs whole milliseconds.",
                    "JMeter applies a closed model, a thread for each user: a server that stalls also stalls its load.",
                    "Opening the connection is part of a user's first request."));

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String title() {
        return "JMeter";
    }

    private static JMeter of(Path root) {
        return JMeter.ofBuild(root.resolve("jmeter-plans"));
    }

    @Override
    public Optional<String> version(Path root) {
        return Optional.of(of(root).home().version());
    }

    @Override
    public Fidelity fidelity() {
        return FIDELITY;
    }

    @Override
    public Optional<LogFormat> log() {
        return Optional.of(JMeterCsvReader.FORMAT);
    }

    @Override
    public boolean takesTurns() {
        return true;
    }

    @Override
    public boolean warmsUp() {
        return true;
    }

    @Override
    public boolean fallsShort() {
        return true;
    }

    @Override
    public Optional<Build> build() {
        return Optional.of(new Build(
                "jmeter-plans/target/config.json",
                "laying out JMeter",
                List.of("-pl", ".,bench,jmeter-plans", "-DskipTests", "process-test-classes")));
    }

    @Override
    public Results run(Batch batch, Path folder, Watch watch) {
        JMeter all = of(batch.root());
        // JMeter's users are those of the closed model: all loads take turns, or none does.
        if (batch.loads().stream().allMatch(batch::inTurns)) {
            return ScheduledLoad.run(new JMeterTurns(all), batch, folder, watch);
        }
        JMeter jmeter = batch.cpus().map(all::pinnedTo).orElse(all);
        Map<String, Map<String, Batch.Window>> servers = new LinkedHashMap<>();
        for (Batch.Task task : batch.loads()) {
            for (Schedule.Stop stop : task.stops()) {
                servers.computeIfAbsent(stop.name(), name -> new LinkedHashMap<>())
                        .put(task.load().name(), new Batch.Window(task, stop, 1));
            }
        }
        List<String> order = new ArrayList<>(servers.keySet());
        Collections.shuffle(order, new Random(batch.seed()));
        List<LoadResult> results = new ArrayList<>();
        double warmUp = 0;
        for (String server : order) {
            Path place = folder.resolve(server);
            JMeterRun run = run(batch, jmeter, server, servers.get(server), place, watch);
            warmUp += run.warmUp().seconds();
            Path log = place.resolve(JMeterRun.RESULTS);
            Path report = place.resolve(JMeterRun.DASHBOARD).resolve("index.html");
            results.addAll(
                    WindowLog.read(RawLog.of(log), servers.get(server), Set.of(), WindowLog.files(batch, report, log)));
            WindowLog.deleteUnlessKept(batch, log);
        }
        double windows = servers.values().stream().mapToInt(Map::size).sum();
        return new Results(results, warmUp, windows * (batch.windowMs() * batch.rounds() + batch.rampUpMs()) / 1e3);
    }

    private static JMeterRun run(
            Batch batch, JMeter jmeter, String server, Map<String, Batch.Window> windows, Path place, Watch watch) {
        try {
            Files.createDirectories(place);
        } catch (IOException e) {
            throw new LoadException("cannot make the folder " + place + " (" + e.getMessage() + ")");
        }
        watch.phase(server, "JMeter starts");
        URI url = URI.create(windows.values().iterator().next().stop().server());
        JMeterRun run = new JMeterRun(
                jmeter,
                plan(batch, windows),
                new JMeterHosts(List.of()),
                new Watched(url, batch.description() + ": " + server, watch),
                place,
                line -> watch.phase(server, line));
        watch.begins(server);
        run.run(batch.root().resolve("jmeter-plans/tiers.jmx"));
        return run;
    }

    private static LoadPlan plan(Batch batch, Map<String, Batch.Window> windows) {
        Map<String, Workload> workloads = windows.values().stream()
                .map(window -> new Workload(
                        window.task().load().workload(),
                        window.stop().path(),
                        window.stop().minBytes(),
                        window.stop().maxBytes()))
                .collect(Collectors.toMap(Workload::name, one -> one, (one, same) -> one, LinkedHashMap::new));
        Schedule.WarmUp warmUp = batch.warmUp();
        return new LoadPlan(
                List.copyOf(workloads.values()),
                new Closed(
                        windows.values().stream()
                                .map(window -> window.task().load().tier())
                                .distinct()
                                .toList(),
                        wholeSeconds(batch.rampUpMs()),
                        new Hold(wholeSeconds(batch.windowMs() * batch.rounds()))),
                // JMeter's own: the server is warm, and how busy its JIT compiler is does not matter.
                new WarmUpPlan(
                        wholeSeconds(warmUp.limitMs()),
                        warmUp.users(),
                        wholeSeconds(warmUp.burstMs()),
                        Duration.ofSeconds(1),
                        warmUp.risePercent(),
                        warmUp.flatBursts(),
                        batch.options().decimal("warmup.jit.percent", 0, 10_000)),
                // Failed requests are marks of their cells.
                100);
    }

    private static Duration wholeSeconds(long millis) {
        return Duration.ofSeconds((millis + 999) / 1000);
    }

    private record Watched(URI url, String description, Watch watch) implements JMeterRun.Server {

        @Override
        public Optional<String> death() {
            return watch.death();
        }

        @Override
        public void loadedBy(ProcessHandle generator) {
            watch.loadedBy(generator);
        }
    }
}
