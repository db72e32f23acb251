package org.servletbench.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class CellNameTest {
    @Test
    void closedModel() {
        CellName name = CellName.parse("hello 1500 users");
        assertThat(name.workload()).isEqualTo("hello");
        assertThat(name.tier()).hasValue(1500);
        assertThat(name.rate()).isEmpty();
    }

    @Test
    void openModel() {
        CellName name = CellName.parse("static file at 62.5/s");
        assertThat(name.workload()).isEqualTo("static file");
        assertThat(name.rate()).hasValue(62.5);
        assertThat(name.tier()).isEmpty();
    }

    @Test
    void anythingElseIsACellWithoutALoad() {
        for (String text : new String[] {
            "", "hello", "hello 0 users", "hello at 0/s", "hello at x/s", " 5 users", "hello 12345678901 users", "GET /"
        }) {
            assertThat(CellName.parse(text).workload()).isEqualTo(text);
            assertThat(CellName.parse(text).tier()).isEmpty();
            assertThat(CellName.parse(text).rate()).isEmpty();
        }
    }

    @Test
    void tiersSortAsNumbers() {
        assertThat(Stream.of("b 5 users", "a at 9/s", "a 1500 users", "a 200 users", "a")
                        .map(CellName::parse)
                        .sorted()
                        .map(CellName::text))
                .containsExactly("a 200 users", "a 1500 users", "a at 9/s", "a", "b 5 users");
    }
}
