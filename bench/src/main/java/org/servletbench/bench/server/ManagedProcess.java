package org.servletbench.bench.server;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.servletbench.bench.model.UsageException;

/**
 * Processes that end with the rig, whatever ends the rig, kill -9 included: the kernel sends them a signal when the thread that
 * started them ends ({@code setpriv --pdeathsig}). All are started by one thread that lives as long as the rig. setpriv and
 * taskset replace themselves by the command, so its process id is the command's.
 */
public final class ManagedProcess {

    /** What the kernel sends to a process when the rig has gone. */
    public enum Farewell {
        /** It ends processes of its own, or has something to write out. */
        TERM,
        /** It ends for certain. Processes that it started stay. */
        KILL
    }

    /** How long a process may take to end before it is killed. */
    private static final Duration GRACE = Duration.ofSeconds(10);

    private static final Pattern CPUS = Pattern.compile("\\d{1,4}(-\\d{1,4})?(,\\d{1,4}(-\\d{1,4})?)*");
    /** Administrators' commands are often not on a user's path. */
    private static final List<String> ADMIN_FOLDERS = List.of("/usr/local/sbin", "/usr/sbin", "/sbin");

    private static final Executor STARTER = Executors.newSingleThreadExecutor(task -> {
        Thread thread = new Thread(task, "servlet-bench-processes");
        thread.setDaemon(true);
        return thread;
    });

    private ManagedProcess() {}

    /**
     * Starts a process on all processors, with nothing on its standard input.
     *
     * @param builder its command becomes the whole one, with setpriv
     * @throws IOException if it, or setpriv, cannot be started
     */
    public static Process start(ProcessBuilder builder, Farewell farewell) throws IOException {
        return start(builder, farewell, Optional.empty());
    }

    /**
     * Starts a process, with nothing on its standard input.
     *
     * @param builder its command becomes the whole one, with setpriv and taskset
     * @param cpus processors, as {@code taskset -c} takes them: {@code 1} or {@code 0,2-3}; empty for all
     * @throws UsageException if the processors are no such list
     * @throws IOException if it, setpriv or taskset cannot be started
     */
    public static Process start(ProcessBuilder builder, Farewell farewell, Optional<String> cpus) throws IOException {
        List<String> words = builder.command();
        Path program = onPath(words.get(0)).orElseThrow(() -> new IOException("there is no program " + words.get(0)));
        List<String> command = new ArrayList<>(List.of(helper("setpriv"), "--pdeathsig", farewell.name()));
        if (cpus.isPresent()) {
            if (!CPUS.matcher(cpus.get()).matches()) {
                throw new UsageException(
                        "processors '" + cpus.get() + "' are not understood: give a list such as 1 or 0,2-3");
            }
            command.addAll(List.of(helper("taskset"), "-c", cpus.get()));
        }
        command.add(program.toString());
        command.addAll(words.subList(1, words.size()));
        builder.command(command).redirectInput(new File("/dev/null"));
        CompletableFuture<Process> started = new CompletableFuture<>();
        STARTER.execute(() -> {
            try {
                started.complete(builder.start());
            } catch (IOException | RuntimeException e) {
                started.completeExceptionally(e);
            }
        });
        try {
            return started.join();
        } catch (CompletionException e) {
            throw new IOException(e.getCause().getMessage(), e.getCause());
        }
    }

    private static String helper(String command) throws IOException {
        return onPath(command)
                .orElseThrow(() -> new IOException(command + " is not on this machine: apt-get install util-linux"))
                .toString();
    }

    /** Where a command lies: on the PATH, or where administrators' commands are; a path itself is looked at alone. */
    public static Optional<Path> onPath(String command) {
        if (command.contains("/")) {
            return Optional.of(Path.of(command)).filter(Files::isExecutable);
        }
        String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
        return Stream.concat(Stream.of(path.split(File.pathSeparator)), ADMIN_FOLDERS.stream())
                .filter(folder -> !folder.isBlank())
                .map(folder -> Path.of(folder, command))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Asks a process to end and waits 10 s; then, or when this thread is interrupted, kills it. It has ended when this returns. */
    public static void stop(Process process) {
        stop(process, GRACE);
    }

    /** The same with another time to end; zero: it is killed at once. */
    public static void stop(Process process, Duration grace) {
        boolean interrupted = false;
        try {
            if (!grace.isZero()) {
                process.destroy();
                process.waitFor(grace.toMillis(), TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException e) {
            interrupted = true;
        }
        while (process.isAlive()) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
            try {
                process.waitFor();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Processor time of all processes that this one started and that have ended, s: the system keeps the sum. What is sampled
     * while a short-lived one runs lacks its last second. NaN where the system does not tell.
     */
    public static double endedSeconds() {
        try {
            return ProcessMeters.endedChildrenMillis(ProcessHandle.current().pid()) / 1e3;
        } catch (IOException | RuntimeException e) {
            return Double.NaN;
        }
    }

    /** How a process ended, for people: {@code ended by signal 9} or {@code exit code 3}. */
    public static String exit(int code) {
        return code > 128 ? "ended by signal " + (code - 128) : "exit code " + code;
    }
}
