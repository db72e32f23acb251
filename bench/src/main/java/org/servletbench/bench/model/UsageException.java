package org.servletbench.bench.model;

/**
 * The user asked for something impossible. The message is one line that tells people what was wrong, where, and what to
 * do. A command that fails with it exits with {@link #EXIT_CODE}.
 */
public final class UsageException extends RuntimeException {

    public static final int EXIT_CODE = 2;

    private static final long serialVersionUID = 1;

    /** @param message one line without a full stop, which must suffice without a stack trace */
    public UsageException(String message) {
        super(message, null, false, false);
    }

    /** Throws the exception. For method references: {@code ifPresent(UsageException::raise)}. */
    public static void raise(String message) {
        throw new UsageException(message);
    }
}
