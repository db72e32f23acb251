package org.servletbench.bench.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.StreamSupport;
import org.assertj.core.data.Offset;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.Metric;

/**
 * Tests that two arms alone are Student's paired t-test, with the same figures as SciPy, which scipy_figures.py
 * computed next to the data.
 */
class VerdictAgainstScipyTest {
    private static final Percentage CLOSE = Percentage.withPercentage(1e-6);

    private final JsonNode scipy = read();

    @Test
    void everyFigureOfAFamily() {
        List<JsonNode> expected =
                StreamSupport.stream(scipy.get("pairs").spliterator(), false).toList();
        List<BlockData> comparisons = new ArrayList<>();
        for (JsonNode pair : expected) {
            BlockData drawn = Draw.pair(Metric.THROUGHPUT, doubles(pair.get("a")), doubles(pair.get("b")));
            MeasuredLoad load = new MeasuredLoad("hello", comparisons.size() + 1, 0, "wrk");
            comparisons.add(new BlockData(
                    "boot3",
                    load,
                    Metric.THROUGHPUT,
                    drawn.arms(),
                    "A",
                    Optional.empty(),
                    drawn.blocks(),
                    Set.of(),
                    0));
        }

        List<PairVerdict> pairs =
                MultipleComparison.of(comparisons, Settings.DEFAULTS).pairs();

        assertThat(pairs).hasSameSizeAs(expected).hasSizeGreaterThanOrEqualTo(12);
        for (int i = 0; i < pairs.size(); i++) {
            PairVerdict pair = pairs.get(i);
            JsonNode figures = expected.get(i);
            assertThat(pair.estimate().n()).isEqualTo(figures.get("a").size());
            close(pair.ratio(), figures, "ratio");
            close(pair.low(), figures, "low");
            close(pair.high(), figures, "high");
            close(pair.estimate().sd(), figures, "sd");
            close(pair.detectable(), figures, "detectable");
        }
    }

    @Test
    void power() {
        assertThat(scipy.get("powers")).hasSizeGreaterThan(100);
        for (JsonNode expected : scipy.get("powers")) {
            double power = SampleSize.power(
                    expected.get("difference").asDouble(),
                    expected.get("sd").asDouble() / Math.sqrt(2),
                    expected.get("blocks").asInt(),
                    new SampleSize.Design(2, false, expected.get("claims").asInt()),
                    0.05);
            assertThat(power)
                    .as(expected.toString())
                    .isCloseTo(expected.get("power").asDouble(), Offset.offset(1e-8));
        }
    }

    private static void close(double actual, JsonNode figures, String name) {
        assertThat(actual)
                .as("%s of %s", name, figures)
                .isCloseTo(figures.get(name).asDouble(), CLOSE);
    }

    private static double[] doubles(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false)
                .mapToDouble(JsonNode::asDouble)
                .toArray();
    }

    private static JsonNode read() {
        try (InputStream in = VerdictAgainstScipyTest.class.getResourceAsStream("scipy-figures.json")) {
            return new ObjectMapper().readTree(in);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
