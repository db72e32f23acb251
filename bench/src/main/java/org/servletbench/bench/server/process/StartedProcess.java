package org.servletbench.bench.server.process;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.IntFunction;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.servletbench.bench.model.Protocol;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.server.os.ManagedProcess;
import org.servletbench.bench.server.os.ProcessMeters;

/**
 * A server's process, from its start until it has certainly ended. Its output goes directly into a file, so that it
 * outlives us. The process ends with servlet-bench: {@link ManagedProcess}.
 */
public abstract class StartedProcess {

    static final Duration STOP_GRACE = Duration.ofSeconds(5);
    private static final Duration POLL = Duration.ofMillis(20);
    /**
     * Number of polls between two checks of the addresses on which a starting server listens, because reading them
     * takes a millisecond.
     */
    private static final int LOOK = 25;

    private static final int PORT_ATTEMPTS = 3;
    private static final int LAST_LINES = 6;
    private static final int LINE_LENGTH = 300;
    private static final String CAUSE = "Caused by: ";
    /** Start of a line in Spring Boot's log, before its message. */
    private static final Pattern LOG_PREFIX =
            Pattern.compile("^\\d{4}-\\d\\d-\\d\\d[T ]\\S+ +[A-Z]+ \\d+ --- .*?] \\S+ *: ");
    /**
     * A host or service that a server could not reach or log in to. Later failures result from this without mentioning
     * it.
     */
    private static final Pattern UNREACHED = Pattern.compile(
            "(?i)connection( to \\S+)?( was)? refused|connect(ion)? timed out"
                    + "|no route to host|UnknownHostException|communications link failure|authentication failed|access denied for user");

    private static final Pattern A_PLACE = Pattern.compile("[\\w\\]]:\\d{2,5}\\b|port=\\d+");
    private static final Pattern STACK_TRACE = Pattern.compile("\\s+(at |\\.\\.\\. \\d+)");

    final String title;
    final Process process;
    final Path log;
    private final String address;
    private final int port;
    private long startedNanos;
    private Duration timeToReady = Duration.ZERO;
    private Map<String, Long> atReady = Map.of();
    private final List<String> leftBehind = new CopyOnWriteArrayList<>();
    private volatile boolean stopping;
    private volatile String death;

    /** @param log file for its output */
    StartedProcess(String title, Process process, String address, int port, Path log) {
        this.title = title;
        this.process = process;
        this.address = address;
        this.port = port;
        this.log = log;
    }

    /**
     * Starts a server and waits until it answers.
     *
     * @param wanted requested port; empty for any free port
     */
    static <T extends StartedProcess> T start(
            String address, OptionalInt wanted, String option, Timeout timeout, IntFunction<T> launch) {
        for (int attempt = 1; ; attempt++) {
            int port = wanted.orElseGet(() -> Preflight.anyFreePort(address));
            T server = launch.apply(port);
            server.watchExit();
            if (server.awaitReady(timeout)) {
                return server;
            }
            // Another process took the port between our check and the server's start.
            if (wanted.isPresent() || attempt == PORT_ATTEMPTS) {
                throw new TargetException("port " + port + " on " + address + " was taken by another process while "
                        + server.title + " started; run again, or give another " + option);
            }
        }
    }

    /**
     * Longest time until a server must answer.
     *
     * @param option how to set another time, for the message; empty if it cannot be set
     */
    record Timeout(Duration time, String option) {}

    /** Returns the last line of a log so far, for a slow start; empty if nothing was written. */
    public static Optional<String> lastLine(Path log) {
        return said(lines(log)).stream().reduce((first, last) -> last).map(String::strip);
    }

    /** True if it answers as it should. */
    abstract boolean answers();

    /** Called while the server does not answer yet. Stops the server and throws a TargetException if it never will. */
    void whileItStarts() {
        // Nothing to check by default.
    }

    /**
     * Returns the addresses on which the server listens, for the error message if it does not get ready. Starts with a
     * semicolon; empty if unknown.
     */
    String whereItListens() {
        return "";
    }

    /** True if it could not bind its port. */
    abstract boolean isPortTaken();

    /** Returns the reason why the server ended before it answered. */
    abstract TargetException diedAtStart();

    /** Called when the server has ended on its own. */
    void died() {
        // Nothing to clean up by default.
    }

    final void watchExit() {
        process.onExit().thenAccept(ended -> {
            if (!stopping) {
                death = ManagedProcess.exit(ended.exitValue());
                died();
            }
        });
    }

    /** Waits until the server answers. Returns false if its port was taken. */
    final boolean awaitReady(Timeout timeout) {
        long start = System.nanoTime();
        startedNanos = start;
        for (int poll = 1; ; poll++) {
            boolean alive = process.isAlive();
            if (isPortTaken()) {
                stop();
                return false;
            }
            if (!alive) {
                stop();
                throw diedAtStart();
            }
            if (answers()) {
                timeToReady = Duration.ofNanos(System.nanoTime() - start);
                atReady = ProcessMeters.atReady(process.pid());
                return true;
            }
            if (poll % LOOK == 0) {
                whileItStarts();
            }
            if (System.nanoTime() - start > timeout.time().toNanos()) {
                String last = lastLine(log).orElse("nothing");
                String listens = whereItListens();
                stop();
                throw TargetException.notUp(title + " was not ready after "
                        + timeout.time().toSeconds() + " s" + timeout.option() + listens
                        + "; it has been stopped; the last line of its log " + log + ": " + shortened(last));
            }
            try {
                Thread.sleep(POLL.toMillis());
            } catch (InterruptedException e) {
                TargetException interrupted = TargetException.interrupted(title + " started");
                stop();
                throw interrupted;
            }
        }
    }

    /** Returns the end of its log for people, without blank lines and stack traces. */
    final String lastLines() {
        List<String> lines = said(logLines());
        return lines.stream()
                .skip(Math.max(0, lines.size() - LAST_LINES))
                .map(line -> "    " + (line.length() > LINE_LENGTH ? line.substring(0, LINE_LENGTH) + "…" : line))
                .collect(Collectors.joining("\n"));
    }

    /**
     * Returns the reason for the server's end in one line, from its log: Spring's own analysis, or what the server
     * could not reach, or the innermost cause, or the last line.
     *
     * @param log all lines of its log
     */
    static String cause(List<String> log) {
        int analysis = log.lastIndexOf("Description:");
        if (analysis >= 0) {
            return shortened(log.stream()
                    .skip(analysis + 1)
                    .takeWhile(line -> !line.startsWith("Action:"))
                    .filter(line -> !line.isBlank())
                    .map(String::strip)
                    .collect(Collectors.joining(" ")));
        }
        String last = log.stream()
                .map(String::strip)
                .filter(line -> line.startsWith(CAUSE))
                .map(StartedProcess::message)
                .reduce((first, then) -> then)
                .or(() -> said(log).stream().reduce((first, then) -> then))
                .orElse("it printed nothing");
        Optional<String> unreached = unreached(log);
        return unreached.isEmpty() || unreached.get().equals(last)
                ? shortened(last)
                : shortened(unreached.get()) + "; it ended with: " + shortened(last);
    }

    /** Returns the first unreachable host or service that is mentioned with its address; if none is, the first one. */
    private static Optional<String> unreached(List<String> log) {
        List<String> all = said(log).stream()
                .filter(line -> UNREACHED.matcher(line).find())
                .map(StartedProcess::message)
                .toList();
        return all.stream()
                .filter(line -> A_PLACE.matcher(line).find())
                .findFirst()
                .or(() -> all.stream().findFirst());
    }

    /** Returns a line without the prefix that a log or a stack trace puts before its message. */
    private static String message(String line) {
        return LOG_PREFIX.matcher(line.strip().replaceFirst("^" + CAUSE, "")).replaceFirst("");
    }

    private static String shortened(String line) {
        return line.length() > LINE_LENGTH ? line.substring(0, LINE_LENGTH) + "…" : line;
    }

    private static List<String> said(List<String> log) {
        return log.stream()
                .filter(line -> !line.isBlank() && !STACK_TRACE.matcher(line).lookingAt())
                .toList();
    }

    /** Returns the lines of its log so far. */
    public final List<String> logLines() {
        return lines(log);
    }

    private static List<String> lines(Path log) {
        try {
            return new String(Files.readAllBytes(log), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        } catch (IOException e) {
            return List.of();
        }
    }

    public final long pid() {
        return process.pid();
    }

    public final int port() {
        return port;
    }

    /** Returns the URL scheme of its address. */
    String scheme() {
        return Protocol.HTTP.scheme();
    }

    public final URI url() {
        return URI.create(scheme() + "://" + (address.contains(":") ? "[" + address + "]" : address) + ":" + port);
    }

    /** Returns when the process was started, by {@link System#nanoTime}. */
    public final long startedNanos() {
        return startedNanos;
    }

    /** Returns the time from the start of the process to its first correct answer. */
    public final Duration timeToReady() {
        return timeToReady;
    }

    /**
     * Returns the resources it had used when it was ready, before its JVM was queried: {@link ProcessMeters#atReady}.
     */
    public final Map<String, Long> atReady() {
        return atReady;
    }

    /** Returns why it ended although it should be running. */
    public final Optional<String> death() {
        return Optional.ofNullable(death);
    }

    /** Asks the server to end, waits, then kills it. Returns when it has gone. */
    public void stop() {
        stop(STOP_GRACE);
    }

    /** Stops a server that has something to write before it ends. */
    public final void stop(Duration grace) {
        stopping = true;
        ManagedProcess.stop(process, grace);
        leftBehind.addAll(ManagedProcess.endSession(process.pid()));
        ended();
    }

    /** Returns descriptions of child processes that outlived it and were killed, for people. */
    public final List<String> leftBehind() {
        return List.copyOf(leftBehind);
    }

    /** Called when the server was stopped and has gone. */
    void ended() {
        // Nothing to clean up by default.
    }
}
