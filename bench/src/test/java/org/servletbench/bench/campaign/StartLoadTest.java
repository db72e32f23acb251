package org.servletbench.bench.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.measure.CodeTiers;
import org.servletbench.bench.measure.TimeToPeak.Round;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.model.Workload;
import org.servletbench.bench.server.Target;

class StartLoadTest {

    private static final Workload HELLO = new Workload("hello", "/hello", 5, 5);

    private final AtomicLong asked = new AtomicLong();
    private final AtomicLong companionAsked = new AtomicLong();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private HttpServer server;
    private HttpServer companion;

    @BeforeEach
    void start() throws IOException {
        server = server(asked);
        companion = server(companionAsked);
    }

    @AfterEach
    void stop() {
        server.stop(0);
        companion.stop(0);
        threads.shutdownNow();
    }

    private HttpServer server(AtomicLong counter) throws IOException {
        HttpServer made = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        made.setExecutor(threads);
        made.createContext("/hello", exchange -> {
            counter.incrementAndGet();
            exchange.sendResponseHeaders(200, 5);
            exchange.getResponseBody().write("Hello".getBytes(StandardCharsets.US_ASCII));
            exchange.close();
        });
        made.start();
        return made;
    }

    private static URI url(HttpServer of) {
        return URI.create("http://127.0.0.1:" + of.getAddress().getPort());
    }

    /** A target that has only an address, and code samples, of which each look returns the next. */
    private record Address(URI url, Deque<CodeTiers> looks, Optional<String> death) implements Target {

        @Override
        public void startCode() throws IOException {
            if (looks.isEmpty()) {
                throw new IOException("attaching is disabled");
            }
        }

        @Override
        public CodeTiers code() {
            return looks.size() > 1 ? looks.pop() : looks.peek();
        }

        @Override
        public String description() {
            return "";
        }

        @Override
        public Path folder() {
            return Path.of("");
        }

        @Override
        public void note(String what, Object value) {}

        @Override
        public void close(String how) {}
    }

    private static Target address(HttpServer of, CodeTiers... looks) {
        return new Address(url(of), new ArrayDeque<>(List.of(looks)), Optional.empty());
    }

    private static Target dead(HttpServer of) {
        return new Address(url(of), new ArrayDeque<>(), Optional.of("exit 137"));
    }

    private StartLoad begun(double seconds) {
        return begun(seconds, address(companion), ProcessHandle.current().pid());
    }

    private StartLoad begun(double seconds, Target beside, long pid) {
        StartLoad load = new StartLoad(beside, List.of(HELLO), 2, seconds);
        load.begin(new Target.Answering(url(server), pid, System.nanoTime()));
        return load;
    }

    @Test
    void slicesOfTheServerAndOfItsCompanionTakeTurns(@TempDir Path folder) throws IOException {
        List<Round> rounds;
        try (StartLoad load = begun(1.6)) {
            rounds = load.await("plain", address(server));
        }
        assertThat(rounds).isNotEmpty().allSatisfy(one -> {
            assertThat(one.rate()).isPositive();
            assertThat(one.companion()).isPositive();
            assertThat(one.at().cpuSeconds()).isPositive();
        });
        assertThat(rounds).extracting(one -> one.at().seconds()).isSorted().allMatch(at -> at < 1.6);
        assertThat(asked).hasPositiveValue();
        assertThat(companionAsked).hasPositiveValue();

        StartLoad.write(rounds, folder.resolve("peak.csv"));
        assertThat(Files.readAllLines(folder.resolve("peak.csv")))
                .hasSize(rounds.size() + 1)
                .first()
                .isEqualTo("since.start.s,cpu.s,requests.per.s,companion.requests.per.s");
    }

    @Test
    void whoStopsAnsweringIsNamed() {
        server.stop(0);
        assertThatTheLoadFails("plain: it stopped answering under load: ");
    }

    @Test
    void aCompanionThatStopsAnsweringIsNotTakenForTheServer() {
        companion.stop(0);
        assertThatTheLoadFails("plain: its companion stopped answering under load: ");
    }

    private void assertThatTheLoadFails(String reason) {
        try (StartLoad load = begun(60)) {
            assertThatThrownBy(() -> load.await("plain", address(server)))
                    .isInstanceOf(TargetException.class)
                    .hasMessageStartingWith(reason);
        }
    }

    /** Otherwise the message would be that the kernel's file about the process is missing, which helps nobody. */
    @Test
    void aDeathIsTheReasonThatIsReported() throws Exception {
        Process ended = new ProcessBuilder("true").start();
        ended.waitFor();
        try (StartLoad load = begun(60, address(companion), ended.pid())) {
            assertThatThrownBy(() -> load.await("plain", dead(server)))
                    .isInstanceOf(TargetException.class)
                    .hasMessage("plain: the server died under load: exit 137");
        }
        try (StartLoad load = begun(60, dead(companion), ended.pid())) {
            assertThatThrownBy(() -> load.await("plain", address(server)))
                    .hasMessage("plain: its companion died under load: exit 137");
        }
    }

    @Test
    void slicesThatCannotBeKeptAreAnError(@TempDir Path folder) {
        assertThatThrownBy(() -> StartLoad.write(List.of(), folder.resolve("none/peak.csv")))
                .isInstanceOf(TargetException.class)
                .hasMessageStartingWith("cannot write ");
    }

    @Test
    void warmIsTheLookThatShowsIt(@TempDir Path folder) throws IOException {
        CodeTiers cold = new CodeTiers(300, 400, 300);
        CodeTiers warm = new CodeTiers(0, 1, 2000);
        try (StartLoad load = begun(60)) {
            assertThat(load.untilWarm(address(server, cold, warm), folder.resolve("warm.csv")))
                    .hasValueSatisfying(at -> assertThat(at.seconds()).isPositive());
        }
        assertThat(Files.readAllLines(folder.resolve("warm.csv")))
                .hasSize(3)
                .last()
                .asString()
                .endsWith(",0,1,2000");
    }

    @Test
    void whoseCodeStaysColdIsNeverWarm(@TempDir Path folder) throws IOException {
        try (StartLoad load = begun(1.2)) {
            assertThat(load.untilWarm(address(server, new CodeTiers(300, 400, 300)), folder.resolve("warm.csv")))
                    .isEmpty();
        }
    }

    @Test
    void codeThatCannotBeSeenIsReported(@TempDir Path folder) {
        try (StartLoad load = begun(60)) {
            assertThatThrownBy(() -> load.untilWarm(address(server), folder.resolve("warm.csv")))
                    .isInstanceOf(IOException.class)
                    .hasMessage("attaching is disabled");
        }
    }

    @Test
    void oneThatWasNeverBegunEnds() {
        new StartLoad(address(companion), List.of(HELLO), 2, 60).close();
        assertThat(companionAsked).hasValue(0);
    }
}
