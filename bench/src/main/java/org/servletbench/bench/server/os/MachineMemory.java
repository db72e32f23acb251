package org.servletbench.bench.server.os;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The memory of this machine, or of the container in which we run. */
public final class MachineMemory {

    private static final Path MEMINFO = Path.of("/proc/meminfo");
    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private MachineMemory() {}

    /** Returns the total memory, bytes; the largest number if unknown. */
    public static long total() {
        return Math.min(ofMachine("MemTotal"), SYSTEM.getTotalMemorySize());
    }

    /**
     * Returns the memory that can be used without swapping, bytes; the largest number if unknown. Java counts files
     * that a container has in memory as used, although the kernel drops them when memory is needed.
     */
    public static long available() {
        long available = ofMachine("MemAvailable");
        return total() < ofMachine("MemTotal")
                ? Math.min(available, SYSTEM.getFreeMemorySize() + ControlGroup.filesInMemory())
                : available;
    }

    private static long ofMachine(String name) {
        return number(ControlGroup.lines(MEMINFO), name + ":")
                .map(kib -> kib << 10)
                .orElse(Long.MAX_VALUE);
    }

    /**
     * Returns the number of bytes of files in memory from a control group's {@code memory.stat}, including nested
     * groups.
     */
    static long files(List<String> stat) {
        return Stream.of("inactive_file ", "active_file ")
                .mapToLong(name -> number(stat, "total_" + name)
                        .or(() -> number(stat, name))
                        .orElse(0L))
                .sum();
    }

    private static Optional<Long> number(List<String> lines, String name) {
        return lines.stream()
                .filter(line -> line.startsWith(name))
                .map(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .findFirst();
    }
}
