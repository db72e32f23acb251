package org.servletbench.bench.campaign;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.servletbench.bench.profile.JvmOptions;

/** Whether the memory that is available now is enough for servers that use their whole heaps from the start. */
public final class Memory {
    /** What a server's JVM takes beside its heap and classes (code, threads, buffers, collector), bytes: a round figure. */
    private static final long SERVER_OVERHEAD = 256L << 20;
    /** Of the generator and the rig, bytes. */
    private static final long GENERATOR = 1L << 30;

    private Memory() {}

    /**
     * The error for people, if there is too little.
     *
     * @param arms of the campaign
     * @param together whether all servers of a group are up at once
     * @param jvm options of every server
     * @param available bytes
     * @return empty where it is enough, or where the heap is not used from the start
     */
    public static Optional<String> tooLittle(List<Arm> arms, boolean together, JvmOptions jvm, long available) {
        if (!JvmOptions.isPreTouched(jvm.values())) {
            return Optional.empty();
        }
        long servers = together ? CampaignRunner.mostAtOnce(arms) : 1;
        long needed = servers * (jvm.memoryBytes() + SERVER_OVERHEAD) + GENERATOR;
        return needed <= available
                ? Optional.empty()
                : Optional.of(String.format(
                        Locale.ROOT,
                        "%.1f GiB of memory are available and %.1f GiB are needed for %d servers at once and the generator:"
                                + " give fewer --arms, a smaller heap with --jvm-options%s, or end other programs",
                        gib(available),
                        gib(needed),
                        servers,
                        together ? ", --together false" : ""));
    }

    private static double gib(long bytes) {
        return bytes / (double) (1L << 30);
    }

    /** What the kernel says can be used without swapping, bytes; the largest number where it does not say. */
    public static long available() {
        try {
            return available(Files.readAllLines(Path.of("/proc/meminfo")));
        } catch (IOException e) {
            return Long.MAX_VALUE;
        }
    }

    /** @param meminfo the lines of {@code /proc/meminfo} */
    static long available(List<String> meminfo) {
        return meminfo.stream()
                .filter(line -> line.startsWith("MemAvailable:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
                .findFirst()
                .orElse(Long.MAX_VALUE);
    }
}
