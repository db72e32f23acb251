package org.servletbench.proofs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.servletbench.bench.model.Json;

/** The folder with the findings of all experiments. Each experiment is saved as soon as it has ended. */
record ProofFolder(Path folder) {

    private static final String FINDINGS = "findings.json";

    /**
     * Saves the findings of an experiment. They replace its earlier findings in this folder.
     *
     * @return all findings of the folder
     * @throws IOException if the folder cannot be read or written
     */
    List<Finding> keep(String experiment, List<Finding> own) throws IOException {
        Path file = Files.createDirectories(folder).resolve(FINDINGS);
        List<Finding> all =
                new ArrayList<>(Files.isRegularFile(file) ? List.of(Json.read(file, Finding[].class)) : List.of());
        all.removeIf(one -> experiment.equals(one.experiment()));
        all.addAll(own);
        Json.write(file, all);
        return List.copyOf(all);
    }
}
