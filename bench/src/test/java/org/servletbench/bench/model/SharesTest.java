package org.servletbench.bench.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class SharesTest {

    @Test
    void aTextIsOneForAllOrOneForEach() {
        assertThat(Shares.parse("3%", 0.5)).isEqualTo(Shares.of(0.03));
        Shares some = Shares.parse("cpu=5%, alloc=0.01", 0.03);
        assertThat(some.of(Metric.CPU)).isEqualTo(0.05);
        assertThat(some.of(Metric.ALLOCATION)).isEqualTo(0.01);
        assertThat(some.of(Metric.P99)).isEqualTo(0.03);
        assertThat(some.words(List.of(Metric.CPU, Metric.ALLOCATION)))
                .isEqualTo("5 % in CPU time per request and 1 % in allocation per request");
        assertThat(some.words(List.of(Metric.P99, Metric.THROUGHPUT))).isEqualTo("3 %");
        for (String wrong : List.of("nothing=5%", "cpu=", "cpu", "cpu=200%", "")) {
            assertThatThrownBy(() -> Shares.parse(wrong, 0.03)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void onRecordItIsANumberOrNumbers() throws IOException {
        for (Shares shares : List.of(Shares.of(0.03), Shares.parse("cpu=5%,alloc=1%", 0.03))) {
            assertThat(Json.MAPPER.readValue(Json.MAPPER.writeValueAsString(shares), Shares.class))
                    .isEqualTo(shares);
        }
        assertThat(Json.MAPPER.writeValueAsString(Shares.of(0.03))).isEqualTo("0.03");
        assertThat(Json.MAPPER.readValue("{\"usual\": 0.03, \"of.tomorrow\": 0.5}", Shares.class))
                .isEqualTo(Shares.of(0.03));
        assertThat(Json.MAPPER.readValue("\"x\"", Shares.class).areWithin(0, 1)).isFalse();
    }

    @Test
    void aWidthIsHeldAgainstItsOwnShare() {
        Shares shares = Shares.parse("cpu=5%,alloc=1%", 0.03);
        assertThat(shares.halfWidth(0.01, Metric.ALLOCATION, Metric.CPU)).isCloseTo(0.05, within(1e-12));
        assertThat(shares.halfWidth(0.05, Metric.CPU, Metric.CPU)).isEqualTo(0.05);
        assertThat(shares.halfWidth(Double.POSITIVE_INFINITY, Metric.ALLOCATION, Metric.CPU))
                .isInfinite();
        assertThat(Shares.of(0).factor(Metric.CPU, Metric.ALLOCATION)).isEqualTo(1);
    }
}
