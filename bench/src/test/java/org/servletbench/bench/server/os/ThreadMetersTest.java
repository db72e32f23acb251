package org.servletbench.bench.server.os;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ThreadMetersTest {

    @TempDir
    private Path proc;

    private void thread(int id, String name, long millis, long voluntary, long involuntary) throws IOException {
        Path folder = Files.createDirectories(proc.resolve("7/task/" + id));
        Files.writeString(folder.resolve("comm"), name + "\n");
        Files.writeString(folder.resolve("schedstat"), millis * 1_000_000 + " 5 9\n");
        Files.writeString(
                folder.resolve("status"),
                "Name:\t" + name + "\nvoluntary_ctxt_switches:\t" + voluntary + "\nnonvoluntary_ctxt_switches:\t"
                        + involuntary + "\n");
    }

    private void ends(int id) throws IOException {
        Path folder = proc.resolve("7/task/" + id);
        for (String file : new String[] {"comm", "schedstat", "status"}) {
            Files.delete(folder.resolve(file));
        }
        Files.delete(folder);
    }

    @Test
    void timeIsSummedByRoleAndSwitchesByKind() throws IOException {
        ThreadMeters meters = new ThreadMeters(proc, 7);
        thread(7, "java", 90, 1, 0);
        thread(8, "C2 CompilerThre", 30, 10, 2);
        thread(9, "XNIO-1 I/O-1", 400, 100, 5);
        thread(10, "XNIO-1 task-1", 700, 300, 7);
        assertThat(meters.sample())
                .isEqualTo(Map.of(
                        "context.switches",
                        425L,
                        "context.switches.voluntary",
                        411L,
                        "context.switches.involuntary",
                        14L,
                        "compiler.cpu.ms",
                        30L,
                        "container.cpu.ms",
                        1100L,
                        "other.cpu.ms",
                        90L));

        // One thread ends, another reuses its id, and a third still had its parent's name when it was first seen.
        ends(10);
        thread(9, "G1 Conc#0", 5, 1, 1);
        thread(7, "C1 CompilerThre", 95, 2, 0);
        Map<String, Long> later = meters.sample();
        assertThat(later.get("container.cpu.ms")).isEqualTo(1100);
        assertThat(later.get("gc.cpu.ms")).isEqualTo(5);
        assertThat(later.get("compiler.cpu.ms")).isEqualTo(125);
        assertThat(later.get("context.switches.voluntary")).isEqualTo(400 + 1 + 2 + 10);
        assertThat(later.get("context.switches.involuntary")).isEqualTo(12 + 1 + 2);
    }

    @ParameterizedTest
    @CsvSource({
        "http-nio-127.0., CONTAINER",
        "https-jsse-nio-, CONTAINER",
        "qtp1234567-42, CONTAINER",
        "qtp-1234567-42, CONTAINER",
        "XNIO-1 task-17, CONTAINER",
        "ForkJoinPool-1-, CONTAINER",
        "reactor-http-ep, CONTAINER",
        "C1 CompilerThre, COMPILER",
        "GC Thread#0, GC",
        "G1 Main Marker, GC",
        "VM Thread, GC",
        "ZWorkerYoung#0, GC",
        "Shenandoah GC T, GC",
        "servlet-bench-p, OTHER",
        "scheduling-1, OTHER",
        "Thread-3, OTHER",
        "Catalina-utilit, OTHER"
    })
    void rolesFollowTheKernelsNames(String name, ThreadRole role) {
        assertThat(ThreadRole.of(name)).isEqualTo(role);
    }

    /** Uses the names in the running JVM, whatever its version. */
    @Test
    void thisJvmHasACollectorAndACompiler() throws IOException {
        assertThat(new ThreadMeters(ProcessHandle.current().pid()).sample())
                .containsKeys("gc.cpu.ms", "compiler.cpu.ms", "other.cpu.ms", "context.switches.voluntary");
    }
}
