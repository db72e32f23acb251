package org.servletbench.bench.load;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import org.servletbench.bench.generator.SliceClock;
import org.servletbench.bench.model.Secrets;

/**
 * A generator's process that works through a schedule.
 *
 * @param place folder for its output
 * @param host host on which it runs; empty: this machine
 */
record Worker(String title, Process process, Path place, Optional<LoadHost> host) {

    /** Returns the file with its output. */
    Path output() {
        return place.resolve(title.toLowerCase(Locale.ROOT) + ".out");
    }

    /**
     * Starts to read its output.
     *
     * @param reported receives each line
     * @param failed receives the error if the generator does not follow the schedule, or waits for others
     * @return the thread, which ends with the output
     */
    Thread listen(Consumer<String> reported, Consumer<RuntimeException> failed) {
        Thread reader = new Thread(() -> read(reported, failed), "servlet-bench-generator");
        reader.setDaemon(true);
        reader.start();
        return reader;
    }

    private void read(Consumer<String> reported, Consumer<RuntimeException> failed) {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
                BufferedWriter copy = Files.newBufferedWriter(output(), StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                copy.write(Secrets.scrubbed(line) + "\n");
                copy.flush();
                try {
                    reported.accept(line);
                } catch (RuntimeException e) {
                    copy.write("servlet-bench: " + e + "\n");
                    failed.accept(e);
                }
            }
        } catch (IOException e) {
            // The caller that waits for the process learns that it has ended.
        }
    }

    /**
     * @throws LoadException if the process, which has ended, failed
     */
    void requireWell() throws IOException {
        if (process.exitValue() != 0) {
            String who = title + host.map(one -> " on " + one.name()).orElse("");
            List<String> said = Files.readAllLines(output(), StandardCharsets.UTF_8);
            if (said.stream().anyMatch(line -> line.contains(SliceClock.LATE))) {
                throw LoadException.late(who + " came too late for its time slices");
            }
            throw new LoadException(who + " failed (exit code " + process.exitValue() + "): " + lastWords(said));
        }
    }

    private String lastWords(List<String> said) {
        return said.stream()
                .filter(line -> !line.isBlank() && !line.startsWith("\t"))
                .filter(line -> line.contains("xception"))
                .findFirst()
                .orElse("see " + output());
    }
}
