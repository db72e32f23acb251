package org.servletbench.bench.load.jmeter;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
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
import org.servletbench.bench.model.LoadModel.Closed;
import org.servletbench.bench.model.LoadModel.Hold;
import org.servletbench.bench.model.LoadPlan;
import org.servletbench.bench.model.WarmUpPlan;
import org.servletbench.bench.model.Workload;

/**
 * JMeter: in turns one process, whose users move from server to server by the clock; without turns a process for each server, one
 * after the other in random order, whose plan has every workload and tier, and whose windows of all rounds are one.
 *
 * <p>Turns have no dashboard: it would divide by the whole run, in which each server had a turn of many.
 */
public final class JMeterGenerator implements Generator, ScheduledLoad.Tool {

    /** Its name on command lines and in files. */
    public static final String NAME = "jmeter";

    private static final String TURNS_PLAN = "turns.jmx";
    private static final String GROUP_BEGINS = "      <!-- load -->\n";
    private static final String GROUP_ENDS = "      <!-- end of load -->\n";

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
        return Optional.of(of(root).version());
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
    public Set<Trait> traits() {
        return EnumSet.of(Trait.TAKES_TURNS, Trait.FALLS_SHORT, Trait.WARMS_UP);
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
        JMeter jmeter = of(batch.root()).on(batch.cpus());
        // JMeter's users are those of the closed model: all loads take turns, or none does.
        if (batch.loads().stream().allMatch(batch::inTurns)) {
            return ScheduledLoad.run(this, batch, folder, watch);
        }
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
            results.addAll(LoadResult.windows(
                    RawLog.of(log),
                    servers.get(server),
                    Set.of(),
                    batch.keepRaw() ? List.of(report, log) : List.of(report)));
            batch.deleteUnlessKept(log);
        }
        double windows = servers.values().stream().mapToInt(Map::size).sum();
        double seconds = windows * (batch.windowMs() * batch.rounds() + batch.rampUpMs()) / 1e3;
        return new Results(results, warmUp, seconds, Optional.empty());
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
                new JMeterRun.Server(url, batch.description() + ": " + server, watch, OptionalLong::empty),
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

    // ---- turns ----

    @Override
    public Process start(Batch batch, Schedule schedule, Path file, Path folder) throws IOException {
        Path plan = folder.resolve("plan.jmx");
        Files.writeString(plan, turns(schedule));
        return of(batch.root())
                .run(
                        plan,
                        folder,
                        new JMeterHosts(List.of()),
                        List.of("-D" + JMeterUsers.SCHEDULE + "=" + file),
                        // After JMeter's own libraries, none of which it can replace.
                        List.of("-Juser.classpath=" + ourClasses()),
                        Optional.empty());
    }

    @Override
    public Path log(Path folder) {
        return folder.resolve(JMeterRun.RESULTS).toAbsolutePath();
    }

    @Override
    public Path report(Path folder) {
        return log(folder);
    }

    private static Path ourClasses() {
        try {
            return Path.of(JMeterUsers.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The plan of turns: the warm-up, and a group for each load. */
    static String turns(Schedule schedule) throws IOException {
        String template;
        try (InputStream in = JMeterGenerator.class.getResourceAsStream(TURNS_PLAN)) {
            template = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
        int begin = template.indexOf(GROUP_BEGINS);
        int end = template.indexOf(GROUP_ENDS);
        String group = template.substring(begin + GROUP_BEGINS.length(), end);
        Schedule.WarmUp warmUp = schedule.warmUp();
        StringBuilder plan = new StringBuilder(template.substring(0, begin)
                .replace("@warm-up@", JMeterUsers.WARM_UP)
                // Without users it is over at once.
                .replace("@warm-up.users@", Integer.toString(warmUp.limitMs() > 0 ? warmUp.users() : 0)));
        for (Schedule.Turns load : schedule.rotations()) {
            plan.append(
                    group.replace("@load@", escaped(load.name())).replace("@users@", Integer.toString(load.users())));
        }
        return plan.append(template.substring(end + GROUP_ENDS.length())).toString();
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
    }
}
