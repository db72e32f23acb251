package org.servletbench.bench.model;

/** Frequency with which a user sends a request of a list. */
public enum Times {
    /** Sent in each pass through the list. */
    EACH_PASS,
    /** Sent in its first pass, before its repeated requests. */
    ONCE,
    /** Sent once by users who make one pass and leave: counted like the rest. */
    ONCE_COUNTED;

    /** Makes Jackson leave it out of files. */
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
