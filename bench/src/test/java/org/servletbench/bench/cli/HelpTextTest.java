package org.servletbench.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class HelpTextTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... args) {
        return Main.run(new PrintWriter(out), new PrintWriter(err), args);
    }

    private static Set<String> commands() {
        return new TreeSet<>(new CommandLine(new Main()).getSubcommands().keySet());
    }

    @Test
    void withoutACommandTheHelpIsPrintedAsBadUsage() {
        assertThat(run()).isEqualTo(2);
        assertThat(out.toString()).isEmpty();
        assertThat(err.toString()).contains("compare", "Examples:", "java -jar bench/target/bench.jar doctor");
    }

    /** A name that cannot be typed would be useless. */
    @Test
    void theUsageBeginsWithTheCommandAsItIsTyped() {
        assertThat(run("measure", "--help")).isZero();
        assertThat(out.toString()).startsWith("Usage: java -jar bench/target/bench.jar measure ");
    }

    @Test
    void everyCommandHasAtLeastThreeExamplesThatItUnderstands() {
        for (String name : commands()) {
            out.getBuffer().setLength(0);
            assertThat(run(name, "--help")).isZero();
            assertThat(out.toString()).as(name).containsOnlyOnce("Examples:");
            List<String> examples = HelpText.EXAMPLE_LINES.get(name);
            assertThat(examples).as(name).hasSizeGreaterThanOrEqualTo(3);
            for (String example : examples) {
                if (example.startsWith(name)) {
                    String[] words = example.replaceFirst(" (>|&&) .*", "").split(" ");
                    assertThatCode(() -> new CommandLine(new Main()).parseArgs(words))
                            .as(example)
                            .doesNotThrowAnyException();
                }
            }
        }
    }

    /** The parser accepts any names; this test checks that they exist. */
    @Test
    void examplesNameOnlyWhatExists() throws IOException {
        String pom = Files.readString(Path.of(System.getProperty("bench.root"), "pom.xml"));
        List<String> examples = HelpText.EXAMPLE_LINES.values().stream()
                .flatMap(List::stream)
                .map(example -> example.replaceFirst(" > .*", ""))
                .toList();
        assertThat(examples).hasSizeGreaterThan(20);
        for (String example : examples) {
            Matcher profiles = Pattern.compile("mvn -P(\\S+)").matcher(example);
            if (profiles.find()) {
                assertThat(profiles.group(1).split(",")).as(example).allSatisfy(profile -> assertThat(pom)
                        .contains("<id>" + profile + "</id>"));
            }
            // Folders of campaigns, and the service, are fictitious.
            String tried = example.replaceAll(" --dry-run| --resume .*", "") + " --dry-run";
            if (tried.startsWith("compare") && !tried.matches(".*(shop|before).jar.*")) {
                err.getBuffer().setLength(0);
                assertThat(run(tried.split(" "))).as(example + ": " + err).isZero();
            }
        }
    }

    @Test
    void theHelpOfCompareFitsAScreen() {
        run("compare", "--help");
        assertThat(out.toString()).containsSubsequence("Changes to the file:", "--arms=LIST", "--set=PATH=VALUE");
        assertThat(out.toString().lines()).hasSizeLessThanOrEqualTo(72);
        assertThat(out.toString().lines().filter(line -> line.matches("  +(-., )?--.*")))
                .hasSizeLessThanOrEqualTo(28);
    }

    /** An option listed in a group but in no command, or the reverse, would be a leftover. */
    @Test
    void everyOptionIsInAGroupOrTheCommandHasOne() {
        run("compare", "--help");
        String general = out.toString().split("General:")[1].split("Examples:")[0];
        assertThat(general.lines().filter(line -> line.strip().startsWith("-"))).hasSize(2);
        for (String name : List.of("measure", "report", "doctor")) {
            out.getBuffer().setLength(0);
            run(name, "--help");
            assertThat(out.toString()).containsSubsequence("Options:", "--help", "Examples:");
        }
    }

    /** See https://no-color.org. Colour is forced here, because a test has no terminal. */
    @Test
    void noColorIsObeyed() throws Exception {
        assertThat(helpWith(Map.of("CLICOLOR_FORCE", "1"))).contains("compare", "\u001b[");
        assertThat(helpWith(Map.of("CLICOLOR_FORCE", "1", "NO_COLOR", "1")))
                .contains("compare")
                .doesNotContain("\u001b");
    }

    private static String helpWith(Map<String, String> environment) throws IOException {
        ProcessBuilder help = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "--help");
        help.environment().remove("NO_COLOR");
        help.environment().putAll(environment);
        return new String(
                help.redirectErrorStream(true).start().getInputStream().readAllBytes());
    }

    @Test
    void theVersionIsTheBuilds() {
        assertThat(run("--version")).isZero();
        assertThat(out.toString().strip()).matches("servlet-bench \\d+\\.\\d+.*");
    }

    @Test
    void completionKnowsCommandsAndOptions() {
        assertThat(run("generate-completion")).isZero();
        assertThat(out.toString()).contains("compare", "--workloads", "complete -F _complete_servlet-bench");
    }
}
