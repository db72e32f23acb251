package org.servletbench.bench.campaign;

import static org.servletbench.bench.model.Text.text;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.servletbench.bench.model.JvmOptions;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.server.LinuxKernel;

/** Whether the machine's memory is enough for the servers that are up at once. */
public final class Memory {
    /** What a server's JVM takes beside its heap and classes (code, threads, buffers, collector), bytes: a round figure. */
    private static final long SERVER_OVERHEAD = 256L << 20;
    /** Of the generator and the rig, bytes. */
    private static final long GENERATOR = 1L << 30;
    /** Of a machine's memory, what its system takes, bytes. */
    private static final long SYSTEM = 1L << 30;

    private Memory() {}

    private static long needed(long servers, JvmOptions jvm) {
        return servers * (jvm.memoryBytes() + SERVER_OVERHEAD) + GENERATOR;
    }

    /** Why the servers of a group cannot all be up at once on a machine with so much memory in bytes; empty if they can. */
    public static Optional<String> tooLittleTogether(List<Arm> arms, JvmOptions jvm, long total) {
        long needed = needed(mostAtOnce(arms), jvm) + SYSTEM;
        return Optional.of(text(
                        "%.1f GiB of memory are too little for all servers of a group at once (%.1f GiB)",
                        gib(total), gib(needed)))
                .filter(line -> needed > total);
    }

    /**
     * The error for people, if there is too little for servers that use their whole heaps from the start.
     *
     * @param together whether all servers of a group are up at once
     * @param available bytes
     * @return empty where it is enough, or where the heap is not used from the start
     */
    public static Optional<String> tooLittle(List<Arm> arms, boolean together, JvmOptions jvm, long available) {
        long servers = together ? mostAtOnce(arms) : 1;
        long needed = needed(servers, jvm);
        return Optional.of(text(
                        "%.1f GiB of memory are available and %.1f GiB are needed for %d servers at once and the generator:"
                                + " give fewer --arms, a smaller heap with --jvm-options%s, or end other programs",
                        gib(available), gib(needed), servers, together ? ", --together false" : ""))
                .filter(line -> needed > available && JvmOptions.isPreTouched(jvm.values()));
    }

    /** The most servers of our own that are up at once when those of a group are. */
    private static long mostAtOnce(List<Arm> arms) {
        return arms.stream()
                .filter(arm -> arm.role() != Arm.Role.REFERENCE)
                .collect(Collectors.groupingBy(Arm::group, Collectors.counting()))
                .values()
                .stream()
                .mapToLong(Long::longValue)
                .max()
                .orElse(0);
    }

    /** Of the machine, bytes; the largest number where the kernel does not say. */
    public static long total() {
        return read("MemTotal");
    }

    /** What the kernel says can be used without swapping, bytes; the largest number where it does not say. */
    public static long available() {
        return read("MemAvailable");
    }

    private static long read(String name) {
        return LinuxKernel.bytes(Path.of("/proc/meminfo"), name).orElse(Long.MAX_VALUE);
    }

    private static double gib(long bytes) {
        return bytes / (double) (1L << 30);
    }
}
