package org.servletbench.bench.campaign;

import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.record.Invocation;
import org.servletbench.bench.record.Judgement;

/** Is told how far a campaign is. */
public interface CampaignWatch {

    /** A line for people. */
    void say(String line);

    /**
     * What happens now, for people.
     *
     * @param arm the arm's id; empty when it concerns all servers that are up
     */
    default void phase(int block, String arm, String phase) {}

    /** The load of an arm begins in a block. */
    default void loadBegins(int block, String arm) {}

    /** An invocation is over and on disk. */
    default void invocation(Invocation invocation) {}

    /** A block is over. */
    default void block(int block, CampaignFolder sofar, Judgement judged) {}

    /**
     * How long the rest takes, as far as can be said; told before {@link #block}.
     *
     * @param doneSeconds since the start, s
     * @param leftSeconds until the end, s
     * @param leftBlocks until the end
     * @param halfWidth of the widest interval then, as {@code ratio - 1}; NaN where it is not known, or metrics have precisions of
     *     their own
     */
    default void estimate(double doneSeconds, double leftSeconds, int leftBlocks, double halfWidth) {}
}
