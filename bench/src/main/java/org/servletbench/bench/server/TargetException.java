package org.servletbench.bench.server;

/**
 * A server could not be started, proven or kept. The message is for people: what was wrong, where, what to do; one line,
 * or one line and the last lines of the server's log. A command that ends with it exits with {@link #EXIT_CODE}.
 */
public final class TargetException extends RuntimeException {

    /** The exit code of a run that failed for no fault of the command line. */
    public static final int EXIT_CODE = 1;

    private static final long serialVersionUID = 1;

    private final boolean refusal;

    /** @param message what was wrong, where, what to do */
    public TargetException(String message) {
        this(message, false);
    }

    private TargetException(String message, boolean refusal) {
        super(message, null, false, false);
        this.refusal = refusal;
    }

    /**
     * A server that runs is not the one that was asked for.
     *
     * @param message in what it differs
     */
    public static TargetException refusal(String message) {
        return new TargetException(message, true);
    }

    /** Whether it would come out the same another time. */
    public boolean isRefusal() {
        return refusal;
    }
}
