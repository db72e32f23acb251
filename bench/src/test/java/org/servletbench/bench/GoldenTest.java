package org.servletbench.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;

class GoldenTest {

    private static final ObjectMapper JSON = new ObjectMapper();

    @Test
    void aDifferenceNamesThePathAndBothValues() throws Exception {
        assertThat(Golden.differences(
                        JSON.readTree("{\"a\": [1, 2.5], \"b\": 3, \"same\": \"x\"}"),
                        JSON.readTree("{\"a\": [1, 2.6], \"c\": 4, \"same\": \"x\"}")))
                .containsExactly("/a/001: 2.5 → 2.6", "/b: 3 → not there", "/c: not there → 4");
    }
}
