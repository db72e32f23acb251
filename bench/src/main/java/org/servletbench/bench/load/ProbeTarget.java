package org.servletbench.bench.load;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.servletbench.bench.measure.Rotation;

/**
 * Tells the latency probe, a process of its own, where its next request goes: to the server that is under load. Whoever runs the
 * load tells it in a file what the generator has said. Thread-safe.
 */
public final class ProbeTarget {

    /** The file in the schedule's folder. */
    static final String FILE = "probe.told";

    static final String END = "servlet-bench: end";
    /** The longest that is waited for what is under way at the end, ms. */
    private static final long LAST_MS = 10_000;

    private final Path folder;
    private final LongSupplier clock;
    private final List<Schedule.Stop> stops;
    private long read;
    private int lines;
    private int window = -1;
    private Rotation rotation;
    private int[] order;
    private long endedMs;
    private int underWay;

    /**
     * @param folder of the schedule, where turns are announced
     * @param clock ms since the epoch, as {@link TurnClock#steadyClock}
     */
    public ProbeTarget(Schedule schedule, Path folder, LongSupplier clock) {
        this.folder = folder;
        this.clock = clock;
        stops = Stream.concat(
                        schedule.rotations().stream().flatMap(turns -> turns.stops().stream()),
                        schedule.windows().stream().map(Schedule.Window::stop))
                .toList();
    }

    public List<Schedule.Stop> stops() {
        return stops;
    }

    /**
     * Where a request goes now; then {@link #answered} must follow.
     *
     * @return index of a stop; -1 where no server is under load
     */
    public synchronized int next() {
        listen();
        int stop = window;
        if (rotation != null) {
            long turn = rotation.turnAt(clock.getAsLong());
            stop = turn < 0 || turn >= order.length ? -1 : stop(rotation.names().get(order[(int) turn]));
        }
        underWay += stop < 0 ? 0 : 1;
        return stop;
    }

    /** A request was answered, or given up. */
    public synchronized void answered() {
        underWay--;
    }

    /** Whether the load is over and everything answered, or for long. */
    public synchronized boolean isOver() {
        listen();
        return endedMs > 0 && (underWay == 0 || clock.getAsLong() > endedMs + LAST_MS);
    }

    private void listen() {
        Path file = folder.resolve(FILE);
        try {
            if (!Files.exists(file) || Files.size(file) == read) {
                return;
            }
            String all = Files.readString(file, StandardCharsets.UTF_8);
            // A line may be half written.
            List<String> known =
                    all.substring(0, all.lastIndexOf('\n') + 1).lines().toList();
            for (String line : known.subList(lines, known.size())) {
                told(line);
            }
            lines = known.size();
            read = all.getBytes(StandardCharsets.UTF_8).length;
        } catch (IOException e) {
            throw new LoadException("the latency probe cannot read " + file + " (" + e.getMessage() + ")");
        }
    }

    private void told(String line) throws IOException {
        window = -1;
        rotation = null;
        if (line.startsWith(Schedule.WINDOW)) {
            window = stop(line.substring(Schedule.WINDOW.length()));
        } else if (line.startsWith(Schedule.ROTATION)) {
            rotation = Schedule.readRotation(Schedule.rotationFile(folder, line.substring(Schedule.ROTATION.length())));
            order = rotation.order();
        } else if (line.equals(END)) {
            endedMs = clock.getAsLong();
        }
    }

    private int stop(String name) {
        return IntStream.range(0, stops.size())
                .filter(stop -> stops.get(stop).name().equals(name))
                .findFirst()
                .orElse(-1);
    }

    /** Tells a probe what the generator has said, and whether it was told: only of windows and turns, and of the end. */
    static boolean tell(Path folder, String line) throws IOException {
        if (line.startsWith(Schedule.WINDOW) || line.startsWith(Schedule.ROTATION) || line.equals(END)) {
            Files.writeString(
                    folder.resolve(FILE),
                    line + "\n",
                    StandardCharsets.UTF_8,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
            return true;
        }
        return false;
    }
}
