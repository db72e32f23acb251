package org.servletbench.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.servletbench.bench.model.JvmOptions;

/** Tests the message for a user who interrupts a reproduction. */
class OnInterruptTest {

    /** Main class of a separate process. */
    static final class Waits {
        public static void main(String[] ignored) throws Exception {
            PrintWriter console = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
            new OnInterrupt(console, "not this one").close();
            try (OnInterrupt open = new OnInterrupt(console, "go on with reproduce --resume")) {
                console.println("ready");
                Thread.sleep(60_000);
            }
        }
    }

    @Test
    void whoEndsItIsToldHowToGoOn() throws Exception {
        ProcessBuilder java = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Waits.class.getName())
                .redirectErrorStream(true);
        java.environment().keySet().removeAll(JvmOptions.ENVIRONMENT);
        Process process = java.start();
        try (BufferedReader said =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            assertThat(said.readLine()).isEqualTo("ready");
            process.toHandle().destroy();
            assertThat(said.lines().toList()).containsExactly("", "go on with reproduce --resume");
        } finally {
            process.destroyForcibly();
        }
    }
}
