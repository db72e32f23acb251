package org.servletbench.bench.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.model.UsageException;

class ProofFolderTest {

    @TempDir
    private Path work;

    private static Experiment experiment(String name, String measured) {
        return new Experiment(name, () -> List.of(Finding.skipped(name, "subject", measured)));
    }

    private static List<String> notes(List<Finding> findings) {
        return findings.stream().map(Finding::note).toList();
    }

    private List<String> run(Experiment... experiments) throws IOException {
        return notes(new ProofFolder(work.resolve("proof")).run(List.of(experiments), finding -> {}, all -> {}));
    }

    @Test
    void anExperimentReplacesItsOwnFindingsAndNoOthers() throws IOException {
        assertThat(run(experiment("delay", "first"), experiment("null", "hours")))
                .containsExactly("first", "hours");
        assertThatThrownBy(() -> run(
                        new Experiment("delay", () -> {
                            throw new IllegalStateException("interrupted");
                        }),
                        experiment("null", "never reached")))
                .hasMessage("interrupted");
        assertThat(run(experiment("delay", "second"))).containsExactly("hours", "second");
    }

    @Test
    void whatIsFoundIsKeptWhenTheNextOneFails() {
        List<List<String>> kept = new ArrayList<>();
        Experiment fails = new Experiment("stall", () -> {
            throw new IllegalStateException("on purpose");
        });
        assertThatThrownBy(() -> new ProofFolder(work.resolve("proof"))
                        .run(List.of(experiment("delay", "first"), fails), finding -> {}, all -> kept.add(notes(all))))
                .hasMessage("on purpose");
        assertThat(kept).containsExactly(List.of("first"));
        assertThatCode(() -> assertThat(run(experiment("null", "later"))).containsExactly("first", "later"))
                .doesNotThrowAnyException();
    }

    @Test
    void hoursDoNotBeginWhereSomebodyWantsToGoOn() throws IOException {
        ProofFolder folder = new ProofFolder(work);
        assertThatThrownBy(() -> folder.requireBegun(List.of("null")))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("none of these experiments began there");
        Files.createDirectory(work.resolve("blind-1"));
        assertThatThrownBy(() -> folder.requireBegun(List.of("null"))).isInstanceOf(UsageException.class);
        assertThatCode(() -> folder.requireBegun(List.of("null", "blind"))).doesNotThrowAnyException();
        Files.writeString(work.resolve("findings.json"), "[]");
        assertThatCode(() -> folder.requireBegun(List.of("null"))).doesNotThrowAnyException();
    }

    @Test
    void damagedFindingsAreNotOverwritten() throws IOException {
        Path file = Files.createDirectory(work.resolve("proof")).resolve("findings.json");
        Files.writeString(file, "[{");
        assertThatThrownBy(() -> run(experiment("delay", "first")))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(file + ": damaged: ");
        assertThat(file).hasContent("[{");
    }
}
