package org.servletbench.bench.model;

import java.io.Serializable;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A Maven profile at run time, read from its file in {@code profiles/}. These files are the only list of containers.
 *
 * @param name name of the profile, for example {@code tomcat-nio2}
 * @param label name for people, for example {@code Tomcat NIO2}
 * @param container {@code tomcat}, {@code jetty} or {@code undertow}
 * @param connector how the container does I/O, as in folder names: {@code nio}, {@code serverconnector}, …
 * @param connectorClass class that the running server must report as its connector
 * @param lines versions of Spring Boot that support it, at least one
 * @param without message for other versions, with {@value #LINE} for the version; empty if all support it
 * @param nativeLibrary native library without which the container would silently run another connector
 */
public record ContainerProfile(
        String name,
        String label,
        String container,
        String connector,
        String connectorClass,
        List<String> lines,
        String without,
        Optional<NativeLibrary> nativeLibrary)
        implements Serializable {

    public static final List<String> LINES = List.of("boot2", "boot3", "boot4");

    /** Version of Spring Boot if none is given. */
    public static final String DEFAULT_LINE = "boot3";

    private static final String LINE = "${bench.line}";

    /**
     * A native library and how to get it.
     *
     * @param file start of its file name, for example {@code libtcnative-1.so}
     * @param debianPackage Debian package that contains it
     */
    public record NativeLibrary(String file, String debianPackage) implements Serializable {}

    /** Returns the profile of a user's own application. The facts of its server are recorded, but not compared. */
    public static ContainerProfile unknown(String name) {
        return new ContainerProfile(name, name, "", "", "", LINES, "", Optional.empty());
    }

    /** Returns this profile with the expected container, connector and connector class. */
    ContainerProfile as(String newContainer, String newConnector, String newClass) {
        return new ContainerProfile(name, label, newContainer, newConnector, newClass, lines, without, nativeLibrary);
    }

    static ContainerProfile of(String name, Map<String, String> values, Path file) {
        String container = required(values, "container", file);
        String connector = required(values, "connector", file);
        String connectorClass = required(values, "connector.class", file);
        List<String> lines = Arrays.stream(required(values, "lines", file).split(","))
                .map(String::strip)
                .toList();
        if (!LINES.containsAll(lines)) {
            throw new UsageException("'lines' in " + file + " is " + lines + ": lines are " + String.join(", ", LINES));
        }
        return new ContainerProfile(
                name,
                required(values, "label", file),
                container,
                connector,
                connectorClass,
                lines,
                lines.containsAll(LINES) ? "" : required(values, "lines.without", file),
                Optional.ofNullable(values.get("native.library"))
                        .map(library -> new NativeLibrary(library, required(values, "native.package", file))));
    }

    /** Returns the version of Spring Boot if none is given. */
    public String usualLine() {
        return lines.contains(DEFAULT_LINE) ? DEFAULT_LINE : lines.get(0);
    }

    /** Returns why a version of Spring Boot does not support it; empty if it does. */
    public Optional<String> missingOn(String line) {
        return lines.contains(line) ? Optional.empty() : Optional.of(without.replace(LINE, line));
    }

    static String required(Map<String, String> values, String key, Path file) {
        String value = values.get(key);
        if (value == null || value.isBlank()) {
            throw new UsageException(file + " has no value for '" + key + "'");
        }
        return value.strip();
    }
}
