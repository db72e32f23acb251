package org.servletbench.bench.measure;

import static org.servletbench.bench.model.Text.text;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Decides whether a server is warm, based on the code that it runs. It is warm if the share of samples below the
 * {@linkplain TopTier top tier} is at most a limit, by its upper confidence limit, in a window of looks that ends with
 * the last one. As long as the share over all looks is too large, the oldest look is dropped.
 *
 * <p>Unlike a trend of throughput, this share does not depend on how fast the machine is at the moment.
 */
public final class WarmCode {

    /** Maximum share of samples below the top tier. */
    public static final double MOST_BELOW = 0.03;

    /** Maximum share before anything is counted under a load: the one that leaves a rise of {@link RemainingRise#WARM}. */
    static final double MOST_UNDER_LOAD = RemainingRise.share(RemainingRise.WARM);

    /** Minimum number of samples in a window. */
    static final long LEAST_SAMPLES = 600;

    /** Minimum number of samples if code is sampled again under the load, which provides the rest of a window. */
    private static final long FEW_SAMPLES = 150;

    /**
     * Level of the upper limit in one window. With a share of exactly {@link #MOST_BELOW}, a server is called warm
     * within nine looks in less than 5 % of cases (WarmCodeTest simulates it).
     */
    static final double LEVEL = 0.01;

    private final TopTier top;
    /** The limit, 0 to 1. */
    private final double most;

    private final long least;
    private final double level;
    /** The looks that have not been dropped, the latest first. */
    private final Deque<CodeTiers> looks = new ArrayDeque<>();

    /** Sum of these looks. */
    private CodeTiers seen = CodeTiers.NONE;

    private boolean warm;

    /** @param top top tier of the server's JVM */
    public WarmCode(TopTier top) {
        this(top, MOST_BELOW, LEAST_SAMPLES, LEVEL);
    }

    private WarmCode(TopTier top, double most, long least, double level) {
        this.top = top;
        this.most = most;
        this.least = least;
        this.level = level;
    }

    /**
     * Creates an instance for a first look. The share alone decides, because code is sampled again under the load
     * before anything is counted.
     */
    public static WarmCode beforeLoad(TopTier top) {
        return new WarmCode(top, MOST_BELOW, FEW_SAMPLES, 0.5);
    }

    /** Creates an instance for a load that is about to be counted, with the limit {@link #MOST_UNDER_LOAD}. */
    public static WarmCode underLoad(TopTier top) {
        return new WarmCode(top, MOST_UNDER_LOAD, LEAST_SAMPLES, LEVEL);
    }

    /**
     * Adds a look.
     *
     * @param samples samples since the last look
     * @return true if the server is warm
     */
    public boolean add(CodeTiers samples) {
        looks.addFirst(samples);
        warm = false;
        seen = CodeTiers.NONE;
        for (CodeTiers look : looks) {
            seen = seen.plus(look);
            warm |= seen.samples() >= least && seen.mostBelow(top, level) <= most;
        }
        while (looks.size() > 1 && seen.below(top) > most * Math.max(least, seen.samples())) {
            seen = seen.minus(looks.removeLast());
        }
        return warm;
    }

    /** Starts with the samples of an earlier window as the first look. */
    public WarmCode from(CodeTiers earlier) {
        looks.addFirst(earlier);
        seen = earlier;
        return this;
    }

    public boolean isWarm() {
        return warm;
    }

    /** True if the share is small enough, no matter how uncertain it is. */
    public boolean looksWarm() {
        return seen.samples() > 0 && seen.shareBelow(top) <= most;
    }

    /**
     * True if the lower limit of the share is above the limit. If the share is large, few samples are enough.
     */
    public boolean isSurelyCold() {
        return seen.leastBelow(top, level) > most;
    }

    /** Returns the sum of the looks that have not been dropped. */
    public CodeTiers seen() {
        return seen;
    }

    public TopTier top() {
        return top;
    }

    /** Returns why a warm-up ended, for people. */
    public String reason() {
        return text(
                "%.1f %% of %d samples of its threads were below code of %s (limit %.1f %%, with its uncertainty)",
                100 * seen.shareBelow(top), seen.samples(), top.title(), 100 * most);
    }

    /** Returns the progress for people: {@code 82 % of its time in code of C2}. */
    public String words() {
        return seen.samples() == 0
                ? "no sample of its code yet"
                : text("%.0f %% of its time in code of %s", 100 * (1 - seen.shareBelow(top)), top.title());
    }
}
