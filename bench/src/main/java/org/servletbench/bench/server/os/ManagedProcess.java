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
 * Processes that end with the rig, whatever ends the rig, kill -9 included: the kernel sends them a signal when the thread that
 * started them ends ({@code setpriv --pdeathsig}). All are started by one thread that lives as long as the rig. setpriv and
 * taskset replace themselves by the command, so its process id is the command's. Only a rig that is killed within the few
 * milliseconds before setpriv has asked the kernel leaves a process behind.
 */
public final class ManagedProcess {

    /** What the kernel sends to a process when the rig has gone. */
    public enum Farewell {
        /** It ends processes of its own, or has something to write out. */
        TERM,
        /** It ends for certain. Processes that it started stay. */
        KILL
    }

    /** How often processes of a session are looked for. */
    private static final int ROUNDS = 10;

    private static final long POLL_MILLIS = 5;

    /** How long a process may take to end before it is killed. */
    private static final Duration GRACE = Duration.ofSeconds(10);

    /** Java gives a process that a signal ended this exit code and the signal's number. */
    private static final int SIGNALS = 128;

    /** SIGABRT, by which malloc ends a program that damaged its memory; SIGBUS; SIGSEGV. */
    private static final Set<Integer> CRASHES = Set.of(6, 7, 11);

    /** End of the name of a locale: {@code de_DE.UTF-8}, {@code C.utf8}. */
    private static final Pattern UTF_8 = Pattern.compile("(?i)\\.utf-?8$");

    private static final Pattern CPUS = Pattern.compile("\\d{1,4}(-\\d{1,4})?(,\\d{1,4}(-\\d{1,4})?)*");

    /** Administrators' commands are often not on a user's path. */
    private static final List<String> ADMIN_FOLDERS = List.of("/usr/local/sbin", "/usr/sbin", "/sbin");

    private static final Executor STARTER = Executors.newSingleThreadExecutor(new Daemon("servlet-bench-processes"));

    private ManagedProcess() {}

    /**
     * How a command ended.
     *
     * @param late whether it was killed because its time was over
     * @param output what it wrote: to either stream, if the builder sends standard error nowhere else
     */
    public record Ended(boolean late, int exitCode, String output) {

        /** What it said last: mostly the reason of a failure; empty if it said nothing. */
        public Optional<String> lastLine() {
            return output.strip().lines().reduce((first, last) -> last).filter(line -> !line.isEmpty());
        }
    }

    /**
     * Runs a command that ends by itself.
     *
     * @param limit after which it is killed
     * @param input a file for its standard input; empty: nothing
     * @throws IOException if it cannot be started
     */
    public static Ended run(ProcessBuilder builder, Duration limit, Optional<Path> input)
            throws IOException, InterruptedException {
        makePlain(builder.environment());
        Process process = builder.redirectErrorStream(builder.redirectError() == ProcessBuilder.Redirect.PIPE)
                .start();
        try {
            // One that hangs: reading ends with the process.
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
                // It has ended before it read everything; its output says why.
            }
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int exitCode = process.waitFor();
            return new Ended(inTime.isCompletedExceptionally(), exitCode, output);
        } finally {
            stop(process, Duration.ZERO);
        }
    }

    /** The same with nothing on its standard input. */
    public static Ended run(ProcessBuilder builder, Duration limit) throws IOException, InterruptedException {
        return run(builder, limit, Optional.empty());
    }

    /** What a program writes to its standard output; empty if it is missing, fails, or does not end within 30 s. */
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

    /** The environment of a program that the rig starts: a JVM has the options of its command line alone, and all print UTF-8. */
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
     * Ends what a process has left that led a session of its own: processes that it started, and theirs, but for those that began another
     * session. Nothing happens while it lives.
     *
     * @return those that were ended, for people: {@code sleep (process 123)}
     */
    public static List<String> endSession(long leader) {
        List<String> ended = new ArrayList<>();
        if (ProcessHandle.of(leader).isPresent()) {
            return ended;
        }
        // One may start another while it is looked for.
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
     * Processor time of all processes that this one started and that have ended, s: the system keeps the sum. What is sampled
     * while a short-lived one runs lacks its last second. NaN where the system does not tell.
     */
    public static double endedSeconds() {
        try {
            return LinuxKernel.HERE.endedChildrenMillis(ProcessHandle.current().pid()) / 1e3;
        } catch (IOException | RuntimeException e) {
            return Double.NaN;
        }
    }

    /** How a process ended, for people: {@code ended by signal 9} or {@code exit code 3}. */
    public static String exit(int code) {
        return code > SIGNALS ? "ended by signal " + (code - SIGNALS) : "exit code " + code;
    }

    /** Whether a process with this exit code ended by a fault of its own, and not by somebody's signal. */
    public static boolean isCrash(int code) {
        return CRASHES.contains(code - SIGNALS);
    }
}
