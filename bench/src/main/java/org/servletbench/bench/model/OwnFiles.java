package org.servletbench.bench.model;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Temporary files with values. Only their owner can read them, and their names contain the number of the process that
 * created them. That process deletes them; if it was killed, the next one does.
 */
public final class OwnFiles {

    private static final Path TEMPORARY = Path.of(System.getProperty("java.io.tmpdir"));
    /**
     * Contains the PID name space: processes of a container have their own numbers, but may share the temporary folder.
     */
    private static final String BEGINS = "servlet-bench-" + numbering() + "-";

    private static final Pattern NAME = Pattern.compile(Pattern.quote(BEGINS) + "(\\d{1,18})-.*");
    private static final AtomicBoolean SWEPT = new AtomicBoolean();

    private OwnFiles() {}

    /** Returns the number of this process's PID name space; 0 if the kernel does not report it. */
    private static String numbering() {
        try {
            return Files.readSymbolicLink(Path.of("/proc/self/ns/pid"))
                    .toString()
                    .replaceAll("\\D", "");
        } catch (IOException | UnsupportedOperationException e) {
            return "0";
        }
    }

    private static String begin() {
        if (SWEPT.compareAndSet(false, true)) {
            sweep(TEMPORARY);
        }
        return BEGINS + ProcessHandle.current().pid() + "-";
    }

    /** Returns a new folder. */
    public static Path folder() throws IOException {
        return Files.createTempDirectory(TEMPORARY, begin());
    }

    /** Returns a new file. */
    public static Path file(String ending) throws IOException {
        return Files.createTempFile(TEMPORARY, begin(), ending);
    }

    /** True if this is the path of such a file. */
    public static boolean isOne(Path file, String ending) {
        return NAME.matcher(file.getFileName().toString()).matches()
                && file.toString().endsWith(ending);
    }

    /** Deletes files of processes that have ended, if this user may. */
    static void sweep(Path temporary) {
        try (DirectoryStream<Path> all = Files.newDirectoryStream(temporary, BEGINS + "*")) {
            for (Path one : all) {
                Matcher name = NAME.matcher(one.getFileName().toString());
                if (name.matches()
                        && ProcessHandle.of(Long.parseLong(name.group(1))).isEmpty()) {
                    delete(one);
                }
            }
        } catch (IOException | UncheckedIOException e) {
            // The files remain, readable only by their owner.
        }
    }

    /** Deletes a file or folder without following links. */
    private static void delete(Path place) {
        try (Stream<Path> all = Files.walk(place)) {
            for (Path one : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(one);
            }
        } catch (IOException | UncheckedIOException e) {
            // It belongs to another user, or has just been deleted.
        }
    }
}
