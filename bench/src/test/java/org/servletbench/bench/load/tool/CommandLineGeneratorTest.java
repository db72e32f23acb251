package org.servletbench.bench.load.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.servletbench.bench.Mirror;
import org.servletbench.bench.load.LoadException;
import org.servletbench.bench.load.ToolFigures;
import org.servletbench.bench.load.ToolWatch;
import org.servletbench.bench.measure.UnreadableLogException;
import org.servletbench.bench.model.GeneratorFacts;
import org.servletbench.bench.model.MeasurementQuality;
import org.servletbench.bench.model.Pause;
import org.servletbench.bench.model.ToolSettings;
import org.servletbench.bench.model.UsageException;

/** Tests command lines, rejections, and processes that must end. */
class CommandLineGeneratorTest {

    private static final URI HELLO = URI.create("http://127.0.0.1:8080/hello");

    @TempDir
    private Path folder;

    private String words(String tool, ToolLoad load) {
        return String.join(" ", CommandLineGenerator.named(tool).command(load, folder))
                .replace(folder + "/", "");
    }

    @Test
    void thePublishedCommands() {
        assertThat(words("wrk", ToolLoads.threads(ToolLoads.lasting(HELLO, 400, Duration.ofSeconds(30)), 50)))
                .isEqualTo("wrk -t50 -c400 -d30s -s done.lua http://127.0.0.1:8080/hello");
        assertThat(words("ab", ToolLoads.closing(ToolLoads.counting(HELLO, 10, 10_000))))
                .isEqualTo("ab -q -n 10000 -c 10 -e ab.percentiles.csv -g ab.requests.tsv http://127.0.0.1:8080/hello");
        ToolLoad siege = new ToolLoad(
                HELLO,
                50,
                Optional.of(Duration.ofMinutes(2)),
                OptionalLong.empty(),
                false,
                OptionalInt.empty(),
                0,
                List.of());
        assertThat(words("siege", siege)).isEqualTo("siege -R siege.rc -c50 -t120S http://127.0.0.1:8080/hello");
        assertThat(words("siege", ToolLoads.paused(siege, 1)))
                .isEqualTo("siege -R siege.rc -c50 -t120S -d1 http://127.0.0.1:8080/hello");
    }

    /** With two threads, wrk would run only four of the five users. */
    @Test
    void wrkHasAsManyUsersAsAreAskedFor() {
        assertThat(words("wrk", ToolLoads.lasting(HELLO, 5, Duration.ofSeconds(3))))
                .startsWith("wrk -t1 -c5 ");
        assertThat(words("wrk", ToolLoads.lasting(HELLO, 6, Duration.ofSeconds(3))))
                .startsWith("wrk -t2 -c6 ");
        assertThat(new Wrk().mostProcessors(ToolSettings.PLAIN, 5)).isEqualTo(1);
        assertThat(new Wrk().mostProcessors(ToolSettings.PLAIN, 6)).isEqualTo(2);
        assertThatThrownBy(() -> ToolLoads.threads(ToolLoads.lasting(HELLO, 5, Duration.ofSeconds(3)), 2))
                .hasMessage("users must be a multiple of threads: 5 is not a multiple of 2");
    }

    @Test
    void connectionsKeptOrNot() {
        ToolLoad load = ToolLoads.lasting(HELLO, 1, Duration.ofSeconds(3));
        assertThat(words("wrk", ToolLoads.closing(load))).startsWith("wrk -t1 -c1 -d3s -H Connection: close -s ");
        assertThat(words("ab", load)).startsWith("ab -q -t 3 -n 300000 -c 1 -k -e ");
    }

    @Test
    void whatAToolCannotDoIsRefused() {
        ToolLoad lasting = ToolLoads.lasting(HELLO, 2, Duration.ofSeconds(1));
        assertRefused("wrk", ToolLoads.counting(HELLO, 2, 10), "wrk ends after a time");
        assertRefused("wrk", ToolLoads.paused(lasting, 1), "wrk has no pause");
        assertRefused("ab", ToolLoads.paused(lasting, 1), "ab has no pause");
        assertRefused("ab", ToolLoads.threads(lasting, 2), "ab has one thread");
        assertRefused("siege", ToolLoads.counting(HELLO, 2, 10), "siege counts requests for each user");
        assertRefused("siege", ToolLoads.threads(lasting, 2), "siege has a thread for each user");
        assertRefused(
                "ab",
                ToolLoads.options(lasting, List.of("-X", "192.0.2.1:80")),
                "option '-X' of ab is not allowed here");
        assertRefused("siege", ToolLoads.options(lasting, List.of("--log=/tmp/x")), "option '--log=/tmp/x' of siege");
        assertRefused(
                "wrk", ToolLoads.options(lasting, List.of("-H")), "option '-H' of wrk is not allowed here, or lacks");
        assertThat(words("ab", ToolLoads.options(lasting, List.of("-l", "-H", "Accept: text/plain"))))
                .contains(" -l -H Accept: text/plain ");
        assertThatThrownBy(() -> CommandLineGenerator.named("curl"))
                .isInstanceOf(UsageException.class)
                .hasMessage("no command-line generator 'curl': choose one of wrk, ab, siege");
    }

    @Test
    void onlySiegePausesAndOnlyAtRandom() {
        for (String pause : List.of("20ms", "exponential 20ms")) {
            assertThatThrownBy(() -> load(pause))
                    .isInstanceOf(UsageException.class)
                    .hasMessage("'pause: " + pause
                            + "' needs Gatling or JMeter: siege has random pauses only, such as 'pause: up to"
                            + " 20ms', wrk and ab have none");
        }
        assertThat(words("siege", load("up to 1s"))).contains(" -d1 ");
        assertThat(words("siege", load("up to 20ms"))).contains(" -d0.02 ");
        assertRefused("wrk", load("up to 1s"), "wrk has no pause");
        assertRefused("ab", load("up to 1s"), "ab has no pause");
    }

    private static ToolLoad load(String pause) {
        return CommandLineGenerator.load(
                HELLO, 2, new ToolSettings(Pause.parse(pause), 0, 0, true, List.of()), Map.of(), 1);
    }

    private void assertRefused(String tool, ToolLoad load, String line) {
        assertThatThrownBy(() -> CommandLineGenerator.named(tool).command(load, folder))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining(line);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ftp://127.0.0.1/hello",
                "http://me@127.0.0.1/hello",
                "http://127.0.0.1:8080",
                "file:///etc/passwd",
                "http://127.0.0.1/#x"
            })
    void onlyPlainAddresses(String url) {
        assertThatThrownBy(() -> ToolLoads.lasting(URI.create(url), 1, Duration.ofSeconds(1)))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining(url);
    }

    @Test
    void loadsThatCannotBe() {
        assertThatThrownBy(() -> ToolLoads.lasting(HELLO, 0, Duration.ofSeconds(1)))
                .isInstanceOf(UsageException.class);
        assertThatThrownBy(() -> ToolLoads.lasting(HELLO, 1, Duration.ofMillis(1500)))
                .hasMessageContaining("whole seconds");
        assertThatThrownBy(() -> ToolLoads.counting(HELLO, 10, 9)).hasMessageContaining("at least one for each");
    }

    /** Runs servlet-bench with a PATH that has none of the tools. */
    @ParameterizedTest
    @CsvSource({"wrk, wrk", "ab, apache2-utils", "siege, siege"})
    void aMissingToolIsOneLineWithItsPackage(String name, String debianPackage) throws Exception {
        Path said = folder.resolve("rig.out");
        ProcessBuilder rig = rig(name, "http://127.0.0.1:1/", said);
        rig.environment().put("PATH", folder.toString());
        assertThat(rig.start().waitFor()).isZero();
        assertThat(said).hasContent(name + " is not on this machine: apt-get install " + debianPackage);
    }

    @Test
    void whatIsHereSaysItsVersionAndItsLimits() {
        for (CommandLineGenerator tool : CommandLineGenerator.all()) {
            assumeInstalled(tool.name());
            assertThat(tool.missing()).isEmpty();
            assertThat(tool.version().orElseThrow()).matches("\\d.*");
        }
    }

    /** In CI nothing is skipped. */
    private static void assumeInstalled(String name) {
        if (!"true".equals(System.getenv("CI"))) {
            CommandLineGenerator.named(name).missing().ifPresent(Assumptions::abort);
        }
    }

    private ProcessBuilder rig(String tool, String url, Path said) {
        return new ProcessBuilder(
                        ProcessHandle.current().info().command().orElseThrow(),
                        Mirror.SHORT_LIVED,
                        "-cp",
                        System.getProperty("java.class.path"),
                        LoadRigMain.class.getName(),
                        tool,
                        url,
                        folder.toString())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile());
    }

    @ParameterizedTest
    @ValueSource(strings = {"wrk", "ab"})
    void aToolThatFailsSaysWhy(String name) throws IOException {
        assumeInstalled(name);
        CommandLineGenerator tool = CommandLineGenerator.named(name);
        URI nobody;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            nobody = URI.create("http://127.0.0.1:" + socket.getLocalPort() + "/");
        }
        assertThatThrownBy(() -> tool.run(
                        ToolLoads.lasting(nobody, 1, Duration.ofSeconds(1)),
                        folder,
                        Optional.empty(),
                        ToolLoads.UNWATCHED))
                .isInstanceOf(LoadException.class)
                .hasMessageStartingWith(name + " failed (exit code ")
                .hasMessageContaining("Connection refused")
                .hasMessageNotContaining("\n");
    }

    @Test
    void noSuchProcessors() {
        assumeInstalled("wrk");
        assertThatThrownBy(() -> CommandLineGenerator.named("wrk")
                        .run(
                                ToolLoads.lasting(HELLO, 1, Duration.ofSeconds(1)),
                                folder,
                                Optional.of("4000"),
                                ToolLoads.UNWATCHED))
                .isInstanceOf(LoadException.class)
                .hasMessageContaining("taskset");
        assertThatThrownBy(() -> CommandLineGenerator.named("wrk")
                        .run(
                                ToolLoads.lasting(HELLO, 1, Duration.ofSeconds(1)),
                                folder,
                                Optional.of("0;ls"),
                                ToolLoads.UNWATCHED))
                .isInstanceOf(UsageException.class);
    }

    /** Returns a server that accepts connections and never answers. */
    private static ServerSocket silent() throws IOException {
        return new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }

    private static URI url(ServerSocket server) {
        return URI.create("http://127.0.0.1:" + server.getLocalPort() + "/");
    }

    /** Remembers the tool's process, and why the server ended. */
    private static final class Watcher implements ToolWatch {
        private volatile ProcessHandle tool;
        private volatile String death;

        @Override
        public Optional<String> death() {
            return Optional.ofNullable(death);
        }

        @Override
        public void loadedBy(ProcessHandle generator) {
            tool = generator;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"wrk", "ab", "siege"})
    void anInterruptEndsTheTool(String name) throws Exception {
        assumeInstalled(name);
        Watcher watcher = new Watcher();
        try (ServerSocket server = silent()) {
            ToolLoad load = ToolLoads.lasting(url(server), 1, Duration.ofSeconds(60));
            Throwable[] thrown = new Throwable[1];
            Thread rig = new Thread(() -> {
                try {
                    CommandLineGenerator.named(name).run(load, folder, Optional.empty(), watcher);
                } catch (LoadException e) {
                    thrown[0] = e;
                }
            });
            rig.start();
            awaitTool(watcher);
            rig.interrupt();
            rig.join(TimeUnit.SECONDS.toMillis(20));
            assertThat(thrown[0]).hasMessage("interrupted under load; " + name + " was stopped");
            assertThat(watcher.tool.isAlive()).isFalse();
        }
    }

    @Test
    void aServerThatDiesEndsTheTool() throws Exception {
        assumeInstalled("wrk");
        Watcher watcher = new Watcher();
        watcher.death = "exit code 3";
        try (ServerSocket server = silent()) {
            ToolLoad load = ToolLoads.lasting(url(server), 1, Duration.ofSeconds(60));
            assertThatThrownBy(() -> CommandLineGenerator.named("wrk").run(load, folder, Optional.empty(), watcher))
                    .isInstanceOf(LoadException.class)
                    .hasMessage("the server died under load: exit code 3");
            assertThat(watcher.tool.isAlive()).isFalse();
        }
    }

    /** A shell script as a tool. It fails as often as given, and then prints the number of its run. */
    private static final class Faulty extends CommandLineGenerator {
        private final String fault;
        private final int times;

        Faulty(String fault, int times) {
            super(
                    new GeneratorFacts("sh", "sh", new MeasurementQuality(1, true), Set.of()),
                    "dash",
                    List.of(),
                    Pattern.compile("."));
            this.fault = fault;
            this.times = times;
        }

        @Override
        public List<String> command(ToolLoad load, Path place) {
            String script = "echo >>runs; wc -l <runs; [ $(wc -l <runs) -gt " + times + " ] || " + fault;
            return List.of("sh", "-c", script);
        }

        @Override
        Duration margin() {
            return Duration.ZERO;
        }

        @Override
        ToolFigures read(ToolLoad load, Path place, Path out) throws IOException {
            throw new UnreadableLogException("run " + ToolProcess.text(out).strip());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "kill -SEGV $$, 1, run 2, 2",
        "kill -ABRT $$, 2, run 3, 3",
        "kill -SEGV $$, 9, sh failed (ended by signal 11): 3, 3",
        "exec sleep 60, 1, run 2, 2",
        "exec sleep 60, 9, sh still ran 0 s after its time of 1 s was over; it was stopped; its output is FOLDER/sh.out, 3",
        "exit 7, 9, sh failed (exit code 7): 1, 1"
    })
    void aToolThatCrashesOrDoesNotEndIsRunAgain(String fault, int times, String says, int runs) {
        Watcher watcher = new Watcher();
        assertThatThrownBy(() -> new Faulty(fault, times)
                        .run(ToolLoads.lasting(HELLO, 1, Duration.ofSeconds(1)), folder, Optional.empty(), watcher))
                .isInstanceOf(LoadException.class)
                .hasMessage(says.replace("FOLDER", folder.toString()));
        assertThat(watcher.tool.isAlive()).isFalse();
        assertThat(folder.resolve("runs")).content().hasLineCount(runs);
    }

    /** kill -9 of servlet-bench must end the tool as well. */
    @ParameterizedTest
    @ValueSource(strings = {"wrk", "ab", "siege"})
    void theToolDiesWithTheRig(String name) throws Exception {
        assumeInstalled(name);
        try (ServerSocket server = silent()) {
            Path said = folder.resolve("rig.out");
            Process rig = rig(name, url(server).toString(), said).start();
            ProcessHandle tool;
            try {
                await(() -> Files.readString(said).endsWith("\n"));
                tool = ProcessHandle.of(Long.parseLong(Files.readString(said).strip()))
                        .orElseThrow();
                await(() -> isItself(tool));
            } finally {
                rig.destroyForcibly().waitFor();
            }
            tool.onExit().get(20, TimeUnit.SECONDS);
        }
    }

    @FunctionalInterface
    private interface Condition {
        boolean holds() throws Exception;
    }

    private static void awaitTool(Watcher watcher) throws Exception {
        await(() -> watcher.tool != null && isItself(watcher.tool));
    }

    /**
     * True once the process is the tool itself. Before, it is Java's helper for starting processes, and then setpriv,
     * which asks the kernel to end it together with servlet-bench.
     */
    private static boolean isItself(ProcessHandle tool) {
        return tool.info()
                .command()
                .filter(c -> !c.contains("java") && !c.endsWith("/setpriv"))
                .isPresent();
    }

    private static void await(Condition condition) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.holds()) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            Thread.sleep(50);
        }
    }
}
