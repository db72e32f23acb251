package org.servletbench.bench.server.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.comparison.ArmSpec;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.model.JvmOptions;
import org.servletbench.bench.model.ProfilesFolder;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.model.ThreadingMode;
import org.servletbench.bench.server.http.HttpWire;

/** Tests the limits on waiting for a service that answers, but reports that it is still starting. */
class StartingServiceIT {

    @TempDir
    private Path folder;

    private ServerProcess start(int requests) throws IOException {
        return start("-Drequests=" + requests, Duration.ofMinutes(2));
    }

    private ServerProcess start(String option, Duration timeout) throws IOException {
        Path jar = folder.resolve("service.jar");
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, StartingService.class.getName());
        String name = StartingService.class.getName().replace('.', '/') + ".class";
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream out = new JarOutputStream(file, manifest);
                InputStream of = StartingService.class.getClassLoader().getResourceAsStream(name)) {
            out.putNextEntry(new ZipEntry(name));
            of.transferTo(out);
        }
        ProfilesFolder profiles =
                new ProfilesFolder(Path.of(System.getProperty("bench.root")).resolve("profiles"));
        return ServerProcess.start(
                new TargetSpec(
                        new TargetSpec.Application(
                                jar, profiles.ofService("as-built", null), TargetSpec.OWN, "", "", Optional.empty()),
                        new TargetSpec.Start(
                                Jdk.own(),
                                new JvmOptions(List.of(option), folder),
                                "defaults",
                                profiles.settings("defaults"),
                                List.of()),
                        new TargetSpec.Endpoint(TargetSpec.LOOPBACK, OptionalInt.empty(), timeout, TargetSpec.ANY_PATH),
                        ThreadingMode.USUAL,
                        ArmSpec.USUAL),
                folder);
    }

    @Test
    void oneThatStartsIsWaitedFor() throws IOException {
        ServerProcess server = start(5);
        try {
            assertThat(HttpWire.status(server.url(), "/")).isEqualTo(200);
        } finally {
            server.stop();
        }
    }

    /** The 503 responses of such a server are then judged like any others. */
    @Test
    void oneThatSaysSoForGoodIsReady() throws IOException {
        ServerProcess server = start(Integer.MAX_VALUE);
        try {
            assertThat(HttpWire.status(server.url(), "/")).isEqualTo(503);
            assertThat(server.timeToReady()).isBetween(ServerProcess.STARTS_FOR, Duration.ofMinutes(1));
        } finally {
            server.stop();
        }
    }

    /** A main method that does not pass on its arguments can read them from the environment. */
    @Test
    void addressPortAndSettingsAreInTheEnvironmentToo() throws IOException {
        ServerProcess server = start(0);
        server.stop();

        JsonNode given = Json.MAPPER.readTree(String.join("\n", server.logLines()));
        assertThat(given.path("server.address").asText()).isEqualTo(TargetSpec.LOOPBACK);
        assertThat(given.path("server.port").asText()).isEqualTo("" + server.port());
        assertThat(given.path("spring.config.additional-location").asText()).endsWith("/settings/defaults.properties");
    }

    /** The server is stopped long before its timeout, which here is longer than any test. */
    @Test
    void oneThatOtherMachinesReachIsStoppedAtOnceAndNamed() {
        assertThatThrownBy(() -> start("-Dopens=0.0.0.0", Duration.ofDays(1)))
                .isInstanceOf(TargetException.class)
                .hasMessageMatching(
                        "the server listens on \\*:\\d+, where other machines may reach it, and not only on"
                                + " 127\\.0\\.0\\.1:\\d+, which it was given: .*must take server.port and server.address instead");
    }

    /** On a busy machine it may not have opened the port by then. */
    @Test
    void oneThatListensElsewhereOnLoopbackSaysWhere() {
        assertThatThrownBy(() -> start("-Dopens=127.0.0.1", Duration.ofSeconds(5)))
                .isInstanceOf(TargetException.class)
                .hasMessageMatching("the server was not ready after 5 s [(].*[)]; it listens on"
                        + " (no port|127\\.0\\.0\\.1:\\d+, and not on 127\\.0\\.0\\.1:\\d+); it has been stopped.*");
    }

    /** The measured port is free, so another measured port would not help. */
    @Test
    void aPortThatItsLogDoesNotNameIsNotTheOneThatIsMeasured() {
        assertThatThrownBy(() -> start("-Dlacks=true", Duration.ofMinutes(2)))
                .isInstanceOfSatisfying(TargetException.class, refused -> {
                    assertThat(refused)
                            .hasMessageMatching(".*: a port beside \\d+, which its log does not name, is in use, by.*");
                    assertThat(refused.refusal()).contains(TargetException.Refusal.START);
                });
    }
}
