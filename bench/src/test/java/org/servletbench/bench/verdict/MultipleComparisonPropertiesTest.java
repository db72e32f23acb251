package org.servletbench.bench.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.servletbench.bench.model.Metric;

/**
 * Tests properties that hold for any data. The data are seeded, with missing values, and with spreads from small to
 * hopeless.
 */
class MultipleComparisonPropertiesTest {
    private static final int ROUNDS = 25;
    private static final Percentage CLOSE = Percentage.withPercentage(1e-6);

    @Test
    void fromTheOtherSideItIsTheMirror() {
        forAll((random, family) -> {
            MultipleComparison other = mapped(family, comparison -> {
                List<String> reversed = new ArrayList<>(comparison.arms());
                Collections.reverse(reversed);
                return with(comparison, reversed, comparison.blocks());
            });
            for (PairVerdict pair : family.pairs()) {
                PairVerdict mirror = other.pairs().stream()
                        .filter(p -> p.contrast().load().equals(pair.contrast().load())
                                && p.contrast().metric().equals(pair.contrast().metric())
                                && p.contrast().a().equals(pair.contrast().b())
                                && p.contrast().b().equals(pair.contrast().a()))
                        .findFirst()
                        .orElseThrow();
                assertThat(mirror.verdict()).isEqualTo(pair.verdict().mirrored());
                same(mirror.ratio(), 1 / pair.ratio());
                same(mirror.low(), 1 / pair.high());
                same(mirror.high(), 1 / pair.low());
                same(mirror.detectable(), pair.detectable());
                assertThat(mirror.reason()).isEqualTo(pair.reason());
            }
        });
    }

    @Test
    void theOrderOfBlocksDoesNotMatter() {
        forAll((random, family) -> alike(family, mapped(family, comparison -> {
            List<Integer> numbers = new ArrayList<>(comparison.blocks().keySet());
            Collections.shuffle(numbers, random);
            SortedMap<Integer, Map<String, Double>> shuffled = new TreeMap<>();
            int next = 0;
            for (Map<String, Double> values : comparison.blocks().values()) {
                shuffled.put(numbers.get(next++), values);
            }
            return with(comparison, comparison.arms(), shuffled);
        })));
    }

    @Test
    void theUnitDoesNotMatter() {
        forAll((random, family) -> {
            double unit = Math.exp(20 * random.nextDouble() - 10);
            alike(family, mapped(family, comparison -> {
                SortedMap<Integer, Map<String, Double>> scaled = new TreeMap<>();
                comparison.blocks().forEach((block, values) -> {
                    Map<String, Double> row = new HashMap<>();
                    values.forEach((arm, value) -> row.put(arm, unit * value));
                    scaled.put(block, row);
                });
                return with(comparison, comparison.arms(), scaled);
            }));
        });
    }

    @Test
    void figuresAndVerdictsFitTogether() {
        Settings settings = Settings.DEFAULTS;
        double margin = 1 + settings.margin(Metric.THROUGHPUT);
        Map<Verdict, Integer> seen = new HashMap<>();
        forAll((random, family) -> {
            for (PairVerdict pair : Stream.concat(family.pairs().stream(), family.controls().stream())
                    .toList()) {
                boolean claimed = family.pairs().contains(pair);
                seen.merge(pair.verdict(), 1, Integer::sum);
                Estimate estimate = pair.estimate();
                assertThat(pair.reason().isPresent()).isEqualTo(pair.verdict() == Verdict.INCONCLUSIVE);
                if (!estimate.possible()) {
                    assertThat(pair.reason()).contains(NoVerdictReason.TOO_FEW_BLOCKS);
                    assertThat(pair.low()).isNaN();
                    continue;
                }
                assertThat(Stream.of(pair.low(), pair.high(), pair.halfWidth(), pair.detectable()))
                        .noneMatch(x -> x.isNaN());
                assertThat(pair.ratio()).isBetween(pair.low(), pair.high());
                assertThat(pair.detectable()).isGreaterThan(pair.halfWidth());
                boolean excludesOne = pair.low() > 1 || pair.high() < 1;
                boolean inside = pair.low() > 1 / margin && pair.high() < margin;
                boolean beyond = pair.low() > margin || pair.high() < 1 / margin;
                if (claimed) {
                    assertThat(pair.verdict().namesADifference()).isEqualTo(excludesOne && !inside);
                    assertThat(pair.verdict() == Verdict.EQUIVALENT).isEqualTo(inside);
                    assertThat(pair.verdict() == Verdict.FASTER || pair.verdict() == Verdict.SLOWER)
                            .isEqualTo(beyond);
                } else {
                    assertThat(AaCheck.of(pair) == AaCheck.HELD).isEqualTo(inside);
                    assertThat(AaCheck.of(pair) == AaCheck.BROKEN && !beyond).isFalse();
                }
                if (pair.verdict() == Verdict.FASTER || pair.verdict() == Verdict.SLOWER) {
                    assertThat(pair.aLooksBetter()).isEqualTo(pair.verdict() == Verdict.FASTER);
                }
            }
        });
        assertThat(seen).as("the draws reach every verdict").containsOnlyKeys(Verdict.values());
    }

    private interface Property {
        void check(Random random, MultipleComparison family);
    }

    private static void forAll(Property property) {
        Random random = new Random(1908);
        for (int round = 0; round < ROUNDS; round++) {
            property.check(random, drawn(random));
        }
    }

    private static MultipleComparison drawn(Random random) {
        List<BlockData> comparisons = new ArrayList<>();
        int blocks = 1 + random.nextInt(16);
        double spread = 0.1 * Math.pow(10, -3 * random.nextDouble());
        double holes = random.nextBoolean() ? 0 : 0.5 * random.nextDouble();
        int arms = 2 + random.nextInt(4);
        long pattern = random.nextLong();
        for (Metric metric : List.of(Metric.THROUGHPUT, Metric.P99)) {
            for (String load : List.of("hello 100 users", "static at 500/s")) {
                // All loads lack the same server runs, as after a server has died.
                Random missing = new Random(pattern);
                double[] effects = random.doubles(arms)
                        .map(x -> x < 0.4 ? 0 : 0.2 * (x - 0.7))
                        .toArray();
                BlockData full = Draw.campaign(random, load, metric, effects, spread, blocks, "copy");
                SortedMap<Integer, Map<String, Double>> pierced = new TreeMap<>();
                full.blocks().forEach((block, values) -> {
                    Map<String, Double> row = new TreeMap<>(values);
                    row.keySet().removeIf(arm -> missing.nextDouble() < holes);
                    pierced.put(block, row);
                });
                comparisons.add(with(full, full.arms(), pierced));
            }
        }
        return MultipleComparison.of(comparisons, Settings.DEFAULTS);
    }

    private static MultipleComparison mapped(MultipleComparison family, UnaryOperator<BlockData> change) {
        return MultipleComparison.of(family.comparisons().stream().map(change).toList(), family.settings());
    }

    private static BlockData with(
            BlockData comparison, List<String> arms, SortedMap<Integer, Map<String, Double>> blocks) {
        Optional<String> control = comparison.control();
        return new BlockData(
                comparison.group(),
                comparison.load(),
                comparison.metric(),
                arms,
                comparison.baseline(),
                control,
                blocks,
                Set.of(),
                0);
    }

    private static void alike(MultipleComparison family, MultipleComparison other) {
        assertThat(other.guard()).isEqualTo(family.guard());
        for (int i = 0; i < family.pairs().size(); i++) {
            PairVerdict pair = family.pairs().get(i);
            PairVerdict twin = other.pairs().get(i);
            assertThat(twin.contrast()).isEqualTo(pair.contrast());
            assertThat(twin.verdict()).isEqualTo(pair.verdict());
            same(twin.ratio(), pair.ratio());
            same(twin.low(), pair.low());
            same(twin.high(), pair.high());
            same(twin.detectable(), pair.detectable());
        }
    }

    private static void same(double actual, double expected) {
        if (Double.isNaN(expected)) {
            assertThat(actual).isNaN();
        } else if (Double.isFinite(expected) && expected != 0) {
            assertThat(actual).isCloseTo(expected, CLOSE);
        } else {
            assertThat(actual).isEqualTo(expected);
        }
    }
}
