package org.servletbench.bench.load;

import static org.servletbench.bench.model.Text.text;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.servletbench.bench.host.Host;
import org.servletbench.bench.host.HostClock;
import org.servletbench.bench.host.HostFiles;
import org.servletbench.bench.host.HostJava;
import org.servletbench.bench.host.RemoteJvm;
import org.servletbench.bench.measure.Interleaving;
import org.servletbench.bench.measure.MonitorSeries;
import org.servletbench.bench.measure.SliceUsage;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.server.JvmMonitor;
import org.servletbench.bench.server.SliceMeters;
import org.servletbench.bench.server.os.ManagedProcess;
import org.servletbench.bench.server.process.Jdk;

/**
 * A load host while a batch runs, with its connection, its clock, and its generator, which ends with the connection.
 * Jobs for it must capture local variables only, because captured objects are sent.
 */
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
        this.java = jvm.call(here -> Jdk.ownCommand());
        this.processors = jvm.call(here -> Runtime.getRuntime().availableProcessors());
        this.clock = HostClock.measure(jvm);
    }

    /** @throws TargetException if the host cannot be used */
    static LoadHost connect(Host host, HostJava java) {
        RemoteJvm jvm = RemoteJvm.connect(host, java);
        try {
            return new LoadHost(jvm);
        } catch (TargetException e) {
            jvm.close();
            throw e;
        }
    }

    public String name() {
        return jvm.host().name();
    }

    public HostClock clock() {
        return clock;
    }

    /** Returns the number of processors that a program may use there. */
    int processors() {
        return processors;
    }

    /** Returns the folder of the generator on the host, which is deleted with the connection. */
    public String folder() {
        return folder;
    }

    public String java() {
        return java;
    }

    /**
     * Copies files, and folders of classes as jars, to the host unless they are there already.
     *
     * @return their paths on the host
     */
    public List<String> push(List<Path> places) throws IOException {
        List<Path> jars = new ArrayList<>();
        for (Path place : places) {
            jars.add(Files.isDirectory(place) ? HostFiles.packed(place) : place);
        }
        return HostFiles.push(jvm, jars);
    }

    /** Writes a file into the generator's folder, completely or not at all. */
    public void write(String name, byte[] content) {
        await(List.of(send(name, content)));
    }

    /** Starts to write a file. */
    CompletableFuture<Void> send(String name, byte[] content) {
        String file = folder + "/" + name;
        return jvm.send(here -> {
            Json.replace(Path.of(file), content);
            return null;
        });
    }

    /**
     * @throws TargetException if a job failed
     */
    static void await(List<CompletableFuture<Void>> jobs) {
        try {
            jobs.forEach(CompletableFuture::join);
        } catch (CompletionException e) {
            throw e.getCause() instanceof TargetException known ? known : e;
        }
    }

    /** Starts the generator in its folder, on all processors, together with a meter. */
    Process start(List<String> command) {
        String place = folder;
        ArrayList<String> words = new ArrayList<>(command);
        jvm.call(here -> {
            ProcessBuilder builder =
                    new ProcessBuilder(words).directory(Path.of(place).toFile()).redirectErrorStream(true);
            Process process = here.keep(GENERATOR, ManagedProcess.start(builder, ManagedProcess.Farewell.KILL));
            here.keep(METER, JvmMonitor.ofGenerator(process.pid(), Path.of(place, METERED)));
            return process.pid();
        });
        return new HostProcess(jvm, GENERATOR);
    }

    /** Reads the generator's CPU time at the edges of these time slices, whose times are by this machine's clock. */
    void meter(Interleaving timeSlices, String load) {
        Interleaving there = timeSlices.startingAt(clock.there(timeSlices.originMs()));
        double uncertaintyMs = clock.uncertaintyMs();
        jvm.call(here -> {
            long generator = here.kept(GENERATOR, Process.class).pid();
            here.keep(load, SliceMeters.ofGenerator(there, generator, uncertaintyMs));
            return null;
        });
    }

    /** Returns the generator's CPU time in the time slices of a load, as far as it was read. */
    List<SliceUsage> uses(String load) {
        return jvm.call(
                here -> new ArrayList<>(here.kept(load, SliceMeters.class).uses()));
    }

    /**
     * Fetches the log of a generator that has ended, with its times by this machine's clock. Call it after
     * {@link #bringMeter}, which measures the clock again.
     */
    RawLog.Part bring(String log, Path to) {
        String place = folder;
        String found = jvm.call(here -> {
            try (Stream<Path> all = Files.walk(Path.of(place))) {
                return all.filter(file -> file.endsWith(log))
                        .findFirst()
                        .orElseThrow(() -> new IOException("the generator wrote no " + log))
                        .toString();
            }
        });
        HostFiles.bring(jvm, found, to.resolve(log));
        return new RawLog.Part(to.resolve(log), clock.here(0));
    }

    /** Measures the clock again, and fetches the meter's file. */
    void bringMeter(Path to) {
        HostClock then = HostClock.measure(jvm);
        // The uncertainty of a drifting clock includes its drift.
        clock = new HostClock(
                (clock.aheadMs() + then.aheadMs()) / 2,
                Math.max(clock.uncertaintyMs(), then.uncertaintyMs()) + Math.abs(clock.aheadMs() - then.aheadMs()) / 2);
        jvm.call(here -> {
            here.kept(METER, JvmMonitor.class).close();
            return null;
        });
        HostFiles.bring(jvm, folder + "/" + METERED, to.resolve(METERED));
    }

    /**
     * Returns the generator's resource use, by this machine's clock.
     *
     * @param from folder that {@link #bring} has filled
     * @param reference number of processors to which shares refer; shares of a host with another number are scaled
     */
    MonitorSeries metered(Path from, int reference) throws IOException {
        return MonitorSeries.read(from.resolve(METERED)).as(clock.here(0), (double) reference / processors);
    }

    /** Returns the host's name, clock and processors, for people. */
    String words() {
        return text(
                "%s (clock %.1f ms ahead, ± %.1f ms, %d processors)",
                name(), clock.aheadMs(), clock.uncertaintyMs(), processors);
    }

    /** Ends the generator and everything else on the host; returns when they have ended. */
    @Override
    public void close() {
        jvm.close();
    }
}
