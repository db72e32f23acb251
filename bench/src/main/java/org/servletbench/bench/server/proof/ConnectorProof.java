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
import org.servletbench.bench.comparison.ArmSpec;
import org.servletbench.bench.model.ProfilesFolder;
import org.servletbench.bench.model.Proven;
import org.servletbench.bench.model.Secrets;
import org.servletbench.bench.model.ServedAtOnce;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.model.Threads;
import org.servletbench.bench.server.http.HttpWire;
import org.servletbench.bench.server.process.ServerProcess;
import org.servletbench.bench.server.process.TargetSpec;

/**
 * Identity that the running server reported, after comparison with the build and the profile.
 *
 * @param identity reported facts, by the agent's keys
 * @param spec the expected server
 */
public record ConnectorProof(Map<String, String> identity, TargetSpec spec) {

    /** For each property, the fact that shows its effect. */
    private static final Map<String, String> LIMITS = Map.of(
            "server.tomcat.threads.max", "effective.threads.max",
            "server.tomcat.max-connections", "effective.max-connections",
            "server.tomcat.accept-count", "effective.accept-count",
            "server.jetty.threads.max", "effective.threads.max",
            "server.undertow.threads.io", "effective.io-threads",
            "server.undertow.threads.worker", "effective.threads.max");

    private static final String NUMBER = "\\d{1,9}";

    /** Prefix of the target app's test switches among the JVM options. */
    private static final String SWITCH = "-Dproof.";

    /** Compares the running server's identity with the specification. */
    public static ConnectorProof of(Map<String, String> identity, TargetSpec spec, ServerProcess server) {
        return of(identity, spec, server.port(), server.jvmOptions);
    }

    public static ConnectorProof of(Map<String, String> identity, TargetSpec spec, int port, List<String> jvmOptions) {
        if (spec.command().isPresent()) {
            return ofCommand(identity, spec, jvmOptions);
        }
        if (identity.containsKey("error")) {
            throw new TargetException("the running server does not identify itself: " + identity.get("error"));
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
        compareControlGroups(differences, identity, spec.asked());
        lacksVirtualThreads(identity, spec).ifPresent(differences::add);
        if (!differences.isEmpty()) {
            throw TargetException.refusal(
                    TargetException.Refusal.SERVER,
                    "the running server is not what " + (spec.isOwn() ? "the arm " : "the profile ")
                            + spec.profile().name() + " says: " + String.join("; ", differences));
        }
        return new ConnectorProof(identity, spec);
    }

    /**
     * Compares what a JVM reports that a user's command started: the JDK and our options, if the command takes them,
     * and the limits of its control groups.
     * System properties and modules may be among the command's words. Other options may not, because they would come
     * from elsewhere.
     */
    private static ConnectorProof ofCommand(Map<String, String> identity, TargetSpec spec, List<String> jvmOptions) {
        List<String> differences = new ArrayList<>();
        if (spec.hasJvmOptions()) {
            spec.jdk().identity().forEach((key, expected) -> compare(differences, key, expected, identity.get(key)));
            compare(differences, "JVM options", shown(ofWords(jvmOptions)), shown(ofWords(jvmOptions(identity))));
        }
        compareControlGroups(differences, identity, spec.asked());
        if (!differences.isEmpty()) {
            throw TargetException.refusal(
                    TargetException.Refusal.SERVER,
                    "the JVM of " + spec.profile().name() + " is not what the arm asks for: "
                            + String.join("; ", differences));
        }
        return new ConnectorProof(identity, spec);
    }

    /** Compares the limits that an arm asks for with those of the control groups in which the server is. */
    private static void compareControlGroups(List<String> differences, Map<String, String> identity, ArmSpec asked) {
        Optional.ofNullable(asked.cpus())
                .ifPresent(
                        cpus -> compare(differences, "the CPU limit", cpus.toString(), identity.get(Proven.CPU_LIMIT)));
        Optional.ofNullable(asked.memory())
                .ifPresent(memory -> compare(
                        differences,
                        "the memory limit",
                        (memory.bytes() >> 20) + " MiB",
                        identity.get(Proven.MEMORY_LIMIT)));
    }

    /**
     * Returns an error for a service that asks for virtual threads but replaces Tomcat's executor; empty otherwise. The
     * pools of other containers do not show which threads they have.
     */
    private static Optional<String> lacksVirtualThreads(Map<String, String> identity, TargetSpec spec) {
        return "true".equalsIgnoreCase(spec.asked().properties().get(ServerProcess.VIRTUAL_THREADS))
                        && "tomcat".equals(identity.get("container"))
                ? Optional.ofNullable(identity.get("effective.threads.max"))
                        .filter(pool -> pool.matches(NUMBER))
                        .map(pool -> ServerProcess.VIRTUAL_THREADS + " has no effect, because Tomcat has a pool of "
                                + pool + " threads, which the service's own code configures: leave it out")
                : Optional.empty();
    }

    private static List<String> ofWords(List<String> jvmOptions) {
        return jvmOptions.stream()
                .filter(option -> !option.startsWith("-D") && !option.startsWith("--"))
                .toList();
    }

    /**
     * Marks what a server without Spring Boot does not report about itself. This is not an error if a command started
     * it.
     */
    public static void unproven(Map<String, String> identity) {
        identity.remove("error");
        identity.putIfAbsent("container", Proven.UNPROVEN);
    }

    /** True if the names of its container's threads are unknown. */
    public boolean hasUnknownThreads() {
        return Proven.UNPROVEN.equals(identity.get("container"));
    }

    /** Returns the server's JVM: version, name and vendor. */
    public String jvm() {
        return identity.get("jvm.version") + ", " + identity.get("jvm.name") + ", " + identity.get("jvm.vendor");
    }

    /** Returns the limit of requests served at once, or that there is none; empty if it was not counted. */
    public Optional<String> limit() {
        return Optional.ofNullable(identity.get(ServedAtOnce.LIMIT));
    }

    /** Compares a fact. Facts of a user's own application are only recorded, because nothing is expected there. */
    private static void compareIfKnown(List<String> differences, String what, String expected, String actual) {
        if (!expected.isEmpty()) {
            compare(differences, what, expected, actual);
        }
    }

    /** Compares only numbers. Facts that are counted differently, such as virtual threads, are not numbers. */
    private static void compareIfNumber(List<String> differences, String what, String expected, String actual) {
        if (expected.matches(NUMBER) && actual != null && actual.matches(NUMBER)) {
            compare(differences, what, expected, actual);
        }
    }

    /**
     * Returns the limits that a managed server must report, by fact: those of its settings set and its arm. Otherwise a
     * limit set elsewhere, such as in an environment variable, would go unnoticed.
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

    /** Returns the options with which the JVM reports it was started, in order. */
    static List<String> jvmOptions(Map<String, String> identity) {
        return IntStream.iterate(0, i -> identity.containsKey("jvm.option." + i), i -> i + 1)
                .mapToObj(i -> identity.get("jvm.option." + i))
                .toList();
    }

    public String describe() {
        if (spec.command().isPresent()) {
            String container = identity.get("container");
            return (hasUnknownThreads()
                            ? "container, versions and limits unproven"
                            : container + " " + identity.getOrDefault("container.version", "") + ", limits unproven")
                    + ", JDK " + identity.get("jvm.version");
        }
        // Faults and costs that are injected to test servlet-bench, such as -Dproof.delay=20ms.
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
     * Determines which kind of thread serves a request, and how many requests a server really serves at once. It sends
     * more requests than the server should be able to serve. Each request waits in its handler, and those present at
     * the same time are counted inside the JVM. This reveals any limit in the container, as a user would experience it.
     */
    public static final class AtOnceCount {

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
            throw new IOException("the number of requests that it serves at once varied " + MOST_COUNTS
                    + " times, last " + inside + ": stop other programs on this machine");
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
}
