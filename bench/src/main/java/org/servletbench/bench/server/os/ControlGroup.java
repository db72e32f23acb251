package org.servletbench.bench.server.os;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.servletbench.bench.measure.MonitorSeries;
import org.servletbench.bench.model.Cpus;

/**
 * A control group of the kernel for one server. A memory group limits a server as a container does: heap, native
 * memory, and the page cache. A processor group keeps the scheduler's accounting of the server's threads separate from
 * that of others ({@link SchedulerGroup}), and may limit their CPU time in each period. Versions 1 and 2 have different
 * names for the same files.
 */
public final class ControlGroup implements AutoCloseable {

    private static final Path CGROUPS = Path.of("/sys/fs/cgroup");
    private static final Path OWN = Path.of("/proc/self/cgroup");
    private static final Pattern LEFT_OVER = Pattern.compile("servlet-bench-(\\d+)-.*");
    /** Time for a process to enter a trial group, s. Without privileges no process can, and the group is useless. */
    private static final long TRIAL_SECONDS = 5;
    /** Memory of a trial group, bytes. It is enough for a shell. */
    private static final long TRIAL_BYTES = 64L << 20;

    private static final long PERIOD_MICROS = 1000L * Cpus.PERIOD_MS;
    /** Columns of the kernel's counters for a limit of CPU time. */
    public static final List<String> COLUMNS =
            List.of(MonitorSeries.PERIODS, MonitorSeries.PERIODS_THROTTLED, MonitorSeries.THROTTLED);

    /** Purpose of a group, with the file that shows whether the kernel supports it there. */
    enum Controller {
        MEMORY("memory", "memory.limit_in_bytes", "memory.max"),
        CPU("cpu", "cpu.shares", "cpu.weight");

        private final String key;
        private final String first;
        private final String second;

        Controller(String key, String first, String second) {
            this.key = key;
            this.first = first;
            this.second = second;
        }

        String file(Version version) {
            return version == Version.V1 ? first : second;
        }
    }

    enum Version {
        V1("memory.max_usage_in_bytes"),
        V2("memory.peak");

        private final String peak;

        Version(String peak) {
            this.peak = peak;
        }
    }

    private final Path folder;
    private final Version version;

    ControlGroup(Path folder, Version version) {
        this.folder = folder;
        this.version = version;
    }

    /**
     * Creates a group that limits memory. In version 2, where a process is in one group for all controllers, it limits
     * CPU time as well.
     *
     * @param limit limit, bytes
     * @param cpus limit of CPU time; empty for none
     * @return empty if the kernel has no such groups, or does not let this user create one
     */
    public static Optional<ControlGroup> ofMemory(long limit, Optional<Cpus> cpus) {
        return make(
                Controller.MEMORY, group -> group.limit(limit) && (group.version == Version.V1 || group.limit(cpus)));
    }

    /** Creates a group that limits only memory. */
    static Optional<ControlGroup> ofMemory(long limit) {
        return ofMemory(limit, Optional.empty());
    }

    /** Creates a group for the scheduler, without a limit; empty if that is impossible. */
    static Optional<ControlGroup> ofProcessors() {
        return ofProcessors(Optional.empty());
    }

    /**
     * Creates a group for the scheduler; empty if that is impossible.
     *
     * @param cpus limit of CPU time; empty for none
     */
    static Optional<ControlGroup> ofProcessors(Optional<Cpus> cpus) {
        return make(Controller.CPU, group -> group.limit(cpus));
    }

    /** True if this user can limit the CPU time of servers here. */
    public static boolean canLimitProcessors() {
        return works(ofProcessors(Optional.of(Cpus.of("500m"))));
    }

    /** True if this user can limit the memory of servers here. */
    public static boolean canLimitMemory() {
        return works(ofMemory(TRIAL_BYTES));
    }

    private static boolean works(Optional<ControlGroup> trial) {
        trial.ifPresent(ControlGroup::close);
        return trial.isPresent();
    }

    private static Optional<ControlGroup> make(Controller controller, Predicate<ControlGroup> prepared) {
        return parents(controller, CGROUPS, lines(OWN)).stream()
                .flatMap(parent -> make(controller, parent, prepared).stream())
                .findFirst();
    }

    /** Returns possible parents: this process's own group, then those around it. A user often owns one of these. */
    static List<Path> parents(Controller controller, Path cgroups, List<String> own) {
        List<Path> parents = new ArrayList<>();
        for (String line : own) {
            String[] parts = line.split(":", 3);
            boolean two = parts[0].equals("0") && parts[1].isEmpty();
            if (!two && !List.of(parts[1].split(",")).contains(controller.key)) {
                continue;
            }
            Path root = two ? cgroups : cgroups.resolve(controller.key);
            for (Path at = root.resolve(parts[2].substring(1)).normalize(); at.startsWith(root); at = at.getParent()) {
                parents.add(at);
            }
        }
        return parents;
    }

    private static Optional<ControlGroup> make(Controller controller, Path parent, Predicate<ControlGroup> prepared) {
        sweep(parent);
        Path folder = parent.resolve("servlet-bench-" + ProcessHandle.current().pid() + "-" + UUID.randomUUID());
        try {
            Files.createDirectory(folder);
        } catch (IOException e) {
            return Optional.empty();
        }
        Optional<ControlGroup> made = Stream.of(Version.values())
                .filter(version -> Files.exists(folder.resolve(controller.file(version))))
                .findFirst()
                .map(version -> new ControlGroup(folder, version))
                .filter(group -> prepared.test(group) && group.canBeEntered());
        if (made.isEmpty()) {
            remove(folder);
        }
        return made;
    }

    /**
     * Returns the bytes of files that this process's group has in memory. Of all groups around the process, its own
     * comes first.
     */
    static long filesInMemory() {
        return parents(Controller.MEMORY, CGROUPS, lines(OWN)).stream()
                .map(group -> lines(group.resolve("memory.stat")))
                .filter(stat -> !stat.isEmpty())
                .findFirst()
                .map(MachineMemory::files)
                .orElse(0L);
    }

    private boolean limit(long bytes) {
        try {
            Files.writeString(folder.resolve(Controller.MEMORY.file(version)), Long.toString(bytes));
            // Otherwise the excess would be swapped, and the limit would be ineffective. The file is missing if the
            // kernel does not count swap.
            Path swap = folder.resolve(version == Version.V2 ? "memory.swap.max" : "memory.memsw.limit_in_bytes");
            if (Files.exists(swap)) {
                Files.writeString(swap, version == Version.V2 ? "0" : Long.toString(bytes));
            }
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** True if it has this limit of CPU time, or needs none. */
    private boolean limit(Optional<Cpus> cpus) {
        if (cpus.isEmpty()) {
            return true;
        }
        try {
            String quota = Long.toString(cpus.get().millis() * PERIOD_MICROS / 1000);
            if (version == Version.V2) {
                Files.writeString(folder.resolve("cpu.max"), quota + " " + PERIOD_MICROS);
            } else {
                Files.writeString(folder.resolve("cpu.cfs_period_us"), Long.toString(PERIOD_MICROS));
                Files.writeString(folder.resolve("cpu.cfs_quota_us"), quota);
            }
            return cpus().equals(cpus);
        } catch (IOException e) {
            return false;
        }
    }

    /** Returns the limit of CPU time, as the kernel reports it; empty if there is none, or it cannot be read. */
    public Optional<Cpus> cpus() {
        List<String> numbers = version == Version.V2
                ? lines(folder.resolve("cpu.max")).stream()
                        .flatMap(line -> Stream.of(line.split(" ")))
                        .toList()
                : Stream.of("cpu.cfs_quota_us", "cpu.cfs_period_us")
                        .flatMap(file -> lines(folder.resolve(file)).stream())
                        .toList();
        return numbers.size() == 2 && numbers.stream().allMatch(number -> number.matches("\\d{1,12}"))
                ? Optional.of(new Cpus((int) (1000 * Long.parseLong(numbers.get(0)) / Long.parseLong(numbers.get(1)))))
                : Optional.empty();
    }

    /**
     * Returns the totals for its limit of CPU time, by {@link #COLUMNS}: periods, periods in which it had to wait, and
     * its waiting time summed over its processors, µs.
     *
     * @throws IOException if the kernel does not report them
     */
    public Map<String, Long> throttling() throws IOException {
        List<String> stat = lines(folder.resolve("cpu.stat"));
        Map<String, Long> totals = new LinkedHashMap<>();
        totals.put(MonitorSeries.PERIODS, counter(stat, "nr_periods").orElse(-1));
        totals.put(
                MonitorSeries.PERIODS_THROTTLED, counter(stat, "nr_throttled").orElse(-1));
        totals.put(
                MonitorSeries.THROTTLED,
                version == Version.V2
                        ? counter(stat, "throttled_usec").orElse(-1)
                        : Math.floorDiv(counter(stat, "throttled_time").orElse(-1), 1000L));
        if (totals.containsValue(-1L)) {
            throw new IOException("the kernel does not count periods of CPU time in " + folder);
        }
        return totals;
    }

    private static OptionalLong counter(List<String> stat, String name) {
        return stat.stream()
                .map(line -> line.split(" "))
                .filter(pair -> pair.length == 2 && pair[0].equals(name))
                .mapToLong(pair -> Long.parseLong(pair[1]))
                .findFirst();
    }

    private boolean canBeEntered() {
        try {
            Process trial = new ProcessBuilder(entering(List.of("true"))).start();
            return trial.waitFor(TRIAL_SECONDS, TimeUnit.SECONDS) && trial.exitValue() == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Returns the command that enters the group and then becomes the given command, with the same process id. */
    public List<String> entering(List<String> command) {
        List<String> whole = new ArrayList<>(List.of(
                "sh",
                "-c",
                "echo $$ > \"$0\" && exec \"$@\"",
                folder.resolve("cgroup.procs").toString()));
        whole.addAll(command);
        return whole;
    }

    Version version() {
        return version;
    }

    /** True if a process is in the group. */
    public boolean holds(long pid) {
        return lines(folder.resolve("cgroup.procs")).contains(Long.toString(pid));
    }

    /** Returns the memory limit, as the kernel reports it, bytes. */
    public long limit() throws IOException {
        return value(Controller.MEMORY.file(version));
    }

    /** Returns the peak memory so far, bytes, including page cache. */
    public long peak() throws IOException {
        return value(version.peak);
    }

    private long value(String file) throws IOException {
        return Long.parseLong(Files.readString(folder.resolve(file)).strip());
    }

    /** Removes the group once its process has ended, which takes the kernel a moment. */
    @Override
    public void close() {
        for (int i = 0; i < 50 && !remove(folder); i++) {
            try {
                Thread.sleep(20);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    /** Removes groups of killed servlet-bench processes, whose servers ended with them. */
    private static void sweep(Path parent) {
        try (DirectoryStream<Path> groups = Files.newDirectoryStream(parent, "servlet-bench-*")) {
            for (Path group : groups) {
                Matcher name = LEFT_OVER.matcher(group.getFileName().toString());
                if (name.matches()
                        && ProcessHandle.of(Long.parseLong(name.group(1))).isEmpty()) {
                    remove(group);
                }
            }
        } catch (IOException e) {
            // Groups cannot be created there either.
        }
    }

    private static boolean remove(Path group) {
        try {
            Files.deleteIfExists(group);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    static List<String> lines(Path file) {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.toList();
        } catch (IOException | UncheckedIOException e) {
            return List.of();
        }
    }
}
