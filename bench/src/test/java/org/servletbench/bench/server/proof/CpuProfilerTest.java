package org.servletbench.bench.server.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CpuProfilerTest {

    @TempDir
    private Path folder;

    /** Main class of a process that works until it is ended. */
    static final class Busy {
        public static void main(String[] args) {
            for (long i = 0; ; i++) {
                work(i);
            }
        }

        private static void work(long seed) {
            double value = seed;
            for (int i = 0; i < 100_000; i++) {
                value = Math.sqrt(value + i);
            }
            if (value < 0) {
                throw new IllegalStateException();
            }
        }
    }

    private Process busy(String... options) throws IOException {
        java.util.List<String> command = new java.util.ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(java.util.List.of(options));
        command.addAll(java.util.List.of("-cp", System.getProperty("java.class.path"), Busy.class.getName()));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
    }

    @Test
    void aBusyMethodIsOnTheStacks() throws Exception {
        Process server = busy();
        try {
            CpuProfiler profiler = new CpuProfiler(server.pid());
            profiler.start(1);
            Path stacks = folder.resolve("stacks");
            // Waits until it has used CPU time, however slow the machine is.
            for (int tries = 0; tries < 50 && (!Files.exists(stacks) || Files.size(stacks) == 0); tries++) {
                Thread.sleep(500);
                profiler.stop(stacks);
                if (Files.size(stacks) == 0) {
                    profiler.start(1);
                }
            }
            assertThat(stacks).content().contains("CpuProfilerTest$Busy.main");
        } finally {
            server.destroyForcibly().waitFor();
        }
    }

    @Test
    @Tag("full")
    void aJvmThatLetsNobodyInIsNamed() throws Exception {
        Process server = busy("-XX:+DisableAttachMechanism");
        try {
            assertThatThrownBy(() -> new CpuProfiler(server.pid()).start(1))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("the JVM does not load the profiler");
        } finally {
            server.destroyForcibly().waitFor();
        }
    }
}
