package org.servletbench.bench.proof;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.model.UsageException;

/** The folder of all that experiments found; each is kept as soon as it has ended. */
public record ProofFolder(Path folder) {

    private static final String FINDINGS = "findings.json";

    /**
     * Somebody wants to go on with it.
     *
     * @throws UsageException if it is not there, or neither one of these experiments, nor any that has ended, left
     *     something in it: hours of load would begin there
     */
    public void requireBegun(List<String> names) {
        if (!Files.isDirectory(folder)) {
            throw new UsageException("--resume " + folder + ": there is no such folder");
        }
        try (Stream<Path> files = Files.list(folder)) {
            if (files.map(file -> file.getFileName().toString())
                    .noneMatch(file -> file.equals(FINDINGS) || names.stream().anyMatch(file::startsWith))) {
                throw new UsageException("--resume " + folder + ": none of these experiments began there");
            }
        } catch (IOException e) {
            throw new UsageException("--resume " + folder + " cannot be read (" + e.getMessage() + ")");
        }
    }

    /**
     * Runs experiments one after the other; what others found here before is kept.
     *
     * @param found gets what each one found
     * @param kept gets all findings of the folder after each experiment
     * @return all findings of the folder
     * @throws IOException if it cannot be read or written
     */
    public List<Finding> run(List<Experiment> experiments, Consumer<Finding> found, Consumer<List<Finding>> kept)
            throws IOException {
        Path file = Files.createDirectories(folder).resolve(FINDINGS);
        List<Finding> all =
                new ArrayList<>(Files.isRegularFile(file) ? List.of(Json.read(file, Finding[].class)) : List.of());
        for (Experiment experiment : experiments) {
            List<Finding> own = experiment.run().get();
            own.forEach(found);
            // Only now: those that it has not reached keep what they found before.
            all.removeIf(one -> experiment.name().equals(one.experiment()));
            all.addAll(own);
            Json.write(file, all);
            kept.accept(List.copyOf(all));
        }
        return all;
    }
}
