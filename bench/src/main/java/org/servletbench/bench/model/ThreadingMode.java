package org.servletbench.bench.model;

import java.io.Serializable;
import java.util.Collection;
import java.util.List;

/**
 * How a server must serve its requests.
 *
 * @param protocol between server and clients
 * @param asked true if the server is asked which kind of thread serves a request
 * @param probes number of requests sent to count how many it serves at once; 0: no count
 */
public record ThreadingMode(Threads threads, Protocol protocol, boolean asked, int probes) implements Serializable {

    /** Platform threads; nothing is asked or counted. */
    public static final ThreadingMode USUAL = new ThreadingMode(Threads.PLATFORM, false, 0);

    /** Creates the mode for plain HTTP. */
    public ThreadingMode(Threads threads, boolean asked, int probes) {
        this(threads, Protocol.HTTP, asked, probes);
    }

    /** Returns this mode over another protocol. */
    public ThreadingMode over(Protocol other) {
        return new ThreadingMode(threads, other, asked, probes);
    }

    /**
     * Default number of threads in a pool ({@code bench.threads} of the settings set equalised): a single run with fewer users also
     * reports whether a server has them.
     */
    public static final int USUAL_POOL = 200;

    /** Size that XNIO's {@code XnioWorker.Builder} gives Undertow by default, for people. */
    public static final String UNDERTOWS_OWN_POOL = "8 for each processor, at least 16";

    private static final int MORE_THAN_USERS = 50;
    /** Most probes: a higher limit is not searched for, because each request takes a connection and may take a thread. */
    private static final int MOST_PROBES = 5_000;

    /**
     * Requests are counted only if it can matter: when a handler waits, or when any of the servers has virtual threads. The count
     * takes about a second and makes the server start all its threads.
     *
     * @param all threads of all servers in the comparison, including this one
     * @param users highest number at one time: a limit above it never takes effect, so that servers with limits above it behave
     *     alike
     */
    public static ThreadingMode of(Threads threads, Collection<Threads> all, List<Workload> workloads, int users) {
        boolean counted = all.contains(Threads.VIRTUAL) || workloads.stream().anyMatch(Workload::blocks);
        return new ThreadingMode(threads, counted, counted ? Math.min(MOST_PROBES, users + MORE_THAN_USERS) : 0);
    }

    /**
     * Returns the mode of servers that are only started: how many requests they serve at once changes nothing, and is not counted.
     *
     * @param all threads of all servers in the comparison, including this one
     */
    public static ThreadingMode ofStarts(Threads threads, Collection<Threads> all) {
        return new ThreadingMode(threads, all.contains(Threads.VIRTUAL), 0);
    }
}
