package org.servletbench.bench.server.os;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.servletbench.bench.Mirror;
import org.servletbench.bench.model.JvmOptions;
import org.servletbench.bench.server.os.ManagedProcess.Farewell;
import org.servletbench.bench.server.process.Jdk;

class ManagedProcessTest {

    /** Main class of another servlet-bench process, which is killed: it starts a process, prints its id and waits. */
    static final class Rig {
        private Rig() {}

        public static void main(String[] args) throws IOException, InterruptedException {
            System.out.println(ManagedProcess.start(new ProcessBuilder("sleep", "60"), Farewell.valueOf(args[0]))
                    .pid());
            Thread.sleep(Long.MAX_VALUE);
        }
    }

    @ParameterizedTest
    @EnumSource(Farewell.class)
    void itEndsWithARigThatIsKilled(Farewell farewell) throws Exception {
        Process rig = new ProcessBuilder(
                        Jdk.command(Jdk.ownHome()),
                        Mirror.SHORT_LIVED,
                        "-cp",
                        System.getProperty("java.class.path"),
                        Rig.class.getName(),
                        farewell.name())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        ProcessHandle process;
        try (BufferedReader lines = rig.inputReader()) {
            process = ProcessHandle.of(Long.parseLong(lines.readLine())).orElseThrow();
            assertThat(process.isAlive()).isTrue();
        } finally {
            rig.destroyForcibly().waitFor();
        }
        process.onExit().get(20, TimeUnit.SECONDS);
    }

    @Test
    void itOutlivesTheThreadThatAskedForIt() throws Exception {
        Process[] started = new Process[1];
        Thread caller = new Thread(() -> {
            try {
                started[0] = ManagedProcess.start(new ProcessBuilder("sleep", "60"), Farewell.KILL);
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
        caller.start();
        caller.join();
        try {
            assertThat(started[0].waitFor(500, TimeUnit.MILLISECONDS)).isFalse();
        } finally {
            ManagedProcess.stop(started[0], Duration.ZERO);
        }
        assertThat(started[0].isAlive()).isFalse();
        assertThat(ManagedProcess.exit(started[0].exitValue())).isEqualTo("ended by signal 9");
    }

    @Test
    void oneThatWillNotEndIsKilled() throws Exception {
        Process stubborn = ManagedProcess.start(
                new ProcessBuilder("sh", "-c", "exec 2>/dev/null; trap '' TERM; echo ready; while :; do sleep 1; done"),
                Farewell.KILL);
        assertThat(stubborn.inputReader().readLine()).isEqualTo("ready");
        ManagedProcess.stop(stubborn, Duration.ofMillis(100));
        assertThat(stubborn.isAlive()).isFalse();
        assertThat(ManagedProcess.exit(stubborn.exitValue())).isEqualTo("ended by signal 9");
    }

    @Test
    void aProgramThatIsNotThereIsNamed() {
        assertThatThrownBy(() -> ManagedProcess.start(new ProcessBuilder("no-such-program"), Farewell.KILL))
                .isInstanceOf(IOException.class)
                .hasMessage("there is no program no-such-program");
    }

    @ParameterizedTest
    @CsvSource({
        "'', C.UTF-8",
        "LANG=C, C.UTF-8",
        "LANG=de_DE.ISO-8859-1, C.UTF-8",
        "LANG=de_DE.UTF-8, ",
        "LANG=de_DE.utf8, ",
        "LC_ALL=C LANG=de_DE.UTF-8, C.UTF-8",
        "LC_ALL= LC_CTYPE=C.UTF-8 LANG=C, ''",
    })
    void whateverItStartsPrintsUtf8(String given, String all) throws Exception {
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", "printf %s \"${LC_ALL-unset}\"");
        builder.environment().keySet().removeIf(name -> name.startsWith("LC_") || name.equals("LANG"));
        for (String one : given.split(" ")) {
            if (!one.isEmpty()) {
                builder.environment().put(one.replaceFirst("=.*", ""), one.replaceFirst("[^=]*=", ""));
            }
        }
        assertThat(ManagedProcess.run(builder, Duration.ofSeconds(60)).output()).isEqualTo(all == null ? "unset" : all);
    }

    @Test
    void noOptionsReachAJvmFromOutsideItsCommandLine() throws Exception {
        ProcessBuilder java = new ProcessBuilder(Jdk.command(Jdk.ownHome()), "-version");
        JvmOptions.ENVIRONMENT.forEach(name -> java.environment().put(name, "-XX:NoSuchOption"));
        assertThat(ManagedProcess.run(java, Duration.ofSeconds(60)).exitCode()).isZero();

        ProcessBuilder started = new ProcessBuilder("sh", "-c", "env");
        JvmOptions.ENVIRONMENT.forEach(name -> started.environment().put(name, "-XX:NoSuchOption"));
        started.environment().put("MAVEN_OPTS", "-Dhttp.proxyHost=proxy");
        Process process = ManagedProcess.start(started, Farewell.KILL);
        assertThat(process.inputReader().lines())
                .contains("MAVEN_OPTS=-Dhttp.proxyHost=proxy")
                .noneMatch(line -> line.contains("NoSuchOption"));
    }

    /** As with a server, the started process leads a session. */
    @Test
    void whatAServerHasStartedEndsWithItAndIsNamed() throws Exception {
        Process server = ManagedProcess.start(
                new ProcessBuilder("setsid", "sh", "-c", "sleep 600 & echo $!; (sleep 601 & echo $!); exec sleep 602"),
                Farewell.KILL);
        BufferedReader said = server.inputReader();
        List<Long> children = List.of(Long.parseLong(said.readLine()), Long.parseLong(said.readLine()));
        // The shell has started them, and each becomes a sleep in a moment.
        for (long child : children) {
            while (!Files.readString(Path.of("/proc/" + child + "/comm"))
                    .strip()
                    .equals("sleep")) {
                Thread.sleep(5);
            }
        }
        assertThat(ManagedProcess.endSession(server.pid()))
                .as("while it lives nothing is ended")
                .isEmpty();
        assertThat(children).allMatch(child -> LinuxKernel.HERE.session(child) == server.pid());
        server.destroyForcibly().waitFor();

        assertThat(ManagedProcess.endSession(server.pid()))
                .containsExactlyInAnyOrder(
                        "sleep (process " + children.get(0) + ")", "sleep (process " + children.get(1) + ")");
        assertThat(children).allMatch(child -> LinuxKernel.HERE.session(child) == 0);
        assertThat(ManagedProcess.endSession(server.pid())).isEmpty();
    }
}
