package org.servletbench.bench.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.servletbench.bench.model.UsageException;

/** A page may replace an older page, and nothing else: a log that was meant to be read must not be lost. */
final class Overwriting {
    private Overwriting() {}

    /**
     * @param option for the message
     * @param file that will be written
     * @param begins how a file of its kind begins
     * @throws UsageException if a file of another kind is there
     * @throws IOException if it cannot be read
     */
    static void check(String option, Path file, String begins) throws IOException {
        if (!Files.exists(file)) {
            return;
        }
        byte[] there;
        try (InputStream in = Files.newInputStream(file)) {
            there = in.readNBytes(begins.length());
        }
        String start = new String(there, StandardCharsets.ISO_8859_1).toLowerCase(Locale.ROOT);
        if (there.length > 0 && !start.equals(begins.toLowerCase(Locale.ROOT))) {
            throw new UsageException(
                    option + " " + file + ": the file is there and is something else; name another, or delete it");
        }
    }
}
