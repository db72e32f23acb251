package org.servletbench.bench.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.servletbench.bench.model.UsageException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** What all commands have. */
@Command(mixinStandardHelpOptions = true, versionProvider = Main.Version.class)
abstract class BenchCommand {

    @Spec
    CommandSpec spec;

    final PrintWriter console() {
        return new PlainWriter(spec.commandLine().getOut());
    }

    /** Whether the options are Maven's properties. */
    final boolean isFromMaven() {
        return spec.commandLine().getDefaultValueProvider() == FromMaven.OPTIONS;
    }

    /** Where errors go, one line each. */
    final PrintWriter errors() {
        return new PlainWriter(spec.commandLine().getErr());
    }

    /**
     * A page may replace an older page, and nothing else: a log that was meant to be read must not be lost.
     *
     * @param option for the message
     * @param file that will be written
     * @param begins how a file of its kind begins
     * @throws UsageException if a file of another kind is there
     */
    static void requireReplaceable(String option, Path file, String begins) throws IOException {
        if (!Files.exists(file)) {
            return;
        }
        byte[] there;
        try (InputStream in = Files.newInputStream(file)) {
            there = in.readNBytes(begins.length());
        }
        if (there.length > 0 && !new String(there, StandardCharsets.ISO_8859_1).equalsIgnoreCase(begins)) {
            throw new UsageException(
                    option + " " + file + ": the file is there and is something else; name another, or delete it");
        }
    }
}
