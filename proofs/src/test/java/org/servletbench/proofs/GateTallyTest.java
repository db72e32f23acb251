package org.servletbench.proofs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.servletbench.bench.measure.CodeTiers;
import org.servletbench.proofs.Finding.Outcome;

/** A gate is wrong only if the noise leaves no doubt. */
class GateTallyTest {

    private static GateTally.Server server(boolean settled, double toCome, double error) {
        return new GateTally.Server(0.15, "jetty", settled, new CodeTiers(0, 150, 850), toCome, error);
    }

    private static Finding gate(GateTally.Server... servers) {
        return GateTally.findings(List.of(servers)).stream()
                .filter(finding -> finding.subject().startsWith("settled"))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void settledWithMuchToComeFails() {
        Finding wrong = gate(server(true, 0.2, 0.01), server(true, 0.0, 0.01), server(false, 0.5, 0.01));
        assertThat(wrong.outcome()).isEqualTo(Outcome.FAILED);
        assertThat(wrong.measured()).isEqualTo("1 of 2 settled; 1 have less, 0 cannot be told");
        assertThat(gate(server(true, 0.0, 0.01), server(false, 0.5, 0.01)).outcome())
                .isEqualTo(Outcome.PASSED);
    }

    @Test
    void whatCannotBeToldDecidesNothing() {
        Finding open = gate(server(true, 0.06, 0.02), server(false, 0.3, 0.01));
        assertThat(open.outcome()).isEqualTo(Outcome.SHOWN);
        assertThat(open.measured()).isEqualTo("0 of 1 settled; 0 have less, 1 cannot be told");
    }

    @Test
    void notSettledWithLittleToComeIsCounted() {
        List<Finding> findings = GateTally.findings(
                List.of(server(false, 0.0, 0.01), server(false, 0.3, 0.01), server(false, 0.05, 0.01)));
        assertThat(findings.get(findings.size() - 1).measured()).isEqualTo("1 of 3 not settled; 1 have more");
        assertThat(findings.get(0).subject()).isEqualTo("stopped at 15 % below C2");
    }

    /** 15 % of the time can save at most 18 %: a larger rise has another cause. */
    @Test
    void moreToComeThanTheShareCanExplainFails() {
        List<Finding> findings = GateTally.findings(List.of(server(false, 0.5, 0.01), server(false, 0.4, 0.01)));
        assertThat(findings)
                .filteredOn(finding -> finding.subject().startsWith("more to come"))
                .singleElement()
                .satisfies(finding -> assertThat(finding.outcome()).isEqualTo(Outcome.FAILED));
    }

    @Test
    void bothProbesCarryTheirErrors() {
        GateTally.Server one = GateExperiment.server(
                0.15, "jetty", true, CodeTiers.NONE, new double[] {-0.5, -0.3, -0.4, -0.4}, new double[] {
                    0.1, -0.1, 0, 0
                });
        assertThat(one.toCome()).isCloseTo(0.4, within(1e-9));
        // Twice sd / 2, and sd is sqrt(0.02 / 3).
        assertThat(one.error()).isCloseTo(Math.sqrt(2) * Math.sqrt(0.02 / 3) / 2, within(1e-9));
    }
}
