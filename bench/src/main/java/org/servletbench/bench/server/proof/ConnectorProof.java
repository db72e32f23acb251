package org.servletbench.bench.server.proof;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
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

    private static final String POOL_SIZE = "spring.datasource.hikari.maximum-pool-size";

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
        comparePools(differences, identity, spec.asked());
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
     * Returns an error for a service that asks for virtual threads but does not get them, for example because it
     * replaces the container's executor; empty otherwise.
     */
    private static Optional<String> lacksVirtualThreads(Map<String, String> identity, TargetSpec spec) {
        return "true".equalsIgnoreCase(spec.asked().properties().get(ServerProcess.VIRTUAL_THREADS))
                        && "false".equals(identity.get("effective.threads.virtual"))
                ? Optional.of(ServerProcess.VIRTUAL_THREADS + " has no effect, because requests run on a pool of "
                        + identity.get("effective.threads.max") + " platform threads, which the service's own code"
                        + " configures: leave it out")
                : Optional.empty();
    }

    /** Requires that one of HikariCP's pools has the size that the arm asks for, unless their sizes are not known. */
    private static void comparePools(List<String> differences, Map<String, String> identity, ArmSpec asked) {
        String size = asked.properties().getOrDefault(POOL_SIZE, "");
        String pools = identity.getOrDefault("effective.pool.max", "");
        if (size.matches(NUMBER)
                && !pools.equals("not known")
                && !List.of(pools.split(", ")).contains(size)) {
            differences.add("HikariCP's pool should have " + size + " connections, but "
                    + (pools.isEmpty() ? "HikariCP is not loaded" : "has " + pools));
        }
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
}
