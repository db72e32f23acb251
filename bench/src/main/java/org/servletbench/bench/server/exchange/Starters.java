package org.servletbench.bench.server.exchange;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.server.process.MavenBuild;

/** The libraries of Spring Boot's container starters, as Maven resolves them; what was resolved once is kept. */
final class Starters {

    /**
     * A starter of a version of Spring Boot; {@code version} of the container is empty for the one that Boot has chosen.
     *
     * @param http2 whether Jetty's HTTP/2 is added, which its starter leaves out
     */
    record Starter(String bootVersion, ServletContainer container, Optional<String> version, boolean http2) {

        private String folderName() {
            return bootVersion + "-" + container.key()
                    + version.map(own -> "-" + own).orElse("")
                    + (http2 ? "-h2" : "");
        }

        private String more() {
            // Until Jetty 11.
            String old = bootVersion.matches("2\\..*|3\\.[01]\\..*") ? "" : "jetty-";
            return http2
                    ? DEPENDENCY.formatted("org.eclipse.jetty.http2", old + "http2-server")
                            + DEPENDENCY.formatted("org.eclipse.jetty", "jetty-alpn-java-server")
                    : "";
        }
    }

    private static final String DEPENDENCY =
            "<dependency><groupId>%s</groupId><artifactId>%s</artifactId></dependency>";

    /** Written last: a folder without it was interrupted. */
    private static final String COMPLETE = "complete";

    private final Path cache;

    /** @param cache a folder for what was resolved */
    Starters(Path cache) {
        this.cache = cache.toAbsolutePath().normalize();
    }

    /**
     * What a starter brings at run time, its own empty jars left out.
     *
     * @throws UsageException if there is no such version
     * @throws TargetException if Maven fails for another reason
     */
    List<Artifact> libraries(Starter starter) {
        Path folder = cache.resolve(starter.folderName());
        try {
            if (!Files.isRegularFile(folder.resolve(COMPLETE))) {
                resolve(starter, folder);
            }
            return read(folder.resolve("lib"));
        } catch (IOException | UncheckedIOException e) {
            throw new TargetException("cannot read the libraries of " + starter.container.starter() + " in " + folder
                    + " (" + e.getMessage() + ")");
        }
    }

    private void resolve(Starter starter, Path folder) throws IOException {
        Files.createDirectories(folder);
        Path pom = Files.writeString(folder.resolve("pom.xml"), pom(starter));
        try {
            MavenBuild.run(
                    pom,
                    List.of(
                            "dependency:copy-dependencies",
                            "-DincludeScope=runtime",
                            "-Dmdep.useRepositoryLayout=true",
                            "-DoutputDirectory=" + folder.resolve("lib")));
        } catch (TargetException e) {
            throw explained(e, starter, pom);
        }
        Files.writeString(folder.resolve(COMPLETE), "");
    }

    /** Maven's lines name hosts, and twenty ways in which it may have failed: of these the two that a user can act on. */
    private static RuntimeException explained(TargetException failed, Starter starter, Path pom) {
        String said = failed.getMessage();
        String boot = "Spring Boot " + starter.bootVersion;
        String what = starter.version
                .map(version -> starter.container.title() + " " + version + " for " + boot)
                .orElse(boot);
        String fill = "fill Maven's repository where there is a network: mvn -f " + pom
                + " dependency:copy-dependencies -DincludeScope=runtime";
        if (said.contains("offline mode")) {
            return new TargetException("Maven works offline and does not have " + what + ": " + fill);
        }
        if (said.contains("Could not find artifact") || said.contains("was not found in")) {
            return new UsageException("there is no " + what + " in Maven's repositories: give a version that exists");
        }
        if (said.contains("Unknown host") || said.contains("Could not transfer")) {
            return new TargetException("Maven cannot reach its repositories to get " + what + ": " + fill);
        }
        return failed;
    }

    private static String pom(Starter starter) throws IOException {
        String version = starter.version
                .map(own -> "<properties><%1$s>%2$s</%1$s></properties>"
                        .formatted(starter.container.versionProperty(), own))
                .orElse("");
        try (InputStream pom = Starters.class.getResourceAsStream("starter-pom.xml")) {
            return new String(pom.readAllBytes(), StandardCharsets.UTF_8)
                    .formatted(starter.bootVersion, version, starter.container.starter(), starter.more());
        }
    }

    /** In the layout of a repository: {@code GROUP/NAME/VERSION/FILE}. */
    private static List<Artifact> read(Path lib) throws IOException {
        List<Artifact> all = new ArrayList<>();
        try (Stream<Path> tree = Files.walk(lib)) {
            for (Path file : tree.filter(one -> one.toString().endsWith(".jar")).collect(Collectors.toList())) {
                Path version = file.getParent();
                Path name = version.getParent();
                if (!isStarter(file)) {
                    all.add(new Artifact(
                            lib.relativize(name.getParent()).toString().replace('/', '.'),
                            name.getFileName().toString(),
                            version.getFileName().toString(),
                            file));
                }
            }
        }
        all.sort(Comparator.comparing(Artifact::module));
        return all;
    }

    /** Spring Boot's own plug-ins leave such jars out as well. */
    private static boolean isStarter(Path file) throws IOException {
        try (JarFile jar = new JarFile(file.toFile())) {
            Manifest manifest = jar.getManifest();
            return manifest != null
                    && "dependencies-starter"
                            .equals(manifest.getMainAttributes().getValue("Spring-Boot-Jar-Type"));
        }
    }
}
