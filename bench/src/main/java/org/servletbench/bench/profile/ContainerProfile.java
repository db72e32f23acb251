package org.servletbench.bench.profile;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * What a Maven profile means at run time, from its file in {@code profiles/}.
 *
 * @param name the profile, for example {@code tomcat-nio2}
 * @param container {@code tomcat}, {@code jetty} or {@code undertow}
 * @param connector how the container does I/O, as it stands in folder names: {@code nio}, {@code serverconnector}, …
 * @param connectorClass the class that the running server must name when it is asked for its connector
 * @param nativeLibrary the native library without which the container would silently run another connector
 */
public record ContainerProfile(
        String name, String container, String connector, String connectorClass, Optional<NativeLibrary> nativeLibrary) {

    /**
     * A native library and how to get it.
     *
     * @param file the start of its file name, for example {@code libtcnative-1.so}
     * @param debianPackage the Debian package that has it
     */
    public record NativeLibrary(String file, String debianPackage) {}

    /** An application of the user's own: whatever runs in it is put on record, and held against nothing. */
    public static ContainerProfile unknown(String name) {
        return new ContainerProfile(name, "", "", "", Optional.empty());
    }

    static ContainerProfile of(String name, Map<String, String> values, Path file) {
        return new ContainerProfile(
                name,
                required(values, "container", file),
                required(values, "connector", file),
                required(values, "connector.class", file),
                Optional.ofNullable(values.get("native.library"))
                        .map(library -> new NativeLibrary(library, required(values, "native.package", file))));
    }

    static String required(Map<String, String> values, String key, Path file) {
        String value = values.get(key);
        if (value == null || value.isBlank()) {
            throw new UsageException(file + " has no value for '" + key + "'");
        }
        return value.strip();
    }
}
