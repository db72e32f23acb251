package org.servletbench.bench.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.servletbench.bench.measure.CodeTiers;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.Pause;
import org.servletbench.bench.model.ToolSettings;
import org.servletbench.bench.record.SeenCode.UnderLoad;

class SeenCodeTest {

    private static final MeasuredLoad BUSY = new MeasuredLoad("hello", 32, 0, "gatling");
    private static final MeasuredLoad MORE = new MeasuredLoad("hello", 200, 0, "gatling");
    private static final MeasuredLoad PAUSING =
            new MeasuredLoad("hello", 8, 0, "gatling", new ToolSettings(Pause.parse("100ms"), 0, 0, true, List.of()));
    private static final CodeTiers BEFORE = new CodeTiers(0, 3, 597);
    private static final CodeTiers AFTER = new CodeTiers(0, 1, 899);

    @Test
    void usersWhoPauseHaveTheSamplesOfThoseWhoDoNot() {
        UnderLoad busy = new UnderLoad(BUSY, BEFORE, AFTER);
        assertThat(SeenCode.ofSameRequests(List.of(busy), PAUSING)).contains(AFTER);
        assertThat(SeenCode.ofSameRequests(List.of(new UnderLoad(PAUSING, BEFORE, BEFORE), busy), PAUSING))
                .contains(AFTER);
        assertThat(SeenCode.ofSameRequests(List.of(new UnderLoad(BUSY, BEFORE, CodeTiers.NONE)), PAUSING))
                .contains(BEFORE);
    }

    @Test
    void othersAreSampled() {
        UnderLoad busy = new UnderLoad(BUSY, BEFORE, AFTER);
        MeasuredLoad otherRequests = new MeasuredLoad("static", 8, 0, "gatling", PAUSING.settings());
        assertThat(List.of(BUSY, MORE, otherRequests))
                .allSatisfy(load ->
                        assertThat(SeenCode.ofSameRequests(List.of(busy), load)).isEmpty());
        assertThat(SeenCode.ofSameRequests(List.of(new UnderLoad(PAUSING, BEFORE, AFTER)), PAUSING))
                .isEmpty();
    }

    /** A mostly idle processor gives few samples. */
    @Test
    void usersWhoPauseAreWatchedForLongerIfNobodyElseSendsTheirRequests() {
        MeasuredLoad otherRequests = new MeasuredLoad("static", 8, 0, "gatling", PAUSING.settings());

        assertThat(SeenCode.isSeenIdle(PAUSING, List.of(PAUSING))).isTrue();
        assertThat(SeenCode.isSeenIdle(otherRequests, List.of(BUSY, otherRequests)))
                .isTrue();
        assertThat(SeenCode.isSeenIdle(PAUSING, List.of(PAUSING, BUSY))).isFalse();
        assertThat(SeenCode.isSeenIdle(BUSY, List.of(BUSY, PAUSING))).isFalse();
    }
}
