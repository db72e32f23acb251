package org.servletbench.bench.model;

import java.time.Duration;
import java.util.Optional;

/**
 * A server could not be started, proven or kept running. The message is for people: what was wrong, where, what to do; one line, or
 * one line and the last lines of the server's log. A command that fails with it exits with {@link #EXIT_CODE}.
 */
public final class TargetException extends RuntimeException {

    /** The exit code of a run that failed for no fault of the command line. */
    public static final int EXIT_CODE = 1;

    private static final long serialVersionUID = 1;

    /** Reasons for a refusal that would repeat at another try. */
    public enum Refusal {
        /** The running server is not the one that was asked for. */
        SERVER,
        /** Its answers differ from those of the other servers. */
        WORK,
        /** The JDK or the application is not as required. */
        START
    }

    /** Why a server did not become ready. */
    private enum Start {
        /** It did not answer in time. */
        LATE,
        /** The process ended unasked. */
        DIED
    }

    private final Refusal refusal;
    /** Null unless the server itself failed before it was ready. */
    private final Start start;

    /** @param message what was wrong, where, what to do */
    public TargetException(String message) {
        this(message, null, null);
    }

    private TargetException(String message, Refusal refusal, Start start) {
        super(message, null, false, false);
        this.refusal = refusal;
        this.start = start;
    }

    /** Throws it, as a step of a chain: {@code ifPresent(TargetException::raise)}. */
    public static void raise(String message) {
        throw new TargetException(message);
    }

    /** Creates the exception for a server that did not answer in time. */
    public static TargetException notUp(String message) {
        return new TargetException(message, null, Start.LATE);
    }

    /** Creates the exception for a server that ended at its start. */
    public static TargetException died(String message) {
        return new TargetException(message, null, Start.DIED);
    }

    /** Returns this exception with another message. */
    public TargetException saying(String message) {
        return new TargetException(message, refusal, start);
    }

    /** Creates a refusal that would repeat at another try; the message says how the server differs. */
    public static TargetException refusal(Refusal what, String message) {
        return new TargetException(message, what, null);
    }

    /**
     * Creates the exception for an interrupt of this thread, and restores its interrupt status.
     *
     * @param what the interrupted activity, as in "a server started"
     */
    public static TargetException interrupted(String what) {
        Thread.currentThread().interrupt();
        return new TargetException("interrupted while " + what);
    }

    /** Waits for this long. */
    public static void sleep(Duration time, String what) {
        try {
            Thread.sleep(time.toMillis());
        } catch (InterruptedException e) {
            throw interrupted(what);
        }
    }

    /** True if the server itself is at fault: not its port, the machine, or the client. */
    public boolean isTheServers() {
        return start != null || refusal != null;
    }

    /** True if the server's process ended unasked before it was ready. */
    public boolean isDeathAtStart() {
        return start == Start.DIED;
    }

    /** Returns the refusal; empty if another try may succeed. */
    public Optional<Refusal> refusal() {
        return Optional.ofNullable(refusal);
    }
}
