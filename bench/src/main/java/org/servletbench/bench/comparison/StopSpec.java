package org.servletbench.bench.comparison;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import org.servletbench.bench.model.Share;
import org.servletbench.bench.model.Time;

/** When a campaign ends. */
@Section(title = "When it ends", place = "Below `stop`")
@JsonNaming(PropertyNamingStrategies.KebabCaseStrategy.class)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record StopSpec(
        @Key(
                means = "the campaign ends when every interval is this narrow on either side",
                standard = "=; with blocks none")
        Share precision,

        @Key(means = "number of blocks; with precision the maximum", standard = "=")
        Integer blocks,

        @Key(means = "no block begins that would end later, but two are always measured; 0s: none", standard = "=")
        Time limit,

        @Key(
                means = "least time from the begin of a block to the next: 15m with a limit of 4h spreads a campaign",
                standard = "=")
        Time pace,

        @Key(means = "seed of the order in each block", standard = "a random one", form = Form.SEED)
        Long seed) {

    static final StopSpec NONE = new StopSpec(null, null, null, null, null);
}
