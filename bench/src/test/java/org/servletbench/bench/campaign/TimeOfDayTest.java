package org.servletbench.bench.campaign;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.servletbench.bench.load.LoadException;

class TimeOfDayTest {

    private long ofDayMs = 1_790_000_000_000L;
    private long steadyNanos = 5;
    private final TimeOfDay time = new TimeOfDay(() -> ofDayMs, () -> steadyNanos);

    private void pass(long ms, long setByMs) {
        steadyNanos += ms * 1_000_000;
        ofDayMs += ms + setByMs;
    }

    @Test
    void lessThanATurnIsNoTrouble() {
        pass(300_000, 15);
        assertThatCode(time::requireNotSet).doesNotThrowAnyException();
        pass(300_000, -29);
        assertThatCode(time::requireNotSet).doesNotThrowAnyException();
    }

    @Test
    void aStepOfSomeTurnsPutsReadingsIntoTheWrongTurn() {
        pass(300_000, 300);
        assertThatThrownBy(time::requireNotSet)
                .hasMessage("the system's clock was set forward by 300 ms while these servers were measured");
    }

    @Test
    void aClockThatIsSetIsNamed() {
        pass(60_000, -3_600_000);
        assertThatThrownBy(time::requireNotSet)
                .isInstanceOf(LoadException.class)
                .hasMessage("the system's clock was set back by 3600.0 s while these servers were measured");
        pass(1_000, 2 * 3_600_000);
        assertThatThrownBy(time::requireNotSet).hasMessageContaining("set forward by 3600.0 s");
    }
}
