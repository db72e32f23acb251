package org.servletbench.bench.generator;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Searches for the highest rate that meets an objective. It doubles the rate until one misses the objective, and then
 * bisects on a logarithmic scale.
 *
 * <p>Repetition guards against chance. A rate counts as missed if it missed at least twice, and more than twice as
 * often as it met, or after six trials at least as often as it met. So a single pause of the machine cannot end the
 * climb. The result is a rate that met at least twice, and more often than it missed. A rate slightly too high that met
 * by luck mostly fails its second trial, and the search continues below it. For rates in between, one trial is enough,
 * because the rates above them show the same. Because two trials that missed follow each other, one disturbance may
 * spoil both. So at its end, the search tries the lowest rate that missed once more, and climbs on if that rate meets
 * the objective.
 *
 * @param first rate of the first trial, requests/s
 * @param least lowest rate to try, requests/s
 * @param most highest rate to try, requests/s
 * @param resolution the search ends when the lowest rate that missed is at most this share above the highest rate that
 *     met
 */
public record RateSearch(double first, double least, double most, double resolution) {

    private static final double GROWTH = 2;
    /** Number of trials that decide on a rate. */
    private static final int DECIDE = 2;
    /** Number of trials after which a rate that did not meet more often than it missed counts as missed. */
    private static final int MOST_OF_A_RATE = 6;
    /** Number of misses with which the lowest missed rate ends a search. */
    private static final int CONFIRM = 3;
    /**
     * Maximum number of trials. It is more than any search needs to climb from 1/s to a million and to bisect to 0.1 %,
     * with each rate tried three times and some rates more often.
     */
    public static final int MOST_TRIALS = 100;

    /** Digits of rates, which are part of request names. */
    private static final MathContext DIGITS = new MathContext(5);

    /**
     * A trial of a rate.
     *
     * @param name name of its requests in the log
     * @param rate rate, requests/s
     * @param behind true if it missed because the server answered fewer requests than were sent. Then the server's
     *     queue grows, even if it was still short when the step ended.
     */
    public record Tried(String name, double rate, boolean met, boolean behind) {

        /** Creates a trial in which the server kept up with the rate, or missed the objective in another way. */
        public Tried(String name, double rate, boolean met) {
            this(name, rate, met, false);
        }
    }

    /**
     * Bounds of the highest rate that meets the objective.
     *
     * @param low highest rate that met, below all rates that missed, requests/s; 0 if none did
     * @param high lowest rate that missed, requests/s; infinite if none did
     */
    public record Bracket(double low, double high) {}

    /** Counts how often each rate met (true) and missed (false). */
    private static TreeMap<Double, Map<Boolean, Long>> byRate(List<Tried> tried) {
        return tried.stream()
                .collect(Collectors.groupingBy(
                        Tried::rate, TreeMap::new, Collectors.partitioningBy(Tried::met, Collectors.counting())));
    }

    /** Returns the bounds that follow from these trials. A rate that missed as often as it met has no influence. */
    public static Bracket bracket(List<Tried> tried) {
        double low = 0;
        for (var rate : byRate(tried).entrySet()) {
            long missed = rate.getValue().get(false);
            long met = rate.getValue().get(true);
            boolean decided = missed > DECIDE * met || missed >= met && missed + met >= MOST_OF_A_RATE;
            if (missed >= DECIDE && decided) {
                return new Bracket(low, rate.getKey());
            }
            if (met > missed) {
                low = rate.getKey();
            }
        }
        return new Bracket(low, Double.POSITIVE_INFINITY);
    }

    /** Returns the rate to try next, requests/s; empty if the search is over. */
    public OptionalDouble next(List<Tried> tried) {
        if (tried.isEmpty()) {
            return OptionalDouble.of(rounded(first));
        }
        var rates = byRate(tried);
        double last = tried.get(tried.size() - 1).rate;
        long missed = rates.get(last).get(false);
        if (tried.size() >= MOST_TRIALS) {
            return OptionalDouble.empty();
        }
        if (missed > 0 && missed < DECIDE && rates.get(last).get(true) < DECIDE) {
            return OptionalDouble.of(last);
        }
        Bracket bracket = bracket(tried);
        if (bracket.low == 0) {
            return bracket.high <= rounded(least)
                    ? confirmed(rates, bracket)
                    : OptionalDouble.of(rounded(Math.max(least, Math.min(last, bracket.high) / GROWTH)));
        }
        double next = Double.isInfinite(bracket.high)
                ? rounded(Math.min(most, bracket.low * GROWTH))
                : bracket.high <= bracket.low * (1 + resolution)
                        ? bracket.low
                        : rounded(Math.sqrt(bracket.low * bracket.high));
        // The rate was rounded to either bound, or is at the upper limit, so no rate lies between the bounds.
        if (next <= bracket.low || next >= bracket.high) {
            return rates.get(bracket.low).get(true) < DECIDE
                    ? OptionalDouble.of(bracket.low)
                    : confirmed(rates, bracket);
        }
        return OptionalDouble.of(next);
    }

    private static OptionalDouble confirmed(Map<Double, Map<Boolean, Long>> rates, Bracket bracket) {
        return Double.isFinite(bracket.high) && rates.get(bracket.high).get(false) < CONFIRM
                ? OptionalDouble.of(bracket.high)
                : OptionalDouble.empty();
    }

    private static double rounded(double rate) {
        return BigDecimal.valueOf(rate).round(DIGITS).doubleValue();
    }
}
