package org.servletbench.bench.load;

/**
 * A load generator could not run, or its measurement must not be used. The message is one line for people: what was
 * wrong, where, and what to do.
 */
public final class LoadException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final boolean late;

    public LoadException(String message) {
        this(message, false);
    }

    private LoadException(String message, boolean late) {
        super(message, null, false, false);
        this.late = late;
    }

    /** Creates the exception for a generator that fell behind its plan, as on an overloaded machine. */
    public static LoadException late(String message) {
        return new LoadException(message, true);
    }

    /** True if the generator was too slow. */
    public boolean isLate() {
        return late;
    }

    /** Throws the exception, as a step of a chain: {@code ifPresent(LoadException::raise)}. */
    public static void raise(String message) {
        throw new LoadException(message);
    }
}
