package org.servletbench.bench.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.servletbench.bench.model.Cell;
import org.servletbench.bench.model.Options;
import org.servletbench.bench.model.ProfilesFolder;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.record.Arm;

class QuestionsTest {

    private static final ProfilesFolder PROFILES = new ProfilesFolder(Path.of("../profiles"));

    private static Options options(Map<String, String> given) {
        return Planner.options("--", given, PROFILES);
    }

    private static Planner.Draft draft(Map<String, String> given) {
        return Planner.draft(options(given), PROFILES, line -> {});
    }

    @Test
    void aMigrationIsOneGroupOfSeveralLinesAndSaysSo() {
        List<Arm> arms = draft(Map.of("plan", "migration")).arms();

        assertThat(arms).extracting(Arm::group).containsOnly("migration");
        assertThat(arms)
                .extracting(Arm::id)
                .containsExactlyInAnyOrder("undertow", "tomcat-nio+boot4", "jetty+boot4", "undertow-control");
        assertThat(arms).extracting(Arm::label).contains("Undertow (boot3)", "Tomcat NIO (boot4)", "Jetty (boot4)");
        assertThat(arms.get(0).role()).isEqualTo(Arm.Role.BASELINE);
        assertThat(Arm.acrossLines(arms)).hasValueSatisfying(line -> assertThat(line)
                .contains("boot3 and boot4")
                .contains("change of framework and container together"));
    }

    @Test
    void withinALineNothingIsSaidOfAMigration() {
        assertThat(Arm.acrossLines(draft(Map.of()).arms())).isEmpty();
        assertThat(Arm.acrossLines(draft(Map.of("arms", "jetty,tomcat-nio,tomcat-nio+boot2,tomcat-nio2+boot2"))
                        .arms()))
                .as("two groups, each of one line")
                .isEmpty();
        assertThatThrownBy(() -> draft(Map.of("plan", "migration", "arms", "jetty,undertow")))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("--migration compares arms of several lines");
    }

    @Test
    void ratesAloneAreJudgedByCost() {
        Planner.Draft open = draft(Map.of("rates", "500,2000"));
        assertThat(open.plan().cells())
                .containsExactly(new Cell("hello", 0, 500, "gatling"), new Cell("hello", 0, 2000, "gatling"));
        assertThat(open.plan().primary()).containsExactly("cpu", "p99", "alloc");
        assertThat(draft(Map.of("rates", "500", "primary", "p99")).plan().primary())
                .containsExactly("p99");

        Planner.Draft both = draft(Map.of("rates", "500", "tiers", "10"));
        assertThat(both.plan().cells()).extracting(Cell::tier).containsExactly(10, 0);
        assertThat(both.plan().primary()).isEqualTo(draft(Map.of()).plan().primary());
    }

    @Test
    void aPercentileThatAFewRequestsWouldDecideIsNotJudged() {
        Map<String, String> p99 = Map.of("rates", "500,50", "hold", "12s", "primary", "cpu,p99");
        assertThatThrownBy(() -> draft(p99))
                .isInstanceOf(UsageException.class)
                .hasMessage(
                        "--primary p99: at 50 requests/s for 12s fewer than 10 requests lie beyond it: give at least"
                                + " --hold 20s, or a --primary without it");
        Map<String, String> longer = new HashMap<>(p99);
        longer.put("hold", "20s");
        assertThat(draft(longer).plan().primary()).contains("p99");
        Map<String, String> again = new HashMap<>(p99);
        again.put("rounds", "2");
        assertThat(draft(again).plan().primary()).contains("p99");
        Map<String, String> other = new HashMap<>(p99);
        other.put("primary", "cpu,p95");
        assertThat(draft(other).plan().primary()).contains("p95");
        other.put("rates", "10");
        assertThatThrownBy(() -> draft(other))
                .hasMessageContaining("--primary p95")
                .hasMessageContaining("--hold 20s");
        assertThat(draft(Map.of("tiers", "1", "primary", "p99")).plan().primary())
                .contains("p99");
    }

    @Test
    void eachArmGetsEachHeapAndHeapsAreGroups() {
        Map<String, String> given = Map.of("memory", "512m,1G", "arms", "tomcat-nio,jetty");
        Planner.Draft draft = draft(given);

        assertThat(draft.arms())
                .extracting(Arm::id)
                .containsExactly(
                        "tomcat-nio-512m",
                        "jetty-512m",
                        "tomcat-nio-512m-control",
                        "tomcat-nio-1g",
                        "jetty-1g",
                        "tomcat-nio-1g-control");
        assertThat(draft.arms()).extracting(Arm::group).containsOnly("boot3 512m", "boot3 1g");
        assertThat(draft.armOptions())
                .containsEntry("jetty-512m", "-Xms512m -Xmx512m")
                .containsEntry("tomcat-nio-1g-control", "-Xms1g -Xmx1g")
                .hasSize(6);
        assertThat(draft.arms())
                .extracting(arm -> Questions.memoryLimit(options(given), arm))
                .containsExactly(896L << 20, 896L << 20, 896L << 20, 1408L << 20, 1408L << 20, 1408L << 20);
        assertThat(Questions.memoryLimit(options(Map.of()), draft.arms().get(0)))
                .isZero();
        assertThat(draft.plan().primary()).containsExactly("throughput", "p99");
        assertThat(Planner.jvmOptions(options(given), PROFILES).values())
                .contains("-Xss256k")
                .noneMatch(option -> option.startsWith("-Xm") || option.contains("AlwaysPreTouch"));
    }

    @Test
    void startsCanBeComparedWithSmallHeaps() {
        Planner.Draft draft = draft(Map.of("plan", "startup", "memory", "256m", "arms", "jetty"));
        assertThat(draft.plan().primary()).containsExactly("ready", "ready.rss");
        assertThat(draft.arms()).extracting(Arm::id).containsExactly("jetty-256m", "jetty-256m-control");
    }

    @Test
    void sizesOfHeapsAreChecked() {
        for (String wrong : List.of("512", "much", "0m", "512m,512M", "512m,")) {
            assertThatThrownBy(() -> draft(Map.of("memory", wrong)))
                    .as(wrong)
                    .isInstanceOf(UsageException.class)
                    .hasMessageContaining("--memory");
        }
    }
}
