package org.servletbench.jmeter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.NamedCsvRecord;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.load.LoadException;
import org.servletbench.bench.load.jmeter.JMeterDesk;
import org.servletbench.bench.load.jmeter.JMeterRun;
import org.servletbench.bench.load.jmeter.JMeterTable;

/** Tests with two JMeter servers on loopback, over TLS. */
class HostsTest {

    @TempDir
    Path folder;

    private final List<String> console = Collections.synchronizedList(new ArrayList<>());
    private final List<Thread> servers = new ArrayList<>();
    private Path keystore;

    @BeforeEach
    void makeKeystore() throws Exception {
        keystore = folder.resolve("rmi_keystore.jks");
        Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
        // The commands of docs/single-runs.md.
        Process process = new ProcessBuilder(
                        "sh",
                        "-c",
                        "umask 077; head -c 18 /dev/urandom | base64 > \"$2.password\"; exec \"$1\" -genkeypair -alias rmi"
                                + " -keyalg RSA -validity 365 -dname CN=servlet-bench -storepass:file \"$2.password\""
                                + " -keystore \"$2\"",
                        "sh",
                        keytool.toString(),
                        keystore.toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("keytool.log").toFile())
                .start();
        assertThat(process.waitFor()).isZero();
    }

    @AfterEach
    void stopServers() throws Exception {
        for (Thread server : servers) {
            stop(server);
        }
        RunTest.assertNoChild();
    }

    private static void stop(Thread server) throws InterruptedException {
        server.interrupt();
        server.join(TimeUnit.SECONDS.toMillis(30));
        assertThat(server.isAlive()).isFalse();
    }

    private int startServer() throws IOException {
        int port = Rig.freePort();
        JMeterDesk desk =
                new JMeterDesk(Rig.jmeter(Map.of("jmeter.keystore", keystore.toString())), folder.resolve("servers"));
        Thread server = new Thread(() -> desk.server("127.0.0.1", port));
        server.start();
        servers.add(server);
        return port;
    }

    private static boolean answers(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    private Map<String, String> given(String hosts, Map<String, String> more) {
        Map<String, String> given = new HashMap<>(more);
        given.put("jmeter.hosts", hosts);
        given.put("jmeter.keystore", keystore.toString());
        given.put("workloads", "hello");
        return given;
    }

    private JMeterRun run(CountingServer server, Map<String, String> given, Path results) {
        return new JMeterRun(
                Rig.jmeter(given),
                Rig.load(given),
                Rig.asked(given).jmeterHosts(),
                server.asServer(),
                results,
                console::add);
    }

    @Test
    @Tag("full")
    void aTierAndARateAreSharedAndADeadHostIsReported() throws Exception {
        int first = startServer();
        int second = startServer();
        Rig.await("two JMeter servers", () -> answers(first) && answers(second));
        String hosts = "127.0.0.1:" + first + ",127.0.0.1:" + second;

        try (CountingServer server = new CountingServer()) {
            // 21 is odd, so the first host has one user more.
            Map<String, String> given = given(hosts, Map.of("users", "20,21", "loops", "2,2", "warmup", "0s"));
            JMeterRun.preflight(Rig.jmeter(given), Rig.asked(given).jmeterHosts());
            JMeterTable table = run(server, given, folder).run(Rig.TIERS);

            assertThat(table.row("hello 20 users").orElseThrow().all().count()).isEqualTo(40);
            assertThat(table.row("hello 21 users").orElseThrow().all().count()).isEqualTo(42);
            assertThat(server.connections).hasValue(20 + 21);
            assertThat(usersOf("hello 20 users", "127.0.0.1:" + first)).isEqualTo(10);
            assertThat(usersOf("hello 20 users", "127.0.0.1:" + second)).isEqualTo(10);
            assertThat(usersOf("hello 21 users", "127.0.0.1:" + first)).isEqualTo(11);
            assertThat(usersOf("hello 21 users", "127.0.0.1:" + second)).isEqualTo(10);
            assertThat(folder.resolve("dashboard/index.html")).exists();
        }

        Path open = Files.createDirectory(folder.resolve("open"));
        try (CountingServer server = new CountingServer()) {
            Map<String, String> given =
                    given(hosts, Map.of("model", "open", "rate", "25", "hold", "2s", "warmup", "0s"));
            JMeterTable table = run(server, given, open).run(Rig.TIERS);

            // Each host applies half of the rate.
            assertThat(table.row("hello at 25/s").orElseThrow().all().count()).isEqualTo(50);
            assertThat(server.requestsTo("/hello")).isEqualTo(50);
        }

        Path results = Files.createDirectory(folder.resolve("dying"));
        try (CountingServer server = new CountingServer()) {
            Map<String, String> given = given(hosts, Map.of("users", "4", "hold", "10m", "warmup", "0s"));
            JMeterRun run = run(server, given, results);
            Thread killer = new Thread(() -> {
                try {
                    Rig.await("samples", () -> RunTest.sizeOf(results.resolve("results.csv")) > 10_000);
                    stop(servers.get(1));
                } catch (Exception e) {
                    server.death = e.toString();
                }
            });
            killer.start();
            assertThatThrownBy(() -> run.run(Rig.TIERS))
                    .isInstanceOf(LoadException.class)
                    .hasMessage("the JMeter server at 127.0.0.1:" + second
                            + " died under load; what was measured until then is kept, and is not a result");
            assertThat(run.isComplete()).isFalse();
            assertThat(JMeterTable.read(results.resolve("results.csv")).row("hello 4 users"))
                    .isPresent();

            // The other host received the stop, so its users leave.
            Rig.await("silence", () -> {
                long before = server.requestsTo("/hello");
                Thread.sleep(1_000);
                return server.requestsTo("/hello") == before;
            });
        }
    }

    /** Returns the number of users of one host, by thread names, which start with the host. */
    private long usersOf(String label, String host) throws IOException {
        try (CsvReader<NamedCsvRecord> lines = CsvReader.builder().ofNamedCsvRecord(folder.resolve("results.csv"))) {
            return lines.stream()
                    .peek(line -> assertThat(line.getHeader()).contains("Hostname"))
                    .filter(line -> line.getField("label").equals(label))
                    .map(line -> line.getField("threadName"))
                    .filter(name -> name.startsWith(host + "-"))
                    .distinct()
                    .count();
        }
    }

    @Test
    void aHostThatDoesNotAnswerIsNamedBeforeAnythingStarts() throws IOException {
        int nobody = Rig.freePort();
        Map<String, String> given = given("127.0.0.1:" + nobody, Map.of());
        assertThatThrownBy(() ->
                        JMeterRun.preflight(Rig.jmeter(given), Rig.asked(given).jmeterHosts()))
                .isInstanceOf(LoadException.class)
                .hasMessage("no JMeter server answers at 127.0.0.1:" + nobody
                        + ": start it there with mvn -Pjmeter-server verify");
    }

    @Test
    void withoutAKeystoreNothingIsOpened() throws IOException {
        Files.delete(keystore);
        int port = Rig.freePort();
        JMeterDesk desk = new JMeterDesk(Rig.jmeter(Map.of("jmeter.keystore", keystore.toString())), folder);
        assertThatThrownBy(() -> desk.server("127.0.0.1", port))
                .isInstanceOf(LoadException.class)
                .hasMessageContaining("make one with keytool");
        assertThat(answers(port)).isFalse();
    }
}
