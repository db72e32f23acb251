package org.servletbench.bench.server.proof;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.servletbench.bench.model.ProfilesFolder;
import org.servletbench.bench.model.Secrets;
import org.servletbench.bench.model.ServedAtOnce;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.model.Threads;
import org.servletbench.bench.server.http.HttpWire;
import org.servletbench.bench.server.process.ServerProcess;
import org.servletbench.bench.server.process.TargetSpec;

/**
 * What the running server said it is, once it has been held against what the build and the profile say it should be.
 *
 * @param identity what it says, by the agent's keys
 * @param spec what it should be
 */
public record ConnectorProof(Map<String, String> identity, TargetSpec spec) {

    /** By property: the fact that tells its effect. */
    private static final Map<String, String> LIMITS = Map.of(
            "server.tomcat.threads.max", "effective.threads.max",
            "server.tomcat.max-connections", "effective.max-connections",
            "server.tomcat.accept-count", "effective.accept-count",
            "server.jetty.threads.max", "effective.threads.max",
            "server.undertow.threads.io", "effective.io-threads",
            "server.undertow.threads.worker", "effective.threads.max");

    private static final String NUMBER = "\\d{1,9}";

    /** What switches of the target app begin with, among the JVM's options. */
    private static final String SWITCH = "-Dproof.";

    /** Holds the running server's identity against the specification. */
    public static ConnectorProof of(Map<String, String> identity, TargetSpec spec, ServerProcess server) {
        return of(identity, spec, server.port(), server.jvmOptions);
    }

    public static ConnectorProof of(Map<String, String> identity, TargetSpec spec, int port, List<String> jvmOptions) {
        if (identity.containsKey("error")) {
            throw new TargetException("the running server does not say what it is: " + identity.get("error"));
        }
        List<String> differences = new ArrayList<>();
        compareIfKnown(differences, "container", spec.profile().container(), identity.get("container"));
        compareIfKnown(differences, "version", spec.containerVersion(), identity.get("container.version"));
        compareIfKnown(differences, "connector", spec.profile().connectorClass(), identity.get("connector.class"));
        compare(differences, "port", Integer.toString(port), identity.get("connector.port"));
        compareIfKnown(differences, "Spring Boot", spec.bootVersion(), identity.get("boot.version"));
        spec.jdk().identity().forEach((key, expected) -> compare(differences, key, expected, identity.get(key)));
        compare(differences, "JVM options", shown(jvmOptions), shown(jvmOptions(identity)));
        limits(spec).forEach((fact, expected) -> compareIfNumber(differences, fact, expected, identity.get(fact)));
        if (identity.containsKey(ServedAtOnce.KIND)) {
            compare(
                    differences,
                    "the thread of a request",
                    spec.serving().threads().key(),
                    identity.get(ServedAtOnce.KIND));
        }
        if (spec.serving().protocol().isSecure()) {
            compare(differences, "the protocol", spec.serving().protocol().key(), identity.get(HttpWire.PROTOCOL));
        }
        spec.archive().flatMap(archive -> archive.missing(identity)).ifPresent(differences::add);
        if (!differences.isEmpty()) {
            throw TargetException.refusal(
                    TargetException.Refusal.SERVER,
                    "the running server is not what " + (spec.isOwn() ? "the arm " : "the profile ")
                            + spec.profile().name() + " says: " + String.join("; ", differences));
        }
        return new ConnectorProof(identity, spec);
    }

    /** The server's JVM: version, name and vendor. */
    public String jvm() {
        return identity.get("jvm.version") + ", " + identity.get("jvm.name") + ", " + identity.get("jvm.vendor");
    }

    /** Of requests served at once, or that there is none; empty where that was not counted. */
    public Optional<String> limit() {
        return Optional.ofNullable(identity.get(ServedAtOnce.LIMIT));
    }

    /** Of an application of the user's own nothing is expected: whatever it is, it is put on record. */
    private static void compareIfKnown(List<String> differences, String what, String expected, String actual) {
        if (!expected.isEmpty()) {
            compare(differences, what, expected, actual);
        }
    }

    /** What is counted in another way, such as threads that are virtual, is no number. */
    private static void compareIfNumber(List<String> differences, String what, String expected, String actual) {
        if (expected.matches(NUMBER) && actual != null && actual.matches(NUMBER)) {
            compare(differences, what, expected, actual);
        }
    }

    /**
     * What the limits of a server of ours must be, by the facts that it tells: those of its settings set and its arm. Something else that
     * sets them, such as a variable of the environment, would go unseen.
     */
    private static Map<String, String> limits(TargetSpec spec) {
        boolean said = !spec.asked().env().isEmpty()
                || spec.jvmOptions().values().stream().anyMatch(option -> option.startsWith("-Dserver."));
        if (spec.isOwn() || said || spec.serving().threads() != Threads.PLATFORM) {
            return Map.of();
        }
        Map<String, String> properties = new TreeMap<>(ProfilesFolder.settingsValues(spec.settings()));
        spec.arguments().forEach(argument -> {
            String[] pair = argument.substring(2).split("=", 2);
            properties.put(pair[0], pair[1]);
        });
        Map<String, String> limits = new TreeMap<>();
        LIMITS.forEach((property, fact) -> {
            String value = properties.getOrDefault(property, "");
            if (property.startsWith("server." + spec.profile().container() + ".")) {
                limits.put(fact, properties.getOrDefault(value.replaceAll("^\\$\\{(.*)}$", "$1"), value));
            }
        });
        return limits;
    }

    private static String shown(List<String> jvmOptions) {
        return jvmOptions.stream().map(Secrets::ofJvm).collect(Collectors.joining(" "));
    }

    private static void compare(List<String> differences, String what, String expected, String actual) {
        if (!expected.equals(actual)) {
            differences.add(what + " is " + actual + " and should be " + expected);
        }
    }

    /** The options that the JVM says it was started with, in order. */
    static List<String> jvmOptions(Map<String, String> identity) {
        return IntStream.iterate(0, i -> identity.containsKey("jvm.option." + i), i -> i + 1)
                .mapToObj(i -> identity.get("jvm.option." + i))
                .toList();
    }

    public String describe() {
        // Faults and costs that were injected to prove the rig, such as -Dproof.delay=20ms.
        List<String> switches = jvmOptions(identity).stream()
                .filter(option -> option.startsWith(SWITCH))
                .toList();
        return identity.get("container") + " " + identity.get("container.version") + ", connector "
                + (spec.profile().connector() + " (").replaceFirst("^ ", "") + identity.get("connector.class")
                + Optional.ofNullable(identity.get("native.version"))
                        .map(version -> ", native library " + version)
                        .orElse("")
                + "), " + spec.line()
                + " (Spring Boot " + identity.get("boot.version") + "), JDK " + identity.get("jvm.version")
                + Optional.ofNullable(identity.get(HttpWire.PROTOCOL))
                        .map(protocol -> ", " + protocol)
                        .orElse("")
                + Optional.ofNullable(identity.get(ServedAtOnce.KIND))
                        .map(kind -> ", " + kind + " threads")
                        .orElse("")
                + limit().map(most -> ", requests served at once: " + most).orElse("")
                + (switches.isEmpty() ? "" : ", WITH " + String.join(" ", switches));
    }

    /**
     * Which kind of thread serves a request, and how many requests a server really serves at once: more are sent than it
     * is expected to serve, each waits in its handler, and those that are there at the same time are counted from within
     * the JVM. Whatever in the container limits them is seen as a user sees it.
     */
    public static final class AtOnceCount {

        private static final int MOST_COUNTS = 5;
        /** So many more than twice the expected limit are sent first. */
        private static final int MORE_THAN_EXPECTED = 250;

        private static final int TIMEOUT_MILLIS = 10_000;
        /** The kernel tries again after 1 s where the server is slow to accept. */
        private static final int CONNECT_MILLIS = 1_500;
        /** From one request to the next, so that a server that is still cold accepts as fast as they come. */
        private static final long PACE_NANOS = 1_000_000;

        private static final long POLL_NANOS = 10_000_000;
        /** No further request came in for so long: all are in that will be. Shorter where the count is as expected. */
        private static final long QUIET_NANOS = 5_000_000_000L;

        private static final long QUIET_ALMOST_NANOS = 1_500_000_000;
        private static final long QUIET_AS_EXPECTED_NANOS = 300_000_000;
        private static final long MOST_NANOS = 60_000_000_000L;

        /** One server at a time: those that start together would take each other's processors. */
        private static final Object COUNTING = new Object();

        private AtOnceCount() {}

        /**
         * Asks which kind of thread serves a request.
         *
         * @throws IOException if the server does not answer
         */
        public static String kind(URI server) throws IOException {
            try (HttpWire.Connection connection = HttpWire.connect(server, TIMEOUT_MILLIS)) {
                return ask(connection, server, "/proof/thread");
            }
        }

        /**
         * Counts.
         *
         * @param requests to send at most: fewer where the container says its limit and these find it
         * @param expected the limit that the container says it has; what is not a number is not known
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
         * A server that is still cold, on a machine on which others start, may be counted before all are in: a count must come
         * out twice, unless it is the very limit that the container says it has.
         *
         * @param once whether one like the expected one need not, either
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
            throw new IOException("how many requests it serves at once came out differently " + MOST_COUNTS
                    + " times, at last " + inside + ": end other programs on this machine");
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
                // The server is at rest when the last one has its answer.
                for (HttpWire.Connection socket : sockets) {
                    try (socket) {
                        socket.read();
                    } catch (IOException e) {
                        // It has counted already, or never got in.
                    }
                }
            }
        }

        /** Sends all, or as many as are accepted: a server whose workers also accept connections stops at its limit. */
        private static int inside(
                URI server, JvmProbe probe, int requests, String expected, Deque<HttpWire.Connection> sockets)
                throws IOException {
            long begin = System.nanoTime();
            while (sockets.size() < requests) {
                try {
                    HttpWire.Connection socket = HttpWire.connectPlainly(server, CONNECT_MILLIS);
                    sockets.add(socket);
                    // Over TLS this waits for a thread of the server's, which beyond its limit does not come.
                    socket.send(HttpWire.request(server, "/proof/held"));
                    socket.patience(TIMEOUT_MILLIS);
                    LockSupport.parkNanos(PACE_NANOS);
                } catch (SocketTimeoutException e) {
                    // Where all are in that it accepted, it is only slow to accept.
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
}
