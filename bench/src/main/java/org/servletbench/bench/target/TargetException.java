package org.servletbench.bench.target;

/**
 * A server could not be started, proven or kept. The message is for people: what was wrong, where, what to do; one line,
 * or one line and the last lines of the server's log. A command that ends with it exits with {@link #EXIT_CODE}.
 */
public final class TargetException extends RuntimeException {

    /** The exit code of a run that failed for no fault of the command line. */
    public static final int EXIT_CODE = 1;

    private static final long serialVersionUID = 1;

    /** @param message what was wrong, where, what to do */
    public TargetException(String message) {
        super(message, null, false, false);
    }
}
