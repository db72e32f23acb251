package org.servletbench.bench.load.tool;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.servletbench.bench.load.LoadException;
import org.servletbench.bench.load.ToolWatch;

/** A separate process for tests that kill it. It applies load for a minute and prints the tool's process id. */
final class LoadRigMain {

    private LoadRigMain() {}

    /** @param args the tool, a URL, a folder */
    public static void main(String[] args) {
        try {
            apply(args);
        } catch (LoadException e) {
            System.out.println(e.getMessage());
        }
    }

    private static void apply(String... args) {
        CommandLineGenerator.named(args[0])
                .run(
                        ToolLoads.lasting(URI.create(args[1]), 1, Duration.ofSeconds(60)),
                        Path.of(args[2]),
                        Optional.empty(),
                        new ToolWatch() {
                            @Override
                            public Optional<String> death() {
                                return Optional.empty();
                            }

                            @Override
                            public void loadedBy(ProcessHandle generator) {
                                System.out.println(generator.pid());
                            }
                        });
    }
}
