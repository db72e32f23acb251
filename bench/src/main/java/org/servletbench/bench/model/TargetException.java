package org.servletbench.bench.model;

import java.time.Duration;
import java.util.Optional;

/**
 * A server could not be started, verified or kept running. The message tells people what was wrong, where, and what to
 * do. It is one line, perhaps followed by the last lines of the server's log. A command that fails with it exits with
 * {@link #EXIT_CODE}.
 */
public final class TargetException extends RuntimeException {

    /** Exit code of a run that failed although the command line was right. */
    public static final int EXIT_CODE = 1;

    private static final long serialVersionUID = 1;

    /** Reasons to reject a server that would also apply to another attempt. */
    public enum Refusal {
        /** The running server is not the requested one. */
        SERVER,
        /** Its answers differ from those of the other servers. */
        WORK,
        /** The JDK or the application is not as required. */
        START
    }

    /** Why a server did not get ready. */
    private enum Start {
        /** It did not answer in time. */
        LATE,
        /** Its process ended on its own. */
        DIED
    }

    private final Refusal refusal;
    /** Null unless the server itself failed before it was ready. */
    private final Start start;

    /** @param message what was wrong, where, and what to do */
    public TargetException(String message) {
        this(message, null, null);
    }

    private TargetException(String message, Refusal refusal, Start start) {
        super(message, null, false, false);
        this.refusal = refusal;
        this.start = start;
    }

    /** Throws the exception. For method references: {@code ifPresent(TargetException::raise)}. */
    public static void raise(String message) {
        throw new TargetException(message);
    }

    /** Creates the exception for a server that did not answer in time. */
    public static TargetException notUp(String message) {
        return new TargetException(message, null, Start.LATE);
    }

    /** Creates the exception for a server that ended while it started. */
    public static TargetException died(String message) {
        return new TargetException(message, null, Start.DIED);
    }

    /** Returns this exception with another message. */
    public TargetException saying(String message) {
        return new TargetException(message, refusal, start);
    }

    /** Creates a refusal, which another attempt would repeat. The message says how the server differs. */
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

    /**
     * Waits for this time.
     *
     * @param what the activity, for the exception if this thread is interrupted
     */
    public static void sleep(Duration time, String what) {
        try {
            Thread.sleep(time.toMillis());
        } catch (InterruptedException e) {
            throw interrupted(what);
        }
    }

    /** True if the server itself is the cause, not its port, the machine, or the client. */
    public boolean isTheServers() {
        return start != null || refusal != null;
    }

    /** True if the server's process ended on its own before it was ready. */
    public boolean isDeathAtStart() {
        return start == Start.DIED;
    }

    /** Returns the refusal; empty if another attempt may succeed. */
    public Optional<Refusal> refusal() {
        return Optional.ofNullable(refusal);
    }
}
