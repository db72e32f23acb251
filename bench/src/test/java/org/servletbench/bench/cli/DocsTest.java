package org.servletbench.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** What README and docs tell people to type exists: every command, option, profile and path. */
class DocsTest {

    private static final Path ROOT =
            Path.of(System.getProperty("bench.root")).toAbsolutePath().normalize();
    private static final String JAR = "java -jar bench/target/bench.jar ";
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#]+)[^)]*\\)");

    private static List<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>(List.of(ROOT.resolve("README.md"), ROOT.resolve("published/README.md")));
        try (Stream<Path> docs = Files.list(ROOT.resolve("docs"))) {
            docs.filter(file -> file.toString().endsWith(".md")).sorted().forEach(pages::add);
        }
        return pages;
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Lines of code that begin so, without their comments. */
    private static Stream<String> commands(String begin) throws IOException {
        return pages().stream()
                .flatMap(page -> lines(page).stream())
                .filter(line -> line.startsWith("    " + begin))
                .map(line -> line.strip().replaceFirst(" +#.*", ""))
                .distinct();
    }

    @Test
    void theReadmeIsShort() {
        List<String> readme = lines(ROOT.resolve("README.md"));
        assertThat(readme).hasSizeLessThanOrEqualTo(130);
        assertThat(readme).allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(140));
    }

    @Test
    void everyLinkLeadsToAFile() throws IOException {
        for (Path page : pages()) {
            Matcher link = LINK.matcher(String.join("\n", lines(page)));
            while (link.find()) {
                if (!link.group(1).startsWith("http")) {
                    assertThat(page.resolveSibling(link.group(1)))
                            .as("in " + page)
                            .exists();
                }
            }
        }
    }

    static Stream<String> rigCommands() throws IOException {
        return commands(JAR);
    }

    @ParameterizedTest
    @MethodSource("rigCommands")
    void everyCommandOfTheRigIsUnderstood(String command) {
        String[] words = command.substring(JAR.length()).strip().split("\\s+");
        assertThatCode(() -> new CommandLine(new Main()).parseArgs(words)).doesNotThrowAnyException();
    }

    static Stream<String> mavenCommands() throws IOException {
        return commands("mvn ");
    }

    @ParameterizedTest
    @MethodSource("mavenCommands")
    void everyProfileAndPropertyOfMavenExists(String command) throws IOException {
        String poms = poms();
        for (String word : command.split("\\s+")) {
            if (word.startsWith("-P")) {
                assertThat(Arrays.asList(word.substring(2).split(",")))
                        .allSatisfy(profile -> assertThat(poms).contains("<id>" + profile + "</id>"));
            } else if (word.startsWith("-D")) {
                assertThat(properties()).contains(word.substring(2).replaceFirst("=.*", ""));
            }
        }
    }

    private static String poms() throws IOException {
        StringBuilder poms = new StringBuilder(Files.readString(ROOT.resolve("pom.xml")));
        for (String module : List.of("bench", "simulations", "jmeter-plans", "target-apps/spring-boot")) {
            poms.append(Files.readString(ROOT.resolve(module).resolve("pom.xml")));
        }
        return poms.toString();
    }

    /** What can be given with -D: defaults of the profiles, options of the commands, properties of Maven's own plug-ins. */
    private static Set<String> properties() throws IOException {
        Set<String> known = new TreeSet<>(Set.of("skipTests", "gatling.reportsOnly"));
        for (String file : List.of("load", "campaign")) {
            Properties properties = new Properties();
            try (var in = Files.newInputStream(ROOT.resolve("profiles/" + file + ".properties"))) {
                properties.load(in);
            }
            known.addAll(properties.stringPropertyNames());
        }
        new CommandLine(new Main()).getSubcommands().values().forEach(command -> command.getCommandSpec()
                .options()
                .forEach(option -> known.add(option.longestName().replaceFirst("^-+", ""))));
        known.addAll(OPTIONS_WITHOUT_DEFAULT);
        return known;
    }

    /** docs/options.md and docs/jmeter.md say what they mean; the rig reads them by these names. */
    private static final Set<String> OPTIONS_WITHOUT_DEFAULT = Set.of(
            "loops",
            "target.url",
            "target.allow-remote",
            "target.port",
            "jdk",
            "jmeter.hosts",
            "jmeter.server.port",
            "jmeter.server.host");
}
