package org.servletbench.bench.model;

/** How often a user sends a request of a list. */
public enum Times {
    /** In each pass through the list. */
    EACH_PASS,
    /** In its first pass, before all that it sends in each. */
    ONCE,
    /** The same of users who make one pass and leave: it is counted with the rest. */
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
