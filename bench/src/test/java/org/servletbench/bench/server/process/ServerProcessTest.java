package org.servletbench.bench.server.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.servletbench.bench.comparison.ArmSpec;
import org.servletbench.bench.model.Json;

class ServerProcessTest {

    @Test
    void aServerHasTheEnvironmentThatItsArmAsksForAndNoOtherThatConfiguresIt() {
        ProcessBuilder builder = new ProcessBuilder("none");
        builder.environment().clear();
        builder.environment()
                .putAll(Map.of(
                        "PATH", "/bin", "SPRING_PROFILES_ACTIVE", "dev", "SERVER_PORT", "1", "LOGGING_FILE", "x"));

        assertThat(ServerProcess.environment(builder, Map.of("SPRING_PROFILES_ACTIVE", "prod", "DB", "h2")))
                .as("those that do not reach it")
                .containsExactly("LOGGING_FILE", "SERVER_PORT");
        assertThat(builder.environment())
                .containsOnly(
                        Map.entry("PATH", "/bin"), Map.entry("SPRING_PROFILES_ACTIVE", "prod"), Map.entry("DB", "h2"));
    }

    /** Without its limit, a share of the memory would be a share of the whole machine's. */
    @Test
    void aLimitThatCannotBeSetIsRefused() {
        ArmSpec memory = Json.MAPPER.convertValue(Map.of("memory", "2g"), ArmSpec.class);
        ArmSpec cpus = Json.MAPPER.convertValue(Map.of("cpus", "500m"), ArmSpec.class);

        assertThat(ServerProcess.unlimited(memory, false, true))
                .contains("memory: 2g needs a cgroup, and this user cannot limit memory by one here: run as root, or"
                        + " let systemd delegate memory to you");
        assertThat(ServerProcess.unlimited(cpus, false, false))
                .contains("cpus: 500m needs a cgroup, and this user cannot limit CPU time by one here: run as root, or"
                        + " let systemd delegate cpu to you");
        assertThat(ServerProcess.unlimited(memory, true, false)).isEmpty();
        assertThat(ServerProcess.unlimited(cpus, false, true)).isEmpty();
        assertThat(ServerProcess.unlimited(ArmSpec.USUAL, false, false)).isEmpty();
    }

    @Test
    void eachPortOfAPropertyIsAFreeOneOfItsOwn() {
        String argument = ServerProcess.withPorts("--grpc.ports=${port},${port}", "127.0.0.1");

        assertThat(argument).matches("--grpc\\.ports=\\d+,\\d+");
        assertThat(argument.replaceAll("\\D+", " ").strip().split(" ")).doesNotHaveDuplicates();
        assertThat(ServerProcess.withPorts("--a=${server.address}", "127.0.0.1"))
                .isEqualTo("--a=${server.address}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Web server failed to start. Port 9090 was already in use. | 9090",
                "Web server failed to start. Port 8080 was already in use. | ",
                "java.io.IOException: Failed to bind to /127.0.0.1:9090 | 9090",
                "The Tomcat connector configured to listen on port 9090 failed to start. The port may already be in use | 9090",
                "The Tomcat connector configured to listen on port 8080 failed to start. The port may already be in use | ",
                "java.net.BindException: Address already in use | ",
                "Database may be already in use: /tmp/shop:12.mv.db | ",
            })
    void anotherPortThatIsInUseIsNoReasonToTakeANewOne(String line, Integer other) {
        OptionalInt found = ServerProcess.otherPort(List.of("Tomcat initialized with port 8080 (http)", line), 8080);

        assertThat(found).isEqualTo(other == null ? OptionalInt.empty() : OptionalInt.of(other));
    }

    /** Spring accepts a property under each of these names, and a JVM accepts options. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "server_tomcat_threads_max",
                "Server_Tomcat_Threads_Max",
                "SERVER.TOMCAT.THREADS.MAX",
                "server.tomcat.threads.max",
                "server-port",
                "spring_application_json",
                "Spring.Application.Json",
                "logging_level_root",
                "management_server_port",
                "JDK_JAVA_OPTIONS"
            })
    void namesThatSpringReadsTheSameDoNotReachIt(String name) {
        ProcessBuilder builder = new ProcessBuilder("none");
        builder.environment().clear();
        builder.environment().putAll(Map.of("PATH", "/bin", "LC_ALL", "C", name, "7"));
        assertThat(ServerProcess.environment(builder, Map.of())).containsExactly(name);
        assertThat(builder.environment()).containsOnlyKeys("PATH", "LC_ALL");
    }

    /** A real process prints the environment that it got. */
    @Test
    void aProcessIsStartedWithoutThem() throws Exception {
        ProcessBuilder builder = new ProcessBuilder("env").redirectErrorStream(true);
        builder.environment().put("server_tomcat_threads_max", "7");
        builder.environment().put("spring_application_json", "{\"server.tomcat.threads.max\": 7}");
        ServerProcess.environment(builder, Map.of("shop", "open"));
        String said = new String(builder.start().getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(said).contains("shop=open").doesNotContain("threads", "spring_application_json");
    }

    /** A CI shell contains tokens. Variables that a comparison names are passed on. */
    @Test
    void ofAShellOnlyWhatIsListedReachesAServer() {
        ProcessBuilder builder = new ProcessBuilder("none");
        builder.environment().clear();
        ServerProcess.PASSED_ON.forEach(name -> builder.environment().put(name, "x"));
        builder.environment()
                .putAll(Map.of(
                        "LC_TIME", "C", "FAKE_CI_TOKEN", "t", "LD_PRELOAD", "a.so", "serverless", "1", "path", "/bin"));
        assertThat(ServerProcess.environment(builder, Map.of("OWN", "1", "LD_PRELOAD", "b.so")))
                .isEmpty();
        List<String> all = new ArrayList<>(ServerProcess.PASSED_ON);
        all.addAll(List.of("LC_TIME", "OWN", "LD_PRELOAD"));
        assertThat(builder.environment().keySet()).hasSameElementsAs(all);
        assertThat(builder.environment()).containsEntry("LD_PRELOAD", "b.so");
    }
}
