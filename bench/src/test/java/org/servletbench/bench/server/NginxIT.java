package org.servletbench.bench.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.load.ToolResult;
import org.servletbench.bench.load.tool.CommandLineGenerator;
import org.servletbench.bench.load.tool.ToolLoads;
import org.servletbench.bench.measure.MonitorSeries;
import org.servletbench.bench.measure.ServerUse;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.server.process.Jdk;
import org.servletbench.bench.server.process.NginxSpec;

/** The only test that really starts, queries and stops the reference server. */
class NginxIT {

    @TempDir
    private Path work;

    private final NginxSpec spec = NginxSpec.of(Maven.ROOT);

    /** In CI, nothing is skipped. */
    @BeforeEach
    void installed() {
        if (!"true".equals(System.getenv("CI"))) {
            NginxSpec.missing().ifPresent(Assumptions::abort);
        }
    }

    private record Answer(int status, String type, byte[] body) {}

    private static Answer get(URI url, String path) throws IOException {
        HttpURLConnection connection =
                (HttpURLConnection) url.resolve(path).toURL().openConnection();
        int status = connection.getResponseCode();
        try (InputStream in = status < 400 ? connection.getInputStream() : connection.getErrorStream()) {
            String type = connection.getContentType().toLowerCase(Locale.ROOT).replace(" ", "");
            return new Answer(status, type, in.readAllBytes());
        }
    }

    private static List<ProcessHandle> processes(JsonNode json) {
        ProcessHandle master = ProcessHandle.of(json.get("pid").longValue()).orElseThrow();
        return java.util.stream.Stream.concat(java.util.stream.Stream.of(master), master.descendants())
                .toList();
    }

    private static JsonNode serverJson(Target target) throws IOException {
        return new ObjectMapper()
                .readTree(target.folder().resolve("server.json").toFile());
    }

    @Test
    void servesTheSameBodiesAsTheAppOnLoopbackAndGoesWithoutATrace() throws IOException {
        List<ProcessHandle> processes;
        URI url;
        Path folder;
        try (Target app = Arms.open("tomcat-nio,boot3", work);
                Target nginx = Target.reference(Maven.ROOT, work.resolve("results/nginx"))) {
            url = nginx.url();
            folder = nginx.folder();
            for (String path : List.of("/hello", "/", "/payload")) {
                Answer ours = get(url, path);
                Answer theirs = get(app.url(), path);
                assertThat(ours.status()).isEqualTo(200);
                assertThat(ours.body()).as(path).isNotEmpty().isEqualTo(theirs.body());
                assertThat(ours.type()).as(path).startsWith(theirs.type().split(";")[0]);
            }
            assertThat(get(url, "/payload").type()).isEqualTo("text/plain;charset=utf-8");
            assertThat(get(url, "/nginx.conf").status()).isEqualTo(404);
            assertThat(get(url, "/index.html").status()).isEqualTo(404);
            JsonNode json = serverJson(nginx);
            assertThat(json.get("arm").textValue()).isEqualTo("nginx");
            assertThat(json.get("proven").get("container").textValue()).isEqualTo("nginx");
            assertThat(json.get("proven").get("container.version").textValue()).matches("1\\.\\d+\\.\\d+");
            assertThat(nginx.description())
                    .contains(json.get("proven").get("container.version").textValue());
            processes = processes(json);
            assertThat(processes).hasSizeGreaterThan(1);
            for (ProcessHandle process : processes) {
                TargetIT.assertListensOnLoopbackOnly(process.pid());
            }
            assertThat(nginx.compilerTime()).isEmpty();
            assertThat(nginx.death()).isEmpty();
        }
        assertThat(processes).noneMatch(ProcessHandle::isAlive);
        assertThatThrownBy(() -> get(url, "/hello")).isInstanceOf(ConnectException.class);
        assertThat(folder.resolve("server.json")).content().contains("\"ended\" : \"stopped\"");
        assertThat(folder.resolve("nginx/nginx.pid")).doesNotExist();
    }

    @Test
    @Tag("full")
    void itsCpuAndMemoryAreThoseOfAllItsProcesses() throws IOException {
        CommandLineGenerator wrk = CommandLineGenerator.named("wrk");
        if (!"true".equals(System.getenv("CI"))) {
            wrk.missing().ifPresent(Assumptions::abort);
        }
        Path folder;
        ToolResult load;
        try (Target nginx = Target.reference(Maven.ROOT, work.resolve("results/nginx"))) {
            folder = nginx.folder();
            load = wrk.run(
                    ToolLoads.lasting(nginx.url().resolve("/payload"), 8, Duration.ofSeconds(3)),
                    Files.createDirectory(folder.resolve("wrk")),
                    Optional.empty(),
                    ToolLoads.UNWATCHED);
            assertThat(processes(serverJson(nginx)))
                    .as("one worker for each processor")
                    .hasSize(1 + Runtime.getRuntime().availableProcessors());
        }
        assertThat(load.figures().failed()).isZero();
        ServerUse use = MonitorSeries.read(folder.resolve("monitor.csv"))
                .over(load.fromMs(), load.toMs(), load.figures().completed())
                .orElseThrow();
        assertThat(use.of(Metric.CPU)).isBetween(0.5, 1000.0);
        assertThat(use.of(Metric.SERVER_CORES))
                .isLessThan(0.1 + Runtime.getRuntime().availableProcessors());
        assertThat(use.of(Metric.RSS)).isBetween(500_000.0, 100_000_000.0);
        assertThat(use.of(Metric.SWITCHES)).isPositive();
        assertThat(use.of(Metric.COMPILER)).as("there is no JVM").isNaN();
        String columns = Files.readAllLines(folder.resolve("monitor.csv")).get(0);
        for (Metric metric : Metric.ofServer()) {
            assertThat(List.of(columns.split(","))
                            .contains(metric.reading().orElseThrow().column()))
                    .as(metric.key())
                    .isEqualTo(!metric.isOfJvm() && !metric.isOfLimit() && !metric.isOfSome());
        }
    }

    @Test
    @Tag("full")
    void aKilledMasterIsADeathAndItsWorkersGoToo() throws Exception {
        Target nginx = Target.reference(Maven.ROOT, work.resolve("results/nginx"));
        List<ProcessHandle> processes = processes(serverJson(nginx));
        try {
            processes.get(0).destroyForcibly();
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            while (nginx.death().isEmpty()) {
                assertThat(System.nanoTime()).isLessThan(deadline);
                Thread.sleep(20);
            }
            assertThat(nginx.death()).contains("ended by signal 9");
        } finally {
            nginx.close();
        }
        assertThat(processes).noneMatch(ProcessHandle::isAlive);
        assertThat(serverJson(nginx).get("ended").textValue()).isEqualTo("died under load: ended by signal 9");
    }

    /** Kills servlet-bench with kill -9. */
    @Test
    @Tag("full")
    void itDiesWithTheRig() throws Exception {
        Path said = work.resolve("rig.out");
        Process rig = new ProcessBuilder(
                        Jdk.command(Jdk.ownHome()),
                        "-Dbench.root=" + Maven.ROOT,
                        "-cp",
                        System.getProperty("java.class.path"),
                        NginxRigMain.class.getName(),
                        work.resolve("results").toString())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        List<ProcessHandle> processes;
        try {
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            while (!Files.readString(said).endsWith("\n")) {
                assertThat(System.nanoTime()).isLessThan(deadline);
                Thread.sleep(50);
            }
            processes = Files.readString(said)
                    .strip()
                    .lines()
                    .map(pid -> ProcessHandle.of(Long.parseLong(pid)).orElseThrow())
                    .toList();
            assertThat(processes).hasSizeGreaterThan(1);
        } finally {
            rig.destroyForcibly().waitFor();
        }
        for (ProcessHandle process : processes) {
            process.onExit().get(20, TimeUnit.SECONDS);
        }
    }

    @Test
    void aBrokenConfigurationIsSaidPlainly() throws IOException {
        Path broken = Files.writeString(work.resolve("broken.conf"), "daemon off;\nnonsense;\n");
        NginxSpec bad = new NginxSpec(broken, spec.page(), spec.payload());
        assertThatThrownBy(() -> NginxTarget.start(bad, work.resolve("results/nginx")))
                .isInstanceOf(TargetException.class)
                .hasMessageContaining("nginx died at its start")
                .hasMessageContaining("unknown directive \"nonsense\"");
    }
}
