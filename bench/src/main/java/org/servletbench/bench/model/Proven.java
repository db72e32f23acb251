package org.servletbench.bench.model;

/** Keys of what a running server has proven of itself, for those that write and those that read them. */
public final class Proven {

    /** Names of environment variables that were removed before its start, with blanks between. */
    public static final String ENV_REMOVED = "environment.removed";

    private Proven() {}
}
