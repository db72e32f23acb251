package org.servletbench.bench.load;

/**
 * A load generator could not run, or what it measured must not be used. The message is one line for people: what was
 * wrong, where, what to do. A command that ends with it exits with {@link #EXIT_CODE}.
 */
public final class LoadException extends RuntimeException {

    /** The exit code of a run that failed for no fault of the command line. */
    public static final int EXIT_CODE = 1;

    private static final long serialVersionUID = 1;

    /** @param message what was wrong, where, what to do */
    public LoadException(String message) {
        super(message, null, false, false);
    }
}
