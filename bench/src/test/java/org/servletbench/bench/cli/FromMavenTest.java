package org.servletbench.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.servletbench.bench.load.LoadException;

/** Maven's properties as options. */
class FromMavenTest {

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

    private void run(Map<String, String> properties, String... command) {
        if (command[0].equals("jmeter")) {
            // It has none.
            System.clearProperty("dry-run");
        }
        properties.forEach(System::setProperty);
        try {
            FromMaven.main(command);
        } finally {
            properties.keySet().forEach(System::clearProperty);
        }
    }

    @Test
    void propertiesAreOptions() {
        run(
                Map.of("comparison", "migration", "arms", "jetty,undertow", "set", "stop.seed=5;measure.settle=3s"),
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
            assertThatThrownBy(() -> run(Map.of(option, "1"), "compare"))
                    .isInstanceOf(LoadException.class)
                    .hasMessageContaining("-D" + option + " is an option of single runs");
        }
    }

    @Test
    void ofJMeterTheyAreOptions() {
        for (String option : new String[] {"model", "rate", "loops"}) {
            err.reset();
            assertThatThrownBy(() -> run(Map.of(option, "nonsense"), "jmeter", "run"))
                    .isInstanceOf(LoadException.class);
            assertThat(err.toString(StandardCharsets.UTF_8))
                    .startsWith("jmeter run: -D" + option)
                    .doesNotContain("single runs");
        }
    }

    @Test
    void optionsOfCampaignsAreRejectedBySingleRuns() {
        for (String option : new String[] {
            "rates", "arms", "turn", "load.hosts", "load-hosts", "workload.file", "dry-run", "out", "resume", "scale"
        }) {
            err.reset();
            assertThatThrownBy(() -> run(Map.of(option, "1"), "jmeter", "run")).isInstanceOf(LoadException.class);
            assertThat(err.toString(StandardCharsets.UTF_8))
                    .startsWith("jmeter run: -D" + option + " is an option of campaigns (mvn -Pcompare verify)")
                    .hasLineCount(1);
        }
    }

    @Test
    void singleRunsTakeOptionsWithDotsOnly() {
        assertThatThrownBy(() -> run(Map.of("target-host", "app1"), "jmeter", "run"))
                .isInstanceOf(LoadException.class);
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
            "turn"
        }) {
            assertThatThrownBy(() -> run(Map.of(key, "1"), "compare"))
                    .isInstanceOf(LoadException.class)
                    .hasMessage("-D" + key
                            + " is no option of compare: give it as a key of the file, such as -Dset=measure.turn=0s");
        }
    }

    @Test
    void anEmptyPropertyIsRejected() {
        for (String option : new String[] {"arms", "tiers", "out"}) {
            err.reset();
            assertThatThrownBy(() -> run(Map.of(option, ""), "compare")).isInstanceOf(LoadException.class);
            assertThat(err.toString(StandardCharsets.UTF_8))
                    .isEqualToIgnoringNewLines(
                            "compare: --" + option + " has an empty value (see bench compare --help)");
        }
        err.reset();
        assertThatThrownBy(() -> run(Map.of("workloads", ""), "jmeter", "run")).isInstanceOf(LoadException.class);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .isEqualToIgnoringNewLines("jmeter run: -Dworkloads has an empty value");
        assertThat(out.toString(StandardCharsets.UTF_8)).isEmpty();
    }

    @Test
    void whatGoesWrongIsOneLineAndEndsTheBuild() {
        assertThatThrownBy(() -> run(Map.of("limit", "soon"), "compare"))
                .isInstanceOf(LoadException.class)
                .hasMessage("'compare' ended with exit code 2: see the error above");
        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains("compare: ", "'stop.limit' is wrong: give a time")
                .hasLineCount(1);
        assertThatThrownBy(() -> run(Map.of("tiers", "none"), "jmeter", "run"))
                .isInstanceOf(LoadException.class)
                .hasMessage("'jmeter run' ended with exit code 2: see the error above");
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("jmeter run: -Dtiers=none is not understood");
    }
}
