package org.servletbench.bench.verdict;

/**
 * An interval of ln(A/B).
 *
 * @param low lower end, possibly negative infinity; NaN if there is no interval
 * @param high upper end, possibly infinity
 */
record Interval(double low, double high) {
    static final Interval NONE = new Interval(Double.NaN, Double.NaN);

    /** Returns the interval with this number of standard errors on either side; NaN without a spread. */
    static Interval around(Estimate estimate, double critical) {
        double half = estimate.spreads() ? critical * estimate.error() : Double.NaN;
        return new Interval(estimate.meanLog() - half, estimate.meanLog() + half);
    }

    Interval plus(Interval other) {
        return new Interval(low + other.low, high + other.high);
    }
}
