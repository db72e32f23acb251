package org.servletbench.bench.measure;

/**
 * Little's law (J. D. C. Little, "A proof for the queuing formula L = lambda W", Operations Research 9, 1961). In a
 * closed system N = X R, and with a pause of Z between a response and the next request N = X (R + Z).
 */
public final class LittlesLaw {

    /** Maximum deviation of X (R + Z) from N, as a share of N. It includes the generator's own time per request. */
    public static final double LIMIT = 0.05;

    private LittlesLaw() {}

    /** Returns the mean number of requests in flight, from X, requests/s, and R, ms. */
    public static double concurrency(double throughput, double meanMs) {
        return throughput * meanMs / 1000;
    }

    /** Returns the deviation of the mean number of users who wait or pause from N, as a share of N. */
    public static double deviation(double concurrency, double users) {
        return Math.abs(concurrency - users) / users;
    }

    /**
     * Returns the maximum throughput of users with a mean pause of Z, s, in requests/s. It is reached with a server
     * that needs no time.
     */
    public static double ceiling(double users, double meanPauseSeconds) {
        return users / meanPauseSeconds;
    }
}
