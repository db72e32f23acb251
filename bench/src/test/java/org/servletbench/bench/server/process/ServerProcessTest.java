package org.servletbench.bench.server.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ServerProcessTest {

    @Test
    void aServerHasTheEnvironmentThatItsArmAsksForAndNoOtherThatConfiguresIt() {
        ProcessBuilder builder = new ProcessBuilder("none");
        builder.environment().clear();
        builder.environment()
                .putAll(Map.of(
                        "PATH", "/bin", "SPRING_PROFILES_ACTIVE", "dev", "SERVER_PORT", "1", "LOGGING_FILE", "x"));

        assertThat(ServerProcess.environment(builder, Map.of("SPRING_PROFILES_ACTIVE", "prod", "DB", "h2")))
                .as("those that do not reach it")
                .containsExactly("LOGGING_FILE", "SERVER_PORT");
        assertThat(builder.environment())
                .containsOnly(
                        Map.entry("PATH", "/bin"), Map.entry("SPRING_PROFILES_ACTIVE", "prod"), Map.entry("DB", "h2"));
    }
}
