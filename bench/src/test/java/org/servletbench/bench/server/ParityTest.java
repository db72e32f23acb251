package org.servletbench.bench.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.servletbench.bench.server.ConnectorProof.ServedAtOnce;

class ParityTest {

    private static Map<String, Map<String, String>> limits(String tomcat, String jetty) {
        Map<String, Map<String, String>> answers = new LinkedHashMap<>();
        answers.put("tomcat-nio+virtual", Map.of(Parity.AT_ONCE, tomcat));
        answers.put("jetty+virtual", Map.of(Parity.AT_ONCE, jetty));
        return answers;
    }

    @ParameterizedTest
    @CsvSource({
        "200, 200, true",
        "200, 197, true",
        "36, 37, true",
        "195, 204, false",
        "35, 200, false",
        "no limit, no limit, true",
        "no limit, 200, false",
        "200, no limit, false"
    })
    void limitsAreTheSameIfTheyDifferByNoMoreThanACountMayDo(String limit, String other, boolean same) {
        assertThat(ServedAtOnce.isLike(limit, other, 2)).isEqualTo(same);
    }

    /** Jetty keeps up to one thread for each processor of its machine in reserve, which need not be the rig's. */
    @Test
    void theServersProcessorsCount() {
        assertThat(ServedAtOnce.isLike("187", "200", 16)).isTrue();
        assertThat(ServedAtOnce.isLike("187", "200", 2)).isFalse();
    }

    @Test
    void serversThatServeOtherNumbersOfRequestsAtOnceAreNotRanked() {
        assertThatCode(() -> Parity.requireSame(limits("200", "200"), 2)).doesNotThrowAnyException();
        assertThatThrownBy(() -> Parity.requireSame(limits(ServedAtOnce.NO_LIMIT, "200"), 2))
                .isInstanceOf(TargetException.class)
                .hasMessage("the servers do not do the same work: the number of requests served at once (with"
                        + " bench.limits=may-differ in the settings set it may differ) is '200' on jetty+virtual and 'no"
                        + " limit' on tomcat-nio+virtual");
    }
}
