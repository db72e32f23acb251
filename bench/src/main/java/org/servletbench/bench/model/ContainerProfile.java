package org.servletbench.bench.model;

import java.io.Serializable;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a Maven profile means at run time, from its file in {@code profiles/}: the only place that lists containers.
 *
 * @param name the profile, for example {@code tomcat-nio2}
 * @param label the same for people, for example {@code Tomcat NIO2}
 * @param container {@code tomcat}, {@code jetty} or {@code undertow}
 * @param connector how the container does I/O, as it stands in folder names: {@code nio}, {@code serverconnector}, …
 * @param connectorClass the class that the running server must name when it is asked for its connector
 * @param lines the Spring Boot lines that have it, at least one
 * @param without what to say on other lines, with {@value #LINE} for the line; empty where it is on all
 * @param nativeLibrary the native library without which the container would silently run another connector
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

    /** The line of whoever names none. */
    public static final String DEFAULT_LINE = "boot3";

    private static final String LINE = "${bench.line}";

    /**
     * A native library and how to get it.
     *
     * @param file the start of its file name, for example {@code libtcnative-1.so}
     * @param debianPackage the Debian package that has it
     */
    public record NativeLibrary(String file, String debianPackage) implements Serializable {}

    /** An application of the user's own: whatever runs in it is put on record, and held against nothing. */
    public static ContainerProfile unknown(String name) {
        return new ContainerProfile(name, name, "", "", "", LINES, "", Optional.empty());
    }

    /** The same with what it is to be. */
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

    /** The line that is taken where none is named. */
    public String usualLine() {
        return lines.contains(DEFAULT_LINE) ? DEFAULT_LINE : lines.get(0);
    }

    /** Why there is no such arm; empty where the line has it. */
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
