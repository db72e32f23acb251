package org.servletbench.proofs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.servletbench.bench.verdict.BlockData;
import org.servletbench.bench.verdict.MultipleComparison;
import org.servletbench.bench.verdict.Settings;

/** Campaigns made from residuals have the noise of their source, but none of the differences between its arms. */
class ResampledTest {

    private static final double SPREAD = 0.015;

    @Test
    void theSpreadIsNotMadeSmaller() {
        double squares = 0;
        int n = 400;
        SplittableRandom random = new SplittableRandom(1);
        double truth = 0;
        for (int i = 0; i < n; i++) {
            // With only six blocks, forgetting the degrees of freedom would change the noise by 9 %. A biased arm must
            // not turn into noise.
            List<BlockData> whole = AaData.of(8, 6, SPREAD, 1.1, i);
            Resampled resampled = new Resampled(whole);
            truth += resampled.spread(0) * resampled.spread(0) / n;
            double sd = MultipleComparison.residual(
                            resampled.draw(AaData.QUICK, 30, 1, random).get(0))
                    .sd();
            squares += sd * sd / n;
        }
        assertThat(Math.sqrt(truth)).isCloseTo(SPREAD, within(0.0003));
        assertThat(Math.sqrt(squares)).isCloseTo(SPREAD, within(0.0005));
    }

    @Test
    void falseAlarmsStayBelowTheirLevel() {
        Resampled.Alarms alarms =
                new Resampled(AaData.of(8, 20, SPREAD, 1, 3)).alarms(AaData.QUICK, 5, Settings.DEFAULTS, 2000, 4);
        assertThat(alarms.excluding().share()).isBetween(0.005, 0.055);
        assertThat(alarms.naming().hits())
                .isLessThanOrEqualTo(alarms.excluding().hits());
    }

    @Test
    void whatIsFoundIsWhatTheForecastSays() {
        Resampled resampled = new Resampled(AaData.of(8, 40, SPREAD, 1, 3));
        for (Resampled.Found found : resampled.found(1.04, AaData.QUICK, 5, Settings.DEFAULTS, 1500, 5)) {
            assertThat(found.forecast()).isBetween(0.3, 0.9);
            assertThat(found.excluding().share()).isCloseTo(found.forecast(), within(0.08));
            assertThat(found.decided().hits()).isLessThan(found.excluding().hits());
        }
    }

    @Test
    void itDrawsDifferentArmsOnly() {
        Resampled three = new Resampled(AaData.of(3, 4, SPREAD, 1, 1));
        assertThatThrownBy(() -> three.draw(AaData.QUICK, 5, 1, new SplittableRandom(1)))
                .hasMessage("5 arms cannot be drawn from 3");
        assertThatThrownBy(() -> new Resampled(AaData.of(5, 1, SPREAD, 1, 1)))
                .hasMessage("there are 1 complete blocks, and 2 are needed");
    }

    /** One copy becomes faster from block to block, as if its host did. */
    @Test
    void noiseThatGoesOnIsSeen() {
        List<BlockData> drifting = AaData.of(8, 20, SPREAD, 1, 3).stream()
                .map(c -> {
                    SortedMap<Integer, Map<String, Double>> blocks = new TreeMap<>();
                    c.blocks().forEach((block, values) -> {
                        Map<String, Double> row = new HashMap<>(values);
                        row.computeIfPresent("copy2", (name, value) -> value * Math.exp(0.005 * block));
                        blocks.put(block, row);
                    });
                    return new BlockData(
                            c.group(), c.load(), c.metric(), c.arms(), c.baseline(), c.control(), blocks, Set.of(), 0);
                })
                .toList();
        assertThat(new Resampled(drifting).memory(0, 500, 1).p()).isLessThan(0.01);
        int seen = 0;
        for (int seed = 0; seed < 40; seed++) {
            seen += new Resampled(AaData.of(8, 20, SPREAD, 1, seed))
                                    .memory(0, 99, 1)
                                    .p()
                            <= 0.05
                    ? 1
                    : 0;
        }
        assertThat(seen).as("5 % of 40 where there is none").isLessThanOrEqualTo(6);
    }
}
