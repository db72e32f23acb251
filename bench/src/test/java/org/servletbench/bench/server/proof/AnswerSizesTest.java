package org.servletbench.bench.server.proof;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AnswerSizesTest {

    private static String differences(long one, long other) {
        return AnswerSizes.differences(List.of(Map.of("list", one), Map.of("list", other)), 0.03);
    }

    @Test
    void aListThatHasGrownLongerOnOneServer() {
        assertThat(differences(14_001, 12_034)).isEqualTo("list: 12,034 to 14,001 bytes");
        assertThat(differences(0, 400)).isEqualTo("list: 0 to 400 bytes");
    }

    @Test
    void whatTheMarginAllowsAndWhatIsANumberWithMoreDigits() {
        assertThat(differences(10_300, 10_000)).isEmpty();
        assertThat(differences(20, 22)).isEmpty();
    }

    /** nginx serves some workloads only. */
    @Test
    void requestsThatNotAllServersHave() {
        assertThat(AnswerSizes.differences(
                        List.of(Map.of("a", 100L, "b", 1L), Map.of("a", 200L), Map.of("a", 90L, "c", 5_000L)), 0.03))
                .isEqualTo("a: 90 to 200 bytes");
    }
}
