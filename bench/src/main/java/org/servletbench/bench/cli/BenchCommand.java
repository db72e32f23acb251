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

/** Common parts of all commands. */
@Command(mixinStandardHelpOptions = true, versionProvider = Main.Version.class)
abstract class BenchCommand {

    @Spec
    CommandSpec spec;

    final PrintWriter console() {
        return new PlainWriter(spec.commandLine().getOut());
    }

    /** True if the options come from Maven's properties. */
    final boolean isFromMaven() {
        return spec.commandLine().getDefaultValueProvider() == FromMaven.OPTIONS;
    }

    /** Returns the writer for errors, one line each. */
    final PrintWriter errors() {
        return new PlainWriter(spec.commandLine().getErr());
    }

    /**
     * Checks that an output file replaces nothing but an older one of its kind. A log given by mistake must not be
     * lost.
     *
     * @param option name of the option, for the message
     * @param file output file
     * @param begins first characters of such a file
     * @throws UsageException if a file of another kind exists
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
                    option + " " + file + ": the file exists and is something else; name another one, or delete it");
        }
    }
}
