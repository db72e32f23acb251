package org.servletbench.bench.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.Leftovers;
import org.servletbench.bench.model.ProfilesFolder;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.server.http.HttpWire;
import org.servletbench.bench.server.process.Jdk;

/** The only test of a server's failures, which are provoked one by one. After each failure, no process may be left. */
class TargetErrorsIT {

    @TempDir
    private Path work;

    @AfterEach
    void noServerIsLeft() throws IOException {
        assertThat(Leftovers.in(work)).isEmpty();
    }

    private Map<String, String> options(String arm) throws IOException {
        return Arms.options(arm, work);
    }

    private void withJvmOptions(Map<String, String> options, String values) throws IOException {
        options.put(
                "jvm.options",
                Files.writeString(work.resolve("my.options"), values).toString());
    }

    private void refused(Map<String, String> options, ProfilesFolder folder, String... parts) {
        assertThatThrownBy(() -> Arms.open(options, folder, work).close())
                .isInstanceOf(TargetException.class)
                .hasMessageContainingAll(parts);
    }

    @Test
    void askedForPortInUse() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Map<String, String> options = options("jetty,boot3");
            options.put("target.port", Integer.toString(taken.getLocalPort()));
            refused(options, Arms.FOLDER, "port " + taken.getLocalPort() + " on 127.0.0.1 is in use");
        }
    }

    @Test
    void serverDiesAtItsStart() throws IOException {
        Map<String, String> options = options("jetty,boot3");
        withJvmOptions(options, "-XX:NoSuchOption=1");
        refused(options, Arms.FOLDER, "the server died at its start (exit code 1)", "NoSuchOption");
    }

    @Test
    @Tag("full")
    void serverIsNotReadyInTime() throws IOException {
        Map<String, String> options = options("jetty,boot3");
        options.put("target.start-timeout", "100ms");
        refused(options, Arms.FOLDER, "the server was not ready after 0 s", "it has been stopped");
    }

    @Test
    void notEnoughMemory() throws IOException {
        Map<String, String> options = options("jetty,boot3");
        withJvmOptions(options, "-Xmx900g");
        refused(options, Arms.FOLDER, "not enough memory for the server", "921600 MiB");
    }

    @Test
    void nothingBuilt() throws IOException {
        Map<String, String> options = options("jetty,boot3");
        options.put("bench.jar", work.resolve("app.jar").toString());
        refused(options, Arms.FOLDER, "there is no application at", "mvn -Pjetty,boot3 process-classes");
    }

    @Test
    void unknownSettings() throws IOException {
        Map<String, String> options = options("jetty,boot3");
        options.put("settings", "fast");
        assertThatThrownBy(() -> Arms.open(options, Arms.FOLDER, work))
                .isInstanceOf(UsageException.class)
                .hasMessage("no settings set 'fast': choose one of defaults, equalised");
    }

    @Test
    @Tag("full")
    void anotherConnectorAndVersionThanTheBuildSays() throws IOException {
        Map<String, String> options = options("tomcat-nio,boot3");
        options.put("bench.profile", "tomcat-nio2");
        options.put("bench.container.version", "10.0.0");
        refused(
                options,
                Arms.FOLDER,
                "is not what the profile tomcat-nio2 says",
                "connector is org.apache.coyote.http11.Http11NioProtocol and should be",
                "version is ",
                " and should be 10.0.0");
    }

    /** The library has a different name in this copy of the profiles, so that it is missing here. */
    @Test
    void aprWithoutItsLibraryIsRefusedAndNeverRunsAsNio() throws IOException {
        Path profiles = work.resolve("profiles");
        Files.createDirectories(profiles.resolve("settings"));
        for (String file : List.of(
                "tomcat-apr.properties", "load.properties", "workloads.properties", "settings/equalised.properties")) {
            String text = Files.readString(Arms.FOLDER.path().resolve(file));
            Files.writeString(profiles.resolve(file), text.replace("libtcnative-1.so", "libtcnative-none.so"));
        }
        refused(options("tomcat-apr,boot2"), new ProfilesFolder(profiles), "apt-get install libtcnative-1");
    }

    @Test
    void nothingAnswersAtTheForeignUrl() throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        Map<String, String> options = Map.of("target.url", "http://127.0.0.1:" + port);
        assertThatThrownBy(() -> Arms.open(options, Arms.FOLDER, work))
                .isInstanceOf(TargetException.class)
                .hasMessageStartingWith("nothing answers at http://127.0.0.1:" + port);
    }

    @Test
    @Tag("full")
    void onThePortThatWasAskedForAForeignServerIsUsedAndLeftRunningUntilItDies()
            throws IOException, InterruptedException {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        Map<String, String> options = options("jetty,boot3");
        options.put("target.port", Integer.toString(port));
        Target own = Arms.open(options, Arms.FOLDER, work);
        assertThat(own.url()).hasPort(port);

        Target foreign = Arms.open(Map.of("target.url", own.url().toString()), Arms.FOLDER, work);
        foreign.close();
        assertThat(foreign.description()).contains("nothing about it is proven");
        assertThat(Files.readString(foreign.folder().resolve("server.json")))
                .contains("\"proven\" : false", "left running");
        assertThat(HttpWire.status(own.url(), "/hello")).isEqualTo(200);

        ProcessHandle.of(own.pids().get(0)).orElseThrow().destroyForcibly();
        while (own.death().isEmpty()) {
            Thread.sleep(50);
        }
        assertThat(own.death()).contains("ended by signal 9");
        own.close();
        assertThat(Files.readString(own.folder().resolve("server.json")))
                .contains("died under load: ended by signal 9");
    }

    /** Runs on a JDK that has dropped the option. */
    @Test
    @Tag("full")
    void anOptionThatTheJdkDoesNotHaveIsNotIgnored() throws IOException {
        Map<String, String> options = options("tomcat-nio,boot3");
        options.put("jdk", Jdks.recent().home().toString());
        withJvmOptions(options, "-Xmx256m -XX:+ZGenerational");
        refused(
                options,
                Arms.FOLDER,
                "does not take the JVM options of " + work.resolve("my.options"),
                "ZGenerational");
    }

    @Test
    @Tag("full")
    void noServerOutlivesARigThatIsKilled() throws IOException, InterruptedException {
        Map<String, String> options = options("tomcat-nio,boot3");
        ProcessBuilder builder = new ProcessBuilder(
                Jdk.command(Jdk.ownHome()),
                "-Dbench.root=" + Maven.ROOT,
                "-cp",
                System.getProperty("java.class.path"),
                RigMain.class.getName());
        builder.command().add(work.toString());
        options.forEach((name, value) -> builder.command().add(name + "=" + value));
        Process rig = builder.redirectErrorStream(true).start();
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(rig.getInputStream(), StandardCharsets.UTF_8))) {
            long pid = Long.parseLong(lines.readLine());
            ProcessHandle server = ProcessHandle.of(pid).orElseThrow();
            assertThat(server.isAlive()).isTrue();

            rig.destroyForcibly().waitFor();

            server.onExit().completeOnTimeout(null, 60, TimeUnit.SECONDS).join();
            assertThat(server.isAlive())
                    .as("server 15 s after kill -9 of the rig")
                    .isFalse();
        }
    }
}
