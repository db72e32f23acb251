package org.servletbench.bench.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.servletbench.bench.host.HostClock;
import org.servletbench.bench.host.HostFiles;
import org.servletbench.bench.host.Machines;
import org.servletbench.bench.host.RemoteJvm;
import org.servletbench.bench.measure.MonitorSeries;
import org.servletbench.bench.measure.Rotation;
import org.servletbench.bench.measure.TurnUse;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.server.JvmMonitor;
import org.servletbench.bench.server.ManagedProcess;
import org.servletbench.bench.server.TargetException;
import org.servletbench.bench.server.TurnMeters;

/** A load host while a batch runs: its connection, its clock, and the generator there, which ends with the connection. */
public final class LoadHost implements AutoCloseable {

    private static final String GENERATOR = "generator";
    private static final String METER = "meter";
    private static final String METERED = "generator.csv";

    private final RemoteJvm jvm;
    private final String folder;
    private final String java;
    private final int processors;
    private HostClock clock;

    private LoadHost(RemoteJvm jvm) {
        this.jvm = jvm;
        this.folder = jvm.call(here -> here.folder().toString());
        this.java = jvm.call(
                here -> Path.of(System.getProperty("java.home"), "bin", "java").toString());
        this.processors = jvm.call(here -> Runtime.getRuntime().availableProcessors());
        this.clock = HostClock.measure(jvm);
    }

    private static LoadHost of(RemoteJvm jvm) {
        try {
            return new LoadHost(jvm);
        } catch (TargetException e) {
            jvm.close();
            throw e;
        }
    }

    /**
     * Connects to all load hosts of a run, and measures their clocks.
     *
     * @return empty where the load comes from this machine
     * @throws TargetException if one of them cannot be used; none is connected then
     */
    static List<LoadHost> connect(Machines machines) {
        List<CompletableFuture<LoadHost>> opening = machines.load().stream()
                .map(host -> CompletableFuture.supplyAsync(
                        () -> of(RemoteJvm.connect(host, machines.java())),
                        task -> new Thread(task, "servlet-bench-connect").start()))
                .toList();
        try {
            return opening.stream().map(CompletableFuture::join).toList();
        } catch (CompletionException e) {
            for (CompletableFuture<LoadHost> one : opening) {
                one.handle((host, failure) -> {
                            if (host != null) {
                                host.close();
                            }
                            return null;
                        })
                        .join();
            }
            throw e.getCause() instanceof TargetException known ? known : e;
        }
    }

    /** Its name, for people and files. */
    String name() {
        return jvm.host().name();
    }

    /** Its clock, as it was measured last. */
    HostClock clock() {
        return clock;
    }

    /** Processors that a program may use there. */
    int processors() {
        return processors;
    }

    /** The folder of the generator there, which goes with the connection. */
    public String folder() {
        return folder;
    }

    /** The program {@code java} there. */
    public String java() {
        return java;
    }

    /** Copies a jar, or a folder with classes as one, there, if it is not there yet. @return where it is there */
    public String pushClasses(Path place) throws IOException {
        return HostFiles.push(jvm, Files.isDirectory(place) ? HostFiles.packed(place) : place);
    }

    /** Writes a file into the generator's folder, whole or not at all. */
    CompletableFuture<Void> write(String name, byte[] content) {
        return write(jvm, folder, name, content);
    }

    private static CompletableFuture<Void> write(RemoteJvm jvm, String folder, String name, byte[] content) {
        return jvm.send(here -> {
            Json.replace(Path.of(folder, name), content);
            return null;
        });
    }

    /** Starts the generator in its folder, on all processors, and a meter beside it. */
    Process start(List<String> command) {
        start(jvm, folder, new ArrayList<>(command));
        return new HostProcess(jvm, GENERATOR);
    }

    private static void start(RemoteJvm jvm, String folder, ArrayList<String> command) {
        jvm.call(here -> {
            Process process = here.keep(
                    GENERATOR,
                    ManagedProcess.start(
                            new ProcessBuilder(command)
                                    .directory(Path.of(folder).toFile())
                                    .redirectErrorStream(true),
                            ManagedProcess.Farewell.KILL));
            here.keep(METER, JvmMonitor.ofGenerator(process.pid(), Path.of(folder, METERED)));
            return process.pid();
        });
    }

    /** Reads the generator's CPU time at the edges of these turns, which are by this machine's clock. */
    void meter(Rotation turns, String load) {
        meter(jvm, turns.startingAt(clock.there(turns.originMs())), load);
    }

    private static void meter(RemoteJvm jvm, Rotation there, String load) {
        jvm.call(here -> {
            List<TurnMeters.Pids> servers =
                    there.names().stream().<TurnMeters.Pids>map(name -> List::of).toList();
            here.keep(
                    load,
                    TurnMeters.start(
                            there, servers, here.kept(GENERATOR, Process.class).pid()));
            return null;
        });
    }

    private static List<TurnUse> uses(RemoteJvm jvm, String load) {
        return jvm.call(here -> new ArrayList<>(here.kept(load, TurnMeters.class).uses()));
    }

    /**
     * Brings what a generator that has ended left.
     *
     * @param log its name
     * @param to gets the log and the meter's file
     * @return the log, by this machine's clock
     */
    RawLog.Part bring(String log, Path to) throws IOException {
        Files.createDirectories(to);
        HostClock then = HostClock.measure(jvm);
        // A clock that drifts is known no better than by how much it drifted.
        clock = new HostClock(
                (clock.aheadMs() + then.aheadMs()) / 2,
                Math.max(clock.uncertaintyMs(), then.uncertaintyMs())
                        + Math.abs(clock.aheadMs() - then.aheadMs()) / 2);
        HostFiles.bring(jvm, meterFile(jvm, folder), to.resolve(METERED));
        HostFiles.bring(jvm, find(jvm, folder, log), to.resolve(log));
        return new RawLog.Part(to.resolve(log), clock.here(0));
    }

    private static String meterFile(RemoteJvm jvm, String folder) {
        return jvm.call(here -> {
            here.kept(METER, JvmMonitor.class).close();
            return Path.of(folder, METERED).toString();
        });
    }

    private static String find(RemoteJvm jvm, String folder, String name) {
        return jvm.call(here -> {
            try (Stream<Path> all = Files.walk(Path.of(folder))) {
                return all.filter(file -> file.endsWith(name))
                        .findFirst()
                        .orElseThrow(() -> new IOException("the generator left no " + name))
                        .toString();
            }
        });
    }

    /**
     * What the generator used, by this machine's clock.
     *
     * @param from where {@link #bring} has put it
     * @param reference the number of processors of which it is told: those of another host count for more or less
     */
    MonitorSeries metered(Path from, int reference) throws IOException {
        return MonitorSeries.read(from.resolve(METERED)).as(clock.here(0), (double) reference / processors);
    }

    /** For people: how far its clock is known. */
    String words() {
        return String.format(
                Locale.ROOT,
                "%s (clock %.1f ms ahead, ± %.1f ms, %d processors)",
                name(),
                clock.aheadMs(),
                clock.uncertaintyMs(),
                processors);
    }

    /** The clock that is known least: by how much times of the hosts may differ from this machine's, ms. */
    static double uncertaintyMs(List<LoadHost> hosts) {
        return hosts.stream()
                .mapToDouble(host -> host.clock.uncertaintyMs())
                .max()
                .orElse(0);
    }

    /**
     * The CPU time of the generators in the turns of a load, beside that of the servers: of the busiest host in each turn, as if
     * it had as many processors as the smallest. A turn that one of them has not read is left out.
     */
    static List<TurnUse> worst(List<TurnUse> servers, List<LoadHost> hosts, String load) {
        int least = hosts.stream().mapToInt(LoadHost::processors).min().orElseThrow();
        Map<Integer, Double> shares = new HashMap<>();
        Map<Integer, Integer> readings = new HashMap<>();
        for (LoadHost host : hosts) {
            for (TurnUse use : uses(host.jvm, load)) {
                double cores = (double) use.generatorMs() / (use.toMs() - use.fromMs()) * least / host.processors;
                shares.merge(use.turn(), cores, Math::max);
                readings.merge(use.turn(), 1, Integer::sum);
            }
        }
        return servers.stream()
                .filter(use -> readings.getOrDefault(use.turn(), 0) == hosts.size())
                .map(use -> new TurnUse(
                        use.turn(),
                        use.fromMs(),
                        use.toMs(),
                        use.serverMs(),
                        Math.round(shares.get(use.turn()) * (use.toMs() - use.fromMs()))))
                .toList();
    }

    /** Keeps what is known of their clocks and processors. */
    static void record(List<LoadHost> hosts, Path file) throws IOException {
        Map<String, Object> all = new LinkedHashMap<>();
        hosts.forEach(host -> all.put(
                host.name(),
                Map.of(
                        "clock.ahead.ms", host.clock.aheadMs(),
                        "clock.uncertainty.ms", host.clock.uncertaintyMs(),
                        "processors", host.processors)));
        Json.write(file, all);
    }

    /** Ends the generator and everything else there; returns when it has gone. */
    @Override
    public void close() {
        jvm.close();
    }
}
