package org.servletbench.bench.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.server.http.HttpWire;
import org.servletbench.bench.server.os.ProcessMeters;

/**
 * The only test that really starts the switches of the target app, and checks that their effects are exactly as
 * documented. The experiment `sabotage` of the proofs shows that a changed answer is detected.
 */
class ProofSwitchesIT {

    private static final Pattern BURNT = Pattern.compile(
            "Proof switches: (\\d+) requests, burnt (\\d+) ns of CPU time in (\\d+) requests, (\\d+) ns each");

    @TempDir
    private Path work;

    private Target open(String arm, String... switches) throws IOException {
        Map<String, String> options = Arms.options(arm, work);
        Path file = Path.of(options.get("jvm.options"));
        Files.writeString(file, "\n" + String.join("\n", switches), java.nio.file.StandardOpenOption.APPEND);
        return Arms.open(options, Arms.FOLDER, work);
    }

    private static List<HttpWire.Answer> get(Target target, String path, int times) throws IOException {
        List<HttpWire.Answer> answers = new ArrayList<>();
        while (answers.size() < times) {
            try (Socket socket = new Socket(target.url().getHost(), target.url().getPort())) {
                InputStream in = new BufferedInputStream(socket.getInputStream());
                HttpWire.Answer answer;
                do {
                    socket.getOutputStream()
                            .write(HttpWire.request(target.url(), path).bytes());
                    answer = HttpWire.read(in);
                    answers.add(answer);
                    // Tomcat closes the connection after a response with status 500.
                } while (answers.size() < times && answer.staysOpen());
            }
        }
        return answers;
    }

    private static String text(HttpWire.Answer answer) {
        return new String(answer.body(), StandardCharsets.UTF_8);
    }

    private static String log(Target target) throws IOException {
        return Files.readString(target.folder().resolve("server.log"));
    }

    /** One source serves all Spring Boot versions and containers. */
    @ParameterizedTest
    @ValueSource(strings = {"jetty,boot2", "undertow,boot3", "tomcat-nio,boot4"})
    @Tag("full")
    void failsExactlyEachNthRequestAndChangesOneHeaderAndOneBit(String arm) throws IOException {
        Target target = open(arm, "-Dproof.fail.every=7", "-Dproof.header=Cache-Control:no-store", "-Dproof.body=true");
        try (target) {
            assertThat(target.description())
                    .contains(", WITH -Dproof.fail.every=7 -Dproof.header=Cache-Control:no-store -Dproof.body=true");
            assertThat(target.folder().resolve("server.json")).content().contains("-Dproof.fail.every=7");
            List<HttpWire.Answer> answers = new ArrayList<>();
            for (String path : List.of("/hello", "/payload", "/")) {
                answers.addAll(get(target, path, 35));
            }
            for (int i = 0; i < answers.size(); i++) {
                assertThat(answers.get(i).status()).as("request %d", i + 1).isEqualTo((i + 1) % 7 == 0 ? 500 : 200);
                assertThat(answers.get(i).headers())
                        .filteredOn(line -> line.equalsIgnoreCase("Cache-Control: no-store"))
                        .hasSize(1);
            }
            assertThat(answers.subList(0, 35)).extracting(ProofSwitchesIT::text).containsOnly("vorld");
            assertThat(answers.get(40).body()).hasSize(1892);
            assertThat(text(answers.get(80))).startsWith("<!DOCTYPE html>").hasSize(11220);
            // Requests of servlet-bench itself are not counted.
            assertThat(get(target, "/actuator/health", 7))
                    .extracting(HttpWire.Answer::status)
                    .containsOnly(200);
        }
        assertThat(log(target))
                .contains("Proof switches are on, for experiments with the rig only: {proof.body=true, ")
                .contains("Proof switches: 105 requests, failed 15");
    }

    /** The connection ends within the body, which no client may accept as a response. For Jetty see FaultsIT. */
    @Test
    void cutsOffEachNthAnswer() throws IOException {
        try (Target target = open("tomcat-nio,boot3", "-Dproof.truncate.every=3")) {
            for (int i = 1; i <= 6; i++) {
                try (Socket socket =
                        new Socket(target.url().getHost(), target.url().getPort())) {
                    socket.getOutputStream()
                            .write(HttpWire.request(target.url(), "/hello").bytes());
                    socket.setSoTimeout(60_000);
                    InputStream in = new BufferedInputStream(socket.getInputStream());
                    if (i % 3 == 0) {
                        assertThatThrownBy(() -> HttpWire.read(in))
                                .isInstanceOf(IOException.class)
                                .isNotInstanceOf(java.net.SocketTimeoutException.class);
                    } else {
                        assertThat(text(HttpWire.read(in))).isEqualTo("world");
                    }
                }
            }
        }
    }

    @Test
    @Tag("full")
    void burnsTheCpuTimeThatWasAskedFor() throws IOException {
        long askedMillis = 5;
        int requests = 400;
        Target target = open("tomcat-nio,boot3", "-Dproof.burn=" + askedMillis + "ms");
        try (target) {
            long pid = target.pids().get(0);
            get(target, "/hello", 100);
            get(target, "/", 100);
            long before = requestThreadsMillis(pid);
            get(target, "/hello", requests / 2);
            get(target, "/", requests / 2);
            // Counted by the kernel, including what a request costs in a cold JVM. The check below shows that the inner
            // request for index.html does not burn as well: each request is counted once.
            assertThat(requestThreadsMillis(pid) - before).isGreaterThanOrEqualTo(requests * askedMillis - 20);
        }
        Matcher burnt = BURNT.matcher(log(target));
        assertThat(burnt.find()).as(log(target)).isTrue();
        assertThat(burnt.group(1)).isEqualTo("600");
        assertThat(burnt.group(3)).isEqualTo("600");
        assertThat(Double.parseDouble(burnt.group(2)) / 600)
                .as("ns of CPU time per request")
                .isCloseTo(askedMillis * 1e6, within(askedMillis * 1e4));
    }

    /** Returns the CPU time of the threads that handle requests, without compiler and garbage collector. */
    private static long requestThreadsMillis(long pid) throws IOException {
        long ticks = 0;
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(Path.of("/proc/" + pid + "/task"))) {
            for (Path task : tasks) {
                String stat = Files.readString(task.resolve("stat"), StandardCharsets.ISO_8859_1);
                if (stat.substring(stat.indexOf('(') + 1).matches("(?s)(http-nio|XNIO|qtp).*")) {
                    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
                    ticks += Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
                }
            }
        }
        return ticks * ProcessMeters.MILLIS_PER_TICK;
    }

    /** The experiments need this precision: they burn a few percent of a request's cost. */
    @Test
    @Tag("full")
    void burnsAFewMicrosecondsAsTruly() throws IOException {
        Target target = open("jetty,boot3", "-Dproof.burn=5000ns");
        try (target) {
            get(target, "/hello", 5000);
        }
        Matcher burnt = BURNT.matcher(log(target));
        assertThat(burnt.find()).as(log(target)).isTrue();
        // Excess burning in a thread's last request is never compensated.
        assertThat(Double.parseDouble(burnt.group(2)) / 5000)
                .as("ns of CPU time per request")
                .isCloseTo(5000, within(250.0));
    }

    /** For controls of the experiments: the burning switch is active, but burns nothing. */
    @Test
    @Tag("full")
    void delaysEachRequestAndBurnsNothingWhenNothingIsAskedFor() throws IOException {
        Target target = open("tomcat-nio,boot3", "-Dproof.delay=20ms", "-Dproof.burn=0us");
        try (target) {
            for (String path : List.of("/hello", "/")) {
                for (int i = 0; i < 5; i++) {
                    long start = System.nanoTime();
                    assertThat(get(target, path, 1))
                            .extracting(HttpWire.Answer::status)
                            .containsOnly(200);
                    assertThat((System.nanoTime() - start) / 1e6).isGreaterThanOrEqualTo(20);
                }
            }
        }
        assertThat(log(target))
                .contains("Proof switches: 10 requests, burnt 0 ns of CPU time in 10 requests, 0 ns each");
    }

    /** A mistyped switch would prove nothing, unnoticed. */
    @ParameterizedTest
    @ValueSource(strings = {"-Dproof.dealy=20ms", "-Dproof.delay=20", "-Dproof.header=Vary", "-Dproof.fail.every=-1"})
    @Tag("full")
    void aSwitchThatIsNotUnderstoodStopsTheServer(String option) {
        assertThatThrownBy(() -> open("jetty,boot3", option).close())
                .isInstanceOf(TargetException.class)
                .hasMessageContaining("the server died at its start")
                .hasMessageContaining("proof.");
    }

    /** Only the JVM's options can switch anything on. */
    @Test
    @Tag("full")
    void aSettingsFileSwitchesNothingOn() throws IOException {
        Path profiles = work.resolve("profiles");
        Files.createDirectories(profiles.resolve("settings"));
        for (String file : List.of(
                "jetty.properties", "load.properties", "workloads.properties", "settings/equalised.properties")) {
            Files.copy(Arms.FOLDER.path().resolve(file), profiles.resolve(file));
        }
        Files.writeString(
                profiles.resolve("settings/equalised.properties"),
                "\nproof.fail.every=1\nproof.body=true\n",
                java.nio.file.StandardOpenOption.APPEND);
        Map<String, String> options = Arms.options("jetty,boot3", work);
        Target target = Arms.open(options, new org.servletbench.bench.model.ProfilesFolder(profiles), work);
        try (target) {
            assertThat(get(target, "/hello", 2))
                    .allSatisfy(answer -> assertThat(text(answer)).isEqualTo("world"))
                    .extracting(HttpWire.Answer::status)
                    .containsOnly(200);
        }
        assertThat(log(target)).doesNotContain("Proof");
    }
}
