package org.servletbench.bench.server;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.servletbench.bench.measure.Interleaving;
import org.servletbench.bench.measure.SliceUsage;
import org.servletbench.bench.model.Daemon;
import org.servletbench.bench.server.os.LinuxKernel;
import org.servletbench.bench.server.os.ProcessCounters;

/**
 * Reads the {@link ProcessCounters counters} of each slice's server, and the CPU time of the generator, at the edges of
 * the time slices of an {@link Interleaving}. They come from {@code /proc}: exact totals in steps of 10 ms, whose
 * rounding averages out over many slices.
 */
public final class SliceMeters implements Target.SliceReadings {

    /** How long before the end of a slice it is read, so that a late reading does not fall into the next one, ms. */
    private static final long EARLY_MS = 5;

    private final Interleaving interleaving;
    private final List<Supplier<List<Long>>> servers;
    private final long generator;
    private final long marginMs;
    private final List<SliceUsage> uses = new ArrayList<>();
    private final Thread thread;

    /**
     * Starts waiting for the first time slice.
     *
     * @param servers processes of each server, in the order of the interleaving's names
     * @param uncertaintyMs largest offset between the interleaving's clock and the one that is read here, ms; this time
     *     is left out at both ends of a slice, because it may belong to another slice
     */
    public static SliceMeters start(
            Interleaving interleaving, List<Supplier<List<Long>>> servers, long generator, double uncertaintyMs) {
        SliceMeters meters = new SliceMeters(interleaving, servers, generator, (long) Math.ceil(uncertaintyMs));
        meters.thread.start();
        return meters;
    }

    /** Starts a meter for only the generator, if the servers are on another machine. */
    public static SliceMeters ofGenerator(Interleaving interleaving, long generator, double uncertaintyMs) {
        return start(
                interleaving, Collections.nCopies(interleaving.names().size(), List::of), generator, uncertaintyMs);
    }

    private SliceMeters(Interleaving interleaving, List<Supplier<List<Long>>> servers, long generator, long marginMs) {
        this.interleaving = interleaving;
        this.servers = List.copyOf(servers);
        this.generator = generator;
        this.marginMs = marginMs;
        thread = new Daemon("servlet-bench-slices").newThread(this::run);
    }

    @Override
    public synchronized List<SliceUsage> uses() {
        return List.copyOf(uses);
    }

    private void run() {
        int[] order = interleaving.order();
        for (int timeSlice = 0;
                timeSlice < order.length && !Thread.currentThread().isInterrupted();
                timeSlice++) {
            long end = interleaving.toMs(timeSlice) - EARLY_MS - marginMs;
            if (System.currentTimeMillis() >= end || !await(interleaving.arrivedMs(timeSlice) + marginMs)) {
                continue;
            }
            List<Long> pids = servers.get(order[timeSlice]).get();
            Reading from = read(pids);
            boolean waited = await(end);
            Reading to = read(pids);
            if (waited
                    && from != null
                    && to != null
                    && to.atMs < interleaving.toMs(timeSlice) - marginMs
                    && from.atMs < end) {
                add(new SliceUsage(timeSlice, from.atMs, to.atMs, to.since(from), to.generator - from.generator));
            }
        }
    }

    private synchronized void add(SliceUsage use) {
        uses.add(use);
    }

    private record Reading(long atMs, Map<String, Long> server, long generator) {

        private Map<String, Long> since(Reading earlier) {
            Map<String, Long> grown = new HashMap<>(server);
            grown.keySet().retainAll(earlier.server.keySet());
            grown.replaceAll((column, total) -> total - earlier.server.get(column));
            return grown;
        }
    }

    /** Returns a reading; null if a process has gone. */
    private Reading read(List<Long> pids) {
        try {
            Map<String, Long> server = ProcessCounters.of(pids);
            long at = System.currentTimeMillis();
            return new Reading(at, server, LinuxKernel.HERE.cpuMillis(generator));
        } catch (IOException | RuntimeException e) {
            return null;
        }
    }

    private static boolean await(long ms) {
        for (long left = ms - System.currentTimeMillis(); left > 0; left = ms - System.currentTimeMillis()) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(left));
            if (Thread.currentThread().isInterrupted()) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
