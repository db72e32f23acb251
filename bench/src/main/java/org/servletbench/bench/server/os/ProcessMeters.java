package org.servletbench.bench.server.os;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.servletbench.bench.measure.MonitorSeries;

/**
 * Readings of a process and of the machine from {@code /proc}, at no cost to the process itself. Values that the system
 * does not report are empty.
 *
 * @param others meter for this server's processors
 * @param generatorOthers meter for the generator's processors
 * @param threads meters of the server's threads, which are kept from sample to sample
 */
public record ProcessMeters(
        long server, long generator, OthersMeter others, OthersMeter generatorOthers, ThreadMeters threads) {

    private static final Path PROC = Path.of("/proc");
    /** Unit of the times in /proc, which Linux fixes for user space, ms. */
    public static final int MILLIS_PER_TICK = 10;

    /**
     * Returns totals since the start of each process, and the server's current resident set. The first is
     * {@code machine.time.ms}, the time of the reading in ms since the epoch. Reading the context switches of several
     * hundred threads takes a few more ms.
     */
    public Map<String, String> sample() {
        Map<String, String> meters = ofMachine();
        meters.put("rss.bytes", value(() -> residentBytes(server)));
        // The JVM reports its own CPU time in finer steps.
        meters.putAll(totals(ProcessCounters.COLUMNS, () -> ProcessCounters.of(List.of(server))));
        meters.putAll(totals(ThreadMeters.COLUMNS, threads::sample));
        return meters;
    }

    /** Returns only the meters outside the server's own process. A server of several processes sums its own. */
    public Map<String, String> ofMachine() {
        Map<String, String> meters = new LinkedHashMap<>();
        meters.put(MonitorSeries.MACHINE_TIME, Long.toString(System.currentTimeMillis()));
        meters.put(MonitorSeries.GENERATOR, value(() -> LinuxKernel.HERE.cpuMillis(generator)));
        meters.put(MonitorSeries.STEAL, value(LinuxKernel.HERE::stealMillis));
        meters.put(MonitorSeries.OTHERS, value(() -> others.sample(server, OthersMeter.servers(), generator)));
        meters.put(MonitorSeries.GENERATOR_OTHERS, others(generatorOthers, generator));
        meters.put(MonitorSeries.DROPPED, value(ProcessMeters::connectionsDropped));
        return meters;
    }

    /**
     * Returns the meters of a generator on a machine of its own. Fails once the generator has ended.
     *
     * @param others meter for its processors
     */
    public static Map<String, String> ofGenerator(long pid, OthersMeter others) throws IOException {
        Map<String, String> meters = new LinkedHashMap<>();
        meters.put(MonitorSeries.TIME, Long.toString(System.currentTimeMillis()));
        meters.put(MonitorSeries.GENERATOR, Long.toString(LinuxKernel.HERE.cpuMillis(pid)));
        meters.put(MonitorSeries.STEAL, value(LinuxKernel.HERE::stealMillis));
        if (pid != ProcessHandle.current().pid()) {
            // Left out for short-lived processes, which come and go unnoticed. For these, only the machine is metered.
            meters.put(MonitorSeries.OTHERS, others(others, pid));
        }
        return meters;
    }

    /** Returns the generator's meters for the row of a server on another machine. */
    public static Map<String, String> ofGeneratorApart(long pid, OthersMeter others) {
        Map<String, String> meters = new LinkedHashMap<>();
        meters.put(MonitorSeries.GENERATOR_TIME, Long.toString(System.currentTimeMillis()));
        meters.put(MonitorSeries.GENERATOR, value(() -> LinuxKernel.HERE.cpuMillis(pid)));
        meters.put(MonitorSeries.GENERATOR_STEAL, value(LinuxKernel.HERE::stealMillis));
        meters.put(MonitorSeries.GENERATOR_OTHERS, others(others, pid));
        return meters;
    }

    private static String others(OthersMeter meter, long generator) {
        return value(() -> meter.sample(generator, OthersMeter.servers(), generator));
    }

    @FunctionalInterface
    public interface Reading {
        long take() throws IOException;
    }

    @FunctionalInterface
    public interface Totals {
        Map<String, Long> take() throws IOException;
    }

    /**
     * Returns these columns of a reading as text. They are empty if a column cannot be read, so that all rows of a
     * monitor have the same columns.
     */
    public static Map<String, String> totals(List<String> columns, Totals reading) {
        Map<String, Long> read = new LinkedHashMap<>();
        try {
            read.putAll(reading.take());
        } catch (IOException | RuntimeException e) {
            // The process has ended.
        }
        Map<String, String> texts = new LinkedHashMap<>();
        columns.forEach(column -> texts.put(column, read.containsKey(column) ? Long.toString(read.get(column)) : ""));
        return texts;
    }

    /** Returns a reading as text; empty if it fails. */
    public static String value(Reading reading) {
        try {
            return Long.toString(reading.take());
        } catch (IOException | RuntimeException e) {
            return "";
        }
    }

    private static long residentBytes(long pid) {
        return LinuxKernel.bytes(PROC.resolve(pid + "/status"), "VmRSS").orElseThrow();
    }

    /**
     * Returns {@code ready.rss}, the resident set in bytes, and {@code ready.cpu}, CPU time since the start in ms.
     * Values that cannot be read are missing.
     */
    public static Map<String, Long> atReady(long pid) {
        Map<String, Long> used = new LinkedHashMap<>();
        try {
            used.put("ready.rss", residentBytes(pid));
            used.put("ready.cpu", LinuxKernel.HERE.cpuMillis(pid));
        } catch (IOException | RuntimeException e) {
            // The server has just died, which its user will notice.
        }
        return used;
    }

    /** Creates a meter for the processors of one server. */
    public static OthersMeter newOthers() {
        return new OthersMeter(LinuxKernel.HERE, ProcessHandle.current().pid());
    }

    /**
     * Returns the number of connections dropped by all listening sockets of this machine, or of this network namespace.
     */
    private static long connectionsDropped() throws IOException {
        List<String[]> lines = Files.readAllLines(PROC.resolve("net/netstat")).stream()
                .filter(line -> line.startsWith("TcpExt:"))
                .map(line -> line.split(" "))
                .toList();
        return Long.parseLong(lines.get(1)[List.of(lines.get(0)).indexOf("ListenDrops")]);
    }
}
