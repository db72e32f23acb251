package org.servletbench.bench.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.model.Options;
import org.servletbench.bench.model.ProfilesFolder;
import org.servletbench.bench.model.UsageException;

class PlannerTest {

    private static final ProfilesFolder PROFILES = new ProfilesFolder(Path.of("../profiles"));
    private static final String PRE_TOUCH = "-XX:+AlwaysPreTouch";

    @TempDir
    private Path folder;

    private static Options options(Map<String, String> given) {
        return Planner.options("--", given, PROFILES);
    }

    private Path file(String options) throws IOException {
        return Files.writeString(folder.resolve("own.options"), options);
    }

    @Test
    void aCampaignTouchesTheHeapFirstAndASingleRunDoesNot() throws IOException {
        assertThat(Planner.jvmOptions(options(Map.of()), PROFILES).values())
                .startsWith("-Xms2g")
                .endsWith(PRE_TOUCH);
        assertThat(PROFILES.jvmOptions().values()).doesNotContain(PRE_TOUCH);
        assertThat(Planner.jvmOptions(options(Map.of("pre-touch", "false")), PROFILES))
                .as("as published")
                .isEqualTo(PROFILES.jvmOptions());
        assertThat(Planner.jvmOptions(
                                options(Map.of("jvm.options", file("-Xmx1g").toString())), PROFILES)
                        .values())
                .containsExactly("-Xmx1g", PRE_TOUCH);
    }

    @Test
    void whoeverSaysWhetherTheHeapIsTouchedIsHeard() throws IOException {
        for (String own : new String[] {"-XX:-AlwaysPreTouch", PRE_TOUCH}) {
            assertThat(Planner.jvmOptions(
                                    options(Map.of("jvm.options", file(own).toString())), PROFILES)
                            .values())
                    .containsExactly(own);
        }
    }

    @Test
    void residentMemoryIsNoMetricToJudgeWhereItIsTheHeap() throws IOException {
        assertThatThrownBy(() -> Planner.draft(options(Map.of("primary", "rss")), PROFILES, line -> {}))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("--primary rss")
                .hasMessageContaining("-XX:-AlwaysPreTouch");
        Map<String, String> off = Map.of(
                "primary", "rss", "jvm.options", file("-XX:-AlwaysPreTouch").toString());
        assertThat(Planner.draft(options(off), PROFILES, line -> {}).plan().primary())
                .containsExactly("rss");
    }
}
