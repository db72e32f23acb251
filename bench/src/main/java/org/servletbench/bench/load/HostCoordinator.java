package org.servletbench.bench.load;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.LongFunction;
import java.util.function.ToLongFunction;
import org.servletbench.bench.generator.Barrier;
import org.servletbench.bench.generator.Schedule;
import org.servletbench.bench.host.HostClock;
import org.servletbench.bench.measure.Interleaving;
import org.servletbench.bench.model.Json;

/**
 * Makes the generators of several load hosts work as one. Every load begins on all of them at the same moment, and they
 * use the same time slices. The coordinator reads their output, and writes files next to their schedules, with times by
 * the clock of each host.
 */
final class HostCoordinator {

    /** Time between the last ready generator and the start, ms. Files must have reached every host by then. */
    private static final long LEAD_MS = 500;
    /**
     * Time between the last ready host and the first slice, ms. Meanwhile, the load continues in slices that are not
     * counted.
     */
    private static final long SLICE_LEAD_MS = 1000;

    private final LoadHosts hosts;
    private final Schedule schedule;
    private final Map<Integer, Set<LoadHost>> ready = new HashMap<>();

    /**
     * @param schedule schedule of all hosts together
     */
    HostCoordinator(LoadHosts hosts, Schedule schedule) {
        this.hosts = hosts;
        this.schedule = schedule;
    }

    /** Processes a line that a generator has printed. */
    synchronized void reported(LoadHost host, String line) {
        if (line.startsWith(Barrier.READY)) {
            int number = Integer.parseInt(line.substring(Barrier.READY.length()).strip());
            Set<LoadHost> there = ready.computeIfAbsent(number, load -> new HashSet<>());
            there.add(host);
            if (there.size() == hosts.all().size()) {
                begin(number);
            }
        }
    }

    private void begin(int number) {
        long beginMs = System.currentTimeMillis() + LEAD_MS;
        int window = number - schedule.interleavings().size();
        double rate = window < 0 ? 0 : schedule.windows().get(window).rate();
        // Requests at a fixed rate come one after the other, not from all hosts at the same moment.
        toAll(
                Barrier.file(number),
                host -> beginMs + (rate > 0 ? Math.round(hosts.all().indexOf(host) * 1000 / rate) : 0),
                ms -> Long.toString(ms).getBytes(StandardCharsets.US_ASCII));
    }

    /**
     * Sets the time slices of a load on all hosts, and returns them by this machine's clock before the first one
     * begins.
     */
    Interleaving rotate(Schedule.InterleavedLoad timeSlices, long timeSliceMs) {
        Interleaving common =
                common(timeSlices, timeSliceMs, hosts.uncertaintyMs(), System.currentTimeMillis() + SLICE_LEAD_MS);
        toAll(
                Schedule.interleavingFile(Path.of(""), timeSlices.name()).toString(),
                host -> common.originMs(),
                ms -> json(common.startingAt(ms)));
        return common;
    }

    /** Returns time slices that are long enough for the servers and for the uncertainty of the hosts' clocks. */
    static Interleaving common(
            Schedule.InterleavedLoad timeSlices, long timeSliceMs, double uncertaintyMs, long originMs) {
        long knownMs = (long) Math.ceil(HostClock.SLICE_UNCERTAINTIES * uncertaintyMs);
        return timeSlices.interleaving(Math.max(timeSliceMs, knownMs), originMs);
    }

    private void toAll(String file, ToLongFunction<LoadHost> hereMs, LongFunction<byte[]> content) {
        LoadHost.await(hosts.all().stream()
                .map(host -> host.send(file, content.apply(host.clock().there(hereMs.applyAsLong(host)))))
                .toList());
    }

    private static byte[] json(Interleaving interleaving) {
        try {
            return Json.MAPPER.writeValueAsBytes(interleaving);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }
}
