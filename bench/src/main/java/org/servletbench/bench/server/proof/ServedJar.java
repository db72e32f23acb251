package org.servletbench.bench.server.proof;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * A copy of an application's jar, for a server that may live long. The clone's next build overwrites the jar, and the
 * server would no longer find classes that it has not loaded yet.
 */
public final class ServedJar {
    private static final String PREFIX = "serving-";
    private static final String SUFFIX = ".jar";

    private ServedJar() {}

    /**
     * @param jar jar made by a build
     *
     * @return a copy next to it, which is deleted when this process ends; the jar itself if it does not exist, or
     *     cannot be copied
     */
    public static Path of(Path jar) {
        if (!Files.isRegularFile(jar)) {
            return jar;
        }
        Path own = jar.resolveSibling(PREFIX + ProcessHandle.current().pid() + SUFFIX);
        try {
            deleteLeftovers(jar.toAbsolutePath().getParent());
            Files.copy(jar, own, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            return jar;
        }
        own.toFile().deleteOnExit();
        return own;
    }

    /** Deletes copies of processes that were killed. */
    private static void deleteLeftovers(Path folder) throws IOException {
        try (DirectoryStream<Path> served = Files.newDirectoryStream(folder, PREFIX + "*" + SUFFIX)) {
            for (Path one : served) {
                String name = one.getFileName().toString();
                String pid = name.substring(PREFIX.length(), name.length() - SUFFIX.length());
                if (pid.matches("\\d{1,18}")
                        && ProcessHandle.of(Long.parseLong(pid)).isEmpty()) {
                    Files.deleteIfExists(one);
                }
            }
        }
    }
}
