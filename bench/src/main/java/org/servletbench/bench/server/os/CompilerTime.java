package org.servletbench.bench.server.os;

import java.io.Serializable;

/**
 * CPU time of a server since its start.
 *
 * @param compilerMs CPU time of its JVM's compiler threads, ms
 * @param serverMs CPU time of all its threads, ms, in the kernel's steps of 10 ms
 */
public record CompilerTime(long compilerMs, long serverMs) implements Serializable {

    /** Returns the compiler's share of the CPU time used since an earlier reading, percent; NaN if none was used. */
    public double percentSince(CompilerTime earlier) {
        long server = serverMs - earlier.serverMs;
        return server > 0 ? 100.0 * (compilerMs - earlier.compilerMs) / server : Double.NaN;
    }
}
