package org.servletbench.bench.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.servletbench.bench.model.Workload;
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

    /** Answers with these bodies, in turn. */
    private static Map<String, String> learnt(List<Workload> workloads, String... bodies) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        AtomicInteger count = new AtomicInteger();
        server.createContext("/", exchange -> {
            byte[] body = bodies[count.getAndIncrement() % bodies.length].getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        try {
            return Parity.of(
                    URI.create("http://127.0.0.1:" + server.getAddress().getPort()), workloads);
        } finally {
            server.stop(0);
        }
    }

    @Test
    void aLengthThatNobodyGaveIsThatOfTheFirstAnswers() throws IOException {
        List<Workload> unknown = List.of(new Workload("own", "/", 0, Workload.ANY_LENGTH));

        Map<String, String> facts = learnt(unknown, "constant");
        assertThat(facts).containsEntry("own: length", "8").containsKey("own: content-length");
        assertThat(facts.get("own: body")).startsWith("SHA-256");
        assertThat(Parity.learnt(unknown, facts).get(0).accepts(8)).isTrue();
        assertThat(Parity.learnt(unknown, facts).get(0).accepts(9)).isFalse();

        // A time in an answer is no other work; its length is held.
        facts = learnt(unknown, "at 10:01", "at 10:02");
        assertThat(facts).containsEntry("own: length", "8").containsEntry("own: body", "varies from answer to answer");

        facts = learnt(unknown, "one", "three", "one");
        assertThat(facts)
                .containsEntry("own: length", "varies from answer to answer")
                .doesNotContainKey("own: body");
        assertThat(Parity.learnt(unknown, facts).get(0).accepts(4711)).isTrue();
    }

    @Test
    void aLengthThatIsGivenIsNotLearnt() throws IOException {
        List<Workload> known = List.of(new Workload("own", "/", 1, 10));
        assertThat(Parity.learnt(known, learnt(known, "constant"))).isEqualTo(known);
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
