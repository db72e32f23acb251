package org.servletbench.jmeter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.servletbench.bench.cli.RunOptions;
import org.servletbench.bench.load.jmeter.JMeter;
import org.servletbench.bench.model.LoadPlan;
import org.servletbench.bench.model.Options;
import org.servletbench.bench.model.ProfilesFolder;

/** Helpers for the tests: the module's own JMeter and profiles, and waiting without guessed delays. */
final class Rig {

    static final Path MODULE = Path.of("").toAbsolutePath();
    static final Path TIERS = MODULE.resolve("tiers.jmx");
    static final ProfilesFolder PROFILES = new ProfilesFolder(MODULE.resolveSibling("profiles"));

    /** Time limit that only ends a test that would never end. Nothing depends on how fast this machine is. */
    private static final long PATIENCE_SECONDS = 120;

    private Rig() {}

    /** Returns the build's options, with these added. */
    static RunOptions asked(Map<String, String> given) {
        Map<String, String> all = new HashMap<>(given);
        for (String name : List.of("jmeter.version", "generator.heap")) {
            all.putIfAbsent(name, System.getProperty(name));
        }
        return new RunOptions(new Options(all, PROFILES.loadDefaults()), PROFILES);
    }

    static LoadPlan load(Map<String, String> given) {
        return asked(given).load();
    }

    static JMeter jmeter(Map<String, String> given) {
        return asked(given).jmeter(MODULE);
    }

    static Path home() {
        return jmeter(Map.of()).home();
    }

    static List<Path> plans() throws IOException {
        try (Stream<Path> files = Files.list(MODULE)) {
            return files.filter(file -> file.toString().endsWith(".jmx"))
                    .sorted()
                    .toList();
        }
    }

    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    static void await(String what, Callable<Boolean> condition) throws Exception {
        long end = System.nanoTime() + PATIENCE_SECONDS * 1_000_000_000L;
        while (!condition.call()) {
            assertThat(System.nanoTime()).as("waited for " + what).isLessThan(end);
            Thread.sleep(100);
        }
    }

    /**
     * Requires a tool. If it is missing, the test fails under CI; elsewhere, it is skipped with an instruction to
     * install the tool.
     */
    static void requireTool(String name, String debianPackage) {
        boolean there = Stream.of(System.getenv("PATH").split(":"))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, name)));
        if (System.getenv("CI") != null) {
            assertThat(there)
                    .as(name + " is missing: apt-get install " + debianPackage)
                    .isTrue();
        }
        assumeTrue(there, () -> "skipped, " + name + " is missing: apt-get install " + debianPackage);
    }
}
