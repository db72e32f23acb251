package org.servletbench.bench.record;

/**
 * An event in a campaign after its plan was written. {@code campaign.json} lists these events in order.
 *
 * @param when time of the event, UTC, ISO 8601
 * @param before number of complete blocks by then
 * @param after number of blocks at which the campaign aims from then on; for an end, the number of blocks it ended with
 */
public record CampaignEvent(What what, String when, int before, int after) {
    public enum What {
        /** A campaign was resumed that had stopped before its last block, or before its precision. */
        RESUMED,
        /** All planned blocks were measured. */
        COMPLETED,
        /** The time limit left no room for another block. */
        TIME_LIMIT,
        /** All intervals were as narrow as {@link Plan#precision}. */
        PRECISION,
        /** A claim did not hold by the intervals of {@link Plan#judgingAfter}, from which its verdicts are drawn. */
        CLAIM_FAILED;

        /** True if this event ends the campaign, by a rule that was set before the first block. */
        public boolean ends() {
            return this != RESUMED;
        }
    }
}
