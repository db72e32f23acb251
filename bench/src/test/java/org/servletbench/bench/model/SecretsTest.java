package org.servletbench.bench.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SecretsTest {

    private static String hidden(String key, Object value) {
        return new Secrets().hidden(Map.of(key, value)).toString();
    }

    @Test
    void aHiddenValueIsAShortHashThatTellsTwoApart() {
        assertThat(Secrets.token("hunter2")).matches("sha256:[0-9a-f]{12}").isNotEqualTo(Secrets.token("hunter3"));
        assertThat(Secrets.isHidden("a " + Secrets.token("hunter2"))).isTrue();
        assertThat(Secrets.isHidden("sha256 of a jar")).isFalse();
    }

    @Test
    void everyKindOfValueIsHidden() {
        assertThat(hidden("env", Map.of("WHATEVER", "hunter2")))
                .doesNotContain("hunter2")
                .contains("WHATEVER");
        assertThat(hidden("properties", Map.of("shop.url", "hunter2"))).doesNotContain("hunter2");
        assertThat(hidden("settings", Map.of("spring.datasource.password", "12345")))
                .doesNotContain("12345");
        assertThat(hidden("headers", Map.of("Authorization", "Bearer hunter2", "Accept", "text/html")))
                .doesNotContain("hunter2")
                .contains("text/html");
        assertThat(hidden("rows", List.of(Map.of("pin", "1234")))).doesNotContain("1234");
        assertThat(hidden("body", "{\"pin\":\"1234\"}")).doesNotContain("1234");
        assertThat(hidden("path", "/x?token=hunter2&page=7&id=${id}"))
                .doesNotContain("hunter2")
                .contains("page=7&id=${id}");
        assertThat(hidden("jvm", List.of("-Xmx1g", "-Ddb.password=hunter2", "-Djava.io.tmpdir=/tmp")))
                .doesNotContain("hunter2")
                .contains("-Xmx1g", "-Djava.io.tmpdir=/tmp");
        assertThat(hidden("jvm.options", "-Xmx1g -Dtoken=hunter2")).doesNotContain("hunter2");
        assertThat(hidden(
                        "command",
                        List.of(
                                "java",
                                "-Ddb.url=hunter2",
                                "-Dserver.port=${port}",
                                "-jar",
                                "/srv/app.jar",
                                "--shop.url=hunter2",
                                "--micronaut.server.ssl.key-password=hunter2",
                                "--micronaut.server.thread-selection=blocking",
                                "--bind=http://${address}:${port}/",
                                "--password",
                                "hunter2")))
                .doesNotContain("hunter2")
                .contains(
                        "-Dserver.port=${port}",
                        "/srv/app.jar",
                        "--bind=http://${address}:${port}/",
                        "--shop.url=sha256:",
                        "--micronaut.server.thread-selection=blocking");
        assertThat(hidden("options", Map.of("db.url", "jdbc:postgresql://127.0.0.1/b?user=me&password=hunter2")))
                .doesNotContain("hunter2");
    }

    /** A page needs them to explain how arms differ. */
    @Test
    void settingsOfTheServerAreShown() {
        assertThat(hidden("properties", Map.of("server.tomcat.threads.max", "8", "server.compression.enabled", "true")))
                .contains("\"8\"", "\"true\"");
        assertThat(hidden("properties", Map.of("spring.autoconfigure.exclude", "org.example.Unwanted")))
                .contains("org.example.Unwanted");
        assertThat(hidden("properties", Map.of("server.ssl.key-store-password", "hunter2")))
                .doesNotContain("hunter2");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "compare quick --set=arms.a.env.TOKEN=hunter2",
                "compare quick --set=arms.a.command.3=--token=hunter2",
                "compare quick --set=arms.a.command=[java,--token=hunter2]",
                "compare quick --set=workloads.x.body=hunter2",
                "compare quick '--set=workloads.x.headers={Cookie: hunter2}'",
                "compare quick --set=server.jvm=-Dx=hunter2",
                "compare quick --arms=jetty:properties.db.password=hunter2",
                "compare --app=shop.jar --url=/x?token=hunter2",
                "compare quick --set=measure.db-url=jdbc:h2:mem:x;PASSWORD=hunter2",
            })
    void aCommandIsRecordedWithoutThem(String command) {
        assertThat(hidden("command", command)).doesNotContain("hunter2").contains("compare", "=sha256:");
    }

    @Test
    void aCommandWithoutValuesStaysAsItWas() {
        String command = "compare quick --arms=jetty:version=12.0.5 '--set=arms.a.label=a b' --set=stop.limit=5m";
        assertThat(hidden("command", command)).contains(command);
    }

    @Test
    void valuesComeBackByTheirHashes() {
        Secrets secrets = new Secrets();
        JsonNode tree = secrets.hidden(Map.of("path", "/x?token=hunter2", "env", Map.of("A", "other")));
        assertThat(Secrets.each(tree, text -> Secrets.restored(text, secrets.values()))
                        .toString())
                .contains("/x?token=hunter2", "\"other\"");
        assertThat(Secrets.restored(Secrets.token("unknown"), secrets.values())).isEqualTo(Secrets.token("unknown"));
        assertThat(new Secrets().hidden(secrets.hidden(Map.of("body", "x1"))).toString())
                .as("what is hidden stays as it is")
                .contains(Secrets.token("x1"));
    }

    @Test
    void whatOthersSayIsScrubbed() {
        new Secrets().hidden(Map.of("headers", Map.of("Cookie", "sid=0123456789abcdef")));
        assertThat(Secrets.scrubbed("sent sid=0123456789abcdef to it"))
                .isEqualTo("sent " + Secrets.token("sid=0123456789abcdef") + " to it");
    }

    @Test
    void aVariableOfTheEnvironmentIsOnRecordByItsName() {
        assertThat(hidden("env", Map.of("A", "${env:PATH}"))).contains("${env:PATH}");
        assertThat(Secrets.resolved("a ${env:PATH}")).isEqualTo("a " + System.getenv("PATH"));
        assertThat(Secrets.ofEnvironment(Map.of("env", Map.of("A", "${env:PATH}"))))
                .containsExactly(Map.entry("env:PATH", Secrets.token(System.getenv("PATH"))));
        assertThatThrownBy(() -> Secrets.resolved("${env:NO_SUCH_NAME}"))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("the environment has no NO_SUCH_NAME");
    }

    @Test
    void wordsOfACommandAreReadAsTheyWereQuoted() {
        List<String> words = List.of("compare", "a b", "it's", "--set=x={a: 'b'}", "\\");
        assertThat(Text.words(words.stream()
                        .map(Text::quoted)
                        .reduce((a, b) -> a + " " + b)
                        .orElseThrow()))
                .isEqualTo(words);
    }

    @Test
    void blanksOfAllKindsPartTheOptionsOfAJvm() {
        assertThat(Secrets.ofJvm("-Xss1m\t-Dshop.password=hunter2SECRET -Da.b=other\n-Xmx1g"))
                .matches("-Xss1m\t-Dshop\\.password=sha256:[0-9a-f]{12} -Da\\.b=sha256:[0-9a-f]{12}\n-Xmx1g");
        assertThat(Secrets.ofPath("/buy?password=SECRETj&page=2"))
                .matches("/buy\\?password=sha256:[0-9a-f]{12}&page=2");
    }
}
