package org.servletbench.bench.server;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * What the running server said it is, once it has been held against what the build and the profile say it should be.
 *
 * @param container {@code tomcat}, {@code jetty} or {@code undertow}
 * @param containerVersion the container's own version
 * @param connectorClass the class of the live connector
 * @param bootVersion the version of Spring Boot
 * @param line the Spring Boot line
 * @param connector the connector's short name
 * @param jvmVersion the version of the server's JVM
 * @param jvm its version, name and vendor
 * @param switches faults and costs that were injected to prove the rig, such as {@code -Dproof.delay=20ms}; else empty
 */
record ConnectorProof(
        String container,
        String containerVersion,
        String connectorClass,
        String bootVersion,
        String line,
        String connector,
        String jvmVersion,
        String jvm,
        List<String> switches) {

    /** What switches of the target app begin with, among the JVM's options. */
    private static final String SWITCH = "-Dproof.";

    /** Holds the running server's identity against the specification. */
    static ConnectorProof of(Map<String, String> identity, TargetSpec spec, ServerProcess server) {
        return of(identity, spec, server.port(), server.jvmOptions());
    }

    static ConnectorProof of(Map<String, String> identity, TargetSpec spec, int port, List<String> jvmOptions) {
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
        compare(differences, "JVM options", String.join(" ", jvmOptions), String.join(" ", jvmOptions(identity)));
        spec.aot().flatMap(cache -> AotCache.missing(identity)).ifPresent(differences::add);
        if (!differences.isEmpty()) {
            throw TargetException.refusal(
                    TargetException.Refusal.SERVER,
                    "the running server is not what the profile "
                            + spec.profile().name() + " says: " + String.join("; ", differences));
        }
        return new ConnectorProof(
                identity.get("container"),
                identity.get("container.version"),
                identity.get("connector.class"),
                identity.get("boot.version"),
                spec.line(),
                spec.profile().connector(),
                identity.get("jvm.version"),
                identity.get("jvm.version") + ", " + identity.get("jvm.name") + ", " + identity.get("jvm.vendor"),
                jvmOptions(identity).stream()
                        .filter(option -> option.startsWith(SWITCH))
                        .toList());
    }

    /** Of an application of the user's own nothing is expected: whatever it is, it is put on record. */
    private static void compareIfKnown(List<String> differences, String what, String expected, String actual) {
        if (!expected.isEmpty()) {
            compare(differences, what, expected, actual);
        }
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

    String describe() {
        return container + " " + containerVersion + ", connector " + connector + " (" + connectorClass + "), " + line
                + " (Spring Boot " + bootVersion + "), JDK " + jvmVersion
                + (switches.isEmpty() ? "" : ", WITH " + String.join(" ", switches));
    }
}
