package org.servletbench.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.model.SafeFiles;
import org.servletbench.bench.model.Text;

/** What a stranger's comparison, folder or name must not do. */
class HostileInputTest {

    @TempDir
    private Path folder;

    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        return Main.run(new PrintWriter(new StringWriter()), new PrintWriter(err), arguments);
    }

    private Path comparison(String text) throws IOException {
        return Files.writeString(folder.resolve("stranger.yaml"), text);
    }

    @Test
    void aDryRunStartsNoJavaOfAFile() throws IOException {
        Path bin = Files.createDirectories(folder.resolve("jdk/bin"));
        Path java = Files.writeString(bin.resolve("java"), "#!/bin/sh\ntouch " + folder.resolve("ran") + "\n");
        assertThat(java.toFile().setExecutable(true)).isTrue();
        Files.writeString(folder.resolve("jdk/release"), "JAVA_VERSION=\"21.0.1\"\nIMPLEMENTOR=\"Somebody\"\n");
        Path file = comparison("arms:\n  jetty:\n  other: {container: jetty, jdk: " + folder.resolve("jdk")
                + "}\nload: [{tiers: [10]}]\n");
        assertThat(run("compare", "--dry-run", file.toString()))
                .as(err.toString())
                .isZero();
        assertThat(folder.resolve("ran")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "target-host: app1",
                "load-hosts: [app1]",
                "ssh-config: ./config",
                "target-allow-remote: true",
                "host-jdk: /x",
                "target-address: 192.0.2.1"
            })
    void aFileGivesNoConsent(String key) throws IOException {
        Path file = comparison("arms: {jetty: , undertow: }\nload: [{tiers: [10]}]\nmeasure: {" + key + "}\n");
        assertThat(run("compare", "--dry-run", file.toString())).isEqualTo(Main.USAGE);
        assertThat(err.toString())
                .contains("is not taken from a file, which may be a stranger's")
                .hasLineCount(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"SERVER_PORT", "server_port", "Server_Port", "spring_application_json", "server_address"})
    void anArmMovesNoPortByItsEnvironment(String name) throws IOException {
        Path file = comparison("arms: {jetty: {env: {" + name + ": x}}, undertow: }\nload: [{tiers: [10]}]\n");
        assertThat(run("compare", "--dry-run", file.toString())).isEqualTo(Main.USAGE);
        assertThat(err.toString()).contains("the rig sets what").hasLineCount(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {2_000, 3_900, 200_000})
    void aLongUrlIsALineAndNoStackOverflow(int length) throws IOException {
        Path file = comparison(
                "arms: {jetty: , undertow: }\nload: [{workloads: [x], tiers: [10]}]\nworkloads:\n  x: {url: /"
                        + "a%20".repeat(length / 4) + "}\n");
        assertThat(run("compare", "--dry-run", file.toString()))
                .as(err.toString())
                .isEqualTo(length < 4_000 ? 0 : Main.USAGE);
        assertThat(err.toString()).doesNotContain("StackOverflow");
    }

    @Test
    void aFileIsNotWrittenThroughALink() throws IOException {
        Path victim = Files.writeString(folder.resolve("victim"), "mine");
        Path page = folder.resolve("index.html");
        Files.createSymbolicLink(folder.resolve("index.html.next"), victim);
        Json.replace(page, "page".getBytes());
        assertThat(page).hasContent("page");
        Files.delete(page);
        Files.createSymbolicLink(page, victim);
        Json.replace(page, "page".getBytes());
        assertThat(page).hasContent("page");
        assertThat(Files.isSymbolicLink(page)).isFalse();
        assertThat(victim).hasContent("mine");
    }

    @Test
    void aFolderIsNotMadeThroughALink() throws IOException {
        Path elsewhere = Files.createDirectories(folder.resolve("elsewhere"));
        Path root = Files.createDirectories(folder.resolve("received"));
        Files.createSymbolicLink(root.resolve("tables"), elsewhere);
        assertThat(org.assertj.core.api.Assertions.catchThrowable(() -> SafeFiles.folder(root, root.resolve("tables"))))
                .hasMessageContaining("is a link");
        assertThat(org.assertj.core.api.Assertions.catchThrowable(
                        () -> SafeFiles.folder(root, root.resolve("../other"))))
                .hasMessageContaining("is not below");
        assertThat(Files.exists(elsewhere.resolve("x"), LinkOption.NOFOLLOW_LINKS))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"../x", "b/../../x", "..", ".", "", "a\u0000", "/x", "-x", "a/b"})
    void aNameOfAFolderIsOneName(String name) {
        assertThat(SafeFiles.isName(name)).isFalse();
    }

    @Test
    void namesOfArmsAreNamesOfFolders() {
        assertThat(List.of("jetty", "tomcat-apr+boot2", "jetty-control", "tomcat@256m", "1.2_x"))
                .allMatch(SafeFiles::isName);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "=HYPERLINK(1) | '=HYPERLINK(1)",
                "@SUM(A1) | '@SUM(A1)",
                "+cmd | '+cmd",
                "-cmd | '-cmd",
                "-3.5 | -3.5",
                "+1e-3 | +1e-3",
                "Tomcat | Tomcat",
            })
    void aCellIsNoFormula(String text, String cell) {
        assertThat(Text.cell(text)).isEqualTo(cell);
    }
}
