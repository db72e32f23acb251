package org.servletbench.bench.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.servletbench.bench.Services;
import org.servletbench.bench.comparison.ArmSpec;
import org.servletbench.bench.model.ContainerProfile;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.ServedAtOnce;
import org.servletbench.bench.model.ThreadingMode;
import org.servletbench.bench.model.Workload;
import org.servletbench.bench.server.os.ManagedProcess;
import org.servletbench.bench.server.process.TargetSpec;
import org.servletbench.bench.server.proof.Parity;

/**
 * The only test that really builds, starts, checks, queries, monitors and stops every arm that this machine can run,
 * two at once.
 */
@Execution(ExecutionMode.CONCURRENT)
class TargetIT {

    @TempDir
    private Path work;

    private static JsonNode serverJson(Target target) throws IOException {
        return new ObjectMapper()
                .readTree(target.folder().resolve("server.json").toFile());
    }

    /** Covers every container and connector, on the most common Spring Boot version. */
    @ParameterizedTest
    @MethodSource("org.servletbench.bench.server.Arms#usual")
    void provesWhatRunsAndServesTheFourWorkloads(String arm) throws IOException, InterruptedException {
        assertProvenAndServing(arm);
    }

    @ParameterizedTest
    @MethodSource("org.servletbench.bench.server.Arms#onOtherLines")
    @Tag("full")
    void everyLineProvesWhatRunsAndServesTheFourWorkloads(String arm) throws IOException, InterruptedException {
        assertProvenAndServing(arm);
    }

    private void assertProvenAndServing(String arm) throws IOException, InterruptedException {
        Arms.assumeRunnable(arm);
        Map<String, String> options = Arms.options(arm, work);
        options.put("workloads", "hello,static,payload,metrics,delay");
        options.put("users", "100");
        long pid;
        try (Target target = Arms.open(options, Arms.FOLDER, work)) {
            JsonNode json = serverJson(target);
            pid = json.get("pid").longValue();
            assertProven(json, options);
            assertEqualisedSettings(json);
            assertStartUp(json);
            assertListensOnLoopbackOnly(pid);
            assertAnswers(target.url());
            ServedAtOnceIT.assertLimit(target, "platform", "200", ServedAtOnceIT.reserve(arm, 202));
        }
        assertThat(ProcessHandle.of(pid)).isEmpty();
        assertThat(work.resolve("results"))
                .isDirectoryContaining(folder -> Files.exists(folder.resolve("monitor.csv")));
    }

    /** A user's service without a servlet container. The record includes the limits that it lacks. */
    @Test
    @Tag("full")
    void aServiceOnNettyIsPutOnRecord() throws IOException, InterruptedException {
        TargetSpec jetty = Arms.spec(Arms.options("jetty,boot3", work));
        TargetSpec flux = new TargetSpec(
                new TargetSpec.Application(
                        Services.built("flux"),
                        ContainerProfile.unknown("flux"),
                        "own",
                        jetty.bootVersion(),
                        "",
                        Optional.empty()),
                new TargetSpec.Start(
                        jetty.jdk(), jetty.jvmOptions(), jetty.settingsName(), jetty.settings(), List.of()),
                new TargetSpec.Endpoint(TargetSpec.LOOPBACK, OptionalInt.empty(), jetty.startTimeout(), "/hello"),
                ThreadingMode.USUAL,
                Json.MAPPER.convertValue(
                        Map.of("app", Services.built("flux").toString(), "env", Map.of("FLUX_MODE", "test")),
                        ArmSpec.class));
        try (MonitoredServer target = Target.sampled(flux, work.resolve("flux"))) {
            Path process = Path.of("/proc", serverJson(target).get("pid").asText());
            assertThat(process.resolve("cwd").toRealPath())
                    .isEqualTo(Services.built("flux").toRealPath().getParent());
            assertThat(Files.readString(process.resolve("environ")).split("\0")).contains("FLUX_MODE=test");
            JsonNode proven = serverJson(target).get("proven");
            assertThat(proven.get("container").textValue()).isEqualTo("netty");
            assertThat(proven.get("container.version").textValue()).matches("\\d+\\.\\d+\\.\\d+");
            assertThat(proven.get("connector.class").textValue()).startsWith("io.netty.channel.");
            assertThat(proven.get("connector.port").asInt())
                    .isEqualTo(target.url().getPort());
            assertThat(proven.get("effective.threads.max").textValue()).isEqualTo("none: event loops serve");
            assertThat(proven.get("effective.max-keep-alive-requests").textValue())
                    .isEqualTo("-1");
            assertThat(proven.get("effective.accept-count").asInt()).isPositive();
            assertThat(target.parity(List.of(new Workload("hello", "/hello", 5, 5))))
                    .containsEntry("hello: keep-alive", "yes");
            assertThat(target.description()).startsWith("netty 1.");
            assertThat(Integer.parseInt(target.sample().get("threads.io"))).isPositive();
        }
    }

    private static void assertProven(JsonNode json, Map<String, String> options) {
        JsonNode proven = json.get("proven");
        assertThat(proven.get("container.version").textValue()).isEqualTo(options.get("bench.container.version"));
        assertThat(proven.get("connector.class").textValue())
                .isEqualTo(Arms.FOLDER.container(options.get("bench.profile")).connectorClass());
        assertThat(proven.get("boot.version").textValue()).isEqualTo(options.get("bench.boot.version"));
        assertThat(proven.path("native.version").asText())
                .matches(options.get("bench.profile").equals("tomcat-apr") ? "1\\.\\d+\\.\\d+.*" : "");
        assertThat(json.get("jvm.options")).extracting(JsonNode::textValue).startsWith("-Xmx256m", "-Xss256k");
        assertThat(json.get("line").textValue()).isEqualTo(options.get("bench.line"));
    }

    /** The running container has the values of the settings file. */
    private static void assertEqualisedSettings(JsonNode json) throws IOException {
        JsonNode proven = json.get("proven");
        List<String> settings = Files.readAllLines(Arms.FOLDER.settings("equalised"));
        String threads = settings.stream()
                .filter(line -> line.startsWith("bench.threads="))
                .map(line -> line.substring(line.indexOf('=') + 1))
                .findFirst()
                .orElseThrow();
        int others = proven.get("container").textValue().equals("jetty") ? 2 : 0;
        assertThat(proven.get("effective.threads.max").textValue())
                .isEqualTo(Integer.toString(Integer.parseInt(threads) + others));
        // As reported by the kernel, which applies its own limit. (This file must be read in one call, not byte by
        // byte.)
        int most = Integer.parseInt(
                Files.readAllLines(Path.of("/proc/sys/net/core/somaxconn")).get(0));
        assertThat(acceptQueue(proven.get("connector.port").textValue())).isEqualTo(Math.min(4096, most));
        switch (proven.get("container").textValue()) {
            case "tomcat" ->
                assertThat(proven.get("effective.max-keep-alive-requests").textValue())
                        .isEqualTo("-1");
            case "jetty" -> {
                assertThat(proven.get("effective.acceptors").textValue()).isEqualTo("1");
                assertThat(proven.get("effective.selectors").textValue()).isEqualTo("1");
            }
            default ->
                assertThat(proven.get("effective.io-threads").textValue()).isEqualTo("2");
        }
    }

    /** Returns how many connections to a local port may wait to be accepted: Send-Q of the listening socket. */
    private static int acceptQueue(String port) {
        String socket = ManagedProcess.output("ss", "-Hltn", "sport", "=", ":" + port)
                .orElseThrow()
                .strip();
        return Integer.parseInt(socket.split("\\s+")[2]);
    }

    private static void assertStartUp(JsonNode json) {
        assertThat(json.get("ready.ms").longValue()).isPositive();
        JsonNode startUp = json.get("start-up");
        assertThat(startUp.get("jvm.memory.used").longValue()).isGreaterThan(10_000_000);
        assertThat(startUp.get("jvm.classes.loaded").longValue()).isGreaterThan(5_000);
        assertThat(startUp.get("jvm.threads.live").longValue()).isBetween(5L, 300L);
    }

    /** Asserts that no socket of the server's process can be reached from outside. */
    static void assertListensOnLoopbackOnly(long pid) throws IOException {
        List<String> sockets;
        try (Stream<Path> handles = Files.list(Path.of("/proc/" + pid + "/fd"))) {
            sockets = handles.map(TargetIT::link)
                    .filter(link -> link.startsWith("socket:["))
                    .map(link -> link.substring(8, link.length() - 1))
                    .toList();
        }
        List<String> listening = Stream.of("/proc/net/tcp", "/proc/net/tcp6")
                .flatMap(file -> lines(Path.of(file)))
                .map(line -> line.strip().split("\\s+"))
                .filter(columns -> columns.length > 9 && columns[3].equals("0A") && sockets.contains(columns[9]))
                .map(columns -> columns[1].substring(0, columns[1].indexOf(':')))
                .toList();
        assertThat(listening)
                .isNotEmpty()
                .isSubsetOf("0100007F", "0000000000000000FFFF00000100007F", "00000000000000000000000001000000");
    }

    private static String link(Path path) {
        try {
            return Files.readSymbolicLink(path).toString();
        } catch (IOException e) {
            return "";
        }
    }

    private static Stream<String> lines(Path file) {
        try {
            return Files.readAllLines(file).stream();
        } catch (IOException e) {
            return Stream.empty();
        }
    }

    private static void assertAnswers(URI url) throws IOException {
        String hello = get(url, "/hello");
        assertThat(body(hello)).isEqualTo("world");
        assertThat(headers(hello)).contains(Map.entry("content-type", "text/plain;charset=utf-8"));
        assertThat(headers(hello)).containsEntry("content-length", "5");

        String page = get(url, "/");
        assertThat(body(page)).startsWith("<!DOCTYPE html>").hasSize(bytes("static"));
        assertThat(headers(page).get("content-type")).startsWith("text/html");
        assertThat(headers(page)).containsKey("last-modified");
        assertThat(page.length())
                .as("the published page was 11,479 bytes with headers")
                .isBetween(11_380, 11_580);

        String payload = get(url, "/payload");
        assertThat(body(payload)).hasSize(1892).hasSize(bytes("payload"));
        assertThat(headers(payload)).containsEntry("content-length", "1892");

        String metrics = get(url, "/actuator/metrics");
        assertThat(body(metrics)).contains("jvm.memory.used").hasSizeBetween(300, 5000);
        assertThat(body(get(url, "/actuator/health"))).contains("UP");

        for (String answer : List.of(hello, page, payload, metrics)) {
            assertThat(answer).startsWith("HTTP/1.1 200");
            assertThat(headers(answer).getOrDefault("connection", "keep-alive")).isEqualTo("keep-alive");
        }
    }

    private static int bytes(String workload) {
        return Arms.FOLDER.workloads().stream()
                .filter(one -> one.name().equals(workload))
                .findFirst()
                .orElseThrow()
                .minBytes();
    }

    private static String get(URI url, String path) throws IOException {
        try (Socket socket = new Socket(url.getHost(), url.getPort())) {
            send(socket, path);
            return Arms.readAnswer(socket.getInputStream());
        }
    }

    private static void send(Socket socket, String path) throws IOException {
        OutputStream out = socket.getOutputStream();
        out.write(("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
        out.flush();
    }

    private static String body(String answer) {
        return answer.substring(answer.indexOf("\r\n\r\n") + 4);
    }

    private static Map<String, String> headers(String answer) {
        return Arrays.stream(answer.substring(0, answer.indexOf("\r\n\r\n")).split("\r\n"))
                .skip(1)
                .map(line -> line.toLowerCase(Locale.ROOT).split(":\\s*", 2))
                .collect(Collectors.toMap(header -> header[0], header -> header[1], (a, b) -> a, TreeMap::new));
    }

    /** A trap that no published comparison mentions. For equalised settings see {@link #samplesTheServerEachSecond}. */
    @Test
    @Tag("full")
    void closesConnectionsWhereTheDefaultsSaySo() throws IOException {
        Map<String, String> options = Arms.options("tomcat-nio,boot3", work);
        options.put("settings", "defaults");
        try (Target target = Arms.open(options, Arms.FOLDER, work)) {
            assertThat(answersOfOneConnection(target)).isEqualTo(100);
            assertThat(serverJson(target).get("proven").has(ServedAtOnce.LIMIT))
                    .as("counted for workloads that wait only")
                    .isFalse();
            assertThat(target.runtime()).doesNotContainKey(Parity.AT_ONCE);
        }
    }

    private static int answersOfOneConnection(Target target) throws IOException {
        try (Socket socket = new Socket(target.url().getHost(), target.url().getPort())) {
            int count = 0;
            String answer = "HTTP/1.1 200";
            while (count < 150 && !headers(answer + "\r\n\r\n").containsValue("close")) {
                send(socket, "/hello");
                answer = Arms.readAnswer(socket.getInputStream());
                count++;
            }
            return count;
        }
    }

    /** The limit of this server is not counted, because counting starts all threads, some of which end again. */
    @Test
    void samplesTheServerEachSecond() throws IOException, InterruptedException {
        assertSampled("tomcat-nio", 1, 1);
    }

    @ParameterizedTest
    @CsvSource({"tomcat-nio2, 0, 0", "jetty, 1, 1", "undertow, 1, 2"})
    @Tag("full")
    void samplesEveryServerEachSecond(String profile, int acceptors, int io) throws IOException, InterruptedException {
        assertSampled(profile, acceptors, io);
    }

    private void assertSampled(String profile, int acceptors, int io) throws IOException, InterruptedException {
        Path csv;
        try (Target target = Arms.open(profile + ",boot3", work)) {
            csv = target.folder().resolve("monitor.csv");
            assertThat(target.compilerTime()).isPresent();
            assertThat(target.compilerBacklog()).isPresent();
            assertThat(answersOfOneConnection(target)).isEqualTo(150);
            for (int i = 0; i < 100 && Files.readAllLines(csv).size() < 3; i++) {
                get(target.url(), "/hello");
                Thread.sleep(100);
            }
        }
        List<String> rows = Files.readAllLines(csv);
        assertThat(rows.get(0))
                .startsWith(
                        "time.ms,threads.live,threads.runnable,threads.blocked,threads.waiting,threads.timed_waiting,");
        // Each figure of the catalogue has its column; figures of a cgroup and of exports only if an arm has these.
        assertThat(rows.get(0).split(","))
                .doesNotHaveDuplicates()
                .containsAll(Metric.ofServer().stream()
                        .filter(metric -> !metric.isOfLimit() && !metric.isOfExports())
                        .map(metric -> metric.reading().orElseThrow().column())
                        .toList());
        assertThat(rows).hasSizeGreaterThan(2);
        List<String> names = List.of(rows.get(0).split(","));
        List<long[]> values = rows.stream()
                .skip(1)
                .map(row -> Arrays.stream(row.split(",", -1))
                        // A server without a database has no pool whose waits are counted.
                        .mapToLong(cell -> cell.isEmpty() ? 0 : Long.parseLong(cell))
                        .toArray())
                .toList();
        for (long[] row : values) {
            assertThat(Arrays.stream(row, 2, 6).sum())
                    .as("all states")
                    .isEqualTo(row[1])
                    .isPositive();
            assertThat(row[names.indexOf("threads.acceptor")]).isEqualTo(acceptors);
            assertThat(row[names.indexOf("threads.worker")]).isBetween(0L, 200L);
            assertThat(row[names.indexOf("rss.bytes")]).isGreaterThan(50_000_000);
        }
        assertThat(values)
                .anySatisfy(row -> assertThat(row[names.indexOf("threads.io")]).isEqualTo(io));
        for (String total : List.of("alloc.bytes", "process.cpu.ms", "generator.cpu.ms", "context.switches")) {
            int column = names.indexOf(total);
            assertThat(values.get(values.size() - 1)[column]).as(total).isGreaterThanOrEqualTo(values.get(0)[column]);
        }
    }
}
