package org.servletbench.bench.server.proof;

import com.sun.tools.attach.AgentInitializationException;
import com.sun.tools.attach.AgentLoadException;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/**
 * A CPU profile of a server's JVM, by async-profiler, which is loaded into it as the probe is. Always {@code ctimer}, a timer of the CPU
 * time of each thread that needs no privileges, so that stacks are the same on every machine. Kernels tick at 250 Hz or more: an interval
 * of 20 ms sees 99 % of the CPU time there, one of 4 ms 63 %. Samples are for shares only.
 */
public final class CpuProfiler {

    private static final String START = "start,event=ctimer,interval=20ms";

    private final long pid;

    public CpuProfiler(long pid) {
        this.pid = pid;
    }

    /** @throws IOException if there is no profiler for this machine, or the JVM or the kernel does not let it in */
    public void start() throws IOException {
        command(START);
    }

    /**
     * Ends the profile.
     *
     * @param stacks gets a line for each stack, frames from the root with semicolons between, and its samples
     */
    public void stop(Path stacks) throws IOException {
        command("stop,collapsed,file=" + stacks.toAbsolutePath());
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

    /** The native library as a file of this user's own, until this JVM ends. */
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
                Path folder = Files.createTempDirectory("servlet-bench-");
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
