package org.servletbench.bench.server.proof;

import com.sun.tools.attach.AgentInitializationException;
import com.sun.tools.attach.AgentLoadException;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.servletbench.bench.measure.CodeTiers;
import org.servletbench.bench.measure.CollapsedStacks;
import org.servletbench.bench.model.OwnFiles;
import org.servletbench.bench.server.os.LinuxKernel;

/**
 * A CPU profile of a server's JVM by async-profiler, which is loaded like the probe. It always uses {@code itimer}, a
 * timer of the CPU time of the whole process that needs no privileges, so that stacks are comparable on every machine.
 * A timer per thread ({@code ctimer}) loses what each thread has left at the end, half an interval and more: a quarter
 * of the CPU time in a pool of 200 workers, nothing in a selector. Kernels tick at 250 Hz or more, and only one signal
 * is pending at a time, so the interval grows with the server's processors; on several of them, the kernel chooses
 * among the running threads. Use samples only for shares.
 */
public final class CpuProfiler {

    /** Interval per processor, ms. */
    private static final int INTERVAL_MS = 10;

    /**
     * CPU time of a thread between two samples of its kinds of code, ms. It must be less than a tick of the kernel (4
     * ms at 250 Hz), at which such timers expire: with 4 ms, a third of the ticks is missed.
     */
    private static final int CODE_INTERVAL_MS = 2;

    private final long pid;
    private long fromMillis;
    /** Samples of each running frame at the last look. */
    private Map<String, Long> seen = Map.of();

    /** Methods whose code of C1 is final. */
    private Set<String> finalC1 = Set.of();

    public CpuProfiler(long pid) {
        this.pid = pid;
    }

    /** Returns the CPU time that a sample represents, ms. */
    public static long intervalMillis(int processors) {
        return (long) INTERVAL_MS * processors;
    }

    /**
     * Starts a CPU profile.
     *
     * @param processors number of the server's processors, at least 1
     * @throws IOException if there is no profiler for this machine, or the JVM or the kernel rejects it
     */
    public void start(int processors) throws IOException {
        command("start,event=itimer,interval=" + intervalMillis(processors) + "ms");
        fromMillis = LinuxKernel.HERE.cpuMillis(pid);
    }

    /**
     * Ends the profile.
     *
     * @param stacks file that receives a line for each stack, with the frames from the root, separated by semicolons,
     *     and its number of samples
     * @return CPU time that the JVM has used since the start, ms
     */
    public long stop(Path stacks) throws IOException {
        long used = LinuxKernel.HERE.cpuMillis(pid) - fromMillis;
        command("stop,collapsed,file=" + stacks.toAbsolutePath());
        return used;
    }

    /**
     * Starts sampling which kinds of code the server's threads run. Here each thread has a timer of its own, because
     * the time lost at a thread's end is of the same kinds as the rest.
     *
     * @throws IOException as {@link #start}
     */
    public synchronized void startCode() throws IOException {
        seen = Map.of();
        command("start,event=ctimer,interval=" + CODE_INTERVAL_MS + "ms");
    }

    /**
     * Returns the samples since the last look, or since {@link #startCode}. Sampling continues.
     *
     * @param file temporary file
     * @param probe a connection into the same JVM
     */
    public synchronized CodeTiers code(Path file, JvmProbe probe) throws IOException {
        try {
            command("dump,collapsed,ann,file=" + file.toAbsolutePath());
            Map<String, Long> now = CodeTiers.running(CollapsedStacks.read(file));
            Map<String, Long> more = new HashMap<>(now);
            seen.forEach((frame, samples) -> more.merge(frame, -samples, Long::sum));
            seen = now;
            if (CodeTiers.of(more, finalC1).c1() > 0) {
                finalC1 = probe.finalC1Code();
            }
            return CodeTiers.of(more, finalC1);
        } finally {
            Files.deleteIfExists(file);
        }
    }

    /** Stops sampling code. The profiler remains loaded and idle. */
    public void stopCode() throws IOException {
        command("stop");
    }

    private void command(String arguments) throws IOException {
        Path library = Library.PATH.orElseThrow(() -> new IOException("there is no profiler for " + Library.PLATFORM));
        try {
            VirtualMachine machine = VirtualMachine.attach(Long.toString(pid));
            try {
                machine.loadAgentPath(library.toString(), arguments);
            } finally {
                machine.detach();
            }
        } catch (AttachNotSupportedException | AgentLoadException e) {
            throw new IOException("the JVM does not load the profiler: " + e.getMessage(), e);
        } catch (AgentInitializationException e) {
            throw new IOException("the profiler does not start (its reason is in server.log): " + e.getMessage(), e);
        }
    }

    /** The native library as a file owned by this user, until this JVM ends. */
    private static final class Library {
        private static final String PLATFORM = platform();
        private static final Optional<Path> PATH = unpack();

        private static String platform() {
            String os = System.getProperty("os.name").toLowerCase(Locale.ROOT);
            String arch = System.getProperty("os.arch").replace("amd64", "x64").replace("aarch64", "arm64");
            return os.startsWith("mac") ? "macos" : os + "-" + arch;
        }

        private static Optional<Path> unpack() {
            try (InputStream in = CpuProfiler.class.getResourceAsStream("/" + PLATFORM + "/libasyncProfiler.so")) {
                if (in == null) {
                    return Optional.empty();
                }
                Path folder = OwnFiles.folder();
                folder.toFile().deleteOnExit();
                Path library = folder.resolve("libasyncProfiler.so");
                library.toFile().deleteOnExit();
                Files.copy(in, library);
                return Optional.of(library);
            } catch (IOException e) {
                return Optional.empty();
            }
        }
    }
}
