package org.servletbench.bench.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.proof.Finding.Outcome;
import org.servletbench.bench.report.proof.ProofPage;

/** Turns and windows agree, differ, or cannot be told apart by so few blocks. */
class ControlsTest {

    private static final List<Double> TURNS = List.of(-0.15, -0.16, -0.14, -0.15);

    private static Finding with(List<Double> windows) {
        return ControlsExperiment.agreement(Metric.THROUGHPUT, TURNS, windows);
    }

    /** R: t.test(c(1, 2, 3, 4), c(2, 2.5, 4, 6, 7)). */
    @Test
    void welchsInterval() {
        Agreement agreement = Agreement.of(new double[] {1, 2, 3, 4}, new double[] {2, 2.5, 4, 6, 7});
        assertThat(agreement.difference()).isCloseTo(-1.8, within(1e-9));
        // a = 5/12, b = 4.7/5 + ..., by hand: variances 5/3 and 4.7; df = 6.5895.
        double error = Math.sqrt(5.0 / 3 / 4 + 4.7 / 5);
        assertThat(agreement.halfWidth() / error).as("t with 6.6 df").isBetween(2.36, 2.45);
    }

    @Test
    void threeOutcomes() {
        assertThat(with(List.of(-0.16, -0.15, -0.17, -0.14)).outcome()).isEqualTo(Outcome.PASSED);
        assertThat(with(List.of(-0.06, -0.05, -0.07, -0.04)).outcome()).isEqualTo(Outcome.FAILED);
        Finding wide = with(List.of(-0.35, 0.05, -0.25, -0.05));
        assertThat(wide.outcome()).isEqualTo(Outcome.SHOWN);
        assertThat(wide.note()).contains("not decided");
        assertThat(with(List.of(-0.15)).outcome())
                .as("nothing usable is no success")
                .isEqualTo(Outcome.FAILED);
    }

    @Test
    void thePageShowsWhatIsNoTestAsSuch() {
        List<Finding> findings = List.of(with(List.of(-0.35, 0.05, -0.25, -0.05)));
        assertThat(Finding.tally(findings)).isEqualTo("1 findings: 0 passed, 0 failed, 0 skipped, 1 shown (no test)");
        assertThat(ProofPage.html(findings, java.util.Map.of()))
                .contains("shown (no test)", "not decided", "Jetty / Tomcat, Throughput");
    }
}
