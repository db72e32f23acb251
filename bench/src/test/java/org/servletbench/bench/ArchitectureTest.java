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
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.servletbench.bench.cli.Main;

/**
 * The rules of the house: which package may use which.
 */
class ArchitectureTest {

    /** From the top down: a package uses only those below it. */
    private static final List<String> TABLE = List.of(
            "cli",
            "report",
            "campaign",
            "record",
            "load",
            "host",
            "server",
            "verdict",
            "measure",
            "comparison",
            "model");

    /** The same within {@code server}; its own classes, the first, are the way in. */
    private static final List<String> DISTRICTS = List.of(
            "server", "server.exchange", "server.proof", "server.process", "server.http", "server.os", "server.agent");

    private static final String ROOT = "org.servletbench.bench.";
    private static final Path SOURCES =
            Path.of(System.getProperty("bench.root"), "bench/src/main/java/org/servletbench/bench");

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

    /** {@code server} for a class of {@code org.servletbench.bench.server.agent}; empty for one of others. */
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
        try (Stream<Path> tree = Files.walk(folder)) {
            return tree.filter(file -> file.toString().endsWith(".java")).toList().stream();
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

    /** One naming convention in all modules: camelCase, a sentence without its blanks. */
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
