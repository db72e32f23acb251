package org.servletbench.bench.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.servletbench.bench.model.Procedure;
import org.servletbench.bench.model.Procedure.Division;
import org.servletbench.bench.model.Time;
import org.servletbench.bench.model.UsageException;

class ProcedureTest {

    @Test
    void theProfilesSayWhatNobodyGave() {
        Procedure usual = PlannerTest.procedure(Map.of());
        assertThat(usual.settling()).hasSeconds(2);
        assertThat(usual.hasHold()).isFalse();
        assertThat(usual.profile()).isEmpty();
        assertThat(usual.search()).isEmpty();
        assertThat(usual.start().timeout()).hasSeconds(60);
        assertThat(usual.limits().generatorBusy()).isEqualTo(0.9);
        assertThat(usual.assumed().within().get(Division.TOOL_SLICES)).isEqualTo(new Procedure.Assumed.Within(0.04, 5));
        assertThat(usual.archives().given()).isEmpty();
    }

    @Test
    void whatSomebodyGaveCounts() {
        Procedure given = PlannerTest.procedure(Map.of(
                "hold",
                "9s",
                "cpu-profile",
                "true",
                "start-timeout",
                "3m",
                "slo",
                "p99<50ms,errors<1%",
                "aot-caches",
                "5"));
        assertThat(given.hasHold()).isTrue();
        assertThat(given.profile()).contains(Duration.ofSeconds(5));
        assertThat(given.start().timeout()).hasMinutes(3);
        assertThat(given.requiredSearch().objective().words()).isEqualTo("p99 below 50 ms, errors below 1 %");
        assertThat(given.requiredSearch().users()).isEqualTo(3000);
        assertThat(given.archives().given()).containsExactly("aot-caches");
    }

    @Test
    void aValueThatIsWrongIsRejectedInOneLine() {
        assertThatThrownBy(() -> PlannerTest.procedure(Map.of("aot-caches", "0")))
                .isInstanceOf(UsageException.class)
                .hasMessage("aot-caches=0 is not understood: give a whole number from 1 to 100");
    }

    @Test
    void aTimeIsShownInItsLargestUnit() {
        assertThat(Time.of(Duration.ofMinutes(15))).hasToString("15m");
        assertThat(Time.of(Duration.ofSeconds(90))).hasToString("90s");
        assertThat(Time.of(Duration.ofMillis(1500))).hasToString("1500ms");
        assertThat(Time.of(Duration.ofHours(4))).hasToString("4h");
        assertThat(Time.of(Duration.ZERO)).hasToString("0s");
    }
}
