package org.servletbench.bench.measure;

/**
 * The rise of throughput that a server can still expect while part of its time is in slower code. With a share s
 * of the time in code below the best compiler's, this code alone would explain a rise of s / (1 - s). Servers whose
 * compilers were stopped lost more, because a compiled method is also slower as long as those that it calls are not
 * compiled into it. {@link #LOSS} is that factor (docs/proof.md, {@code warmth}).
 */
public final class RemainingRise {

    /** Upper limit of the rise for each unit of s / (1 - s), if s is small. */
    public static final double LOSS = 2.2;

    /** Maximum remaining rise of a warm server, percent. */
    public static final double WARM = 3;

    private RemainingRise() {}

    /**
     * Returns the rise that a share of slower code leaves.
     *
     * @param share 0 to 1
     * @return percent of throughput
     */
    public static double percent(double share) {
        return 100 * LOSS * share / (1 - share);
    }

    /** Returns the share, 0 to 1, that leaves a rise of this many percent. */
    public static double share(double percent) {
        return percent / (100 * LOSS + percent);
    }
}
