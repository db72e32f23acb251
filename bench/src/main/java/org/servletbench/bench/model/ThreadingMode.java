package org.servletbench.bench.model;

import java.io.Serializable;
import java.util.Collection;
import java.util.List;

/**
 * How a server is to serve.
 *
 * @param protocol what it speaks
 * @param asked whether it is asked which kind of thread serves a request
 * @param probes requests that are sent to count how many it serves at once; 0: that is not counted
 */
public record ThreadingMode(Threads threads, Protocol protocol, boolean asked, int probes) implements Serializable {

    /** Platform threads, nothing asked or counted. */
    public static final ThreadingMode USUAL = new ThreadingMode(Threads.PLATFORM, false, 0);

    /** Over plain HTTP. */
    public ThreadingMode(Threads threads, boolean asked, int probes) {
        this(threads, Protocol.HTTP, asked, probes);
    }

    /** The same over another protocol. */
    public ThreadingMode over(Protocol other) {
        return new ThreadingMode(threads, other, asked, probes);
    }

    /**
     * Threads of a pool, unless somebody sets them ({@code bench.threads} of the settings set equalised): a single run with fewer users
     * says, too, whether a server has them.
     */
    public static final int USUAL_POOL = 200;

    /** What XNIO's {@code XnioWorker.Builder} gives Undertow that is told nothing, for people. */
    public static final String UNDERTOWS_OWN_POOL = "8 for each processor, at least 16";

    private static final int MORE_THAN_USERS = 50;
    /** Beyond this a limit is not looked for: each request takes a connection and may take a thread. */
    private static final int MOST_PROBES = 5_000;

    /**
     * The count is made where it can matter: when a handler waits, or when any of the servers has virtual threads. It takes
     * about a second and makes the server start all its threads, so that other runs do without.
     *
     * @param all threads of all servers that are compared, this one's among them
     * @param users most at one time: a limit beyond them is none, and servers whose limits lie beyond them do the same
     */
    public static ThreadingMode of(Threads threads, Collection<Threads> all, List<Workload> workloads, int users) {
        boolean counted = all.contains(Threads.VIRTUAL) || workloads.stream().anyMatch(Workload::blocks);
        return new ThreadingMode(threads, counted, counted ? Math.min(MOST_PROBES, users + MORE_THAN_USERS) : 0);
    }

    /**
     * Of servers that only start: how many requests they serve at once changes nothing, and is not counted.
     *
     * @param all threads of all servers that are compared, this one's among them
     */
    public static ThreadingMode ofStarts(Threads threads, Collection<Threads> all) {
        return new ThreadingMode(threads, all.contains(Threads.VIRTUAL), 0);
    }
}
