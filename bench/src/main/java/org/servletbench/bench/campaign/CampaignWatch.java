package org.servletbench.bench.campaign;

import org.servletbench.bench.record.Analysis;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.record.ServerRun;

/** Receives the progress of a campaign. */
public interface CampaignWatch {

    /** Receives a line for people. */
    void say(String line);

    /**
     * Receives the current phase, for people.
     *
     * @param arm id of the arm; empty if it concerns all servers that are up
     */
    default void phase(int block, String arm, String phase) {}

    /** The load of an arm starts in a block. */
    default void loadBegins(int block, String arm) {}

    /** A server run is complete and saved. */
    default void serverRun(ServerRun serverRun) {}

    /** A block is complete. */
    default void block(int block, CampaignFolder sofar, Analysis judged) {}

    /**
     * Receives an estimate of the remaining time; called before {@link #block}.
     *
     * @param doneSeconds time since the start, s
     * @param leftSeconds time until the end, s
     * @param leftBlocks blocks until the end
     * @param halfWidth half width of the widest interval at the end, as {@code ratio - 1}; NaN if unknown, or if metrics have their own
     *     precisions
     */
    default void estimate(double doneSeconds, double leftSeconds, int leftBlocks, double halfWidth) {}
}
