package org.servletbench.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.servletbench.bench.campaign.ArmBuilds;
import org.servletbench.bench.generator.Schedule;
import org.servletbench.bench.host.Machines;
import org.servletbench.bench.measure.Interleaving;
import org.servletbench.bench.measure.RequestTally;
import org.servletbench.bench.measure.SliceUsage;
import org.servletbench.bench.measure.SlicesMeasurement;
import org.servletbench.bench.measure.Summary;
import org.servletbench.bench.measure.WindowResult;
import org.servletbench.bench.model.Load;
import org.servletbench.bench.model.Pause;
import org.servletbench.bench.model.RequestSpec;
import org.servletbench.bench.model.Times;
import org.servletbench.bench.model.ToolSettings;
import org.servletbench.bench.model.WarningKind;
import org.servletbench.bench.model.Workload;

/** Tests all generators, through their common interface, on two small servers in this JVM. */
@Execution(ExecutionMode.CONCURRENT)
class GeneratorsIT {

    private static final Path ROOT =
            Path.of(System.getProperty("bench.root")).toAbsolutePath().normalize();

    private static final long SLOW_MILLIS = 60;
    /** Length of an uncompressed body that the server compresses, bytes. */
    private static final int LONG = 5000;

    private static final List<HttpServer> SERVERS = new ArrayList<>();
    private static final ExecutorService THREADS = Executors.newCachedThreadPool();

    @TempDir
    Path folder;

    @BeforeAll
    static void start() throws IOException {
        byte[] hello = "hello".getBytes(StandardCharsets.US_ASCII);
        for (int i = 0; i < 2; i++) {
            HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0." + (2 + i), 0), 0);
            server.createContext("/hello", exchange -> {
                // Users without a wait would take both processors away from other tests.
                LockSupport.parkNanos(3_000_000);
                // A session of the other server would cause different work in this one.
                String own =
                        "JSESSIONID=" + exchange.getLocalAddress().getAddress().getHostAddress();
                String cookie = exchange.getRequestHeaders().getFirst("Cookie");
                VISITS.computeIfAbsent(
                                exchange.getRequestURI() + (cookie == null ? " new" : " again"),
                                none -> new LongAdder())
                        .increment();
                if (cookie == null) {
                    exchange.getResponseHeaders().add("Set-Cookie", own + "; Path=/");
                }
                exchange.sendResponseHeaders(cookie == null || cookie.equals(own) ? 200 : 400, hello.length);
                exchange.getResponseBody().write(hello);
                exchange.close();
            });
            server.createContext("/slow", exchange -> {
                LockSupport.parkNanos(SLOW_MILLIS * 1_000_000);
                exchange.sendResponseHeaders(200, hello.length);
                exchange.getResponseBody().write(hello);
                exchange.close();
            });
            server.createContext("/session", exchange -> {
                String what = exchange.getRequestURI().getQuery();
                boolean login = what.equals("login");
                SESSIONS.add(what);
                LockSupport.parkNanos((login ? SLOW_MILLIS : 3) * 1_000_000);
                if (login) {
                    exchange.getResponseHeaders().add("Set-Cookie", "LOGIN=1; Path=/");
                }
                boolean known = "LOGIN=1".equals(exchange.getRequestHeaders().getFirst("Cookie"));
                exchange.sendResponseHeaders(login || known ? 200 : 403, hello.length);
                exchange.getResponseBody().write(hello);
                exchange.close();
            });
            server.createContext("/owners", exchange -> {
                LockSupport.parkNanos(3_000_000);
                exchange.sendResponseHeaders(COUNTER.isRight(exchange) ? 201 : 400, -1);
                exchange.close();
            });
            server.createContext("/zipped", exchange -> {
                LockSupport.parkNanos(3_000_000);
                boolean accepted =
                        List.of("gzip").equals(exchange.getRequestHeaders().get("Accept-Encoding"));
                exchange.getResponseHeaders().add("Content-Encoding", "gzip");
                exchange.sendResponseHeaders(accepted ? 200 : 400, 0);
                try (GZIPOutputStream out = new GZIPOutputStream(exchange.getResponseBody())) {
                    out.write(new byte[LONG]);
                }
                exchange.close();
            });
            server.setExecutor(THREADS);
            server.start();
            SERVERS.add(server);
        }
    }

    /** Replaces the plain GET. Its placeholders must not be evaluated. */
    private static final RequestSpec CREATE = new RequestSpec(
            "POST",
            Map.of("Content-Type", "application/json", "X-Test", "a#{b}"),
            "{\"name\": \"Zoë ${a} #{b}\"}\n",
            201);

    private static final RequestSpec DELETE = new RequestSpec("DELETE", Map.of(), "", 201);

    private static final RequestSpec PUT = new RequestSpec(
            "PUT",
            Map.of("Content-Type", "text/plain"),
            "${name}",
            201,
            List.of(Map.of("name", "Zoë"), Map.of("name", "a b&c"), Map.of("name", "3")));

    private static final Counter COUNTER = new Counter();

    /** Logins, and requests that need one, in order. */
    private static final List<String> SESSIONS = new CopyOnWriteArrayList<>();

    /** Requests by path, separately without and with a cookie. */
    private static final Map<String, LongAdder> VISITS = new ConcurrentHashMap<>();

    /** Prefix of the paths that belong to a list, which are counted separately. */
    private static final String OF_LIST = "/owners/list";

    /** Counts correct requests by method, and those of a list by the list. */
    private static final class Counter {
        private final Map<String, LongAdder> right = new ConcurrentHashMap<>();
        private final Map<String, LongAdder> bodies = new ConcurrentHashMap<>();

        boolean isRight(HttpExchange exchange) throws IOException {
            String method = exchange.getRequestMethod();
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            if (method.equals("PUT")) {
                bodies.computeIfAbsent(body, key -> new LongAdder()).increment();
            }
            RequestSpec wanted =
                    switch (method) {
                        case "POST" -> CREATE;
                        case "DELETE" -> DELETE;
                        default -> PUT.filled(List.of("Zoë", "a b&c", "3").indexOf(body));
                    };
            boolean isRight = method.equals(wanted.method())
                    && "name="
                            .concat(method.equals("PUT") ? body : "")
                            .equals(exchange.getRequestURI().getQuery())
                    && body.equals(wanted.body())
                    && wanted.headers().entrySet().stream().allMatch(one -> List.of(one.getValue())
                            .equals(exchange.getRequestHeaders().get(one.getKey())))
                    && List.of("servlet-bench")
                            .equals(exchange.getRequestHeaders().get("User-Agent"));
            if (isRight) {
                String list = exchange.getRequestURI().getPath().equals(OF_LIST) ? OF_LIST : "";
                right.computeIfAbsent(list + method, key -> new LongAdder()).increment();
            }
            return isRight;
        }

        long take(String method) {
            return right.getOrDefault(method, new LongAdder()).sumThenReset();
        }
    }

    @AfterAll
    static void stop() {
        SERVERS.forEach(server -> server.stop(0));
        THREADS.shutdownNow();
    }

    /** Records all its calls. */
    static final class Noting implements Generator.Watch {
        final List<String> reported = new CopyOnWriteArrayList<>();
        /** By server and workload. */
        final Map<String, Long> nextRows = new ConcurrentHashMap<>();

        private volatile ProcessHandle generator;

        @Override
        public void nextRow(String server, String workload, long row) {
            nextRows.put(server + " " + workload, row);
        }

        @Override
        public void loadedBy(ProcessHandle process) {
            generator = process;
        }

        @Override
        public void pin() {
            reported.add("pin");
        }

        @Override
        public void begins(String server) {
            reported.add("begins " + server);
        }

        @Override
        public OptionalLong mark(String server) {
            return OptionalLong.of(System.currentTimeMillis());
        }

        @Override
        public void timeSlices(Batch.Task task, Interleaving interleaving) {
            reported.add("time slices " + task.load().name());
        }

        @Override
        public List<SliceUsage> uses(Batch.Task task) {
            return List.of();
        }

        @Override
        public Optional<String> death() {
            return Optional.empty();
        }

        @Override
        public void phase(String server, String what) {
            // This text is for people only.
        }
    }

    private static String url(int server) {
        return "http://127.0.0." + (2 + server) + ":"
                + SERVERS.get(server).getAddress().getPort();
    }

    private static Batch.Task load(int users, double rate, int servers) {
        return load(users, rate, servers, "/hello");
    }

    private static Batch.Task load(int users, double rate, int servers, String path) {
        List<Schedule.Endpoint> endpoints = Stream.of("a", "b")
                .limit(servers)
                .map(name -> new Schedule.Endpoint(name, url(name.equals("a") ? 0 : 1), path, 5, 5))
                .toList();
        return new Batch.Task(new Load("hello", users, rate), ToolSettings.PLAIN, endpoints);
    }

    private static Batch batch(long timeSliceMs, Batch.Task... loads) {
        return batch(timeSliceMs, Map.of(), loads);
    }

    private static Batch batch(long timeSliceMs, Map<String, String> given, Batch.Task... loads) {
        return batch(timeSliceMs, 1000, given, loads);
    }

    private static Batch batch(long timeSliceMs, long warmUpMs, Map<String, String> given, Batch.Task... loads) {
        return new Batch(
                new Batch.Work(List.of(loads), List.of(url(0), url(1))),
                new Batch.Pace(1000, 1000, 1, timeSliceMs),
                new Batch.Settling(new Schedule.WarmUp(warmUpMs, 4, 500, 5, 1), 500, 0, 0),
                new Batch.Run(7, "test", Optional.empty(), false, ROOT),
                Machines.of(given),
                Optional.empty());
    }

    /** Synchronized, because it builds missing parts. */
    static synchronized Generator present(String name) {
        Generator generator = Generators.named(name);
        new ArmBuilds(ROOT, line -> {}).generator(generator);
        generator.missing(ROOT).ifPresent(line -> {
            if ("true".equals(System.getenv("CI"))) {
                throw new AssertionError(line);
            }
            Assumptions.abort(line);
        });
        return generator;
    }

    /** Returns a load of two requests, one after the other. */
    private static Batch.Task listed(Batch.Task load) {
        return new Batch.Task(
                new Load("list", load.load().users(), 0),
                load.settings(),
                load.endpoints().stream()
                        .map(endpoint -> new Schedule.Endpoint(
                                endpoint.name(),
                                endpoint.server(),
                                endpoint.path(),
                                5,
                                5,
                                RequestSpec.GET,
                                Stream.of("first", "second")
                                        .map(label -> new Schedule.Endpoint(
                                                label, endpoint.server(), "/hello?" + label, 5, 5))
                                        .toList(),
                                null))
                        .toList());
    }

    /** Each user also keeps separate cookies for each server. Each server gets all requests of a list equally often. */
    @Test
    void usersMoveFromServerToServer() {
        assertUsersMove("gatling");
    }

    @Test
    @Tag("full")
    void usersOfJMeterMoveFromServerToServer() {
        assertUsersMove("jmeter");
    }

    private void assertUsersMove(String name) {
        Generator generator = present(name);
        Noting watch = new Noting();
        String path = "/hello?" + name;

        Generator.Results results = generator.run(batch(50, load(4, 0, 2, path), listed(load(6, 0, 2))), folder, watch);

        assertThat(VISITS.get(path + " new").sum())
                .as("users of the warm-up and of the load begin at each server without a cookie")
                .isBetween(2L * 4, 2L * (4 + 4));
        assertThat(VISITS.get(path + " again").sum()).isGreaterThan(100);

        assertThat(results.results())
                .extracting(one -> one.window().name())
                .containsExactly("a hello 4 users", "b hello 4 users", "a list 6 users", "b list 6 users");
        assertThat(results.results()).allSatisfy(one -> {
            WindowResult server = one.window();
            SlicesMeasurement timeSlices = server.timeSlices().orElseThrow();
            assertThat(server.checks()).isEmpty();
            assertThat(timeSlices.all()).isPositive();
            assertThat(timeSlices.failed()).isZero();
            assertThat(server.each()).hasSize(server.name().contains("list") ? 2 : 0);
            assertThat(server.each().stream().mapToLong(RequestTally::requests).sum())
                    .isEqualTo(server.each().isEmpty() ? 0 : server.requests());
            assertThat(server.steady().toMs() - server.steady().fromMs())
                    .as("of both")
                    .isGreaterThanOrEqualTo(2 * 1000);
        });
        assertThat(watch.reported)
                .containsOnlyOnce("pin", "time slices hello 4 users", "time slices list 6 users")
                .contains("begins a", "begins b");
        assertThat(watch.reported.get(0)).as("warm before the first load").isEqualTo("pin");
        assertThat(watch.generator.isAlive()).isFalse();
        assertThat(results.warmUpSeconds()).isPositive();
        assertThat(results.loadSeconds()).isPositive();
        assertThat(folder.resolve("simulation.log")).doesNotExist();
        assertThat(folder.resolve("results.csv")).as("not asked for").doesNotExist();
    }

    /** Covers time slices and windows. How much pauses exceed their length depends on the machine. */
    @ParameterizedTest
    @CsvSource({"gatling, 50", "gatling, 0", "jmeter, 50", "jmeter, 0"})
    @Tag("full")
    void usersPauseBetweenTheirRequests(String name, long timeSliceMs) {
        Pause pause = Pause.parse("40ms");
        Batch.Task plain = load(6, 0, 2);
        Batch.Task pausing = new Batch.Task(
                new Load("hello", 6, 0, pause), new ToolSettings(pause, 0, 0, true, List.of()), plain.endpoints());

        Generator.Results results = present(name).run(batch(timeSliceMs, plain, pausing), folder, new Noting());

        assertThat(results.results()).hasSize(4).allSatisfy(one -> {
            WindowResult window = one.window();
            double users = window.throughput() * (window.steady().latency().mean() + 40) / 1000;
            assertThat(users < 1.05 * 6)
                    .as("%s: %.2f users", window.name(), users)
                    .isEqualTo(window.load().pause().equals(pause));
        });
    }

    /** Without a warm-up and time slices, every request is in the log. */
    @ParameterizedTest
    @ValueSource(strings = {"gatling", "jmeter"})
    @ResourceLock("counter")
    @Tag("full")
    void theServerCountsWhatIsSent(String name) {
        Generator generator = present(name);
        List<RequestSpec> all = List.of(CREATE, DELETE, PUT);
        List<Batch.Task> tasks = new ArrayList<>();
        all.forEach(sending -> tasks.add(task(sending.method(), owners("a", "/owners", sending))));
        tasks.add(task(
                "LIST",
                new Schedule.Endpoint(
                        "a",
                        url(0),
                        OF_LIST,
                        0,
                        Workload.ANY_LENGTH,
                        CREATE,
                        all.stream()
                                .map(sending -> owners(sending.method(), OF_LIST, sending))
                                .toList(),
                        null)));

        Generator.Results results =
                generator.run(batch(0, 0, Map.of(), tasks.toArray(Batch.Task[]::new)), folder, new Noting());

        assertThat(results.results()).hasSize(4).allSatisfy(one -> {
            WindowResult log = one.window();
            assertThat(log.whole().errors()).isZero();
            assertThat(log.checks())
                    .as("each request of the list as often")
                    .noneMatch(check -> check.kind() == WarningKind.UNEQUAL_MIX);
            log.each()
                    .forEach(request ->
                            assertThat(request.sent()).isPositive().isEqualTo(COUNTER.take(OF_LIST + request.label())));
            assertThat(log.whole().count())
                    .isPositive()
                    .isEqualTo(
                            log.each().isEmpty()
                                    ? COUNTER.take(one.task().load().workload())
                                    : log.each().stream()
                                            .mapToLong(RequestTally::sent)
                                            .sum());
            assertThat(log.each().stream().mapToLong(RequestTally::requests).sum())
                    .isEqualTo(log.each().isEmpty() ? 0 : log.requests());
        });
        assertThat(results.results())
                .flatExtracting(one -> one.window().each())
                .extracting(RequestTally::label)
                .containsExactly("POST", "DELETE", "PUT");
        long[] rows = COUNTER.bodies.values().stream()
                .mapToLong(LongAdder::sumThenReset)
                .sorted()
                .toArray();
        assertThat(rows).hasSize(3);
        assertThat(rows[2] - rows[0])
                .as("they take turns; four users may be within the list")
                .isLessThanOrEqualTo(1 + 1 + 4);
    }

    /** A login would add time and work that belong to no request. */
    @Test
    @Tag("full")
    void usersOfAWindowHaveBehindThemWhatTheySendOnceBeforeItBegins() {
        RequestSpec once =
                new RequestSpec("GET", Map.of(), "", 200, List.of(), List.of(), List.of(), List.of(), Times.ONCE);
        Schedule.Endpoint endpoint = new Schedule.Endpoint(
                "a",
                url(0),
                "/session",
                5,
                5,
                once,
                List.of(
                        new Schedule.Endpoint("login", url(0), "/session?login", 5, 5, once),
                        new Schedule.Endpoint("page", url(0), "/session?page", 5, 5)),
                null);

        Generator.Results results =
                present("gatling").run(batch(0, 0, Map.of(), task("visits", endpoint)), folder, new Noting());

        assertThat(results.results()).singleElement().satisfies(one -> {
            assertThat(one.window().whole().errors()).isZero();
            assertThat(one.window().whole().count())
                    .isPositive()
                    .isEqualTo(SESSIONS.stream().filter("page"::equals).count());
        });
        assertThat(SESSIONS.subList(0, 4)).containsOnly("login");
        assertThat(SESSIONS.stream().filter("login"::equals)).hasSize(4);
    }

    /**
     * Parity check and warm-up have already sent rows. The loads of one generator form a single series, whose end it
     * reports.
     */
    @ParameterizedTest
    @ValueSource(strings = {"gatling", "jmeter"})
    @ResourceLock("counter")
    @Tag("full")
    void rowsOfDataGoOn(String name) {
        Generator generator = present(name);
        Schedule.Endpoint endpoint = numbered(owners("a", "/owners", PUT), 7);
        Noting watch = new Noting();
        Generator.Results results =
                generator.run(batch(0, 0, Map.of(), task("first", endpoint), task("second", endpoint)), folder, watch);
        // The other test of the counter starts at zero.
        COUNTER.bodies.values().forEach(LongAdder::reset);
        COUNTER.right.values().forEach(LongAdder::reset);
        long sent = results.results().stream()
                .mapToLong(one -> one.window().whole().count())
                .sum();
        assertThat(watch.nextRows).containsExactly(Map.entry(url(0) + " new owners", 7 + sent));
    }

    private static Schedule.Endpoint numbered(Schedule.Endpoint plain, long from) {
        return new Schedule.Endpoint(
                plain.name(),
                plain.server(),
                plain.path(),
                plain.minBytes(),
                plain.maxBytes(),
                plain.sending(),
                List.of(),
                new Schedule.Endpoint.Rows("new owners", from, 0, 1));
    }

    /** Even if the generator's bursts have different lengths, and one server has had more changes before. */
    @ParameterizedTest
    @ValueSource(strings = {"gatling", "jmeter"})
    @ResourceLock("counter")
    @Tag("full")
    void aGeneratorsWarmUpLeavesAsManyChangesAtEachServer(String name) {
        List<Schedule.Endpoint> endpoints = new ArrayList<>();
        for (int server = 0; server < 2; server++) {
            endpoints.add(numbered(
                    new Schedule.Endpoint(
                            "ab".substring(server, server + 1),
                            url(server),
                            "/owners?name=",
                            0,
                            Workload.ANY_LENGTH,
                            CREATE),
                    50 * server));
        }
        Noting watch = new Noting();
        Generator.Results results = present(name)
                .run(
                        batch(
                                0,
                                4000,
                                Map.of(),
                                new Batch.Task(new Load("create", 4, 0), ToolSettings.PLAIN, endpoints)),
                        folder,
                        watch);
        COUNTER.right.values().forEach(LongAdder::reset);
        assertThat(results.results())
                .hasSize(2)
                .extracting(one -> watch.nextRows.get(url(one.server().equals("a") ? 0 : 1) + " new owners")
                        - one.window().whole().count())
                .as("passes before the first load")
                .allMatch(passes -> passes > 50)
                .satisfies(passes -> assertThat(Set.copyOf(passes)).hasSize(1));
    }

    private static Schedule.Endpoint owners(String name, String path, RequestSpec sending) {
        String query = "?name=" + (sending.varies() ? "${name}" : "");
        return new Schedule.Endpoint(name, url(0), path + query, 0, Workload.ANY_LENGTH, sending);
    }

    private static Batch.Task task(String workload, Schedule.Endpoint endpoint) {
        return new Batch.Task(new Load(workload, 4, 0), ToolSettings.PLAIN, List.of(endpoint));
    }

    /** The length of the uncompressed body is checked. */
    @ParameterizedTest
    @ValueSource(strings = {"gatling", "wrk"})
    @Tag("full")
    void answersMayBeCompressed(String name) {
        Batch.Task task = new Batch.Task(
                new Load("zipped", 4, 0),
                ToolSettings.PLAIN,
                List.of(new Schedule.Endpoint("a", url(0), "/zipped", LONG, LONG, RequestSpec.GET.acceptingGzip())));

        Generator.Results results = present(name).run(batch(0, 0, Map.of(), task), folder, new Noting());

        assertThat(results.results()).singleElement().satisfies(one -> {
            assertThat(one.window().whole().count()).isPositive();
            assertThat(one.window().whole().errors()).isZero();
        });
    }

    @Test
    @Tag("full")
    void gatlingsOpenModelHasWindowsBesideTheTurns() {
        Generator gatling = present("gatling");
        Generator.Results results = gatling.run(batch(50, load(4, 0, 2), load(0, 20, 2)), folder, new Noting());
        assertThat(results.results())
                .filteredOn(one -> one.window().timeSlices().isEmpty()
                        && one.task().load().rate() == 20
                        && one.window().whole().count() == 2 * 20)
                .hasSize(2)
                .allSatisfy(one -> assertThat(one.window().checks())
                        .as("the log is one of our simulations, and its loads are their own scenarios")
                        .anyMatch(check -> check.figures().contains("ms from when requests were due")));
        assertThat(results.results())
                .filteredOn(one -> one.window().timeSlices().isPresent())
                .hasSize(2);
    }

    /** At a fixed rate each user goes through the list once, so every server gets each request equally often. */
    @Test
    @Tag("full")
    void atARateEveryServerGetsTheSameRequests() {
        Generator.Results results =
                present("gatling").run(batch(50, atRate(listed(load(0, 20, 2)))), folder, new Noting());

        assertThat(results.results()).hasSize(2).allSatisfy(one -> {
            assertThat(one.window().whole().count()).isEqualTo(2 * 20);
            assertThat(one.window().whole().errors()).isZero();
            assertThat(one.window().each()).extracting(RequestTally::sent).containsExactly(20L, 20L);
        });
    }

    private static Batch.Task atRate(Batch.Task task) {
        return new Batch.Task(new Load("list", 0, 20), task.settings(), task.endpoints());
    }

    @Test
    @Tag("full")
    void withoutTurnsJMeterHasWindows() {
        Generator jmeter = present("jmeter");
        Noting watch = new Noting();

        Generator.Results results = jmeter.run(batch(0, load(4, 0, 2), load(6, 0, 1)), folder, watch);

        assertThat(results.results()).hasSize(3).allSatisfy(one -> {
            assertThat(one.window().timeSlices()).isEmpty();
            assertThat(one.window().name())
                    .isEqualTo(one.server() + " round 1 " + one.task().load().name());
            assertThat(one.window().whole().count()).isPositive();
            assertThat(one.window().whole().errors()).isZero();
            assertThat(one.files()).as("raw logs do not stay").isEmpty();
        });
        assertThat(watch.reported.get(0)).as("warm before the first load").isEqualTo("pin");
        assertThat(watch.reported).contains("begins a", "begins b");
        assertThat(results.warmUpSeconds()).isPositive();
    }

    @ParameterizedTest
    @ValueSource(strings = {"wrk", "ab", "siege"})
    void aToolHasAProcessForEachWindow(String name) {
        Generator tool = present(name);
        Generator.Results results = tool.run(batch(50, load(4, 0, 2)), folder, new Noting());
        assertThat(results.results())
                .allSatisfy(one -> {
                    Summary reported = one.window().steady();
                    assertThat(reported.count()).isPositive();
                    assertThat(reported.toMs()).isGreaterThan(reported.fromMs());
                })
                .extracting(LoadResult::server)
                .containsExactlyInAnyOrder("a", "b");
        assertThat(results.warmUpSeconds()).isZero();
    }
}
