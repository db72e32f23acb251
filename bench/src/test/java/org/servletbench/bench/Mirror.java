package org.servletbench.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The repository by links, with profiles of its own: tests change a number there, and use what is built already. */
public final class Mirror {

    /**
     * Servers of tests that ask what runs, not how fast: small, and warm soon, because only the first JIT compiler works for
     * them.
     */
    public static final String SMALL_JVM = "-Xmx256m\n-Xss256k\n-XX:+UseSerialGC\n-XX:TieredStopAtLevel=1\n";

    /** For Maven, whose life is too short for more. */
    public static final String SHORT_LIVED = "-XX:TieredStopAtLevel=1";

    private Mirror() {}

    /** @param folder is made */
    public static Path of(Path root, Path folder) throws IOException {
        Files.createDirectory(folder);
        try (Stream<Path> rooms = Files.list(root)) {
            for (Path room : rooms.toList()) {
                if (!room.getFileName().toString().equals("profiles")) {
                    Files.createSymbolicLink(folder.resolve(room.getFileName()), room);
                }
            }
        }
        Path profiles = root.resolve("profiles");
        try (Stream<Path> files = Files.walk(profiles)) {
            for (Path file : files.toList()) {
                Files.copy(file, folder.resolve("profiles").resolve(profiles.relativize(file)));
            }
        }
        return folder;
    }

    /** Before the folder is deleted: its links must not be followed. */
    public static void unlink(Path folder) throws IOException {
        try (Stream<Path> rooms = Files.list(folder)) {
            for (Path room : rooms.filter(Files::isSymbolicLink).toList()) {
                Files.delete(room);
            }
        }
    }
}
