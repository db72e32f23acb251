package org.servletbench.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Reading;

/**
 * Tests that the compiler's share is a share of the server's own CPU time, however many servers are loaded in time
 * slices.
 */
class CompilerShareTest {

    /** 650 ms of 9,002 ms are 7.2 %. As a share of the whole load it used to be 1.85 %, without a warning. */
    @Test
    void isNotDividedByTheNumberOfServersInTurns() {
        assertThat(Metric.COMPILER.reading().orElseThrow().how()).isEqualTo(Reading.How.PER_CPU_TIME);
        double percent = 100.0 * 650 / 9002;
        ServerUse whole = new ServerUse(Map.of(Metric.COMPILER, percent), 0, Map.of());
        double inTimeSlices = whole.underLoad(0.25, Map.of()).of(Metric.COMPILER);
        assertThat(inTimeSlices).isEqualTo(percent).isGreaterThan(ServerUse.COMPILING_PERCENT);
    }
}
