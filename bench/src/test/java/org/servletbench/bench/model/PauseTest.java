package org.servletbench.bench.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PauseTest {

    @ParameterizedTest
    @CsvSource({
        "20ms, CONSTANT, 20, 20, 20",
        "exponential 20ms, EXPONENTIAL, 20, 0, 1000",
        "exponential 1ms, EXPONENTIAL, 1, 0, 50",
        "up to 1s, UNIFORM, 500, 0, 1000",
        "up to 3ms, UNIFORM, 1.5, 0, 3"
    })
    void pausesHaveTheirMeanAlthoughGeneratorsTakeWholeMilliseconds(
            String text, Pause.Kind kind, double meanMs, long shortest, long longest) {
        Pause pause = Pause.parse(text);
        assertThat(pause.kind()).isEqualTo(kind);
        assertThat(pause.text()).isEqualTo(text);
        assertThat(pause.meanMs()).isEqualTo(meanMs);
        Random random = new Random(7);
        long[] drawn =
                LongStream.generate(() -> pause.nextMs(random)).limit(400_000).toArray();
        assertThat(LongStream.of(drawn).average().orElseThrow()).isCloseTo(meanMs, within(0.01 * meanMs));
        assertThat(LongStream.of(drawn).allMatch(one -> one >= shortest && one <= longest))
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource({"20ms, 20 ms", "exponential 20ms, about 20 ms", "up to 1s, up to 1 s"})
    void pausesHaveWords(String text, String words) {
        assertThat(Pause.parse(text).words()).isEqualTo(words);
    }

    @Test
    void pausesOfNoLengthAreNone() {
        assertThat(Pause.parse("0s")).isEqualTo(Pause.NONE);
        assertThat(Pause.parse("exponential 0ms")).isEqualTo(Pause.NONE);
        assertThat(Pause.NONE.isNone()).isTrue();
        assertThat(Pause.parse("1ms").isNone()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "20", "about 20ms", "exponential", "up to 20", "-20ms"})
    void othersAreNone(String text) {
        assertThatThrownBy(() -> Pause.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }
}
