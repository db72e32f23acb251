package org.servletbench.bench.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MachineTest {

    @Test
    void theKernelsChoiceIsInBrackets() {
        assertThat(Machine.chosen("always [madvise] never")).isEqualTo("madvise");
        assertThat(Machine.chosen("always madvise [never]")).isEqualTo("never");
        assertThat(Machine.facts().get("huge.pages")).isIn("always", "madvise", "never", "not known");
    }
}
