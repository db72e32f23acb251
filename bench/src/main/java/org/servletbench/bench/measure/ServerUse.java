package org.servletbench.bench.measure;

import java.util.Map;
import java.util.Optional;

/**
 * What the server, and beside it the generator, used in a cell's steady window. A figure that nobody could tell is NaN.
 *
 * @param cpuMicrosPerRequest CPU time of the server's process per request, µs: what a request costs, whoever waits for it
 * @param cores processors that the server kept busy on average
 * @param allocatedBytesPerRequest bytes allocated on the server's heap per request, by threads that outlived the window
 * @param gcPercent time in garbage collection, in percent of the window
 * @param compilerPercent CPU time of the JIT compiler's threads, in percent of the server's own CPU time
 * @param backlog mean number of methods that waited for the JIT compiler or were being compiled
 * @param contextSwitchesPerRequest switches, voluntary and not, of all the server's threads per request
 * @param residentBytes the largest resident set seen in the window, bytes
 * @param heapAfterGcBytes the smallest heap in use right after a collection that was seen in the window, bytes: what is live, and what
 *     young collections leave in the old generation
 * @param memoryPeakBytes the most that the server's cgroup had in use until the window's end, page cache among it, bytes
 * @param firstTouchShare by how much the resident set grew, as a share of what was allocated: memory that is used for the first
 *     time, which the kernel must find and clear; near 0 once the collector gives back what was used before, about 1 until then
 * @param generatorCores processors that the generator kept busy on average
 * @param stealPercent time that the host kept from this machine, in percent of the window, summed over processors
 * @param othersPercent time that other programs took of the server's processors, or of the generator's if that is more, in percent
 *     of their time; 0 to 100
 * @param threads mean number of live threads by state and by role, by the monitor's own column names
 */
public record ServerUse(
        double cpuMicrosPerRequest,
        double cores,
        double allocatedBytesPerRequest,
        double gcPercent,
        double compilerPercent,
        double backlog,
        double contextSwitchesPerRequest,
        double residentBytes,
        double heapAfterGcBytes,
        double memoryPeakBytes,
        double firstTouchShare,
        double generatorCores,
        double stealPercent,
        double othersPercent,
        Map<String, Double> threads) {

    /** A larger {@link #compilerPercent}, and a server was not warm: what the compiler takes is CPU time per request. */
    public static final double COMPILING_PERCENT = 3;

    private static final double NO = Double.NaN;
    private static final ServerUse UNKNOWN =
            new ServerUse(NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, Map.of());

    /**
     * The same, where only a part of the time was load: what is a share of time belongs to that part.
     *
     * @param share of the time that was load, above 0, up to 1
     * @param generator processors that the generator kept busy, from a better source
     */
    public ServerUse underLoad(double share, double generator) {
        return with(cpuMicrosPerRequest, cores / share, gcPercent / share, generator);
    }

    private ServerUse with(double cpuMicros, double busy, double gc, double generator) {
        return new ServerUse(
                cpuMicros,
                busy,
                allocatedBytesPerRequest,
                gc,
                compilerPercent,
                backlog,
                contextSwitchesPerRequest,
                residentBytes,
                heapAfterGcBytes,
                memoryPeakBytes,
                firstTouchShare,
                generator,
                stealPercent,
                othersPercent,
                threads);
    }

    /**
     * What is known of a server that had the users only in its turns.
     *
     * @param whole over the whole load; empty where nobody watched
     * @param share of the time that was its turns, above 0, up to 1. Collections are caused by its own load; its compiler works in
     *     the turns of others, too, and its share is one of the server's CPU time over the whole load
     * @param cpuMicros CPU time of the server's processes per request, µs, read at the edges of turns
     * @param cores processors that the server kept busy in its turns
     * @param generator processors that the generator kept busy in them
     */
    public static ServerUse inTurns(
            Optional<ServerUse> whole, double share, double cpuMicros, double cores, double generator) {
        ServerUse other = whole.orElse(UNKNOWN);
        return other.with(cpuMicros, cores, other.gcPercent / share, generator);
    }
}
