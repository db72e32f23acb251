package org.servletbench.proofs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.servletbench.bench.measure.CodeTiers;
import org.servletbench.bench.measure.TopTier;
import org.servletbench.proofs.Finding.Outcome;

/** The factor fails only if servers certainly lost more than it allows. */
class WarmthTallyTest {

    private static final String SLOPE = "loss for each unit of s / (1 - s), s up to 15 %";
    private static final String COLD = "servers stopped at the first stage";

    /** @param rise rise of throughput that was still to come, as a share */
    private static WarmthTally.Server stopped(int below, double rise, boolean settled) {
        return new WarmthTally.Server(
                "jetty",
                WarmthExperiment.FIRST,
                -Math.log1p(rise),
                settled,
                TopTier.C2,
                new CodeTiers(below, 0, 1000 - below));
    }

    private static WarmthTally.Server c1(TopTier top) {
        return new WarmthTally.Server("jetty", WarmthExperiment.C1, -1.4, true, top, new CodeTiers(0, 700, 300));
    }

    private static Outcome outcome(String subject, WarmthTally.Server... servers) {
        return WarmthTally.findings(List.of(servers)).stream()
                .filter(finding -> finding.subject().equals(subject))
                .findFirst()
                .orElseThrow()
                .outcome();
    }

    /** With a share of 1/11 in slower code, s / (1 - s) is a tenth. */
    @Test
    void theSlopeIsThatOfLeastSquares() {
        WarmthTally.Slope slope = WarmthTally.Slope.of(List.of(
                new WarmthTally.Server("a", "x", -Math.log1p(0.15), true, TopTier.C2, new CodeTiers(1, 0, 10)),
                new WarmthTally.Server("a", "x", -Math.log1p(0.25), true, TopTier.C2, new CodeTiers(1, 0, 10))));
        assertThat(slope.value()).isCloseTo(2, within(1e-9));
        // 12.706 times sqrt(0.005 / 0.02).
        assertThat(slope.high() - slope.value()).isCloseTo(12.706 * 0.5, within(0.001));
    }

    @Test
    void moreLossThanTheFactorAllowsFails() {
        assertThat(outcome(SLOPE, stopped(90, 0.19, false), stopped(91, 0.2, false)))
                .isEqualTo(Outcome.PASSED);
        assertThat(outcome(SLOPE, stopped(90, 0.4, false), stopped(91, 0.41, false)))
                .isEqualTo(Outcome.FAILED);
        // The mean is above the limit, but not significantly.
        assertThat(outcome(SLOPE, stopped(90, 0.1, false), stopped(91, 0.4, false)))
                .isEqualTo(Outcome.PASSED);
    }

    @Test
    void serversWithMuchSlowCodeAreShownOnly() {
        assertThat(outcome(SLOPE, stopped(600, 9, false), stopped(610, 9, false)))
                .isEqualTo(Outcome.SHOWN);
    }

    @Test
    void aColdServerThatIsCalledWarmFails() {
        assertThat(outcome(COLD, stopped(90, 0.1, false), stopped(95, 0.1, false)))
                .isEqualTo(Outcome.PASSED);
        assertThat(outcome(COLD, stopped(90, 0.1, false), stopped(90, 0.1, true)))
                .isEqualTo(Outcome.FAILED);
    }

    @Test
    void aServerWithoutC2IsNamed() {
        assertThat(outcome("servers with C1 alone", c1(TopTier.C1))).isEqualTo(Outcome.PASSED);
        assertThat(outcome("servers with C1 alone", c1(TopTier.C1), c1(TopTier.C2)))
                .isEqualTo(Outcome.FAILED);
    }
}
