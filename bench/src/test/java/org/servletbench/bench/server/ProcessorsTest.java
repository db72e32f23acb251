package org.servletbench.bench.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ProcessorsTest {

    @Test
    void theProbeGetsAProcessorWhereTheGeneratorHasMoreThanOne() {
        Processors two = Processors.divide(List.of(0, 1)).withProbe();
        assertThat(two).isEqualTo(new Processors(List.of(0), List.of(1), List.of(1)));
        Processors three = Processors.divide(List.of(0, 1, 2)).withProbe();
        assertThat(three).isEqualTo(new Processors(List.of(0), List.of(1), List.of(2)));
        assertThat(Processors.divide(List.of(0, 1, 2)))
                .isEqualTo(new Processors(List.of(0), List.of(1, 2), List.of(1, 2)));
    }
}
