package org.servletbench.bench.server.os;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.servletbench.bench.measure.MonitorSeries;

/**
 * Totals that Linux keeps for a whole process, including ended threads, by the columns of {@code monitor.csv}: CPU time
 * in user and in system mode (ms), minor page faults, read and write calls. They are in two small files, which is cheap
 * enough for the edge of a time slice.
 */
public final class ProcessCounters {

    private static final Path PROC = Path.of("/proc");
    /** Index among the fields after the name in {@code /proc/PID/stat}. */
    private static final int MINOR_FAULTS = 7;

    private static final int USER = 11;
    private static final int SYSTEM = 12;

    private static final String USER_TIME = "process.user.ms";
    private static final String SYSTEM_TIME = "process.system.ms";
    private static final String FAULTS = "page.faults";
    private static final String READS = "read.calls";
    private static final String WRITES = "write.calls";

    /** Columns besides the CPU time. */
    public static final List<String> COLUMNS = List.of(USER_TIME, SYSTEM_TIME, FAULTS, READS, WRITES);

    private ProcessCounters() {}

    /**
     * Returns the sums over these processes. Read and write calls are missing if the system does not report them.
     *
     * @throws IOException if a process has ended
     */
    public static Map<String, Long> of(List<Long> pids) throws IOException {
        Map<String, Long> sum = new LinkedHashMap<>();
        for (long pid : pids) {
            of(PROC, pid).forEach((column, total) -> sum.merge(column, total, Long::sum));
        }
        return sum;
    }

    static Map<String, Long> of(Path proc, long pid) throws IOException {
        Path process = proc.resolve(Long.toString(pid));
        String[] stat = LinuxKernel.fields(process.resolve("stat"));
        long user = Long.parseLong(stat[USER]) * ProcessMeters.MILLIS_PER_TICK;
        long system = Long.parseLong(stat[SYSTEM]) * ProcessMeters.MILLIS_PER_TICK;
        Map<String, Long> totals = new LinkedHashMap<>();
        totals.put(MonitorSeries.CPU, user + system);
        totals.put(USER_TIME, user);
        totals.put(SYSTEM_TIME, system);
        totals.put(FAULTS, Long.parseLong(stat[MINOR_FAULTS]));
        try {
            for (String line : Files.readAllLines(process.resolve("io"), StandardCharsets.ISO_8859_1)) {
                switch (line.substring(0, line.indexOf(':') + 1)) {
                    case "syscr:" -> totals.put(READS, Long.parseLong(line.substring(7)));
                    case "syscw:" -> totals.put(WRITES, Long.parseLong(line.substring(7)));
                    default -> {
                        // These are byte counts, which the load's own figures cover.
                    }
                }
            }
        } catch (IOException e) {
            // The file is missing in kernels without CONFIG_TASK_IO_ACCOUNTING.
        }
        return totals;
    }
}
