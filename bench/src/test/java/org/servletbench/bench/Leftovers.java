package org.servletbench.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Finds processes that should have ended. Servers, generators and wardens of a campaign work in the campaign's folders.
 */
public final class Leftovers {

    private static final int PATIENCE_SECONDS = 15;

    private Leftovers() {}

    /** Returns the working folders of all other processes that run in this folder or below. */
    public static List<Path> in(Path folder) throws IOException {
        List<Path> found = new ArrayList<>();
        try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
            for (Path process : processes.toList()) {
                String name = process.getFileName().toString();
                if (name.matches("\\d+")
                        && Long.parseLong(name) != ProcessHandle.current().pid()) {
                    try {
                        Path place = Files.readSymbolicLink(process.resolve("cwd"));
                        if (place.startsWith(folder)) {
                            found.add(place);
                        }
                    } catch (IOException e) {
                        // It has ended in the meantime.
                    }
                }
            }
        }
        return found;
    }

    /** Gives processes that are ending time to do so. */
    public static void awaitNone(Path folder) throws IOException, InterruptedException {
        for (int i = 0; i < 5 * PATIENCE_SECONDS && !in(folder).isEmpty(); i++) {
            Thread.sleep(200);
        }
        assertThat(in(folder)).isEmpty();
    }
}
