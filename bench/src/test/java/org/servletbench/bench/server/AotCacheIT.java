package org.servletbench.bench.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.model.Options;
import org.servletbench.bench.model.WarmUpPlan;
import org.servletbench.bench.model.Workload;

/** One training of a few seconds, and a server that starts with what it made. */
class AotCacheIT {

    @TempDir
    private Path work;

    @Test
    void aServerStartsWithItsCacheAndProvesIt() throws IOException {
        Map<String, String> given = Arms.options("jetty,boot3", work);
        given.put("jdk", Jdks.recent().home().toString());
        TargetSpec spec = TargetSpec.of(new Options(given, Arms.FOLDER.loadDefaults()), Arms.FOLDER);
        Path jar = AotCache.extract(spec.jdk(), spec.jar(), work.resolve("app"));
        Path file = work.resolve("cache-1.aot");
        AotCache.train(
                spec.withJar(jar),
                List.of(new Workload("hello", "/hello", 5, 5)),
                new WarmUpPlan(Duration.ofSeconds(5), 2, Duration.ofMillis(500), Duration.ofMillis(100), 5, 3, 20),
                Duration.ofSeconds(3),
                work,
                file);
        AotCache cache = new AotCache(jar, file, 1, "abc");

        try (Target target = Target.start(spec.with(cache), work.resolve("server"))) {
            JsonNode json = new ObjectMapper()
                    .readTree(target.folder().resolve("server.json").toFile());
            JsonNode proven = json.get("proven");
            assertThat(json.get("jvm.options"))
                    .extracting(JsonNode::textValue)
                    .containsSubsequence("-XX:AOTCache=" + file.toAbsolutePath(), "-XX:AOTMode=on");
            assertThat(proven.get("aot.classes.archived").asInt())
                    .isGreaterThan(4 * proven.get("aot.classes.others").asInt());
            assertThat(proven.get("aot.cache.number").textValue()).isEqualTo("1");
            assertThat(proven.get("aot.cache.sha256").textValue()).isEqualTo("abc");
            assertThat(target.runtime()).containsEntry("the server's warm start", "AOT cache");
        }

        Files.setLastModifiedTime(jar, java.nio.file.attribute.FileTime.fromMillis(0));
        assertThatThrownBy(() -> Target.start(spec.with(cache), work.resolve("changed")))
                .as("a cache of another application is not ignored")
                .isInstanceOf(TargetException.class)
                .hasMessageContaining("Unable to use AOT cache");
    }
}
