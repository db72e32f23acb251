package org.servletbench.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.servletbench.bench.comparison.Comparison;
import org.servletbench.bench.load.RawLog;
import org.servletbench.bench.model.Hint;
import org.servletbench.bench.model.Hint.Where;
import org.servletbench.bench.model.Options;
import org.servletbench.bench.model.ProfilesFolder;
import org.servletbench.bench.report.run.Measured;
import org.servletbench.bench.report.run.RunFacts;

/** Tests that each option and key that a hint names is accepted, and changes a value. */
class HintsTest {

    private static final Path ROOT = Path.of(System.getProperty("bench.root"));
    private static final ProfilesFolder PROFILES = new ProfilesFolder(ROOT.resolve("profiles"));

    private static Stream<Map.Entry<String, String>> named(Where where, String pattern) {
        return Stream.of(Hint.values())
                .flatMap(hint -> hint.words(where).stream())
                .flatMap(words -> Pattern.compile(pattern).matcher(words).results())
                .map(found -> Map.entry(found.group(1), found.group(2)))
                .distinct();
    }

    static Stream<Map.Entry<String, String>> ofRuns() {
        return named(Where.RUN, "-D([a-z.]+)=([a-z0-9]+)")
                // An option to leave out.
                .filter(option -> !option.getValue().equals("0s"));
    }

    static Stream<Map.Entry<String, String>> ofCampaigns() {
        return named(Where.CAMPAIGN, "--set ([a-z.-]+)=([a-z0-9]+)");
    }

    @ParameterizedTest
    @MethodSource("ofRuns")
    void aRunTakesIt(Map.Entry<String, String> option) {
        Map<String, String> usual = PROFILES.loadDefaults();
        assertThat(usual).containsKey(option.getKey());
        Map<String, String> given = Map.of(option.getKey(), option.getValue());
        assertThat(new RunOptions(new Options(given, usual), PROFILES).load().toString())
                .isNotEqualTo(new RunOptions(new Options(Map.of(), usual), PROFILES)
                        .load()
                        .toString());
    }

    /** Checked with the keys of the command that the page of a run suggests. */
    @Test
    void theSuggestedComparisonIsOne(@TempDir Path folder) throws IOException {
        Path log = Files.writeString(folder.resolve("results.csv"), """
                timeStamp,elapsed,label,success,grpThreads,allThreads
                1000000,10,hello 100 users,true,1,1
                """);
        Files.writeString(folder.resolve("server.json"), """
                {"profile": "tomcat-nio2", "line": "boot4", "settings": "defaults",
                 "proven": {"container": "tomcat", "served.threads": "virtual"}}
                """);
        String command = RunFacts.beside(new Measured(log, RawLog.of(log).measure()))
                .flatMap(RunFacts::comparison)
                .orElseThrow();
        Map<String, String> options = Pattern.compile("-D([a-z]+)='?([^' ]+)")
                .matcher(command)
                .results()
                .collect(Collectors.toMap(found -> found.group(1), found -> found.group(2)));
        assertThat(options).containsKeys("arms", "workloads", "users", "set");
        assertThat(Comparison.read(ROOT, Comparison.USUAL, options, PROFILES).toString())
                .containsIgnoringCase("virtual")
                .contains("nio2", "boot4", "defaults");
    }

    @ParameterizedTest
    @MethodSource("ofCampaigns")
    void aComparisonTakesIt(Map.Entry<String, String> key) {
        Comparison usual = Comparison.read(ROOT, Comparison.USUAL, Map.of(), PROFILES);
        Comparison changed =
                Comparison.read(ROOT, Comparison.USUAL, Map.of("set", key.getKey() + "=" + key.getValue()), PROFILES);
        assertThat(changed).isNotEqualTo(usual);
    }
}
