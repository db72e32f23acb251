package org.servletbench.bench.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LettersTest {
    @Test
    void nothingDiffers() {
        assertThat(Letters.of(List.of("x", "y", "z"), Set.of())).isEqualTo(Map.of("x", "a", "y", "a", "z", "a"));
    }

    @Test
    void everythingDiffers() {
        assertThat(Letters.of(List.of("x", "y", "z"), Set.of(Set.of("x", "y"), Set.of("y", "z"), Set.of("x", "z"))))
                .isEqualTo(Map.of("x", "a", "y", "b", "z", "c"));
    }

    @Test
    void theMiddleOneBelongsToBoth() {
        assertThat(Letters.of(List.of("x", "y", "z"), Set.of(Set.of("x", "z"))))
                .isEqualTo(Map.of("x", "a", "y", "ab", "z", "b"));
    }

    @Test
    void differencesThatSkipAnArm() {
        // As with unequal spreads: the first is told from the second, but not from the noisy third.
        assertThat(Letters.of(List.of("x", "y", "z"), Set.of(Set.of("x", "y"))))
                .isEqualTo(Map.of("x", "a", "y", "b", "z", "ab"));
    }

    @Test
    void noArms() {
        assertThat(Letters.of(List.of(), Set.of())).isEmpty();
    }

    @Test
    void armsShareALetterIfAndOnlyIfTheyDoNotDiffer() {
        Random random = new Random(2004);
        for (int round = 0; round < 2000; round++) {
            int n = 1 + random.nextInt(8);
            double density = random.nextDouble();
            List<String> arms = IntStream.range(0, n).mapToObj(i -> "arm" + i).toList();
            Set<Set<String>> different = new HashSet<>();
            for (int i = 0; i < n; i++) {
                for (int j = i + 1; j < n; j++) {
                    if (random.nextDouble() < density) {
                        different.add(Set.of(arms.get(i), arms.get(j)));
                    }
                }
            }

            Map<String, String> letters = Letters.of(arms, different);

            assertThat(letters.get("arm0")).startsWith("a");
            Set<Integer> used = new HashSet<>();
            for (int i = 0; i < n; i++) {
                letters.get(arms.get(i)).chars().forEach(used::add);
                for (int j = i + 1; j < n; j++) {
                    boolean shared = share(letters.get(arms.get(i)), letters.get(arms.get(j)));
                    assertThat(shared)
                            .as("%s, different %s, letters %s", List.of(arms.get(i), arms.get(j)), different, letters)
                            .isNotEqualTo(different.contains(Set.of(arms.get(i), arms.get(j))));
                }
            }
            assertThat(used)
                    .as("no letter is skipped")
                    .hasSize(used.stream().max(Integer::compare).orElseThrow() - 'a' + 1);
        }
    }

    /** Whether two arms cannot be told apart. */
    static boolean share(String letters, String others) {
        return letters.chars().anyMatch(letter -> others.indexOf(letter) >= 0);
    }
}
