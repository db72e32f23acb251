package org.servletbench.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** Tests that servlet-bench accepts every option and key that its texts name. */
class MessagesTest {

    private static final Path ROOT =
            Path.of(System.getProperty("bench.root")).toAbsolutePath().normalize();

    private static final Pattern LITERAL = Pattern.compile("\"([^\"\\\\]*+(?:\\\\.[^\"\\\\]*+)*+)\"");

    /** Options of other programs that messages mention. */
    private static final Set<String> OF_OTHERS = Set.of("list-modules", "includeScope", "add-opens", "artifact");

    /** Returns the texts in servlet-bench's sources, by file: everything between quotation marks. */
    private static Map<String, String> texts() throws IOException {
        Map<String, String> texts = new TreeMap<>();
        try (Stream<Path> files = Files.walk(ROOT.resolve("bench/src/main"))) {
            for (Path file : files.filter(one -> one.toString().matches(".*\\.(java|jte)"))
                    .toList()) {
                String source = Files.readString(file).replaceAll("(?m)^\\s*(//|\\*|/\\*).*$", "");
                texts.put(
                        ROOT.relativize(file).toString(),
                        file.toString().endsWith(".jte")
                                ? source
                                : LITERAL.matcher(source)
                                        .results()
                                        .map(found -> found.group(1))
                                        // Arguments of a command line are not texts.
                                        .filter(text -> text.strip().contains(" ") && !text.startsWith("-"))
                                        .collect(Collectors.joining("\n")));
            }
        }
        return texts;
    }

    private static Stream<String> found(String text, Pattern pattern) {
        return pattern.matcher(text).results().map((MatchResult found) -> found.group(1));
    }

    private static void addOptions(CommandLine command, Set<String> names) {
        command.getCommandSpec()
                .options()
                .forEach(option -> names.add(option.longestName().replaceFirst("^-+", "")));
        command.getSubcommands().values().forEach(one -> addOptions(one, names));
    }

    @Test
    void everyOptionThatATextNamesIsOne() throws IOException {
        Set<String> ofCommands = new TreeSet<>();
        addOptions(new CommandLine(new Main()), ofCommands);
        Set<String> ofMaven = BeforeTheBuild.names(ROOT);
        Set<String> wrong = new TreeSet<>();
        texts().forEach((file, text) -> {
            found(text, Pattern.compile("(?m)(?:^|[ (`'])--([a-z][a-z.-]*[a-z])"))
                    .filter(name -> !ofCommands.contains(name) && !OF_OTHERS.contains(name))
                    .forEach(name -> wrong.add(file + ": --" + name));
            found(text, Pattern.compile("(?m)(?:^|[ (`'])-D([a-z][A-Za-z.-]*[a-z])"))
                    .filter(name -> !ofMaven.contains(name)
                            && !ofMaven.contains(name.replace('-', '.'))
                            && !OF_OTHERS.contains(name))
                    .forEach(name -> wrong.add(file + ": -D" + name));
        });
        assertThat(wrong).isEmpty();
    }

    static Set<String> settings() throws IOException {
        Set<String> all = new TreeSet<>();
        texts().values().forEach(text -> found(text, Pattern.compile("(?:--set |-Dset=)([a-z][a-z.-]*=[A-Za-z0-9]+)"))
                .forEach(all::add));
        return all;
    }

    /** Each is planned as a campaign, which rejects unknown keys. */
    @ParameterizedTest
    @MethodSource("settings")
    void everyKeyThatATextNamesIsOne(String setting) {
        StringWriter err = new StringWriter();
        String jdk = System.getProperty("java.home");
        List<String> words = new ArrayList<>(
                List.of("compare", "--dry-run", "--root", ROOT.toString(), "--set", setting.replace("HOME", jdk)));
        if (setting.startsWith("measure.host-") || setting.startsWith("measure.target-")) {
            words.addAll(List.of("--target-host", "h1", "--set", "measure.target-allow-remote=true"));
        }
        assertThat(Main.run(new PrintWriter(new StringWriter()), new PrintWriter(err), words.toArray(String[]::new)))
                .as(err.toString())
                .isZero();
    }
}
