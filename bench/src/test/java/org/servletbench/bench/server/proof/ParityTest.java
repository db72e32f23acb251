package org.servletbench.bench.server.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ObjIntConsumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.servletbench.bench.model.Extract;
import org.servletbench.bench.model.RequestSpec;
import org.servletbench.bench.model.ServedAtOnce;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.model.Times;
import org.servletbench.bench.model.Workload;
import org.servletbench.bench.server.http.LoadClient;
import org.servletbench.bench.server.http.RowCounters;

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

    /** These requests change the server, so no more are sent than necessary. */
    @Test
    void ofAnswersToAChangeNeitherLengthNorBodyIsHeld() throws IOException {
        AtomicInteger count = new AtomicInteger();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            boolean right = exchange.getRequestMethod().equals("POST")
                    && exchange.getRequestHeaders().getFirst("X-Test").equals("yes")
                    && new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8).equals("Zoë");
            byte[] body = "x".repeat(count.incrementAndGet()).getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Location", "/" + body.length);
            exchange.getResponseHeaders().add("X-Kind", "owner");
            exchange.sendResponseHeaders(right ? 201 : 400, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        URI url = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
        Workload create = new Workload("create", "/", 0, Workload.ANY_LENGTH)
                .sending(new RequestSpec("POST", Map.of("x-test", "yes"), "Zoë", 201));
        try {
            Map<String, String> facts = Parity.of(url, List.of(create));

            assertThat(facts).isEqualTo(Map.of("create: keep-alive", "yes", "create: x-kind", "owner"));
            assertThat(Parity.learnt(List.of(create), facts)).containsExactly(create);
            assertThat(count).hasValue(3);
            Workload list = new Workload("list", "/?list", 0, Workload.ANY_LENGTH)
                    .sending(new RequestSpec("GET", Map.of("x-test", "yes"), "", 400));
            assertThat(Parity.of(url, List.of(list, create)))
                    .as("what lists them becomes longer")
                    .doesNotContainKeys("list: length", "list: body", "list: content-length")
                    .containsEntry("list: x-kind", "owner");
            Workload wrong = create.sending(new RequestSpec("POST", Map.of("x-test", "yes"), "Zoë", 200));
            assertThatThrownBy(() -> Parity.of(url, List.of(wrong)))
                    .hasMessageStartingWith("workload create: POST / answered 201 and not 200 (to /")
                    .hasMessageContaining(", body: xxx");
        } finally {
            server.stop(0);
        }
    }

    /** The next block would have the same result, and another minute would show nothing new. */
    @ParameterizedTest
    @CsvSource({
        "302, WORK, 'answered 302 and not 200 (to /login, body: no entry): what is behind a login needs headers, such as Authorization or Cookie, or a list of requests that logs in (docs/login.md); if this answer is to be measured, give expect: {status: 302}'",
        "403, WORK, 'answered 403 and not 200 (to /login, body: no entry): what is behind a login needs headers, such as Authorization or Cookie, or a list of requests that logs in (docs/login.md); if this answer is to be measured, give expect: {status: 403}'",
        "404, WORK, 'answered 404 and not 200 (to /login, body: no entry): give another url, or expect: {status: 404}'",
        "202, WORK, 'answered 202 and not 200 (to /login, body: no entry): give expect: {status: 202}'",
        "503, WORK, 'answered 503 and not 200 (to /login, body: no entry): give another url, or expect: {status: 503}'",
        "500, WORK, 'answered 500 and not 200 (to /login, body: no entry); asked again it answered the same'"
    })
    void aFirstAnswerThatIsNotTheExpectedOneIsJudgedAtOnce(int status, TargetException.Refusal refusal, String said)
            throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        AtomicInteger asked = new AtomicInteger();
        server.createContext("/", exchange -> {
            boolean late = exchange.getRequestURI().getPath().equals("/late");
            int answer = late && asked.incrementAndGet() > 1 ? 200 : status;
            exchange.getResponseHeaders().add("Location", "/login");
            exchange.sendResponseHeaders(answer, 10);
            exchange.getResponseBody().write("no\r\n entry".getBytes(StandardCharsets.UTF_8), 0, 10);
            exchange.close();
        });
        server.start();
        URI url = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
        try {
            assertThatThrownBy(() -> Parity.of(url, List.of(new Workload("me", "/users/me", 0, Workload.ANY_LENGTH))))
                    .isInstanceOfSatisfying(
                            TargetException.class, e -> assertThat(e.refusal()).isEqualTo(Optional.ofNullable(refusal)))
                    .hasMessage("workload me: GET /users/me " + said);
            assertThatCode(() -> Parity.of(url, List.of(new Workload("late", "/late", 0, Workload.ANY_LENGTH))))
                    .as("a server that has just begun")
                    .doesNotThrowAnyException();
        } finally {
            server.stop(0);
        }
    }

    /** The next block may have a different result. */
    @Test
    void aFaultThatIsNotRepeatedIsNotFinal() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        AtomicInteger asked = new AtomicInteger();
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(asked.incrementAndGet() == 1 ? 502 : 500, -1);
            exchange.close();
        });
        server.start();
        URI url = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
        try {
            assertThatThrownBy(() -> Parity.of(url, List.of(new Workload("me", "/me", 0, Workload.ANY_LENGTH))))
                    .isInstanceOfSatisfying(
                            TargetException.class, e -> assertThat(e.refusal()).isEmpty())
                    .hasMessageContaining("answered 500 and not 200");
        } finally {
            server.stop(0);
        }
    }

    /** With virtual threads, a limit that is ignored looks like one that was never set. */
    @ParameterizedTest
    @CsvSource({"no limit, 200, true", "35, 200, false"})
    void whereALimitDiffersByVirtualThreadsTheyAreNamed(String limit, String other, boolean named) {
        assertThatThrownBy(() -> Parity.requireSame(limits(limit, other), 2))
                .isInstanceOfSatisfying(TargetException.class, e -> assertThat(
                                e.getMessage().contains("whatever server.jetty.threads.max is"))
                        .isEqualTo(named));
    }

    /** The created item is read and then deleted. Any other order would fail. */
    @Test
    void theRequestsOfAListAreSentInTheirOrder() throws IOException {
        List<String> sent = new CopyOnWriteArrayList<>();
        AtomicBoolean there = new AtomicBoolean();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/cart", exchange -> {
            String method = exchange.getRequestMethod();
            sent.add(method);
            int status = method.equals("POST")
                    ? there.compareAndSet(false, true) ? 201 : 409
                    : !there.get() ? 404 : method.equals("DELETE") ? 204 : 200;
            there.compareAndSet(true, !method.equals("DELETE"));
            exchange.getResponseHeaders().add("X-Kind", method);
            exchange.sendResponseHeaders(status, -1);
            exchange.close();
        });
        server.start();
        URI url = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
        Workload list =
                list(request("fill", "POST", 201), request("show", "GET", 200), request("clear", "DELETE", 204));
        try {
            assertThat(Parity.of(url, List.of(list)))
                    .isEqualTo(Map.of(
                            "cart / fill: keep-alive", "yes",
                            "cart / fill: x-kind", "post",
                            "cart / show: keep-alive", "yes",
                            "cart / show: x-kind", "get",
                            "cart / clear: keep-alive", "yes",
                            "cart / clear: x-kind", "delete"));
            assertThat(sent).containsExactly("POST", "GET", "GET", "DELETE", "POST", "GET", "DELETE");
            sent.clear();
            Parity.send(url, list);
            assertThat(sent).containsExactly("POST", "GET", "DELETE");
            sent.clear();
            new LoadClient(url, List.of(list), 1, new RowCounters()).burst(Duration.ofSeconds(1));
            assertThat(sent.subList(0, 3)).containsExactly("POST", "GET", "DELETE");
            there.set(false);
            assertThatThrownBy(() -> Parity.of(url, List.of(list(request("show", "GET", 200)))))
                    .hasMessageStartingWith("workload cart / show: GET /cart answered 404 and not 200 (");
        } finally {
            server.stop(0);
        }
    }

    /** Sent as by users who log in one after another, but without requests that need the answer to a change. */
    @Test
    void sizesAreThoseOfRequestsThatChangeNothing() throws IOException {
        List<String> sent = new CopyOnWriteArrayList<>();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            sent.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
            exchange.getResponseHeaders().add("X-Token", "t-1");
            boolean gone = exchange.getRequestURI().getPath().equals("/gone");
            exchange.sendResponseHeaders(gone ? 404 : 200, 100 + sent.size());
            exchange.getResponseBody().write(new byte[100 + sent.size()]);
            exchange.close();
        });
        server.start();
        URI url = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
        List<Workload> workloads = List.of(
                list(
                        session("login", "POST", "/login", List.of(), "token", Times.ONCE),
                        session("sign", "POST", "/sign", List.of("token"), "id", Times.EACH_PASS),
                        session("list", "GET", "/list?${token}-${sequence}", List.of("token", "sequence"), "", null),
                        session("mine", "GET", "/mine?${id}", List.of("id"), "", null)),
                new Workload("gone", "/gone", 0, Workload.ANY_LENGTH),
                request("create", "POST", 200));
        Map<String, List<Long>> sizes;
        try {
            sizes = Parity.sizes(url, workloads, Map.of("cart", 16L));
        } finally {
            server.stop(0);
        }
        int times = sizes.get("cart / list").size();
        assertThat(times).isBetween(2, 5);
        assertThat(sizes).containsOnlyKeys("cart / list", "gone");
        assertThat(sizes.get("gone")).as("no right answer").isEmpty();
        assertThat(sizes.get("cart / list")).startsWith(102L, 104L);
        assertThat(sent.subList(0, 2 * times))
                .startsWith("POST /login", "GET /list?t-1-16")
                .containsOnly("POST /login", "GET /list?t-1-16");
        assertThat(sent.subList(2 * times, sent.size())).hasSizeGreaterThan(1).containsOnly("GET /gone");
    }

    private static Workload session(
            String label, String method, String path, List<String> uses, String brings, Times times) {
        return new Workload("cart / " + label, path, 0, Workload.ANY_LENGTH)
                .sending(new RequestSpec(
                        method,
                        Map.of(),
                        "",
                        200,
                        List.of(),
                        List.of(),
                        uses,
                        brings.isEmpty() ? List.of() : List.of(Extract.parse(brings, "header(\"X-Token\")")),
                        times));
    }

    /** A form login answers 302 for right and wrong passwords, so the request after it fails. */
    @Test
    void whereAPageOfALoginIsNotThereItIsToldWhereTheLoginLed() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            boolean login = exchange.getRequestMethod().equals("POST");
            String own = "http://" + exchange.getRequestHeaders().getFirst("Host");
            exchange.getResponseHeaders().add("Location", own + (login ? "/login?error" : "/login"));
            exchange.sendResponseHeaders(302, -1);
            exchange.close();
        });
        server.start();
        RequestSpec login =
                new RequestSpec("POST", Map.of(), "", 302, List.of(), List.of(), List.of(), List.of(), Times.ONCE);
        Workload list = list(request("login", "POST", 302).sending(login), request("me", "GET", 200));
        try {
            assertThatThrownBy(() -> Parity.of(
                            URI.create("http://127.0.0.1:" + server.getAddress().getPort()), List.of(list)))
                    .isInstanceOfSatisfying(
                            TargetException.class, e -> assertThat(e.refusal()).contains(TargetException.Refusal.WORK))
                    .hasMessageStartingWith("workload cart / me: GET /cart answered 302 and not 200 (to http://")
                    .hasMessageEndingWith("; before it login led to /login?error");
        } finally {
            server.stop(0);
        }
    }

    private static Workload list(Workload... requests) {
        return Workload.list("cart", List.of(requests));
    }

    private static Workload request(String label, String method, int status) {
        return new Workload("cart / " + label, "/cart", 0, Workload.ANY_LENGTH)
                .sending(new RequestSpec(method, Map.of(), "", status));
    }

    /**
     * No row of data is sent twice before the last was sent: unique values would collide, and caches would contain
     * them.
     */
    @Test
    void rowsGoOnThroughParityAndWarmUp() throws IOException {
        Set<String> names = new TreeSet<>();
        List<String> twice = new CopyOnWriteArrayList<>();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            String query = exchange.getRequestURI().getQuery();
            synchronized (names) {
                if (!names.add(query)) {
                    twice.add(query);
                }
            }
            exchange.sendResponseHeaders(201, -1);
            exchange.close();
        });
        server.start();
        URI url = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
        List<Map<String, String>> rows = IntStream.range(0, 100_000)
                .mapToObj(row -> Map.of("name", "owner-" + row))
                .toList();
        List<Workload> create = List.of(new Workload("create", "/", 0, Workload.ANY_LENGTH)
                .at("/?name=${name}", "/warm-up?name=${name}")
                .sending(new RequestSpec("POST", Map.of(), "", 201, rows)));
        RowCounters counters = new RowCounters();
        try {
            Parity.of(url, create, counters);
            int ofParity = names.size();
            new LoadClient(url, create, 2, counters).burst(Duration.ofSeconds(1));
            new LoadClient(url, create, 2, counters).burst(Duration.ofSeconds(1));
            assertThat(ofParity).isBetween(2, names.size() - 2);
        } finally {
            server.stop(0);
        }
        assertThat(twice).isEmpty();
        assertThat(names).contains("name=owner-0");
        assertThat(counters.of("create").get()).isGreaterThanOrEqualTo(names.size());
    }

    @Test
    void theLengthOfEachRequestOfAListIsLearnt() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            byte[] path = exchange.getRequestURI().getPath().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, path.length);
            exchange.getResponseBody().write(path);
            exchange.close();
        });
        server.start();
        URI url = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
        List<Workload> lists = List.of(Workload.list(
                "shop",
                List.of(
                        new Workload("shop / long", "/abcdef", 0, Workload.ANY_LENGTH),
                        new Workload("shop / short", "/a", 0, Workload.ANY_LENGTH))));
        try {
            assertThat(Parity.learnt(lists, Parity.of(url, lists)))
                    .flatExtracting(Workload::parts)
                    .extracting(Workload::minBytes, Workload::maxBytes)
                    .containsExactly(tuple(7, 7), tuple(2, 2));
        } finally {
            server.stop(0);
        }
    }

    @Test
    void whereRequestsDifferNoLengthIsLearnt() throws IOException {
        List<Workload> fed = List.of(new Workload("list", "/${name}", 0, Workload.ANY_LENGTH)
                .sending(new RequestSpec(
                        "GET", Map.of(), "", 200, List.of(Map.of("name", "a"), Map.of("name", "bcd")))));
        assertThat(Parity.learnt(fed, learnt(fed, "constant"))).isEqualTo(fed);
    }

    /** Returns the facts of a server that answers with these bodies in turn. */
    private static Map<String, String> learnt(List<Workload> workloads, String... bodies) throws IOException {
        return facts(workloads, (headers, number) -> {}, bodies);
    }

    /** Returns the facts of a server with additional headers. */
    private static Map<String, String> facts(
            List<Workload> workloads, ObjIntConsumer<Headers> headers, String... bodies) throws IOException {
        return facts(
                workloads,
                headers,
                Stream.of(bodies)
                        .map(body -> body.getBytes(StandardCharsets.UTF_8))
                        .toArray(byte[][]::new));
    }

    private static Map<String, String> facts(
            List<Workload> workloads, ObjIntConsumer<Headers> headers, byte[]... bodies) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        AtomicInteger count = new AtomicInteger();
        server.createContext("/", exchange -> {
            int number = count.getAndIncrement();
            byte[] body = bodies[number % bodies.length];
            headers.accept(exchange.getResponseHeaders(), number);
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

        // A time in a response does not change the work, but its length is checked.
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

    private static final List<Workload> KNOWN = List.of(new Workload("own", "/", 2, 2));

    private static void assertSame(Map<String, String> one, Map<String, String> other) {
        Map<String, Map<String, String>> answers = new LinkedHashMap<>();
        answers.put("one", one);
        answers.put("other", other);
        Parity.requireSame(answers, 2);
    }

    /** These are the responses of Tomcat, Jetty and Undertow at the start of a session. */
    @Test
    void cookiesAreComparedByNamesAndAttributes() throws IOException {
        Map<String, String> tomcat = facts(
                KNOWN,
                (headers, number) -> headers.add("Set-Cookie", "JSESSIONID=A" + number + "; Path=/; HttpOnly"),
                "ok");
        Map<String, String> jetty = facts(
                KNOWN,
                (headers, number) -> {
                    headers.add("Set-Cookie", "JSESSIONID=node0" + number + "; Path=/");
                    headers.add("Expires", "Thu, 01 Jan 1970 00:00:00 GMT");
                },
                "ok");
        assertThat(tomcat).containsEntry("own: set-cookie", "JSESSIONID path=/");
        assertThatCode(() -> assertSame(tomcat, jetty)).doesNotThrowAnyException();
        Map<String, String> secured = facts(
                KNOWN,
                (headers, number) -> {
                    headers.add("Set-Cookie", "JSESSIONID=A" + number + "; Path=/; HttpOnly");
                    headers.add("Cache-Control", "no-cache, no-store, max-age=0, must-revalidate");
                    headers.add("Pragma", "no-cache");
                    headers.add("Expires", "0");
                },
                "ok");
        assertThatCode(() -> assertSame(secured, jetty))
                .as("Spring Security writes these where Jetty has not")
                .doesNotThrowAnyException();

        Map<String, String> other =
                facts(KNOWN, (headers, number) -> headers.add("Set-Cookie", "SID=A; Max-Age=60; Path=/; Secure"), "ok");
        assertThatThrownBy(() -> assertSame(tomcat, other))
                .hasMessageContaining(
                        "own: set-cookie is 'SID max-age=60 path=/ secure' on other and 'JSESSIONID path=/'"
                                + " on one");
        Map<String, String> none = facts(KNOWN, (headers, number) -> {}, "ok");
        assertThatThrownBy(() -> assertSame(tomcat, none)).hasMessageContaining("own: set-cookie is '(none)' on other");
    }

    /** Tomcat and Undertow redirect to the full address, which differs between servers, and Jetty to the path. */
    @Test
    void aRedirectWithinTheServerIsComparedByItsPath() throws IOException {
        Map<String, String> whole = redirect("http://HOST/cart?a=1");
        assertThat(whole).containsEntry("own: location", "/cart?a=1");
        assertThatCode(() -> assertSame(whole, redirect("/cart?a=1"))).doesNotThrowAnyException();
        assertThatThrownBy(() -> assertSame(whole, redirect("/login")))
                .hasMessageContaining("own: location is '/login'");
        assertThatThrownBy(() -> assertSame(whole, redirect("http://HOST9/cart?a=1")))
                .hasMessageContaining("own: location is 'http://127.0.0.1:");
    }

    /** Returns the facts of a server that redirects to this location, where HOST stands for its own address. */
    private static Map<String, String> redirect(String location) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            String own = exchange.getRequestHeaders().getFirst("Host");
            exchange.getResponseHeaders().add("Location", location.replace("HOST", own));
            exchange.sendResponseHeaders(302, -1);
            exchange.close();
        });
        server.start();
        try {
            return Parity.of(
                    URI.create("http://127.0.0.1:" + server.getAddress().getPort()),
                    List.of(new Workload("own", "/", 0, Workload.ANY_LENGTH)
                            .sending(new RequestSpec("GET", Map.of(), "", 302))));
        } finally {
            server.stop(0);
        }
    }

    /** These are the responses of Tomcat 10.1.61 and Jetty 12.0.36 for a file. */
    @Test
    void theUsualCharsetMayBeLeftOut() throws IOException {
        Map<String, String> tomcat =
                facts(KNOWN, (headers, number) -> headers.add("Content-Type", "text/html;charset=UTF-8"), "ok");
        Map<String, String> jetty = facts(KNOWN, (headers, number) -> headers.add("Content-Type", "text/html"), "ok");
        assertThatCode(() -> assertSame(tomcat, jetty)).doesNotThrowAnyException();
        Map<String, String> other =
                facts(KNOWN, (headers, number) -> headers.add("Content-Type", "text/html;charset=iso-8859-1"), "ok");
        assertThatThrownBy(() -> assertSame(tomcat, other)).hasMessageContaining("own: content-type");
    }

    @Test
    void headersThatVaryInOneServerAreComparedByNameOnly() throws IOException {
        Map<String, String> one = facts(KNOWN, (headers, number) -> headers.add("X-Request-Id", "a" + number), "ok");
        Map<String, String> other = facts(KNOWN, (headers, number) -> headers.add("X-Request-Id", "b" + number), "ok");
        assertThat(one).containsEntry("own: x-request-id", "varies from answer to answer");
        assertThatCode(() -> assertSame(one, other)).doesNotThrowAnyException();

        // A duration in ms may happen to be equal several times.
        Map<String, String> constant = facts(KNOWN, (headers, number) -> headers.add("X-Request-Id", "7"), "ok");
        assertThatCode(() -> assertSame(one, constant)).doesNotThrowAnyException();
        Map<String, String> none = facts(KNOWN, (headers, number) -> {}, "ok");
        assertThatThrownBy(() -> assertSame(one, none)).hasMessageContaining("x-request-id");
        Map<String, String> another = facts(KNOWN, (headers, number) -> headers.add("X-Request-Id", "8"), "ok");
        assertThatThrownBy(() -> assertSame(constant, another)).hasMessageContaining("x-request-id is '8' on other");
    }

    /** The creation time of a file or a response is irrelevant to the work. */
    @Test
    void aTimeIsNotCompared() throws IOException {
        Map<String, String> facts = facts(
                KNOWN,
                (headers, number) -> {
                    headers.add(
                            "Last-Modified",
                            number % 2 == 0 ? "Thu, 26 Nov 2026 13:00:00 GMT" : "Fri, 27 Nov 2026 13:00:00 GMT");
                    headers.add("Expires", "0");
                },
                "ok");
        assertThat(facts).containsEntry("own: last-modified", "(a time)").containsEntry("own: expires", "0");
    }

    @Test
    void varyIsASetWithoutAnEncodingThatNobodyAsksFor() throws IOException {
        Map<String, String> tomcat = facts(
                KNOWN,
                (headers, number) -> Stream.of("Accept-Encoding", "Origin", "Access-Control-Request-Method")
                        .forEach(one -> headers.add("Vary", one)),
                "ok");
        Map<String, String> jetty =
                facts(KNOWN, (headers, number) -> headers.add("Vary", "Access-Control-Request-Method, origin"), "ok");
        Map<String, String> none = facts(KNOWN, (headers, number) -> headers.add("Vary", "accept-encoding"), "ok");
        assertThatCode(() -> assertSame(tomcat, jetty)).doesNotThrowAnyException();
        assertThat(none).doesNotContainKey("own: vary");
    }

    @Test
    void aHeaderThatMayDifferIsExcusedAndOneThatDoesIsNamed() throws IOException {
        List<Workload> excused =
                List.of(KNOWN.get(0).sending(new RequestSpec("GET", Map.of(), "", 200, List.of(), List.of("X-Node"))));
        Map<String, String> one = facts(excused, (headers, number) -> headers.add("X-Node", "a"), "ok");
        Map<String, String> other = facts(excused, (headers, number) -> headers.add("X-Node", "b"), "ok");
        assertThatCode(() -> assertSame(one, other)).doesNotThrowAnyException();
        assertThat(excused.get(0).sending().plain()).isTrue();

        assertThatThrownBy(() -> assertSame(
                        facts(KNOWN, (headers, number) -> headers.add("X-Node", "a"), "ok"),
                        facts(KNOWN, (headers, number) -> headers.add("X-Node", "b"), "ok")))
                .hasMessageContaining("x-node is 'b' on other")
                .hasMessageEndingWith("; a header that may differ is named by expect: {ignore-headers: [NAME]}");
    }

    @Test
    void ofBodiesThatDifferTheirBeginIsShown() throws IOException {
        assertThatThrownBy(() -> assertSame(
                        facts(KNOWN, (headers, number) -> {}, "ok"), facts(KNOWN, (headers, number) -> {}, "no")))
                .hasMessageContaining("own: body is 'no' on other and 'ok' on ")
                .hasMessageNotContaining("ignore-headers");
    }

    /** Jetty sends Vary and a length, but Tomcat and Undertow send chunks. */
    @Test
    void ofCompressedAnswersTheBodiesAreCompared() throws IOException {
        List<Workload> zipped = List.of(new Workload("own", "/", 5, 5).sending(RequestSpec.GET.acceptingGzip()));
        byte[] body = "hello".getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream gzip = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(gzip)) {
            out.write(body);
        }
        Map<String, String> compressed = facts(
                zipped,
                (headers, number) -> {
                    headers.add("Content-Encoding", "gzip");
                    headers.add("Vary", "Accept-Encoding");
                },
                gzip.toByteArray());
        Map<String, String> plain = facts(zipped, (headers, number) -> {}, body);

        assertThat(compressed).containsEntry("the encoding of answers", "own gzip");
        assertThat(plain).containsEntry("the encoding of answers", "own plain");
        assertThatThrownBy(() -> assertSame(compressed, plain))
                .hasMessage("the servers do not do the same work: the encoding of answers is 'own plain' on other and"
                        + " 'own gzip' on one");
        // For arms that differ in the encoding on purpose.
        compressed.remove(Parity.ENCODING);
        plain.remove(Parity.ENCODING);
        assertThat(compressed).isEqualTo(plain).containsKey("own: body");
    }

    /** Jetty reserves up to one thread per processor of its machine, which may not be that of servlet-bench. */
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
                        + " limit' on tomcat-nio+virtual; with virtual threads Tomcat has no limit, whatever"
                        + " server.tomcat.threads.max is, and Jetty limits its tasks, in some releases to 200 whatever"
                        + " server.jetty.threads.max is");
    }
}
