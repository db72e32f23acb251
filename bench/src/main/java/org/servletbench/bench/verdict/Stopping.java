package org.servletbench.bench.verdict;

import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Shares;

/**
 * The rules that end a campaign before its last block.
 *
 * <b>All intervals are narrow enough.</b> This rule looks at widths after each block, never at verdicts. A campaign
 * that ends when its spread happens to look small has intervals that are a little too narrow. Therefore it has at least
 * {@link #MIN_BLOCKS} blocks, and uses {@link #SHARE} of alpha. In simulations with five arms that stop after 5 to 20
 * blocks, intervals miss in at most 4.9 % of campaigns, and in 6.1 % with one arm three times noisier; with the whole
 * alpha, in up to 6.1 and 7.3 %.
 *
 * <b>A claim has certainly failed.</b> After each block, verdicts are drawn at a special level, {@link #look}. If a claim
 * does not hold by them, the campaign ends with them. Claims that hold never end it. These levels add up to
 * {@link #LOOKS} of alpha for any number of blocks, and the analysis of a campaign that reaches its end has at most the
 * rest. So all intervals together hold as often as promised, whichever analysis is the last (repeated confidence
 * intervals: C. Jennison and B. W. Turnbull, Journal of the Royal Statistical Society B 51, 1989). The level of a look
 * depends only on its number of blocks, so that a time limit may end the campaign after any block.
 * {@code EarlyEndSimulationTest} shows false alarms, power and the time that this saves.
 */
public final class Stopping {
    /** Minimum number of blocks of a campaign that ends because its intervals are narrow enough. */
    public static final int MIN_BLOCKS = 5;

    /** Share of alpha that is left for intervals if a campaign may stop early. */
    public static final double SHARE = 0.8;

    /** Share of alpha for all looks at claims before the end. */
    public static final double LOOKS = 0.05;

    /**
     * Number of blocks after which claims are first looked at. If one JVM in three is slower than its equals, all JVMs
     * of the new build in three blocks may be slow ones (1 case in 27), and their spread then does not show this. With
     * such JVMs, 3.3 % of 2,000 simulated gates of equal builds fired.
     */
    public static final int FIRST_LOOK = 4;

    private Stopping() {}

    /**
     * Returns the level of a campaign's intervals. It is less than alpha if the campaign may stop at a precision (a
     * half width above 0).
     */
    public static double alpha(double alpha, double precision) {
        return precision > 0 ? SHARE * alpha : alpha;
    }

    /**
     * Returns the level of the intervals of a campaign that has reached its end.
     *
     * @param looks true if a claim that has certainly failed may end it before. In simulations, the share for a precision
     *     covers these looks as well
     */
    public static double alpha(double alpha, double precision, boolean looks) {
        return Math.min(alpha(alpha, precision), looks ? (1 - LOOKS) * alpha : alpha);
    }

    /**
     * Returns the level of all intervals after a number of blocks, when looking for claims that have certainly failed.
     * These levels add up to {@link #LOOKS} of alpha over all numbers of blocks.
     *
     * @param blocks at least {@link #FIRST_LOOK}
     * @throws IllegalArgumentException if there are fewer
     */
    public static double look(double alpha, int blocks) {
        if (blocks < FIRST_LOOK) {
            throw new IllegalArgumentException(blocks + " blocks");
        }
        // (f - 1) / (k (k - 1)) adds up to 1 from k = f on.
        return LOOKS * alpha * (FIRST_LOOK - 1) / (blocks * (blocks - 1.0));
    }

    /** Returns the number of blocks that reach a precision with this noise; at least {@link #MIN_BLOCKS}. */
    public static int blocks(double precision, double residual, SampleSize.Design design, double alpha) {
        int enough = SampleSize.reaching(precision, residual, design, alpha).orElse(SampleSize.MOST_BLOCKS);
        return Math.max(MIN_BLOCKS, enough);
    }

    /** True if the half width of the widest interval is small enough. */
    public static boolean enough(double widest, int blocks, double precision) {
        return precision > 0 && blocks >= MIN_BLOCKS && widest <= precision;
    }

    /**
     * True if a campaign may stop, based on intervals at {@link #alpha}.
     *
     * @param blocks number of complete blocks
     * @param precision largest half width of every interval; 0 for never
     */
    public static boolean enough(MultipleComparison family, int blocks, double precision) {
        return enough(family.widestHalfWidth(), blocks, precision);
    }

    /**
     * True if a campaign whose metrics have different precisions may stop. The pair with the fewest blocks counts.
     *
     * @param precisions half widths, as shares; 0 for never
     * @param lead metric to whose precision the others are relative
     */
    public static boolean enough(MultipleComparison family, Shares precisions, Metric lead) {
        int blocks = family.judged().stream()
                .mapToInt(pair -> pair.estimate().n())
                .min()
                .orElse(0);
        return enough(family.widestHalfWidth(precisions, lead), blocks, precisions.of(lead));
    }
}
