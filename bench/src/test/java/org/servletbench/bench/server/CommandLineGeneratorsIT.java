package org.servletbench.bench.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.servletbench.bench.load.ToolResult;
import org.servletbench.bench.load.tool.CommandLineGenerator;
import org.servletbench.bench.load.tool.ToolLoad;
import org.servletbench.bench.load.tool.ToolLoads;
import org.servletbench.bench.server.http.HttpWire;

/**
 * The only test of wrk, ab and siege with a real server, whose own count must equal theirs. It also checks that none of
 * their sockets can ever be reached from another machine.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CommandLineGeneratorsIT {

    private static final int USERS = 8;
    private static final String MISSING = "/no-such-page";

    @TempDir
    private static Path work;

    private Sockets.Watch watch;
    private Target server;
    private int run;

    @BeforeAll
    void start() throws IOException {
        watch = new Sockets.Watch(() -> Sockets.family(ProcessHandle.current()));
        server = Arms.open("tomcat-nio,boot3", work);
        // The meter appears only with the first request.
        HttpWire.status(server.url(), "/hello");
    }

    @AfterAll
    void stop() {
        server.close();
        watch.close();
        assertThat(watch.seen())
                .anyMatch(one -> one.port() == server.url().getPort())
                .allMatch(Sockets.Open::isLoopback, "is on loopback");
    }

    /** In CI, nothing is skipped. */
    private static void assumeInstalled(CommandLineGenerator tool) {
        if (!"true".equals(System.getenv("CI"))) {
            tool.missing().ifPresent(Assumptions::abort);
        }
    }

    private ToolLoad lasting(int seconds) {
        return ToolLoads.lasting(server.url().resolve("/hello"), USERS, Duration.ofSeconds(seconds));
    }

    Stream<Arguments> loads() {
        URI hello = server.url().resolve("/hello");
        return Stream.of(
                Arguments.of("wrk", lasting(2)),
                Arguments.of("wrk", ToolLoads.threads(ToolLoads.closing(lasting(1)), 4)),
                Arguments.of("ab", ToolLoads.closing(ToolLoads.counting(hello, USERS, 3000))),
                Arguments.of("ab", lasting(2)),
                Arguments.of("siege", lasting(3)),
                Arguments.of("siege", ToolLoads.closing(ToolLoads.paused(lasting(3), 0.2))));
    }

    /**
     * Waits until the count stays the same three times, because requests that are in flight at the end of a load are
     * counted slightly later.
     */
    private long atRest(String path) throws Exception {
        long count = served(path);
        for (int same = 0; same < 3; ) {
            Thread.sleep(100);
            long now = served(path);
            same = now == count ? same + 1 : 0;
            count = now;
        }
        return count;
    }

    @ParameterizedTest
    @MethodSource("loads")
    void countsWhatTheServerCounts(String name, ToolLoad load) throws Exception {
        CommandLineGenerator tool = CommandLineGenerator.named(name);
        assumeInstalled(tool);
        long before = atRest("/hello");

        ToolResult result = tool.run(load, folder(), Optional.of("0"), ToolLoads.UNWATCHED);

        assertThat(result.figures().failed()).isZero();
        assertThat(result.figures().failures()).isEmpty();
        long completed = result.figures().completed();
        if (load.requests().isPresent()) {
            assertThat(completed).isEqualTo(load.requests().getAsLong());
        } else {
            assertThat(completed).isPositive();
        }
        // A meter counts a request once it is answered, so the last ones may still be in flight.
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (served("/hello") - before < completed) {
            assertThat(System.nanoTime())
                    .as("the server counts fewer than the tool")
                    .isLessThan(deadline);
            Thread.sleep(50);
        }
        long inFlight = load.duration().isPresent() ? USERS : 0;
        assertThat(served("/hello") - before).isBetween(completed, completed + inFlight);

        // At most one processor, because the generator is pinned to it.
        assertThat(result.cpuSeconds()).isBetween(0.0, (result.toMs() - result.fromMs()) / 1000.0 + 0.05);
        assertThat(result.figures().latency().mean())
                .isPositive()
                .isLessThanOrEqualTo(result.figures().latency().max() + 10);
        assertThat(result.toMs() - result.fromMs())
                .isGreaterThanOrEqualTo((long) (result.figures().seconds() * 1000) - 20);
        assertThat(result.files()).contains(name + ".out", name + ".err");
        for (String file : result.files()) {
            assertThat(result.folder().resolve(file)).exists();
        }
    }

    @ParameterizedTest
    @MethodSource("names")
    void failuresAreCounted(String name) throws IOException {
        CommandLineGenerator tool = CommandLineGenerator.named(name);
        assumeInstalled(tool);
        ToolLoad load = ToolLoads.lasting(server.url().resolve(MISSING), 2, Duration.ofSeconds(1));

        ToolResult result = tool.run(load, folder(), Optional.empty(), ToolLoads.UNWATCHED);

        assertThat(result.figures().completed()).isPositive();
        assertThat(result.figures().failed()).isEqualTo(result.figures().completed());
    }

    static Stream<String> names() {
        return CommandLineGenerator.all().stream().map(CommandLineGenerator::name);
    }

    private Path folder() throws IOException {
        return Files.createDirectory(work.resolve("run" + run++));
    }

    /** Returns the number of requests that the server's own meter counted. */
    private long served(String path) throws IOException {
        JsonNode meter = new ObjectMapper()
                .readTree(server.url()
                        .resolve("/actuator/metrics/http.server.requests?tag=uri:" + path)
                        .toURL());
        for (JsonNode measurement : meter.get("measurements")) {
            if (List.of("COUNT").contains(measurement.get("statistic").textValue())) {
                return measurement.get("value").longValue();
            }
        }
        throw new AssertionError(meter.toString());
    }
}
