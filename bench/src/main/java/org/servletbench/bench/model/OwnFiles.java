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
 * Files with values, in the temporary folder: for their owner alone, and named after the process that made them. Their creator
 * deletes them; if it was killed, the next process does.
 */
public final class OwnFiles {

    private static final Path TEMPORARY = Path.of(System.getProperty("java.io.tmpdir"));
    /** Processes of a container have their own numbers, and may share the folder. */
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

    /** Deletes those of processes that are no more, as far as this user may. */
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
            // They stay, for their owner alone.
        }
    }

    /** No link is followed. */
    private static void delete(Path place) {
        try (Stream<Path> all = Files.walk(place)) {
            for (Path one : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(one);
            }
        } catch (IOException | UncheckedIOException e) {
            // Another user's, or gone meanwhile.
        }
    }
}
