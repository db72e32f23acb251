package org.servletbench.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the script that people start, with a Java that only reports its version. */
class LauncherTest {

    @TempDir
    private Path folder;

    /** Makes a fake {@code java} that prints its version like a JVM, or otherwise reports that it was started. */
    private Path java(String version) throws IOException {
        Path java = Files.createDirectories(folder.resolve("jdk/bin")).resolve("java");
        Files.writeString(java, """
                #!/bin/sh
                [ "$1" = -version ] && { echo 'openjdk version "%s" 2019-01-15' >&2; exit; }
                echo started
                """.formatted(version));
        return Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private String run() throws IOException, InterruptedException {
        Path script = Files.createDirectories(folder.resolve("bin")).resolve("servlet-bench");
        Files.copy(Path.of(System.getProperty("bench.root"), "bin/servlet-bench"), script);
        Files.writeString(
                Files.createDirectories(folder.resolve("bench/target")).resolve("bench.jar"), "");
        ProcessBuilder builder = new ProcessBuilder("sh", script.toString(), "compare").redirectErrorStream(true);
        builder.environment().put("JAVA_HOME", folder.resolve("jdk").toString());
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return process.waitFor() + " " + said.strip();
    }

    @ParameterizedTest
    @CsvSource({"1.8.0_292, 8", "9, 9", "11.0.2, 11", "16-ea, 16"})
    void anOldJdkIsNamedWhetherItHasAReleaseFileOrNot(String version, String feature) throws Exception {
        Path java = java(version);
        String expected = "1 servlet-bench: needs JDK 17 or newer, this is " + feature + " (" + java
                + "): install one, or set JAVA_HOME to one";

        assertThat(run()).isEqualTo(expected);

        Files.writeString(folder.resolve("jdk/release"), "IMPLEMENTOR=\"X\"\nJAVA_VERSION=\"" + version + "\"\n");
        Files.delete(folder.resolve("bin/servlet-bench"));
        assertThat(run()).isEqualTo(expected);
    }

    @Test
    void aNewerJdkIsStarted() throws Exception {
        java("25.0.1");

        assertThat(run()).isEqualTo("0 started");
    }

    @Test
    void aJavaThatDoesNotSayItsVersionIsStarted() throws Exception {
        java("internal");

        assertThat(run()).isEqualTo("0 started");
    }
}
