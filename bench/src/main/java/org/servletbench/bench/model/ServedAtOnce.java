package org.servletbench.bench.model;

import java.util.Map;

/** The number of requests that a server can serve at once: keys of its facts, and a comparison of two limits. */
public final class ServedAtOnce {

    /** Key of the kind of threads: {@code platform} or {@code virtual}. */
    public static final String KIND = "served.threads";
    /** Key of the limit; its value may be {@link #NO_LIMIT}. */
    public static final String LIMIT = "served.at-once";
    /** Key of the number of requests that were sent to find the limit. */
    public static final String SENT = "served.at-once.sent";

    public static final String NO_LIMIT = "no limit";

    private ServedAtOnce() {}

    /**
     * Returns the number of threads in the pool, minus Jetty's acceptors and selectors; empty for a pool without a
     * limit, such as that of virtual threads, for which Tomcat reports -1. Text that is not a number is returned
     * unchanged, and counts as unknown.
     */
    public static String expected(Map<String, String> proven) {
        try {
            int threads = Integer.parseInt(proven.getOrDefault("effective.threads.max", ""))
                    - Integer.parseInt(proven.getOrDefault("effective.acceptors", "0"))
                    - Integer.parseInt(proven.getOrDefault("effective.selectors", "0"));
            return threads < 0 ? "" : Integer.toString(threads);
        } catch (NumberFormatException e) {
            return proven.getOrDefault("effective.threads.max", "");
        }
    }

    /**
     * True if a counted limit is the expected one, within the tolerance for a machine with this number of processors.
     */
    public static boolean isLike(String limit, String expected, int processors) {
        return limit.equals(expected)
                || limit.matches("\\d{1,9}") && isLike(Integer.parseInt(limit), expected, processors);
    }

    /**
     * True if a counted limit is close enough to the expected one. Jetty keeps up to one thread per processor in
     * reserve, and large counts may miss a few late requests.
     */
    public static boolean isLike(int inside, String expected, int processors) {
        if (!expected.matches("\\d{1,9}")) {
            return false;
        }
        int limit = Integer.parseInt(expected);
        return Math.abs(inside - limit) <= Math.max(processors, limit / 40);
    }
}
