package org.servletbench.bench.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.servletbench.bench.measure.Trend;
import org.servletbench.bench.model.MeasuredLoad;

/** Tests that a load with too few rounds for a trend makes the next one longer. */
class TrendLoadTest {

    private static LoadFigures of(int rounds, Trend trend) {
        return new LoadFigures(
                new MeasuredLoad("hello", 100, 0, "gatling"),
                new LoadFigures.Counted(1, 1000, 0, 0.9 * rounds),
                new LoadFigures.Values(Map.of(), Map.of(), "", 1),
                new LoadFigures.Course(Collections.nCopies(rounds, 1000.0), List.of(), trend),
                new LoadFigures.Findings(List.of(), List.of()),
                List.of(),
                List.of());
    }

    /** Time slices of 1 s, of which 0.9 s count. */
    @Test
    void twentyRoundsOfTurnsOfOneSecondTakeTwentySeconds() {
        assertThat(of(8, null).secondsForTrend()).isCloseTo(21, within(1e-9));
        assertThat(of(20, null).secondsForTrend()).isZero();
        assertThat(of(30, new Trend(30, 0, -1, 1)).secondsForTrend()).isZero();
        assertThat(of(0, null).secondsForTrend()).isZero();
    }
}
