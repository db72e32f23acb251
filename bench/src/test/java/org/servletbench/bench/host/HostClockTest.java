package org.servletbench.bench.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.servletbench.bench.model.TargetException;

class HostClockTest {

    @Test
    void timesMoveByTheOffset() {
        HostClock ahead = new HostClock(1500.4, 0.2);

        assertThat(ahead.here(10_000)).isEqualTo(8_500);
        assertThat(ahead.there(8_500)).isEqualTo(10_000);
        assertThat(ahead.describe("app1")).isEqualTo("the clock of app1 is 1500.400 ms ahead, ± 0.200 ms");
    }

    @Test
    void aClockThatMovedIsToldAndWhatNobodyCanTellIsNot() {
        HostClock began = new HostClock(5, 1);

        assertThatCode(() -> began.requireStill(new HostClock(26.9, 1), "app1")).doesNotThrowAnyException();
        assertThatCode(() -> began.requireStill(new HostClock(-60, 50), "app1")).doesNotThrowAnyException();
        assertThatThrownBy(() -> began.requireStill(new HostClock(-20, 1), "app1"))
                .isInstanceOf(TargetException.class)
                .hasMessageStartingWith("the clock of app1 moved by -25.0 ms against this machine's");
    }
}
