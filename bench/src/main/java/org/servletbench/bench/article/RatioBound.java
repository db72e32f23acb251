package org.servletbench.bench.article;

import static org.servletbench.bench.model.Text.text;

import java.util.Optional;

/**
 * The smallest part of a claim: the value at one cell divided by the value at another lies between two bounds. Whoever has
 * an interval for the ratio can hold it against the same bounds.
 *
 * @param least the ratio's lower bound; 0 for none
 * @param leastIncluded whether the ratio may be that bound itself
 * @param most the ratio's upper bound, which it may be itself; infinite for none
 */
public record RatioBound(
        Quantity metric, Point numerator, Point denominator, double least, boolean leastIncluded, double most) {

    public boolean accepts(double ratio) {
        return (leastIncluded ? ratio >= least : ratio > least) && ratio <= most;
    }

    /** Whether these figures are as claimed; empty where one is missing or the ratio has no value. */
    public Optional<Boolean> holds(Figures figures) {
        if (figures.at(numerator, metric).isEmpty()
                || figures.at(denominator, metric).isEmpty()) {
            return Optional.empty();
        }
        double ratio = figures.at(numerator, metric).getAsDouble()
                / figures.at(denominator, metric).getAsDouble();
        return Double.isNaN(ratio) ? Optional.empty() : Optional.of(accepts(ratio));
    }

    /** For people: what the ratio should be, for example {@code above 1}. */
    public String bounds() {
        return most == Double.POSITIVE_INFINITY
                ? (leastIncluded ? "at least " : "above ") + number(least)
                : (leastIncluded ? "from " : "above ") + number(least) + " to " + number(most);
    }

    private static String number(double value) {
        return value == Math.rint(value) ? text("%.0f", value) : text("%.3f", value);
    }
}
