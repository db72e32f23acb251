package org.servletbench.bench.server.os;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.servletbench.bench.model.Daemon;
import org.servletbench.bench.model.JvmOptions;
import org.servletbench.bench.model.UsageException;

/**
 * Starts processes that end with servlet-bench, however it ends, even by kill -9. The kernel sends them a signal when
 * the thread that started them ends ({@code setpriv --pdeathsig}). One thread, which lives as long as servlet-bench,
 * starts all of them. setpriv and taskset replace themselves with the command, so its process id is the command's. A
 * process is left behind only if servlet-bench is killed within the few milliseconds before setpriv has made its
 * request to the kernel.
 */
public final class ManagedProcess {

    /** Signal that the kernel sends to a process when servlet-bench has gone. */
    public enum Farewell {
        /** For a process that ends its own child processes, or has something to write before it ends. */
        TERM,
        /** Ends the process for certain, but not the processes that it started. */
        KILL
    }

    /** Maximum number of rounds of searching for processes of a session. */
    private static final int ROUNDS = 10;

    private static final long POLL_MILLIS = 5;

    /** Time for a process to end before it is killed. */
    private static final Duration GRACE = Duration.ofSeconds(10);

    /** Base of the exit codes that Java reports for processes ended by a signal. The signal's number is added to it. */
    private static final int SIGNALS = 128;

    /** Signals of crashes: SIGABRT, with which malloc ends a program that corrupted its memory; SIGBUS; SIGSEGV. */
    private static final Set<Integer> CRASHES = Set.of(6, 7, 11);

    /** End of a locale's name: {@code de_DE.UTF-8}, {@code C.utf8}. */
    private static final Pattern UTF_8 = Pattern.compile("(?i)\\.utf-?8$");

    private static final Pattern CPUS = Pattern.compile("\\d{1,4}(-\\d{1,4})?(,\\d{1,4}(-\\d{1,4})?)*");

    /** Folders of administrators' commands, often missing from a user's path. */
    private static final List<String> ADMIN_FOLDERS = List.of("/usr/local/sbin", "/usr/sbin", "/sbin");

    private static final Executor STARTER = Executors.newSingleThreadExecutor(new Daemon("servlet-bench-processes"));

    private ManagedProcess() {}

    /**
     * Outcome of a command.
     *
     * @param late true if it was killed because its time was over
     * @param output output on both streams, unless the builder redirects standard error
     */
    public record Ended(boolean late, int exitCode, String output) {

        /**
         * Returns the last line of its output, which is usually the reason for a failure; empty if there was no output.
         */
        public Optional<String> lastLine() {
            return output.strip().lines().reduce((first, last) -> last).filter(line -> !line.isEmpty());
        }
    }

    /**
     * Runs a command that ends on its own.
     *
     * @param limit time after which it is killed
     * @param input file for its standard input; empty for no input
     * @throws IOException if it cannot be started
     */
    public static Ended run(ProcessBuilder builder, Duration limit, Optional<Path> input)
            throws IOException, InterruptedException {
        makePlain(builder.environment());
        Process process = builder.redirectErrorStream(builder.redirectError() == ProcessBuilder.Redirect.PIPE)
                .start();
        try {
            // Needed for a process that hangs: reading its output ends when the process does.
            CompletableFuture<Process> inTime = process.onExit().orTimeout(limit.toMillis(), TimeUnit.MILLISECONDS);
            inTime.exceptionally(late -> {
                stop(process, Duration.ZERO);
                return process;
            });
            try (OutputStream to = process.getOutputStream()) {
                if (input.isPresent()) {
                    Files.copy(input.get(), to);
                }
            } catch (IOException e) {
                // The process ended before it had read everything. Its output says why.
            }
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int exitCode = process.waitFor();
            return new Ended(inTime.isCompletedExceptionally(), exitCode, output);
        } finally {
            stop(process, Duration.ZERO);
        }
    }

    /** Runs a command with an empty standard input. */
    public static Ended run(ProcessBuilder builder, Duration limit) throws IOException, InterruptedException {
        return run(builder, limit, Optional.empty());
    }

    /** Returns a program's standard output; empty if it is missing, fails, or does not end within 30 s. */
    public static Optional<String> output(String... command) {
        try {
            ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
            Ended ended = run(builder, Duration.ofSeconds(30));
            return ended.exitCode == 0 ? Optional.of(ended.output) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    /** Starts a process on all processors: {@link #start(ProcessBuilder, Farewell, Optional)}. */
    public static Process start(ProcessBuilder builder, Farewell farewell) throws IOException {
        return start(builder, farewell, Optional.empty());
    }

    /**
     * Starts a process with an empty standard input.
     *
     * @param builder receives the complete command, with setpriv and taskset
     * @param cpus processors in the format of {@code taskset -c}: {@code 1} or {@code 0,2-3}; empty for all
     * @throws UsageException if the processors are not such a list
     * @throws IOException if the program, setpriv or taskset cannot be started
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
        makePlain(builder.environment());
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

    /**
     * Cleans a started program's environment, so that a JVM gets options only from its command line, and all programs
     * print UTF-8.
     */
    static void makePlain(Map<String, String> environment) {
        environment.keySet().removeAll(JvmOptions.ENVIRONMENT);
        boolean utf8 = Stream.of("LC_ALL", "LC_CTYPE", "LANG")
                .map(name -> environment.getOrDefault(name, ""))
                .filter(value -> !value.isEmpty())
                .findFirst()
                .filter(value -> UTF_8.matcher(value).find())
                .isPresent();
        if (!utf8) {
            environment.put("LC_ALL", "C.UTF-8");
        }
    }

    private static String helper(String command) throws IOException {
        return onPath(command)
                .orElseThrow(() -> new IOException(
                        command + " is not on this machine, which is to be a Linux: install util-linux"))
                .toString();
    }

    /** Finds a command on the PATH or in administrators' folders. For a path, only checks that it is executable. */
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

    /**
     * Asks a process to end and waits 10 s. Then, or when this thread is interrupted, kills it. The process has ended
     * when this returns.
     */
    public static void stop(Process process) {
        stop(process, GRACE);
    }

    /** Stops a process with another time for it to end; zero to kill it immediately. */
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
     * Ends the remaining processes of a session whose leader has ended: its children and their descendants, except
     * those that started a session of their own. Does nothing while the leader lives.
     *
     * @return the ended processes, for people: {@code sleep (process 123)}
     */
    public static List<String> endSession(long leader) {
        List<String> ended = new ArrayList<>();
        if (ProcessHandle.of(leader).isPresent()) {
            return ended;
        }
        // Processes may start others during the search.
        for (int round = 0; round < ROUNDS; round++) {
            List<ProcessHandle> left = ProcessHandle.allProcesses()
                    .filter(one -> LinuxKernel.HERE.session(one.pid()) == leader)
                    .toList();
            if (left.isEmpty()) {
                break;
            }
            for (ProcessHandle one : left) {
                ended.add(LinuxKernel.HERE.name(one.pid()) + " (process " + one.pid() + ")");
                one.destroyForcibly();
            }
            left.forEach(ManagedProcess::awaitEnd);
        }
        return ended;
    }

    private static void awaitEnd(ProcessHandle process) {
        long begin = System.nanoTime();
        try {
            while (LinuxKernel.HERE.session(process.pid()) != 0 && System.nanoTime() - begin < GRACE.toNanos()) {
                Thread.sleep(POLL_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Returns the processor time of all ended children of this process, s, of which the system keeps the sum. Samples
     * taken while a short-lived process runs lack its last second. NaN if the system does not report it.
     */
    public static double endedSeconds() {
        try {
            return LinuxKernel.HERE.endedChildrenMillis(ProcessHandle.current().pid()) / 1e3;
        } catch (IOException | RuntimeException e) {
            return Double.NaN;
        }
    }

    /** Returns how a process ended, for people: {@code ended by signal 9} or {@code exit code 3}. */
    public static String exit(int code) {
        return code > SIGNALS ? "ended by signal " + (code - SIGNALS) : "exit code " + code;
    }

    /** True if a process with this exit code crashed, and was not ended by somebody's signal. */
    public static boolean isCrash(int code) {
        return CRASHES.contains(code - SIGNALS);
    }
}
