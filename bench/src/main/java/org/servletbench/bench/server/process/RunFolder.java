package org.servletbench.bench.server.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.stream.Stream;
import org.servletbench.bench.model.TargetException;

/** Creates a new folder for each run. Nothing older is ever overwritten. */
public final class RunFolder {

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");

    private RunFolder() {}

    /** Returns {@code <what>-<yyyyMMdd-HHmmss>}, in UTC. */
    public static String name(String what) {
        return what + "-" + LocalDateTime.now(ZoneOffset.UTC).format(TIME);
    }

    /** Creates a folder with this name and the present time, and a number if the folder exists. */
    public static Path create(Path results, String what) {
        String name = name(what);
        try {
            Files.createDirectories(results);
            for (int number = 1; ; number++) {
                try {
                    return Files.createDirectory(results.resolve(number == 1 ? name : name + "-" + number));
                } catch (FileAlreadyExistsException e) {
                    // Another run started in the same second; take the next number.
                }
            }
        } catch (IOException e) {
            throw new TargetException("cannot make a folder for the results in " + results + " (" + e + ")");
        }
    }

    /** Deletes a folder and its contents; does nothing if it does not exist. */
    public static void delete(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (Stream<Path> all = Files.walk(folder)) {
                for (Path one : all.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(one);
                }
            } catch (UncheckedIOException e) {
                throw e.getCause();
            }
        }
    }

    /** Creates the folder with exactly this path. */
    public static Path exactly(Path path) {
        try {
            Files.createDirectories(path.getParent());
            return Files.createDirectory(path);
        } catch (IOException e) {
            throw new TargetException("cannot make the folder " + path + " (" + e + ")");
        }
    }
}
