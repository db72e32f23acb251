package org.servletbench.bench.server;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.servletbench.bench.measure.CodeTiers;
import org.servletbench.bench.measure.Interleaving;
import org.servletbench.bench.measure.SliceUsage;
import org.servletbench.bench.measure.TopTier;
import org.servletbench.bench.model.LoadPlan;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.model.ThreadingMode;
import org.servletbench.bench.model.Threads;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.model.Workload;
import org.servletbench.bench.server.http.LoadClient;
import org.servletbench.bench.server.http.RowCounters;
import org.servletbench.bench.server.os.CompilerTime;
import org.servletbench.bench.server.process.NginxSpec;
import org.servletbench.bench.server.process.Preflight;
import org.servletbench.bench.server.process.RunFolder;
import org.servletbench.bench.server.process.TargetSpec;
import org.servletbench.bench.server.proof.Parity;
import org.servletbench.bench.server.proof.ServedJar;

/**
 * The server under load. This is one that servlet-bench starts, verifies, monitors and stops, here or on another
 * machine; an external one that is already running; or the reference server.
 */
public interface Target extends AutoCloseable {

    /**
     * Opens the server of a single run, ready for load, and creates a run folder for its records.
     *
     * @param results folder in which the run folder is created
     * @param plan the load to come, which determines the prerequisites that are checked
     * @throws UsageException if the server cannot have what the plan needs
     * @throws TargetException if the server does not come up as specified
     */
    static Target open(TargetRequest asked, Path results, LoadPlan plan) {
        Preflight.fileHandles(plan.mostUsers());
        if (asked instanceof TargetRequest.Running running) {
            return ExternalServer.open(running.url(), results, plan);
        }
        TargetSpec spec = spec(((TargetRequest.ToStart) asked).spec(), plan);
        return ManagedServer.start(
                spec.withJar(ServedJar.of(spec.jar())), () -> RunFolder.create(results, spec.arm()), true, any -> {});
    }

    /** Returns the spec for a load, after checking that the server has everything that the load's workloads need. */
    static TargetSpec spec(TargetSpec usual, LoadPlan plan) {
        Preflight.has(usual.jar(), plan.workloads());
        Threads threads = usual.serving().threads();
        return usual.with(ThreadingMode.of(
                threads, List.of(threads), plan.workloads(), Math.max(ThreadingMode.USUAL_POOL, plan.mostUsers())));
    }

    /**
     * Returns the address of a server that is already running, {@code http://host:port}.
     *
     * @param url value of {@code -Dtarget.url}
     * @throws UsageException if it is not a plain HTTP address, or is remote and remote targets were not allowed
     */
    static URI address(String url, boolean allowRemote) {
        return ExternalServer.checked(url, allowRemote);
    }

    /**
     * Starts the server of a campaign's arm, ready for load.
     *
     * @param folder folder for its records; created here
     * @throws TargetException if it does not come up as specified, or the folder exists
     */
    static Target start(TargetSpec spec, Path folder) {
        return start(spec, folder, any -> {});
    }

    /**
     * A server that has just answered for the first time.
     *
     * @param startedNanos start of its process, by {@link System#nanoTime}
     */
    record Answering(URI url, long pid, long startedNanos) {}

    /** @param answers receives the server at its first answer, before its identity is verified */
    static Target start(TargetSpec spec, Path folder, Consumer<Answering> answers) {
        return ManagedServer.start(spec, () -> RunFolder.exactly(folder), true, answers);
    }

    /**
     * Starts the server for a servlet-bench on another machine, which requests samples itself. The server has no
     * monitor of its own.
     */
    static MonitoredServer sampled(TargetSpec spec, Path folder) {
        return ManagedServer.start(spec, () -> RunFolder.exactly(folder), false, any -> {});
    }

    /**
     * Starts the reference server. It serves the workloads {@code hello}, {@code static} and {@code payload}.
     *
     * @param repository repository with its configuration
     * @param folder folder for its records; created here
     * @throws TargetException if nginx is missing (the message names the package) or does not come up
     */
    static Target reference(Path repository, Path folder) {
        return reference(repository, folder, false);
    }

    /** @param cpusLimited true if a server of its comparison has a limit of CPU time */
    static Target reference(Path repository, Path folder, boolean cpusLimited) {
        return NginxTarget.start(NginxSpec.of(repository).beside(cpusLimited), folder);
    }

    /** Returns a line that says what to install for the reference server; empty if nothing is missing. */
    static Optional<String> missingReference() {
        return NginxSpec.missing();
    }

    /** Returns the base address of the server: {@code http://host:port}, without a trailing slash. */
    URI url();

    /** Returns the processes on this machine that do the server's work; empty for an external or remote server. */
    default List<Long> pids() {
        return List.of();
    }

    /** Returns one line for people: the server, and how we know what it is. */
    String description();

    /** Returns the runtime that the running server reported; empty for a server without a JVM that we manage. */
    default Map<String, String> runtime() {
        return Map.of();
    }

    /**
     * Returns the answers in which all servers that are ranked together must agree.
     *
     * @throws TargetException if the server does not answer, or answers with another status or length than a workload
     *     specifies
     */
    default Map<String, String> parity(List<Workload> workloads) {
        return Parity.of(answers(workloads), runtime(), workloads);
    }

    /** Returns its answer to each workload, requested on its own machine: {@link Parity#of(URI, List)}. */
    default Map<String, String> answers(List<Workload> workloads) {
        return Parity.of(url(), workloads, rows());
    }

    /**
     * Returns the sizes of its answers to each request that changes nothing, requested on its own machine:
     * {@link Parity#sizes}.
     */
    default Map<String, List<Long>> answerSizes(List<Workload> workloads, Map<String, Long> rows) {
        return Parity.sizes(url(), workloads, rows);
    }

    /** Returns the counters of data rows that were sent to it. For an external server, they start anew. */
    default RowCounters rows() {
        return new RowCounters();
    }

    /** Returns the number of the next row of a workload's data, from 0. */
    default long nextRow(String workload) {
        return rows().of(workload).get();
    }

    /** Records that a generator has sent all rows before this one. */
    default void nextRow(String workload, long row) {
        rows().of(workload).accumulateAndGet(row, Math::max);
    }

    /**
     * Sends passes through a workload, from the server's own machine, until it has had as many as another server:
     * {@link WarmUp#catchUp}.
     */
    default void catchUp(String name, Workload workload, long passes) {
        WarmUp.catchUp(name, this, workload, passes);
    }

    /** Returns the client that sends bursts of these workloads. For an external server, it is a new one each time. */
    default LoadClient warmUpUsers(List<Workload> workloads, int users) {
        return new LoadClient(url(), workloads, users, rows());
    }

    /** Sends one warm-up burst from the server's own machine: {@link WarmUp#burst}. */
    default WarmUp.Burst burst(String name, List<Workload> workloads, int users, Duration length) {
        return WarmUp.burst(name, this, workloads, users, length);
    }

    /**
     * Starts reading CPU times at the edges of time slices: those of the servers on their machine, and that of the
     * generator here.
     *
     * @param servers servers in the order of the interleaving's names, all on the same machine as this one
     */
    default SliceReadings timeSlices(Interleaving interleaving, List<Target> servers, long generator) {
        return SliceMeters.start(
                interleaving,
                servers.stream()
                        .<Supplier<List<Long>>>map(server -> server::pids)
                        .toList(),
                generator,
                0);
    }

    /** CPU times at the edges of time slices. They are read here or on another machine, until this is closed. */
    interface SliceReadings extends AutoCloseable {

        /**
         * Returns the slices read so far, which are complete once the last one is over. A slice whose edges were missed
         * is left out.
         */
        List<SliceUsage> uses();

        @Override
        void close();
    }

    /** Returns the folder with server.log, server.json and monitor.csv, and later the generator's report. */
    Path folder();

    /**
     * Returns why the server ended although it should be running; empty while it lives. This is cheap, because every
     * load loop asks.
     */
    Optional<String> death();

    /** True if the server's state is unknown because the connection to its machine was lost. */
    default boolean isLost() {
        return false;
    }

    /**
     * Returns the largest possible offset between the clock of its readings and this machine's clock, ms; 0 on this
     * machine.
     */
    default double clockUncertaintyMs() {
        return 0;
    }

    /** Returns the CPU time of the server and of its JIT compiler; empty if unknown. */
    default Optional<CompilerTime> compilerTime() {
        return Optional.empty();
    }

    /**
     * Returns the number of methods that are being compiled or waiting for the server's JIT compiler; empty if unknown.
     */
    default OptionalInt compilerBacklog() {
        return OptionalInt.empty();
    }

    /** True if it is worth trying to take a CPU profile. */
    default boolean hasProfiler() {
        return false;
    }

    /**
     * Starts a CPU profile.
     *
     * @param processors number of the server's processors
     * @throws IOException if no profile can be taken; its message says why in a few words
     */
    default void startProfile(int processors) throws IOException {
        throw new IOException("no JVM of ours runs there");
    }

    /**
     * Ends the CPU profile.
     *
     * @param stacks file for the collapsed stacks
     * @return CPU time of the server during the profile, ms
     */
    default long stopProfile(Path stacks) throws IOException {
        throw new IOException("no profile has begun");
    }

    /** True if the server is a JVM, which has to warm up. */
    default boolean isJvm() {
        return true;
    }

    /** Returns the best code that its JVM can produce under its options. */
    default TopTier topTier() {
        return TopTier.C2;
    }

    /**
     * Starts sampling the kinds of code that its threads run. Nothing may be counted while it is sampled.
     *
     * @throws IOException if they cannot be sampled; its message says why in a few words
     */
    default void startCode() throws IOException {
        throw new IOException("its code cannot be seen from here");
    }

    /** Returns the samples since the last call, or since {@link #startCode}. */
    default CodeTiers code() throws IOException {
        throw new IOException("its code cannot be seen from here");
    }

    /** Stops sampling code. Does nothing if sampling has not started, or the server has gone. */
    default void stopCode() {}

    /** Sets the process that the monitor watches as the generator. By default, it is this process. */
    default void watchGenerator(ProcessHandle process) {}

    /**
     * Adds a row to monitor.csv immediately, for the edge of a window.
     *
     * @return the row's time, ms since the epoch; empty if there is no monitor, or the server has gone
     */
    default OptionalLong mark() {
        return OptionalLong.empty();
    }

    /** Adds a fact about servlet-bench's use of the server to the server's record. */
    void note(String what, Object value);

    /** Records the outcome of the warm-up. */
    default void warmedUp(WarmUp.Outcome outcome) {
        note("warm-up", outcome);
    }

    /**
     * Ends every process that we started, and completes the records. A second call does nothing.
     *
     * @param how {@code stopped} after a normal end, otherwise one word and the reason
     */
    void close(String how);

    /**
     * Returns descriptions of child processes that outlived the server and were killed; empty for a server on another
     * machine.
     */
    default List<String> leftBehind() {
        return List.of();
    }

    @Override
    default void close() {
        close("stopped");
    }
}
