package org.servletbench.bench.host;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.server.os.ManagedProcess;

/** A command of ssh that ends by itself. */
final class Ssh {

    /** What it ends with where it did not get there, or was cut off; no program of ours does. */
    static final int FAILED = 255;

    /** In place of what it said last, where it said nothing. */
    static final String SILENT = "ssh says nothing";

    /** How long it may take, for example to copy an application over a slow line. */
    private static final Duration LIMIT = Duration.ofMinutes(10);

    private Ssh() {}

    /**
     * @param input a file for its standard input; empty: nothing
     * @throws TargetException if ssh cannot be started, or this thread is interrupted
     */
    static ManagedProcess.Ended run(List<String> command, Optional<Path> input) {
        try {
            return ManagedProcess.run(new ProcessBuilder(command), LIMIT, input);
        } catch (IOException e) {
            throw new TargetException("cannot run ssh (" + e.getMessage() + "): install OpenSSH's client");
        } catch (InterruptedException e) {
            throw TargetException.interrupted("ssh ran");
        }
    }
}
