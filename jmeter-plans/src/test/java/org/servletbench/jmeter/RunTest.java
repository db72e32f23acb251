package org.servletbench.jmeter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.load.LoadException;
import org.servletbench.bench.load.RawLog;
import org.servletbench.bench.load.jmeter.JMeterHosts;
import org.servletbench.bench.load.jmeter.JMeterRun;
import org.servletbench.bench.load.jmeter.JMeterTable;
import org.servletbench.bench.measure.WindowResult;
import org.servletbench.bench.model.Load;

/** Tests of JMeter itself, with a server that counts. */
class RunTest {

    private static final JMeterHosts HERE = new JMeterHosts(List.of());

    @TempDir
    Path folder;

    private final List<String> console = Collections.synchronizedList(new ArrayList<>());

    private JMeterRun run(CountingServer server, Map<String, String> given) {
        return new JMeterRun(Rig.jmeter(given), Rig.load(given), HERE, server.asServer(), folder, console::add);
    }

    @Test
    void countsConnectionsTableAndDashboardAgree() throws Exception {
        Map<String, String> given =
                new HashMap<>(Map.of("users", "5,10", "loops", "3,4", "workloads", "hello,metrics"));
        given.putAll(Map.of("warmup", "10m", "warmup.users", "4", "warmup.burst", "1s", "warmup.pause", "0s"));
        // With these settings, throughput never counts as rising, so the warm-up ends after its second burst.
        given.putAll(Map.of("warmup.rise.percent", "100", "warmup.flat.bursts", "1"));
        try (CountingServer server = new CountingServer()) {
            JMeterRun run = run(server, given);
            JMeterTable table = run.run(Rig.TIERS);

            Map<String, Long> expected = Map.of(
                    "hello 5 users", 15L, "hello 10 users", 40L, "metrics 5 users", 15L, "metrics 10 users", 40L);
            expected.forEach((label, requests) -> assertThat(
                            table.row(label).orElseThrow().all().count())
                    .as(label)
                    .isEqualTo(requests));
            assertThat(table.rows()).hasSize(5);
            // Each user keeps one connection over all its iterations: 5 + 10 in both workloads, 4 in the warm-up.
            assertThat(server.connections).hasValue(2 * (5 + 10) + 4);
            // The requests that the server received beyond the results are the warm-up, which the results must not
            // contain.
            assertThat(server.requestsTo("/hello")).isGreaterThan(55);
            assertThat(run.warmUp().bursts()).isNotEmpty();
            assertThat(server.pinned).hasValue(1);
            assertThat(run.isComplete()).isTrue();

            JsonNode dashboard = new ObjectMapper()
                    .readTree(folder.resolve("dashboard/statistics.json").toFile());
            assertThat(dashboard).hasSize(5);
            for (JMeterTable.Row row : table.rows()) {
                JsonNode theirs = dashboard.get(row.label().equals(JMeterTable.TOTAL) ? "Total" : row.label());
                assertThat(theirs.get("sampleCount").asLong())
                        .isEqualTo(row.all().count());
                assertThat(theirs.get("errorCount").asLong())
                        .isEqualTo(row.all().errors());
                assertThat(theirs.get("meanResTime").asDouble())
                        .isCloseTo(row.all().latency().mean(), within(1e-3));
                assertThat(theirs.get("minResTime").asDouble())
                        .isEqualTo(row.all().latency().min());
                assertThat(theirs.get("maxResTime").asDouble())
                        .isEqualTo(row.all().latency().max());
                assertThat(theirs.get("throughput").asDouble())
                        .isCloseTo(
                                row.perSecond(row.all().count()),
                                within(row.perSecond(row.all().count()) * 1e-4));
                assertThat(theirs.get("receivedKBytesPerSec").asDouble())
                        .isCloseTo(
                                row.perSecond(row.all().bytes() / 1024.0),
                                within(row.perSecond(row.all().bytes() / 1024.0) * 1e-4));
                assertThat(theirs.get("sentKBytesPerSec").asDouble())
                        .isCloseTo(
                                row.perSecond(row.all().sentBytes() / 1024.0),
                                within(row.perSecond(row.all().sentBytes() / 1024.0) * 1e-4));
            }
            assertThat(Files.readAllLines(folder.resolve("results.csv"))).hasSize(1 + 110);
            assertThat(Files.readAllLines(folder.resolve("table.csv"))).hasSize(1 + 5);
            // All users were still there when the last one arrived.
            assertThat(mostUsers("hello 10 users")).isEqualTo(10);
            assertThat(Files.readString(folder.resolve("jmeter.log")))
                    .doesNotContain(" ERROR ")
                    .doesNotContain(" WARN ");
            assertThat(console)
                    .anyMatch(line -> line.startsWith("[1/4] hello 5 users"))
                    .anyMatch(line -> line.startsWith("[4/4] metrics 10 users"));
        }
    }

    /**
     * JMeter's schedule counts from the start of the test. Requests due during the warm-up must not be sent at once.
     */
    @Test
    @Tag("full")
    void theOpenModelKeepsItsRateAfterAWarmUp() throws Exception {
        Map<String, String> given = new HashMap<>(Map.of("model", "open", "rate", "50", "workloads", "hello,static"));
        given.putAll(Map.of("hold", "3500ms", "warmup", "2s", "warmup.users", "2", "warmup.burst", "1s"));
        given.put("warmup.pause", "0s");
        try (CountingServer server = new CountingServer()) {
            JMeterRun run = run(server, given);
            JMeterTable table = run.run(Rig.TIERS);

            long last = 0;
            for (String label : List.of("hello at 50/s", "static at 50/s")) {
                assertThat(table.row(label).orElseThrow().all().count())
                        .as(label)
                        .isEqualTo(175);
                assertThat(table.row(label).orElseThrow().all().errors())
                        .as(label)
                        .isZero();
                LongSummaryStatistics starts = column(label, "timeStamp").summaryStatistics();
                // No request starts before it is due, and the last is due 3,480 ms after the first. If all were sent at
                // once, the difference would be 0.
                assertThat(starts.getMax() - starts.getMin()).as(label).isGreaterThan(1_750);
                assertThat(starts.getMin()).as("one workload after the other").isGreaterThan(last);
                last = starts.getMax();
            }
            // The rest is the warm-up, which in the end runs at the rate.
            assertThat(server.requestsTo("/hello")).isGreaterThan(175 + 20);
            assertThat(RawLog.of(folder.resolve("results.csv")).measure().loads())
                    .extracting(WindowResult::load)
                    .containsExactly(new Load("hello", 0, 50), new Load("static", 0, 50));
            assertThat(Files.readString(folder.resolve("jmeter.log")))
                    .doesNotContain(" ERROR ")
                    .doesNotContain(" WARN ");
            assertThat(console).anyMatch(line -> line.startsWith("[2/2] static at 50/s"));
        }
    }

    private long mostUsers(String label) throws IOException {
        return column(label, "grpThreads").max().orElseThrow();
    }

    private LongStream column(String label, String name) throws IOException {
        List<String> lines = Files.readAllLines(folder.resolve("results.csv"));
        int column = List.of(lines.get(0).split(",")).indexOf(name);
        return lines.stream()
                .filter(line -> line.contains("," + label + ","))
                .mapToLong(line -> Long.parseLong(line.split(",")[column]));
    }

    @Test
    @Tag("full")
    void tooManyFailuresFailAfterTheResultsAreKept() throws Exception {
        try (CountingServer server = new CountingServer()) {
            server.failEvery = 10;
            JMeterRun run = run(server, Map.of("users", "10", "loops", "10", "workloads", "hello", "warmup", "0s"));
            assertThatThrownBy(() -> run.run(Rig.TIERS))
                    .isInstanceOf(LoadException.class)
                    .hasMessageContaining("hello 10 users: 10.000 % of 100 requests failed, more than 0.1 %")
                    .hasMessageContaining("500");
            assertThat(JMeterTable.read(folder.resolve("results.csv"))
                            .row("hello 10 users")
                            .orElseThrow()
                            .all()
                            .errors())
                    .isEqualTo(10);
            assertThat(folder.resolve("dashboard/index.html")).exists();
            assertThat(folder.resolve("table.csv")).exists();
        }
    }

    @Test
    @Tag("full")
    void aServerThatDiesEndsTheRunAndKeepsWhatWasMeasured() throws Exception {
        try (CountingServer server = new CountingServer()) {
            JMeterRun run = run(server, Map.of("users", "5", "hold", "10m", "workloads", "hello", "warmup", "0s"));
            Thread killer = new Thread(() -> {
                try {
                    // Waits until JMeter has written some samples, which it does in blocks.
                    Rig.await("samples", () -> sizeOf(folder.resolve("results.csv")) > 10_000);
                    server.death = "exit code 137";
                } catch (Exception e) {
                    server.death = e.toString();
                }
            });
            killer.start();
            assertThatThrownBy(() -> run.run(Rig.TIERS))
                    .isInstanceOf(LoadException.class)
                    .hasMessage(
                            "the server died under load: exit code 137; what was measured until then is kept, and is"
                                    + " not a result");
            assertThat(run.isComplete()).isFalse();
            assertThat(JMeterTable.read(folder.resolve("results.csv")).row("hello 5 users"))
                    .isPresent();
            assertNoChild();
        }
    }

    static long sizeOf(Path file) {
        try {
            return Files.size(file);
        } catch (IOException e) {
            return 0;
        }
    }

    static void assertNoChild() throws Exception {
        Rig.await("the end of every JMeter", () -> ProcessHandle.current()
                .descendants()
                .filter(child -> child.info().arguments().stream()
                        .flatMap(Arrays::stream)
                        .anyMatch(word -> word.contains("ApacheJMeter")))
                .findAny()
                .isEmpty());
    }
}
