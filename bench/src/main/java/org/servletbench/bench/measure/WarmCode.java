package org.servletbench.bench.measure;

import static org.servletbench.bench.model.Text.text;

/**
 * Judges whether a server is warm by the code that it runs: the upper limit of the share of samples below the {@linkplain TopTier top tier} is
 * at most {@value #MOST_BELOW}. It is looked at again and again: samples are added to a window until that limit is low enough; a window
 * whose share itself is too large is given up, and the next begins.
 *
 * <p>The share does not depend on how fast the machine is at the moment, as a trend of throughput does.
 */
public final class WarmCode {

    /** Share of samples below the top tier. */
    public static final double MOST_BELOW = 0.03;

    /** A window has at least so many. */
    static final long LEAST_SAMPLES = 600;

    /** One that is seen again under the load needs so many: then the rest of a window comes from there. */
    private static final long FEW_SAMPLES = 150;

    /**
     * Level of the upper limit in one look: with a share of exactly {@link #MOST_BELOW}, a server is called warm within six looks in some 5 %
     * of cases (WarmCodeTest simulates it).
     */
    static final double LEVEL = 0.02;

    private final TopTier top;
    private final long least;
    private final double level;
    private CodeTiers window = CodeTiers.NONE;
    /** The last window that was given up; shown as long as the new one has no sample. */
    private CodeTiers last = CodeTiers.NONE;

    private boolean warm;

    /** @param top of the server's JVM */
    public WarmCode(TopTier top) {
        this(top, LEAST_SAMPLES, LEVEL);
    }

    private WarmCode(TopTier top, long least, double level) {
        this.top = top;
        this.least = least;
        this.level = level;
    }

    /** A first look: the share alone decides, because the code is sampled again under the load before anything is counted. */
    public static WarmCode beforeLoad(TopTier top) {
        return new WarmCode(top, FEW_SAMPLES, 0.5);
    }

    /**
     * Looks once more.
     *
     * @param samples those since the last look
     * @return whether the server is warm
     */
    public boolean add(CodeTiers samples) {
        window = window.plus(samples);
        last = window;
        if (window.below(top) > MOST_BELOW * Math.max(least, window.samples())) {
            window = CodeTiers.NONE;
            warm = false;
        } else {
            warm = window.samples() >= least && window.mostBelow(top, level) <= MOST_BELOW;
        }
        return warm;
    }

    /** Continues a window, which was not given up. */
    public WarmCode from(CodeTiers earlier) {
        window = earlier;
        last = earlier;
        return this;
    }

    public boolean isWarm() {
        return warm;
    }

    /** True if the share is small enough, however uncertain it is. */
    public boolean looksWarm() {
        return last.samples() > 0 && last.shareBelow(top) <= MOST_BELOW;
    }

    /** Samples of the last window that has any. */
    public CodeTiers seen() {
        return last;
    }

    public TopTier top() {
        return top;
    }

    /** Why a warm-up ended, for people. */
    public String reason() {
        return text(
                "%.1f %% of %d samples of its threads were below code of %s (limit %.0f %%, with its uncertainty)",
                100 * last.shareBelow(top), last.samples(), top.title(), 100 * MOST_BELOW);
    }

    /** Progress for people: {@code 82 % of its time in code of C2}. */
    public String words() {
        return last.samples() == 0
                ? "no sample of its code yet"
                : text("%.0f %% of its time in code of %s", 100 * (1 - last.shareBelow(top)), top.title());
    }
}
