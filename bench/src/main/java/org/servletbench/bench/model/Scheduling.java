package org.servletbench.bench.model;

/**
 * How the kernel's scheduler treats a server: as a group of its own, or in a group with other servers, which share its
 * processor time.
 */
public enum Scheduling {
    /** Its session is a group of its own. */
    SESSION("a group of its own (session)"),
    /** Its control group is a group of its own. */
    CONTROL_GROUP("a group of its own (cgroup)"),
    /** Its threads are in one group with those of other servers. */
    SHARED("one group with other servers");

    /** Key among a server's proven facts. */
    public static final String FACT = "scheduler";

    private final String words;

    Scheduling(String words) {
        this.words = words;
    }

    /** Returns the text that is also in the server's proven facts. */
    @Override
    public String toString() {
        return words;
    }

    /** True if a proven fact says that the server shares a group; false if nothing is known. */
    public static boolean isShared(String fact) {
        return SHARED.words.equals(fact);
    }
}
