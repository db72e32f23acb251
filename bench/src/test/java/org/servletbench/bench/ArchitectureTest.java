package org.servletbench.bench;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.servletbench.bench.cli.Main;

/** Checks the rules of the architecture: which package may use which. */
class ArchitectureTest {

    /** Packages from the top down. Each uses only packages below it. */
    private static final List<String> TABLE = List.of(
            "cli",
            "campaign",
            "load",
            "host",
            "server",
            "generator",
            "report",
            "record",
            "verdict",
            "measure",
            "comparison",
            "model");

    /** Layers within {@code server}. Its own classes come first, as the entry point. */
    private static final List<String> DISTRICTS = List.of(
            "server",
            "server.exchange",
            "server.proof",
            "server.process",
            "server.http",
            "server.os",
            "server.agent",
            "server.collector");

    /** Packages that read records. */
    private static final List<String> ANALYSIS = List.of("report", "record", "verdict");

    /** Packages that start, load and monitor servers. */
    private static final List<String> EXECUTION = List.of("cli", "campaign", "load", "host", "server", "generator");

    private static final String ROOT = "org.servletbench.bench.";
    private static final Path SOURCES =
            Path.of(System.getProperty("bench.root"), "bench/src/main/java/org/servletbench/bench");
    private static final Path TEMPLATES = Path.of(System.getProperty("bench.root"), "bench/src/main/jte");

    private static JavaClasses classes;

    @BeforeAll
    static void read() throws URISyntaxException {
        classes = new ClassFileImporter()
                .importPath(Path.of(Main.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toURI()));
    }

    /**
     * Returns {@code server} for a class of {@code org.servletbench.bench.server.agent}; empty for third-party classes.
     */
    private static String room(JavaClass one) {
        String name = one.getPackageName() + ".";
        return name.startsWith(ROOT) ? name.substring(ROOT.length(), name.indexOf('.', ROOT.length())) : "";
    }

    private static int row(String room) {
        assertThat(TABLE).as("the table of packages").contains(room);
        return TABLE.indexOf(room);
    }

    @Test
    void packagesUseOnlyThoseBelowThem() {
        Map<String, String> upward = new TreeMap<>();
        int seen = 0;
        for (JavaClass one : classes) {
            for (Dependency use : one.getDirectDependenciesFromSelf()) {
                String from = room(one);
                String to = room(use.getTargetClass());
                if (!from.isEmpty() && !to.isEmpty()) {
                    seen++;
                    if (row(from) > row(to)) {
                        upward.put(from + " -> " + to, use.getDescription());
                    }
                }
            }
        }
        assertThat(seen).isGreaterThan(1000);
        assertThat(upward).isEmpty();
    }

    @Test
    void districtsUseOnlyThoseBelowThem() {
        Map<String, String> upward = new TreeMap<>();
        for (JavaClass one : classes) {
            for (Dependency use : one.getDirectDependenciesFromSelf()) {
                int from = DISTRICTS.indexOf(district(one));
                int to = DISTRICTS.indexOf(district(use.getTargetClass()));
                if (from > to && to >= 0) {
                    upward.put(DISTRICTS.get(from) + " -> " + DISTRICTS.get(to), use.getDescription());
                }
                assertThat(from >= 0 || !room(one).equals("server"))
                        .as(one.getName())
                        .isTrue();
            }
        }
        assertThat(upward).isEmpty();
    }

    private static String district(JavaClass one) {
        String name = one.getPackageName();
        return name.startsWith(ROOT) ? name.substring(ROOT.length()) : "";
    }

    /**
     * Execution and analysis meet only in records: an old campaign is analysed without its generator, and a generator
     * can change without the pages.
     */
    @Test
    void analysisKnowsNoExecution() {
        assertThat(uses(ANALYSIS, EXECUTION))
                .as("analysis (report, record, verdict) knows no execution: record what it needs as a fact, or declare"
                        + " it in model")
                .isEmpty();
        assertThat(named(Stream.concat(Stream.of(TEMPLATES), ANALYSIS.stream().map(SOURCES::resolve)), EXECUTION))
                .as("analysis names a constant of execution, which the compiler copies: declare it in model")
                .isEmpty();
    }

    /**
     * A campaign analyses its results while it runs, to decide when to end. Pages are made from its record by commands.
     */
    @Test
    void executionDrawsNoPages() {
        assertThat(uses(List.of("campaign"), List.of("report")))
                .as("a campaign leaves records, and commands draw pages")
                .isEmpty();
        assertThat(uses(List.of("load", "host", "server"), ANALYSIS))
                .as("servers and generators are run without a word on what their figures mean")
                .isEmpty();
    }

    /** Option texts become records at the edge, and are not passed on as text. */
    @Test
    void optionsAreBoundWhereTheyComeIn() {
        List<String> binders =
                List.of("model.Options", "model.CampaignProfile", "model.WarmUpPlan", "comparison.CampaignSpec");
        List<String> strangers = classes.stream()
                .filter(one -> !room(one).equals("cli")
                        && !binders.contains(one.getName().replace(ROOT, "")))
                .flatMap(one -> one.getDirectDependenciesFromSelf().stream())
                .filter(use -> use.getTargetClass().getName().equals(ROOT + "model.Options"))
                .map(Dependency::getDescription)
                .toList();
        assertThat(strangers)
                .as("texts are bound to records by commands, for a single run, and by %s", binders)
                .isEmpty();
    }

    /** Returns each use of classes in some packages by classes in others. */
    private static List<String> uses(List<String> from, List<String> to) {
        return classes.stream()
                .filter(one -> from.contains(room(one)))
                .flatMap(one -> one.getDirectDependenciesFromSelf().stream())
                .filter(use -> to.contains(room(use.getTargetClass())))
                .map(Dependency::getDescription)
                .sorted()
                .toList();
    }

    private static final String JDK = "java";
    private static final String JACKSON = "com.fasterxml.jackson.";
    /**
     * Classes that need a library only when they handle the first command, or the first extracted value. JMeter's users
     * use neither.
     */
    private static final String[] LAZY = {ROOT + "model.Secrets", ROOT + "model.Extract"};

    /**
     * A generator's JVM executes a schedule and never is servlet-bench itself. From {@code measure} it needs only the
     * time slices.
     */
    @Test
    void whatRunsInAGeneratorUsesNothingOfTheRig() {
        assertThat(strangers(
                        "generator", JDK, JACKSON, ROOT + "generator.", ROOT + "model.", ROOT + "measure.Interleaving"))
                .as(
                        "code of a generator's JVM uses the JDK, Jackson, model and Interleaving: move what it needs to model")
                .isEmpty();
        assertThat(named(
                        Stream.of(SOURCES.resolve("generator")),
                        TABLE.stream()
                                .filter(room -> !List.of("generator", "model", "measure")
                                        .contains(room))
                                .toList()))
                .as("code of a generator's JVM names a constant of the rig")
                .isEmpty();
    }

    /** No library is on the class path when they start in front of JMeter. */
    @Test
    void mainClassesInFrontOfJMetersUseTheJdkAlone() {
        assertThat(strangers("generator.jmeter.launch", JDK, ROOT + "generator.jmeter.launch."))
                .isEmpty();
    }

    /**
     * Our libraries are not on JMeter's class path, so the code that runs there must not need any, not even indirectly.
     */
    @Test
    void whatRunsInJMeterNeedsNoLibraryButJackson() {
        Deque<JavaClass> next = new ArrayDeque<>(classes.stream()
                .filter(one -> district(one).startsWith("generator.jmeter"))
                .toList());
        Set<JavaClass> reached = new HashSet<>(next);
        List<String> foreign = new ArrayList<>();
        while (!next.isEmpty()) {
            JavaClass one = next.remove();
            for (Dependency use : one.getDirectDependenciesFromSelf()) {
                JavaClass target = use.getTargetClass().getBaseComponentType();
                if (classes.contain(target.getName())) {
                    if (reached.add(classes.get(target.getName()))) {
                        next.add(classes.get(target.getName()));
                    }
                } else if (!isOneOf(target, JDK, JACKSON + "annotation.", JACKSON + "core.", JACKSON + "databind.")
                        && !isOneOf(one, LAZY)) {
                    foreign.add(use.getDescription());
                }
            }
        }
        assertThat(reached).hasSizeGreaterThan(20);
        assertThat(foreign).isEmpty();
    }

    /** The agent is a separate jar in the server's JVM, where all libraries belong to the service. */
    @Test
    void theAgentUsesTheJdkAlone() {
        assertThat(strangers("server.agent", JDK, "com.sun.management.", ROOT + "server.agent."))
                .isEmpty();
    }

    /** The collector is a separate process, which only counts. */
    @Test
    void theCollectorUsesTheJdkAlone() {
        assertThat(strangers("server.collector", JDK, "com.sun.net.httpserver.", ROOT + "server.collector."))
                .isEmpty();
    }

    /** Returns uses of any other classes by classes of a package and its subpackages. */
    private static List<String> strangers(String packages, String... may) {
        List<JavaClass> own = classes.stream()
                .filter(one -> (district(one) + ".").startsWith(packages + "."))
                .toList();
        assertThat(own).as(packages).isNotEmpty();
        return own.stream()
                .flatMap(one -> one.getDirectDependenciesFromSelf().stream())
                .filter(use -> !isOneOf(use.getTargetClass().getBaseComponentType(), may))
                .map(Dependency::getDescription)
                .toList();
    }

    private static boolean isOneOf(JavaClass one, String... prefixes) {
        return one.isPrimitive() || Stream.of(prefixes).anyMatch(one.getName()::startsWith);
    }

    /**
     * Finds source lines that name some packages, because constants that the compiler inlines are not visible in class
     * files.
     */
    private static List<String> named(Stream<Path> folders, List<String> packages) {
        Pattern name = Pattern.compile(Pattern.quote(ROOT) + "(" + String.join("|", packages) + ")\\b");
        return folders.flatMap(ArchitectureTest::files)
                .flatMap(file -> text(file)
                        .lines()
                        .filter(line -> !line.strip().startsWith("*")
                                && name.matcher(line).find())
                        .map(line -> file.getFileName() + ": " + line.strip()))
                .toList();
    }

    @Test
    void packagesHaveNoCycle() {
        slices().matching(ROOT + "(*)..").should().beFreeOfCycles().check(classes);
    }

    private static List<Path> sources() {
        return javaFiles(SOURCES)
                .filter(file -> !file.endsWith("package-info.java"))
                .toList();
    }

    private static Stream<Path> javaFiles(Path folder) {
        return files(folder).filter(file -> file.toString().endsWith(".java"));
    }

    private static Stream<Path> files(Path folder) {
        try (Stream<Path> tree = Files.walk(folder)) {
            return tree.filter(Files::isRegularFile).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String name(Path file) {
        return file.getFileName().toString().replace(".java", "");
    }

    @Test
    void aCampaignIsMadeInOnePlace() {
        List<String> makers = sources().stream()
                .filter(file -> !name(file).equals("Campaign"))
                .flatMap(file -> text(file)
                        .lines()
                        .filter(line -> line.contains("new Campaign("))
                        .map(line -> name(file)))
                .sorted()
                .toList();
        assertThat(makers).containsExactly("Preparation");
    }

    /** One naming convention in all modules: camelCase, like a sentence without spaces. */
    @Test
    void testMethodsAreNamedInCamelCase() {
        Pattern snakeCase = Pattern.compile("\\bvoid (\\w+_\\w*)\\(");
        Path root = Path.of(System.getProperty("bench.root"));
        List<String> named = Stream.of("bench", "jmeter-plans", "proofs", "target-apps/spring-boot")
                .map(module -> root.resolve(module).resolve("src/test/java"))
                .filter(Files::isDirectory)
                .flatMap(ArchitectureTest::javaFiles)
                .flatMap(
                        file -> snakeCase.matcher(text(file)).results().map(found -> name(file) + "." + found.group(1)))
                .toList();
        assertThat(named).isEmpty();
    }
}
