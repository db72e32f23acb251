package org.servletbench.bench.verdict;

import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Shares;

/**
 * The rules that end a campaign before its last block.
 *
 * <p><b>Every interval is narrow enough.</b> It looks at widths after each block, never at verdicts. A campaign that
 * ends when its spread happens to look small has intervals that are a little too narrow, so it has at least {@link #MIN_BLOCKS},
 * at {@link #SHARE} of alpha. Simulated for five arms that stop after 5 to 20 blocks, intervals then miss in at most 4.9 % of
 * campaigns, and in 6.1 % with one arm three times noisier; at the whole alpha in up to 6.1 and 7.3 %.
 *
 * <p><b>A claim has certainly failed.</b> The verdicts after each block are drawn at a level of its own, {@link #look}; if a claim does
 * not hold by them, the campaign ends with them. Claims that hold never end it. These levels add up to {@link #LOOKS} of alpha for any
 * number of blocks, and the analysis of a campaign that reaches its end has at most the rest, so that all intervals together hold as
 * often as promised, whichever analysis is the last (repeated confidence intervals: C. Jennison and B. W. Turnbull, Journal of the Royal
 * Statistical Society B 51, 1989). The level of a look depends on nothing but its number of blocks, so that a time limit may end
 * the campaign at any of them. {@code EarlyEndSimulationTest} has false alarms, power and the time that it saves.
 */
public final class Stopping {
    /** Fewer blocks than this never end a campaign. */
    public static final int MIN_BLOCKS = 5;

    /** The share of alpha that is left for intervals, if a campaign may stop early. */
    public static final double SHARE = 0.8;

    /** The share of alpha for all looks at claims before the end. */
    public static final double LOOKS = 0.05;

    /**
     * Number of blocks after which claims are looked at first. Where one JVM of three is slower than its equals, the new build may have
     * slow ones alone in three blocks (one case of 27), and their spread then shows nothing of the others: with such JVMs 3.3 % of 2,000
     * simulated gates of equal builds fired.
     */
    public static final int FIRST_LOOK = 4;

    private Stopping() {}

    /**
     * Returns the level at which a campaign's intervals are drawn: less than alpha if it may stop at a precision, a half width
     * above 0.
     */
    public static double alpha(double alpha, double precision) {
        return precision > 0 ? SHARE * alpha : alpha;
    }

    /**
     * Returns the level at which the intervals of a campaign are drawn that has reached its end.
     *
     * @param looks true if a claim that has certainly failed may end it before. Simulated, the share of a precision covers these looks
     *     as well
     */
    public static double alpha(double alpha, double precision, boolean looks) {
        return Math.min(alpha(alpha, precision), looks ? (1 - LOOKS) * alpha : alpha);
    }

    /**
     * Returns the level at which all intervals are drawn after a number of blocks, to see whether a claim has certainly failed. The
     * levels of all numbers of blocks together are {@link #LOOKS} of alpha.
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

    /** Returns the number of blocks for a precision with this noise; at least {@link #MIN_BLOCKS}. */
    public static int blocks(double precision, double residual, SampleSize.Design design, double alpha) {
        int enough = SampleSize.reaching(precision, residual, design, alpha).orElse(SampleSize.MOST_BLOCKS);
        return Math.max(MIN_BLOCKS, enough);
    }

    /** True if the half width of the widest interval is small enough. */
    public static boolean enough(double widest, int blocks, double precision) {
        return precision > 0 && blocks >= MIN_BLOCKS && widest <= precision;
    }

    /** True if a campaign may stop, judged at {@link #alpha}, by its complete blocks and the half width of every interval; 0: never. */
    public static boolean enough(MultipleComparison family, int blocks, double precision) {
        return enough(family.widestHalfWidth(), blocks, precision);
    }

    /**
     * True if a campaign may stop whose metrics have different precisions, by the number of blocks of the pair with the fewest.
     *
     * @param precisions half widths, as shares; 0: never
     * @param lead the metric to whose precision the others are relative
     */
    public static boolean enough(MultipleComparison family, Shares precisions, Metric lead) {
        int blocks = family.judged().stream()
                .mapToInt(pair -> pair.estimate().n())
                .min()
                .orElse(0);
        return enough(family.widestHalfWidth(precisions, lead), blocks, precisions.of(lead));
    }
}
