package org.servletbench.bench.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.servletbench.bench.load.tool.CommandLineGenerator;
import org.servletbench.bench.load.tool.ToolLoads;

/** Whatever the rig starts, nothing of it can be reached from another machine, at any moment of a run. Gatling: {@link WaysInIT}. */
class SocketsIT {

    private static final long PATIENCE_SECONDS = 300;

    @TempDir
    private static Path folder;

    private static Path clone;

    private final List<Process> running = new ArrayList<>();

    @BeforeAll
    static void cloneAfresh() throws IOException {
        clone = Maven.modestClone(folder.resolve("clone"));
    }

    @AfterEach
    void end() throws InterruptedException {
        running.forEach(Process::destroyForcibly);
        await("the end of every java process of this clone", Path.of("/dev/null"), () -> {
            try {
                return Maven.javaProcesses(clone.toString()).isEmpty();
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
    }

    private static void await(String what, Path log, BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("%s; %s", what, read(log)).isLessThan(deadline);
            Thread.sleep(100);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return "";
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }

    private Process maven(String log, String... arguments) throws IOException {
        Process process = Maven.start(
                clone,
                Maven.command(arguments),
                ProcessBuilder.Redirect.to(folder.resolve(log).toFile()));
        running.add(process);
        return process;
    }

    private static Sockets.Watch watch(Process process) {
        return new Sockets.Watch(() -> Sockets.family(process.toHandle()));
    }

    private void assertEnds(Process process, String log) throws InterruptedException {
        assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(read(folder.resolve(log))).isZero();
    }

    private static void assertLoopbackOnly(Set<Sockets.Open> seen) {
        assertThat(seen).isNotEmpty().allMatch(Sockets.Open::isLoopback, "is on loopback");
    }

    // ---- the listing itself ----

    @Test
    void theListingSeesWhatListensAndNotWhatIsConnected() throws IOException {
        try (ServerSocket tcp = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                DatagramSocket udp = new DatagramSocket(0, InetAddress.getLoopbackAddress());
                DatagramSocket connected = new DatagramSocket(0, InetAddress.getLoopbackAddress());
                Socket client = new Socket(InetAddress.getLoopbackAddress(), tcp.getLocalPort())) {
            connected.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), 9));
            Set<Sockets.Open> open = Sockets.of(Set.of(ProcessHandle.current().pid()));
            assertThat(open)
                    .anyMatch(one -> one.protocol().startsWith("tcp") && one.port() == tcp.getLocalPort())
                    .anyMatch(one -> one.protocol().startsWith("udp") && one.port() == udp.getLocalPort())
                    .noneMatch(one -> one.protocol().startsWith("udp") && one.port() == connected.getLocalPort())
                    .noneMatch(one -> one.port() == client.getLocalPort())
                    .allMatch(Sockets.Open::isLoopback);
        }
        assertThat(Sockets.of(Set.of(Long.MAX_VALUE))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "0100007F, true",
        "0200017F, true",
        "00000000, false",
        "0100000A, false",
        "7F000001, false",
        "00000000000000000000000001000000, true",
        "0000000000000000FFFF00000100007F, true",
        "00000000000000000000000000000000, false",
        "0000000000000000FFFF000000000000, false",
        "0000000000000000FFFF00000100000A, false",
        "000080FE00000000000000000100007F, false"
    })
    void loopbackAsTheKernelWritesIt(String address, boolean loopback) {
        assertThat(new Sockets.Open("tcp", address, 1, "").isLoopback()).isEqualTo(loopback);
    }

    // ---- the rig ----

    @Test
    void serverAndReferenceUnderCommandLineGenerators() throws IOException {
        try (Sockets.Watch watch = new Sockets.Watch(() -> Sockets.family(ProcessHandle.current()))) {
            try (Target server = Arms.open("tomcat-nio,boot3", folder)) {
                for (CommandLineGenerator tool : CommandLineGenerator.all()) {
                    assumeThere(tool.missing());
                    tool.run(
                            ToolLoads.lasting(server.url().resolve("/hello"), 4, Duration.ofSeconds(1)),
                            Files.createDirectory(folder.resolve(tool.name())),
                            Optional.empty(),
                            ToolLoads.UNWATCHED);
                }
                int port = server.url().getPort();
                assertThat(watch.seen()).anyMatch(one -> one.port() == port);
            }
            assumeThere(NginxSpec.missing());
            try (Target nginx = Target.reference(NginxSpec.of(Maven.ROOT), folder.resolve("reference"))) {
                int port = nginx.url().getPort();
                Set<Sockets.Open> open = Sockets.of(Sockets.family(ProcessHandle.current()));
                assertThat(open).anyMatch(one -> one.port() == port);
                assertLoopbackOnly(open);
            }
            assertLoopbackOnly(watch.seen());
        }
    }

    /** In CI nothing is skipped. */
    private static void assumeThere(Optional<String> missing) {
        if (!"true".equals(System.getenv("CI"))) {
            missing.ifPresent(Assumptions::abort);
        }
    }

    /** Alone, and with a JMeter server: then samples come back by RMI, and the run is stopped by it. */
    @Test
    void jmeterThroughMavenAloneAndWithAnotherHost() throws Exception {
        Process alone = maven(
                "jmeter.log",
                "-Pjetty,jmeter",
                "verify",
                "-Dtiers=5",
                "-Dhold=1s",
                "-Dwarmup=2s",
                "-Dwarmup.burst=1s",
                "-Dworkloads=hello");
        try (Sockets.Watch watch = watch(alone)) {
            assertEnds(alone, "jmeter.log");
            assertLoopbackOnly(watch.seen());
        }

        makeKeystore();
        int registry = freePort();
        Process host = maven("host.log", "-Pjmeter-server", "verify", "-Djmeter.server.port=" + registry);
        try (Sockets.Watch ofHost = watch(host)) {
            await("the JMeter server", folder.resolve("host.log"), () -> answers(registry));
            Process run = maven(
                    "hosts.log",
                    "-Pjetty,jmeter",
                    "verify",
                    "-Djmeter.hosts=127.0.0.1:" + registry,
                    "-Dtiers=5",
                    "-Dhold=1s",
                    "-Dwarmup=0s",
                    "-Dworkloads=hello");
            try (Sockets.Watch ofRun = watch(run)) {
                assertEnds(run, "hosts.log");
                // The port to which samples come back: so the watch has seen JMeter's own process, too.
                assertThat(ofRun.seen())
                        .anyMatch(one -> one.protocol().startsWith("tcp")
                                && one.process().contains("org.apache.jmeter.NewDriver"));
                assertLoopbackOnly(ofRun.seen());
            }
            assertThat(ofHost.seen()).anyMatch(one -> one.port() == registry);
            assertLoopbackOnly(ofHost.seen());
            host.destroy();
            assertThat(host.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        }
    }

    /** The command of the README. */
    private static void makeKeystore() throws IOException, InterruptedException {
        Process keytool = new ProcessBuilder(
                        Jdk.ownHome().resolve("bin/keytool").toString(),
                        "-genkeypair",
                        "-alias",
                        "rmi",
                        "-keyalg",
                        "RSA",
                        "-validity",
                        "365",
                        "-dname",
                        "CN=servlet-bench",
                        "-storepass",
                        "changeit",
                        "-keystore",
                        clone.resolve("jmeter-plans/rmi_keystore.jks").toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("keytool.log").toFile())
                .start();
        assertThat(keytool.waitFor()).isZero();
    }

    private static boolean answers(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void serveThroughMaven() throws IOException, InterruptedException {
        int port = freePort();
        Process maven = maven("serve.log", "-Pjetty,serve", "verify", "-Dtarget.port=" + port);
        try (Sockets.Watch watch = watch(maven)) {
            await("the server", folder.resolve("serve.log"), () -> read(folder.resolve("serve.log"))
                    .contains("Ctrl-C stops it"));
            Thread.sleep(500);
            assertThat(watch.seen()).anyMatch(one -> one.port() == port);
            assertLoopbackOnly(watch.seen());
            maven.destroy();
            assertThat(maven.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        }
    }
}
