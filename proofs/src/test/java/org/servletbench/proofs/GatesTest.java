package org.servletbench.proofs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.campaign.Preparation;
import org.servletbench.bench.model.Cell;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Shares;
import org.servletbench.bench.verdict.BlockData;
import org.servletbench.bench.verdict.Settings;
import org.servletbench.bench.verdict.Stopping;

/** The tally of gates, on drawn values of which the truth is known. */
class GatesTest {

    /** The gate may end at a precision. */
    private static final Settings SETTINGS =
            new Settings(Stopping.SHARE * 0.05, Shares.parse("cpu=5%,alloc=1%", 0.03), 0.8);

    /** 40 blocks with noise of 1.5 % in CPU time and 0.4 % in allocation. */
    private static List<BlockData> whole(double cpu, double allocation, double control) {
        Random random = new Random(7);
        return Stream.of(Metric.CPU, Metric.ALLOCATION)
                .map(metric -> {
                    double noise = metric == Metric.CPU ? 0.015 : 0.004;
                    SortedMap<Integer, Map<String, Double>> blocks = new TreeMap<>();
                    for (int block = 1; block <= 40; block++) {
                        blocks.put(
                                block,
                                Map.of(
                                        "before",
                                        100 * Math.exp(noise * random.nextGaussian()),
                                        "control",
                                        100 * control * Math.exp(noise * random.nextGaussian()),
                                        "arm",
                                        100
                                                * (metric == Metric.CPU ? cpu : allocation)
                                                * Math.exp(noise * random.nextGaussian())));
                    }
                    return new BlockData(
                            "service",
                            new Cell("request", 32, 0, "gatling"),
                            metric,
                            List.of("before", "arm"),
                            "before",
                            Optional.of("control"),
                            blocks,
                            Set.of(),
                            0);
                })
                .toList();
    }

    @Test
    void equalBuildsSeldomFireAndCostsBeyondTheMarginAreFound() {
        assertThat(GatesExperiment.fired(whole(1, 1, 1), SETTINGS, "arm", 5).share())
                .isLessThan(0.025);
        assertThat(GatesExperiment.fired(whole(1, 1.05, 1), SETTINGS, "arm", 5).share())
                .isGreaterThan(0.95);
        assertThat(GatesExperiment.fired(whole(1.10, 1, 1), SETTINGS, "arm", 15).share())
                .isGreaterThan(0.9);
        assertThat(GatesExperiment.fired(whole(0.9, 0.9, 1), SETTINGS, "arm", 15)
                        .hits())
                .isZero();
    }

    @Test
    void gatesAreJudgedByTheComparisonThatShips(@TempDir Path folder) throws IOException {
        Path jar = Files.createFile(folder.resolve("shop.jar"));
        Preparation preparation = new Preparation(Path.of(".."), () -> "", () -> "", line -> {});

        assertThat(new GatesExperiment(new ProofLab(preparation, folder)).gate(jar))
                .isEqualTo(SETTINGS);
    }

    @Test
    void aGateWithABrokenControlSaysNothing() {
        assertThat(GatesExperiment.fired(whole(1.10, 1.05, 1.3), SETTINGS, "arm", 15)
                        .hits())
                .isZero();
    }
}
