package org.servletbench.proofs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProofFolderTest {

    @TempDir
    private Path work;

    private List<String> keep(String experiment, String note) throws IOException {
        return new ProofFolder(work.resolve("proof"))
                .keep(experiment, List.of(Finding.skipped(experiment, "subject", note))).stream()
                        .map(Finding::note)
                        .toList();
    }

    @Test
    void anExperimentReplacesItsOwnFindingsAndNoOthers() throws IOException {
        assertThat(keep("delay", "first")).containsExactly("first");
        assertThat(keep("null", "hours")).containsExactly("first", "hours");
        assertThat(keep("delay", "second")).containsExactly("hours", "second");
    }

    @Test
    void damagedFindingsAreNotOverwritten() throws IOException {
        Path file = Files.createDirectory(work.resolve("proof")).resolve("findings.json");
        Files.writeString(file, "[{");
        assertThatThrownBy(() -> keep("delay", "first"))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(file + ": damaged: ");
        assertThat(file).hasContent("[{");
    }
}
