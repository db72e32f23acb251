package org.servletbench.bench.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.Mirror;
import org.servletbench.bench.campaign.ArmBuilds;
import org.servletbench.bench.campaign.GroupWarmUp;
import org.servletbench.bench.campaign.RunningServer;
import org.servletbench.bench.cli.RunOptions;
import org.servletbench.bench.measure.Interleaving;
import org.servletbench.bench.measure.MonitorSeries;
import org.servletbench.bench.measure.ServerUse;
import org.servletbench.bench.measure.SliceUsage;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Options;
import org.servletbench.bench.model.ProfilesFolder;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.model.WarmUpPlan;
import org.servletbench.bench.model.Workload;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.server.Target;
import org.servletbench.bench.server.WarmUp;
import org.servletbench.bench.server.proof.Parity;

/**
 * The only test of the real application on a separate machine: it is checked, warmed up, read in time slices, and dies
 * in several ways.
 */
@Timeout(180)
class RemoteTargetIT {

    private static final Path ROOT =
            Path.of(System.getProperty("bench.root")).toAbsolutePath().normalize();
    private static final ProfilesFolder PROFILES = new ProfilesFolder(ROOT.resolve("profiles"));

    @TempDir
    private static Path work;

    private static Hosts hosts;
    private static Map<String, String> given;

    @BeforeAll
    static void make() throws IOException {
        hosts = new Hosts(work.resolve("hosts"), 1);
        Arm arm = new ArmBuilds(ROOT, line -> {})
                .complete(List.of(Arm.planned("jetty", "jetty", Arm.Role.ARM, PROFILES.container("jetty"), "boot3")))
                .get(0);
        given = new HashMap<>(Map.of(
                "bench.jar", arm.jar(),
                "bench.profile", arm.profile(),
                "bench.line", arm.line(),
                "bench.container.version", arm.containerVersion(),
                "bench.boot.version", arm.bootVersion(),
                "settings", "equalised"));
        given.put(
                "jvm.options",
                Files.writeString(work.resolve("small.options"), Mirror.SMALL_JVM)
                        .toString());
        given.put("target.host", "h1");
        given.put("target.allow-remote", "true");
        given.put("ssh.config", hosts.config().toString());
        given.put("host.jdk", System.getProperty("java.home"));
    }

    @AfterAll
    static void end() throws IOException {
        hosts.close();
    }

    private static Options options(String... more) {
        Map<String, String> all = new HashMap<>(given);
        for (int i = 0; i < more.length; i += 2) {
            all.put(more[i], more[i + 1]);
        }
        return new Options(all, PROFILES.loadDefaults());
    }

    private static Target open(Options options) {
        RunOptions asked = new RunOptions(options, PROFILES);
        return RemoteTarget.open(asked.machines(), asked.target(), work.resolve("results"), asked.load());
    }

    @Test
    void aServerIsStartedProvenWarmedUpWatchedAndStoppedThere() throws Exception {
        Options options = options();
        List<Workload> workloads = new RunOptions(options, PROFILES).load().workloads();
        Path folder;
        long from;
        long to;
        try (Target target = open(options)) {
            folder = target.folder();
            assertThat(target.url().getHost()).isEqualTo(hosts.address(1));
            assertThat(target.description()).startsWith("h1: jetty ").contains("proven by the running server");
            JsonNode json = Json.MAPPER.readTree(folder.resolve("server.json").toFile());
            long pid = json.get("pid").asLong();
            assertThat(hosts.processes(1)).extracting(ProcessHandle::pid).contains(pid);
            assertThat(json.get("host").asText()).isEqualTo("h1");
            assertThat(json.get("proven").get("jvm.home").asText()).isEqualTo(System.getProperty("java.home"));

            assertThat(target.parity(workloads))
                    .containsKeys("hello: content-type", Parity.JDK)
                    .containsEntry("hello: keep-alive", "yes");
            long before = System.currentTimeMillis();
            from = target.mark().orElseThrow();
            // Converted to this machine's time, as far as the two clocks agree.
            assertThat(from).isBetween(before - 5_000, System.currentTimeMillis() + 5_000);
            WarmUp.Outcome warm = GroupWarmUp.run(
                            List.of(new RunningServer("jetty", target, workloads, Set.of())),
                            WarmUpPlan.of(
                                    options.orElse(Map.of("warmup.burst", "500ms", "warmup.pause", "100ms")),
                                    Duration.ofSeconds(2)),
                            false,
                            line -> {})
                    .outcomes()
                    .get(0);
            assertThat(warm.bursts()).isNotEmpty().allSatisfy(burst -> {
                assertThat(burst.requestsPerSecond()).isPositive();
                assertThat(burst.compilerPercent()).isNotNaN();
            });
            target.warmedUp(warm);

            assertTimeSlicesAreRead(target, workloads);
            to = target.mark().orElseThrow();
            assertThat(target.death()).isEmpty();
        }
        assertThat(hosts.left(1)).isEmpty();
        JsonNode json = Json.MAPPER.readTree(folder.resolve("server.json").toFile());
        assertThat(json.get("ended").asText()).isEqualTo("stopped");
        assertThat(json.has("warm-up")).isTrue();
        assertThat(Files.readString(folder.resolve("server.log"))).contains("Started ");
        ServerUse use = MonitorSeries.read(folder.resolve("monitor.csv"))
                .over(from, to, 1)
                .orElseThrow();
        assertThat(use.of(Metric.SERVER_CORES)).isPositive();
        assertThat(use.of(Metric.GENERATOR_CORES)).isNotNaN().isNotNegative();
        assertThat(use.of(Metric.RSS)).isGreaterThan(1 << 20);
    }

    /** On a busy machine the edges of some time slices are missed, so this repeats until one was read. */
    private static void assertTimeSlicesAreRead(Target target, List<Workload> workloads) {
        List<SliceUsage> read = List.of();
        while (read.isEmpty()) {
            Interleaving interleaving = new Interleaving(List.of("a"), System.currentTimeMillis() + 500, 500, 5, 1);
            try (Target.SliceReadings readings = target.timeSlices(
                    interleaving, List.of(target), ProcessHandle.current().pid())) {
                target.burst("jetty", workloads, 4, Duration.ofMillis(3200));
                read = readings.uses();
            }
            assertThat(read).allSatisfy(use -> {
                assertThat(use.fromMs())
                        .isBetween(interleaving.fromMs(use.timeSlice()), interleaving.toMs(use.timeSlice()));
                assertThat(use.serverMs()).isNotNegative();
                assertThat(use.generatorMs()).isNotNegative();
            });
        }
        assertThat(read).anySatisfy(use -> assertThat(use.serverMs()).isPositive());
    }

    @Test
    @Tag("full")
    void aServerThatCannotStartIsToldWithItsHost() throws Exception {
        assertThatThrownBy(() -> open(options("target.address", "192.0.2.1")))
                .isInstanceOf(TargetException.class)
                .hasMessageStartingWith("h1: no server can listen on 192.0.2.1 ")
                .hasMessageContaining("target.address");
        Path options = Files.writeString(work.resolve("wrong.options"), Mirror.SMALL_JVM + "-XX:NoSuchOption=1\n");
        assertThatThrownBy(() -> open(options("jvm.options", options.toString())))
                .isInstanceOfSatisfying(TargetException.class, refused -> assertThat(refused.refusal())
                        .contains(TargetException.Refusal.START))
                .hasMessageStartingWith("h1: the server died at its start")
                .hasMessageContaining("NoSuchOption");
        assertThat(hosts.left(1)).isEmpty();
    }

    @Test
    @Tag("full")
    void aServerThatDiesAndAConnectionThatIsLostAreDeaths() throws Exception {
        Path killed;
        try (Target target = open(options())) {
            killed = target.folder();
            long pid = Json.MAPPER
                    .readTree(killed.resolve("server.json").toFile())
                    .get("pid")
                    .asLong();
            ProcessHandle.of(pid).orElseThrow().destroyForcibly();
            while (target.death().isEmpty()) {
                Thread.sleep(20);
            }
            assertThat(target.death()).contains("ended by signal 9");
        }
        assertThat(Json.MAPPER
                        .readTree(killed.resolve("server.json").toFile())
                        .get("ended")
                        .asText())
                .isEqualTo("died under load: ended by signal 9");
        Target target = open(options());
        hosts.killSshd(1);
        try {
            while (target.death().isEmpty()) {
                Thread.sleep(20);
            }
            assertThat(target.death().orElseThrow()).startsWith("the connection to h1 was lost");
            target.close();
        } finally {
            hosts.startSshd(1);
        }
        assertThat(Json.MAPPER
                        .readTree(target.folder().resolve("server.json").toFile())
                        .get("died")
                        .asText())
                .startsWith("the connection to h1 was lost");
        assertThat(target.folder().resolve("monitor.csv")).isNotEmptyFile();
        hosts.awaitNothingLeft(1);
    }
}
