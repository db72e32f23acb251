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
 * CPU time that other programs took from the processors of a server or the generator: the processors' busy time minus
 * the CPU time of our own processes on them. Ours are servlet-bench, and the servers that are up and the generator if
 * they may run there. All CPU time of servlet-bench counts as spent there, wherever it ran, so that other programs' use
 * is reported too low by at most that time.
 *
 * <p>The total is a sum over intervals between readings. An interval in which servers came or went, or processes moved
 * to other processors, is left out, because its time cannot be attributed.
 */
public final class OthersMeter {

    /** Readings of the kernel; all times are totals in ms. */
    interface Kernel {

        /** Returns a total, from any origin, that grows by the time for which several processors are busy, ms. */
        long busyMillis(List<Integer> processors) throws IOException;

        /** Returns the processors on which a process may run. */
        List<Integer> processors(long pid) throws IOException;

        /** Returns the CPU time of a process, over all its threads, ms. */
        long cpuMillis(long pid) throws IOException;

        /** Returns the CPU time of a process's ended children, ms. */
        long endedChildrenMillis(long pid) throws IOException;
    }

    /**
     * Totals at one moment, and the processes they cover.
     *
     * @param servers servers that may run on the processors
     * @param generator true if the generator may run on them
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

    /** Marks a server as up. All meters then count its processes as ours. */
    public static void up(Supplier<List<Long>> server) {
        UP.add(server);
    }

    /** Marks a server as about to stop. */
    public static void down(Supplier<List<Long>> server) {
        UP.remove(server);
    }

    /** Returns the process ids of all servers that are up. */
    static Set<Long> servers() {
        return UP.stream().flatMap(server -> server.get().stream()).collect(Collectors.toSet());
    }

    /** @param rig our own process id */
    OthersMeter(Kernel kernel, long rig) {
        this.kernel = kernel;
        this.rig = rig;
    }

    /**
     * Takes a reading.
     *
     * @param of process whose processors are read: a server or the generator
     * @return other programs' CPU time since the first reading, ms, as the mean per processor. A single interval may be
     *     negative, because the kernel counts in steps of a few ms
     */
    synchronized long sample(long of, Set<Long> servers, long generator) throws IOException {
        List<Integer> processors = of == generator ? processorsOfGenerator(of) : kernel.processors(of);
        Set<Long> here = new HashSet<>();
        boolean shared = of == generator || sharesWith(processors, generator);
        // In a single run, servlet-bench is the generator, which has processors of its own while it is measured.
        long ours = generator == rig && !shared ? 0 : kernel.cpuMillis(rig);
        for (long pid : servers) {
            if (!Collections.disjoint(processors, kernel.processors(pid))) {
                here.add(pid);
                ours += kernel.cpuMillis(pid);
            }
        }
        if (shared) {
            // A generator that has ended, or any helper, is among the ended children of servlet-bench.
            ours += kernel.endedChildrenMillis(rig) + generatorMillis(here, generator);
        }
        Reading now = new Reading(processors, here, shared, kernel.busyMillis(processors), ours);
        if (last != null && last.isLike(now)) {
            others += (double) (now.busy - last.busy - (now.ours - last.ours)) / processors.size();
        }
        last = now;
        return Math.round(others);
    }

    /**
     * Returns the generator's processors. After its end, they are the previous ones, because the next generator will
     * run there.
     */
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
            // It has ended; the next generator will run on the same processors.
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
