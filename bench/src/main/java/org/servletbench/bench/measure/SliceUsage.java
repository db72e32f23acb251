package org.servletbench.bench.measure;

import de.siegmar.fastcsv.writer.CsvWriter;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * CPU time and other totals of one time slice, read at its edges.
 *
 * @param timeSlice number of the time slice, from 0
 * @param fromMs time of the first reading, ms since the epoch
 * @param toMs time of the second reading, ms since the epoch
 * @param server growth of the totals of the server's processes in between, by their columns of {@code monitor.csv}
 * @param generatorMs CPU time of the generator in between, ms
 */
public record SliceUsage(int timeSlice, long fromMs, long toMs, Map<String, Long> server, long generatorMs)
        implements Serializable {

    public SliceUsage {
        server = Collections.unmodifiableMap(new TreeMap<>(server));
    }

    /** Creates an instance with only the server's CPU time, ms. */
    public SliceUsage(int timeSlice, long fromMs, long toMs, long serverMs, long generatorMs) {
        this(timeSlice, fromMs, toMs, Map.of(MonitorSeries.CPU, serverMs), generatorMs);
    }

    /** Returns the CPU time of the server's processes, ms; 0 if no server was read. */
    public long serverMs() {
        return server.getOrDefault(MonitorSeries.CPU, 0L);
    }

    /** Returns this time slice with other times, and with the generator's CPU time in between. */
    public SliceUsage with(long from, long to, long generator) {
        return new SliceUsage(timeSlice, from, to, server, generator);
    }

    /**
     * Joins readings of servers and of a generator on different machines, whose times are on one clock. Time slices
     * that one of them missed are left out.
     *
     * @param servers readings with the times and the servers' CPU time
     * @param generators readings with the generator's CPU time
     */
    public static List<SliceUsage> join(List<SliceUsage> servers, List<SliceUsage> generators) {
        Map<Integer, SliceUsage> ofTimeSlice =
                generators.stream().collect(Collectors.toMap(SliceUsage::timeSlice, use -> use));
        return servers.stream()
                .filter(use -> ofTimeSlice.containsKey(use.timeSlice))
                .map(use -> use.with(
                        use.fromMs, use.toMs, ofTimeSlice.get(use.timeSlice).generatorMsIn(use)))
                .toList();
    }

    /**
     * Returns the generator's CPU time scaled to the time between the server's readings, which may be further apart, or
     * nearer, than its own.
     */
    private long generatorMsIn(SliceUsage other) {
        return Math.round((double) generatorMs * (other.toMs - other.fromMs) / (toMs - fromMs));
    }

    public static void write(List<SliceUsage> uses, Path csv) throws IOException {
        try (CsvWriter rows = MonitorSeries.writer(csv)) {
            Set<String> others = new TreeSet<>();
            uses.forEach(use -> others.addAll(use.server.keySet()));
            others.remove(MonitorSeries.CPU);
            rows.writeRecord(Stream.concat(
                            Stream.of("slice", "from.ms", "to.ms", "server.cpu.ms", "generator.cpu.ms"),
                            others.stream())
                    .toList());
            for (SliceUsage use : uses) {
                rows.writeRecord(Stream.concat(
                                LongStream.of(use.timeSlice, use.fromMs, use.toMs, use.serverMs(), use.generatorMs)
                                        .mapToObj(Long::toString),
                                others.stream()
                                        .map(one -> use.server.containsKey(one)
                                                ? use.server.get(one).toString()
                                                : ""))
                        .toList());
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }
}
