package org.servletbench.bench.server.exchange;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.model.Version;

/** A container that Spring Boot embeds, with its library names and the Maven property that sets its version. */
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

    /** Interfaces that every container implements. Each starter brings the version that its container implements. */
    private static final List<String> INTERFACES = List.of("jakarta.servlet", "jakarta.websocket", "javax.servlet");

    /** Library that bean validation needs with any container. */
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

    /** True if this version of Spring Boot supports it. */
    boolean isIn(Version bootVersion) {
        return this != UNDERTOW || bootVersion.major() < 4;
    }

    /** Returns its name in files and on the command line. */
    String key() {
        return title.toLowerCase(Locale.ROOT);
    }

    /** Returns its name for people. */
    String title() {
        return title;
    }

    String starter() {
        return "spring-boot-starter-" + key();
    }

    /** Returns the property of {@code spring-boot-starter-parent} that sets its version. */
    String versionProperty() {
        return key() + ".version";
    }

    /** Returns the version if a library in a jar is the container itself; null if it is something else. */
    String versionOf(String library) {
        return Artifact.versionIn(library, marker);
    }

    /**
     * True if an artifact among the starter's dependencies belongs to this container, so that it is removed with it.
     */
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

    /** True if a class with this internal name, such as {@code org/apache/catalina/Valve}, is the container's. */
    boolean ownsClass(String internalName) {
        return packages.stream().anyMatch(internalName::startsWith);
    }
}
