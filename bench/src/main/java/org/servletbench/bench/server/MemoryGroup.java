package org.servletbench.bench.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A control group of the kernel that limits the memory of one server, as a container does: heap, all beside it, and the page
 * cache. Version 1 and 2 have other names for the same three files.
 */
final class MemoryGroup implements AutoCloseable {

    private static final Path CGROUPS = Path.of("/sys/fs/cgroup");
    private static final Path OWN = Path.of("/proc/self/cgroup");
    private static final Pattern LEFT_OVER = Pattern.compile("servlet-bench-(\\d+)-.*");
    /** For a process that tries to enter it: without privileges none can, and it is of no use. */
    private static final long TRIAL_SECONDS = 5;

    private enum Version {
        V1("memory.limit_in_bytes", "memory.max_usage_in_bytes"),
        V2("memory.max", "memory.peak");

        private final String limit;
        private final String peak;

        Version(String limit, String peak) {
            this.limit = limit;
            this.peak = peak;
        }
    }

    private final Path folder;
    private final Version version;

    private MemoryGroup(Path folder, Version version) {
        this.folder = folder;
        this.version = version;
    }

    /**
     * Makes one.
     *
     * @param limit bytes
     * @return empty where the kernel has no such groups, or does not let this user make one
     */
    static Optional<MemoryGroup> make(long limit) {
        return parents(CGROUPS, lines(OWN)).stream()
                .flatMap(parent -> make(parent, limit).stream())
                .findFirst();
    }

    /** Where one may be made: this process's own group, then those around it, of which a user often owns one. */
    static List<Path> parents(Path cgroups, List<String> own) {
        List<Path> parents = new ArrayList<>();
        for (String line : own) {
            String[] parts = line.split(":", 3);
            boolean two = parts[0].equals("0") && parts[1].isEmpty();
            if (!two && !List.of(parts[1].split(",")).contains("memory")) {
                continue;
            }
            Path root = two ? cgroups : cgroups.resolve("memory");
            for (Path at = root.resolve(parts[2].substring(1)).normalize(); at.startsWith(root); at = at.getParent()) {
                parents.add(at);
            }
        }
        return parents;
    }

    private static Optional<MemoryGroup> make(Path parent, long limit) {
        sweep(parent);
        Path folder = parent.resolve("servlet-bench-" + ProcessHandle.current().pid() + "-" + UUID.randomUUID());
        try {
            Files.createDirectory(folder);
        } catch (IOException e) {
            return Optional.empty();
        }
        Optional<MemoryGroup> made = Stream.of(Version.values())
                .filter(version -> Files.exists(folder.resolve(version.limit)))
                .findFirst()
                .map(version -> new MemoryGroup(folder, version))
                .filter(group -> group.limit(limit) && group.canBeEntered());
        if (made.isEmpty()) {
            remove(folder);
        }
        return made;
    }

    private boolean limit(long bytes) {
        try {
            Files.writeString(folder.resolve(version.limit), Long.toString(bytes));
            return true;
        } catch (IOException e) {
            return false;
        }
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

    /** The command that enters the group and becomes this one: its process id stays. */
    List<String> entering(List<String> command) {
        List<String> whole = new ArrayList<>(List.of(
                "sh",
                "-c",
                "echo $$ > \"$0\" && exec \"$@\"",
                folder.resolve("cgroup.procs").toString()));
        whole.addAll(command);
        return whole;
    }

    /** Whether a process is in it. */
    boolean holds(long pid) {
        return lines(folder.resolve("cgroup.procs")).contains(Long.toString(pid));
    }

    /** What the kernel says that the limit is, bytes. */
    long limit() throws IOException {
        return value(version.limit);
    }

    /** The most that was in use at one time so far, bytes, page cache among it. */
    long peak() throws IOException {
        return value(version.peak);
    }

    private long value(String file) throws IOException {
        return Long.parseLong(Files.readString(folder.resolve(file)).strip());
    }

    /** Removes it once its process has ended; the kernel takes a moment. */
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

    /** Removes groups of rigs that were killed: their servers went with them. */
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
            // Then none can be made there either.
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

    private static List<String> lines(Path file) {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.toList();
        } catch (IOException | UncheckedIOException e) {
            return List.of();
        }
    }
}
