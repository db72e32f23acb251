package org.servletbench.bench.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.servletbench.bench.model.Extract;
import org.servletbench.bench.model.RequestSpec;
import org.servletbench.bench.model.Times;
import org.servletbench.bench.model.Workload;

class VisitorTest {
    private final List<String> seen = new ArrayList<>();
    private HttpServer server;
    private URI url;
    private int logins;
    private String page = "{\"token\": \"t-%d\"}";

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
        url = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        String cookie = exchange.getRequestHeaders().getFirst("Cookie");
        seen.add(exchange.getRequestURI() + " " + body + " " + cookie + " "
                + exchange.getRequestHeaders().getFirst("X-Token"));
        byte[] answer = "ok".getBytes(StandardCharsets.UTF_8);
        if (exchange.getRequestURI().getPath().equals("/login")) {
            answer = page.formatted(++logins).getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Set-Cookie", "SESSION=s-" + logins + "; Max-Age=3600; Path=/; HttpOnly");
            exchange.getResponseHeaders().add("Set-Cookie", "elsewhere=1; Domain=example.com");
            exchange.getResponseHeaders().add("Set-Cookie", "narrow=1; Path=/other");
        }
        exchange.sendResponseHeaders(200, answer.length);
        exchange.getResponseBody().write(answer);
        exchange.close();
    }

    private static Workload request(String label, String path, RequestSpec sending) {
        return new Workload("shop / " + label, path, 0, Workload.ANY_LENGTH).sending(sending);
    }

    private static Workload journey() {
        RequestSpec login = new RequestSpec(
                "POST",
                Map.of(),
                "",
                200,
                List.of(),
                List.of(),
                List.of(),
                List.of(Extract.parse("token", "json(\"$.token\")")),
                Times.ONCE);
        RequestSpec add = new RequestSpec(
                "POST",
                Map.of("X-Token", "${token}"),
                "n=${sequence}",
                200,
                List.of(),
                List.of(),
                List.of("sequence", "token"),
                List.of(),
                null);
        return Workload.list(
                "shop",
                List.of(
                        request("login", "/login", login),
                        request("add", "/add?n=${sequence}", add),
                        request("show", "/show", RequestSpec.GET)));
    }

    private List<Visitor.Answered> ask(Visitor visitor, int times) throws IOException {
        List<Visitor.Answered> answers = new ArrayList<>();
        try (HttpWire.Connection connection = HttpWire.connect(url, 5000)) {
            for (int i = 0; i < times; i++) {
                answers.add(visitor.ask(connection));
            }
        }
        return answers;
    }

    @Test
    void keepsItsSessionAndNumbersItsPasses() throws IOException {
        AtomicLong passes = new AtomicLong(7);
        Visitor one = new Visitor(url, journey(), passes);
        Visitor two = new Visitor(url, journey(), passes);

        List<Visitor.Answered> first = ask(one, 3);
        ask(two, 3);
        ask(one, 2);

        assertThat(seen)
                .containsExactly(
                        "/login  null null",
                        "/add?n=7 n=7 SESSION=s-1 t-1",
                        "/show  SESSION=s-1 null",
                        "/login  null null",
                        "/add?n=8 n=8 SESSION=s-2 t-2",
                        "/show  SESSION=s-2 null",
                        "/add?n=9 n=9 SESSION=s-1 t-1",
                        "/show  SESSION=s-1 null");
        assertThat(first).extracting(Visitor.Answered::endsPass).containsExactly(false, false, true);
        assertThat(first).allMatch(Visitor.Answered::isRight);
    }

    /** At a fixed rate no user returns. */
    @Test
    void whereUsersAreNewEachPassIsAnotherOnesLogin() throws IOException {
        ask(new Visitor(url, journey().ofNewUsers(), new AtomicLong(7)), 5);

        assertThat(seen)
                .containsExactly(
                        "/login  null null",
                        "/add?n=7 n=7 SESSION=s-1 t-1",
                        "/show  SESSION=s-1 null",
                        "/login  null null",
                        "/add?n=8 n=8 SESSION=s-2 t-2");
    }

    @Test
    void saysWhatIsMissingInAnAnswerAndLogsInAgain() throws IOException {
        page = "<html>  sorry\u0007 %d" + "x".repeat(300);
        Visitor visitor = new Visitor(url, journey(), new AtomicLong());

        Visitor.Answered login = ask(visitor, 1).get(0);

        assertThat(login.isRight()).isFalse();
        assertThat(login.missing().orElseThrow())
                .startsWith("no token ($.token) in the answer: <html> sorry 1xxx")
                .endsWith("x…")
                .hasSize("no token ($.token) in the answer: ".length() + 201);
        ask(visitor, 3);
        assertThat(logins).isEqualTo(2);
    }

    /** A login in each burst would take time in which the measured code is not warmed up. */
    @Test
    void usersOfTheWarmUpKeepTheirSessionsFromBurstToBurst() throws IOException {
        LoadClient client = new LoadClient(url, List.of(journey()), 2, new RowCounters());
        for (int burst = 0; burst < 3; burst++) {
            client.burst(Duration.ofMillis(100));
        }
        assertThat(logins).isEqualTo(2);
        assertThat(seen).as("a pass of each in each burst").hasSizeGreaterThan(2 + 3 * 2);
    }
}
