package org.servletbench.bench.server.os;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Meters that must be read thread by thread: context switches, and CPU time by {@link ThreadRole}. This takes 0.1 to
 * 0.3 ms per thread, so it is done once a second, not at the edges of time slices. The last reading of an ended thread
 * is kept.
 */
public final class ThreadMeters {

    /** Column of all context switches of the server's threads, voluntary and involuntary. */
    private static final String SWITCHES = "context.switches";

    private static final String VOLUNTARY = "context.switches.voluntary";
    private static final String INVOLUNTARY = "context.switches.involuntary";

    /** Columns of context switches. The columns of thread roles follow them. */
    public static final List<String> SWITCHES_ONLY = List.of(SWITCHES, VOLUNTARY, INVOLUNTARY);

    /** All columns. */
    public static final List<String> COLUMNS = Stream.concat(
                    SWITCHES_ONLY.stream(), Arrays.stream(ThreadRole.values()).map(ThreadRole::column))
            .toList();

    private final Path tasks;
    private final Map<String, Seen> live = new HashMap<>();
    private final Map<ThreadRole, Long> endedNanos = new EnumMap<>(ThreadRole.class);
    private long endedVoluntary;
    private long endedInvoluntary;

    private record Seen(ThreadRole role, boolean named, long nanos, long voluntary, long involuntary) {}

    public ThreadMeters(long pid) {
        this(Path.of("/proc"), pid);
    }

    ThreadMeters(Path proc, long pid) {
        tasks = proc.resolve(pid + "/task");
    }

    /**
     * Returns totals since the start of the process, by the columns of {@code monitor.csv}.
     *
     * @throws IOException if the process has ended
     */
    public synchronized Map<String, Long> sample() throws IOException {
        Map<String, Seen> now = new HashMap<>();
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(tasks)) {
            for (Path thread : threads) {
                String id = thread.getFileName().toString();
                Seen before = live.get(id);
                Seen seen = look(thread, before);
                if (seen != null) {
                    // The id may now belong to another thread.
                    if (before != null && seen.nanos < before.nanos) {
                        end(before);
                    }
                    now.put(id, seen);
                }
            }
        }
        live.forEach((id, before) -> {
            if (!now.containsKey(id)) {
                end(before);
            }
        });
        live.clear();
        live.putAll(now);
        return totals();
    }

    private void end(Seen thread) {
        endedNanos.merge(thread.role, thread.nanos, Long::sum);
        endedVoluntary += thread.voluntary;
        endedInvoluntary += thread.involuntary;
    }

    private Map<String, Long> totals() {
        long voluntary = endedVoluntary;
        long involuntary = endedInvoluntary;
        Map<ThreadRole, Long> nanos = new EnumMap<>(endedNanos);
        for (Seen thread : live.values()) {
            nanos.merge(thread.role, thread.nanos, Long::sum);
            voluntary += thread.voluntary;
            involuntary += thread.involuntary;
        }
        Map<String, Long> totals = new LinkedHashMap<>();
        totals.put(SWITCHES, voluntary + involuntary);
        totals.put(VOLUNTARY, voluntary);
        totals.put(INVOLUNTARY, involuntary);
        // A role for which no thread was found is unknown, because another JVM or container may use other names.
        nanos.forEach((role, used) -> totals.put(role.column(), used / 1_000_000));
        return totals;
    }

    /** Returns a thread's readings; null if it has just ended. */
    private static Seen look(Path thread, Seen before) {
        try {
            long nanos = Long.parseLong(text(thread, "schedstat").split(" ")[0]);
            boolean known = before != null && before.named && nanos >= before.nanos;
            String name = known ? "" : text(thread, "comm");
            long voluntary = 0;
            long involuntary = 0;
            for (String line : text(thread, "status").split("\n")) {
                if (line.startsWith("voluntary_ctxt_switches:")) {
                    voluntary = number(line);
                } else if (line.startsWith("nonvoluntary_ctxt_switches:")) {
                    involuntary = number(line);
                }
            }
            return new Seen(
                    known ? before.role : ThreadRole.of(name),
                    known || !ThreadRole.isUnnamed(name),
                    nanos,
                    voluntary,
                    involuntary);
        } catch (IOException | UncheckedIOException e) {
            return null;
        }
    }

    private static long number(String line) {
        return Long.parseLong(line.substring(line.indexOf(':') + 1).strip());
    }

    private static String text(Path thread, String file) throws IOException {
        return new String(Files.readAllBytes(thread.resolve(file)), StandardCharsets.ISO_8859_1).strip();
    }
}
