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
    private static final CodeTiers NONE = CodeTiers.NONE;

    private static UnderLoad busy(CodeTiers after) {
        return new UnderLoad(BUSY, BEFORE, after);
    }

    @Test
    void usersWhoPauseContinueTheSamplesOfThoseWhoDoNot() {
        List<MeasuredLoad> plan = List.of(BUSY, PAUSING);
        assertThat(SeenCode.continued(List.of(busy(NONE)), plan))
                .as("after the first load")
                .isEqualTo(NONE);
        assertThat(SeenCode.continued(List.of(busy(AFTER)), plan))
                .as("before the second")
                .isEqualTo(AFTER);
        assertThat(SeenCode.continued(List.of(busy(AFTER), new UnderLoad(PAUSING, AFTER, NONE)), plan))
                .as("after the second")
                .isEqualTo(AFTER);
    }

    @Test
    void othersBeginAnew() {
        assertThat(SeenCode.continued(List.of(busy(AFTER)), List.of(BUSY, MORE)))
                .isEqualTo(NONE);
        assertThat(SeenCode.continued(
                        List.of(busy(AFTER)),
                        List.of(BUSY, new MeasuredLoad("static", 8, 0, "gatling", PAUSING.settings()))))
                .isEqualTo(NONE);
        assertThat(SeenCode.continued(List.of(new UnderLoad(PAUSING, BEFORE, AFTER)), List.of(PAUSING, BUSY)))
                .isEqualTo(NONE);
    }
}
