package org.servletbench.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.record.CampaignFolder;

class ShortAnswerTest {

    private static final MeasuredLoad USERS = new MeasuredLoad("hello", 100, 0, "gatling");

    @TempDir
    Path folder;

    private List<String> lines(Fixture fixture) throws IOException {
        fixture.draw().write(folder);
        return ShortAnswer.lines(Outcomes.of(CampaignFolder.read(folder)));
    }

    /** The note is the eighth line, and the page's address the last. */
    @Test
    void anAnswerFitsIntoEightLinesInPercent() throws IOException {
        List<String> lines = lines(Fixture.seeded(38)
                .oneGroup()
                .loads(List.of(USERS))
                .spread(0.01)
                .speed("undertow", 1.2)
                .question("Is Undertow worth it?")
                .note("Only for hello."));
        assertThat(lines)
                .hasSizeLessThanOrEqualTo(8)
                .startsWith("Is Undertow worth it?", "Undertow is fastest: +21 % ± 3 against Tomcat NIO.")
                .anyMatch(line -> line.matches(
                        "What it means: Undertow needs [\\d.]+ µs less CPU time per request than Tomcat NIO:"
                                + " [\\d.]+ % of a handler that takes 2 ms of CPU time\\."))
                .anyMatch(line -> line.matches("Why: .*Undertow: [\\d.]+ µs less CPU time per request.*"))
                .anyMatch(line -> line.startsWith("Trust: good: the A/A check passed"))
                .contains("Note: Only for hello.")
                .anyMatch(line -> line.startsWith("Conditions: hello at 100 users; "))
                .anyMatch(line -> line.startsWith("Measured: 10 blocks; Spring Boot 3.5.16, JDK 17"))
                .noneMatch(line -> line.contains("\n") || line.matches(".*\\b\\d\\.\\d{3}\\b.*"));
    }

    @Test
    void severalGroupsAndLoadsHaveNoMoreLines() throws IOException {
        assertThat(lines(Fixture.seeded(5).spread(0.01).speed("undertow", 1.2))).hasSizeLessThanOrEqualTo(7);
    }

    @Test
    void aCampaignThatHasNotEndedOnlySaysSo() throws IOException {
        assertThat(lines(Fixture.seeded(39).small().history()))
                .hasSize(2)
                .element(1)
                .asString()
                .startsWith("No verdicts: the campaign has not");
    }
}
