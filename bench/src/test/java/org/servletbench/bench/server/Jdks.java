package org.servletbench.bench.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.server.process.Jdk;

/** JDKs of this machine, for tests of servers on another JDK than servlet-bench's. */
public final class Jdks {

    private static final int NEW = 25;

    private Jdks() {}

    /**
     * Returns a JDK 25 or newer, and skips the test without one. In CI nothing is skipped, because its image has one.
     */
    public static Jdk recent() {
        Optional<Jdk> found = homes().flatMap(Jdks::usable)
                .filter(jdk -> jdk.feature() >= NEW)
                .min(Comparator.comparingInt(Jdk::feature));
        String missing = "no JDK " + NEW + " or newer in /usr/lib/jvm, /opt or $JAVA_HOME_" + NEW
                + "...: install one, for example Temurin " + NEW + " from https://adoptium.net";
        if (found.isEmpty() && !"true".equals(System.getenv("CI"))) {
            Assumptions.abort(missing);
        }
        return found.orElseThrow(() -> new AssertionError(missing));
    }

    private static Stream<Path> homes() {
        Stream<Path> reported = System.getenv().entrySet().stream()
                .filter(variable -> variable.getKey().startsWith("JAVA_HOME"))
                .map(variable -> Path.of(variable.getValue()));
        Stream<Path> usual = Stream.of(
                        "/usr/lib/jvm", "/opt", System.getProperty("user.home") + "/.sdkman/candidates/java")
                .map(Path::of)
                .flatMap(folder -> inside(folder).stream());
        return Stream.concat(reported, usual).filter(home -> Files.isExecutable(home.resolve("bin/java")));
    }

    private static List<Path> inside(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList();
        } catch (IOException e) {
            return List.of();
        }
    }

    private static Stream<Jdk> usable(Path home) {
        try {
            return Stream.of(Jdk.at(home.toString()));
        } catch (UsageException e) {
            return Stream.empty();
        }
    }
}
