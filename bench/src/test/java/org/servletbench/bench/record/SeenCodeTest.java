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
    void usersWhoPauseContinueTheSamplesOfThoseWhoDoNot() {
        UnderLoad busy = new UnderLoad(BUSY, BEFORE, AFTER);
        assertThat(SeenCode.continued(List.of(busy), PAUSING)).isEqualTo(AFTER);
        assertThat(SeenCode.continued(List.of(new UnderLoad(PAUSING, BEFORE, BEFORE), busy), PAUSING))
                .isEqualTo(AFTER);
    }

    @Test
    void othersBeginAnew() {
        UnderLoad busy = new UnderLoad(BUSY, BEFORE, AFTER);
        assertThat(SeenCode.continued(List.of(busy), BUSY)).isEqualTo(CodeTiers.NONE);
        assertThat(SeenCode.continued(List.of(busy), MORE)).isEqualTo(CodeTiers.NONE);
        assertThat(SeenCode.continued(List.of(busy), new MeasuredLoad("static", 8, 0, "gatling", PAUSING.settings())))
                .isEqualTo(CodeTiers.NONE);
        assertThat(SeenCode.continued(List.of(new UnderLoad(PAUSING, BEFORE, AFTER)), PAUSING))
                .isEqualTo(CodeTiers.NONE);
    }
}
