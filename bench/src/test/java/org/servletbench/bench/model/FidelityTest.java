package org.servletbench.bench.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.servletbench.bench.report.Template;

class FidelityTest {

    @Test
    void everyGeneratorSaysWhatItsFiguresAreWorth() {
        for (String name : List.of("gatling", "jmeter", "wrk", "ab", "siege")) {
            Fidelity fidelity = Fidelity.of(name).orElseThrow();
            assertThat(Template.html("limits", name).strip()).as(name).endsWith(".");
            assertThat(fidelity.latencyMeasured()).as(name).isEqualTo(!name.equals("wrk"));
        }
        assertThat(Fidelity.of("gatling").orElseThrow().resolutionMs()).isEqualTo(1);
        assertThat(Fidelity.of("jmeter").orElseThrow().resolutionMs()).isEqualTo(1);
        assertThat(Fidelity.of("siege").orElseThrow().resolutionMs()).isEqualTo(10);
        assertThat(Fidelity.of("wrk2")).isEmpty();
    }
}
