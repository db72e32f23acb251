package org.servletbench.bench.server.exchange;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import java.util.zip.ZipInputStream;
import org.servletbench.bench.model.Text;
import org.servletbench.bench.model.UsageException;

/**
 * Contents of an executable Spring Boot jar. Nothing in it is run.
 *
 * @param facts version of Spring Boot, Java release, start class and the like, by their names for people; empty values
 *     if unknown
 * @param libraries libraries by entry
 * @param classes what identifies the bytes of the service's own classes, by their name without the folder
 * @param settings values of the configuration inside the jar, by the uniform name of their key
 */
record JarContents(
        Map<String, String> facts,
        Map<String, Library> libraries,
        Map<String, String> classes,
        Map<String, ServiceJar.Setting> settings) {

    /** Maximum number of bytes read from a {@code pom.properties}. */
    private static final int MOST_POM = 1 << 16;
    /** Maximum number of a library's entries that are searched for its coordinates. */
    private static final int MOST_ENTRIES = 50_000;

    private static final String POM = "META-INF/maven/";
    static final String LIBRARIES = "Spring-Boot-Lib";
    static final String CLASSES = "Spring-Boot-Classes";
    private static final String CLASS = ".class";

    /** Reads a part of an open jar. */
    private interface Part<T> {
        T read(ZipFile zip, Attributes main, Budget budget) throws IOException;
    }

    /** Two jars. Libraries that both have are known only by their files. */
    record Both(JarContents before, JarContents after) {}

    /**
     * Reads two jars.
     *
     * @throws UsageException if one is not an executable Spring Boot jar
     */
    static Both read(Path before, Path after) {
        Set<String> equal = libraries(before);
        equal.retainAll(libraries(after));
        return new Both(read(before, equal), read(after, equal));
    }

    /**
     * Reads a jar.
     *
     * @param known contents of libraries whose coordinates are not needed; finding them would require unpacking the
     *     library
     * @throws UsageException if it is not an executable Spring Boot jar
     */
    static JarContents read(Path jar, Set<String> known) {
        return opened(jar, (zip, main, budget) -> {
            ServiceJar service = ServiceJar.alone(jar);
            Map<String, String> facts = new LinkedHashMap<>();
            facts.put("Spring Boot", service.bootVersion());
            facts.put("Java release", service.java() == 0 ? "" : Integer.toString(service.java()));
            facts.put("start class", value(main, "Start-Class"));
            facts.put("launcher", value(main, "Main-Class"));
            facts.put("layers", layers(zip, value(main, JarWriter.LAYERS_INDEX)));
            Map<String, Library> libraries = new TreeMap<>();
            for (ZipEntry entry : libraries(zip, main)) {
                libraries.put(
                        entry.getName(), known.contains(content(entry)) ? byFile(entry) : library(budget, zip, entry));
            }
            return new JarContents(facts, libraries, classes(zip, main.getValue(CLASSES)), service.settings());
        });
    }

    /**
     * Returns what identifies the bytes of a jar's libraries.
     *
     * @throws UsageException if it is not an executable Spring Boot jar
     */
    static Set<String> libraries(Path jar) {
        return opened(jar, (zip, main, budget) -> libraries(zip, main).stream()
                .map(JarContents::content)
                .collect(Collectors.toSet()));
    }

    private static <T> T opened(Path jar, Part<T> part) {
        if (!Files.isRegularFile(jar)) {
            throw new UsageException(jar + ": there is no such file");
        }
        Budget budget = new Budget();
        try (ZipFile zip = budget.open(jar)) {
            Attributes main = JarManifest.of(zip).getMainAttributes();
            if (main.getValue(LIBRARIES) == null || main.getValue(CLASSES) == null) {
                throw new UsageException(
                        jar + " is not an executable jar or war of Spring Boot (its manifest has no " + LIBRARIES
                                + " and " + CLASSES + "): give the jar that spring-boot:repackage or bootJar makes");
            }
            return part.read(zip, main, budget);
        } catch (ZipException e) {
            throw new UsageException(jar + " is not a jar");
        } catch (IOException e) {
            throw new UsageException("cannot read " + jar + " (" + e.getMessage() + ")");
        }
    }

    private static List<? extends ZipEntry> libraries(ZipFile zip, Attributes main) {
        String folder = main.getValue(LIBRARIES);
        return zip.stream()
                .filter(entry -> BootJar.isLibrary(entry.getName(), folder))
                .toList();
    }

    private static Map<String, String> classes(ZipFile zip, String folder) {
        Map<String, String> classes = new TreeMap<>();
        zip.stream()
                .filter(entry ->
                        entry.getName().startsWith(folder) && entry.getName().endsWith(CLASS))
                .forEach(entry -> classes.put(
                        Text.shown(entry.getName()
                                .substring(folder.length(), entry.getName().length() - CLASS.length())
                                .replace('/', '.')),
                        content(entry)));
        return classes;
    }

    private static String value(Attributes main, String name) {
        return Text.shown(Optional.ofNullable(main.getValue(name)).orElse(""));
    }

    /** Returns what identifies the bytes of an entry. */
    static String content(ZipEntry entry) {
        return Long.toHexString(entry.getCrc()) + "-" + entry.getSize();
    }

    private static String layers(ZipFile zip, String index) throws IOException {
        ZipEntry entry = index.isEmpty() ? null : zip.getEntry(index);
        if (entry == null) {
            return "";
        }
        try (InputStream in = zip.getInputStream(entry)) {
            return Text.shown(new String(in.readNBytes(MOST_POM), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> line.startsWith("- "))
                    .map(line -> line.replaceAll("[-\":\\s]+", ""))
                    .reduce((a, b) -> a + ", " + b)
                    .orElse(""));
        }
    }

    private static Library byFile(ZipEntry entry) {
        return Library.ofFile(BootJar.fileName(entry.getName()), content(entry));
    }

    /**
     * Reads the coordinates of a library. A library that contains others has several, and its file name shows which are
     * its own.
     */
    private static Library library(Budget budget, ZipFile zip, ZipEntry entry) throws IOException {
        Library byFile = byFile(entry);
        Library only = null;
        int poms = 0;
        try (ZipInputStream nested = new ZipInputStream(budget.read(zip, entry))) {
            ZipEntry inside = nested.getNextEntry();
            for (int i = 0; inside != null && i < MOST_ENTRIES; i++, inside = nested.getNextEntry()) {
                if (!inside.getName().startsWith(POM) || !inside.getName().endsWith("/pom.properties")) {
                    continue;
                }
                Properties pom = new Properties();
                pom.load(new ByteArrayInputStream(nested.readNBytes(MOST_POM)));
                String group = pom.getProperty("groupId", "");
                String artifact = pom.getProperty("artifactId", "");
                String version = pom.getProperty("version", "");
                if (artifact.isEmpty() || version.isEmpty()) {
                    continue;
                }
                poms++;
                only = byFile.named(group, artifact, version);
                if (byFile.isNamed(artifact, version)) {
                    return only;
                }
            }
        } catch (ZipException | IllegalArgumentException e) {
            // The coordinates in the file's name must suffice.
            return byFile;
        }
        return poms == 1 && byFile.version().isEmpty() ? only : byFile;
    }
}
