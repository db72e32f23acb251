package org.servletbench.bench.proof;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.servletbench.bench.proof.Finding.Outcome;
import org.servletbench.bench.report.ProofPage;
import org.servletbench.bench.verdict.Guard;

/** What an experiment says of itself: no more than it shows. */
class ProofWordingTest {

    private static final double OWN = 167;
    private static final CostTally.Injected BURNING = new CostTally.Injected("burn25", 41.7);
    private static final CostTally.Injected SMALLEST = new CostTally.Injected("smallest", 53.9);

    /** Ten campaigns of four blocks, whose invocations scatter by this; the arm costs so much more than is injected. */
    private static List<Finding> cost(Guard guard, double excess, double scatter, boolean found) {
        Random random = new Random(5);
        CostTally tally = new CostTally(OWN, List.of(BURNING), SMALLEST, 0.05);
        for (int campaign = 0; campaign < 10; campaign++) {
            SortedMap<Integer, Double> plain = new TreeMap<>();
            SortedMap<Integer, Double> burning = new TreeMap<>();
            SortedMap<Integer, Double> smallest = new TreeMap<>();
            for (int block = 1; block <= 4; block++) {
                plain.put(block, OWN * Math.exp(scatter * random.nextGaussian()));
                burning.put(block, (OWN + 41.7 + excess) * Math.exp(scatter * random.nextGaussian()));
                smallest.put(block, (OWN + 53.9) * Math.exp(scatter * random.nextGaussian()));
            }
            tally.add(
                    guard,
                    plain,
                    Map.of("burn25", burning, "smallest", smallest),
                    Map.of("burn25", new CostTally.Reach(1.1, 1.5)),
                    found);
        }
        return tally.findings();
    }

    private static Finding named(List<Finding> findings, String experiment) {
        return findings.stream()
                .filter(finding -> finding.experiment().equals(experiment))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void whatCannotFailDoesNotPass() {
        Finding cold = Experiments.cold(5);
        assertThat(cold.outcome()).isEqualTo(Outcome.SHOWN);
        assertThat(cold.note()).isEqualTo("shows that the mark appears; it cannot fail");
        assertThat(Experiments.cold(4).outcome()).isEqualTo(Outcome.FAILED);
        assertThat(Finding.tally(List.of(cold)))
                .isEqualTo("1 findings: 0 passed, 0 failed, 0 skipped, 1 shown (no test)");
        assertThat(ProofPage.html(List.of(cold), Map.of()))
                .contains("0 passed", "shown (no test)", "it cannot fail")
                .doesNotContain("1 passed");
    }

    /** Every interval covers the truth, and all of them together show that it is another one. */
    @Test
    void coverageDoesNotHideAPooledBias() {
        Finding biased = named(cost(Guard.HELD, 4.1, 0.017, true), "cost");
        assertThat(biased.measured())
                .contains("10 of 10 simultaneous intervals cover it; pooled over 40 blocks")
                .containsPattern("z = [3-9]\\.\\d");
        assertThat(biased.outcome()).isEqualTo(Outcome.FAILED);
        assertThat(biased.note()).contains("too wide to see it");

        Finding right = named(cost(Guard.HELD, 0, 0.017, true), "cost");
        assertThat(right.outcome()).isEqualTo(Outcome.PASSED);
    }

    @Test
    void powerIsNotTestedWhereTheSpreadIsNotThePlannedOne() {
        Finding easy = named(cost(Guard.HELD, 0, 0.017, true), "power");
        assertThat(easy.outcome()).isEqualTo(Outcome.SHOWN);
        assertThat(easy.truth()).isEqualTo("found in 8 of 10 where invocations scatter by 5.0 %");
        assertThat(easy.measured()).containsPattern("10 of 10 found; invocations scattered by (1\\.[4-9]|2\\.[01]) %");
        assertThat(easy.note()).contains("hardly ever missed, and the planned power is not tested");
        assertThat(named(cost(Guard.HELD, 0, 0.017, false), "power").outcome()).isEqualTo(Outcome.FAILED);
        assertThat(named(cost(Guard.HELD, 0, 0.05, true), "power").outcome()).isEqualTo(Outcome.PASSED);
        assertThat(named(cost(Guard.HELD, 0, 0.05, false), "power").outcome()).isEqualTo(Outcome.FAILED);
    }

    @Test
    void theControlSaysThatItCountsBrokenGuardsOnly() {
        Finding held = named(cost(Guard.HELD, 0, 0.017, true), "A/A");
        assertThat(held.measured()).isEqualTo("0 of 10 broken, 10 held, 0 unproven");
        assertThat(held.note()).contains("only broken guards count");
        Guard neither = java.util.Arrays.stream(Guard.values())
                .filter(guard -> guard != Guard.HELD && guard != Guard.BROKEN)
                .findFirst()
                .orElseThrow();
        Finding open = named(cost(neither, 0, 0.017, true), "A/A");
        assertThat(open.outcome()).isEqualTo(Outcome.SHOWN);
        assertThat(open.measured()).isEqualTo("0 of 10 broken, 0 held, 10 unproven");
        assertThat(named(cost(Guard.BROKEN, 0, 0.017, true), "A/A").outcome()).isEqualTo(Outcome.FAILED);
    }
}
