package org.servletbench.bench.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SloTest {

    @Test
    void readsLimitsOfPercentilesAndOfErrors() {
        Slo slo = Slo.parse("p50<5ms, p99.9 < 2s,errors<0.1%");
        assertThat(slo.limits()).containsExactly(new Slo.Limit(Metric.P50, 5), new Slo.Limit(Metric.P999, 2000));
        assertThat(slo.errors()).isCloseTo(0.001, within(1e-12));
        assertThat(slo.words()).isEqualTo("p50 below 5 ms, p99.9 below 2000 ms, errors below 0.1 %");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ",",
                "p99<50ms",
                "errors<1%",
                "p99<50ms,errors<1%,",
                "p75<50ms,errors<1%",
                "mean<50ms,errors<1%",
                "p99<50,errors<1%",
                "p99<0ms,errors<1%",
                "p99<-5ms,errors<1%",
                "p99<5.5ms,errors<1%",
                "p99<=50ms,errors<1%",
                "p99>50ms,errors<1%",
                "p99<50ms,p99<60ms,errors<1%",
                "p99<50ms,errors<0%",
                "p99<50ms,errors<100%",
                "p99<50ms,errors<NaN",
                "p99<50ms,errors<1%,errors<2%",
                "p99<50ms errors<1%",
                "p99<50ms;errors<1%",
                "P99<50MS,errors<1%",
            })
    void everythingElseIsRejectedInOneLine(String text) {
        assertThatThrownBy(() -> Slo.parse(text))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("search-rate-under " + text)
                .hasMessageContaining("such as")
                .message()
                .doesNotContain("\n");
    }

    /** A single run may have one kind of limit, but a search needs both. */
    @Test
    void aSingleRunMayLimitTimesOrErrorsAlone() {
        Slo times = Slo.parse("--slo", "p95<200ms");
        assertThat(times.limitsErrors()).isFalse();
        assertThat(times.words()).isEqualTo("p95 below 200 ms");
        Slo errors = Slo.parse("--slo", "errors<1%");
        assertThat(errors.limits()).isEmpty();
        assertThat(errors.words()).isEqualTo("errors below 1 %");
        assertThatThrownBy(() -> Slo.parse("-Dslo", "p95<200"))
                .isInstanceOf(UsageException.class)
                .hasMessageStartingWith("-Dslo p95<200: '200' is not a time above 0");
    }

    @Test
    void isMetBelowEveryLimit() {
        Slo slo = Slo.parse("p50<5ms,p99<50ms,errors<1%");
        Map<Metric, Double> good = Map.of(Metric.P50, 4.0, Metric.P99, 49.0);
        assertThat(slo.isMet(good::get, 0.009)).isTrue();
        assertThat(slo.isMet(good::get, 0.01)).isFalse();
        assertThat(slo.isMet(Map.of(Metric.P50, 5.0, Metric.P99, 49.0)::get, 0)).isFalse();
        assertThat(slo.isMet(Map.of(Metric.P50, 4.0, Metric.P99, 50.0)::get, 0)).isFalse();
        assertThat(slo.isMet(metric -> Double.NaN, 0)).isFalse();
    }

    /** 1 % of the arrivals of 10 s may be slow, and those of the last 50 ms need not be answered yet. */
    @Test
    void boundsWhatMayBeUnderWayAndTheRateThatCanBeJudged() {
        Slo slo = Slo.parse("p90<20ms,p99<50ms,errors<1%");
        assertThat(slo.secondsUnderWay(10)).isCloseTo(0.15, within(1e-9));
        assertThat(slo.leastRate(10)).isCloseTo(100, within(1e-9));
        assertThat(Slo.parse("p99.9<20ms,errors<1%").leastRate(10)).isCloseTo(1000, within(1e-9));
    }
}
