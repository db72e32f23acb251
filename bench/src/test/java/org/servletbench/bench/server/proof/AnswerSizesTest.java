package org.servletbench.bench.server.proof;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AnswerSizesTest {

    private static String differences(List<Long> one, List<Long> other) {
        return AnswerSizes.differences(List.of(Map.of("list", one), Map.of("list", other)), 0.03);
    }

    private static String differences(long one, long other) {
        return differences(List.of(one, one), List.of(other, other));
    }

    @Test
    void aListThatHasGrownLongerOnOneServer() {
        assertThat(differences(14_001, 12_034)).isEqualTo("list: 12,034 to 14,001 bytes");
        assertThat(differences(0, 400)).isEqualTo("list: 0 to 400 bytes");
        assertThat(differences(List.of(14_001L, 14_003L), List.of(12_036L, 12_034L)))
                .as("with a time in it")
                .isEqualTo("list: 12,034 to 14,001 bytes");
    }

    @Test
    void whatTheMarginAllowsAndWhatIsANumberWithMoreDigits() {
        assertThat(differences(10_300, 10_000)).isEmpty();
        assertThat(differences(20, 22)).isEmpty();
    }

    @Test
    void whatVariesFromAnswerToAnswerSaysNothingOfTheServers() {
        assertThat(differences(List.of(14_001L, 12_034L), List.of(12_034L, 12_034L)))
                .isEmpty();
        assertThat(differences(List.of(14_001L, 13_000L), List.of(12_034L, 11_000L)))
                .isEmpty();
    }

    @Test
    void aServerWithoutARightAnswer() {
        assertThat(differences(List.of(), List.of(400L, 400L))).isEqualTo("list: no right answer from 1 of 2 servers");
        assertThat(differences(List.of(), List.of()))
                .as("it would be an error under load")
                .isEmpty();
    }

    /** nginx serves only some workloads. */
    @Test
    void requestsThatNotAllServersHave() {
        assertThat(AnswerSizes.differences(
                        List.of(
                                Map.of("a", List.of(100L), "b", List.of(1L)),
                                Map.of("a", List.of(200L)),
                                Map.of("a", List.of(90L), "c", List.of(5_000L))),
                        0.03))
                .isEqualTo("a: 90 to 200 bytes");
    }
}
