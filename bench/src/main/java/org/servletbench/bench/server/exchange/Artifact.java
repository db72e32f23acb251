package org.servletbench.bench.server.exchange;

import java.nio.file.Path;

/**
 * A library of a container's starter.
 *
 * @param file its path in Maven's repository
 */
record Artifact(String group, String name, String version, Path file) {

    /** Returns its group and name without the version. A jar never contains two versions of one module. */
    String module() {
        return group + ":" + name;
    }

    String fileName() {
        return file.getFileName().toString();
    }

    /** True if a library in a jar is this module, in any version. */
    boolean isModuleOf(String library) {
        return versionIn(library, name) != null;
    }

    /**
     * Returns the version in {@code NAME-VERSION.jar}, which starts with a digit, or with {@code v} and a digit; null
     * for other names.
     */
    static String versionIn(String library, String name) {
        String version = library.startsWith(name + "-") && library.endsWith(".jar")
                ? library.substring(name.length() + 1, library.length() - ".jar".length())
                : "";
        return version.matches("v?\\d.*") ? version : null;
    }
}
