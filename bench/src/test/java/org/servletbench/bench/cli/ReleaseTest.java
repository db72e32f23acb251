package org.servletbench.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests that docs and examples name the release of the pom, and that no release is made before the pom names the
 * account that publishes it.
 */
class ReleaseTest {

    private static final Path ROOT =
            Path.of(System.getProperty("bench.root")).toAbsolutePath().normalize();
    private static final Release PUBLISHED = new Release("acme", "1.3.0-SNAPSHOT", "1.2.3");
    /**
     * Placeholders that people would have to replace. OWNER next to MEMBER is a word of GitHub's, and no placeholder.
     */
    private static final Pattern PLACEHOLDER = Pattern.compile(
            "\\b(OWNER(?! \\| MEMBER)|ACCOUNT|YOUR[_-]?\\w*|EXAMPLE[_-]\\w+)\\b/?|servlet-bench[-@]v?VERSION|\\$\\{release");

    private static Release ours;

    @TempDir
    Path folder;

    @BeforeAll
    static void read() throws IOException {
        ours = Release.of(ROOT);
    }

    private static List<Path> workflows() throws IOException {
        try (Stream<Path> files = Files.list(ROOT.resolve("examples"))) {
            return files.filter(file -> file.toString().matches(".*\\.ya?ml"))
                    .sorted()
                    .toList();
        }
    }

    /** Returns the pages and files that people read and copy. Pages of results are records, and not among them. */
    private static List<Path> copied() throws IOException {
        List<Path> all = new ArrayList<>(workflows());
        for (String one : List.of("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "action.yml")) {
            all.add(ROOT.resolve(one));
        }
        all.add(ROOT.resolve("simulations/src/dist/README.md"));
        try (Stream<Path> docs = Files.list(ROOT.resolve("docs"))) {
            docs.filter(file -> file.toString().endsWith(".md")).sorted().forEach(all::add);
        }
        return all;
    }

    /** With -Dwrite.page=true the files are rewritten. */
    @Test
    void whatPeopleCopyIsTheReleaseOfThePom() throws IOException {
        assertThat(ours.built()).matches("\\d+\\.\\d+\\.\\d+(-SNAPSHOT)?");
        for (Path file : copied()) {
            String text = Files.readString(file);
            if (Boolean.getBoolean("write.page") && !text.equals(ours.render(text))) {
                Files.writeString(file, ours.render(text));
            }
            assertThat(Files.readString(file))
                    .as("%s is stale: run this test with -Dwrite.page=true", file)
                    .isEqualTo(ours.render(text));
        }
        String how = ours.isOut()
                ? ours.account() + "/servlet-bench@v" + ours.released()
                : "servlet-bench-" + ours.built() + "\n";
        for (String file : List.of(Release.PAGE, "examples/pull-request.yml", "examples/shards.yml")) {
            assertThat(ROOT.resolve(file)).content().contains(how);
        }
    }

    @Test
    void noPlaceholderIsLeft() throws IOException {
        for (Path file : copied()) {
            String text = Files.readString(file);
            for (Release release : List.of(ours, PUBLISHED)) {
                assertThat(release.render(text)).as("%s of %s", file, release).doesNotContainPattern(PLACEHOLDER);
            }
        }
    }

    @Test
    void onceAnAccountPublishesItsActionIsNamedAndTheZipIsNotUnpacked() throws IOException {
        int uses = 0;
        for (Path file : workflows()) {
            String text = PUBLISHED.render(Files.readString(file));
            assertThat(new YAMLMapper().readTree(text).isObject()).isTrue();
            assertThat(text).as("%s", file).doesNotContain("unzip -q", "- uses: ./", "SNAPSHOT");
            uses += text.split("- uses: acme/servlet-bench@v1\\.2\\.3\n", -1).length - 1;
        }
        assertThat(uses).isEqualTo(4);
        assertThat(PUBLISHED.render(Files.readString(ROOT.resolve(Release.PAGE))))
                .contains("      - uses: acme/servlet-bench@v1.2.3\n        id: bench\n", "https://github.com/acme/")
                .doesNotContain("Nothing is released yet", "unzip -q");
        for (String page : List.of("README.md", "docs/getting-started.md")) {
            assertThat(PUBLISHED.render(Files.readString(ROOT.resolve(page))))
                    .contains("In a clone of https://github.com/acme/servlet-bench");
        }
    }

    /** An account without a release in the changelog is not enough: the page shows the zip until then. */
    @Test
    void withoutAReleaseTheZipIsShown() throws IOException {
        String text = Files.readString(ROOT.resolve("examples/pull-request.yml"));
        for (Release none : List.of(new Release("", "1.0.0", "1.0.0"), new Release("acme", "1.0.0-SNAPSHOT", ""))) {
            assertThat(none.render(text))
                    .contains(
                            "unzip -q servlet-bench-" + none.built() + ".zip\n",
                            "uses: ./servlet-bench-" + none.built() + "\n");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    jmeter.version         | JMeter (\\d+\\.\\d+(?:\\.\\d+)?)
                    boot2.version          | `boot2` \\((\\d+\\.\\d+)
                    boot3.version          | `boot3` \\((\\d+\\.\\d+)
                    boot4.version          | `boot4` \\((\\d+\\.\\d+)
                    boot2.version          | Spring Boot (2\\.\\d+)
                    boot3.version          | Spring Boot (?:\\d\\.\\d+, )+(3\\.\\d+)
                    boot4.version          | Spring Boot (?:\\d\\.\\d+, )+3\\.\\d+ and (4\\.\\d+)
                    maven.compiler.release | a JDK (\\d++)(?! to)
                    """)
    void versionsInTheDocsAreThoseOfThePom(String property, String pattern) throws IOException {
        String pom = Files.readString(ROOT.resolve("pom.xml"));
        String version = pom.replaceFirst("(?s).*<" + Pattern.quote(property) + ">([^<]+)<.*", "$1");
        List<String> found = new ArrayList<>();
        for (Path file : copied()) {
            // A record of experiments says which version it used.
            if (!file.endsWith("docs/proof.md") && !file.endsWith("docs/published.md")) {
                Pattern.compile(pattern)
                        .matcher(Files.readString(file).replaceAll("\\s+", " "))
                        .results()
                        .forEach(one -> found.add(one.group(1)));
            }
        }
        assertThat(found).isNotEmpty().allSatisfy(one -> assertThat(version).matches(Pattern.quote(one) + "(\\..*)?"));
    }

    // ---- the workflow's script ----

    private String release(String account, String repository) throws IOException, InterruptedException {
        Path bin = Files.createDirectories(folder.resolve("bin"));
        Files.writeString(
                folder.resolve("pom.xml"),
                Files.readString(ROOT.resolve("pom.xml"))
                        .replaceFirst(
                                "<release.account(/>|>.*</release.account>)",
                                account.isEmpty()
                                        ? "<release.account/>"
                                        : "<release.account>" + account + "</release.account>"));
        for (Map.Entry<String, String> one : Map.of(
                        "mvn", "mkdir -p target && touch target/servlet-bench-1.2.3.zip && echo mvn \"$@\"",
                        "gh", "echo gh \"$@\"")
                .entrySet()) {
            Path program = Files.writeString(bin.resolve(one.getKey()), "#!/bin/sh\n" + one.getValue() + "\n");
            assertThat(program.toFile().setExecutable(true)).isTrue();
        }
        ProcessBuilder builder = new ProcessBuilder(
                        "sh", ROOT.resolve(".github/action/release.sh").toString())
                .directory(folder.toFile())
                .redirectErrorStream(true);
        builder.environment()
                .putAll(Map.of(
                        "PATH",
                        bin + ":" + System.getenv("PATH"),
                        "GITHUB_REF_NAME",
                        "v1.2.3",
                        "GITHUB_REPOSITORY",
                        repository));
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return process.waitFor() + " " + said.strip();
    }

    @Test
    void aReleaseNeedsTheAccountThatPublishesIt() throws Exception {
        assertThat(release("", "acme/servlet-bench"))
                .startsWith("1 release: release.account in pom.xml is empty")
                .doesNotContain("mvn -B", "gh release");
        assertThat(release("other", "acme/servlet-bench"))
                .isEqualTo("1 release: release.account in pom.xml is other, and this is acme/servlet-bench");
        assertThat(release("acme", "acme/servlet-bench").lines())
                .containsExactly(
                        "0 mvn -B -ntp -Pdist package",
                        "gh release create v1.2.3 --repo acme/servlet-bench --verify-tag"
                                + " --notes-file servlet-bench-1.2.3-notes.md"
                                + " servlet-bench-1.2.3.zip servlet-bench-1.2.3.zip.sha256");
    }
}
