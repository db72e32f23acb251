package org.servletbench.bench.campaign;

import static org.servletbench.bench.model.Text.text;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.servletbench.bench.model.JvmOptions;
import org.servletbench.bench.model.Size;
import org.servletbench.bench.record.Arm;

/** Checks that the machine's memory is enough for the servers that are up at once. */
public final class Memory {
    /**
     * Memory that a server's JVM needs besides heap and classes (code, threads, buffers, collector), bytes. A round
     * figure.
     */
    private static final long SERVER_OVERHEAD = 256L << 20;
    /** Memory for the generator and servlet-bench, bytes. */
    public static final long GENERATOR = 1L << 30;
    /** Memory for the operating system, bytes. */
    private static final long SYSTEM = 1L << 30;

    /** Heap of a server that messages suggest if memory is scarce: half of that in {@code profiles/jvm.options}. */
    public static final Size SMALL_HEAP = new Size("512m");

    private Memory() {}

    /** @param total memory of the machine, bytes; 0 to ignore heaps whose size is a share of it */
    private static long needed(List<Arm> servers, Function<Arm, JvmOptions> jvm, long total) {
        return servers.stream()
                        .mapToLong(arm -> needed(arm, jvm.apply(arm), total))
                        .sum()
                + GENERATOR;
    }

    private static long needed(Arm arm, JvmOptions jvm, long total) {
        Size limit = arm.spec().memory();
        long own = jvm.memoryBytes(limit == null ? total : Math.min(total, limit.bytes())) + SERVER_OVERHEAD;
        return limit == null ? own : Math.min(own, limit.bytes());
    }

    /**
     * Returns why the servers of a group cannot all be up at once; empty if they can.
     *
     * @param jvm returns the JVM options of an arm
     * @param total total memory of the machine, bytes
     */
    public static Optional<String> tooLittleTogether(List<Arm> arms, Function<Arm, JvmOptions> jvm, long total) {
        if (total == Long.MAX_VALUE) {
            return Optional.empty();
        }
        long needed = needed(largest(arms, true, jvm, total), jvm, total) + SYSTEM;
        if (needed <= total) {
            return Optional.empty();
        }
        Function<Arm, JvmOptions> smaller =
                arm -> hasOwnHeap(arm) ? jvm.apply(arm) : jvm.apply(arm).withHeap(SMALL_HEAP);
        long then = needed(largest(arms, true, smaller, total), smaller, total) + SYSTEM;
        return Optional.of(text(
                "%.1f GiB of memory are too little for all servers of a group at once (%.1f GiB%s)",
                gib(total),
                gib(needed),
                then <= total ? text("; %.1f with --set server.heap=%s", gib(then), SMALL_HEAP) : ""));
    }

    /**
     * Returns an error if memory is too small for servers that use their whole heaps from the start.
     *
     * @param together true if all servers of a group are up at once
     * @param jvm returns the JVM options of an arm
     * @param available available memory, bytes
     * @return empty if memory suffices, or the heap is not used from the start
     */
    public static Optional<String> tooLittle(
            List<Arm> arms, boolean together, Function<Arm, JvmOptions> jvm, long available) {
        // Only a heap of a given size can be used from the start.
        List<Arm> servers = largest(arms, together, jvm, 0);
        long needed = needed(servers, jvm, 0);
        return Optional.of(text(
                        "%.1f GiB of memory are available and %.1f GiB are needed for %d servers at once and the generator:"
                                + " give fewer arms, a smaller heap (--set server.heap=%s)%s, or stop other programs",
                        gib(available),
                        gib(needed),
                        servers.size(),
                        SMALL_HEAP,
                        together ? ", --set measure.together=false" : ""))
                .filter(line -> needed > available
                        && servers.stream()
                                .anyMatch(arm ->
                                        JvmOptions.isPreTouched(jvm.apply(arm).values())));
    }

    /** Returns the servers that are up at once and need the most memory. */
    private static List<Arm> largest(List<Arm> arms, boolean together, Function<Arm, JvmOptions> jvm, long total) {
        return arms.stream()
                .filter(arm -> arm.role() != Arm.Role.REFERENCE)
                .collect(Collectors.groupingBy(together ? Arm::group : Arm::id))
                .values()
                .stream()
                .max(Comparator.comparingLong(servers -> needed(servers, jvm, total)))
                .orElse(List.of());
    }

    /** True if the arm sets its heap itself, so that another heap for all servers would not affect it. */
    private static boolean hasOwnHeap(Arm arm) {
        return arm.spec().heap() != null
                || !JvmOptions.ofWholeHeap(arm.spec().jvm()).isEmpty();
    }

    private static double gib(long bytes) {
        return bytes / (double) (1L << 30);
    }
}
