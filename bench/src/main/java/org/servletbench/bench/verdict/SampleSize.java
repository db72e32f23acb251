package org.servletbench.bench.verdict;

import java.util.OptionalInt;

/**
 * What a number of blocks can find, for a plan with an assumed spread or after the fact with the spread seen. "Found"
 * means that the pair is reported as different. The level of one claim is taken as {@code alpha / claims}, which is
 * Holm's first step: with several true differences Holm finds a little more.
 */
public final class SampleSize {
    /** More blocks than this are no plan: some weeks of measuring. */
    public static final int MOST_BLOCKS = 10_000;

    private SampleSize() {}

    /**
     * The claims of one group: every pair, by every metric, in every cell.
     *
     * @param arms without the control
     * @param metrics primary metrics
     * @param cells cells
     */
    public static int claims(int arms, int metrics, int cells) {
        return arms * (arms - 1) / 2 * metrics * cells;
    }

    /**
     * The spread of a difference between two arms in a block, when each run has this spread of its own:
     * {@code sqrt(2)} times.
     *
     * @param runSpread standard deviation of ln(value) from run to run of one arm, within blocks; 0.02 for 2 %
     */
    public static double spreadOfDifference(double runSpread) {
        return Math.sqrt(2) * runSpread;
    }

    /**
     * The chance that a true difference is found.
     *
     * @param difference as {@code ratio - 1}, above -1
     * @param sd standard deviation of the differences ln(A) - ln(B), above 0
     * @param blocks blocks that have both arms, at least 2
     * @param claims claims made together, at least 1
     * @param alpha level of all of them together, in (0, 1)
     * @throws IllegalArgumentException if a figure is outside its range
     */
    public static double power(double difference, double sd, int blocks, int claims, double alpha) {
        require(difference > -1, "the difference", difference);
        check(sd, claims, alpha);
        require(blocks >= 2, "the number of blocks", blocks);
        return new TPower(blocks - 1, alpha / claims).power(Math.log1p(difference) * Math.sqrt(blocks) / sd);
    }

    /**
     * The smallest difference that is found with the power asked for, as {@code ratio - 1}; infinite if that is beyond
     * all numbers.
     *
     * @param sd standard deviation of the differences ln(A) - ln(B), above 0
     * @param blocks blocks that have both arms, at least 2
     * @param claims claims made together, at least 1
     * @param settings level and power
     * @throws IllegalArgumentException if a figure is outside its range
     */
    public static double detectable(double sd, int blocks, int claims, Settings settings) {
        check(sd, claims, settings.alpha());
        require(blocks >= 2, "the number of blocks", blocks);
        double noncentrality = new TPower(blocks - 1, settings.alpha() / claims).noncentrality(settings.power());
        return Math.expm1(noncentrality * sd / Math.sqrt(blocks));
    }

    /**
     * The fewest blocks with which a difference is found with the power asked for.
     *
     * @param difference as {@code ratio - 1}, above -1 and not 0
     * @param sd standard deviation of the differences ln(A) - ln(B), above 0
     * @param claims claims made together, at least 1
     * @param settings level and power
     * @return at least 2; empty if {@link #MOST_BLOCKS} are too few
     * @throws IllegalArgumentException if a figure is outside its range
     */
    public static OptionalInt blocks(double difference, double sd, int claims, Settings settings) {
        require(difference > -1 && difference != 0, "the difference", difference);
        check(sd, claims, settings.alpha());
        int enough = 2;
        while (power(difference, sd, enough, claims, settings.alpha()) < settings.power()) {
            if (enough == MOST_BLOCKS) {
                return OptionalInt.empty();
            }
            enough = Math.min(2 * enough, MOST_BLOCKS);
        }
        int low = 2;
        while (low < enough) {
            int middle = (low + enough) / 2;
            if (power(difference, sd, middle, claims, settings.alpha()) < settings.power()) {
                low = middle + 1;
            } else {
                enough = middle;
            }
        }
        return OptionalInt.of(low);
    }

    private static void check(double sd, int claims, double alpha) {
        require(sd > 0 && sd < Double.POSITIVE_INFINITY, "the spread", sd);
        require(claims >= 1, "the number of claims", claims);
        require(alpha > 0 && alpha < 1, "alpha", alpha);
    }

    private static void require(boolean holds, String what, double value) {
        if (!holds) {
            throw new IllegalArgumentException(what + " cannot be " + value);
        }
    }
}
