package org.servletbench.bench.server.os;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ProcessorsTest {

    @Test
    void anOddProcessorIsTheGenerators() {
        assertThat(Processors.divide(List.of(0, 1), List::of)).isEqualTo(new Processors(List.of(0), List.of(1)));
        assertThat(Processors.divide(List.of(0, 1, 2), List::of)).isEqualTo(new Processors(List.of(0), List.of(1, 2)));
    }

    /** The two threads of a core are often numbered 0 and 4, or 1 and 5. */
    @Test
    void threadsOfACoreAreNotDivided() {
        Processors eight = Processors.divide(List.of(0, 1, 2, 3, 4, 5, 6, 7), one -> List.of(one % 4, one % 4 + 4));
        assertThat(eight.server()).containsExactly(0, 1, 4, 5);
        assertThat(eight.generator()).containsExactly(2, 3, 6, 7);
        Processors one = Processors.divide(List.of(0, 1), any -> List.of(0, 1));
        assertThat(one.server()).containsExactly(0);
        assertThat(one.generator()).containsExactly(1);
    }
}
