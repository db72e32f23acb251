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
     * @param arm id of the arm; empty if the phase concerns all servers that are up
     */
    default void phase(int block, String arm, String phase) {}

    /** Called when all servers of a block are up, and have had no requests except those of the parity check. */
    default void serversAreUp(int block) {}

    /** Called when the load of an arm starts in a block. */
    default void loadBegins(int block, String arm) {}

    /** Called when a server run is complete and saved. */
    default void serverRun(ServerRun serverRun) {}

    /** Called when a block is complete. */
    default void block(int block, CampaignFolder sofar, Analysis judged) {}

    /**
     * Receives an estimate of the remaining time. Called before {@link #block}.
     *
     * @param doneSeconds time since the start, s
     * @param leftSeconds time until the end, s
     * @param leftBlocks number of blocks until the end
     * @param halfWidth half width of the widest interval at the end, as {@code ratio - 1}; NaN if it is unknown, or if
     *     metrics have their own precisions
     */
    default void estimate(double doneSeconds, double leftSeconds, int leftBlocks, double halfWidth) {}
}
