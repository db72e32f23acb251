package org.servletbench.bench.server;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The server's process, from its start to its certain end. Its output goes straight into a file, so that it outlives us;
 * it ends with the rig: {@link ManagedProcess}.
 */
final class ServerProcess {

    private static final Duration STOP_GRACE = Duration.ofSeconds(5);
    private static final Duration POLL = Duration.ofMillis(20);
    private static final int LAST_LINES = 6;
    private static final int LINE_LENGTH = 300;
    private static final Pattern STACK_TRACE = Pattern.compile("\\s+(at |\\.\\.\\. \\d+)");
    private static final int PORT_ATTEMPTS = 3;
    /** From this JDK on, native code wants an explicit permission. */
    private static final int NATIVE_ACCESS_JDK = 22;
    /** Anything that could change the server from outside the command line, where no report would show it. */
    private static final List<String> HIDDEN_OPTIONS = List.of(
            "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS", "SPRING_", "SERVER_", "MANAGEMENT_", "LOGGING_");

    private final Process process;
    private final int port;
    private final Path log;
    private final List<String> jvmOptions;
    private Duration timeToReady = Duration.ZERO;
    private Map<String, Long> atReady = Map.of();
    private volatile boolean stopping;
    private volatile String death;

    private ServerProcess(Process process, int port, Path log, List<String> jvmOptions) {
        this.process = process;
        this.port = port;
        this.log = log;
        this.jvmOptions = jvmOptions;
    }

    /**
     * Starts the server and waits until it answers.
     *
     * @throws TargetException if it dies or does not answer in time; it has been stopped then
     */
    static ServerProcess start(TargetSpec spec, RunFolder folder) {
        for (int attempt = 1; ; attempt++) {
            int port = spec.port().orElseGet(Preflight::anyFreePort);
            ServerProcess server = launch(spec, folder, port);
            try {
                server.awaitReady(spec);
                return server;
            } catch (PortTaken e) {
                // Between our look and the server's start somebody else took the port.
                if (spec.port().isPresent() || attempt == PORT_ATTEMPTS) {
                    throw new TargetException("port " + port + " on 127.0.0.1 was taken by another process while the"
                            + " server started; run again, or give another -Dtarget.port");
                }
            }
        }
    }

    private static ServerProcess launch(TargetSpec spec, RunFolder folder, int port) {
        Path log = folder.file("server.log");
        List<String> options = new ArrayList<>(spec.jvmOptions().values());
        spec.profile().nativeLibrary().ifPresent(library -> {
            options.add("-Djava.library.path=" + Preflight.folderOf(library));
            if (spec.jdk().feature() >= NATIVE_ACCESS_JDK) {
                options.add("--enable-native-access=ALL-UNNAMED");
            }
        });
        spec.aot().ifPresent(cache -> options.addAll(cache.options()));
        List<String> command = new ArrayList<>();
        command.add(Jdk.command(spec.jdk().home()));
        command.addAll(options);
        command.addAll(List.of(
                "-jar",
                spec.jar().toAbsolutePath().toString(),
                "--server.address=127.0.0.1",
                "--server.port=" + port,
                "--spring.config.additional-location="
                        + spec.settings().toAbsolutePath().toUri()));
        command.addAll(spec.arguments());
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.path().toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        clean(builder);
        try {
            Process process = ManagedProcess.start(builder, ManagedProcess.Farewell.KILL);
            ServerProcess server = new ServerProcess(process, port, log, List.copyOf(options));
            server.process.onExit().thenAccept(ended -> {
                if (!server.stopping) {
                    server.death = ManagedProcess.exit(ended.exitValue());
                }
            });
            return server;
        } catch (IOException e) {
            throw new TargetException("the server could not be started: " + e.getMessage());
        }
    }

    /** Takes away what could change a JVM from outside its command line. */
    static void clean(ProcessBuilder builder) {
        builder.environment().keySet().removeIf(name -> HIDDEN_OPTIONS.stream().anyMatch(name::startsWith));
    }

    private static final class PortTaken extends Exception {
        private static final long serialVersionUID = 1;
    }

    private void awaitReady(TargetSpec spec) throws PortTaken {
        long start = System.nanoTime();
        URI ready = url().resolve(spec.readyPath());
        while (true) {
            if (!process.isAlive()) {
                throw diedAtStart(spec);
            }
            if (isReady(ready)) {
                timeToReady = Duration.ofNanos(System.nanoTime() - start);
                atReady = ProcessMeters.atReady(process.pid());
                return;
            }
            if (System.nanoTime() - start > spec.startTimeout().toNanos()) {
                String lastLines = lastLines();
                stop();
                throw new TargetException("the server was not ready after "
                        + spec.startTimeout().toSeconds()
                        + " s (-Dtarget.start-timeout); it has been stopped; the last lines of " + log + ":\n"
                        + lastLines);
            }
            pause();
        }
    }

    private static boolean isReady(URI ready) {
        try {
            return HttpCheck.status(ready) == 200;
        } catch (IOException e) {
            return false;
        }
    }

    private TargetException diedAtStart(TargetSpec spec) throws PortTaken {
        String exit = ManagedProcess.exit(process.exitValue());
        if (logLines().stream().anyMatch(line -> line.contains("already in use"))) {
            throw new PortTaken();
        }
        Optional<String> rejected = Jdk.rejectedOption(logLines());
        if (rejected.isPresent()) {
            return TargetException.refusal(
                    TargetException.Refusal.START,
                    "the server died at its start (" + exit + "): " + spec.rejectedOption(rejected.get()));
        }
        return new TargetException(
                "the server died at its start (" + exit + "); the last lines of " + log + ":\n" + lastLines());
    }

    private static void pause() {
        try {
            Thread.sleep(POLL.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TargetException("interrupted while the server started");
        }
    }

    /** The end of the server's log for people: what it said, without the stack traces. */
    String lastLines() {
        return lastLines(logLines());
    }

    /** The end of a log for people, without blank lines and stack traces. */
    static String lastLines(List<String> log) {
        List<String> lines = log.stream()
                .filter(line -> !line.isBlank() && !STACK_TRACE.matcher(line).lookingAt())
                .toList();
        return lines.stream()
                .skip(Math.max(0, lines.size() - LAST_LINES))
                .map(line -> "    " + (line.length() > LINE_LENGTH ? line.substring(0, LINE_LENGTH) + "…" : line))
                .collect(Collectors.joining("\n"));
    }

    /** The server's log so far. */
    List<String> logLines() {
        try {
            return new String(Files.readAllBytes(log), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        } catch (IOException e) {
            return List.of();
        }
    }

    long pid() {
        return process.pid();
    }

    int port() {
        return port;
    }

    URI url() {
        return URI.create(String.format(Locale.ROOT, "http://127.0.0.1:%d", port));
    }

    /** The options that stood before {@code -jar}. */
    List<String> jvmOptions() {
        return jvmOptions;
    }

    /** From the start of the process to its first good answer. */
    Duration timeToReady() {
        return timeToReady;
    }

    /** What it had used when it was ready, before anybody asked its JVM; see {@link ProcessMeters#atReady}. */
    Map<String, Long> atReady() {
        return atReady;
    }

    Optional<String> death() {
        return Optional.ofNullable(death);
    }

    /** Asks the server to end, waits, then ends it; returns when it has gone. */
    void stop() {
        stop(STOP_GRACE);
    }

    /** The same for a server that has something to write before it ends. */
    void stop(Duration grace) {
        stopping = true;
        ManagedProcess.stop(process, grace);
    }
}
