package org.servletbench.bench.server.os;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompilerThreadsTest {

    @TempDir
    private Path proc;

    private void thread(int id, String name, long nanos) throws IOException {
        Path folder = Files.createDirectories(proc.resolve("7/task/" + id));
        Files.writeString(folder.resolve("comm"), name + "\n");
        Files.writeString(folder.resolve("schedstat"), nanos + " 5 9\n");
    }

    private void ends(int id) throws IOException {
        Path folder = proc.resolve("7/task/" + id);
        Files.delete(folder.resolve("comm"));
        Files.delete(folder.resolve("schedstat"));
        Files.delete(folder);
    }

    @Test
    void threadsThatCompileAreSummedAndEndedOnesAreKept() throws IOException {
        CompilerThreads threads = new CompilerThreads(proc, 7);
        thread(7, "java", 900_000_000);
        thread(8, "C2 CompilerThre", 30_000_000);
        thread(9, "C1 CompilerThre", 12_000_000);
        thread(10, "http-nio-127.0.", 700_000_000);
        assertThat(threads.millis()).isEqualTo(42);

        thread(8, "C2 CompilerThre", 50_000_000);
        // This thread did not have its own name yet when it was first seen.
        thread(7, "C2 CompilerThre", 1_000_000);
        ends(9);
        assertThat(threads.millis()).isEqualTo(63);

        // Another thread reuses a known id.
        ends(10);
        threads.millis();
        thread(10, "C1 CompilerThre", 4_000_000);
        assertThat(threads.millis()).isEqualTo(67);
    }

    @Test
    void aProcessWithoutSuchThreadsIsNotKnownToCompile() throws IOException {
        CompilerThreads threads = new CompilerThreads(proc, 7);
        thread(7, "nginx", 900_000_000);
        assertThatThrownBy(threads::millis).isInstanceOf(IOException.class).hasMessageContaining("known to compile");
    }

    /** Uses the names in the running JVM, whatever its version. */
    @Test
    void thisJvmCompiles() throws IOException {
        long before = new CompilerThreads(ProcessHandle.current().pid()).millis();
        assertThat(before).isPositive();
    }
}
