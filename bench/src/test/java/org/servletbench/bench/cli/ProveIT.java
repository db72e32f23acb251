package org.servletbench.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.Mirror;

/** The short form of {@code prove}: the experiments that depend on no time and no noise. */
class ProveIT {

    private static final Path ROOT =
            Path.of(System.getProperty("bench.root")).toAbsolutePath().normalize();

    @TempDir
    private Path work;

    @Test
    void sabotageStopsACampaign() throws Exception {
        Path mirror = Mirror.of(ROOT, work.resolve("root"));
        Files.writeString(mirror.resolve("profiles/jvm.options"), Mirror.SMALL_JVM);
        Path log = work.resolve("prove.log");
        Path out = work.resolve("proof");
        Process running = Mirror.rig(
                        work, List.of("prove", "sabotage", "--root", mirror.toString(), "--out", out.toString()))
                .redirectOutput(log.toFile())
                .start();
        try {
            assertThat(running.waitFor(8, TimeUnit.MINUTES)).isTrue();
        } finally {
            running.destroyForcibly();
            Mirror.unlink(mirror);
        }

        String text = Files.readString(log);
        assertThat(running.exitValue()).as(text).isZero();
        assertThat(text)
                .contains("4 findings: 4 passed, 0 failed, 0 skipped, 0 shown (no test)")
                .doesNotContain("\tat ");
        JsonNode findings =
                new ObjectMapper().readTree(out.resolve("findings.json").toFile());
        assertThat(findings).hasSize(4).allSatisfy(finding -> {
            assertThat(finding.get("outcome").asText()).isEqualTo("PASSED");
            assertThat(finding.get("truth").asText()).isNotBlank();
            assertThat(finding.get("measured").asText()).isNotBlank();
        });
        assertThat(Files.readString(out.resolve("index.html"))).contains("another connector");
    }
}
