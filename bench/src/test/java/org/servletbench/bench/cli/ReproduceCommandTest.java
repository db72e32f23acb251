package org.servletbench.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code reproduce} says before anything runs. */
class ReproduceCommandTest {

    private static final String ROOT = Path.of(System.getProperty("bench.root"))
            .toAbsolutePath()
            .normalize()
            .toString();

    private record Said(int code, String out, String err) {}

    private static Said run(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        List<String> all = new ArrayList<>(List.of("reproduce", "--root", ROOT));
        all.addAll(List.of(arguments));
        int code = Main.run(new PrintWriter(out), new PrintWriter(err), all.toArray(String[]::new));
        return new Said(code, out.toString(), err.toString());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --scale 3              | --scale=3
            --scale 0              | above 0
            --scale lots           | --scale=lots
            --settings fast        | --settings=fast: choose from defaults, equalised, newest
            --blocks 1             | --blocks=1
            no-such-article        | no article 'no-such-article'
            ../published/wrk-hello | no article
            --no-such-option       | --no-such-option
            --limit soon           | --limit=soon
            --resume=none          | --resume none:
            wrk-hello --resume --scale 0.5 | --resume takes the plan from the reproduction: only --limit may be given with it, not --scale
            wrk-hello --resume --out other | not --out
            wrk-hello --resume --dry-run | not --dry-run
            wrk-hello ab-startup --resume | name one article, not 2
            --resume               | name the article, or the folder
            """)
    void badUsageIsOneLineAndTwo(String arguments, String said) {
        Said refused = run(arguments.strip().split(" +"));
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err()).startsWith("reproduce: ").contains(said);
        assertThat(refused.err().lines()).hasSize(1);
        assertThat(refused.out()).isEmpty();
    }

    @Test
    void whatWasMeasuredIsNeverOverwritten(@TempDir Path folder) throws Exception {
        Files.writeString(folder.resolve("precious"), "1");
        Said refused = run("wrk-hello", "--out", folder.toString());
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err()).contains("already exists");
        try (var files = Files.list(folder)) {
            assertThat(files).hasSize(1);
        }
    }

    /** Nothing is built, started or written. */
    @Test
    void theDryRunSaysWhatWouldRun(@TempDir Path folder) throws Exception {
        Said plan = run(
                "--dry-run", "--scale", "0.5", "--out", folder.resolve("none").toString());
        assertThat(plan.err()).isEmpty();
        assertThat(plan.code()).isZero();
        assertThat(plan.out())
                .contains("wrk-hello", "jmeter-nio-apr-tiers", "siege-threads", "ab-startup")
                .contains("5000 requests")
                .contains("1000, 1000, 1000 requests a user")
                .contains("payload 100 users with siege")
                .contains("hello 50 users with siege-d1")
                .contains("5 blocks of ");
        assertThat(folder.resolve("none")).doesNotExist();
        assertThat(plan.out())
                .contains(
                        "as it should be, the article's treatment (settings defaults): 5 blocks",
                        "as it should be, equalised settings: 5 blocks")
                .containsPattern(
                        "about \\d+ min: \\d+ min as published, \\d+ min with defaults, \\d+ min with equalised");
    }

    /** Three minutes as published; the rest is shared by the campaigns, or all of it for one. */
    @Test
    void theTimeLimitIsForAllOfAnArticle() {
        assertThat(run("wrk-hello", "--dry-run").out())
                .containsPattern("time for about \\d of 10 blocks; with noise of .* intervals of ± ")
                .contains("about 30 min: 3 min as published, 13 min with defaults, 13 min with equalised");
        assertThat(run("wrk-hello", "--dry-run", "--settings", "equalised").out())
                .contains("about 30 min: 3 min as published, 27 min with equalised");
        assertThat(run("wrk-hello", "--dry-run", "--limit", "1h", "--settings", "equalised")
                        .out())
                .contains("time for about 9 of 10 blocks");
        assertThat(run("ab-startup", "--dry-run").out()).as("no limit").contains("time for about 10 of 10 blocks");
    }

    /** What its claims about a start take is planned, told and limited like everything else. */
    @Test
    void startsArePartOfThePlan() {
        Said plan = run("ab-startup", "--dry-run");
        assertThat(plan.out())
                .contains("as it should be, the article's treatment (settings defaults), starts alone: 20 blocks of")
                .contains("as it should be, equalised settings, starts alone: 20 blocks of", "time for about 20 of 20")
                .contains("starts alone: 20 blocks of tomcat-nio+boot2, jetty+boot2, undertow+boot2, tomcat-nio+boot2-")
                .containsPattern(
                        "1 min as published, \\d+ min for starts with defaults, \\d+ min for starts with equalised, ")
                .doesNotContain("start-up");
        assertThat(run("ab-startup", "--dry-run", "--limit", "1h").out())
                .as("the loads share what the starts leave")
                .contains(
                        "about 60 min: 1 min as published, 7 min for starts with defaults, 7 min for starts with equalised,"
                                + " 23 min with defaults, 23 min with equalised");
        assertThat(run("ab-startup", "--dry-run", "--limit", "15m").out())
                .as("two blocks of each load take longer than that")
                .contains("about 30 min: ", "time for about 10 of 20 blocks")
                .doesNotContain("20 of 20");
        assertThat(run("wrk-hello", "--dry-run").out()).doesNotContain("starts alone");
    }

    @Test
    void oneTreatmentAlone() {
        Said plan = run("wrk-hello", "--dry-run", "--settings", "defaults");
        assertThat(plan.code()).isZero();
        assertThat(plan.out())
                .contains("the article's treatment (settings defaults)")
                .doesNotContain("equalised");
    }

    /** Virtual threads need a JDK 21: who names their article is told so, who names none gets the others. */
    @Test
    void withoutVirtualThreadsTheirArticleIsLeftOut() {
        Assumptions.assumeTrue(Runtime.version().feature() < 21);
        Said refused = run("virtual-threads-blocking", "--dry-run");
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err()).contains("virtual threads need a JDK 21 or newer");
        assertThat(refused.err().lines()).hasSize(1);
        Said others = run("--dry-run");
        assertThat(others.code()).isZero();
        assertThat(others.out())
                .contains("left out: virtual-threads-blocking: ", "wrk-hello: Tomcat NIO")
                .doesNotContain("delay: tomcat-nio");
    }
}
