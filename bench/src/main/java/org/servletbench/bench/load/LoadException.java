package org.servletbench.bench.load;

/**
 * A load generator could not run, or what it measured must not be used. The message is one line for people: what was
 * wrong, where, what to do.
 */
public final class LoadException extends RuntimeException {

    private static final long serialVersionUID = 1;

    public LoadException(String message) {
        super(message, null, false, false);
    }

    /** The same as a step of a chain: {@code ifPresent(LoadException::raise)}. */
    public static void raise(String message) {
        throw new LoadException(message);
    }
}
