package org.servletbench.bench.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.servletbench.bench.model.WarmUpPlan;
import org.servletbench.bench.server.WarmUp.Burst;

class WarmUpTest {

    private static final WarmUpPlan PLAN =
            new WarmUpPlan(Duration.ofSeconds(60), 50, Duration.ofSeconds(3), Duration.ofSeconds(2), 5, 3, 20);

    private static List<Burst> bursts(double... rates) {
        return DoubleStream.of(rates).mapToObj(rate -> new Burst(rate, 5)).toList();
    }

    @Test
    void aLimitBelowASecondIsNotNone() {
        assertThat(WarmUp.notSettled(limit(500))).isEqualTo("not settled within 0.5 s");
        assertThat(WarmUp.notSettled(limit(20_000))).isEqualTo("not settled within 20 s");
    }

    private static WarmUpPlan limit(long millis) {
        return new WarmUpPlan(Duration.ofMillis(millis), 6, Duration.ofSeconds(2), Duration.ofSeconds(1), 5, 3, 20);
    }

    @Test
    void aServerThatStillRisesIsNotWarm() {
        // The bursts of Tomcat NIO as noise.md measured them, in thousands of requests/s.
        assertThat(WarmUp.isEnough(bursts(2.1, 5.5, 11.5, 15.4, 27.4), PLAN)).isFalse();
        assertThat(WarmUp.isEnough(bursts(2.1, 5.5, 11.5, 15.4, 27.4, 26.9), PLAN))
                .isFalse();
        assertThat(WarmUp.isEnough(bursts(2.1, 5.5, 11.5, 15.4, 27.4, 26.9, 27.3), PLAN))
                .isFalse();
        assertThat(WarmUp.isEnough(bursts(2.1, 5.5, 11.5, 15.4, 27.4, 26.9, 27.3, 28.0), PLAN))
                .isTrue();
    }

    @Test
    void aLateRiseStartsTheCountAgain() {
        assertThat(WarmUp.isEnough(bursts(10, 10, 10, 12), PLAN)).isFalse();
        assertThat(WarmUp.isEnough(bursts(10, 10, 10, 12, 12, 12), PLAN)).isFalse();
        assertThat(WarmUp.isEnough(bursts(10, 10, 10, 12, 12, 12, 12), PLAN)).isTrue();
    }

    @Test
    void slowRisesThatAddUpAreRises() {
        assertThat(WarmUp.isEnough(bursts(10, 10.4, 10.8, 11.2), PLAN)).isFalse();
    }

    @Test
    void aBusyCompilerIsNotQuiet() {
        List<Burst> busy = List.of(new Burst(10, 90), new Burst(10, 60), new Burst(10, 40), new Burst(10, 30));
        List<Burst> quiet = List.of(new Burst(10, 90), new Burst(10, 60), new Burst(10, 40), new Burst(10, 10));
        List<Burst> unknown = bursts(10, 10, 10).stream()
                .map(burst -> new Burst(burst.requestsPerSecond(), Double.NaN))
                .toList();

        assertThat(WarmUp.isEnough(busy, PLAN)).isFalse();
        assertThat(WarmUp.isEnough(quiet, PLAN)).isTrue();
        assertThat(WarmUp.isEnough(unknown, PLAN)).isFalse();
    }

    @Test
    void beforeACellTheCompilerIsQuietInAllOfTheLastBursts() {
        WarmUpPlan cell = PLAN.ofCell();
        List<Burst> once = List.of(new Burst(10, 9), new Burst(10, 9), new Burst(10, 9), new Burst(10, 0));
        List<Burst> long_ = List.of(new Burst(10, 9), new Burst(10, 2), new Burst(10, 5), new Burst(10, 0));

        assertThat(WarmUp.isEnough(once, cell)).isTrue();
        assertThat(WarmUp.isWarm(once, cell)).isFalse();
        assertThat(WarmUp.isWarm(long_, cell)).isTrue();
        assertThat(WarmUp.isWarm(bursts(10, 20, 20, 20).subList(0, 3), cell)).isFalse();
    }

    @Test
    void aCellHasAFifthOfTheTimeAndShortBursts() {
        WarmUpPlan cell = PLAN.ofCell();

        assertThat(cell.limit()).isEqualTo(Duration.ofSeconds(12));
        assertThat(cell.burst()).isEqualTo(Duration.ofSeconds(1));
        assertThat(cell.jitPercent()).isEqualTo(3);
        assertThat(new WarmUpPlan(Duration.ZERO, 6, Duration.ofSeconds(2), Duration.ZERO, 5, 3, 2).ofCell())
                .isEqualTo(new WarmUpPlan(Duration.ZERO, 6, Duration.ofSeconds(1), Duration.ZERO, 5, 3, 2));
    }

    @Test
    void aServerThatAnswersNothingIsNeverWarm() {
        assertThat(WarmUp.isEnough(bursts(0, 0, 0, 0, 0, 0), PLAN)).isFalse();
        assertThat(WarmUp.isEnough(bursts(), PLAN)).isFalse();
    }
}
