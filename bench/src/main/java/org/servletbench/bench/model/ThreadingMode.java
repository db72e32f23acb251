package org.servletbench.bench.model;

import java.io.Serializable;
import java.util.Collection;
import java.util.List;

/**
 * How a server must serve its requests.
 *
 * @param protocol protocol between server and clients
 * @param asked true if the server is asked which kind of thread serves a request
 * @param probes number of requests sent at once to count how many the server serves at once; 0 if this is not counted
 */
public record ThreadingMode(Threads threads, Protocol protocol, boolean asked, int probes) implements Serializable {

    /** Platform threads. The server is not asked for them, and no requests are counted. */
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
     * Default number of threads in a pool ({@code bench.threads} of the settings set equalised). A single run with
     * fewer users also reports whether a server has this many.
     */
    public static final int USUAL_POOL = 200;

    /** Undertow's default pool size, for people. It comes from XNIO's {@code XnioWorker.Builder}. */
    public static final String UNDERTOWS_OWN_POOL = "8 for each processor, at least 16";

    private static final int MORE_THAN_USERS = 50;
    /**
     * Maximum number of probes. Higher limits are not searched for, because each request takes a connection and perhaps
     * a thread.
     */
    private static final int MOST_PROBES = 5_000;

    /**
     * Returns the mode of a server under load. Requests are counted only if it can matter: when a handler waits, or
     * when a server has virtual threads. Counting takes about a second and makes the server start all its threads.
     *
     * @param all threads of all servers in the comparison, including this one
     * @param users maximum number of users at one time; a higher limit never takes effect, so that servers with higher
     *     limits behave alike
     */
    public static ThreadingMode of(Threads threads, Collection<Threads> all, List<Workload> workloads, int users) {
        boolean counted = all.contains(Threads.VIRTUAL) || workloads.stream().anyMatch(Workload::blocks);
        return new ThreadingMode(threads, counted, counted ? Math.min(MOST_PROBES, users + MORE_THAN_USERS) : 0);
    }

    /**
     * Returns the mode of servers that are only started. Requests are not counted, because the limit has no effect.
     *
     * @param all threads of all servers in the comparison, including this one
     */
    public static ThreadingMode ofStarts(Threads threads, Collection<Threads> all) {
        return new ThreadingMode(threads, all.contains(Threads.VIRTUAL), 0);
    }
}
