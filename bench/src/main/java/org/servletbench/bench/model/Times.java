package org.servletbench.bench.model;

/** Frequency with which a user sends a request of a list. */
public enum Times {
    /** In each pass through the list. */
    EACH_PASS,
    /** In its first pass, before all that it sends in each. */
    ONCE,
    /** Sent once by users who make one pass and leave: counted like the rest. */
    ONCE_COUNTED;

    /** Files leave it out. */
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
