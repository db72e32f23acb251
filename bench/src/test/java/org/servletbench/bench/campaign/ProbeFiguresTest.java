package org.servletbench.bench.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.servletbench.bench.load.LoadResult;

class ProbeFiguresTest {

    private static LoadResult.Probed round(int requests, int ms, long failed) {
        Histogram latency = new Histogram(3);
        latency.recordValueWithCount(ms, requests);
        return new LoadResult.Probed(null, "a", latency, failed);
    }

    @Test
    void roundsAreMergedAndPercentilesNeedRequestsBeyondThem() {
        Map<String, Double> figures = CellMerge.probe(List.of(round(80, 10, 1), round(20, 50, 0)));
        assertThat(figures).containsOnlyKeys("probe.requests", "probe.errors", "probe.p50", "probe.p99");
        assertThat(figures.get("probe.requests")).isEqualTo(100);
        assertThat(figures.get("probe.errors")).isEqualTo(1);
        assertThat(figures.get("probe.p50")).isCloseTo(10, within(0.5));
        assertThat(figures.get("probe.p99")).isCloseTo(50, within(0.5));
        assertThat(CellMerge.probe(List.of(round(99, 10, 0)))).doesNotContainKey("probe.p99");
        assertThat(CellMerge.probe(List.of(round(1000, 10, 0)))).containsKey("probe.p999");
        assertThat(CellMerge.probe(List.of(round(0, 1, 0)))).containsOnlyKeys("probe.requests");
        assertThat(CellMerge.probe(List.of())).isEmpty();
    }
}
