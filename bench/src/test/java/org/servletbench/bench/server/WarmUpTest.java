package org.servletbench.bench.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.servletbench.bench.model.WarmUpPlan;
import org.servletbench.bench.server.WarmUp.Burst;

class WarmUpTest {

    private static final WarmUpPlan PLAN = plan(Duration.ofSeconds(60), 3);

    private static WarmUpPlan plan(Duration limit, int flatBursts) {
        return new WarmUpPlan(limit, 50, Duration.ofSeconds(1), Duration.ofSeconds(10), 5, flatBursts, 3, 10);
    }

    private static List<Burst> bursts(double... rates) {
        return DoubleStream.of(rates).mapToObj(rate -> burst(rate, 0)).toList();
    }

    private static Burst burst(double rate, double backlog) {
        return new Burst(1, rate, 5, backlog);
    }

    @Test
    void aLimitBelowASecondIsNotNone() {
        assertThat(WarmUp.notSettled(plan(Duration.ofMillis(500), 3))).isEqualTo("not settled within 0.5 s");
        assertThat(WarmUp.notSettled(plan(Duration.ofSeconds(20), 3))).isEqualTo("not settled within 20 s");
    }

    @Test
    void aServerThatStillRisesIsNotWarm() {
        // Measured bursts of Tomcat NIO, in thousands of requests/s.
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
    void aBurstThatLeavesMethodsToCompileIsNoEvidence() {
        WarmUpPlan two = plan(Duration.ofSeconds(60), 2);

        assertThat(WarmUp.isEnough(List.of(burst(10, 260), burst(10, 0), burst(10, 3)), two))
                .isTrue();
        assertThat(WarmUp.isEnough(List.of(burst(10, 260), burst(10, 4), burst(10, 0)), two))
                .isFalse();
        assertThat(WarmUp.isEnough(List.of(burst(10, 0), burst(10, 0), burst(10, 4)), two))
                .isFalse();
    }

    /** On a busy machine, requests may be so rare that methods are queued one by one, and the queue looks empty. */
    @Test
    void aBurstInWhichTheCompilerWorkedIsNoEvidence() {
        WarmUpPlan two = plan(Duration.ofSeconds(60), 2);

        assertThat(WarmUp.isEnough(
                        List.of(new Burst(1, 2457, 49, 13), new Burst(1, 1714, 36, 0), new Burst(1, 962, 40, 1)), two))
                .isFalse();
        assertThat(WarmUp.isEnough(
                        List.of(new Burst(1, 11941, 36, 0), new Burst(1, 9400, 8, 1), new Burst(1, 10261, 1, 0)), two))
                .isTrue();
    }

    @Test
    void whereNobodySeesTheQueueThroughputDecides() {
        assertThat(WarmUp.isEnough(List.of(burst(10, Double.NaN), burst(10, Double.NaN)), plan(Duration.ZERO, 1)))
                .isTrue();
        assertThat(WarmUp.isEnough(List.of(burst(10, Double.NaN), burst(11, Double.NaN)), plan(Duration.ZERO, 1)))
                .isFalse();
    }

    @Test
    void aServerThatAnswersNothingIsNeverWarm() {
        assertThat(WarmUp.isEnough(bursts(0, 0, 0, 0, 0, 0), PLAN)).isFalse();
        assertThat(WarmUp.isEnough(bursts(), PLAN)).isFalse();
    }

    /** A server that answers nothing in its first seconds does not have a throughput of 0. */
    @Test
    void aBurstWithoutAnAnswerHasNoThroughput() {
        assertThat(WarmUp.speed(new WarmUp.Burst(2, 0, Double.NaN, 40), "%.0f requests/s"))
                .isEqualTo("no answer within it yet");
        assertThat(WarmUp.speed(new WarmUp.Burst(2, 1234.4, Double.NaN, 40), "%.0f requests/s"))
                .isEqualTo("1234 requests/s");
    }
}
