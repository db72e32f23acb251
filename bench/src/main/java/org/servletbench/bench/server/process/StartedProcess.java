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
 * A server's process, from its start to its certain end. Its output goes straight into a file, so that it outlives us;
 * it ends with the rig: {@link ManagedProcess}.
 */
public abstract class StartedProcess {

    static final Duration STOP_GRACE = Duration.ofSeconds(5);
    private static final Duration POLL = Duration.ofMillis(20);
    /** Polls between two looks at where a server listens that does not answer yet: reading it takes a millisecond. */
    private static final int LOOK = 25;

    private static final int PORT_ATTEMPTS = 3;
    private static final int LAST_LINES = 6;
    private static final int LINE_LENGTH = 300;
    private static final String CAUSE = "Caused by: ";
    /** The beginning of a line in Spring Boot's log, before its message. */
    private static final Pattern LOG_PREFIX =
            Pattern.compile("^\\d{4}-\\d\\d-\\d\\d[T ]\\S+ +[A-Z]+ \\d+ --- .*?] \\S+ *: ");
    /** A place that a server could not reach, or log in to: later failures follow from it and do not mention it. */
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
    private Duration timeToReady = Duration.ZERO;
    private Map<String, Long> atReady = Map.of();
    private final List<String> leftBehind = new CopyOnWriteArrayList<>();
    private volatile boolean stopping;
    private volatile String death;

    /**
     * @param log that gets its output
     */
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
     * @param wanted its port; empty for any free one
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
            // Between our look and the server's start somebody else took the port.
            if (wanted.isPresent() || attempt == PORT_ATTEMPTS) {
                throw new TargetException("port " + port + " on " + address + " was taken by another process while "
                        + server.title + " started; run again, or give another " + option);
            }
        }
    }

    /**
     * How long a server may take until it answers.
     *
     * @param option how another time is given, for the message; empty: not at all
     */
    record Timeout(Duration time, String option) {}

    /** Its last line so far, for a start that takes long; empty where it has said nothing. */
    public static Optional<String> lastLine(Path log) {
        return said(lines(log)).stream().reduce((first, last) -> last).map(String::strip);
    }

    /** Whether it answers as it should. */
    abstract boolean answers();

    /** Looked at while it does not answer yet; throws a TargetException where it never will, once it is stopped. */
    void whileItStarts() {
        // Nothing can be known beforehand.
    }

    /** Where it listens, for the error of a server that is not ready: begins with a semicolon; empty where nobody knows. */
    String whereItListens() {
        return "";
    }

    /** Whether it could not have its port. */
    abstract boolean isPortTaken();

    /** Why it ended before it answered. */
    abstract TargetException diedAtStart();

    /** It has ended, and not because it was asked to. */
    void died() {
        // Nothing is left of it.
    }

    final void watchExit() {
        process.onExit().thenAccept(ended -> {
            if (!stopping) {
                death = ManagedProcess.exit(ended.exitValue());
                died();
            }
        });
    }

    /** False when its port was taken. */
    final boolean awaitReady(Timeout timeout) {
        long start = System.nanoTime();
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

    /** The end of its log for people: what it said, without blank lines and stack traces. */
    final String lastLines() {
        List<String> lines = said(logLines());
        return lines.stream()
                .skip(Math.max(0, lines.size() - LAST_LINES))
                .map(line -> "    " + (line.length() > LINE_LENGTH ? line.substring(0, LINE_LENGTH) + "…" : line))
                .collect(Collectors.joining("\n"));
    }

    /**
     * Why it ended, in one line, as its log says: Spring's own analysis; else what it could not reach; else the innermost cause, or its
     * last line.
     *
     * @param log all its lines
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
                .orElse("it said nothing");
        Optional<String> unreached = unreached(log);
        return unreached.isEmpty() || unreached.get().equals(last)
                ? shortened(last)
                : shortened(unreached.get()) + "; it ended with: " + shortened(last);
    }

    /** The first thing that could not be reached and is named with its place; else the first of all. */
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

    /** A line without what a log or a stack trace writes before its message. */
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

    /** Its log so far. */
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

    /** Of its address. */
    String scheme() {
        return Protocol.HTTP.scheme();
    }

    public final URI url() {
        return URI.create(scheme() + "://" + (address.contains(":") ? "[" + address + "]" : address) + ":" + port);
    }

    /** From the start of the process to its first good answer. */
    public final Duration timeToReady() {
        return timeToReady;
    }

    /** What it had used when it was ready, before anybody asked its JVM; see {@link ProcessMeters#atReady}. */
    public final Map<String, Long> atReady() {
        return atReady;
    }

    /** What ended it while it should have run. */
    public final Optional<String> death() {
        return Optional.ofNullable(death);
    }

    /** Asks it to end, waits, then ends it; returns when it has gone. */
    public void stop() {
        stop(STOP_GRACE);
    }

    /** The same for a server that has something to write before it ends. */
    public final void stop(Duration grace) {
        stopping = true;
        ManagedProcess.stop(process, grace);
        leftBehind.addAll(ManagedProcess.endSession(process.pid()));
        ended();
    }

    /** Processes that it had started, and that were still there when it had ended: they were killed. For people. */
    public final List<String> leftBehind() {
        return List.copyOf(leftBehind);
    }

    /** It was stopped, and has gone. */
    void ended() {
        // Nothing is left of it.
    }
}
