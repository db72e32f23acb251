package org.servletbench.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.generator.SliceClock;

class WorkerTest {

    @TempDir
    private Path folder;

    private Worker failed(String said) throws IOException, InterruptedException {
        Process process = new ProcessBuilder("false").start();
        process.waitFor();
        Worker worker = new Worker("Gatling", process, folder, Optional.empty());
        Files.writeString(worker.output(), said);
        return worker;
    }

    /** An exception of the generator itself would mean nothing to a reader. */
    @Test
    void aGeneratorThatReadItsTurnsTooLateIsTooSlow() throws Exception {
        Worker worker = failed("servlet-bench: java.io.IOException: " + SliceClock.LATE + "\n");

        assertThatThrownBy(worker::requireWell)
                .isInstanceOfSatisfying(
                        LoadException.class, e -> assertThat(e.isLate()).isTrue())
                .hasMessage("Gatling came too late for its time slices");
    }

    @Test
    void anotherFailureIsTold() throws Exception {
        Worker worker = failed("begin\njava.lang.IllegalStateException: no such field\n\tat x\n");

        assertThatThrownBy(worker::requireWell)
                .isInstanceOfSatisfying(
                        LoadException.class, e -> assertThat(e.isLate()).isFalse())
                .hasMessage("Gatling failed (exit code 1): java.lang.IllegalStateException: no such field");
    }
}
