package org.servletbench.bench.generator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.servletbench.bench.model.RequestSpec;

/** Tests a POST that Jetty received more often than Undertow. */
class RowSeriesTest {

    private final RowSeries series = new RowSeries();

    private static Schedule.Endpoint endpoint(String server, long from, long since) {
        return new Schedule.Endpoint(
                server,
                "http://" + server,
                "/owners",
                0,
                99,
                new RequestSpec("POST", Map.of(), "", 201),
                List.of(),
                new Schedule.Endpoint.Rows("create", from, since, 1));
    }

    /** This server is then sent the missing passes. */
    @Test
    void theServerWithFewerPassesIsBehind() {
        Schedule.Endpoint jetty = endpoint("jetty", 60, 0);
        Schedule.Endpoint undertow = endpoint("undertow", 50, 0);
        series.of(jetty);
        LongSupplier passes = series.of(undertow);
        assertThat(series.isBehind(jetty)).isFalse();
        int sent = 0;
        while (series.isBehind(undertow)) {
            assertThat(passes.getAsLong()).isEqualTo(50 + sent++);
        }
        assertThat(sent).isEqualTo(10);
    }

    /** Both servers are empty after the reset. Row numbers continue, and neither server is behind. */
    @Test
    void afterAResetOnlyPassesSinceThenCount() {
        Schedule.Endpoint jetty = endpoint("jetty", 60, 60);
        Schedule.Endpoint undertow = endpoint("undertow", 50, 50);
        LongSupplier ofJetty = series.of(jetty);
        LongSupplier ofUndertow = series.of(undertow);
        assertThat(series.isBehind(undertow)).isFalse();
        ofUndertow.getAsLong();
        assertThat(series.isBehind(jetty)).isTrue();
        assertThat(ofJetty.getAsLong()).isEqualTo(60);
        assertThat(series.isBehind(jetty)).isFalse();

        List<String> said = new ArrayList<>();
        series.tell(said::add);
        assertThat(said)
                .containsExactly(
                        Schedule.NEXT_ROW + "http://jetty 61 create", Schedule.NEXT_ROW + "http://undertow 51 create");
    }
}
