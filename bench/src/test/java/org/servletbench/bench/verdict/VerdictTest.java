package org.servletbench.bench.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.servletbench.bench.model.Metric.P99;
import static org.servletbench.bench.model.Metric.THROUGHPUT;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.servletbench.bench.model.Metric;

/** Tests the rule alone, with a margin of 0.03 on the log scale. */
class VerdictTest {
    @Test
    void beyondTheMargin() {
        assertThat(decide(0.04, 0.08, THROUGHPUT)).isEqualTo(Verdict.FASTER);
        assertThat(decide(0.04, 0.08, P99)).isEqualTo(Verdict.SLOWER);
        assertThat(decide(-0.08, -0.04, THROUGHPUT)).isEqualTo(Verdict.SLOWER);
        assertThat(decide(-0.08, -0.04, P99)).isEqualTo(Verdict.FASTER);
        assertThat(decide(0.04, Double.POSITIVE_INFINITY, THROUGHPUT)).isEqualTo(Verdict.FASTER);
    }

    @Test
    void theMarginItselfIsNeitherBeyondNorInside() {
        assertThat(decide(0.03, 0.08, THROUGHPUT)).isEqualTo(Verdict.DIFFERENT);
        assertThat(decide(-0.03, 0.02, THROUGHPUT)).isEqualTo(Verdict.INCONCLUSIVE);
    }

    @Test
    void differentWhereOneIsExcludedAndTheMarginIsNot() {
        assertThat(decide(0.01, 0.08, THROUGHPUT)).isEqualTo(Verdict.DIFFERENT);
        assertThat(decide(-0.08, -0.01, P99)).isEqualTo(Verdict.DIFFERENT);
        // A ratio of 1.40 (1.02 to 1.92) was once called small.
        assertThat(decide(Math.log(1.02), Math.log(1.92), THROUGHPUT)).isEqualTo(Verdict.DIFFERENT);
    }

    @Test
    void insideTheMarginIsEquivalentEvenWhereOneIsExcluded() {
        assertThat(decide(-0.01, 0.02, THROUGHPUT)).isEqualTo(Verdict.EQUIVALENT);
        assertThat(decide(-0.02, -0.01, THROUGHPUT)).isEqualTo(Verdict.EQUIVALENT);
        assertThat(Verdict.EQUIVALENT.namesADifference()).isFalse();
        assertThat(decide(-0.01, 0.04, THROUGHPUT)).isEqualTo(Verdict.INCONCLUSIVE);
    }

    @Test
    void withoutAnInterval() {
        assertThat(decide(Double.NaN, Double.NaN, THROUGHPUT)).isEqualTo(Verdict.INCONCLUSIVE);
        assertThat(decide(Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY, THROUGHPUT))
                .isEqualTo(Verdict.INCONCLUSIVE);
    }

    @Test
    void peopleReadWordsThatFitTheMetric() {
        assertThat(Verdict.SLOWER.words(THROUGHPUT)).isEqualTo("SLOWER");
        assertThat(Verdict.SLOWER.words(P99)).isEqualTo("SLOWER");
        assertThat(Verdict.FASTER.words(Metric.READY)).isEqualTo("FASTER");
        for (Metric used : List.of(Metric.RSS, Metric.CPU, Metric.CLASSES_LOADED, Metric.READY_CPU, Metric.GC)) {
            assertThat(Verdict.SLOWER.words(used)).isEqualTo("MORE");
            assertThat(Verdict.FASTER.words(used)).isEqualTo("LESS");
            assertThat(Verdict.EQUIVALENT.words(used)).isEqualTo("EQUIVALENT");
        }
    }

    private static Verdict decide(double low, double high, Metric metric) {
        return Verdict.decide(low, high, 0.03, metric);
    }
}
