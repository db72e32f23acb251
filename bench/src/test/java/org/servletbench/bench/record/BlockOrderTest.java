package org.servletbench.bench.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.servletbench.bench.comparison.ArmSpec;
import org.servletbench.bench.model.Threads;

class BlockOrderTest {

    static Arm arm(String id, String group) {
        return new Arm(
                new Arm.Identity(id, id, group, Arm.Role.ARM),
                new Arm.Stack(id, group, "tomcat", "nio"),
                new Arm.Build("", "", "", ""),
                Threads.PLATFORM,
                WarmStart.NONE,
                ArmSpec.USUAL);
    }

    private static List<Arm> arms(Random random) {
        int groups = 1 + random.nextInt(3);
        List<Arm> arms = new ArrayList<>();
        for (int group = 0; group < groups; group++) {
            int number = 1 + random.nextInt(6);
            for (int i = 0; i < number; i++) {
                arms.add(arm("g" + group + "a" + i, "g" + group));
            }
        }
        return arms;
    }

    @Test
    void everyBlockHoldsEachArmOnce() {
        Random random = new Random(1);
        for (int i = 0; i < 500; i++) {
            List<Arm> arms = arms(random);
            List<String> order = BlockOrder.of(arms, random.nextLong(), 1 + random.nextInt(50));
            assertThat(order)
                    .containsExactlyInAnyOrderElementsOf(
                            arms.stream().map(Arm::id).toList());
        }
    }

    @Test
    void theSameSeedGivesTheSameOrderAndAnotherOneAnother() {
        List<Arm> arms = IntStream.range(0, 6).mapToObj(i -> arm("a" + i, "g")).toList();
        List<List<String>> first =
                IntStream.range(1, 20).mapToObj(b -> BlockOrder.of(arms, 7, b)).toList();
        assertThat(IntStream.range(1, 20).mapToObj(b -> BlockOrder.of(arms, 7, b)))
                .containsExactlyElementsOf(first);
        assertThat(IntStream.range(1, 20)
                        .mapToObj(b -> BlockOrder.of(arms, 8, b))
                        .toList())
                .isNotEqualTo(first);
        assertThat(first.stream().distinct()).hasSizeGreaterThan(15);
    }

    @Test
    void armsOfAGroupStandTogether() {
        Random random = new Random(2);
        for (int i = 0; i < 200; i++) {
            List<Arm> arms = arms(random);
            List<String> groups = BlockOrder.of(arms, i, 1).stream()
                    .map(id -> id.substring(0, 2))
                    .toList();
            long changes = IntStream.range(1, groups.size())
                    .filter(k -> !groups.get(k).equals(groups.get(k - 1)))
                    .count();
            assertThat(changes).isEqualTo(groups.stream().distinct().count() - 1);
        }
    }

    /** Every arm is in every position about equally often: six positions, 6,000 blocks, five standard deviations. */
    @Test
    void noArmIsFavoured() {
        List<Arm> arms = IntStream.range(0, 6).mapToObj(i -> arm("a" + i, "g")).toList();
        Map<String, Integer> counts = new HashMap<>();
        for (int block = 1; block <= 6000; block++) {
            List<String> order = BlockOrder.of(arms, 20261121, block);
            for (int position = 0; position < 6; position++) {
                counts.merge(order.get(position) + " at " + position, 1, Integer::sum);
            }
        }
        assertThat(counts).hasSize(36);
        assertThat(counts.values()).allSatisfy(count -> assertThat(count).isBetween(1000 - 145, 1000 + 145));
    }
}
