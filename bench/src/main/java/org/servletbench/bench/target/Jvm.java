package org.servletbench.bench.target;

import java.nio.file.Path;

/** Where this process's JDK is, and how to call one. */
final class Jvm {

    private Jvm() {}

    static Path ownHome() {
        return Path.of(System.getProperty("java.home"));
    }

    static String command(Path home) {
        return home.resolve("bin").resolve("java").toString();
    }
}
