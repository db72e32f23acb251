package org.servletbench.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.model.Proven;

class ServerRecordTest {

    /** Every key that occurs in any server's file. */
    private static final String ALL = """
            {"arm": "tomcat-nio2", "profile": "tomcat-nio2", "connector": "nio2", "line": "boot4", "settings": "defaults",
             "started": "2026-01-02T03:04:05Z", "url": "http://127.0.0.1:8080", "pid": 4711,
             "proven": {"boot.version": "4", "container": "tomcat", "container.version": "11", "jvm.version": "25.0.1",
                        "served.threads": "virtual"},
             "jvm.options": ["-Xmx1g", "-Dx=1"], "ready.ms": 2345, "start-up": {"ready.cpu": 5100, "ready.rss": 123456789},
             "host": "h1", "clock.ahead.ms": -1.5, "clock.uncertainty.ms": 0.25,
             "the encoding of answers": "hello: gzip", "machine": {"cpu": "Some CPU", "cores": "2"},
             "pinning": "server on processors 0, generator on 1", "jmeter.plan": "own.jmx", "cpu.profile": "none: no room",
             "warm-up": {"settled": true, "reason": "", "seconds": 30.4,
                         "bursts": [{"seconds": 1.0, "requestsPerSecond": 12.5, "compilerPercent": null, "backlog": 3.0}],
                         "code": {"interpreted": 1, "c1": 2, "c2": 3}},
             "left.behind": ["sleep (4712)"], "died": "ended by signal 9", "ended": "died under load: ended by signal 9"}
            """;

    @TempDir
    private Path folder;

    private ServerRecord read(String json) throws IOException {
        return ServerRecord.read(Files.writeString(folder.resolve(ServerRecord.FILE), json));
    }

    @Test
    void everyKeyIsReadAndWrittenAsItWas() throws IOException {
        ServerRecord all = read(ALL);
        JsonNode written = Json.MAPPER.readTree(Json.MAPPER.writeValueAsString(all));
        assertThat(written).isEqualTo(Json.MAPPER.readTree(ALL));

        assertThat(all.asked().arm()).isEqualTo("tomcat-nio2");
        assertThat(all.life().pid()).isEqualTo(4711);
        assertThat(all.proven().container()).isEqualTo("tomcat");
        assertThat(all.proven().threads()).isEqualTo("virtual");
        assertThat(all.proof().jvmOptions()).containsExactly("-Xmx1g", "-Dx=1");
        assertThat(all.run().warmUp().hasSettled()).isTrue();
        assertThat(all.run().warmUp().code()).isEqualTo(new CodeTiers(1, 2, 3));
        assertThat(all.remote().aheadMs()).isEqualTo(-1.5);
    }

    @Test
    void whatIsNotKnownIsNotInTheFile() throws IOException {
        assertThat(Json.MAPPER.writeValueAsString(ServerRecord.EMPTY)).isEqualTo("{ }");
        ServerRecord empty = read("{}");
        assertThat(empty).isEqualTo(ServerRecord.EMPTY);
        assertThat(empty.proven()).isEqualTo(Proven.NOTHING);
    }

    /** A third-party server. */
    @Test
    void nothingProvenIsFalse() throws IOException {
        ServerRecord foreign = ServerRecord.EMPTY.with(Map.of("url", "http://127.0.0.1:9", "proven", Proven.NOTHING));
        String json = Json.MAPPER.writeValueAsString(foreign);
        assertThat(json).contains("\"proven\" : false");
        assertThat(read(json)).isEqualTo(foreign);
        assertThat(read(json).proven().container()).isEmpty();
    }

    @Test
    void valuesAreSetByTheKeysOfTheFileAndTheOthersStay() throws IOException {
        ServerRecord changed = read(ALL).with(Map.of("ended", "stopped", "pid", 12L, "left.behind", List.of()));
        assertThat(changed.life().ended()).isEqualTo("stopped");
        assertThat(changed.life().pid()).isEqualTo(12);
        assertThat(changed.life().leftBehind()).isEmpty();
        assertThat(changed.life().died()).isEqualTo("ended by signal 9");
        assertThat(changed.run()).isEqualTo(read(ALL).run());
    }

    /** Otherwise it would be lost silently. */
    @Test
    void aKeyWithoutAPlaceIsRejected() {
        assertThatThrownBy(() -> ServerRecord.EMPTY.with(Map.of("endet", "stopped")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("server.json has no place for 'endet' as it is here: \"stopped\"");
        assertThatThrownBy(() -> ServerRecord.EMPTY.with(Map.of("warm-up", Map.of("users", 3))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no place for 'warm-up'");
        assertThatThrownBy(() -> ServerRecord.EMPTY.with(Map.of("pid", "many")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("pid");
    }

    @Test
    void damagedFilesAreOneLine() {
        assertThatThrownBy(() -> read("{\"pid\": "))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("damaged")
                .hasMessageNotContaining("\n");
    }
}
