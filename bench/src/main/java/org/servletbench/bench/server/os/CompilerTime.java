package org.servletbench.bench.server.os;

import java.io.Serializable;

/**
 * CPU time of a server since its start.
 *
 * @param compilerMs of the threads in which its JVM compiles, ms
 * @param serverMs of all its threads, ms, in the kernel's steps of 10 ms
 */
public record CompilerTime(long compilerMs, long serverMs) implements Serializable {

    /** The compiler's part of the CPU time that was used since an earlier reading, in percent; NaN if none was. */
    public double percentSince(CompilerTime earlier) {
        long server = serverMs - earlier.serverMs;
        return server > 0 ? 100.0 * (compilerMs - earlier.compilerMs) / server : Double.NaN;
    }
}
