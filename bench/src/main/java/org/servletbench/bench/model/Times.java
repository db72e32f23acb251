package org.servletbench.bench.model;

/** How often a user sends a request of a list. */
public enum Times {
    /** Sent in each pass through the list. */
    EACH_PASS,
    /** Sent in the first pass only, before the repeated requests. */
    ONCE,
    /** Sent once by users who make one pass and leave, so it is counted like the rest. */
    ONCE_COUNTED;

    /** Makes Jackson leave the default out of files. */
    public static final class IsUsual {
        @Override
        public boolean equals(Object times) {
            return times == EACH_PASS;
        }

        @Override
        public int hashCode() {
            return 0;
        }
    }
}
