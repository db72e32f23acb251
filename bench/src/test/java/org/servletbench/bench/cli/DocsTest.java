package org.servletbench.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.servletbench.bench.model.Options;
import org.servletbench.bench.model.ProfilesFolder;
import org.servletbench.bench.model.Sha256;
import picocli.CommandLine;

/**
 * Tests that everything that README and docs tell people to type exists: every command, option, profile and path.
 * Campaigns are planned ({@code --dry-run}) and loads parsed as in a run. CONTRIBUTING lists the commands that tests
 * run completely.
 */
class DocsTest {

    private static final Path ROOT =
            Path.of(System.getProperty("bench.root")).toAbsolutePath().normalize();

    private static final String JAR = "java -jar bench/target/bench.jar ";
    private static final String SCRIPT = "bin/servlet-bench ";
    /** A link to a file, a heading, or both. */
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#]*)#?([^)]*)\\)");

    private static final ProfilesFolder PROFILES = new ProfilesFolder(ROOT.resolve("profiles"));
    private static final Set<String> RECORDS = Set.of("published.md");
    /** Written by {@code publish}; PublishedCampaignsTest checks it. */
    private static final Path RESULTS = ROOT.resolve("docs/results/README.md");
    /** Names of files and folders that the reader has to fill in. */
    private static final Pattern READERS_OWN =
            Pattern.compile("\\b[A-Z]{3,}\\b|(before|shop)\\.jar|/opt/jdk|my(-service)?\\.yaml");

    private static List<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>(List.of(ROOT.resolve("comparisons/published/README.md"), RESULTS));
        for (String folder : List.of("", "docs", ".github", ".github/ISSUE_TEMPLATE")) {
            try (Stream<Path> docs = Files.list(ROOT.resolve(folder))) {
                docs.filter(file -> file.toString().endsWith(".md")).sorted().forEach(pages::add);
            }
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

    /** Returns commands with this start from code blocks and from text between backticks, without their comments. */
    private static Stream<String> commands(String begin) throws IOException {
        Pattern inline = Pattern.compile("`(" + Pattern.quote(begin) + "[^`]+)`");
        return pages().stream()
                .flatMap(page -> lines(page).stream())
                .flatMap(line -> line.startsWith("    " + begin)
                        ? Stream.of(line.strip())
                        : inline.matcher(line).results().map(found -> found.group(1)))
                .map(line -> line.replaceFirst(" +#.*", ""))
                .filter(line -> !line.contains("name=value"))
                .distinct();
    }

    /** Excludes tables, generated lists (of warnings), and pages that record results. */
    @Test
    void linesOfTheDocsAreShort() throws IOException {
        for (Path page : pages()) {
            if (!RECORDS.contains(page.getFileName().toString())
                    && !page.equals(RESULTS)
                    && !page.getParent().endsWith("published")) {
                assertThat(lines(page)).as(page.toString()).allSatisfy(line -> assertThat(line)
                        .matches(text -> text.startsWith("|") || text.startsWith("- `") || text.length() <= 140));
            }
        }
    }

    /** Without an empty line before its header, a table becomes part of the previous one. */
    @Test
    void tablesAreApart() throws IOException {
        for (Path page : pages()) {
            assertThat(String.join("\n", lines(page)))
                    .as(page.toString())
                    .doesNotContainPattern("\n\\|.*\n\\|.*\n\\|---");
        }
    }

    @Test
    void everyDefaultIsExplained() throws IOException {
        String options = Files.readString(ROOT.resolve("docs/single-runs.md"));
        assertThat(PROFILES.loadDefaults().keySet())
                .allSatisfy(name -> assertThat(options).contains("`" + name));
    }

    @Test
    void everyLinkLeadsToAFileAndAHeading() throws IOException {
        for (Path page : pages()) {
            Matcher link = LINK.matcher(String.join("\n", lines(page)));
            while (link.find()) {
                if (!link.group(1).startsWith("http")) {
                    Path file = link.group(1).isEmpty() ? page : page.resolveSibling(link.group(1));
                    assertThat(file).as("in " + page).exists();
                    if (!link.group(2).isEmpty()) {
                        assertThat(headings(file)).as("in " + page).contains(link.group(2));
                    }
                }
            }
        }
    }

    /** Returns the headings in the form that links use. */
    private static List<String> headings(Path page) {
        return lines(page).stream()
                .filter(line -> line.startsWith("#"))
                .map(line -> line.replaceFirst("#+ ", "")
                        // Characters that are not part of a link.
                        .replaceAll("&#\\d+;", "")
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^a-z0-9 _-]", "")
                        .replace(' ', '-'))
                .toList();
    }

    /**
     * CONTRIBUTING names the test that proves each capability. The test must exist, and {@code mvn verify} must run it.
     */
    @Test
    void theTestsThatProveEachCapabilityExistAndRunInVerify() throws IOException {
        Pattern name = Pattern.compile("`(\\w+(?:Test|IT))(?:#(\\w+)…?)?`");
        List<String[]> rows = lines(ROOT.resolve("CONTRIBUTING.md")).stream()
                .dropWhile(line -> !line.equals("## Which test proves what"))
                .filter(line -> line.startsWith("|") && name.matcher(line).find())
                .map(line -> line.split("\\|", -1))
                .toList();
        assertThat(rows).hasSizeGreaterThan(15);
        for (String[] row : rows) {
            Matcher verify = name.matcher(row[2]);
            while (verify.find()) {
                assertThat(isFull(testSource(verify.group(1)), verify.group(2)))
                        .as(verify.group())
                        .isFalse();
            }
            Matcher full = name.matcher(row[3]);
            while (full.find()) {
                assertThat(testSource(full.group(1))).as(full.group()).isNotEmpty();
            }
        }
    }

    /** True if this test class, or its method with this prefix, runs only with -Pfull. */
    private static boolean isFull(String source, String method) {
        String declaration = method == null ? "\nclass " : " void " + method;
        assertThat(source).contains(declaration);
        String before = source.substring(0, source.indexOf(declaration));
        return before.substring(before.lastIndexOf("\n\n")).contains("@Tag(\"full\")");
    }

    private static String testSource(String name) throws IOException {
        for (String module : List.of("bench", "proofs", "jmeter-plans")) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/test/java"))) {
                List<Path> found =
                        files.filter(file -> file.endsWith(name + ".java")).toList();
                if (!found.isEmpty()) {
                    return Files.readString(found.get(0));
                }
            }
        }
        return "";
    }

    /** Without a licence, nobody may use, copy or change anything. The licence's text must stay unchanged. */
    @Test
    void theLicenceIsTheApacheLicenceUnchanged() throws IOException {
        assertThat(Sha256.of(ROOT.resolve("LICENSE")))
                .isEqualTo("cfc7749b96f63bd31c3c42b5c471bf756814053e847c10f3eb003417bc523d30");
        assertThat(poms()).contains("<name>Apache-2.0</name>");
        assertThat(getClass().getResource("/META-INF/LICENSE")).isNotNull();
    }

    static Stream<String> rigCommands() throws IOException {
        return Stream.concat(commands(JAR), commands(SCRIPT).map(command -> JAR + command.substring(SCRIPT.length())));
    }

    @ParameterizedTest
    @MethodSource("rigCommands")
    void everyCommandOfTheRigIsUnderstood(String command) {
        String[] words = command.substring(JAR.length()).strip().split("\\s+");
        assertThatCode(() -> new CommandLine(new Main()).parseArgs(words)).doesNotThrowAnyException();
    }

    static Stream<String> plannedCommands() throws IOException {
        return rigCommands()
                .filter(command -> command.startsWith(JAR + "compare "))
                // HostsIT runs commands with other machines, because even planning contacts these hosts.
                .filter(command -> !READERS_OWN.matcher(command).find()
                        && !command.contains("--resume")
                        && !command.contains("--target-host"));
    }

    @ParameterizedTest
    @MethodSource("plannedCommands")
    void campaignsHaveAPlan(String command) {
        StringWriter err = new StringWriter();
        String words = command.substring(JAR.length()).strip().replace(" --dry-run", "") + " --dry-run --root " + ROOT;
        assertThat(Main.run(
                        new PrintWriter(new StringWriter()),
                        new PrintWriter(err),
                        words.replace("'", "").split("\\s+")))
                .as(err.toString())
                .isZero();
    }

    static Stream<String> loads() throws IOException {
        return mavenCommands().filter(command -> command.contains("gatling:test") || command.contains("jmeter verify"));
    }

    /** Loads are parsed as Gatling's and JMeter's runs parse them. */
    @ParameterizedTest
    @MethodSource("loads")
    void loadsAreUnderstood(String command) {
        RunOptions asked = new RunOptions(new Options(given(command), PROFILES.loadDefaults()), PROFILES);
        assertThatCode(asked::load).doesNotThrowAnyException();
    }

    static Stream<String> campaignsOfMaven() throws IOException {
        return mavenCommands()
                .filter(command -> command.contains("-Pcompare")
                        && !READERS_OWN.matcher(command).find());
    }

    @ParameterizedTest
    @MethodSource("campaignsOfMaven")
    void campaignsOfMavenHaveAPlan(String command) {
        StringWriter err = new StringWriter();
        Map<String, String> given = new HashMap<>(given(command));
        given.putAll(Map.of("dry-run", "true", "root", ROOT.toString()));
        given.forEach(System::setProperty);
        try {
            int code = Main.run(new PrintWriter(new StringWriter()), new PrintWriter(err), FromMaven::value, "compare");
            assertThat(code).as(err.toString()).isZero();
        } finally {
            given.keySet().forEach(System::clearProperty);
        }
    }

    /** Returns the options as Maven receives them. */
    private static Map<String, String> given(String command) {
        return Arrays.stream(command.replace("'", "").split("\\s+"))
                .filter(word -> word.startsWith("-D"))
                .map(word -> word.substring(2).split("=", 2))
                .collect(Collectors.toMap(option -> option[0], option -> option.length == 1 ? "true" : option[1]));
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
        for (String module : List.of("bench", "proofs", "simulations", "jmeter-plans", "target-apps/spring-boot")) {
            poms.append(Files.readString(ROOT.resolve(module).resolve("pom.xml")));
        }
        return poms.toString();
    }

    /**
     * Returns all known -D properties: defaults of the profiles, options of the commands, properties of Maven's own
     * plug-ins.
     */
    private static Set<String> properties() throws IOException {
        Set<String> known = new TreeSet<>(Set.of(
                "skipTests",
                "comparison",
                "gatling.reportsOnly",
                "gatling.simulationClass",
                "test",
                "it.test",
                "surefire.failIfNoSpecifiedTests",
                "tests.seed",
                // Defined in proofs/, which rejects unknown ones itself.
                "proofs.size",
                "proofs.blocks",
                "proofs.campaigns",
                "proofs.servers",
                "proofs.kills",
                // Defined in pom.xml.
                "boot4.version",
                "boot4.jetty.version",
                "org.slf4j.simpleLogger.log.org.apache.maven.cli.event.ExecutionEventLogger"));
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

    /** Documented in docs/single-runs.md, and read under these names. */
    private static final Set<String> OPTIONS_WITHOUT_DEFAULT = Set.of(
            "loops",
            "model",
            "rate",
            "target.url",
            "target.allow-remote",
            "target.host",
            "target.port",
            "jdk",
            "jmeter.hosts",
            "jmeter.plan",
            "jmeter.plan.hosts",
            "jmeter.server.port",
            "jmeter.server.host");
}
