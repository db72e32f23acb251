package org.servletbench.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.model.UsageException;

class BisectComparisonTest {

    private static final String GIVEN = """
            arms:
              before: {app: any.jar, archive: cds, env: {MODE: fast}}
              after: {app: any.jar}
            workloads:
              order: {url: /, method: POST, body-file: order.json}
            load: [{workloads: order, users: 8}]
            claims: [after is not slower than before in cpu]
            stop: {blocks: 3}
            """;

    @TempDir
    private Path folder;

    private BisectComparison comparison;

    @BeforeEach
    void write() throws IOException {
        Path given = Files.writeString(
                Files.createDirectories(folder.resolve("mine")).resolve("gate.yaml"), GIVEN);
        Files.writeString(folder.resolve("mine/order.json"), "{}");
        comparison = new BisectComparison(
                given, folder.resolve("builds/a.jar"), folder.resolve("builds/b.jar"), "/api", "20m");
    }

    private JsonNode written(boolean onlyStarts) throws IOException {
        Path out = Files.createDirectories(folder.resolve("out")).resolve("stage-1.yaml");
        comparison.write(
                out,
                Map.of("only-pool", folder.resolve("out/jars/pool.jar")),
                Map.of("only-pool", "only pool 1 → 2"),
                onlyStarts);
        return new YAMLMapper().readTree(out.toFile());
    }

    @Test
    void allArmsDifferInTheirJarsAlone() throws IOException {
        JsonNode arms = written(false).path("arms");
        assertThat(arms.properties()).extracting(Map.Entry::getKey).containsExactly("before", "after", "only-pool");
        assertThat(arms).allSatisfy(arm -> {
            assertThat(arm.path("env").path("MODE").asText()).isEqualTo("fast");
            assertThat(arm.path("archive").asText()).isEqualTo("cds");
            assertThat(arm.path("workdir").asText())
                    .as("configuration next to the builds holds for all")
                    .isEqualTo(folder.resolve("builds").toString());
        });
        assertThat(arms.path("only-pool").path("app").asText()).endsWith("out/jars/pool.jar");
        assertThat(arms.path("only-pool").path("label").asText()).isEqualTo("only pool 1 → 2");
    }

    @Test
    void loadsStayAndClaimsGo() throws IOException {
        JsonNode file = written(false);
        assertThat(file.path("workloads").path("order").path("url").asText()).isEqualTo("/api");
        assertThat(file.path("workloads").path("order").path("body-file").asText())
                .as("found from another folder, too")
                .isEqualTo(folder.resolve("mine/order.json").toString());
        assertThat(file.has("claims")).isFalse();
        assertThat(file.path("stop").path("limit").asText()).isEqualTo("20m");
        assertThat(file.path("stop").has("blocks")).isFalse();
    }

    @Test
    void whatIsOnlyStartedTrainsNoArchive() throws IOException {
        assertThat(written(true).path("arms")).noneMatch(arm -> arm.has("archive"));
    }

    @Test
    void aFileOfAnotherKindIsRejected() throws IOException {
        Files.writeString(comparison.source(), "arms: {tomcat: , jetty: }\n");
        assertThatThrownBy(comparison::read)
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("needs an arm 'before' and a single workload");
        Files.writeString(comparison.source(), "- nothing\n");
        assertThatThrownBy(comparison::read)
                .isInstanceOf(UsageException.class)
                .hasMessageEndingWith("is not a comparison file");
    }
}
