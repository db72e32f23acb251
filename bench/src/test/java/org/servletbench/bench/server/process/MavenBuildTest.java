package org.servletbench.bench.server.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.model.TargetException;

class MavenBuildTest {

    @TempDir
    private Path folder;

    private static List<String> options(String... keysAndValues) {
        Properties given = new Properties();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            given.setProperty(keysAndValues[i], keysAndValues[i + 1]);
        }
        return MavenBuild.ofUser(given);
    }

    @Test
    void settingsRepositoryAndOfflineReachTheInnerMaven() throws IOException {
        Path settings = Files.writeString(folder.resolve("my settings.xml"), "<settings/>");
        assertThat(options(
                        "maven.repo.local",
                        "/repo",
                        "maven.settings-s",
                        "is " + settings,
                        "maven.settings-gs",
                        "is " + folder.resolve("missing.xml"),
                        "maven.offline",
                        "is true"))
                .containsExactly("-Dmaven.repo.local=/repo", "-s", settings.toString(), "-o");
        assertThat(options("maven.offline", "is false", "java.home", "/jdk")).isEmpty();
    }

    @Test
    void ofTheProfilesThoseOfTheSettings() {
        String[] maven = {
            "maven.profiles",
            "is [Profile {id: corp, source: settings.xml}, Profile {id: spare, source: settings.xml},"
                    + " Profile {id: off, source: settings.xml}]",
            "maven.profiles.active",
            "is [compare, corp]",
            "maven.profiles.inactive",
            "is [off, boot4]"
        };
        assertThat(options(maven)).containsExactly("-Pcorp,!off");
    }

    @Test
    void theWayToTheRepositories() {
        String[] maven = {
            "https.proxyHost", "proxy.corp", "http.nonProxyHosts", "*.corp|localhost", "http.agent", "x",
            "javax.net.ssl.trustStore", "/corp.p12", "maven.wagon.http.pool", "false", "users", "50"
        };
        assertThat(options(maven))
                .containsExactly(
                        "-Dhttp.nonProxyHosts=*.corp|localhost",
                        "-Dhttps.proxyHost=proxy.corp",
                        "-Djavax.net.ssl.trustStore=/corp.p12",
                        "-Dmaven.wagon.http.pool=false");
    }

    @Test
    void aPasswordIsNotPrinted() throws IOException {
        Path pom = Files.writeString(folder.resolve("pom.xml"), "<project>");
        System.setProperty("http.proxyPassword", "secret");
        try {
            assertThatThrownBy(() -> MavenBuild.run(pom, List.of("no-such-phase")))
                    .isInstanceOf(TargetException.class)
                    .hasMessageContaining("the build failed")
                    .hasMessageContaining("-Dhttp.proxyPassword=…")
                    .hasMessageNotContaining("secret");
        } finally {
            System.clearProperty("http.proxyPassword");
        }
    }
}
