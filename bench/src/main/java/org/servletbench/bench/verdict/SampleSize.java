package org.servletbench.bench.verdict;

import java.util.List;
import java.util.OptionalInt;
import java.util.function.IntPredicate;
import java.util.function.IntToDoubleFunction;
import org.apache.commons.statistics.distribution.TDistribution;
import org.servletbench.bench.comparison.Effect;

/**
 * The differences that a number of blocks can find, for a plan with an assumed spread. "Found" means that the pair's
 * interval, computed as in {@link MultipleComparison}, excludes 1.
 *
 * <p>In all methods, {@code runSpread} is the residual standard deviation of ln(value) of one arm in a block, above 0,
 * 0.02 for 2 %; {@code blocks} is the number of complete blocks, at least 2; alpha is the level of everything that is
 * judged together, in (0, 1). Values out of range cause an IllegalArgumentException.
 */
public final class SampleSize {
    /** Maximum number of blocks of a plan: some weeks of measuring. */
    public static final int MOST_BLOCKS = 10_000;

    /** Approximate ratio of the widest of several intervals to their mean. Pairs differ in their observed noise. */
    private static final double WIDEST = 1.15;

    /**
     * Number of blocks from which on critical values of three and more arms are interpolated instead of being drawn for
     * each number.
     */
    private static final int DRAWN_ALONE = 16;

    private SampleSize() {}

    /**
     * The size of everything that is judged together.
     *
     * @param ranked number of arms that are compared with each other, at least 2
     * @param control true if there is a second copy of the baseline, which contributes to the residual
     * @param comparisons groups times loads times primary metrics, at least 1
     * @param rule rule for the figure with which the others are compared, if there is a control
     * @param names names of the ranked arms, the baseline first, in a factorial; else empty
     * @param effects effects of a factorial, which are judged instead of all pairs
     */
    public record Design(
            int ranked, boolean control, int comparisons, Baseline rule, List<String> names, List<Effect> effects) {
        /** Creates a design in which all pairs of arms are judged. */
        public Design(int ranked, boolean control, int comparisons, Baseline rule) {
            this(ranked, control, comparisons, rule, List.of(), List.of());
        }

        /** Creates a design in which arms are compared with both copies, if there are two. */
        public Design(int ranked, boolean control, int comparisons) {
            this(ranked, control, comparisons, Baseline.BOTH_COPIES);
        }

        /** @throws IllegalArgumentException if a value is out of range */
        public Design {
            require(ranked >= 2, "the number of arms", ranked);
            require(comparisons >= 1, "the number of comparisons", comparisons);
        }

        int arms() {
            return ranked + (control ? 1 : 0);
        }

        /** Returns the variance of a difference to the baseline, in variances of one server. */
        private double toBaseline() {
            return control && rule == Baseline.BOTH_COPIES ? 1.5 : 2;
        }

        /**
         * Returns the largest variance of a difference. With three or more arms, it is that of two arms other than the
         * baseline.
         */
        private double largest() {
            return effects.isEmpty()
                    ? ranked > 2 ? 2 : toBaseline()
                    : effects.stream()
                            .mapToDouble(effect -> variance(effect.a()) + variance(effect.b()))
                            .max()
                            .orElseThrow();
        }

        /** Returns the variance of a side of an effect, in variances of one server. */
        private double variance(List<String> side) {
            return side.stream()
                            .mapToDouble(arm -> 1.0
                                    / Critical.columns(names.indexOf(arm), ranked, control, rule)
                                            .size())
                            .sum()
                    / side.size()
                    / side.size();
        }

        /** Returns the critical value for this number of blocks, for at least three servers in a block. */
        private double critical(int blocks, double level) {
            return effects.isEmpty()
                    ? Critical.complete(blocks, ranked, control, rule, level)
                    : Critical.complete(blocks, names, control, rule, effects, level);
        }
    }

    /**
     * Returns the probability that a true difference between two arms is found. With three or more arms, these are not
     * the baseline.
     *
     * @param difference true difference as {@code ratio - 1}, above -1
     */
    public static double power(double difference, double runSpread, int blocks, Design design, double alpha) {
        return power(difference, runSpread, blocks, design, alpha, design.largest());
    }

    /** Returns the probability that a true difference between an arm and the baseline is found. */
    public static double powerToBaseline(double difference, double runSpread, int blocks, Design design, double alpha) {
        return power(difference, runSpread, blocks, design, alpha, design.toBaseline());
    }

    private static double power(
            double difference, double runSpread, int blocks, Design design, double alpha, double variance) {
        require(difference > -1, "the difference", difference);
        check(runSpread, alpha);
        return test(blocks, design, alpha).power(Math.log1p(difference) / error(runSpread, blocks, variance));
    }

    /**
     * Returns the smallest difference between two arms that is found with the wanted power, according to
     * {@link #power}, as {@code ratio - 1}; infinite if that is too large for a number.
     */
    public static double detectable(double runSpread, int blocks, Design design, Settings settings) {
        check(runSpread, settings.alpha());
        TPower test = test(blocks, design, settings.alpha());
        return Math.expm1(test.noncentrality(settings.power()) * error(runSpread, blocks, design.largest()));
    }

    /**
     * Returns the smallest number of blocks with which a difference is found with the wanted power.
     *
     * @param difference true difference as {@code ratio - 1}, above -1 and not 0
     * @return at least 2; empty if {@link #MOST_BLOCKS} are too few
     */
    public static OptionalInt blocks(double difference, double runSpread, Design design, Settings settings) {
        require(difference > -1 && difference != 0, "the difference", difference);
        return fewest(blocks -> power(difference, runSpread, blocks, design, settings.alpha()) >= settings.power());
    }

    /**
     * Returns the smallest number of blocks with which a new campaign finds a difference with the wanted power, given
     * that an old one of {@code seen} blocks would have found {@code found}. That figure includes the noise at its
     * upper limit, so the new plan does, too, because the spread of few blocks is mostly chance.
     *
     * @param difference difference above 0, as {@code ratio - 1}, like {@code found}
     * @param settings settings with which {@code found} was computed
     * @param next settings of the new campaign
     * @return at least 2; empty if {@link #MOST_BLOCKS} are too few
     */
    public static OptionalInt blocks(
            double difference, double found, int seen, Design design, Settings settings, Settings next) {
        require(found > 0 && found < Double.POSITIVE_INFINITY, "the difference", found);
        // The smallest difference that can be found is proportional to the spread.
        double runSpread = Math.log1p(found) / Math.log1p(detectable(1, seen, design, settings));
        return blocks(difference, runSpread, design, next);
    }

    /** Returns the approximate half width of the widest interval, as {@code ratio - 1}. */
    public static double halfWidth(double runSpread, int blocks, Design design, double alpha) {
        check(runSpread, alpha);
        return Math.expm1(critical(blocks, design, alpha) * error(WIDEST * runSpread, blocks, design.largest()));
    }

    /** Returns the approximate run spread at which the widest interval has this width. */
    static double runSpread(double halfWidth, int blocks, Design design, double alpha) {
        return Math.log1p(halfWidth) / (critical(blocks, design, alpha) * error(WIDEST, blocks, design.largest()));
    }

    /**
     * Returns the approximate number of blocks with which all intervals become narrow enough.
     *
     * @param precision half width as {@code ratio - 1}, above 0
     * @return at least 2; empty if {@link #MOST_BLOCKS} are too few
     */
    public static OptionalInt reaching(double precision, double runSpread, Design design, double alpha) {
        require(precision > 0, "the precision", precision);
        return fewest(blocks -> halfWidth(runSpread, blocks, design, alpha) <= precision);
    }

    private static OptionalInt fewest(IntPredicate enough) {
        int low = 2;
        int high = 2;
        while (!enough.test(high)) {
            if (high == MOST_BLOCKS) {
                return OptionalInt.empty();
            }
            low = high + 1;
            high = Math.min(2 * high, MOST_BLOCKS);
        }
        while (low < high) {
            int middle = (low + high) / 2;
            if (enough.test(middle)) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return OptionalInt.of(low);
    }

    private static TPower test(int blocks, Design design, double alpha) {
        double df =
                design.arms() == 2 ? blocks - 1 : BlockModel.effectiveDf(blocks, (blocks - 1) * (design.arms() - 1));
        return new TPower(df, critical(blocks, design, alpha));
    }

    private static double critical(int blocks, Design design, double alpha) {
        require(blocks >= 2, "the number of blocks", blocks);
        double level = alpha / design.comparisons();
        return design.arms() == 2
                ? TDistribution.of(blocks - 1.0).inverseSurvivalProbability(level / 2)
                : between(blocks, at -> design.critical(at, level));
    }

    /**
     * Returns the value of a function of the number of blocks that is nearly linear in 1 / (blocks - 1), like critical
     * values of t. For many blocks, it interpolates between the nearest of 16, 24, 32, 48, 64, … A search tries many
     * numbers, and each would need its own draws.
     */
    static double between(int blocks, IntToDoubleFunction exact) {
        int octave = Integer.highestOneBit(blocks);
        if (blocks < DRAWN_ALONE || blocks == octave || blocks == octave / 2 * 3) {
            return exact.applyAsDouble(blocks);
        }
        int half = octave / 2;
        int below = blocks < 3 * half ? octave : 3 * half;
        int above = below + half;
        double share = (1.0 / (below - 1) - 1.0 / (blocks - 1)) / (1.0 / (below - 1) - 1.0 / (above - 1));
        double lower = exact.applyAsDouble(below);
        return lower + share * (exact.applyAsDouble(above) - lower);
    }

    private static double error(double runSpread, int blocks, double variance) {
        return runSpread * Math.sqrt(variance / blocks);
    }

    private static void check(double sd, double alpha) {
        require(sd > 0 && sd < Double.POSITIVE_INFINITY, "the spread", sd);
        require(alpha > 0 && alpha < 1, "alpha", alpha);
    }

    private static void require(boolean holds, String what, double value) {
        if (!holds) {
            throw new IllegalArgumentException(what + " cannot be " + value);
        }
    }
}
