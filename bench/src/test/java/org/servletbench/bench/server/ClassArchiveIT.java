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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.servletbench.bench.model.ArchiveKind;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.model.WarmUpPlan;
import org.servletbench.bench.model.Workload;
import org.servletbench.bench.server.process.ClassArchive;
import org.servletbench.bench.server.process.Jdk;
import org.servletbench.bench.server.process.TargetSpec;

/**
 * The only test of a training of a few seconds, of a server that starts with its own class archive and rejects that of
 * another application, and of a server on another JDK than servlet-bench's.
 */
@Tag("full")
class ClassArchiveIT {

    @TempDir
    private Path work;

    /** One case runs on the newest supported JDK, and one on servlet-bench's own. */
    @ParameterizedTest
    @CsvSource({
        "AOT, AOT cache, -XX:AOTCache=, -XX:AOTMode=on, Unable to use AOT cache",
        "CDS, CDS archive, -XX:SharedArchiveFile=, -Xshare:on, shared"
    })
    void aServerStartsWithItsArchiveAndProvesIt(
            ArchiveKind kind, String title, String option, String insist, String refusal) throws IOException {
        Map<String, String> given = Arms.options("jetty,boot3", work);
        if (kind == ArchiveKind.AOT) {
            given.put("jdk", Jdks.recent().home().toString());
        }
        TargetSpec spec = Arms.spec(given);
        Path jar = ClassArchive.extract(spec.jdk(), spec.jar(), work.resolve("app"));
        Path file = work.resolve(kind.key() + "-1");
        ClassArchive.train(
                kind,
                spec.withJar(jar),
                List.of(new Workload("hello", "/hello", 5, 5)),
                new WarmUpPlan(Duration.ofSeconds(5), 2, Duration.ofMillis(500), Duration.ofMillis(100), 5, 3, 20, 10),
                Duration.ofSeconds(1),
                work,
                file);
        ClassArchive archive = new ClassArchive(kind, jar, file, 1, "abc");

        try (Target target = Target.start(spec.with(archive), work.resolve("server"))) {
            JsonNode json = new ObjectMapper()
                    .readTree(target.folder().resolve("server.json").toFile());
            JsonNode proven = json.get("proven");
            assertThat(json.get("jvm.options"))
                    .extracting(JsonNode::textValue)
                    .containsSubsequence(option + file.toAbsolutePath(), insist);
            assertThat(proven.get("classes.archived").asInt())
                    .isGreaterThan(4 * proven.get("classes.others").asInt());
            assertThat(proven.get(kind.key() + ".number").textValue()).isEqualTo("1");
            assertThat(proven.get(kind.key() + ".sha256").textValue()).isEqualTo("abc");
            assertThat(target.runtime()).containsEntry("the server's warm start", title);
            Jdk jdk = spec.jdk();
            assertThat(proven.get("jvm.version").textValue()).isEqualTo(jdk.version());
            assertThat(proven.get("jvm.vendor").textValue()).isEqualTo(jdk.vendor());
            assertThat(proven.get("jvm.name").textValue()).isEqualTo(jdk.vm());
            assertThat(proven.get("jvm.home").textValue()).isEqualTo(jdk.home().toString());
            assertThat(target.compilerTime()).isPresent();
            assertThat(target.runtime().get("the server's JDK")).startsWith(jdk.version());
        }

        Files.setLastModifiedTime(jar, java.nio.file.attribute.FileTime.fromMillis(0));
        assertThatThrownBy(() -> Target.start(spec.with(archive), work.resolve("changed")))
                .as("an archive of another application is not ignored")
                .isInstanceOf(TargetException.class)
                .hasMessageContaining(refusal);
    }
}
