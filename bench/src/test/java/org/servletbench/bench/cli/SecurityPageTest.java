package org.servletbench.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Tests the promises of SECURITY.md about files of this repository. Promises about behaviour are tested with that
 * behaviour.
 */
class SecurityPageTest {
    private static final Path ROOT = Path.of(System.getProperty("bench.root"));

    private static String read(String file) throws IOException {
        return Files.readString(ROOT.resolve(file));
    }

    @Test
    void workflowsPinTheirActionsAndOnlyTheReleaseMayWrite() throws IOException {
        List<Path> workflows;
        try (Stream<Path> files = Files.list(ROOT.resolve(".github/workflows"))) {
            workflows = files.toList();
        }
        assertThat(workflows).isNotEmpty();
        for (Path file : workflows) {
            String text = Files.readString(file);
            assertThat(Pattern.compile("(?m)^[ -]*uses: (?!\\./)(\\S+)")
                            .matcher(text)
                            .results())
                    .as("%s", file)
                    .isNotEmpty()
                    .allMatch(use -> use.group(1).matches("[\\w./-]+@[0-9a-f]{40}"));
            assertThat(text).contains("\npermissions: {contents: read}\n");
            assertThat(text.contains(": write")).as("%s", file).isEqualTo(file.endsWith("release.yml"));
        }
        assertThat(read(".github/workflows/ci.yml")).contains("image: debian:12\n", "options: --privileged\n");
    }

    /** Checks the warm-up, the report of a run, and the questions that {@code OfflinePreferences} suppresses. */
    @Test
    void gatlingCallsNobody() throws IOException {
        assertThat(read("simulations/src/test/resources/gatling.conf"))
                .contains("warmUpUrl = \"\"", "enableAnalytics = false");
    }

    @Test
    void theBillOfMaterialsHasItsProfile() throws IOException {
        assertThat(read("bench/pom.xml")).contains("cyclonedx-maven-plugin");
        assertThat(read("bench/pom.xml") + read("pom.xml"))
                .contains("<id>bom</id>", "<outputName>bench.cdx</outputName>");
    }
}
