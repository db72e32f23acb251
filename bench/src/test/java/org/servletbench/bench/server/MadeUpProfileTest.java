package org.servletbench.bench.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.campaign.Planner;
import org.servletbench.bench.cli.Main;
import org.servletbench.bench.cli.RunOptions;
import org.servletbench.bench.comparison.Comparison;
import org.servletbench.bench.model.Options;
import org.servletbench.bench.model.ProfilesFolder;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.server.process.TargetSpec;
import org.servletbench.bench.server.proof.ConnectorProof;

/**
 * A container consists of one file. The test adds a made-up one, which must appear in every place that lists
 * containers.
 */
class MadeUpProfileTest {

    private static final String FILE = """
            label=Made Up
            lines=boot2,boot4
            lines.without=there is no Made Up on ${bench.line}
            container=madeup
            connector=pipe
            connector.class=org.example.PipeConnector
            native.library=libc.so
            native.package=libc6
            """;

    @TempDir
    private Path root;

    private ProfilesFolder profiles;
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @BeforeEach
    void addOneFile() throws IOException {
        Path real = Path.of(System.getProperty("bench.root"), "profiles");
        try (Stream<Path> tree = Files.walk(real)) {
            for (Path file : tree.toList()) {
                Files.copy(file, root.resolve("profiles").resolve(real.relativize(file)));
            }
        }
        Files.createDirectory(root.resolve("target-apps"));
        Files.createSymbolicLink(
                root.resolve("comparisons"), real.resolveSibling("comparisons").toAbsolutePath());
        Files.writeString(root.resolve("profiles/madeup.properties"), FILE);
        profiles = new ProfilesFolder(root.resolve("profiles"));
    }

    private int run(String... args) {
        return Main.run(new PrintWriter(out), new PrintWriter(err), args);
    }

    @Test
    void itIsInTheListAndInHelp() {
        assertThat(profiles.containers()).contains("madeup", "jetty");
        assertThat(run("compare", "--root", root.toString(), "--arms", "none", "--dry-run"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("there is no container 'none'", "madeup");
    }

    @Test
    void itIsAnArmOnItsLinesAlone() {
        Comparison comparison = Comparison.read(root, "quick", Map.of("arms", "madeup,jetty:boot=boot2"), profiles);
        List<Arm> arms = Planner.draft(comparison, profiles, line -> {}).arms();
        assertThat(arms).extracting(Arm::id).containsExactly("madeup", "jetty-boot2", "madeup-control");
        assertThat(arms).extracting(Arm::line).containsOnly("boot2");
        assertThat(arms).extracting(Arm::label).containsExactly("Made Up", "jetty-boot2", "Made Up");
        assertThat(run("compare", "--root", root.toString(), "--arms", "madeup:boot=boot3", "--dry-run"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("there is no Made Up on boot3");
    }

    @Test
    void theRunningServerIsHeldAgainstIt() {
        Map<String, String> values = new HashMap<>(Map.of(
                "bench.jar", "app.jar",
                "bench.profile", "madeup",
                "bench.line", "boot4",
                "bench.boot.version", "4",
                "bench.container.version", "1",
                "settings", "equalised"));
        TargetSpec spec = new RunOptions(new Options(values, profiles.loadDefaults()), profiles).server();
        Map<String, String> identity =
                Map.of("container", "jetty", "connector.class", "org.eclipse.jetty.server.ServerConnector");
        assertThatThrownBy(() -> ConnectorProof.of(identity, spec, 8080, List.of()))
                .isInstanceOf(TargetException.class)
                .hasMessageContaining("not what the profile madeup says")
                .hasMessageContaining("container is jetty and should be madeup")
                .hasMessageContaining(
                        "connector is org.eclipse.jetty.server.ServerConnector and should be org.example.PipeConnector");
        assertThat(spec.profile().nativeLibrary()).isPresent();
    }
}
