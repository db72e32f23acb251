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

    /** Exit code of ssh if it did not reach the host, or was cut off. No program of servlet-bench uses it. */
    static final int FAILED = 255;

    /** Text for a missing last message. */
    static final String SILENT = "ssh says nothing";

    /** Maximum duration, for example for copying an application over a slow line. */
    private static final Duration LIMIT = Duration.ofMinutes(10);

    private Ssh() {}

    /**
     * @param input file for its standard input; empty: no input
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
