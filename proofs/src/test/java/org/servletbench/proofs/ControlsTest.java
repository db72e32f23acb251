package org.servletbench.proofs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.verdict.Spread;
import org.servletbench.proofs.Finding.Outcome;

/** Short and long time slices agree, differ, or cannot be distinguished with so few blocks. */
class ControlsTest {

    /**
     * Returns the finding for log ratios of four blocks, which differ by these amounts between short and long time
     * slices.
     */
    private static Finding with(double... differences) {
        double[] timeSlices = {-0.15, -0.25, -0.05, -0.15};
        return ControlsExperiment.agreement(
                "Jetty",
                Metric.THROUGHPUT,
                IntStream.range(0, differences.length)
                        .mapToObj(i -> new ControlsExperiment.Both(timeSlices[i], timeSlices[i] - differences[i]))
                        .toList());
    }

    /** Expected values from R: {@code t.test(c(1, 2, 3, 4))} gives 0.4457397 to 4.5542603. */
    @Test
    void studentsInterval() {
        Spread agreement = Spread.of(new double[] {1, 2, 3, 4}, false, 0.05);
        assertThat(agreement.mean()).isCloseTo(2.5, within(1e-9));
        assertThat(agreement.low()).isCloseTo(0.4457397, within(1e-7));
        assertThat(agreement.high()).isCloseTo(4.5542603, within(1e-7));
    }

    @Test
    void threeOutcomes() {
        Finding same = with(0.01, -0.01, 0, 0.005);
        assertThat(same.outcome()).as("although blocks differ by 20 %%").isEqualTo(Outcome.PASSED);
        assertThat(same.measured())
                .isEqualTo("0.861 in time slices, 0.860 in long time slices of the same servers (4 blocks)");
        assertThat(with(-0.05, -0.04, -0.06, -0.05).outcome()).isEqualTo(Outcome.FAILED);
        Finding wide = with(-0.1, 0.1, -0.05, 0.05);
        assertThat(wide.outcome()).isEqualTo(Outcome.SHOWN);
        assertThat(wide.note()).contains("not decided");
        assertThat(with(0).outcome()).as("nothing usable is no success").isEqualTo(Outcome.FAILED);
    }

    @Test
    void whatIsNoTestIsCountedAsSuch() {
        List<Finding> findings = List.of(with(-0.1, 0.1, -0.05, 0.05));
        assertThat(Finding.tally(findings)).isEqualTo("1 findings: 0 passed, 0 failed, 0 skipped, 1 shown (no test)");
        assertThat(findings.get(0).line()).contains("shown (no test)", "not decided", "Jetty / Tomcat, Throughput");
    }
}
