package org.servletbench.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.comparison.Keys;
import org.servletbench.bench.comparison.LoadSpec;
import org.servletbench.bench.generator.Schedule;
import org.servletbench.bench.host.Hosts;
import org.servletbench.bench.host.Machines;
import org.servletbench.bench.measure.Interleaving;
import org.servletbench.bench.measure.LogSource;
import org.servletbench.bench.measure.Records;
import org.servletbench.bench.measure.SteadyWindow;
import org.servletbench.bench.measure.WindowResult;
import org.servletbench.bench.model.Load;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.ToolSettings;
import org.servletbench.bench.model.Warning;
import org.servletbench.bench.model.WarningKind;

/**
 * The only test of Gatling on load hosts, in network namespaces if they can be created, with two servers on this
 * machine.
 */
@Timeout(300)
class LoadHostsIT {

    private static final Path ROOT =
            Path.of(System.getProperty("bench.root")).toAbsolutePath().normalize();

    @TempDir
    private static Path work;

    private static Hosts hosts;
    private static final List<HttpServer> SERVERS = new ArrayList<>();
    private static final List<AtomicLong> SERVED = List.of(new AtomicLong(), new AtomicLong());
    private static final ExecutorService THREADS = Executors.newCachedThreadPool();

    private final GeneratorsIT.Noting watch = new GeneratorsIT.Noting();

    @TempDir
    private Path folder;

    @BeforeAll
    static void start() throws IOException {
        hosts = new Hosts(work.resolve("hosts"), 2);
        byte[] hello = "hello".getBytes(StandardCharsets.US_ASCII);
        for (AtomicLong served : SERVED) {
            // Listens on the bridge, which the hosts can reach.
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getByName(hosts.address(0)), 0), 0);
            server.createContext("/hello", exchange -> {
                // Users without a wait would take both processors away from other tests.
                LockSupport.parkNanos(3_000_000);
                served.incrementAndGet();
                exchange.sendResponseHeaders(200, hello.length);
                exchange.getResponseBody().write(hello);
                exchange.close();
            });
            server.setExecutor(THREADS);
            server.start();
            SERVERS.add(server);
        }
    }

    @AfterAll
    static void end() throws IOException {
        SERVERS.forEach(server -> server.stop(0));
        THREADS.shutdownNow();
        hosts.close();
    }

    private static String url(int server) {
        return "http://" + hosts.address(0) + ":"
                + SERVERS.get(server).getAddress().getPort();
    }

    private static Batch.Task load(int users, double rate) {
        return new Batch.Task(
                new Load("hello", users, rate),
                ToolSettings.PLAIN,
                List.of(
                        new Schedule.Endpoint("a", url(0), "/hello", 5, 5),
                        new Schedule.Endpoint("b", url(1), "/hello", 5, 5)));
    }

    private static Batch batch(long timeSliceMs, long warmUpMs, Batch.Task... loads) {
        return batch(timeSliceMs, warmUpMs, 2000, Map.of("load.hosts", "h1,h2"), loads);
    }

    private static Batch batch(
            long timeSliceMs, long warmUpMs, long windowMs, Map<String, String> more, Batch.Task... loads) {
        Map<String, String> given = new HashMap<>(Map.of(
                "target.host",
                "bridge",
                "target.allow-remote",
                "true",
                "ssh.config",
                hosts.config().toString(),
                "host.jdk",
                System.getProperty("java.home")));
        given.putAll(more);
        return new Batch(
                new Batch.Work(List.of(loads), List.of(url(0), url(1))),
                new Batch.Pace(1000, windowMs, 1, timeSliceMs),
                new Batch.Settling(new Schedule.WarmUp(warmUpMs, 4, 500, 5, 1), 500, 0, 0),
                new Batch.Run(7, "test", Optional.empty(), true, ROOT),
                Machines.of(given),
                Keys.bind(LoadSpec.class, given, "").search());
    }

    /** Contents of one host's log. */
    private static final class Seen implements Records {
        final Map<String, Long> requests = new TreeMap<>();
        /** By scenario. */
        final Map<String, Integer> users = new TreeMap<>();
        /** By name: start and end of each request, ms since the epoch. */
        final Map<String, List<long[]>> times = new TreeMap<>();

        private final long originMs;
        private final List<String> names = new ArrayList<>();
        private final List<String> populations = new ArrayList<>();

        Seen(LogSource source) {
            originMs = source.originMs();
        }

        @Override
        public int load(String name) {
            names.add(name);
            return names.size() - 1;
        }

        @Override
        public int errorKind(String message) {
            throw new AssertionError(message);
        }

        @Override
        public int population(String scenario) {
            populations.add(scenario);
            return populations.size() - 1;
        }

        @Override
        public void userStarts(int population, long atMs) {
            users.merge(populations.get(population), 1, Integer::sum);
        }

        @Override
        public void request(int load, long startMs, long endMs, int kind, int active, long bytes, long sentBytes) {
            users.merge(names.get(load), active, Math::max);
            request(load, startMs, endMs, kind);
        }

        @Override
        public void request(int load, long startMs, long endMs, int kind) {
            requests.merge(names.get(load), 1L, Long::sum);
            times.computeIfAbsent(names.get(load), name -> new ArrayList<>())
                    .add(new long[] {originMs + startMs, originMs + endMs});
        }
    }

    /** The log is compressed if it is kept. */
    private static Path log(Path folder) {
        Path plain = folder.resolve("simulation.log");
        return Files.exists(plain) ? plain : folder.resolve("simulation.log.gz");
    }

    private Seen seen(Generator generator, String host) throws IOException {
        Seen[] seen = new Seen[1];
        try (InputStream log = LogFile.open(log(folder.resolve(host)))) {
            generator.log().orElseThrow().read(log, source -> seen[0] = new Seen(source));
        }
        return seen[0];
    }

    @Test
    @Tag("full")
    void windowsOfTwoHostsAreOneMeasurement() throws Exception {
        List<Long> before = SERVED.stream().map(AtomicLong::get).toList();
        Generator generator = GeneratorsIT.present("gatling");
        Batch.Task[] loads = {load(5, 0), load(0, 40)};

        Generator.Results results = generator.run(batch(0, 0, loads), folder, watch);

        Seen one = seen(generator, "h1");
        Seen two = seen(generator, "h2");
        for (int server = 0; server < 2; server++) {
            String name = server == 0 ? "a" : "b";
            String closed = name + " round 1 hello 5 users";
            assertThat(one.users).containsEntry(closed, 3);
            assertThat(two.users).containsEntry(closed, 2);
            Map<String, Long> sums = new HashMap<>(one.requests);
            two.requests.forEach((request, count) -> sums.merge(request, count, Long::sum));
            long logged = sums.entrySet().stream()
                    .filter(entry -> entry.getKey().startsWith(name + " "))
                    .mapToLong(Map.Entry::getValue)
                    .sum();
            assertThat(SERVED.get(server).get() - before.get(server))
                    .as("counted at the server")
                    .isEqualTo(logged);
            assertThat(results.results())
                    .filteredOn(result -> result.server().equals(name))
                    .hasSize(loads.length)
                    .allSatisfy(result -> {
                        WindowResult log = result.window();
                        assertThat(log.whole().count()).isEqualTo(sums.get(log.name()));
                        assertThat(log.checks())
                                .filteredOn(Warning::failed)
                                .extracting(Warning::kind)
                                .doesNotContain(
                                        WarningKind.LOG_COMPLETE,
                                        WarningKind.POSSIBLE_TIMES,
                                        WarningKind.GENERATOR_ERRORS,
                                        WarningKind.RAW_COUNT,
                                        WarningKind.UNEQUAL_MIX);
                        assertThat(result.files()).hasSize(2).allSatisfy(file -> assertThat(file)
                                .exists());
                        if (result.task().load().rate() > 0) {
                            assertThat(log.whole().count())
                                    .as("3 s of 40/s in all")
                                    .isBetween(110L, 125L);
                        } else {
                            assertThat(log.steady().count()).isPositive();
                        }
                    });
        }
        Generator.Senders senders = results.senders().orElseThrow();
        assertThat(senders.processors()).isEqualTo(Runtime.getRuntime().availableProcessors());
        assertThat(senders.monitors()).hasSize(2);
        SteadyWindow window = results.results().get(0).window().window();
        assertThat(senders.monitors()).allSatisfy(monitor -> assertThat(monitor.over(window.fromMs(), window.toMs(), 1))
                .map(use -> use.of(Metric.GENERATOR_CORES))
                .hasValueSatisfying(cores -> assertThat(cores).isBetween(0.0, 64.0)));
        assertThat(folder.resolve("hosts.json")).content().contains("clock.uncertainty.ms", "h1", "h2");
        assertThat(watch.reported).contains("begins a", "begins b");
        requireNothingLeft();
    }

    @Test
    @Tag("full")
    void usersOfTwoHostsAreAtTheSameServerInTheSameTurn() throws Exception {
        int users = 200;
        Generator generator = GeneratorsIT.present("gatling");
        Generator.Results results = generator.run(batch(200, 1000, load(users, 0)), folder, watch);

        String load = results.results().get(0).task().load().name();
        Interleaving interleaving = Schedule.readInterleaving(Schedule.interleavingFile(folder, load));
        int[] order = interleaving.order();
        for (String host : List.of("h1", "h2")) {
            Seen seen = seen(generator, host);
            assertThat(seen.users).containsEntry(load, users / 2);
            assertThat(seen.times.keySet()).containsExactlyInAnyOrderElementsOf(interleaving.names());
            long own = 0;
            long all = 0;
            for (Map.Entry<String, List<long[]>> measuredLoad : seen.times.entrySet()) {
                int server = interleaving.names().indexOf(measuredLoad.getKey());
                for (long[] request : measuredLoad.getValue()) {
                    all++;
                    // A request may be sent at the edge of a time slice, by a clock that was read a few ms earlier.
                    own += isTimeSlice(interleaving, order, server, request[0] + Interleaving.SKIP_MS)
                                    || isTimeSlice(interleaving, order, server, request[0] - Interleaving.SKIP_MS)
                            ? 1
                            : 0;
                }
            }
            assertThat(all).isGreaterThan(200);
            // On a shared machine, a generator stalls for some ms now and then. Without time slices the share would be
            // a half.
            assertThat((double) own / all)
                    .as("share of %s in their own time slices", host)
                    .isGreaterThan(0.9);
        }
        assertThat(results.results()).extracting(LoadResult::window).allSatisfy(server -> {
            assertThat(server.checks()).isEmpty();
            assertThat(server.requests()).isPositive();
            assertThat(server.timeSlices().orElseThrow().failed()).isZero();
            assertThat(server.steady().users())
                    .as("users of both hosts waited for it")
                    .isBetween(users * 0.525, users + 0.5);
        });
        assertThat(watch.reported).contains("time slices " + load).doesNotContain("pin");
        assertThat(results.warmUpSeconds()).isPositive();
        requireNothingLeft();
    }

    private static boolean isTimeSlice(Interleaving interleaving, int[] order, int server, long ms) {
        long timeSlice = interleaving.timeSliceAt(ms);
        return timeSlice >= order.length || timeSlice >= 0 && order[(int) timeSlice] == server;
    }

    /** The search ends when its users have as many pending requests as they may; the server could do more. */
    @Test
    void aSearchRunsOnOneHost() throws Exception {
        Map<String, String> options = Map.of(
                "load.hosts", "h2", "slo", "p90<200ms,errors<1%", "in-flight", "40", "from", "20", "resolution", "20%");
        Batch.Task search = new Batch.Task(
                new Load("hello", 0, 0),
                ToolSettings.PLAIN,
                List.of(new Schedule.Endpoint("a", url(0), "/hello", 5, 5)));

        Generator.Results results =
                GeneratorsIT.present("gatling").run(batch(0, 0, 1000, options, search), folder, watch);

        assertThat(results.results()).hasSizeGreaterThan(2).allSatisfy(step -> {
            assertThat(step.server()).isEqualTo("a");
            assertThat(step.window().whole().count()).isPositive();
            assertThat(step.tried().orElseThrow().name()).startsWith("a step ");
        });
        assertThat(log(folder.resolve("h2"))).isNotEmptyFile();
        assertThat(results.senders().orElseThrow().monitors()).hasSize(1);
        requireNothingLeft();
    }

    @Test
    @Tag("full")
    void aGeneratorThatIsKilledEndsTheLoadOnAllHosts() throws Exception {
        requireLost(
                () -> {
                    for (ProcessHandle process : hosts.processes(1)) {
                        // Its class path is too long for ProcessHandle.Info.
                        Path words = Path.of("/proc", Long.toString(process.pid()), "cmdline");
                        if (Files.readString(words, StandardCharsets.ISO_8859_1).contains("io.gatling.app.Gatling")) {
                            process.destroyForcibly();
                        }
                    }
                },
                "Gatling on h1 failed (exit code 137)");
    }

    @Test
    @Tag("full")
    void aConnectionThatIsLostEndsTheLoadOnAllHosts() throws Exception {
        try {
            requireLost(() -> hosts.killSshd(2), "the connection to h2 was lost");
        } finally {
            hosts.startSshd(2);
        }
    }

    private interface Fault {
        void happen() throws IOException;
    }

    /** Causes the fault in the middle of a load. */
    private void requireLost(Fault fault, String message) throws Exception {
        Generator generator = GeneratorsIT.present("gatling");
        Batch batch = batch(200, 0, load(6, 0));
        CompletableFuture<Generator.Results> run =
                CompletableFuture.supplyAsync(() -> generator.run(batch, folder, watch), THREADS);
        while (!watch.reported.contains("time slices hello 6 users")) {
            assertThat(run).isNotCompletedExceptionally();
            Thread.sleep(20);
        }

        fault.happen();

        assertThatThrownBy(run::join).hasCauseInstanceOf(LoadException.class).hasMessageContaining(message);
        requireNothingLeft();
    }

    private static void requireNothingLeft() throws Exception {
        for (int host = 1; host <= 2; host++) {
            hosts.awaitNothingLeft(host);
        }
    }
}
