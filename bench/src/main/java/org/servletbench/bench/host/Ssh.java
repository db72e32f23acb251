package org.servletbench.bench.host;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.servletbench.bench.server.ManagedProcess;
import org.servletbench.bench.server.TargetException;

/** A command of ssh that ends by itself. */
final class Ssh {

    /** @param output what it wrote, to either stream */
    record Result(int exitCode, String output) {

        /** What it said last: mostly the reason of a failure. */
        String lastLine() {
            return output.strip().lines().reduce((a, b) -> b).orElse("ssh says nothing");
        }
    }

    /** How long it may take, for example to copy an application over a slow line, s. */
    private static final int LIMIT_SECONDS = 600;

    private Ssh() {}

    private static Function<Throwable, Process> killed(Process process) {
        return late -> process.destroyForcibly();
    }

    /**
     * @param input a file for its standard input; empty: nothing
     * @throws TargetException if ssh cannot be started, or this thread is interrupted
     */
    static Result run(List<String> command, Optional<Path> input) {
        Process process = null;
        try {
            process = new ProcessBuilder(command).redirectErrorStream(true).start();
            // A command that hangs there: reading ends with the process.
            process.onExit().orTimeout(LIMIT_SECONDS, TimeUnit.SECONDS).exceptionally(killed(process));
            try (OutputStream to = process.getOutputStream()) {
                if (input.isPresent()) {
                    Files.copy(input.get(), to);
                }
            } catch (IOException e) {
                // It has ended before it read everything; its output says why.
            }
            String output;
            try (InputStream from = process.getInputStream()) {
                output = new String(from.readAllBytes(), StandardCharsets.UTF_8);
            }
            return new Result(process.waitFor(), output);
        } catch (IOException e) {
            throw new TargetException("cannot run ssh (" + e.getMessage() + "): install OpenSSH's client");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TargetException("interrupted while ssh ran");
        } finally {
            if (process != null) {
                ManagedProcess.stop(process);
            }
        }
    }
}
