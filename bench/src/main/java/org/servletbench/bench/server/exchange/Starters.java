package org.servletbench.bench.server.exchange;

import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;
import org.servletbench.bench.model.SafeFiles;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.model.Version;
import org.servletbench.bench.server.process.MavenBuild;

/** Resolves the libraries of Spring Boot's container starters with Maven, and keeps them. */
final class Starters {

    /**
     * A starter of a version of Spring Boot.
     *
     * @param version version of the container; empty for that of Spring Boot
     * @param http2 true to add Jetty's HTTP/2, which its starter does not include
     * @param pages true to add the libraries that run JSP, which no starter includes
     */
    record Starter(
            Version bootVersion, ServletContainer container, Optional<Version> version, boolean http2, boolean pages) {

        private String folderName() {
            return bootVersion + "-" + container.key()
                    + version.map(own -> "-" + own).orElse("")
                    + (http2 ? "-h2" : "")
                    + (pages ? "-jsp" : "");
        }

        /** Returns the dependencies in its POM besides Spring Boot's starter, as group and artifact. */
        private List<String[]> more() {
            // These names were used up to Jetty 11.
            boolean old = bootVersion.text().matches("2\\..*|3\\.[01]\\..*");
            List<String[]> more = new ArrayList<>();
            if (http2) {
                more.add(new String[] {"org.eclipse.jetty.http2", (old ? "" : "jetty-") + "http2-server"});
                more.add(new String[] {"org.eclipse.jetty", "jetty-alpn-java-server"});
            }
            if (pages && container == ServletContainer.TOMCAT) {
                more.add(new String[] {"org.apache.tomcat.embed", "tomcat-embed-jasper"});
            } else if (pages && container == ServletContainer.JETTY) {
                String ee = bootVersion.major() < 4 ? "ee10" : "ee11";
                more.add(
                        old
                                ? new String[] {"org.eclipse.jetty", "apache-jsp"}
                                : new String[] {"org.eclipse.jetty." + ee, "jetty-" + ee + "-apache-jsp"});
            }
            return more;
        }
    }

    /** The artifact that Maven reports as missing: group, name, type and version. */
    private static final Pattern MISSING =
            Pattern.compile("(?<=Could not find artifact )\\S+|\\S+(?= was not found in)");

    private static final String BOOT = "org.springframework.boot";

    /** Marker file that is written last. Without it, the folder is incomplete. */
    private static final String COMPLETE = "complete";

    private final Path cache;

    /** @param cache folder for resolved libraries */
    Starters(Path cache) {
        this.cache = cache.toAbsolutePath().normalize();
    }

    /**
     * Returns the runtime libraries of a starter, except its own empty jars.
     *
     * @throws UsageException if there is no such version
     * @throws TargetException if Maven fails for another reason
     */
    List<Artifact> libraries(Starter starter) {
        try {
            Path folder = SafeFiles.folder(cache, SafeFiles.below(cache, starter.folderName()));
            if (!Files.isRegularFile(folder.resolve(COMPLETE))) {
                resolve(starter, folder);
            }
            return read(folder.resolve("lib"));
        } catch (IOException | UncheckedIOException e) {
            throw new TargetException("cannot read the libraries of " + starter.container.starter() + " in " + cache
                    + " (" + e.getMessage() + ")");
        }
    }

    /** True if the libraries of a starter have been resolved before. */
    boolean has(Starter starter) {
        return Files.isRegularFile(cache.resolve(starter.folderName()).resolve(COMPLETE));
    }

    private void resolve(Starter starter, Path folder) throws IOException {
        Path pom = folder.resolve("pom.xml");
        try (OutputStream out = SafeFiles.fresh(pom)) {
            out.write(pom(starter).getBytes(StandardCharsets.UTF_8));
        }
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
        SafeFiles.fresh(folder.resolve(COMPLETE)).close();
    }

    /**
     * Explains a failure of Maven, whose messages name hosts and twenty possible causes, by the causes that a user can
     * fix.
     */
    static RuntimeException explained(TargetException failed, Starter starter, Path pom) {
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
        Matcher missing = MISSING.matcher(said);
        if (missing.find()) {
            return new UsageException("Maven's repositories do not have " + missing.group() + ", which " + what
                    + " needs: give a version that they have");
        }
        if (said.contains("Unknown host") || said.contains("Could not transfer")) {
            return new TargetException("Maven cannot reach its repositories to get " + what + ": " + fill);
        }
        return failed;
    }

    /** Returns a project that contains only the starter. Its parent determines the versions. */
    static String pom(Starter starter) {
        StringWriter out = new StringWriter();
        try {
            XMLStreamWriter xml = XMLOutputFactory.newInstance().createXMLStreamWriter(out);
            xml.writeStartDocument("UTF-8", "1.0");
            xml.writeStartElement("project");
            xml.writeDefaultNamespace("http://maven.apache.org/POM/4.0.0");
            element(xml, "modelVersion", "4.0.0");
            xml.writeStartElement("parent");
            element(xml, "groupId", BOOT);
            element(xml, "artifactId", "spring-boot-starter-parent");
            element(xml, "version", starter.bootVersion.text());
            xml.writeEmptyElement("relativePath");
            xml.writeEndElement();
            element(xml, "groupId", "org.servletbench.exchange");
            element(xml, "artifactId", "libraries");
            element(xml, "version", "1");
            if (starter.version.isPresent()) {
                xml.writeStartElement("properties");
                element(
                        xml,
                        starter.container.versionProperty(),
                        starter.version.get().text());
                xml.writeEndElement();
            }
            xml.writeStartElement("dependencies");
            dependency(xml, BOOT, starter.container.starter());
            for (String[] one : starter.more()) {
                dependency(xml, one[0], one[1]);
            }
            xml.writeEndElement();
            xml.writeEndElement();
            xml.writeEndDocument();
            xml.close();
        } catch (XMLStreamException e) {
            throw new IllegalStateException(e);
        }
        return out.append('\n').toString();
    }

    private static void dependency(XMLStreamWriter xml, String group, String name) throws XMLStreamException {
        xml.writeStartElement("dependency");
        element(xml, "groupId", group);
        element(xml, "artifactId", name);
        xml.writeEndElement();
    }

    private static void element(XMLStreamWriter xml, String name, String text) throws XMLStreamException {
        xml.writeStartElement(name);
        xml.writeCharacters(text);
        xml.writeEndElement();
    }

    /** Reads a folder with the layout of a repository: {@code GROUP/NAME/VERSION/FILE}. */
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

    /** True for an empty starter jar, which Spring Boot's own plug-ins leave out as well. */
    private static boolean isStarter(Path file) throws IOException {
        try (JarFile jar = new JarFile(file.toFile())) {
            Manifest manifest = jar.getManifest();
            return manifest != null
                    && "dependencies-starter"
                            .equals(manifest.getMainAttributes().getValue("Spring-Boot-Jar-Type"));
        }
    }
}
