package org.servletbench.bench.server.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.server.agent.ProbeAgent;

class JvmProbeTest {

    /** If a class were missing, the agent would fail silently in the server's JVM. */
    @Test
    void theAgentsJarHasAllOfItsClasses() throws Exception {
        Path classes = Path.of(ProbeAgent.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toURI())
                .resolve(ProbeAgent.class.getPackageName().replace('.', '/'));
        try (Stream<Path> files = Files.list(classes)) {
            assertThat(files.map(file -> file.getFileName().toString())
                            .filter(name -> name.endsWith(".class") && !name.equals("package-info.class"))
                            .map(name -> name.replace(".class", "")))
                    .containsExactlyInAnyOrderElementsOf(JvmProbe.AGENT_CLASSES);
        }
    }

    /** A JVM that is stopped by SIGSTOP never answers, so the wait is limited. */
    @Test
    void aProcessThatDoesNotAnswerIsNotWaitedForWithoutEnd(@TempDir Path folder) throws Exception {
        Path program = Files.writeString(
                folder.resolve("Waits.java"),
                "class Waits { public static void main(String[] a) throws Exception"
                        + " { System.out.println(1); System.in.read(); } }");
        Process java = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        program.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            assertThat(java.getInputStream().read()).isEqualTo('1');
            try (JvmProbe patient = JvmProbe.attach(java.pid());
                    JvmProbe probe = JvmProbe.attach(java.pid(), Duration.ofSeconds(1))) {
                assertThat(patient.sample()).containsKey("time.ms");
                assertThat(patient.finalC1Code()).as("C1 is its only compiler").contains("java/lang/String.length");
                signal("-STOP", java.pid());
                awaitStopped(java.pid());
                assertThatThrownBy(probe::sample)
                        .isInstanceOf(IOException.class)
                        .hasMessage("the server's JVM did not answer within 1 s");
                signal("-CONT", java.pid());
                // The late answer must not be mistaken for the answer to the next question.
                assertThatThrownBy(probe::sample).isInstanceOf(IOException.class);
            }
        } finally {
            java.destroyForcibly().waitFor();
        }
    }

    /** Waits, because the signal stops one thread after another. */
    private static void awaitStopped(long pid) throws Exception {
        while (!isStopped(pid)) {
            Thread.sleep(1);
        }
    }

    private static boolean isStopped(long pid) throws IOException {
        try (Stream<Path> threads = Files.list(Path.of("/proc/" + pid + "/task"))) {
            for (Path thread : threads.toList()) {
                String stat = Files.readString(thread.resolve("stat"));
                if (stat.charAt(stat.lastIndexOf(')') + 2) != 'T') {
                    return false;
                }
            }
        }
        return true;
    }

    private static void signal(String name, long pid) throws Exception {
        assertThat(new ProcessBuilder("kill", name, Long.toString(pid)).start().waitFor())
                .isZero();
    }
}
