package org.servletbench.bench.server;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;

/**
 * The folder of one run, new for each: {@code <what>-<yyyyMMdd-HHmmss>}. Nothing older is ever overwritten.
 *
 * @param path where it is
 */
public record RunFolder(Path path) {

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");

    /** A new folder for this run. */
    public static RunFolder create(Path results, String what) {
        String name = what + "-" + LocalDateTime.now().format(TIME);
        try {
            Files.createDirectories(results);
            for (int number = 1; ; number++) {
                Path path = results.resolve(number == 1 ? name : name + "-" + number);
                try {
                    return new RunFolder(Files.createDirectory(path));
                } catch (FileAlreadyExistsException e) {
                    // Another run of the same second; take the next number.
                }
            }
        } catch (IOException e) {
            throw new TargetException("cannot make a folder for the results in " + results + " (" + e + ")");
        }
    }

    /** The folder of this name, made now. */
    public static RunFolder exactly(Path path) {
        try {
            Files.createDirectories(path.getParent());
            return new RunFolder(Files.createDirectory(path));
        } catch (IOException e) {
            throw new TargetException("cannot make the folder " + path + " (" + e + ")");
        }
    }

    /** A file in it. */
    public Path file(String name) {
        return path.resolve(name);
    }
}
