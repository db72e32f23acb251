package org.servletbench.bench.whole;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.Leftovers;
import org.servletbench.bench.Services;

/**
 * Tests two builds of a service with two changed libraries. One of them now costs 5 ms per request; the other has no
 * effect.
 */
@Tag("full")
class BisectIT {

    private static final String LIBRARIES = "BOOT-INF/lib/";

    /** A filter that a library registers; it spins for a time in ms. */
    private static final String FILTER = """
            package planted;

            public class Planted implements jakarta.servlet.Filter {
                @Override
                public void doFilter(
                        jakarta.servlet.ServletRequest request,
                        jakarta.servlet.ServletResponse response,
                        jakarta.servlet.FilterChain chain)
                        throws java.io.IOException, jakarta.servlet.ServletException {
                    long end = System.nanoTime() + %d * 1_000_000L;
                    while (System.nanoTime() < end) {
                        Thread.onSpinWait();
                    }
                    chain.doFilter(request, response);
                }
            }
            """;

    /** With only one compiler, servers are soon warm. A part whose servers are not warm has no verdict. */
    private static final String COMPARISON = """
            arms:
              before: {properties: {shop.arm: any}, jvm: [-XX:TieredStopAtLevel=1]}
              after: {properties: {shop.arm: any}, jvm: [-XX:TieredStopAtLevel=1]}
            workloads:
              request: {url: /}
            load:
              - {workloads: request, users: 2}
            judge: cpu
            measure: {warmup: 1m, generator-warmup: 1s, hold: 2s, rounds: 1, jvm-options: %s}
            """;

    @TempDir
    private Path work;

    @Test
    void theLibraryThatCostsIsNamedAndAnEndedSearchIsReadAgain() throws Exception {
        Path shop = Services.built("shop");
        Path before = build(shop, "before", 0, "1.0");
        Path after = build(shop, "after", 5, "1.1");
        Path comparison =
                Files.writeString(work.resolve("small.yaml"), COMPARISON.formatted(work.resolve("small.options")));
        Path out = work.resolve("out");
        String asked = "bisect " + before + " " + after + " --url /api/purchases?city=Lund --limit 10s --comparison "
                + comparison + " --out " + out;
        String said;
        String again;
        String other;
        String foreign;
        try (Rig rig = new Rig(work)) {
            rig.set("load.properties", Map.of("target.start-timeout", "5m"));
            said = rig.start(work, "bisect.log", asked).ends(0);
            again = rig.start(work, "again.log", asked).ends(0);
            other = rig.start(work, "other.log", asked.replace("city=Lund", "city=Ume"))
                    .ends(2);
            foreign = rig.start(work, "foreign.log", asked.replace("--out " + out, "--out " + shop.getParent()))
                    .ends(2);
        }
        assertThat(said)
                .contains("2 parts differ:", "trial start: planted 1.0 → 1.1")
                .containsPattern("(?m)^planted 1.0 → 1.1: \\+\\d+ % .* in CPU time per request")
                .containsPattern("(?m)^  constant 1.0 → 1.1: ");
        assertThat(last(again)).as("nothing is measured twice").isEqualTo(last(said));
        assertThat(again).doesNotContain("trial start");
        assertThat(other).contains("--out " + out + " belongs to another search: --url differs; name a new folder");
        assertThat(foreign)
                .contains("--out " + shop.getParent() + " exists and is not a bisect folder: name a new one");
        try (Stream<Path> jars = Files.list(out.resolve("jars"))) {
            assertThat(jars).hasSize(2);
        }
        assertThat(out.resolve("answer.txt"))
                .content(StandardCharsets.UTF_8)
                .contains("planted 1.0 → 1.1: +", "\nstage-1/index.html\n");
        assertThat(out.resolve("stage-1/index.html"))
                .content(StandardCharsets.UTF_8)
                .contains("Which part of the change costs performance?", "only planted 1.0 → 1.1");
        Leftovers.awaitNone(work);
    }

    /** Returns the printed answer, which starts with the expensive part. */
    private static String last(String said) {
        int answer = said.lastIndexOf("planted 1.0 → 1.1: ", said.lastIndexOf("all of the change: "));
        return said.substring(said.lastIndexOf('\n', answer - 4) + 1).strip();
    }

    /** Adds two libraries to the service. Both have this version, and one of them spins. */
    private Path build(Path shop, String name, int spinMs, String version) throws IOException {
        Path jar = work.resolve(name + ".jar");
        Files.copy(shop, jar);
        Path planted = library(name, spinMs, shop);
        Path constant = work.resolve(name + "-constant.jar");
        try (FileSystem empty = FileSystems.newFileSystem(constant, Map.of("create", true))) {
            Files.writeString(empty.getPath("/constant.txt"), version);
        }
        try (FileSystem zip = FileSystems.newFileSystem(jar, Map.of("compressionMethod", "STORED"))) {
            Files.copy(planted, zip.getPath("/" + LIBRARIES + "planted-" + version + ".jar"));
            Files.copy(constant, zip.getPath("/" + LIBRARIES + "constant-" + version + ".jar"));
        }
        return jar;
    }

    private Path library(String name, int spinMs, Path shop) throws IOException {
        Path folder = Files.createDirectories(work.resolve(name + "-library"));
        Path servlet = folder.resolve("servlet.jar");
        try (FileSystem zip = FileSystems.newFileSystem(shop);
                Stream<Path> libraries = Files.list(zip.getPath("/" + LIBRARIES))) {
            Path tomcat = libraries
                    .filter(one -> one.getFileName().toString().startsWith("tomcat-embed-core"))
                    .findFirst()
                    .orElseThrow();
            Files.copy(tomcat, servlet);
        }
        Path source = Files.writeString(folder.resolve("Planted.java"), FILTER.formatted(spinMs));
        int code = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler())
                .run(
                        null,
                        null,
                        null,
                        "--release",
                        "17",
                        "-cp",
                        servlet.toString(),
                        "-d",
                        folder.toString(),
                        source.toString());
        assertThat(code).isZero();
        Path jar = folder.resolve("planted.jar");
        try (FileSystem zip = FileSystems.newFileSystem(jar, Map.of("create", true))) {
            Files.createDirectories(zip.getPath("/planted"));
            Files.copy(folder.resolve("planted/Planted.class"), zip.getPath("/planted/Planted.class"));
            Path imports =
                    zip.getPath("/META-INF/spring/org.springframework.boot.autoconfigure.AutoConfiguration.imports");
            Files.createDirectories(imports.getParent());
            Files.writeString(imports, "planted.Planted\n");
        }
        return jar;
    }
}
