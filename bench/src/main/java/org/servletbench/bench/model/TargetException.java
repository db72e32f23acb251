package org.servletbench.bench.model;

import java.time.Duration;
import java.util.Optional;

/**
 * A server could not be started, proven or kept. The message is for people: what was wrong, where, what to do; one line,
 * or one line and the last lines of the server's log. A command that ends with it exits with {@link #EXIT_CODE}.
 */
public final class TargetException extends RuntimeException {

    /** The exit code of a run that failed for no fault of the command line. */
    public static final int EXIT_CODE = 1;

    private static final long serialVersionUID = 1;

    /** What was refused: it would come out the same another time. */
    public enum Refusal {
        /** The running server is not the one that was asked for. */
        SERVER,
        /** Its answers are not those of the others. */
        WORK,
        /** The JDK or the application is not what it must be. */
        START
    }

    /** Why a server did not get ready. */
    private enum Start {
        /** It did not answer in its time. */
        LATE,
        /** It ended by itself. */
        DIED
    }

    private final Refusal refusal;
    /** Null where it did not fail by itself before it was ready. */
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

    /** The same as a step of a chain: {@code ifPresent(TargetException::raise)}. */
    public static void raise(String message) {
        throw new TargetException(message);
    }

    /** The server did not answer in its time. */
    public static TargetException notUp(String message) {
        return new TargetException(message, null, Start.LATE);
    }

    /** The server itself ended at its start. */
    public static TargetException died(String message) {
        return new TargetException(message, null, Start.DIED);
    }

    /** The same in other words. */
    public TargetException saying(String message) {
        return new TargetException(message, refusal, start);
    }

    /** What would come out the same another time; the message says in what it differs. */
    public static TargetException refusal(Refusal what, String message) {
        return new TargetException(message, what, null);
    }

    /**
     * This thread was interrupted, and stays so.
     *
     * @param what was going on, as in "a server started"
     */
    public static TargetException interrupted(String what) {
        Thread.currentThread().interrupt();
        return new TargetException("interrupted while " + what);
    }

    /** Waits so long. */
    public static void sleep(Duration time, String what) {
        try {
            Thread.sleep(time.toMillis());
        } catch (InterruptedException e) {
            throw interrupted(what);
        }
    }

    /** Whether it is the server's own: not that of its port, of the machine, or of whoever asked it. */
    public boolean isTheServers() {
        return start != null || refusal != null;
    }

    /** Whether the server ended by itself before it was ready. */
    public boolean isDeathAtStart() {
        return start == Start.DIED;
    }

    /** What was refused; empty where another try may go well. */
    public Optional<Refusal> refusal() {
        return Optional.ofNullable(refusal);
    }
}
