package org.servletbench.bench.generator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class GeneratorWarmUpTest {

    private final AtomicLong nanos = new AtomicLong(5);
    private final List<String> said = new ArrayList<>();

    /** Runs bursts of 1 s with these numbers of answers, for at most 10 s. Two bursts must be flat. */
    private List<Integer> bursts(int servers, int... answers) {
        GeneratorWarmUp warmUp =
                new GeneratorWarmUp(new Schedule.WarmUp(10_000, 5, 1000, 10, 2), servers, nanos::get, said::add);
        List<Integer> at = new ArrayList<>();
        warmUp.isRunning();
        for (int burst = 0; burst < answers.length; burst++) {
            at.add(warmUp.server());
            for (int i = 0; i < answers[burst]; i++) {
                warmUp.answered();
            }
            nanos.addAndGet(999_000_000);
            assertThat(warmUp.isRunning()).as("within burst " + burst).isTrue();
            nanos.addAndGet(1_000_000);
            if (!warmUp.isRunning()) {
                break;
            }
        }
        return at;
    }

    @Test
    void itEndsWhenTwoBurstsAreNoFasterThanTheBestByMoreThanTenPercent() {
        assertThat(bursts(2, 100, 200, 300, 330, 320, 999)).containsExactly(0, 1, 0, 1, 0);
        assertThat(said)
                .hasSize(5)
                .first()
                .isEqualTo("servlet-bench: generator warm-up burst 1: 100 requests/s")
                .asString()
                .startsWith(Schedule.FIRST_BURST);
    }

    @Test
    void itEndsWithItsTimeThoughItStillRises() {
        assertThat(bursts(3, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048)).hasSize(10);
    }
}
