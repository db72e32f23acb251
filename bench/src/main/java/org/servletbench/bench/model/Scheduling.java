package org.servletbench.bench.model;

/** How the kernel's scheduler sees a server: as a group of its own, or sharing one account of processor time with other servers. */
public enum Scheduling {
    /** Its session is a separate group. */
    SESSION("a group of its own (session)"),
    /** It has its own control group. */
    CONTROL_GROUP("a group of its own (cgroup)"),
    /** Its threads share one account with those of other servers. */
    SHARED("one group with other servers");

    /** Key among a server's proven facts. */
    public static final String FACT = "scheduler";

    private final String words;

    Scheduling(String words) {
        this.words = words;
    }

    /** Same text as in the proof. */
    @Override
    public String toString() {
        return words;
    }

    /** True if a proven fact says that the server shares a group; false if it says nothing. */
    public static boolean isShared(String fact) {
        return SHARED.words.equals(fact);
    }
}
