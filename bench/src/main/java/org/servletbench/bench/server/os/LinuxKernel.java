package org.servletbench.bench.server.os;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.zip.GZIPInputStream;

/**
 * Processor times from {@code /proc}. A processor is busy when it is not idle: the kernel measures idle time, but
 * counts user and system time by what runs at its timer's ticks. A load that is sent by timers runs at ticks more or
 * less often than at other times: under 2,000 requests/s ticks were counted for 17.9 s where processes had run for
 * 8.1 s and processors had not been idle for 8.6 s.
 *
 * <p>Here, busy time includes interrupts (hard and soft; the loopback's network code is a soft one) only if the
 * kernel's accounting does, so that both sides of a subtraction count the same. Without
 * {@code CONFIG_IRQ_TIME_ACCOUNTING}, the time of interrupts is part of the CPU time of the process that they
 * interrupt; with it, of no process. If the kernel's configuration cannot be read, interrupts are left out: other
 * programs' use is then reported too low, never too high.
 */
public final class LinuxKernel implements OthersMeter.Kernel {

    private static final String ACCOUNTING = "CONFIG_IRQ_TIME_ACCOUNTING";

    /** The kernel of this machine. */
    public static final LinuxKernel HERE = new LinuxKernel(
            Path.of("/proc"),
            List.of(Path.of("/proc/config.gz"), Path.of("/boot/config-" + System.getProperty("os.version"))),
            System::nanoTime);

    private final Path proc;
    private final boolean interruptsAreCharged;
    private final LongSupplier nanos;

    /**
     * @param configurations files with the kernel's configuration; the first one that can be read counts
     * @param nanos clock, ns
     */
    LinuxKernel(Path proc, List<Path> configurations, LongSupplier nanos) {
        this.proc = proc;
        this.nanos = nanos;
        interruptsAreCharged = configurations.stream()
                .filter(Files::isReadable)
                .findFirst()
                .map(LinuxKernel::isWithoutAccounting)
                .orElse(false);
    }

    /**
     * Returns the value after {@code name:} or {@code name=} in a file such as /proc/meminfo; empty if the name or the
     * file is missing.
     */
    public static Optional<String> value(Path file, String name) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> line.startsWith(name))
                    .map(line -> line.substring(name.length()).strip())
                    .filter(rest -> rest.startsWith(":") || rest.startsWith("="))
                    .map(rest -> rest.substring(1).strip())
                    .findFirst();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Returns the size in bytes that a file contains in kB. */
    public static Optional<Long> bytes(Path file, String name) {
        return value(file, name).map(kib -> Long.parseLong(kib.replaceAll("\\D", "")) << 10);
    }

    private static boolean isWithoutAccounting(Path configuration) {
        try (InputStream file = Files.newInputStream(configuration);
                InputStream text = configuration.toString().endsWith(".gz") ? new GZIPInputStream(file) : file;
                BufferedReader lines = new BufferedReader(new InputStreamReader(text, StandardCharsets.ISO_8859_1))) {
            return lines.lines().anyMatch(line -> line.equals("# " + ACCOUNTING + " is not set"));
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public long busyMillis(List<Integer> processors) throws IOException {
        List<String> names = processors.stream().map(number -> "cpu" + number).toList();
        long notBusy = 0;
        for (String line : Files.readAllLines(proc.resolve("stat"), StandardCharsets.ISO_8859_1)) {
            // The fields are user nice system idle iowait irq softirq steal.
            String[] fields = line.split(" +");
            if (names.contains(fields[0])) {
                notBusy += Long.parseLong(fields[4]) + Long.parseLong(fields[5]) + Long.parseLong(fields[8]);
                notBusy += interruptsAreCharged ? 0 : Long.parseLong(fields[6]) + Long.parseLong(fields[7]);
            }
        }
        return TimeUnit.NANOSECONDS.toMillis(nanos.getAsLong()) * processors.size()
                - notBusy * ProcessMeters.MILLIS_PER_TICK;
    }

    /** Returns the time that the hypervisor withheld from this machine's processors, ms. */
    long stealMillis() throws IOException {
        String cpu = Files.readAllLines(proc.resolve("stat"), StandardCharsets.ISO_8859_1)
                .get(0);
        return Long.parseLong(cpu.split("\\s+")[8]) * ProcessMeters.MILLIS_PER_TICK;
    }

    @Override
    public List<Integer> processors(long pid) throws IOException {
        return Processors.allowed(process(pid).resolve("status"))
                .orElseThrow(() -> new IOException("process " + pid + " has ended"));
    }

    @Override
    public long cpuMillis(long pid) throws IOException {
        return millis(pid, 11);
    }

    @Override
    public long endedChildrenMillis(long pid) throws IOException {
        return millis(pid, 13);
    }

    /** Returns the sum of user and system time, which are two fields after the name. */
    private long millis(long pid, int field) throws IOException {
        String[] fields = fields(process(pid).resolve("stat"));
        return (Long.parseLong(fields[field]) + Long.parseLong(fields[field + 1])) * ProcessMeters.MILLIS_PER_TICK;
    }

    /** Returns the fields of {@code /proc/PID/stat} after the name, which may contain blanks. */
    static String[] fields(Path stat) throws IOException {
        String line = Files.readString(stat, StandardCharsets.ISO_8859_1);
        return line.substring(line.lastIndexOf(')') + 2).split(" ");
    }

    /** Returns the session of a process, by its leader's number; 0 if the process has ended. */
    long session(long pid) {
        try {
            String[] fields = fields(process(pid).resolve("stat"));
            // A process whose exit code nobody has collected counts as ended.
            return fields[0].matches("[ZX]") ? 0 : Long.parseLong(fields[3]);
        } catch (IOException e) {
            return 0;
        }
    }

    /** Returns the name of the process's program, at most 15 characters. */
    String name(long pid) {
        return String.join("", ControlGroup.lines(process(pid).resolve("comm")));
    }

    private Path process(long pid) {
        return proc.resolve(Long.toString(pid));
    }
}
