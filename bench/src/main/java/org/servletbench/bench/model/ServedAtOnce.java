package org.servletbench.bench.model;

import java.util.Map;

/** The limit of requests that a server serves at once: the keys of its proof, and a comparison of two limits. */
public final class ServedAtOnce {

    /** {@code platform} or {@code virtual}. */
    public static final String KIND = "served.threads";
    /** The limit, or {@link #NO_LIMIT}. */
    public static final String LIMIT = "served.at-once";
    /** Requests that were sent to find it. */
    public static final String SENT = "served.at-once.sent";

    public static final String NO_LIMIT = "no limit";

    private ServedAtOnce() {}

    /**
     * Returns the number of threads in the pool, less those of Jetty's that run acceptors and selectors; a text that is no number
     * counts as unknown. Tomcat reports -1 for a pool without a limit, such as that of virtual threads: empty.
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

    /** True if a counted limit is the expected one, within the tolerance for a machine with this number of processors. */
    public static boolean isLike(String limit, String expected, int processors) {
        return limit.equals(expected)
                || limit.matches("\\d{1,9}") && isLike(Integer.parseInt(limit), expected, processors);
    }

    /** Jetty keeps up to one thread for each processor in reserve; large counts may differ by a few late ones. */
    public static boolean isLike(int inside, String expected, int processors) {
        if (!expected.matches("\\d{1,9}")) {
            return false;
        }
        int limit = Integer.parseInt(expected);
        return Math.abs(inside - limit) <= Math.max(processors, limit / 40);
    }
}
