package org.servletbench.bench.model;

/** What a server is to the kernel's scheduler: a group of its own, or one account of processor time with other servers. */
public enum Scheduling {
    /** Its session is a group of its own. */
    SESSION("a group of its own (session)"),
    /** It has a control group of its own. */
    CONTROL_GROUP("a group of its own (cgroup)"),
    /** Its threads are in one account with those of other servers. */
    SHARED("one group with other servers");

    /** Among what a server is proven to be. */
    public static final String FACT = "scheduler";

    private final String words;

    Scheduling(String words) {
        this.words = words;
    }

    /** As in the proof. */
    @Override
    public String toString() {
        return words;
    }

    /** Whether a proven fact says that it shares a group; not if it says nothing. */
    public static boolean isShared(String fact) {
        return SHARED.words.equals(fact);
    }
}
