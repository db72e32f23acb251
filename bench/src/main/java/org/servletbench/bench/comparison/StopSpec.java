package org.servletbench.bench.comparison;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import org.servletbench.bench.model.Time;

/** When a campaign ends. */
@Section(title = "When it ends", place = "Below `stop`")
@JsonNaming(PropertyNamingStrategies.KebabCaseStrategy.class)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record StopSpec(
        @Key(
                means =
                        "the campaign ends when every judged interval reaches at most this far to either side of its ratio; by metric as `margin`",
                standard = "=; with blocks none")
        MetricShares precision,

        @Key(means = "number of blocks; with `precision`: the maximum", standard = "=")
        Integer blocks,

        @Key(
                means =
                        "maximum time: the last block has the load that fits, and is not begun if that is less than half of the usual one. Two blocks"
                                + " are always measured. 0s: no limit",
                standard = "=")
        Time limit,

        @Key(
                means =
                        "shortest time from the beginning of a block to that of the next: 15m with a limit of 4h spreads a campaign over hours",
                standard = "=")
        Time pace,

        @Key(
                means =
                        "end as soon as a claim has [certainly failed](pull-requests.md#red-as-early-as-it-is-sure); only with claims of your own",
                standard = "=")
        Boolean early,

        @Key(means = "seed of the random order of arms in each block", standard = "a random one", form = Form.SEED)
        Long seed) {

    /**
     * Returns a copy with the end that a load implies. Its number of starts is the number of blocks. A fixed load ends
     * at the default precision, unless a number of blocks is given.
     */
    StopSpec of(LoadSpec load) {
        Integer number = blocks == null ? load.starts() : blocks;
        boolean usual = precision == null && number == null && load.kind() == LoadSpec.Kind.FIXED;
        return new StopSpec(
                usual ? new MetricShares(Comparison.PRECISION) : precision, number, limit, pace, early, seed);
    }
}
