package org.servletbench.bench.server.exchange;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.model.Version;

/** A container that Spring Boot embeds: what its libraries are called, and which Maven property sets its version. */
enum ServletContainer {
    TOMCAT(
            "Tomcat",
            "tomcat-embed-core",
            "org/apache/catalina/ org/apache/coyote/ org/apache/tomcat/",
            "org.apache.tomcat"),
    JETTY("Jetty", "jetty-server", "org/eclipse/jetty/", "org.eclipse.jetty org.mortbay.jasper"),
    UNDERTOW(
            "Undertow",
            "undertow-core",
            "io/undertow/ org/xnio/",
            "io.undertow org.jboss.xnio org.jboss.threads org.wildfly");

    /** Interfaces of every container: each starter brings the version that its container implements. */
    private static final List<String> INTERFACES = List.of("jakarta.servlet", "jakarta.websocket", "javax.servlet");

    /** Bean validation needs it, whatever the container. */
    private static final String EXPRESSIONS = "tomcat-embed-el";

    private final String title;
    private final String marker;
    private final List<String> packages;
    private final List<String> groups;

    ServletContainer(String title, String marker, String packages, String groups) {
        this.title = title;
        this.marker = marker;
        this.packages = List.of(packages.split(" "));
        this.groups = List.of(groups.split(" "));
    }

    /**
     * @param name {@code tomcat}, {@code jetty} or {@code undertow}
     * @throws UsageException if there is no such container
     */
    static ServletContainer named(String name) {
        return Arrays.stream(values())
                .filter(one -> one.key().equals(name))
                .findFirst()
                .orElseThrow(() -> new UsageException("there is no container '" + name + "': give one of "
                        + Arrays.stream(values()).map(ServletContainer::key).collect(Collectors.joining(", "))));
    }

    /** Whether a Spring Boot of this version has it. */
    boolean isIn(Version bootVersion) {
        return this != UNDERTOW || bootVersion.major() < 4;
    }

    /** As in files and on the command line. */
    String key() {
        return title.toLowerCase(Locale.ROOT);
    }

    /** For people. */
    String title() {
        return title;
    }

    String starter() {
        return "spring-boot-starter-" + key();
    }

    /** Of {@code spring-boot-starter-parent}. */
    String versionProperty() {
        return key() + ".version";
    }

    /** Whether a library in a jar is the container itself, and of which version; null if it is not. */
    String versionOf(String library) {
        return Artifact.versionIn(library, marker);
    }

    /** Whether an artifact of the starter's closure belongs to this container, so that it goes with it. */
    boolean owns(Artifact artifact) {
        boolean ofBoot = artifact.group().equals("org.springframework.boot")
                && artifact.name().matches("spring-boot(-starter)?-" + key() + "(-.*)?");
        return !artifact.name().equals(EXPRESSIONS)
                && (ofBoot
                        || INTERFACES.contains(artifact.group())
                        || groups.stream()
                                .anyMatch(group -> artifact.group().equals(group)
                                        || artifact.group().startsWith(group + ".")));
    }

    /** Whether a class of this internal name, such as {@code org/apache/catalina/Valve}, is the container's. */
    boolean ownsClass(String internalName) {
        return packages.stream().anyMatch(internalName::startsWith);
    }
}
