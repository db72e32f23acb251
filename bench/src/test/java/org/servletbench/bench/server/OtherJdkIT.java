package org.servletbench.bench.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Servers on another JDK than the rig's. */
class OtherJdkIT {

    @TempDir
    private Path work;

    @Test
    void runsOnTheJdkThatWasAskedForAndProvesIt() throws IOException {
        Jdk jdk = Jdks.recent();
        Map<String, String> options = Arms.options("tomcat-nio,boot3", work);
        options.put("jdk", jdk.home().toString());

        try (Target target = Arms.open(options, Arms.FOLDER, work)) {
            JsonNode proven = new ObjectMapper()
                    .readTree(target.folder().resolve("server.json").toFile())
                    .get("proven");
            assertThat(proven.get("jvm.version").textValue()).isEqualTo(jdk.version());
            assertThat(proven.get("jvm.vendor").textValue()).isEqualTo(jdk.vendor());
            assertThat(proven.get("jvm.name").textValue()).isEqualTo(jdk.vm());
            assertThat(proven.get("jvm.home").textValue()).isEqualTo(jdk.home().toString());
            assertThat(target.jitMillis()).isPresent();
            assertThat(target.runtime().get("the server's JDK")).startsWith(jdk.version());
        }
    }

    @Test
    void anOptionThatThisJdkNoLongerHasIsNotIgnored() throws IOException {
        Map<String, String> options = Arms.options("tomcat-nio,boot3", work);
        options.put("jdk", Jdks.recent().home().toString());
        options.put(
                "jvm.options",
                Files.writeString(work.resolve("old.options"), "-Xmx256m -XX:+ZGenerational")
                        .toString());

        assertThatThrownBy(() -> Arms.open(options, Arms.FOLDER, work))
                .isInstanceOf(TargetException.class)
                .hasMessageContaining("does not take the JVM options of " + work.resolve("old.options"))
                .hasMessageContaining("ZGenerational");
    }
}
