package org.servletbench.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests Maven's properties as options. */
class FromMavenTest {

    @TempDir
    private Path folder;

    private final Map<String, String> before = Map.of("dry-run", "true", "root", System.getProperty("bench.root"));
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final PrintStream realOut = System.out;
    private final PrintStream realErr = System.err;

    @BeforeEach
    void listen() {
        System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
        before.forEach(System::setProperty);
    }

    @AfterEach
    void forget() {
        System.setOut(realOut);
        System.setErr(realErr);
        before.keySet().forEach(System::clearProperty);
    }

    private int run(Map<String, String> properties, String... command) {
        if (command[0].equals("jmeter")) {
            // The property must have no value.
            System.clearProperty("dry-run");
        }
        properties.forEach(System::setProperty);
        try {
            return FromMaven.run(command);
        } finally {
            properties.keySet().forEach(System::clearProperty);
        }
    }

    @Test
    void propertiesAreOptions() {
        run(
                Map.of(
                        "comparison",
                        "migration",
                        "arms",
                        "jetty,undertow",
                        "set",
                        "stop.seed=5;measure.settling-time=3s"),
                "compare");
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("comparison migration, seed 5: ", "hello 100 users")
                .containsPattern("block 1: .*jetty")
                .doesNotContain("tomcat");
        assertThat(err.toString(StandardCharsets.UTF_8)).isEmpty();
    }

    @Test
    void optionsOfSingleRunsAreRejected() {
        for (String option : new String[] {"model", "rate", "loops", "target.url"}) {
            err.reset();
            assertThat(run(Map.of(option, "1"), "compare")).isEqualTo(2);
            assertThat(err.toString(StandardCharsets.UTF_8))
                    .startsWith("compare: -D" + option + " is an option of single runs")
                    .hasLineCount(1);
        }
    }

    @Test
    void ofJMeterTheyAreOptions() {
        for (String option : new String[] {"model", "rate", "loops"}) {
            err.reset();
            assertThat(run(Map.of(option, "nonsense"), "jmeter", "run")).isEqualTo(2);
            assertThat(err.toString(StandardCharsets.UTF_8))
                    .startsWith("jmeter run: -D" + option)
                    .doesNotContain("single runs");
        }
    }

    /**
     * A plan's own properties may be named like our options. This plan is rejected only after all of them were
     * accepted.
     */
    @Test
    void propertiesThatAPlanReadsGoToThePlan() throws IOException {
        Path plan = Files.writeString(folder.resolve("shop.jmx"), """
                <jmeterTestPlan><hashTree><TestPlan/>
                <ThreadGroup>${__P(threads,10)} ${__P(rampup,3)} ${__P(hold,5)} ${__P(rate,5)} ${__P(seed)} ${__P(warmup,1)}
                ${__P(host,127.0.0.1)} ${__P(port,80)}</ThreadGroup>
                </hashTree></jmeterTestPlan>
                """);
        Map<String, String> given = new TreeMap<>(Map.of("threads", "10", "rampup", "2", "hold", "5"));
        given.putAll(Map.of("rate", "7", "seed", "x", "warmup", "4", "jmeter.plan", plan.toString()));
        assertThat(run(given, "jmeter", "run")).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .startsWith("jmeter run: " + plan + ", line 2: ThreadGroup follows TestPlan (line 1)");
        for (String wrong : List.of("rampup=4s", "threads=virtual", "hold=1m")) {
            err.reset();
            given.put(wrong.replaceFirst("=.*", ""), wrong.replaceFirst(".*=", ""));
            assertThat(run(given, "jmeter", "run")).isEqualTo(2);
            assertThat(err.toString(StandardCharsets.UTF_8))
                    .startsWith("jmeter run: -D" + wrong + " goes to the plan, which reads ${__P(")
                    .hasLineCount(1);
            given.put(wrong.replaceFirst("=.*", ""), "1");
        }
        // Other options of the load have no effect here.
        err.reset();
        assertThat(run(Map.of("users", "10", "jmeter.plan", plan.toString()), "jmeter", "run"))
                .isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .startsWith("jmeter run: -Dusers cannot be used here: the load is that of -Djmeter.plan");
    }

    @Test
    void optionsOfCampaignsAreRejectedBySingleRuns() {
        for (String option : new String[] {
            "rates", "arms", "slice", "load.hosts", "load-hosts", "workload.file", "dry-run", "out", "resume", "scale"
        }) {
            err.reset();
            assertThat(run(Map.of(option, "1"), "jmeter", "run")).isEqualTo(2);
            assertThat(err.toString(StandardCharsets.UTF_8))
                    .startsWith("jmeter run: -D" + option + " is an option of campaigns (mvn -Pcompare verify)")
                    .hasLineCount(1);
        }
    }

    @Test
    void singleRunsTakeOptionsWithDotsOnly() {
        assertThat(run(Map.of("target-host", "app1"), "jmeter", "run")).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .isEqualToIgnoringNewLines("jmeter run: -Dtarget-host is not understood: write -Dtarget.host");
    }

    @Test
    void keysOfTheProfilesThatNoCampaignTakesAreRejected() {
        for (String key : new String[] {
            "forecast.between.percent",
            "warmup.users",
            "pre-touch",
            "rampup",
            "plan",
            "memory",
            "jar",
            "boot4.version",
            "slice"
        }) {
            err.reset();
            assertThat(run(Map.of(key, "1"), "compare")).isEqualTo(2);
            assertThat(err.toString(StandardCharsets.UTF_8))
                    .isEqualToIgnoringNewLines(
                            "compare: -D" + key
                                    + " is not an option of compare: give it as a key of the file, such as -Dset=measure.slice=0s");
        }
    }

    @Test
    void anEmptyPropertyIsRejected() {
        for (String option : new String[] {"arms", "users", "out"}) {
            err.reset();
            assertThat(run(Map.of(option, ""), "compare")).isEqualTo(2);
            assertThat(err.toString(StandardCharsets.UTF_8))
                    .isEqualToIgnoringNewLines("compare: -D" + option
                            + " has an empty value (see java -jar bench/target/bench.jar compare --help)");
        }
        err.reset();
        assertThat(run(Map.of("workloads", ""), "jmeter", "run")).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .isEqualToIgnoringNewLines("jmeter run: -Dworkloads has an empty value");
        assertThat(out.toString(StandardCharsets.UTF_8)).isEmpty();
    }

    @Test
    void whatGoesWrongIsOneLineAndAnExitCode() {
        assertThat(run(Map.of("limit", "soon"), "compare")).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains("compare: ", "'stop.limit' is wrong: give a time")
                .hasLineCount(1);
        assertThat(run(Map.of("users", "none"), "jmeter", "run")).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("jmeter run: -Dusers=none is not understood");
    }

    @Test
    void onAnotherSystemPlansAreMadeAndNoServerIsStarted() {
        String here = System.getProperty("os.name");
        System.setProperty("os.name", "Mac OS X");
        try {
            assertThat(run(Map.of("arms", "jetty,undertow"), "compare")).isZero();
            assertThat(out.toString(StandardCharsets.UTF_8)).containsPattern("block 1: .*jetty");
            System.clearProperty("dry-run");
            for (String command : new String[] {"compare", "jmeter run", "jmeter serve", "jmeter gui"}) {
                err.reset();
                assertThat(run(Map.of(), command.split(" "))).isEqualTo(2);
                assertThat(err.toString(StandardCharsets.UTF_8))
                        .isEqualToIgnoringNewLines(command
                                + ": servers are started on Linux only, and this is Mac OS X: use Linux, WSL 2 or a Linux"
                                + " container (README has what it needs)");
            }
        } finally {
            System.setProperty("os.name", here);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            give fewer arms, a smaller heap (--set server.heap=512m), or   | give fewer arms, a smaller heap (-Dset=server.heap=512m), or
            name another with --jdk HOME                                   | name another with -Djdk=HOME
            continue with mvn -Pcompare verify --resume=/tmp/c-1           | continue with mvn -Pcompare verify -Dresume=/tmp/c-1
            only --blocks and --limit can be given with it, not --out      | only -Dblocks and -Dlimit can be given with it, not -Dout
            add --users or --rates, or use --set                           | add -Dusers or -Drates, or use -Dset
            blocks took too long for --limit 20m; --dry-run shows the plan | blocks took too long for -Dlimit=20m; -Ddry-run shows the plan
            the file a--out of --hosts                                     | the file a--out of --hosts
            """)
    void messagesNameOptionsAsTheyAreTyped(String line, String typed) {
        assertThat(FromMaven.asTyped(line)).isEqualTo(typed);
    }
}
