package org.servletbench.bench.record;

import java.util.Collection;
import org.servletbench.bench.measure.CodeTiers;
import org.servletbench.bench.measure.TopTier;

/**
 * The speed that an arm's servers could still gain by compiling, over all blocks. Time in code below the best compiler's is the
 * most that it can save: with a share s of the time there, throughput can rise by at most s / (1 - s).
 *
 * @param top the best code of its JVMs
 * @param samples of its servers' threads
 * @param underLoad true if they were taken under the measured load, before and after the counted part; false for the warm-up
 * @param share of samples below the top, in percent; NaN without samples
 * @param most upper 95 % limit of the remaining rise, in percent of throughput; NaN if nothing is known
 */
public record Warmth(TopTier top, long samples, boolean underLoad, double share, double most) {

    /** Largest remaining rise of a warm server, in percent. */
    public static final double WARM = 3;
    /** Largest remaining rise with which an arm may have a verdict, in percent. */
    public static final double BARRED = 10;

    /** Chance that more is left. */
    static final double LEVEL = 0.05;

    static final Warmth UNKNOWN = new Warmth(TopTier.C2, 0, false, Double.NaN, Double.NaN);

    /** @param all of each server: its samples under the load, or else those of its warm-up */
    static Warmth of(TopTier top, Collection<CodeTiers> all, boolean underLoad) {
        CodeTiers sum = all.stream().reduce(CodeTiers.NONE, CodeTiers::plus);
        double most = sum.mostBelow(top, LEVEL);
        return sum.samples() == 0
                ? UNKNOWN
                : new Warmth(top, sum.samples(), underLoad, 100 * sum.shareBelow(top), 100 * most / (1 - most));
    }

    public boolean isKnown() {
        return samples > 0;
    }

    /** True if the arm's servers are shown to be warm. */
    public boolean isWarm() {
        return most <= WARM;
    }

    /** True if so much may be left that no conclusion about the arm is possible. */
    boolean bars() {
        return most > BARRED;
    }
}
