package org.servletbench.bench.record;

import java.util.Collection;
import org.servletbench.bench.measure.CodeTiers;
import org.servletbench.bench.measure.RemainingRise;
import org.servletbench.bench.measure.TopTier;

/**
 * The speed that an arm's servers could still gain by compiling, over all blocks ({@link RemainingRise}).
 *
 * @param top the best code of its JVMs
 * @param samples number of samples of its servers' threads
 * @param underLoad true if they were taken under the measured load, after the counted part; false for the warm-up
 * @param share share of samples below the top, percent; NaN without samples
 * @param least lower 95 % limit of the remaining rise, in percent of throughput; NaN if nothing is known
 * @param most upper 95 % limit of the remaining rise, in percent of throughput; NaN if nothing is known
 */
public record Warmth(TopTier top, long samples, boolean underLoad, double share, double least, double most) {

    /** Remaining rise above which an arm has no verdict, if the rise is certain, percent. */
    public static final double BARRED = 10;

    /** Probability that the remaining rise is beyond a limit. */
    static final double LEVEL = 0.05;

    static final Warmth UNKNOWN = new Warmth(TopTier.C2, 0, false, Double.NaN, Double.NaN, Double.NaN);

    /** @param all samples of each server under the load, or else those of its warm-up */
    static Warmth of(TopTier top, Collection<CodeTiers> all, boolean underLoad) {
        CodeTiers sum = all.stream().reduce(CodeTiers.NONE, CodeTiers::plus);
        return sum.samples() == 0
                ? UNKNOWN
                : new Warmth(
                        top,
                        sum.samples(),
                        underLoad,
                        100 * sum.shareBelow(top),
                        RemainingRise.percent(sum.leastBelow(top, LEVEL)),
                        RemainingRise.percent(sum.mostBelow(top, LEVEL)));
    }

    public boolean isKnown() {
        return samples > 0;
    }

    /** True if the arm's servers were shown to be warm. */
    public boolean isWarm() {
        return most <= RemainingRise.WARM;
    }

    /** True if the remaining rise is certainly so large that nothing can be concluded about the arm. */
    boolean bars() {
        return least > BARRED;
    }
}
