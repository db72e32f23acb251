package org.servletbench.bench.server.os;

import static org.servletbench.bench.model.Text.text;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Load of this machine since a certain moment, for the error message if something was too slow on it: the load average,
 * and the CPU time of processes other than servlet-bench, its servers and its generators.
 */
public final class Overload {

    private static final Path LOAD_AVERAGE = Path.of("/proc/loadavg");

    private final OthersMeter.Kernel kernel;
    private final Path loadAverage;
    private final LongSupplier nanos;
    private final long rig;
    private final Set<Long> servers;
    private final List<Integer> processors;
    private final long beganNanos;
    private final long busy;
    private final long ours;

    private Overload(OthersMeter.Kernel kernel, Path loadAverage, LongSupplier nanos, long rig, Set<Long> servers)
            throws IOException {
        this.kernel = kernel;
        this.loadAverage = loadAverage;
        this.nanos = nanos;
        this.rig = rig;
        this.servers = servers;
        processors = kernel.processors(rig);
        beganNanos = nanos.getAsLong();
        busy = kernel.busyMillis(processors);
        ours = ours();
    }

    /**
     * Starts a measurement, with the servers that are up.
     *
     * @throws IOException if the kernel does not report the load
     */
    public static Overload begin() throws IOException {
        return begin(
                LinuxKernel.HERE,
                LOAD_AVERAGE,
                System::nanoTime,
                ProcessHandle.current().pid(),
                OthersMeter.servers());
    }

    static Overload begin(OthersMeter.Kernel kernel, Path loadAverage, LongSupplier nanos, long rig, Set<Long> servers)
            throws IOException {
        return new Overload(kernel, loadAverage, nanos, rig, Set.copyOf(servers));
    }

    /**
     * Returns the CPU time of our own processes. Those that have ended are among the ended children of servlet-bench.
     */
    private long ours() throws IOException {
        long sum = kernel.cpuMillis(rig) + kernel.endedChildrenMillis(rig);
        for (long server : servers) {
            try {
                sum += kernel.cpuMillis(server);
            } catch (IOException e) {
                // It has ended.
            }
        }
        return sum;
    }

    /**
     * Returns the share of the processors' time that other programs took, 0 to 1. A generator counts as one of them
     * until it has ended.
     *
     * @throws IOException if the kernel does not report it
     */
    public double others() throws IOException {
        double time = (nanos.getAsLong() - beganNanos) / 1e6 * processors.size();
        double taken = kernel.busyMillis(processors) - busy - (ours() - ours);
        return time > 0 ? Math.max(0, Math.min(1, taken / time)) : 0;
    }

    /**
     * Returns the overload for people: {@code load average 58.0 on 2 processors; other programs took 92 % of their time}.
     *
     * @throws IOException if the kernel does not report it
     */
    public String words() throws IOException {
        return text(
                "load average %s on %d %s; other programs took %.0f %% of their time",
                Files.readString(loadAverage).split(" ")[0],
                processors.size(),
                processors.size() == 1 ? "processor" : "processors",
                100 * others());
    }
}
