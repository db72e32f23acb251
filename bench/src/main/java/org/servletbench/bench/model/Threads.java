package org.servletbench.bench.model;

import java.util.Locale;

public enum Threads {
    /** A pool of operating system threads. */
    PLATFORM,
    /** A virtual thread for each request: {@code spring.threads.virtual.enabled}. */
    VIRTUAL;

    /** Option for one server, or for all arms of a campaign that do not have their own. */
    public static final String OPTION = "threads";

    /** First feature release of the JDK with virtual threads. */
    public static final int OLDEST_JDK = 21;

    /**
     * Returns the kind with this name.
     *
     * @throws UsageException if there is none
     */
    public static Threads of(String name) {
        for (Threads kind : values()) {
            if (kind.key().equals(name)) {
                return kind;
            }
        }
        throw new UsageException("no threads '" + name + "': choose platform or virtual");
    }

    /** Returns {@code platform} or {@code virtual}, as in options, names of arms and records. */
    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Checks that a server can have such threads, before anything is built or started.
     *
     * @param who the arm, for the message
     * @param line version of Spring Boot; empty for a user's own application
     * @param feature feature release of the server's JDK
     * @throws UsageException if it cannot
     */
    public void requirePossible(String who, String line, int feature, String jdk) {
        if (this == PLATFORM) {
            return;
        }
        if (line.equals("boot2")) {
            throw new UsageException(
                    who + ": Spring Boot 2.7 cannot serve with virtual threads: choose boot3 or boot4");
        }
        if (feature < OLDEST_JDK) {
            throw new UsageException(who + ": virtual threads need a JDK " + OLDEST_JDK
                    + " or newer, and the server would run on " + jdk + ": name another with --jdk HOME");
        }
    }
}
