package org.servletbench.bench.server.exchange;

import java.nio.file.Path;

/**
 * A library of a container's starter.
 *
 * @param file where Maven has put it
 */
record Artifact(String group, String name, String version, Path file) {

    /** Without its version: two libraries of one module are never in one jar. */
    String module() {
        return group + ":" + name;
    }

    String fileName() {
        return file.getFileName().toString();
    }

    /** Whether a library in a jar is this module, of any version. */
    boolean isModuleOf(String library) {
        return versionIn(library, name) != null;
    }

    /** The version in {@code NAME-VERSION.jar}, which begins with a digit (or {@code v} and a digit); null for other names. */
    static String versionIn(String library, String name) {
        String version = library.startsWith(name + "-") && library.endsWith(".jar")
                ? library.substring(name.length() + 1, library.length() - ".jar".length())
                : "";
        return version.matches("v?\\d.*") ? version : null;
    }
}
