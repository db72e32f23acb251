package org.servletbench.bench.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.comparison.ClaimList;
import org.servletbench.bench.generator.RateSearch;
import org.servletbench.bench.generator.Schedule;
import org.servletbench.bench.host.Machines;
import org.servletbench.bench.load.Batch;
import org.servletbench.bench.load.Generator;
import org.servletbench.bench.load.LoadException;
import org.servletbench.bench.load.LoadResult;
import org.servletbench.bench.load.RawLog;
import org.servletbench.bench.load.ToolFigures;
import org.servletbench.bench.load.ToolLatency;
import org.servletbench.bench.load.ToolResult;
import org.servletbench.bench.measure.Interleaving;
import org.servletbench.bench.measure.LogSource;
import org.servletbench.bench.measure.MonitorSeries;
import org.servletbench.bench.measure.Recorder;
import org.servletbench.bench.measure.Records;
import org.servletbench.bench.measure.SliceReader;
import org.servletbench.bench.measure.WindowResult;
import org.servletbench.bench.model.Capability;
import org.servletbench.bench.model.GeneratorFacts;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.MeasurementQuality;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Procedure;
import org.servletbench.bench.model.RequestSpec;
import org.servletbench.bench.model.Shares;
import org.servletbench.bench.model.Times;
import org.servletbench.bench.model.ToolSettings;
import org.servletbench.bench.model.Warning;
import org.servletbench.bench.model.WarningKind;
import org.servletbench.bench.model.Workload;
import org.servletbench.bench.record.LoadFigures;
import org.servletbench.bench.record.Plan;
import org.servletbench.bench.server.Target;
import org.servletbench.bench.server.WarmUp;
import org.servletbench.bench.server.http.RowCounters;
import org.servletbench.bench.verdict.Baseline;

/** Tests the load of a group, without real servers and generators. */
class GroupLoadTest {

    private static final Workload HELLO = new Workload("hello", "/hello", 5, 5);
    private static final Workload METRICS = new Workload("metrics", "/actuator/metrics", 300, 5000);
    private static final RequestSpec CREATE = new RequestSpec("POST", Map.of(), "", 201);
    private static final Workload RESET =
            new Workload("clear", "/reset", 0, Workload.ANY_LENGTH).sending(new RequestSpec("POST", Map.of(), "", 204));

    @TempDir
    private Path work;

    private record FakeTarget(String arm, Path folder, Optional<String> death, URI url, RowCounters rows)
            implements Target {

        FakeTarget(String arm, Path folder, Optional<String> death) {
            this(arm, folder, death, URI.create("http://127.0.0.1:" + (8000 + arm.length())), new RowCounters());
        }

        @Override
        public String description() {
            return arm;
        }

        @Override
        public void note(String what, Object value) {
            throw new IllegalStateException("nothing is noted");
        }

        @Override
        public void warmedUp(WarmUp.Outcome outcome) {
            throw new IllegalStateException("it is warm");
        }

        @Override
        public void close(String how) {
            throw new IllegalStateException("the load stops no server");
        }
    }

    /**
     * Returns a running server with a monitor's file of 20 s, in which the server used one processor and the generator
     * half of one.
     */
    static RunningServer server(Path work, String arm, Optional<String> death, Workload... served) throws IOException {
        Path folder = Files.createDirectories(work.resolve(arm));
        Files.writeString(
                folder.resolve("monitor.csv"), "time.ms,process.cpu.ms,generator.cpu.ms\n0,0,0\n20000,20000,10000\n");
        return new RunningServer(arm, new FakeTarget(arm, folder, death), List.of(served), Set.of());
    }

    /** Returns a server from a recording, whose monitor's file is in its folder. */
    static RunningServer recorded(Path folder, List<Workload> served) {
        String arm = folder.getFileName().toString();
        return new RunningServer(arm, new FakeTarget(arm, folder, Optional.empty()), served, Set.of());
    }

    /**
     * Generator that gets an immediate answer to each request of a time slice, one every 10 ms. Without slices it
     * counts 300 in 3 s.
     */
    record FakeGenerator(String name, List<Batch> seen, List<Path> folders) implements Generator {

        FakeGenerator(String name, List<Batch> seen) {
            this(name, seen, new ArrayList<>());
        }

        private static final long ORIGIN = 10_000;

        @Override
        public Optional<String> missing(Path root) {
            return Optional.empty();
        }

        @Override
        public Optional<String> version(Path root) {
            return Optional.of("1");
        }

        @Override
        public GeneratorFacts facts() {
            return new GeneratorFacts(name, name, new MeasurementQuality(1, true), Set.of(Capability.KEEPS_COOKIES));
        }

        @Override
        public Results run(Batch batch, Path folder, Watch watch) {
            seen.add(batch);
            folders.add(folder);
            watch.death().ifPresent(how -> {
                throw new LoadException("a server died under load: " + how);
            });
            List<LoadResult> results = new ArrayList<>();
            for (Batch.Task task : batch.loads()) {
                task.endpoints().forEach(endpoint -> watch.begins(endpoint.name()));
                if (batch.inTimeSlices(task)) {
                    results.addAll(timeSlices(task, folder));
                } else {
                    task.endpoints().forEach(endpoint -> results.add(window(task, endpoint, folder)));
                }
            }
            return new Results(results, 4, 6, Optional.empty());
        }

        private static List<LoadResult> timeSlices(Batch.Task task, Path folder) {
            List<String> names =
                    task.endpoints().stream().map(Schedule.Endpoint::name).toList();
            Interleaving interleaving = new Interleaving(names, ORIGIN, 100, 10, 7);
            try {
                return LoadResult.timeSlices(
                        task,
                        SliceReader.read(interleaving, List.of(), task.load().users(), List.of(), 0, sink -> {
                            Records records = sink.apply(
                                    new LogSource("fake", "", 0, LogSource.Users.UNKNOWN, false, false, false));
                            int[] order = interleaving.order();
                            for (int timeSlice = 0; timeSlice < order.length; timeSlice++) {
                                for (long ms = interleaving.fromMs(timeSlice);
                                        ms < interleaving.toMs(timeSlice);
                                        ms += 10) {
                                    // The first server is twice as fast.
                                    for (int i = 0; i < 2 - order[timeSlice]; i++) {
                                        records.request(records.load(names.get(order[timeSlice])), ms, ms, Recorder.OK);
                                    }
                                }
                            }
                            return 1;
                        }),
                        List.of(folder.resolve("raw.log")));
            } catch (IOException e) {
                throw new LoadException(e.getMessage());
            }
        }

        private static LoadResult window(Batch.Task task, Schedule.Endpoint endpoint, Path folder) {
            return window(task, endpoint, folder, 300);
        }

        static LoadResult window(Batch.Task task, Schedule.Endpoint endpoint, Path folder, long requests) {
            ToolFigures figures = new ToolFigures(requests, 0, 0, Map.of(), 3, ToolLatency.UNKNOWN, List.of());
            ToolResult result = new ToolResult(1000, 4000, figures, 0.5, folder, List.of("out.txt"));
            return result.of(task, endpoint.name(), 1000, 4000);
        }
    }

    private RunningServer server(String arm, Optional<String> death, Workload... served) throws IOException {
        return server(work, arm, death, served);
    }

    private final List<HttpServer> answering = new ArrayList<>();

    @AfterEach
    void stop() {
        answering.forEach(server -> server.stop(0));
    }

    /** Returns a server that answers. */
    private RunningServer server(String arm, HttpHandler answers, Workload... served) throws IOException {
        HttpServer http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        http.createContext("/", answers);
        http.start();
        answering.add(http);
        Path folder = server(arm, Optional.empty()).target().folder();
        URI url = URI.create("http://127.0.0.1:" + http.getAddress().getPort());
        Target target = new FakeTarget(arm, folder, Optional.empty(), url, new RowCounters());
        return new RunningServer(arm, target, List.of(served), Set.of());
    }

    static Procedure procedure() {
        return PlannerTest.procedure(Map.of("generator.warmup", "9s"));
    }

    static Plan plan(double timeSliceSeconds, MeasuredLoad... loads) {
        return new Plan(
                new Plan.Subject("custom", "", ClaimList.NONE),
                new Plan.Design(1, 2, true, 0),
                new Plan.Windows(2, 3, 1, 60, timeSliceSeconds),
                List.of(loads),
                new Plan.Rule(List.of("cpu"), Map.of(), Shares.of(0.03), 0.05, Shares.of(0), Baseline.BOTH_COPIES),
                "equalised",
                true);
    }

    private final List<Batch> seen = new ArrayList<>();

    private GroupLoad run(Plan plan, List<RunningServer> servers) {
        GroupLoad load = new GroupLoad(
                plan,
                procedure(),
                Machines.NONE,
                Path.of(".."),
                "test",
                servers,
                Optional.empty(),
                new Random(3),
                1,
                line -> {},
                0);
        load.run(name -> new FakeGenerator(name, seen), name -> GroupLoad.folder(work, work.resolve("load/" + name)));
        return load;
    }

    @Test
    void eachGeneratorGetsItsLoadsAndTheServersThatCanServeThem() throws IOException {
        MeasuredLoad hello = new MeasuredLoad("hello", 20, 0, "one");
        MeasuredLoad open = new MeasuredLoad("hello", 0, 50, "one");
        MeasuredLoad metrics = new MeasuredLoad("metrics", 20, 0, "two");
        GroupLoad load = run(
                plan(0.1, hello, open, metrics),
                List.of(
                        server("jetty", Optional.empty(), HELLO, METRICS),
                        server("nginx-ref", Optional.empty(), HELLO)));

        assertThat(seen).hasSize(2);
        Batch first = seen.get(0);
        assertThat(first.loads())
                .extracting(one -> one.load().name())
                .containsExactly("hello 20 users", "hello at 50/s");
        assertThat(first.loads()).allSatisfy(one -> assertThat(one.endpoints())
                .extracting(Schedule.Endpoint::name)
                .containsExactly("jetty", "nginx-ref"));
        assertThat(first.loads())
                .extracting(first::inTimeSlices)
                .as("the open model has no time slices")
                .containsExactly(true, false);
        assertThat(first.warmUp().limitMs()).isEqualTo(9000);
        assertThat(first.windowMs() * first.rounds()).isEqualTo(6000);
        assertThat(seen.get(1).loads()).singleElement().satisfies(one -> assertThat(one.endpoints())
                .extracting(Schedule.Endpoint::name)
                .containsExactly("jetty"));
        assertThat(seen.get(1).seed()).isNotEqualTo(first.seed());
        assertThat(load.warmUpSeconds()).isEqualTo(8);
        assertThat(load.loadSeconds()).isEqualTo(12);
        assertThat(load.measured("jetty")).containsOnlyKeys(hello, open, metrics);
        assertThat(load.measured("nginx-ref")).containsOnlyKeys(hello, open);
        assertThat(load.beganMs("jetty")).isPositive();
    }

    @Test
    void eachLoadBeginsWithItsReset() throws IOException {
        AtomicInteger resets = new AtomicInteger();
        AtomicInteger status = new AtomicInteger(204);
        RunningServer jetty = server(
                "jetty",
                exchange -> {
                    resets.incrementAndGet();
                    exchange.sendResponseHeaders(status.get(), -1);
                    exchange.close();
                },
                HELLO.resetBy(RESET),
                METRICS.resetBy(RESET));
        run(
                plan(
                        0,
                        new MeasuredLoad("hello", 20, 0, "one"),
                        new MeasuredLoad("metrics", 20, 0, "one"),
                        new MeasuredLoad("hello", 20, 0, "two")),
                List.of(jetty));
        assertThat(resets).as("once for each load").hasValue(3);

        status.set(500);
        seen.clear();
        assertThatThrownBy(() -> run(plan(0, new MeasuredLoad("hello", 20, 0, "one")), List.of(jetty)))
                .isInstanceOf(LoadException.class)
                .hasMessage("reset of jetty failed: workload clear: POST /reset answered 500 and not 204 (no body)");
        assertThat(seen).as("no load").isEmpty();
    }

    /** Row numbers continue after a reset, but the effects of earlier passes in the server are gone. */
    @Test
    void passesBeforeAResetCountForNoServer() throws IOException {
        RunningServer jetty = server(
                "jetty",
                exchange -> {
                    exchange.sendResponseHeaders(204, -1);
                    exchange.close();
                },
                HELLO.sending(CREATE).resetBy(RESET),
                METRICS.sending(CREATE));
        jetty.target().nextRow("hello", 50_000);
        jetty.target().nextRow("metrics", 7);
        run(
                plan(0, new MeasuredLoad("hello", 20, 0, "one"), new MeasuredLoad("metrics", 20, 0, "one")),
                List.of(jetty));
        assertThat(seen)
                .flatExtracting(Batch::loads)
                .flatExtracting(Batch.Task::endpoints)
                .extracting(Schedule.Endpoint::rows)
                .containsExactly(
                        new Schedule.Endpoint.Rows("hello", 50_000, 50_000, 1),
                        new Schedule.Endpoint.Rows("metrics", 7, 0, 1));
    }

    private static final RequestSpec LOGIN =
            new RequestSpec("POST", Map.of(), "", 302, List.of(), List.of(), List.of(), List.of(), Times.ONCE);

    private static Workload withLogin(String name, Workload page) {
        return Workload.list(name, List.of(new Workload(name + " / login", "/login", 0, 9).sending(LOGIN), page));
    }

    /**
     * Servers with different warm-ups have had different numbers of passes. Only state-changing requests are evened
     * out.
     */
    @Test
    void aLoginAtARateIsCountedAndNoChangeThatServersCatchUp() throws IOException {
        Workload reads = withLogin("reads", new Workload("reads / page", "/page", 5, 5));
        RequestSpec sequence = new RequestSpec(
                "GET", Map.of(), "", 200, List.of(), List.of(), List.of(RequestSpec.SEQUENCE), List.of(), null);
        Workload numbered =
                withLogin("numbered", new Workload("numbered / page", "/page?${sequence}", 5, 5).sending(sequence));
        Workload signs = withLogin("signs", new Workload("signs / page", "/page", 5, 5).sending(CREATE));
        RunningServer jetty = server("jetty", Optional.empty(), reads, numbered, signs);
        jetty.target().nextRow("reads", 5000);
        jetty.target().nextRow("numbered", 7000);
        jetty.target().nextRow("signs", 9000);

        run(
                plan(
                        0,
                        new MeasuredLoad("reads", 0, 50, "one"),
                        new MeasuredLoad("numbered", 0, 50, "one"),
                        new MeasuredLoad("signs", 0, 50, "one"),
                        new MeasuredLoad("reads", 20, 0, "one")),
                List.of(jetty));

        List<Schedule.Endpoint> endpoints = seen.stream()
                .flatMap(batch -> batch.loads().stream())
                .flatMap(task -> task.endpoints().stream())
                .toList();
        assertThat(endpoints)
                .extracting(Schedule.Endpoint::rows)
                .containsExactly(
                        null,
                        new Schedule.Endpoint.Rows("numbered", 7000, 0, 1),
                        new Schedule.Endpoint.Rows("signs", 9000, 0, 1),
                        null);
        assertThat(endpoints).extracting(Schedule.Endpoint::changesEachPass).containsExactly(false, false, true, false);
        assertThat(endpoints)
                .extracting(Schedule.Endpoint::labels)
                .containsExactly(
                        List.of("login", "page"), List.of("login", "page"), List.of("login", "page"), List.of("page"));
    }

    private static final LoadMerge.Division TWO = new LoadMerge.Division(2, 2, 0.9, 5);

    private static final Workload LIST = new Workload("list", "/list?owner=${owner}", 0, Workload.ANY_LENGTH)
            .sending(new RequestSpec(
                    "GET",
                    Map.of(),
                    "",
                    200,
                    IntStream.range(0, 100)
                            .mapToObj(owner -> Map.of("owner", Integer.toString(owner)))
                            .toList()));

    /** Returns the load of two servers that have already had 17 and 91 requests. */
    private GroupLoad lists(List<String> asked, LongUnaryOperator first, LongUnaryOperator second) throws IOException {
        Workload sign = new Workload("sign", "/sign", 0, Workload.ANY_LENGTH).sending(CREATE);
        RunningServer one = server("one", answers(asked, first), LIST, sign);
        RunningServer two = server("two", answers(asked, second), LIST, sign);
        one.target().nextRow("list", 17);
        two.target().nextRow("list", 91);
        return run(
                plan(0, new MeasuredLoad("list", 20, 0, "one"), new MeasuredLoad("sign", 0, 50, "one")),
                List.of(one, two));
    }

    private static List<Warning> warnings(GroupLoad load, MeasuredLoad measuredLoad, WarningKind kind) {
        return load.results("one", TWO).stream()
                .filter(result -> result.load().equals(measuredLoad))
                .flatMap(result -> result.warnings().stream())
                .filter(warning -> warning.kind() == kind)
                .toList();
    }

    /** @param bytes size of the list of an owner */
    private static HttpHandler answers(List<String> asked, LongUnaryOperator bytes) {
        return exchange -> {
            asked.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
            long owner = Long.parseLong(exchange.getRequestURI().getQuery().replace("owner=", ""));
            byte[] body = new byte[(int) bytes.applyAsLong(owner)];
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        };
    }

    /**
     * The list may have been loaded after its server had received more changes. It is unknown which figures suffered,
     * so all of them get the warning.
     */
    @Test
    void whereAnswersDifferAfterALoadThatChangesServersAllItsFiguresSaySo() throws IOException {
        List<String> asked = new CopyOnWriteArrayList<>();
        GroupLoad load = lists(asked, owner -> 1000, owner -> 1500);
        for (MeasuredLoad measuredLoad : load.measured("one").keySet()) {
            assertThat(warnings(load, measuredLoad, WarningKind.UNEQUAL_ANSWERS))
                    .singleElement()
                    .satisfies(warning ->
                            assertThat(warning.figures()).contains("list: 1,000 to 1,500 bytes (limit 3 %)"));
        }
        assertThat(load.measured("one")).hasSize(2);
        assertThat(asked).as("nothing is changed").isNotEmpty().allMatch(request -> request.startsWith("GET "));
    }

    /**
     * A load that changes servers has its own process. A simulation may change them, too, and comes first, because its
     * requests are unknown.
     */
    @Test
    void whatIsMeasuredInALaterProcessThanAChangeSaysSoToo() throws IOException {
        Workload sign = new Workload("sign", "/sign", 0, Workload.ANY_LENGTH)
                .sending(CREATE)
                .resetBy(RESET);
        Workload journey = Workload.simulation("journey", "shop.SignSimulation", List.of());
        for (MeasuredLoad change :
                List.of(new MeasuredLoad("sign", 0, 50, "one"), new MeasuredLoad("journey", 20, 0, "one"))) {
            seen.clear();
            MeasuredLoad list = new MeasuredLoad("list", 20, 0, "one");
            List<RunningServer> servers = new ArrayList<>();
            for (String arm : List.of("one", "two")) {
                HttpHandler gets = answers(new ArrayList<>(), owner -> arm.equals("one") ? 1000 : 1500);
                servers.add(server(
                        arm,
                        exchange -> {
                            if (exchange.getRequestMethod().equals("GET")) {
                                gets.handle(exchange);
                            } else {
                                exchange.sendResponseHeaders(204, -1);
                                exchange.close();
                            }
                        },
                        LIST,
                        sign,
                        journey));
            }
            GroupLoad load = run(plan(0, change, list), servers);
            // A simulation warms up itself, uncounted.
            assertThat(seen).as("processes").hasSize(change.workload().equals("journey") ? 3 : 2);
            assertThat(warnings(load, list, WarningKind.UNEQUAL_ANSWERS))
                    .as(change.workload())
                    .hasSize(1);
            assertThat(warnings(run(plan(0, list), servers), list, WarningKind.UNEQUAL_ANSWERS))
                    .as("nothing was changed")
                    .isEmpty();
        }
    }

    /** Two windows of one server, or two rates of its search, are not two servers. */
    @Test
    void changesAreUnequalBetweenServersOnly() throws IOException {
        MeasuredLoad measuredLoad = new MeasuredLoad("sign", 20, 0, "one");
        Workload sign = new Workload("sign", "/sign", 0, Workload.ANY_LENGTH).sending(CREATE);
        for (long more : List.of(0L, 300L)) {
            List<RunningServer> servers =
                    List.of(server("one", Optional.empty(), sign), server("two", Optional.empty(), sign));
            for (int up = 1; up <= 2; up++) {
                GroupLoad load = new GroupLoad(
                        plan(0, measuredLoad),
                        procedure(),
                        Machines.NONE,
                        Path.of(".."),
                        "test",
                        servers.subList(0, up),
                        Optional.empty(),
                        new Random(3),
                        1,
                        line -> {},
                        0);
                load.run(name -> twoWindows(more), name -> GroupLoad.folder(work, work.resolve("load/" + name)));
                assertThat(warnings(load, measuredLoad, WarningKind.UNEQUAL_CHANGES))
                        .extracting(Warning::figures)
                        .as("%d servers, the second had %d more", up, more)
                        .isEqualTo(
                                up == 1
                                        ? List.of("servers were up one after the other, each with a warm-up of its own"
                                                + " length")
                                        : more > 0 ? List.of("900 to 1,200 requests (limit 1 %)") : List.of());
            }
        }
    }

    /** Generator with a window of 300 requests and one of 600 on each server; {@code more} on server two. */
    private Generator twoWindows(long more) {
        return (Generator) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Generator.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("has")) {
                        return false;
                    }
                    List<LoadResult> results = new ArrayList<>();
                    for (Batch.Task task : ((Batch) arguments[0]).loads()) {
                        for (Schedule.Endpoint endpoint : task.endpoints()) {
                            results.add(FakeGenerator.window(task, endpoint, work, 300));
                            results.add(FakeGenerator.window(
                                    task, endpoint, work, endpoint.name().equals("two") ? 600 + more : 600));
                        }
                    }
                    return new Generator.Results(results, 0, 6, Optional.empty());
                });
    }

    @Test
    void serversAreAskedForTheSameRowAndForOneThatBothHaveHad() throws IOException {
        List<String> asked = new CopyOnWriteArrayList<>();
        GroupLoad load = lists(asked, owner -> 1000 * owner, owner -> 1000 * owner);
        assertThat(load.measured("one")).hasSize(2).allSatisfy((measuredLoad, any) -> assertThat(
                        warnings(load, measuredLoad, WarningKind.UNEQUAL_ANSWERS))
                .isEmpty());
        assertThat(asked).hasSizeGreaterThanOrEqualTo(4).containsOnly("GET /list?owner=16");
    }

    /** At a fixed rate, a user of a list still sends all of its requests. */
    @Test
    void cookiesAreLostWhereAUserSendsASingleRequest() throws IOException {
        Workload shop = Workload.list(
                "shop",
                List.of(new Workload("shop / login", "/login", 5, 5), new Workload("shop / list", "/list", 5, 5)));
        RunningServer jetty = server("jetty", Optional.empty(), HELLO, shop);
        GroupLoad load = run(
                plan(
                        0,
                        new MeasuredLoad("hello", 20, 0, "one"),
                        new MeasuredLoad("hello", 0, 50, "one"),
                        new MeasuredLoad("shop", 20, 0, "one"),
                        new MeasuredLoad("shop", 0, 50, "one")),
                List.of(new RunningServer("jetty", jetty.target(), jetty.workloads(), Set.of("hello", "shop"))));
        assertThat(load.results("jetty", TWO))
                .hasSize(4)
                .filteredOn(result ->
                        result.warnings().stream().anyMatch(warning -> warning.kind() == WarningKind.COOKIES_LOST))
                .extracting(LoadFigures::load)
                .containsExactly(new MeasuredLoad("hello", 0, 50, "one"));
    }

    /** Readings that may be off by 30 ms cannot be assigned to a time slice of 100 ms. */
    @Test
    void turnsAreLongerThanTheUncertaintyOfAnotherMachinesClock() throws IOException {
        RunningServer here = server("here", Optional.empty(), HELLO);
        Target there = (Target) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {Target.class},
                (proxy, method, arguments) -> method.getName().equals("clockUncertaintyMs")
                        ? (Object) 30.0
                        : method.invoke(here.target(), arguments));
        run(
                plan(0.1, new MeasuredLoad("hello", 20, 0, "one")),
                List.of(here, new RunningServer("there", there, List.of(HELLO), Set.of())));
        assertThat(seen).singleElement().extracting(Batch::timeSliceMs).isEqualTo(300L);
    }

    /** Gatling used 3.9 of the load host's 4 processors, while the machine of servlet-bench has 16. */
    @Test
    void aSearchFromALoadHostIsJudgedByThatHostsProcessors() throws IOException {
        MeasuredLoad measuredLoad = new MeasuredLoad("hello", 0, 0, "gatling");
        RunningServer server = server("jetty", Optional.empty(), HELLO);
        StringBuilder rows = new StringBuilder("time.ms,process.cpu.ms,generator.cpu.ms\n");
        for (int second = -1; second <= 7; second++) {
            rows.append(1_000_000 + 1000 * second).append(',').append(500 * second + 500);
            rows.append(',').append(3900 * second + 3900).append('\n');
        }
        Files.writeString(server.target().folder().resolve("monitor.csv"), rows);
        Path sender = Files.writeString(work.resolve("sender.csv"), rows);
        String name = "jetty step 1 hello at 100/s";
        StringBuilder log = new StringBuilder("timeStamp,elapsed,label,success,bytes,sentBytes,grpThreads\n");
        for (int i = 0; i < 600; i++) {
            log.append(1_000_000 + 10 * i).append(",5,").append(name).append(",true,7,5,1\n");
        }
        WindowResult step = RawLog.of(Files.writeString(work.resolve("results.csv"), log))
                .measure()
                .loads()
                .get(0);
        Generator search = (Generator) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Generator.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("has")) {
                        return false;
                    }
                    Batch.Task task = ((Batch) arguments[0]).loads().get(0);
                    return new Generator.Results(
                            List.of(new LoadResult(
                                    task,
                                    "jetty",
                                    step,
                                    Optional.of(new RateSearch.Tried(name, 100, true)),
                                    List.of())),
                            0,
                            6,
                            Optional.of(new Generator.Senders(4, List.of(MonitorSeries.read(sender)))));
                });
        GroupLoad load = new GroupLoad(
                plan(0, measuredLoad),
                PlannerTest.procedure(Map.of("slo", "p99<50ms,errors<1%", "resolution", "5%")),
                Machines.NONE,
                Path.of(".."),
                "test",
                List.of(server),
                Optional.empty(),
                new Random(3),
                1,
                line -> {},
                0);
        load.run(any -> search, any -> work);

        LoadFigures found =
                load.results("jetty", new LoadMerge.Division(2, 16, 0.9, 5)).get(0);
        assertThat(found.figure(Metric.GENERATOR_CORES).orElseThrow()).isCloseTo(3.9, within(0.1));
        assertThat(found.warnings())
                .anySatisfy(warning -> assertThat(warning.figures()).startsWith("the generator was busy 98 %"));
    }

    /** Makes the compiler work. The generator's window lasts from 1 to 4 s; the server is busy for 3 s of it. */
    private static void compilerWorks(RunningServer server, long compilerMillis) throws IOException {
        Files.writeString(
                server.target().folder().resolve("monitor.csv"),
                "time.ms,process.cpu.ms,generator.cpu.ms,compiler.cpu.ms\n0,0,0,0\n1000,1000,500,0\n4000,4000,2000,"
                        + compilerMillis + "\n20000,20000,10000," + compilerMillis + "\n");
    }

    /** The load is measured only once, whatever it shows about the servers: nothing is repeated. */
    @Test
    void aServerThatCompilesUnderTheLoadSaysSo() throws IOException {
        MeasuredLoad hello = new MeasuredLoad("hello", 20, 0, "one");
        RunningServer compiling = server("compiling", Optional.empty(), HELLO);
        compilerWorks(compiling, 120);
        GroupLoad load = run(plan(0, hello), List.of(compiling));
        assertThat(seen).hasSize(1);
        assertThat(load.results("compiling", new LoadMerge.Division(2, 2, 0.9, 5))
                        .get(0)
                        .warnings())
                .filteredOn(warning -> warning.kind() == WarningKind.COMPILING)
                .singleElement()
                .satisfies(warning -> assertThat(warning.figures()).contains("4.0 %", "limit 3 %"));
    }

    @Test
    void aLoadCanBeMeasuredInShortTurnsAndInLongOnes() throws IOException {
        MeasuredLoad timeSlices = new MeasuredLoad("hello", 20, 0, "one");
        MeasuredLoad lengthy = new MeasuredLoad("hello", 20, 0, "one", ToolSettings.LONG_SLICES);
        GroupLoad load = run(
                plan(0.1, lengthy, timeSlices),
                List.of(server("a", Optional.empty(), HELLO), server("b", Optional.empty(), HELLO)));
        assertThat(seen)
                .extracting(batch -> batch.loads().get(0).settings())
                .as("in the plan's order")
                .containsExactly(ToolSettings.LONG_SLICES, ToolSettings.PLAIN);
        assertThat(load.measured("a")).containsOnlyKeys(lengthy, timeSlices);
    }

    @Test
    void whatWasMeasuredInTurnsGoesToTheServerWhoseTurnItWas() throws IOException {
        MeasuredLoad hello = new MeasuredLoad("hello", 20, 0, "one");
        GroupLoad load = run(
                plan(0.1, hello),
                List.of(server("fast", Optional.empty(), HELLO), server("slow-one", Optional.empty(), HELLO)));

        assertThat(load.measured("fast").get(hello)).singleElement().satisfies(result -> {
            assertThat(result.window().throughput()).isCloseTo(200, within(1.0));
            assertThat(result.window().links()).containsExactly("../load/one/raw.log");
        });
        assertThat(load.measured("slow-one").get(hello))
                .singleElement()
                .satisfies(result -> assertThat(result.window().throughput()).isCloseTo(100, within(1.0)));
    }

    @Test
    void aServerAloneHasNoTurnsAndItsToolsFiguresAreKept() throws IOException {
        MeasuredLoad hello = new MeasuredLoad("hello", 20, 0, "one");
        GroupLoad load = run(plan(0.1, hello), List.of(server("jetty", Optional.empty(), HELLO)));

        assertThat(seen.get(0).timeSliceMs()).isZero();
        assertThat(load.measured("jetty").get(hello)).singleElement().satisfies(result -> {
            assertThat(result.window().requests()).isEqualTo(300);
            assertThat(result.window().links()).containsExactly("../load/one/out.txt");
            assertThat(result.window().use().orElseThrow().of(Metric.CPU)).isCloseTo(10_000, within(1e-6));
        });
    }

    @Test
    void aDeadServerIsNamed() throws IOException {
        List<RunningServer> servers = List.of(
                server("jetty", Optional.empty(), HELLO), server("undertow", Optional.of("ended by signal 9"), HELLO));
        assertThatThrownBy(() -> run(plan(0.1, new MeasuredLoad("hello", 20, 0, "one")), servers))
                .isInstanceOf(LoadException.class)
                .hasMessage("a server died under load: undertow: ended by signal 9");
    }
}
