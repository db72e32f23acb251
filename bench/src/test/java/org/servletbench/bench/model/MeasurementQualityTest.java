package org.servletbench.bench.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.servletbench.bench.report.Template;

class MeasurementQualityTest {

    @Test
    void everyGeneratorSaysWhatItsFiguresAreWorth() {
        for (String name : List.of("gatling", "jmeter", "wrk", "ab", "siege")) {
            MeasurementQuality fidelity = MeasurementQuality.of(name).orElseThrow();
            assertThat(Template.html("limits", name).strip()).as(name).endsWith(".");
            assertThat(fidelity.latencyMeasured()).as(name).isEqualTo(!name.equals("wrk"));
        }
        assertThat(MeasurementQuality.of("gatling").orElseThrow().resolutionMs())
                .isEqualTo(1);
        assertThat(MeasurementQuality.of("jmeter").orElseThrow().resolutionMs()).isEqualTo(1);
        assertThat(MeasurementQuality.of("siege").orElseThrow().resolutionMs()).isEqualTo(10);
        assertThat(MeasurementQuality.of("wrk2")).isEmpty();
    }
}
