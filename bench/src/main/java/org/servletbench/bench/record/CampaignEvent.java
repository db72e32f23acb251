package org.servletbench.bench.record;

/**
 * An event in a campaign after its plan was written. {@code campaign.json} lists these in order.
 *
 * @param when UTC, ISO 8601
 * @param before number of blocks whose every arm was measured by then
 * @param after number of blocks the campaign aims at from then on; for an end, the blocks it ended with
 */
public record CampaignEvent(What what, String when, int before, int after) {
    public enum What {
        /** A campaign that had stopped before its last block, or before its precision, was resumed. */
        RESUMED,
        /** Every planned block was measured. */
        COMPLETED,
        /** The time limit left no room for another block. */
        TIME_LIMIT,
        /** Every interval was as narrow as {@link Plan#precision}. */
        PRECISION,
        /** A claim did not hold by the intervals of {@link Plan#judgingAfter}, which are those of its verdicts. */
        CLAIM_FAILED;

        /** True if the campaign ended with it, by a rule that was set before the first block. */
        public boolean ends() {
            return this != RESUMED;
        }
    }
}
