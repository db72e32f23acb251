package org.servletbench.bench.cli;

import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** What all commands have. */
@Command(mixinStandardHelpOptions = true, versionProvider = Main.Version.class)
abstract class BenchCommand {

    @Spec
    CommandSpec spec;

    final PrintWriter console() {
        return spec.commandLine().getOut();
    }

    /** Where errors go, one line each. */
    final PrintWriter errors() {
        return spec.commandLine().getErr();
    }
}
