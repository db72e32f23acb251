package org.servletbench.bench.server.os;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * CPU time of a JVM's compiler threads, by the kernel's clock. {@code CompilationMXBean} reports elapsed time, which it
 * adds when a compilation ends: a long compilation seems idle while it runs, and one that waits for a processor seems
 * busy. HotSpot starts and ends these threads as needed. The last reading of an ended thread is kept.
 */
public final class CompilerThreads {

    private final Path tasks;
    /** CPU time by thread id, ns. */
    private final Map<String, Long> nanos = new HashMap<>();
    /** Ids of threads that are known to do something else. */
    private final Set<String> others = new HashSet<>();

    public CompilerThreads(long pid) {
        this(Path.of("/proc"), pid);
    }

    public CompilerThreads(Path proc, long pid) {
        this.tasks = proc.resolve(pid + "/task");
    }

    /**
     * Returns the CPU time since the start of the process, ms.
     *
     * @throws IOException if the process has ended, or none of its threads is known to compile
     */
    public synchronized long millis() throws IOException {
        Set<String> live = new HashSet<>();
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(tasks)) {
            for (Path thread : threads) {
                String id = thread.getFileName().toString();
                live.add(id);
                look(thread, id);
            }
        }
        // Another thread may reuse an id later.
        others.retainAll(live);
        if (nanos.isEmpty()) {
            throw new IOException("no thread of this process is known to compile");
        }
        return nanos.values().stream().mapToLong(Long::longValue).sum() / 1_000_000;
    }

    private void look(Path thread, String id) {
        if (others.contains(id)) {
            return;
        }
        try {
            if (!nanos.containsKey(id)) {
                String name = text(thread, "comm");
                if (ThreadRole.of(name) != ThreadRole.COMPILER) {
                    if (!ThreadRole.isUnnamed(name)) {
                        others.add(id);
                    }
                    return;
                }
            }
            long used = Long.parseLong(text(thread, "schedstat").split(" ")[0]);
            nanos.merge(id, used, Math::max);
        } catch (IOException e) {
            // The thread has just ended.
        }
    }

    private static String text(Path thread, String file) throws IOException {
        return new String(Files.readAllBytes(thread.resolve(file)), StandardCharsets.UTF_8).strip();
    }
}
