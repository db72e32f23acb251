package org.servletbench.bench.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.servletbench.bench.model.Text.text;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.commons.statistics.distribution.TDistribution;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Computes the table in package-info: how often any interval misses the truth, compared with the first copy of the
 * baseline and with the mean of both, on the same values. {@code -Dcampaigns=40000 -Dtable.file=FILE} writes the
 * figures of that table, one per line.
 */
@Tag("simulation")
class CoverageTableTest {
    private static final double SPREAD = 0.0145;
    private static final int CAMPAIGNS = Integer.getInteger("campaigns", 2000);
    private static final int[] BLOCKS = {2, 3, 4, 5, 10, 30};
    private static final List<String> ARMS = List.of("arm0", "arm1", "arm2", "arm3");

    /** Noise of the four arms, followed by that of the A/A copy of the first. */
    enum Noise {
        EQUAL,
        ONE_TWICE(2, 2),
        ONE_THREE_TIMES(3, 2),
        BASELINE_TWICE(2, 0),
        BASELINE_THREE_TIMES(3, 0),
        TWO_THREE_TIMES(3, 1, 2),
        BASELINE_AND_ONE_THREE_TIMES(3, 0, 2),
        THREE_THREE_TIMES(3, 1, 2, 3),
        BASELINE_AND_TWO_THREE_TIMES(3, 0, 1, 2),
        ONE_TEN_TIMES(10, 2),
        BASELINE_TEN_TIMES(10, 0),
        /** t with 5 degrees of freedom, with the same variance. */
        HEAVY_TAILS {
            @Override
            void draw(Random random, double[][] noise) {
                for (double[] block : noise) {
                    for (int i = 0; i < block.length; i++) {
                        double p = Math.min(1 - 1e-15, Math.max(1e-15, random.nextDouble()));
                        block[i] = T5.inverseCumulativeProbability(p) * Math.sqrt(3.0 / 5);
                    }
                }
            }
        },
        OUTLIER {
            @Override
            void draw(Random random, double[][] noise) {
                super.draw(random, noise);
                noise[0][2] += 5;
            }
        },
        BASELINE_OUTLIER {
            @Override
            void draw(Random random, double[][] noise) {
                super.draw(random, noise);
                noise[0][0] += 5;
            }
        },
        /** From block to block, for each server separately. */
        AUTOCORRELATED {
            @Override
            void draw(Random random, double[][] noise) {
                super.draw(random, noise);
                for (int b = 1; b < noise.length; b++) {
                    for (int i = 0; i < noise[b].length; i++) {
                        noise[b][i] = 0.5 * noise[b - 1][i] + Math.sqrt(0.75) * noise[b][i];
                    }
                }
            }
        };

        private static final TDistribution T5 = TDistribution.of(5);
        private final double[] spread = {1, 1, 1, 1, 1};

        Noise() {}

        Noise(double times, int... arms) {
            for (int arm : arms) {
                spread[arm] = times;
            }
            spread[4] = spread[0];
        }

        void draw(Random random, double[][] noise) {
            for (double[] block : noise) {
                for (int i = 0; i < block.length; i++) {
                    block[i] = spread[i] * random.nextGaussian();
                }
            }
        }
    }

    /**
     * Campaigns of one kind: how many have an interval that misses, and mean half widths of pairs with and without the
     * baseline.
     */
    private static final class Seen {
        private int missed;
        private double toBaseline;
        private double others;

        void add(MultipleComparison family) {
            missed += family.pairs().stream().anyMatch(pair -> pair.low() > 1 || pair.high() < 1) ? 1 : 0;
            for (PairVerdict pair : family.pairs()) {
                if (pair.contrast().a().equals("arm0")) {
                    toBaseline += pair.halfWidth() / 3 / CAMPAIGNS;
                } else {
                    others += pair.halfWidth() / 3 / CAMPAIGNS;
                }
            }
        }

        double share() {
            return 100.0 * missed / CAMPAIGNS;
        }
    }

    /** Both rules see the same values, so that a difference of 1.5 points is at least three standard errors. */
    @ParameterizedTest
    @EnumSource
    void bothCopiesCoverAsWellAsTheFirst(Noise kind) throws IOException {
        for (int blocks : BLOCKS) {
            Random random = new Random(20261128);
            Seen before = new Seen();
            Seen now = new Seen();
            double[][] noise = new double[blocks][5];
            for (int i = 0; i < CAMPAIGNS; i++) {
                kind.draw(random, noise);
                BlockData both = data(noise);
                before.add(MultipleComparison.of(List.of(both.with(Baseline.FIRST_COPY)), Settings.DEFAULTS));
                now.add(MultipleComparison.of(List.of(both), Settings.DEFAULTS));
            }
            String line = text(
                    "%s %d blocks: %.2f %% before, %.2f %% now; to the baseline ± %.2f %% before, %.2f %% now; others ± %.2f %%, %.2f %%\n",
                    kind,
                    blocks,
                    before.share(),
                    now.share(),
                    100 * before.toBaseline,
                    100 * now.toBaseline,
                    100 * before.others,
                    100 * now.others);
            write(line);
            assertThat(now.share()).as(line).isLessThan(before.share() + 1.5);
            assertThat(now.toBaseline).as(line).isLessThan((kind == Noise.EQUAL ? 0.9 : 0.96) * before.toBaseline);
            assertThat(now.others).as(line).isLessThan(1.06 * before.others);
        }
    }

    private static void write(String line) throws IOException {
        String file = System.getProperty("table.file");
        if (file != null) {
            Files.writeString(Path.of(file), line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        }
    }

    private static BlockData data(double[][] noise) {
        SortedMap<Integer, Map<String, Double>> blocks = new TreeMap<>();
        for (int b = 0; b < noise.length; b++) {
            Map<String, Double> row = new HashMap<>();
            for (int i = 0; i < 5; i++) {
                row.put(i == 4 ? "copy" : ARMS.get(i), 1000 * Math.exp(SPREAD * noise[b][i]));
            }
            blocks.put(b, row);
        }
        return Draw.with(Draw.table(ARMS, "copy", blocks), blocks);
    }
}
