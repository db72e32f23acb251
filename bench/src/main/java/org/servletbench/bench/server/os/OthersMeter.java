package org.servletbench.bench.server.os;

import java.io.IOException;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * What other programs took of a process's processors, a server's or the generator's: their busy time minus the CPU time of our own
 * processes on them. Ours are the servers that are up and the generator, where they may run there, and the rig. The rig's CPU
 * time counts as spent there, wherever it ran, so that others are told too low by at most that.
 *
 * <p>The total is a sum of what happened from one reading to the next. Where servers came or went in between, or processes
 * were moved to other processors, the interval is left out: nobody can tell what was whose.
 */
public final class OthersMeter {

    /** What the kernel says; all times are totals in ms. */
    interface Kernel {

        /** Busy time of some processors together. */
        long busyMillis(List<Integer> processors) throws IOException;

        /** On which processors a process may run. */
        List<Integer> processors(long pid) throws IOException;

        /** CPU time of a process, of all its threads. */
        long cpuMillis(long pid) throws IOException;

        /** CPU time of a process's children that have ended. */
        long endedChildrenMillis(long pid) throws IOException;
    }

    /**
     * Totals at one moment, and of what they are.
     *
     * @param servers those that may run on the processors
     * @param generator whether it may
     */
    private record Reading(List<Integer> processors, Set<Long> servers, boolean generator, long busy, long ours) {

        boolean isLike(Reading other) {
            return processors.equals(other.processors) && servers.equals(other.servers) && generator == other.generator;
        }
    }

    private static final Set<Supplier<List<Long>>> UP = ConcurrentHashMap.newKeySet();

    private final Kernel kernel;
    private final long rig;
    private Reading last;
    private double others;

    /** This server is up: its processes are ours, to every meter. */
    public static void up(Supplier<List<Long>> server) {
        UP.add(server);
    }

    /** This server is about to stop. */
    public static void down(Supplier<List<Long>> server) {
        UP.remove(server);
    }

    /** Process ids of all servers that are up. */
    static Set<Long> servers() {
        return UP.stream().flatMap(server -> server.get().stream()).collect(Collectors.toSet());
    }

    /** @param rig our own process id */
    OthersMeter(Kernel kernel, long rig) {
        this.kernel = kernel;
        this.rig = rig;
    }

    /**
     * Reads.
     *
     * @param of the process whose processors are looked at: a server's, or the generator's
     * @return what others took since the first reading: ms for each of these processors, on average. A single interval may be
     *     negative, because the kernel counts in steps of some ms
     */
    synchronized long sample(long of, Set<Long> servers, long generator) throws IOException {
        List<Integer> processors = of == generator ? processorsOfGenerator(of) : kernel.processors(of);
        Set<Long> here = new HashSet<>();
        boolean shared = of == generator || sharesWith(processors, generator);
        // In a single run the rig is the generator, which has processors of its own while it is measured.
        long ours = generator == rig && !shared ? 0 : kernel.cpuMillis(rig);
        for (long pid : servers) {
            if (!Collections.disjoint(processors, kernel.processors(pid))) {
                here.add(pid);
                ours += kernel.cpuMillis(pid);
            }
        }
        if (shared) {
            // A generator that has ended, or any helper, is among the rig's ended children.
            ours += kernel.endedChildrenMillis(rig) + generatorMillis(here, generator);
        }
        Reading now = new Reading(processors, here, shared, kernel.busyMillis(processors), ours);
        if (last != null && last.isLike(now)) {
            others += (double) (now.busy - last.busy - (now.ours - last.ours)) / processors.size();
        }
        last = now;
        return Math.round(others);
    }

    /** Once it has ended: those that it had; the next one will run there. */
    private List<Integer> processorsOfGenerator(long generator) throws IOException {
        try {
            return kernel.processors(generator);
        } catch (IOException e) {
            if (last == null) {
                throw e;
            }
            return last.processors;
        }
    }

    private boolean sharesWith(List<Integer> processors, long generator) {
        try {
            return !Collections.disjoint(processors, kernel.processors(generator));
        } catch (IOException e) {
            // It has ended; the next one will run where it did.
            return last != null && last.generator;
        }
    }

    private long generatorMillis(Set<Long> servers, long generator) {
        try {
            return generator == rig || servers.contains(generator) ? 0 : kernel.cpuMillis(generator);
        } catch (IOException e) {
            return 0;
        }
    }
}
