package org.servletbench.bench.server;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.servletbench.bench.measure.ServerRecord;
import org.servletbench.bench.model.Workload;
import org.servletbench.bench.server.http.LoadClient;
import org.servletbench.bench.server.http.RowCounters;
import org.servletbench.bench.server.os.CompilerThreads;
import org.servletbench.bench.server.os.CompilerTime;
import org.servletbench.bench.server.os.LinuxKernel;
import org.servletbench.bench.server.os.OthersMeter;
import org.servletbench.bench.server.os.ProcessMeters;
import org.servletbench.bench.server.os.ThreadMeters;
import org.servletbench.bench.server.proof.ServerFile;

/** A server, here or on another machine, with a monitor that runs until the server is stopped. */
public abstract class MonitoredServer implements Target {

    private final Path folder;
    private final ServerFile serverFile;
    private final RowCounters rows = new RowCounters();
    /** Null before the first burst. */
    private WarmUpUsers warmUpUsers;

    private final Supplier<List<Long>> processes = this::pids;
    private final OthersMeter others = ProcessMeters.newOthers();
    private final OthersMeter generatorOthers = ProcessMeters.newOthers();
    private final Map<Long, ThreadMeters> threads = new ConcurrentHashMap<>();
    private final AtomicReference<CompilerThreads> compiler = new AtomicReference<>();
    private final AtomicBoolean closed = new AtomicBoolean();
    /** Null if another machine requests samples. */
    private JvmMonitor monitor;

    private volatile ProcessHandle generator = ProcessHandle.current();

    private record WarmUpUsers(List<Workload> workloads, int number, LoadClient client) {}

    public MonitoredServer(Path folder, ServerFile serverFile) {
        this.folder = folder;
        this.serverFile = serverFile;
    }

    /**
     * Creates a server that was started on another machine.
     *
     * @param folder existing folder for its records here
     * @param said its record so far
     */
    protected MonitoredServer(Path folder, ServerRecord said) {
        this(folder, new ServerFile(folder, said));
    }

    /** Starts the monitor. Subclasses call this once samples can be taken. */
    protected final void watch() throws IOException {
        monitor = JvmMonitor.start(this::sample, folder.resolve("monitor.csv"));
        up();
    }

    @Override
    public RowCounters rows() {
        return rows;
    }

    /**
     * Reuses one client for all bursts. A login per burst would take time in which nothing gets warm that is measured.
     */
    @Override
    public synchronized LoadClient warmUpUsers(List<Workload> workloads, int users) {
        if (warmUpUsers == null || warmUpUsers.number != users || !warmUpUsers.workloads.equals(workloads)) {
            warmUpUsers = new WarmUpUsers(workloads, users, Target.super.warmUpUsers(workloads, users));
        }
        return warmUpUsers.client;
    }

    /** Registers its processes as ours with the meters of all servers on this machine. */
    final void up() {
        OthersMeter.up(processes);
    }

    /**
     * Takes one row of the monitor immediately.
     *
     * @throws IOException if the server has gone
     */
    public abstract Map<String, String> sample() throws IOException;

    /** Ends the server. Returns when it has gone. */
    protected abstract void stop();

    /**
     * Returns the columns of a generator on this machine, for a server on another one. Values that cannot be read are
     * empty.
     */
    protected final Map<String, String> generatorMeters() {
        return ProcessMeters.ofGeneratorApart(generator.pid(), generatorOthers);
    }

    /** True if it has been stopped, or is being stopped. */
    public final boolean isClosed() {
        return closed.get();
    }

    /** Returns the machine's readings for this process and for the generator. */
    final Map<String, String> machine(long pid) {
        return meters(pid).sample();
    }

    /** Returns the machine's readings without those of this process, for a server with several processes. */
    final Map<String, String> machineAlone(long pid) {
        return meters(pid).ofMachine();
    }

    private ProcessMeters meters(long pid) {
        return new ProcessMeters(pid, generator.pid(), others, generatorOthers, threads(pid));
    }

    /**
     * Returns the thread meters of one of its processes. All samples share them, so that the CPU time of ended threads
     * is kept.
     */
    final ThreadMeters threads(long pid) {
        return threads.computeIfAbsent(pid, ThreadMeters::new);
    }

    /**
     * Returns the CPU time of the JVM with this process id, and of its compiler; empty if it is not a JVM, or has gone.
     */
    final Optional<CompilerTime> compilerTime(long pid) {
        try {
            return Optional.of(new CompilerTime(compiler(pid).millis(), LinuxKernel.HERE.cpuMillis(pid)));
        } catch (IOException | RuntimeException e) {
            return Optional.empty();
        }
    }

    /** Returns the compiler meters. All callers share them, so that the CPU time of ended threads is kept. */
    private CompilerThreads compiler(long pid) {
        return compiler.updateAndGet(known -> known == null ? new CompilerThreads(pid) : known);
    }

    @Override
    public final OptionalLong mark() {
        return monitor.mark();
    }

    @Override
    public final void watchGenerator(ProcessHandle process) {
        generator = process;
    }

    @Override
    public final Path folder() {
        return folder;
    }

    @Override
    public final void note(String what, Object value) {
        serverFile.put(what, value);
    }

    @Override
    public final void close(String how) {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        if (monitor != null) {
            monitor.close();
        }
        OthersMeter.down(processes);
        stop();
        death().ifPresent(reason -> serverFile.put("died", reason));
        serverFile.put(
                "ended", death().map(reason -> "died under load: " + reason).orElse(how));
    }
}
