package org.servletbench.bench.server.proof;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.servletbench.bench.model.ServedAtOnce;
import org.servletbench.bench.server.http.HttpWire;

/**
 * Determines which kind of thread serves a request, and how many requests a server really serves at once. It sends
 * more requests than the server should be able to serve. Each request waits in its handler, and those present at
 * the same time are counted inside the JVM. This reveals any limit in the container, as a user would experience it.
 */
public final class AtOnceCount {

    private static final int MOST_COUNTS = 5;
    /** Number of requests sent at first, in addition to twice the expected limit. */
    private static final int MORE_THAN_EXPECTED = 250;

    private static final int TIMEOUT_MILLIS = 10_000;
    /** Timeout of a connection, ms. The kernel retries after 1 s if the server is slow to accept. */
    private static final int CONNECT_MILLIS = 1_500;
    /** Time from one request to the next, ns, so that even a cold server accepts them in time. */
    private static final long PACE_NANOS = 1_000_000;

    private static final long POLL_NANOS = 10_000_000;
    /**
     * Time without a further request after which the count is final, ns. It is shorter if the count is as expected.
     */
    private static final long QUIET_NANOS = 5_000_000_000L;

    private static final long QUIET_ALMOST_NANOS = 1_500_000_000;
    private static final long QUIET_AS_EXPECTED_NANOS = 300_000_000;
    private static final long MOST_NANOS = 60_000_000_000L;

    /**
     * Lock that lets only one server be counted at a time. Servers counted together would take processors from each
     * other.
     */
    private static final Object COUNTING = new Object();

    private AtOnceCount() {}

    /**
     * Returns which kind of thread serves a request.
     *
     * @throws IOException if the server does not answer
     */
    public static String kind(URI server) throws IOException {
        try (HttpWire.Connection connection = HttpWire.connect(server, TIMEOUT_MILLIS)) {
            return ask(connection, server, "/proof/thread");
        }
    }

    /**
     * Counts the requests that a server serves at once.
     *
     * @param requests maximum number to send; fewer if the container reports its limit and they confirm it
     * @param expected limit that the container reports; anything other than a number means unknown
     * @return facts for the server's record
     * @throws IOException if the server does not answer
     */
    public static Map<String, String> facts(URI server, JvmProbe probe, int requests, String expected)
            throws IOException {
        int few = expected.matches("\\d{1,9}")
                ? Math.min(requests, 2 * Integer.parseInt(expected) + MORE_THAN_EXPECTED)
                : requests;
        synchronized (COUNTING) {
            int sent = few;
            int inside = confirmed(server, probe, few, expected, few == requests);
            if (inside >= few && few < requests) {
                sent = requests;
                inside = confirmed(server, probe, requests, expected, false);
            }
            return Map.of(
                    ServedAtOnce.LIMIT,
                    inside >= sent ? ServedAtOnce.NO_LIMIT : Integer.toString(inside),
                    ServedAtOnce.SENT,
                    "" + sent);
        }
    }

    /**
     * Confirms a count. A cold server on a busy machine may be counted before all requests are in. Therefore two
     * counts must agree, unless the count equals the limit that the container reports.
     *
     * @param once true if a single count close to the reported limit is enough
     */
    private static int confirmed(URI server, JvmProbe probe, int requests, String expected, boolean once)
            throws IOException {
        int inside = count(server, probe, requests, expected);
        for (int again = 1; again < MOST_COUNTS; again++) {
            boolean confirmed = expected.equals(Integer.toString(inside)) || once && isLike(inside, expected);
            if (inside >= requests || confirmed) {
                return inside;
            }
            int next = count(server, probe, requests, expected);
            if (isLike(next, Integer.toString(inside))) {
                return Math.max(inside, next);
            }
            inside = Math.max(inside, next);
        }
        throw new IOException("the number of requests that it serves at once varied " + MOST_COUNTS + " times, last "
                + inside + ": stop other programs on this machine");
    }

    private static boolean isLike(int inside, String expected) {
        return ServedAtOnce.isLike(inside, expected, Runtime.getRuntime().availableProcessors());
    }

    private static int count(URI server, JvmProbe probe, int requests, String expected) throws IOException {
        Deque<HttpWire.Connection> sockets = new ArrayDeque<>();
        try {
            probe.held("close");
            return inside(server, probe, requests, expected, sockets);
        } finally {
            probe.held("open");
            // The server is idle once the last request has its answer.
            for (HttpWire.Connection socket : sockets) {
                try (socket) {
                    socket.read();
                } catch (IOException e) {
                    // The request was already counted, or was never accepted.
                }
            }
        }
    }

    /**
     * Sends all requests, or as many as are accepted. A server whose workers also accept connections stops at its
     * limit.
     */
    private static int inside(
            URI server, JvmProbe probe, int requests, String expected, Deque<HttpWire.Connection> sockets)
            throws IOException {
        long begin = System.nanoTime();
        while (sockets.size() < requests) {
            try {
                HttpWire.Connection socket = HttpWire.connectPlainly(server, CONNECT_MILLIS);
                sockets.add(socket);
                // Over TLS, this waits for a server thread, which never comes beyond the limit.
                socket.send(HttpWire.request(server, "/proof/held"));
                socket.patience(TIMEOUT_MILLIS);
                LockSupport.parkNanos(PACE_NANOS);
            } catch (SocketTimeoutException e) {
                // If all accepted requests are inside, the server is only slow to accept.
                int inside = settled(probe, sockets.size(), expected);
                if (inside < sockets.size()) {
                    return inside;
                }
                if (System.nanoTime() - begin > MOST_NANOS) {
                    throw new IOException("it accepts no more than " + sockets.size() + " connections", e);
                }
            }
        }
        return settled(probe, requests, expected);
    }

    private static int settled(JvmProbe probe, int requests, String expected) throws IOException {
        long begin = System.nanoTime();
        long changed = begin;
        int inside = -1;
        while (true) {
            int now = probe.held("inside");
            long time = System.nanoTime();
            changed = now == inside ? changed : time;
            inside = now;
            long quiet = expected.equals(Integer.toString(inside))
                    ? QUIET_AS_EXPECTED_NANOS
                    : expected.isEmpty() || isLike(inside, expected) ? QUIET_ALMOST_NANOS : QUIET_NANOS;
            if (inside == requests || time - changed > quiet || time - begin > MOST_NANOS) {
                return inside;
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    private static String ask(HttpWire.Connection connection, URI server, String path) throws IOException {
        HttpWire.Answer answer = connection.ask(HttpWire.request(server, path));
        if (answer.status() != 200) {
            throw new IOException(path + " answers " + answer.status());
        }
        return new String(answer.body(), StandardCharsets.UTF_8);
    }
}
