package org.servletbench.bench.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The figures with which every run ends, whatever its generator: what {@code measure} says of its raw log. */
public final class RunFigures {

    private RunFigures() {}

    /**
     * Measures a run's log and keeps the figures beside it, as {@code measured.txt} and as a page with curves,
     * {@code measured.html}.
     *
     * @param log the raw log
     * @return the text, for the console; if the log cannot be read, one line that says why
     * @throws UncheckedIOException if nothing can be written beside the log
     */
    public static String keep(Path log) {
        StringWriter text = new StringWriter();
        PrintWriter out = new PrintWriter(text);
        Main.run(
                out,
                out,
                "measure",
                log.toString(),
                "--plot",
                log.resolveSibling("measured.html").toString());
        try {
            Files.writeString(log.resolveSibling("measured.txt"), text.toString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }
}
