package org.servletbench.bench.measure;

import java.util.Map;

/**
 * What the server, and beside it the generator, used in a cell's steady window. A figure that nobody could tell is NaN.
 *
 * @param cpuMicrosPerRequest CPU time of the server's process per request, µs: what a request costs, whoever waits for it
 * @param cores processors that the server kept busy on average
 * @param allocatedBytesPerRequest bytes allocated on the server's heap per request, by threads that outlived the window
 * @param gcPercent time in garbage collection, in percent of the window
 * @param jitPercent time in the JIT compiler's threads, in percent of the window; above 100 when several work
 * @param contextSwitchesPerRequest switches, voluntary and not, of all the server's threads per request
 * @param residentBytes the largest resident set seen in the window, bytes
 * @param firstTouchShare by how much the resident set grew, as a share of what was allocated: memory that is used for the first
 *     time, which the kernel must find and clear; near 0 once the collector gives back what was used before, about 1 until then
 * @param generatorCores processors that the generator kept busy on average
 * @param stealPercent time that the host kept from this machine, in percent of the window, summed over processors
 * @param threads mean number of live threads by state and by role, by the monitor's own column names
 */
public record ServerUse(
        double cpuMicrosPerRequest,
        double cores,
        double allocatedBytesPerRequest,
        double gcPercent,
        double jitPercent,
        double contextSwitchesPerRequest,
        double residentBytes,
        double firstTouchShare,
        double generatorCores,
        double stealPercent,
        Map<String, Double> threads) {

    /**
     * The same, where only a part of the time was load: what is a share of time belongs to that part.
     *
     * @param share of the time that was load, above 0, up to 1
     */
    public ServerUse underLoad(double share) {
        return new ServerUse(
                cpuMicrosPerRequest,
                cores / share,
                allocatedBytesPerRequest,
                gcPercent / share,
                jitPercent / share,
                contextSwitchesPerRequest,
                residentBytes,
                firstTouchShare,
                generatorCores / share,
                stealPercent,
                threads);
    }

    /** The same with a better figure for the generator. */
    public ServerUse withGenerator(double processors) {
        return new ServerUse(
                cpuMicrosPerRequest,
                cores,
                allocatedBytesPerRequest,
                gcPercent,
                jitPercent,
                contextSwitchesPerRequest,
                residentBytes,
                firstTouchShare,
                processors,
                stealPercent,
                threads);
    }

    /**
     * The same with what was read at the edges of turns, which is finer than totals of the whole load.
     *
     * @param cpuMicros CPU time of the server's processes per request, µs
     * @param serverCores processors that the server kept busy in its turns
     * @param generator processors that the generator kept busy in them
     */
    public ServerUse withTurns(double cpuMicros, double serverCores, double generator) {
        return new ServerUse(
                cpuMicros,
                serverCores,
                allocatedBytesPerRequest,
                gcPercent,
                jitPercent,
                contextSwitchesPerRequest,
                residentBytes,
                firstTouchShare,
                generator,
                stealPercent,
                threads);
    }
}
