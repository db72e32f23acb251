package org.servletbench.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Services of {@code src/test/services}, built separately. */
public final class Services {

    private static final Path ROOT =
            Path.of(System.getProperty("bench.root")).toAbsolutePath().normalize();

    private Services() {}

    /** Returns a service's jar, built once for the current sources and version of Spring Boot. */
    public static Path built(String name) throws IOException, InterruptedException {
        return built(name, "jar", List.of());
    }

    /** Returns a service as an executable war. */
    public static Path war(String name) throws IOException, InterruptedException {
        return built(
                name,
                "war",
                List.of("-Pwar", "-Dservice.packaging=war", "-Dwar-plugin.version=" + version("war-plugin")));
    }

    /** Returns a version from the root's pom. */
    private static String version(String of) throws IOException {
        Matcher version =
                Pattern.compile("<" + of + ".version>([^<]+)<").matcher(Files.readString(ROOT.resolve("pom.xml")));
        assertThat(version.find()).isTrue();
        return version.group(1);
    }

    private static synchronized Path built(String name, String packaging, List<String> more)
            throws IOException, InterruptedException {
        String boot = version("boot3");
        Path target = ROOT.resolve("bench/target/services/" + name + "-" + boot + "-" + packaging);
        Path jar = target.resolve(name + "." + packaging);
        Path sources = ROOT.resolve("bench/src/test/services").resolve(name);
        Files.createDirectories(target);
        // Tests run in two JVMs, and both may need this service.
        try (FileChannel file = FileChannel.open(
                        target.resolve("build.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = file.lock()) {
            if (!Files.exists(jar) || isOlder(jar, sources)) {
                List<String> command = new ArrayList<>(List.of(
                        Path.of(System.getProperty("maven.home"), "bin", "mvn").toString(),
                        "-B",
                        "-ntp",
                        "-q",
                        "-Dmaven.repo.local=" + System.getProperty("maven.repo.local"),
                        "-Dboot.version=" + boot,
                        "-Dservice.target=" + target,
                        "-f",
                        sources.resolve("pom.xml").toString(),
                        "package"));
                command.addAll(more);
                Process maven = new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectInput(new File("/dev/null"))
                        .start();
                String said = new String(maven.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                assertThat(maven.waitFor()).as(said).isZero();
            }
        }
        return jar;
    }

    private static boolean isOlder(Path jar, Path sources) throws IOException {
        long built = Files.getLastModifiedTime(jar).toMillis();
        try (var files = Files.walk(sources)) {
            return files.anyMatch(file -> file.toFile().lastModified() > built);
        }
    }
}
