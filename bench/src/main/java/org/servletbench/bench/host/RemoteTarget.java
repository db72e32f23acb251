package org.servletbench.bench.host;

import java.io.IOException;
import java.io.Serializable;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.servletbench.bench.measure.Interleaving;
import org.servletbench.bench.measure.MonitorSeries;
import org.servletbench.bench.measure.ServerRecord;
import org.servletbench.bench.measure.SliceUsage;
import org.servletbench.bench.model.LoadPlan;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.model.Workload;
import org.servletbench.bench.server.MonitoredServer;
import org.servletbench.bench.server.SliceMeters;
import org.servletbench.bench.server.Target;
import org.servletbench.bench.server.TargetRequest;
import org.servletbench.bench.server.WarmUp;
import org.servletbench.bench.server.http.HttpWire;
import org.servletbench.bench.server.os.CompilerTime;
import org.servletbench.bench.server.process.Jdk;
import org.servletbench.bench.server.process.Preflight;
import org.servletbench.bench.server.process.RunFolder;
import org.servletbench.bench.server.process.TargetSpec;

/**
 * A server on another machine. The same code as for local servers starts, checks, warms up and stops it there. Its
 * monitor's file and its record are written on this machine, with this machine's times, so that measurements are safe
 * whatever happens there.
 */
public final class RemoteTarget extends MonitoredServer {

    /** Time limit for short jobs. A busy machine answers late. */
    private static final Duration SOON = Duration.ofSeconds(20);
    /** Time limit beyond a job's own duration. */
    private static final Duration CATCHES_UP = Duration.ofMinutes(5);

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    /** Maximum number of attempts to start, in case another process takes the port. */
    private static final int MOST_STARTS = 3;

    private static final int LOOK_MILLIS = 100;
    private static final String LOG = "server.log";
    private static final AtomicLong INTERLEAVINGS = new AtomicLong();

    /** The report of a server that has started. */
    private record Started(String url, String description, TreeMap<String, String> runtime) implements Serializable {}

    private final TargetHost host;
    /** True if the connection serves only this server. */
    private final boolean alone;
    /** Name under which the host keeps the server, and of its folder there. */
    private final String name;

    private final Started started;
    /** Completes when the server has ended: with the reason, or with null if it was stopped. */
    private final CompletableFuture<String> end;

    private RemoteTarget(TargetHost host, boolean alone, Path folder, String name, Started started, ServerRecord said)
            throws IOException {
        super(folder, said);
        this.host = host;
        this.alone = alone;
        this.name = name;
        this.started = started;
        this.end = host.jvm().send(here -> {
            MonitoredServer server = here.kept(name, MonitoredServer.class);
            while (server.death().isEmpty() && !server.isClosed()) {
                Thread.sleep(LOOK_MILLIS);
            }
            return server.death().orElse(null);
        });
        watch();
    }

    /**
     * Opens the server of a single run, on this machine or another one; see {@link Target#open}.
     *
     * @throws UsageException if the server cannot have what the plan needs
     * @throws TargetException if the server does not start as specified, or the other machine cannot be used
     */
    public static Target open(Machines machines, TargetRequest asked, Path results, LoadPlan plan) {
        if (machines.target().isEmpty() || !(asked instanceof TargetRequest.ToStart server)) {
            return Target.open(asked, results, plan);
        }
        Preflight.fileHandles(plan.mostUsers());
        TargetSpec spec = Target.spec(server.spec(), plan);
        return start(machines, spec, plan.mostUsers(), () -> RunFolder.create(results, spec.arm()));
    }

    private static RemoteTarget start(Machines machines, TargetSpec spec, int users, Supplier<Path> place) {
        TargetHost host = TargetHost.connect(machines);
        try {
            Preflight.fileHandles(users, host.jvm().call(here -> Preflight.mostFileHandles()), host.name());
            return start(host, true, spec, place.get());
        } catch (RuntimeException e) {
            host.close();
            throw e;
        }
    }

    /**
     * Starts the server of a campaign's arm, ready for load.
     *
     * @param spec the same as for a local server, without a class archive
     * @throws TargetException if the server does not start as specified, the load cannot reach it, or the folder exists
     */
    public static RemoteTarget start(TargetHost host, TargetSpec spec, Path folder) {
        return start(host, false, spec, RunFolder.exactly(folder));
    }

    private static RemoteTarget start(TargetHost host, boolean alone, TargetSpec spec, Path folder) {
        RemoteJvm jvm = host.jvm();
        String name = folder.getFileName().toString();
        Path jar = Path.of(HostFiles.push(jvm, spec.jar()));
        Path settings = Path.of(HostFiles.push(jvm, spec.settings()));
        String address = host.address();
        try {
            Started started = jvm.call(
                    here -> {
                        TargetSpec there = spec.on(jar, settings, Jdk.own(), address);
                        MonitoredServer server = here.keep(
                                name, Target.sampled(there, here.folder().resolve(name)));
                        return new Started(
                                server.url().toString(), server.description(), new TreeMap<>(server.runtime()));
                    },
                    spec.startTimeout().multipliedBy(MOST_STARTS).plus(PATIENCE));
            bring(jvm, name, folder);
            if (host.reached()) {
                requireReached(host, URI.create(started.url()), spec.readyPath());
            }
            return new RemoteTarget(host, alone, folder, name, started, said(host, folder));
        } catch (TargetException e) {
            bring(jvm, name, folder);
            throw e.saying(prefixed(host, e.getMessage()));
        } catch (IOException e) {
            throw new TargetException("cannot keep the records of a server in " + folder + " (" + e.getMessage() + ")");
        }
    }

    private static String prefixed(TargetHost host, String message) {
        return message.contains(host.name()) ? message : host.name() + ": " + message;
    }

    /** Returns the server's record, with its machine and clock. */
    private static ServerRecord said(TargetHost host, Path folder) throws IOException {
        return ServerRecord.read(folder.resolve(ServerRecord.FILE))
                .with(Map.of(
                        "host",
                        host.name(),
                        "clock.ahead.ms",
                        host.clock().aheadMs(),
                        "clock.uncertainty.ms",
                        host.clock().uncertaintyMs()));
    }

    private static void requireReached(TargetHost host, URI server, String path) {
        try {
            HttpWire.status(server, path);
        } catch (IOException e) {
            throw new TargetException(
                    "this machine cannot reach the server at " + server.resolve(path) + " (" + e.getMessage()
                            + "): open it in the firewall of " + host.name()
                            + ", or give its address for the load with target.address");
        }
    }

    /** Copies the log and the record back, as far as they exist. */
    private static void bring(RemoteJvm jvm, String name, Path folder) {
        for (String file : List.of(LOG, ServerRecord.FILE)) {
            try {
                String place = jvm.call(here -> {
                    Path there = here.folder().resolve(name).resolve(file);
                    return Files.exists(there) ? there.toString() : null;
                });
                if (place != null) {
                    HostFiles.bring(jvm, place, folder.resolve(file));
                }
            } catch (TargetException e) {
                // The files were lost with the connection. The caller that uses it reports the loss.
            }
        }
    }

    /** A job for the server, which runs on the server's machine. */
    private interface ServerJob<T> extends Serializable {
        T run(MonitoredServer server) throws Exception;
    }

    private <T> T call(ServerJob<T> job, Duration limit) {
        String kept = name;
        return host.jvm().call(here -> job.run(here.kept(kept, MonitoredServer.class)), limit);
    }

    @Override
    public Map<String, String> sample() throws IOException {
        Map<String, String> sample;
        try {
            sample = call(server -> new LinkedHashMap<>(server.sample()), SOON);
        } catch (TargetException e) {
            throw new IOException(e.getMessage(), e);
        }
        for (String time : List.of(MonitorSeries.TIME, MonitorSeries.MACHINE_TIME)) {
            sample.computeIfPresent(
                    time, (key, there) -> Long.toString(host.clock().here(Long.parseLong(there))));
        }
        sample.putAll(generatorMeters());
        return sample;
    }

    @Override
    protected void stop() {
        try {
            call(
                    server -> {
                        server.close("stopped");
                        return null;
                    },
                    PATIENCE);
            end.get(SOON.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Exception e) {
            // The connection is lost. Everything that it started has ended, or will within seconds.
        }
        bring(host.jvm(), name, folder());
        if (alone) {
            host.close();
        }
    }

    @Override
    public URI url() {
        return URI.create(started.url());
    }

    @Override
    public String description() {
        return host.name() + ": " + started.description();
    }

    @Override
    public Map<String, String> runtime() {
        return started.runtime();
    }

    @Override
    public Optional<String> death() {
        if (!end.isDone()) {
            return Optional.empty();
        }
        try {
            return Optional.ofNullable(end.join());
        } catch (CompletionException e) {
            return Optional.of(e.getCause().getMessage());
        }
    }

    @Override
    public boolean isLost() {
        return end.isCompletedExceptionally();
    }

    @Override
    public double clockUncertaintyMs() {
        return host.clock().uncertaintyMs();
    }

    @Override
    public Optional<CompilerTime> compilerTime() {
        try {
            return call(Target::compilerTime, SOON);
        } catch (TargetException e) {
            return Optional.empty();
        }
    }

    @Override
    public OptionalInt compilerBacklog() {
        try {
            return call(Target::compilerBacklog, SOON);
        } catch (TargetException e) {
            return OptionalInt.empty();
        }
    }

    @Override
    public Map<String, String> answers(List<Workload> workloads) {
        List<Workload> asked = List.copyOf(workloads);
        return call(server -> new TreeMap<>(server.answers(asked)), PATIENCE);
    }

    @Override
    public Map<String, List<Long>> answerSizes(List<Workload> workloads, Map<String, Long> rows) {
        List<Workload> asked = List.copyOf(workloads);
        TreeMap<String, Long> numbers = new TreeMap<>(rows);
        return call(server -> new TreeMap<>(server.answerSizes(asked, numbers)), PATIENCE);
    }

    @Override
    public long nextRow(String workload) {
        return call(server -> server.nextRow(workload), SOON);
    }

    @Override
    public void nextRow(String workload, long row) {
        call(
                server -> {
                    server.nextRow(workload, row);
                    return row;
                },
                SOON);
    }

    @Override
    public WarmUp.Burst burst(String arm, List<Workload> workloads, int users, Duration length) {
        List<Workload> sent = List.copyOf(workloads);
        return call(server -> server.burst(arm, sent, users, length), length.plus(PATIENCE));
    }

    @Override
    public void catchUp(String arm, Workload workload, long passes) {
        call(
                server -> {
                    server.catchUp(arm, workload, passes);
                    return null;
                },
                CATCHES_UP);
    }

    /** Throws an exception, because a profiler would have to be sent to the other machine. */
    @Override
    public void startProfile(int processors) throws IOException {
        throw new IOException("its server runs on another machine");
    }

    /** Reads the servers' CPU times there, by that machine's clock, and the generator's here. */
    @Override
    public SliceReadings timeSlices(Interleaving interleaving, List<Target> servers, long generator) {
        HostClock clock = host.clock();
        RemoteJvm jvm = host.jvm();
        List<String> names =
                servers.stream().map(server -> ((RemoteTarget) server).name).toList();
        Interleaving there = interleaving.startingAt(clock.there(interleaving.originMs()));
        double uncertaintyMs = clock.uncertaintyMs();
        String kept = "time slices " + INTERLEAVINGS.incrementAndGet();
        jvm.call(here -> {
            here.keep(
                    kept,
                    SliceMeters.start(
                            there,
                            names.stream()
                                    .<Supplier<List<Long>>>map(one -> here.kept(one, MonitoredServer.class)::pids)
                                    .toList(),
                            ProcessHandle.current().pid(),
                            uncertaintyMs));
            return null;
        });
        SliceMeters ofGenerator = SliceMeters.ofGenerator(interleaving, generator, 0);
        return new SliceReadings() {
            @Override
            public List<SliceUsage> uses() {
                List<SliceUsage> ofServers = jvm.call(here ->
                        new ArrayList<>(here.kept(kept, SliceMeters.class).uses()));
                return SliceUsage.join(
                        ofServers.stream()
                                .map(use ->
                                        use.with(clock.here(use.fromMs()), clock.here(use.toMs()), use.generatorMs()))
                                .toList(),
                        ofGenerator.uses());
            }

            @Override
            public void close() {
                ofGenerator.close();
                jvm.send(here -> {
                    here.kept(kept, SliceMeters.class).close();
                    return null;
                });
            }
        };
    }
}
