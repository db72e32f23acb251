package org.servletbench.bench.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.Mirror;
import org.servletbench.bench.host.Hosts;
import org.servletbench.bench.load.NativeReport;
import org.servletbench.bench.model.Json;

/** The Maven commands with the server on another machine. */
@Timeout(300)
class HostsThroughMavenIT {

    @TempDir
    private static Path work;

    private static Path clone;
    private static Hosts hosts;

    @BeforeAll
    static void make() throws IOException {
        clone = Maven.modestClone(work.resolve("clone"));
        Mirror.set(clone, "campaign.properties", Mirror.HASTY);
        hosts = new Hosts(work.resolve("hosts"), 1);
    }

    @AfterAll
    static void end() throws IOException {
        hosts.close();
    }

    @AfterEach
    void nothingIsLeftThere() throws IOException, InterruptedException {
        hosts.awaitNothingLeft(1);
    }

    private static String[] arguments(String... first) {
        List<String> arguments = new ArrayList<>(List.of(first));
        arguments.addAll(List.of(
                "-Dtarget.host=h1",
                "-Dtarget.allow-remote=true",
                "-Dssh.config=" + hosts.config(),
                "-Dhost.jdk=" + System.getProperty("java.home")));
        return arguments.toArray(String[]::new);
    }

    private static String[] load(String... first) {
        List<String> arguments = new ArrayList<>(List.of(first));
        arguments.addAll(List.of("-Dtiers=5", "-Dhold=1s", "-Dwarmup=2s", "-Dwarmup.burst=1s", "-Dworkloads=hello"));
        return arguments(arguments.toArray(String[]::new));
    }

    /** The only run below this folder: its server ran there, and ended as it should. */
    private static Path run(String results) throws IOException {
        try (Stream<Path> files = Files.walk(clone.resolve(results))) {
            Path record = files.filter(file -> file.endsWith("server.json"))
                    .reduce((one, other) -> {
                        throw new AssertionError("two runs: " + one + " and " + other);
                    })
                    .orElseThrow();
            JsonNode json = Json.MAPPER.readTree(record.toFile());
            assertThat(json.path("host").asText()).isEqualTo("h1");
            assertThat(json.path("url").asText()).contains(hosts.address(1));
            assertThat(json.path("ended").asText()).isEqualTo("stopped");
            return record.getParent();
        }
    }

    @Test
    void gatling() throws Exception {
        Maven.Result result = Maven.run(clone, load("-Pjetty", "gatling:test"));

        assertThat(result.exitCode()).as(result.output()).isZero();
        Path run = run("simulations/target/gatling");
        assertThat(NativeReport.read(run.resolve("index.html"))
                        .get("hello 5 users")
                        .count())
                .isGreaterThan(5);
        assertThat(run.resolve("measured.html")).content().contains("h1");
        assertThat(Files.readAllLines(run.resolve("monitor.csv"))).hasSizeGreaterThan(2);
    }

    @Test
    void jmeter() throws Exception {
        Maven.Result result = Maven.run(clone, load("-Pjetty,jmeter", "verify"));

        assertThat(result.exitCode()).as(result.output()).isZero();
        Path run = run("jmeter-plans/target/jmeter");
        assertThat(run.resolve("measured.html")).content().contains("h1", "hello");
    }

    @Test
    void served() throws Exception {
        Path log = work.resolve("serve.log");
        Process maven = Maven.start(
                clone, Maven.command(arguments("-Pjetty,serve", "verify")), ProcessBuilder.Redirect.to(log.toFile()));
        try {
            while (!Files.readString(log).contains("Ctrl-C stops it")) {
                assertThat(maven.isAlive()).as(Files.readString(log)).isTrue();
                Thread.sleep(100);
            }
            assertThat(Files.readString(log)).contains("http://" + hosts.address(1));
            assertThat(hosts.left(1)).anyMatch(line -> line.contains("--server.address=" + hosts.address(1)));
            maven.destroy();
            maven.waitFor();
            run("jmeter-plans/target/serve");
        } finally {
            maven.destroyForcibly();
        }
    }
}
