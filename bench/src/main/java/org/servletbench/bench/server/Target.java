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
import java.util.function.Supplier;
import org.servletbench.bench.measure.CodeTiers;
import org.servletbench.bench.measure.Rotation;
import org.servletbench.bench.measure.TopTier;
import org.servletbench.bench.measure.TurnUse;
import org.servletbench.bench.model.LoadPlan;
import org.servletbench.bench.model.Options;
import org.servletbench.bench.model.ProfilesFolder;
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
 * The server that takes the load: ours, which we start, prove, watch and stop, here or on another
 * machine; a foreign one that runs already; or the reference.
 */
public interface Target extends AutoCloseable {

    /**
     * Makes the target that the options ask for ready to take load, with its records in a run folder of its own.
     *
     * @param results where the run folder is made
     * @param plan the load that it will get, for what must be there beforehand
     * @throws UsageException if the options ask for what cannot be
     * @throws TargetException if the server does not come up as what it should be
     */
    static Target open(Options options, ProfilesFolder folder, Path results, LoadPlan plan) {
        Preflight.fileHandles(plan.largestTier());
        if (options.isGiven("target.url")) {
            return ForeignTarget.open(options, results, plan);
        }
        TargetSpec spec = spec(options, folder, plan);
        return OwnTarget.start(
                spec.withJar(ServedJar.of(spec.jar())), () -> RunFolder.create(results, spec.arm()), true);
    }

    /** The server of our own that the options ask for; what it needs for the plan's workloads is there. */
    static TargetSpec spec(Options options, ProfilesFolder folder, LoadPlan plan) {
        TargetSpec usual = TargetSpec.of(options, folder);
        Preflight.has(usual.jar(), plan.workloads());
        Threads threads = usual.serving().threads();
        return usual.with(ThreadingMode.of(
                threads, List.of(threads), plan.workloads(), Math.max(ThreadingMode.USUAL_POOL, plan.largestTier())));
    }

    /**
     * The address of {@code -Dtarget.url}, checked as it is before load goes there: {@code http://host:port}.
     *
     * @throws UsageException if it is no plain http address, or is not on this machine and that was not allowed
     */
    static URI address(Options options) {
        return ForeignTarget.checked(options.required("target.url"), options.flag("target.allow-remote"));
    }

    /**
     * Makes the server of a campaign's arm ready to take load.
     *
     * @param folder gets its records; made here
     * @throws TargetException if it does not come up as what it should be, or the folder exists
     */
    static Target start(TargetSpec spec, Path folder) {
        return OwnTarget.start(spec, () -> RunFolder.exactly(folder), true);
    }

    /** The same for a rig on another machine, which asks for its samples itself: it has no monitor of its own. */
    static WatchedTarget sampled(TargetSpec spec, Path folder) {
        return OwnTarget.start(spec, () -> RunFolder.exactly(folder), false);
    }

    /**
     * The reference server. It serves the workloads {@code hello}, {@code static} and {@code payload}.
     *
     * @param folder gets its records; made here
     * @throws TargetException if nginx is missing (the line names the package) or does not come up
     */
    static Target reference(NginxSpec spec, Path folder) {
        return NginxTarget.start(spec, folder);
    }

    /** Where it answers: {@code http://host:port}, without a slash at the end. */
    URI url();

    /** The processes of this machine that do the server's work; none of a server that is not ours, or not here. */
    default List<Long> pids() {
        return List.of();
    }

    /** One line for people: what runs there, and how we know. */
    String description();

    /** What it runs on, proven by the running server; nothing of a server without a JVM of ours. */
    default Map<String, String> runtime() {
        return Map.of();
    }

    /**
     * What must be the same in all servers that are ranked together.
     *
     * @throws TargetException if it does not answer, or with another status or length than a workload says
     */
    default Map<String, String> parity(List<Workload> workloads) {
        return Parity.of(answers(workloads), runtime(), workloads);
    }

    /** What it answers to each workload, asked on its own machine: {@link Parity#of(URI, List)}. */
    default Map<String, String> answers(List<Workload> workloads) {
        return Parity.of(url(), workloads, rows());
    }

    /** How much it answers to each request that changes nothing, asked on its own machine: {@link Parity#sizes}. */
    default Map<String, List<Long>> answerSizes(List<Workload> workloads, Map<String, Long> rows) {
        return Parity.sizes(url(), workloads, rows);
    }

    /** Where rows of data that it was sent are counted; those of a server of somebody else begin anew. */
    default RowCounters rows() {
        return new RowCounters();
    }

    /** The number of the next row of a workload's data, from 0. */
    default long nextRow(String workload) {
        return rows().of(workload).get();
    }

    /** A generator has sent the rows before this one. */
    default void nextRow(String workload, long row) {
        rows().of(workload).accumulateAndGet(row, Math::max);
    }

    /** As many passes through a workload as another server has had, from its own machine: {@link WarmUp#catchUp}. */
    default void catchUp(String name, Workload workload, long passes) {
        WarmUp.catchUp(name, this, workload, passes);
    }

    /** Who sends bursts of these workloads; of a server of somebody else others each time. */
    default LoadClient warmUpUsers(List<Workload> workloads, int users) {
        return new LoadClient(url(), workloads, users, rows());
    }

    /** One burst of warm-up, from its own machine: {@link WarmUp#burst}. */
    default WarmUp.Burst burst(String name, List<Workload> workloads, int users, Duration length) {
        return WarmUp.burst(name, this, workloads, users, length);
    }

    /**
     * Starts to read CPU times at the edges of turns, of servers on their machine and of the generator here.
     *
     * @param servers in the order of the rotation's names, all of them on the same machine as this one
     */
    default TurnReadings turns(Rotation rotation, List<Target> servers, long generator) {
        return TurnMeters.start(
                rotation,
                servers.stream()
                        .<Supplier<List<Long>>>map(server -> server::pids)
                        .toList(),
                generator,
                0);
    }

    /** CPU times that are read at the edges of turns, here or on another machine, until it is closed. */
    interface TurnReadings extends AutoCloseable {

        /** What was read so far; all turns when the last is over. A turn whose edges were missed is left out. */
        List<TurnUse> uses();

        @Override
        void close();
    }

    /** Where server.log, server.json and monitor.csv lie, and where the generator's report belongs. */
    Path folder();

    /** What ended the server while it should have run; empty as long as it lives. Cheap: asked in every load loop. */
    Optional<String> death();

    /** Whether it is not known how the server is, because the connection to its machine was lost. */
    default boolean isLost() {
        return false;
    }

    /** How far the times of its readings may be from this machine's clock, ms; 0 on this machine. */
    default double clockUncertaintyMs() {
        return 0;
    }

    /** CPU time of the server and of its JIT compiler; empty where nobody can tell. */
    default Optional<CompilerTime> compilerTime() {
        return Optional.empty();
    }

    /** Methods that wait for the server's JIT compiler or are being compiled; empty where nobody can tell. */
    default OptionalInt compilerBacklog() {
        return OptionalInt.empty();
    }

    /** Whether a CPU profile can be tried. */
    default boolean hasProfiler() {
        return false;
    }

    /**
     * Begins a CPU profile.
     *
     * @param processors those of the server
     * @throws IOException if there can be none, in a few words
     */
    default void startProfile(int processors) throws IOException {
        throw new IOException("no JVM of ours runs there");
    }

    /**
     * Ends it.
     *
     * @param stacks the file that gets its stacks, collapsed
     * @return CPU time of the server in it, ms
     */
    default long stopProfile(Path stacks) throws IOException {
        throw new IOException("no profile has begun");
    }

    /** True if a JVM answers there, which has to warm up. */
    default boolean isJvm() {
        return true;
    }

    /** The best code that its JVM makes under its options. */
    default TopTier topTier() {
        return TopTier.C2;
    }

    /**
     * Begins to see which kinds of code its threads run. Nothing may be counted meanwhile.
     *
     * @throws IOException if that cannot be seen, in a few words
     */
    default void startCode() throws IOException {
        throw new IOException("its code cannot be seen from here");
    }

    /** Returns the samples since the last call, or since {@link #startCode}. */
    default CodeTiers code() throws IOException {
        throw new IOException("its code cannot be seen from here");
    }

    /** Ends it; does nothing where it has not begun, or the server has gone. */
    default void stopCode() {}

    /** The process that the monitor watches as the generator; this one, as long as nothing else is said. */
    default void watchGenerator(ProcessHandle process) {}

    /**
     * Adds a row to monitor.csv at once: the edge of a window.
     *
     * @return its time, ms since the epoch; empty where there is no monitor, or the server has gone
     */
    default OptionalLong mark() {
        return OptionalLong.empty();
    }

    /** Puts what the rig did into the server's record. */
    void note(String what, Object value);

    /** Notes how the warm-up went. */
    default void warmedUp(WarmUp.Outcome outcome) {
        note("warm-up", outcome);
    }

    /**
     * Ends what we started, for certain, and completes the records. Does nothing the second time.
     *
     * @param how {@code stopped} after a normal end, else one word and the reason
     */
    void close(String how);

    /** Processes that its server had started, and that had to be killed when it had ended; for people. Of one on another machine none. */
    default List<String> leftBehind() {
        return List.of();
    }

    @Override
    default void close() {
        close("stopped");
    }
}
