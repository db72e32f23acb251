package org.servletbench.bench.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.servletbench.bench.verdict.Better.HIGHER;
import static org.servletbench.bench.verdict.Better.LOWER;

import org.junit.jupiter.api.Test;

/** The rule alone, with a margin of 0.03 on the log scale. */
class VerdictTest {
    @Test
    void beyondTheMargin() {
        assertThat(decide(0.04, 0.08, true, false, HIGHER)).isEqualTo(Verdict.FASTER);
        assertThat(decide(0.04, 0.08, true, false, LOWER)).isEqualTo(Verdict.SLOWER);
        assertThat(decide(-0.08, -0.04, true, false, HIGHER)).isEqualTo(Verdict.SLOWER);
        assertThat(decide(-0.08, -0.04, true, false, LOWER)).isEqualTo(Verdict.FASTER);
    }

    @Test
    void theMarginItselfIsNotBeyond() {
        assertThat(decide(0.03, 0.08, true, false, HIGHER)).isEqualTo(Verdict.DIFFERENT_BUT_SMALL);
        assertThat(decide(-0.03, 0.02, false, true, HIGHER)).isEqualTo(Verdict.INCONCLUSIVE);
    }

    @Test
    void differentButNotBeyond() {
        assertThat(decide(0.01, 0.08, true, false, HIGHER)).isEqualTo(Verdict.DIFFERENT_BUT_SMALL);
        assertThat(decide(-0.02, -0.01, true, true, HIGHER)).isEqualTo(Verdict.DIFFERENT_BUT_SMALL);
    }

    @Test
    void equivalentOnlyWithBothTestsAndInterval() {
        assertThat(decide(-0.01, 0.02, false, true, HIGHER)).isEqualTo(Verdict.EQUIVALENT);
        assertThat(decide(-0.01, 0.02, false, false, HIGHER)).isEqualTo(Verdict.INCONCLUSIVE);
        assertThat(decide(-0.01, 0.04, false, true, HIGHER)).isEqualTo(Verdict.INCONCLUSIVE);
    }

    @Test
    void withoutAnInterval() {
        assertThat(decide(Double.NaN, Double.NaN, false, false, HIGHER)).isEqualTo(Verdict.INCONCLUSIVE);
    }

    private static Verdict decide(double low, double high, boolean different, boolean equivalent, Better better) {
        return Verdict.decide(low, high, different, equivalent, 0.03, better);
    }
}
