package org.servletbench.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Services of {@code src/test/services}, built by a build of their own. */
public final class Services {

    private static final Path ROOT =
            Path.of(System.getProperty("bench.root")).toAbsolutePath().normalize();

    private Services() {}

    /** Its jar, built once, for as long as its sources and the version of Spring Boot are the same. */
    public static synchronized Path built(String name) throws IOException, InterruptedException {
        Matcher version = Pattern.compile("<boot3.version>([^<]+)<").matcher(Files.readString(ROOT.resolve("pom.xml")));
        assertThat(version.find()).isTrue();
        Path target = ROOT.resolve("bench/target/services/" + name + "-" + version.group(1));
        Path jar = target.resolve(name + ".jar");
        Path sources = ROOT.resolve("bench/src/test/services").resolve(name);
        if (!Files.exists(jar) || isOlder(jar, sources)) {
            Process maven = new ProcessBuilder(
                            Path.of(System.getProperty("maven.home"), "bin", "mvn")
                                    .toString(),
                            "-B",
                            "-ntp",
                            "-q",
                            "-Dmaven.repo.local=" + System.getProperty("maven.repo.local"),
                            "-Dboot.version=" + version.group(1),
                            "-Dservice.target=" + target,
                            "-f",
                            sources.resolve("pom.xml").toString(),
                            "package")
                    .redirectErrorStream(true)
                    .redirectInput(new File("/dev/null"))
                    .start();
            String said = new String(maven.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(maven.waitFor()).as(said).isZero();
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
