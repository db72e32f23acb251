package org.servletbench.bench.server;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.servletbench.bench.measure.CodeTiers;
import org.servletbench.bench.measure.MonitorSeries;
import org.servletbench.bench.measure.TopTier;
import org.servletbench.bench.model.ProfilesFolder;
import org.servletbench.bench.model.Proven;
import org.servletbench.bench.model.Scheduling;
import org.servletbench.bench.model.ServedAtOnce;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.server.http.HttpWire;
import org.servletbench.bench.server.os.CompilerTime;
import org.servletbench.bench.server.os.LinuxKernel;
import org.servletbench.bench.server.os.ProcessMeters;
import org.servletbench.bench.server.os.SchedulerGroup;
import org.servletbench.bench.server.os.ThreadRole;
import org.servletbench.bench.server.process.Collector;
import org.servletbench.bench.server.process.Jdk;
import org.servletbench.bench.server.process.Preflight;
import org.servletbench.bench.server.process.ServerProcess;
import org.servletbench.bench.server.process.TargetSpec;
import org.servletbench.bench.server.proof.AtOnceCount;
import org.servletbench.bench.server.proof.ConnectorProof;
import org.servletbench.bench.server.proof.CpuProfiler;
import org.servletbench.bench.server.proof.JvmProbe;
import org.servletbench.bench.server.proof.Parity;
import org.servletbench.bench.server.proof.ServerFile;

/** A server that servlet-bench starts, verifies, monitors and stops. */
final class ManagedServer extends MonitoredServer {

    /** Columns that require known names of a container's threads. */
    private static final List<String> OF_NAMES = List.of(
            ThreadRole.CONTAINER.column(),
            ThreadRole.OTHER.column(),
            "threads.acceptor",
            "threads.io",
            "threads.worker");

    private final ServerProcess server;
    private final JvmProbe probe;
    private final ConnectorProof proof;
    private final CpuProfiler profiler;
    private final TopTier top;

    private ManagedServer(
            Path folder,
            ServerFile serverFile,
            ServerProcess server,
            JvmProbe probe,
            ConnectorProof proof,
            TopTier top) {
        super(folder, serverFile);
        this.server = server;
        this.probe = probe;
        this.proof = proof;
        this.profiler = new CpuProfiler(server.pid());
        this.top = top;
    }

    /**
     * @param monitored true if a monitor writes monitor.csv; false if the caller requests samples
     *
     * @param answers receives the server at its first answer, before its identity is verified
     * @throws TargetException if it does not start, or is not what the profile says
     */
    static ManagedServer start(TargetSpec spec, Supplier<Path> place, boolean monitored, Consumer<Answering> answers) {
        Preflight.check(spec);
        Path folder = place.get();
        ServerFile serverFile = ServerFile.of(folder, spec);
        ServerProcess server = ServerProcess.start(spec, folder);
        answers.accept(new Answering(server.url(), server.pid(), server.startedNanos()));
        JvmProbe probe = null;
        try {
            probe = JvmProbe.attach(server.pid());
            Map<String, String> identity = probe.identify();
            if (spec.command().isPresent()) {
                ConnectorProof.unproven(identity);
            }
            spec.archive().ifPresent(archive -> identity.putAll(archive.facts()));
            if (spec.serving().protocol().isSecure()) {
                identity.putAll(HttpWire.facts(server.url(), spec.readyPath()));
            }
            if (spec.serving().asked()) {
                identity.put(ServedAtOnce.KIND, AtOnceCount.kind(server.url()));
            }
            if (spec.serving().probes() > 0) {
                identity.putAll(AtOnceCount.facts(
                        server.url(), probe, spec.serving().probes(), ServedAtOnce.expected(identity)));
            }
            identity.put(Scheduling.FACT, SchedulerGroup.of(server.pid()).toString());
            LinuxKernel.bytes(Path.of("/proc", Long.toString(server.pid()), "smaps_rollup"), "AnonHugePages")
                    .ifPresent(bytes -> identity.put(Proven.HUGE_PAGES, (bytes >> 20) + " MiB"));
            if (!server.removed.isEmpty()) {
                identity.put(Proven.ENV_REMOVED, String.join(" ", server.removed));
            }
            server.memoryLimit().ifPresent(limit -> identity.put(Proven.MEMORY_LIMIT, limit));
            server.cpuLimit().ifPresent(limit -> identity.put(Proven.CPU_LIMIT, limit));
            serverFile.started(server, identity);
            Optional<String> ignored = Jdk.ignoredOption(server.logLines());
            if (ignored.isPresent()) {
                throw TargetException.refusal(TargetException.Refusal.START, spec.rejectedOption(ignored.get()));
            }
            ConnectorProof proof = ConnectorProof.of(identity, spec, server);
            ManagedServer target = new ManagedServer(
                    folder, serverFile, server, probe, proof, TopTier.named(identity.get(TopTier.FACT)));
            if (monitored) {
                target.watch();
            } else {
                target.up();
            }
            return target;
        } catch (IOException | TargetException e) {
            closeQuietly(probe);
            server.stop();
            TargetException reason = e instanceof TargetException known
                    ? known
                    : new TargetException("the server's JVM could not be identified: " + e.getMessage()
                            + (spec.command().isPresent()
                                    ? "; a command must start a JVM of this user, without a shell that stays"
                                    : "; is this Java a JDK, and run by the same user?"));
            serverFile.put("ended", "rejected: " + reason.getMessage());
            throw reason;
        }
    }

    private static void closeQuietly(JvmProbe probe) {
        try {
            if (probe != null) {
                probe.close();
            }
        } catch (IOException e) {
            // The server's end of the socket disappears with the server.
        }
    }

    @Override
    public Map<String, String> sample() throws IOException {
        Map<String, String> sample = probe.sample();
        sample.putAll(machine(server.pid()));
        server.memoryPeak().ifPresent(bytes -> sample.put(MonitorSeries.MEMORY_PEAK, bytes));
        if (proof.hasUnknownThreads()) {
            OF_NAMES.forEach(column -> sample.replace(column, ""));
        }
        sample.putAll(server.throttling());
        proof.spec()
                .collector()
                .ifPresent(address ->
                        sample.putAll(ProcessMeters.totals(Collector.COLUMNS, () -> Collector.totals(address))));
        return sample;
    }

    @Override
    protected void stop() {
        closeQuietly(probe);
        server.stop();
        if (!server.leftBehind().isEmpty()) {
            note("left.behind", server.leftBehind());
        }
    }

    @Override
    public List<String> leftBehind() {
        return server.leftBehind();
    }

    @Override
    public URI url() {
        return server.url();
    }

    @Override
    public List<Long> pids() {
        return List.of(server.pid());
    }

    @Override
    public String description() {
        return proof.describe()
                + (proof.spec().command().isPresent()
                        ? ": started by its own command"
                        : ": proven by the running server; settings "
                                + proof.spec().settingsName());
    }

    @Override
    public Map<String, String> runtime() {
        Map<String, String> facts = new TreeMap<>();
        facts.put(Parity.JDK, proof.jvm());
        facts.put(
                Parity.WARM_START,
                proof.spec().archive().map(one -> one.kind().title()).orElse("none"));
        if (proof.spec().arguments().contains("--server.compression.enabled=true")) {
            facts.put(Parity.COMPRESSES, "yes");
        }
        if (!ProfilesFolder.settingsValues(proof.spec().settings())
                .getOrDefault(Parity.LIMITS, "")
                .equals(Parity.MAY_DIFFER)) {
            proof.limit().ifPresent(limit -> facts.put(Parity.AT_ONCE, limit));
        }
        return facts;
    }

    @Override
    public Optional<String> death() {
        return server.death();
    }

    @Override
    public Optional<CompilerTime> compilerTime() {
        return compilerTime(server.pid());
    }

    @Override
    public boolean hasProfiler() {
        return true;
    }

    @Override
    public void startProfile(int processors) throws IOException {
        profiler.start(processors);
    }

    @Override
    public long stopProfile(Path stacks) throws IOException {
        return profiler.stop(stacks);
    }

    @Override
    public TopTier topTier() {
        return top;
    }

    @Override
    public void startCode() throws IOException {
        profiler.startCode();
    }

    @Override
    public CodeTiers code() throws IOException {
        return profiler.code(folder().resolve("code.collapsed"), probe);
    }

    @Override
    public void stopCode() {
        try {
            profiler.stopCode();
        } catch (IOException e) {
            // Sampling has not started, or the server has gone.
        }
    }

    @Override
    public OptionalInt compilerBacklog() {
        try {
            return probe.backlog();
        } catch (IOException e) {
            return OptionalInt.empty();
        }
    }
}
