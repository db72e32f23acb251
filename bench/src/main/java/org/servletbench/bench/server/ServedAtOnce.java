package org.servletbench.bench.server;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.servletbench.bench.server.LoadClient.HttpWire;

/**
 * Which kind of thread serves a request, and how many requests a server really serves at once: more are sent than the limit
 * that it is expected to have, each waits in its handler, and those that are there at the same time are counted from within
 * the JVM. Whatever limits them (threads, a queue, a pool of connections) is seen as a user sees it.
 */
final class ServedAtOnce {

    /** {@code platform} or {@code virtual}. */
    static final String KIND = "served.threads";
    /** The limit, or {@link #NO_LIMIT}. */
    static final String LIMIT = "served.at-once";
    /** How many requests were sent to find it. */
    static final String SENT = "served.at-once.sent";

    static final String NO_LIMIT = "no limit";

    private static final int TIMEOUT_MILLIS = 10_000;
    /** The kernel tries again after 1 s where the server is slow to accept; where it accepts no more, the rest stays unsent. */
    private static final int CONNECT_MILLIS = 2_500;

    private static final long POLL_NANOS = 10_000_000;
    /** No further request arrived for so long: all are in that will be. Shorter where the count is the one that is expected. */
    private static final long QUIET_NANOS = 1_500_000_000;

    private static final long QUIET_AS_EXPECTED_NANOS = 300_000_000;
    private static final long MOST_NANOS = 20_000_000_000L;

    private ServedAtOnce() {}

    /**
     * Asks and counts.
     *
     * @param requests to send
     * @param expected the limit that the container says it has; what is not a number is not known
     * @return facts for the server's record
     * @throws IOException if the server does not answer
     */
    static Map<String, String> facts(URI server, Probe probe, int requests, String expected) throws IOException {
        String kind;
        try (Socket socket = connect(server, TIMEOUT_MILLIS)) {
            kind = ask(socket, server, "/proof/thread");
        }
        int inside = count(server, probe, requests, expected);
        return Map.of(KIND, kind, LIMIT, inside >= requests ? NO_LIMIT : Integer.toString(inside), SENT, "" + requests);
    }

    private static int count(URI server, Probe probe, int requests, String expected) throws IOException {
        Deque<Socket> sockets = new ArrayDeque<>();
        try {
            probe.held("close");
            send(server, probe, requests, expected, sockets);
            return settled(probe, requests, expected);
        } finally {
            probe.held("open");
            // The server is at rest when the last one has its answer.
            for (Socket socket : sockets) {
                try (socket) {
                    HttpWire.read(socket.getInputStream());
                } catch (IOException e) {
                    // It has counted already, or never got in.
                }
            }
        }
    }

    /** Sends all, or as many as the server accepts: one whose threads also accept connections stops at its limit. */
    private static void send(URI server, Probe probe, int requests, String expected, Deque<Socket> sockets)
            throws IOException {
        long begin = System.nanoTime();
        while (sockets.size() < requests) {
            try {
                Socket socket = connect(server, CONNECT_MILLIS);
                sockets.add(socket);
                socket.getOutputStream().write(HttpWire.request(server, "/proof/held"));
            } catch (SocketTimeoutException e) {
                // Where all are in that it accepted, it is only slow to accept.
                if (settled(probe, sockets.size(), expected) < sockets.size()) {
                    return;
                }
                if (System.nanoTime() - begin > MOST_NANOS) {
                    throw new IOException("it accepts no more than " + sockets.size() + " connections", e);
                }
            }
        }
    }

    private static int settled(Probe probe, int requests, String expected) throws IOException {
        long begin = System.nanoTime();
        long changed = begin;
        int inside = -1;
        while (true) {
            int now = probe.held("inside");
            long time = System.nanoTime();
            changed = now == inside ? changed : time;
            inside = now;
            long quiet = expected.equals(Integer.toString(inside)) ? QUIET_AS_EXPECTED_NANOS : QUIET_NANOS;
            if (inside == requests || time - changed > quiet || time - begin > MOST_NANOS) {
                return inside;
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    private static Socket connect(URI server, int timeoutMillis) throws IOException {
        Socket socket = new Socket();
        socket.connect(new InetSocketAddress(server.getHost(), server.getPort()), timeoutMillis);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        return socket;
    }

    private static String ask(Socket socket, URI server, String path) throws IOException {
        socket.getOutputStream().write(HttpWire.request(server, path));
        HttpWire.Answer answer = HttpWire.read(socket.getInputStream());
        if (answer.status() != 200) {
            throw new IOException(path + " answers " + answer.status());
        }
        return new String(answer.body(), StandardCharsets.UTF_8);
    }
}
