package org.servletbench.bench.server.exchange;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipInputStream;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.model.UsageException;

/**
 * The difference between two executable Spring Boot jars in parts that can be moved separately: families of libraries,
 * and the service's own files. Jars with some of the second jar's parts show which part has an effect. Nothing in the
 * jars is run here.
 */
public final class JarParts {

    /**
     * A part of the difference.
     *
     * @param key short name of letters, digits, dots and hyphens
     * @param name name for people, with versions
     * @param before entries of the first jar's libraries that belong to the part
     * @param after entries of the second jar's libraries that belong to the part
     * @param isOwn true if the service's own classes and files belong to it
     * @param hasLauncher true if Spring Boot's launcher belongs to it
     */
    public record Part(
            String key, String name, List<String> before, List<String> after, boolean isOwn, boolean hasLauncher) {}

    private static final String LAUNCHER = "org/springframework/boot/loader/";
    /** Entry that also names a class of the launcher. */
    private static final String FILE_SYSTEMS = "META-INF/services/java.nio.file.spi.FileSystemProvider";
    /** Module whose version is that of the launcher. */
    private static final String BOOT = "spring-boot";
    /** Attributes of the manifest that belong to the launcher. */
    private static final List<String> OF_LAUNCHER = List.of("Main-Class", "Spring-Boot-Version");
    /** Attributes of the manifest in which both jars must agree, because they say where everything is. */
    private static final List<String> PLACES =
            List.of(JarContents.LIBRARIES, JarContents.CLASSES, JarWriter.CLASSPATH_INDEX, JarWriter.LAYERS_INDEX);

    /**
     * Files with which a build describes itself, for example its time. They differ between two builds of the same
     * sources.
     */
    private static final Pattern RECORD_OF_BUILD =
            Pattern.compile("META-INF/(?:maven|sbom)/.*|.*/classes/(?:META-INF/build-info|git)\\.properties");

    private final BootJar before;
    private final BootJar after;
    private final List<Part> parts;

    private JarParts(BootJar before, BootJar after, List<Part> parts) {
        this.before = before;
        this.after = after;
        this.parts = parts;
    }

    /**
     * Divides a difference into parts.
     *
     * @throws UsageException if a file is not an executable Spring Boot jar whose libraries can be replaced, if the two
     *     place their contents differently, or if no part of them differs
     */
    public static JarParts between(Path before, Path after) {
        JarContents.Both both = JarContents.read(before, after);
        BootJar one = BootJar.read(before);
        BootJar other = BootJar.read(after);
        for (String place : PLACES) {
            String here = one.manifest().getMainAttributes().getValue(place);
            String there = other.manifest().getMainAttributes().getValue(place);
            if (here == null ? there != null : !here.equals(there)) {
                throw new UsageException(before + " and " + after + " place their contents differently (" + place
                        + " in their manifests): build both in one way");
            }
        }
        List<Part> parts = parts(both, differsBesides(one, other));
        if (parts.isEmpty()) {
            throw new UsageException(
                    before + " and " + after + " have the same libraries and own files: there is nothing to divide");
        }
        return new JarParts(one, other, parts);
    }

    /**
     * Returns the parts: families of libraries, the largest first, then libraries that were added or removed, then the
     * service's own files.
     */
    public List<Part> parts() {
        return parts;
    }

    private static List<Part> parts(JarContents.Both both, boolean own) {
        JarContents old = both.before();
        JarContents now = both.after();
        JarDifference difference = JarDifference.between(old, now);
        List<Part> parts = new ArrayList<>();
        Map<String, Integer> byGroup = new HashMap<>();
        for (JarDifference.Family family : difference.changed()) {
            byGroup.putIfAbsent(family.group(), parts.size());
            parts.add(new Part(
                    unique(family.name(), parts),
                    family.words(),
                    files(old, now, family.members()),
                    files(now, old, family.members()),
                    false,
                    family.members().contains(BOOT)));
        }
        byGroup.remove("");
        difference
                .removed()
                .forEach(one -> add(parts, byGroup, one, "without ", files(old, now, List.of(one.name())), List.of()));
        difference
                .added()
                .forEach(one -> add(parts, byGroup, one, "with ", List.of(), files(now, old, List.of(one.name()))));
        if (own) {
            parts.add(new Part(
                    unique("own", parts),
                    "your own classes and files",
                    List.of(),
                    List.of(),
                    true,
                    parts.stream().noneMatch(Part::hasLauncher)));
        }
        return distinct(parts);
    }

    /**
     * Returns parts without what an earlier part already has. Several files of one module without coordinates, which
     * differ by classifier, are one part.
     */
    private static List<Part> distinct(List<Part> parts) {
        Set<String> old = new HashSet<>();
        Set<String> now = new HashSet<>();
        List<Part> distinct = new ArrayList<>();
        for (Part part : parts) {
            List<String> before = part.before.stream().filter(old::add).toList();
            List<String> after = part.after.stream().filter(now::add).toList();
            if (part.isOwn || part.hasLauncher || !before.isEmpty() || !after.isEmpty()) {
                distinct.add(new Part(part.key, part.name, before, after, part.isOwn, part.hasLauncher));
            }
        }
        return List.copyOf(distinct);
    }

    /** True if a file belongs to Spring Boot's launcher. */
    private static boolean isLaunchers(ZipEntry entry) {
        return !entry.isDirectory()
                && (entry.getName().startsWith(LAUNCHER) || entry.getName().equals(FILE_SYSTEMS));
    }

    /**
     * Adds a library that was added or removed to the part of its group, if there is one, because it may replace
     * another library of that group.
     */
    private static void add(
            List<Part> parts,
            Map<String, Integer> byGroup,
            JarDifference.Module one,
            String how,
            List<String> before,
            List<String> after) {
        String words = (how + one.name() + " " + one.version()).strip();
        boolean launcher = one.name().equals(BOOT);
        Integer at = byGroup.get(one.group());
        if (at == null) {
            if (!one.group().isEmpty()) {
                byGroup.put(one.group(), parts.size());
            }
            parts.add(new Part(unique(one.name(), parts), words, before, after, false, launcher));
        } else {
            Part there = parts.get(at);
            parts.set(
                    at,
                    new Part(
                            there.key,
                            there.name + ", " + words,
                            joined(there.before, before),
                            joined(there.after, after),
                            false,
                            launcher || there.hasLauncher));
        }
    }

    private static List<String> joined(List<String> some, List<String> others) {
        return Stream.concat(some.stream(), others.stream()).distinct().toList();
    }

    private static String unique(String name, List<Part> parts) {
        String key = name.replaceAll("[^A-Za-z0-9.]+", "-").replaceAll("^[-.]+|[-.]+$", "");
        List<String> used = parts.stream().map(Part::key).toList();
        return Stream.concat(Stream.of(key), IntStream.iterate(2, i -> i + 1).mapToObj(i -> key + "-" + i))
                .filter(one -> !used.contains(one))
                .findFirst()
                .orElseThrow();
    }

    /** Returns the entries of modules with bytes that the other jar does not have. */
    private static List<String> files(JarContents here, JarContents there, List<String> modules) {
        Set<String> known = new HashSet<>();
        there.libraries().values().forEach(library -> known.add(library.content()));
        return here.libraries().entrySet().stream()
                .filter(one -> modules.contains(one.getValue().name())
                        && !known.contains(one.getValue().content()))
                .map(Map.Entry::getKey)
                .toList();
    }

    private static boolean differsBesides(BootJar one, BootJar other) {
        return !besides(one).equals(besides(other));
    }

    /** Returns what identifies the bytes of the service's own files, by entry. */
    private static Map<String, String> besides(BootJar jar) {
        Attributes main = jar.manifest().getMainAttributes();
        Set<String> rewritten = Set.of(
                JarFile.MANIFEST_NAME,
                ContainerSwap.RECORD,
                Optional.ofNullable(main.getValue(JarWriter.CLASSPATH_INDEX)).orElse(""),
                Optional.ofNullable(main.getValue(JarWriter.LAYERS_INDEX)).orElse("-"));
        Map<String, String> contents = new TreeMap<>();
        try (ZipFile zip = new Budget().open(jar.file())) {
            zip.stream()
                    .filter(entry -> !entry.isDirectory()
                            && !jar.isLibrary(entry.getName())
                            && !isLaunchers(entry)
                            && !rewritten.contains(entry.getName())
                            && !RECORD_OF_BUILD.matcher(entry.getName()).matches())
                    .forEach(entry -> contents.put(entry.getName(), JarContents.content(entry)));
        } catch (IOException e) {
            throw new UsageException("cannot read " + jar.file() + " (" + e.getMessage() + ")");
        }
        return contents;
    }

    /**
     * Writes the first jar with some parts of the second one.
     *
     * @param some some of {@link #parts}
     * @throws TargetException if a jar cannot be read, or the new one cannot be written
     */
    public void write(Collection<Part> some, Path out) {
        Set<String> gone = new HashSet<>();
        List<String> come = new ArrayList<>();
        some.forEach(part -> {
            gone.addAll(part.before);
            come.addAll(part.after);
        });
        boolean own = some.stream().anyMatch(Part::isOwn);
        boolean launcher = some.stream().anyMatch(Part::hasLauncher);
        BootJar files = own ? after : before;
        Manifest manifest = new Manifest(files.manifest());
        Attributes main = manifest.getMainAttributes();
        OF_LAUNCHER.forEach(name -> main.putValue(
                name, (launcher ? after : before).manifest().getMainAttributes().getValue(name)));
        // A record of a swapped container is valid for only one of the builds.
        List.of(ContainerSwap.CONTAINER, ContainerSwap.CONTAINER_VERSION)
                .forEach(name -> main.remove(new Attributes.Name(name)));
        Budget budget = new Budget();
        try (ZipFile one = budget.open(before.file());
                ZipFile other = budget.open(after.file());
                JarWriter jar = new JarWriter(out, files.before())) {
            Set<String> goneFiles = gone.stream().map(BootJar::fileName).collect(Collectors.toSet());
            for (ZipEntry entry : (own ? other : one).stream().toList()) {
                String name = entry.getName();
                if (before.isLibrary(name) || name.equals(ContainerSwap.RECORD) || isLaunchers(entry)) {
                    continue;
                }
                if (name.equals(JarFile.MANIFEST_NAME)) {
                    jar.put(entry, JarWriter.bytes(manifest));
                } else if (name.equals(main.getValue(JarWriter.CLASSPATH_INDEX))) {
                    jar.put(entry, JarWriter.index(budget.text(one, one.getEntry(name)), goneFiles, come));
                } else if (name.equals(main.getValue(JarWriter.LAYERS_INDEX))) {
                    jar.put(entry, JarWriter.layers(budget.text(one, one.getEntry(name)), goneFiles, come));
                } else {
                    jar.copy(own ? other : one, entry, budget);
                }
            }
            ZipFile started = launcher ? other : one;
            for (ZipEntry entry : started.stream().filter(JarParts::isLaunchers).toList()) {
                jar.copy(started, entry, budget);
            }
            for (ZipEntry entry : one.stream().toList()) {
                if (before.isLibrary(entry.getName()) && !gone.contains(entry.getName())) {
                    jar.copy(one, entry, budget);
                }
            }
            for (ZipEntry entry : other.stream().toList()) {
                if (before.isLibrary(entry.getName()) && come.contains(entry.getName())) {
                    jar.copy(other, entry, budget);
                }
            }
        } catch (IOException e) {
            throw new TargetException("cannot write " + out + " (" + e.getMessage() + ")");
        }
    }

    /**
     * Returns the part with a library of the second jar that contains a class.
     *
     * @param type name of the class, with dots or slashes
     */
    public Optional<Part> having(String type) {
        String entry = type.replace('.', '/') + ".class";
        try (ZipFile zip = new Budget().open(after.file())) {
            for (Part part : parts) {
                for (String library : part.after) {
                    ZipEntry found = zip.getEntry(library);
                    if (found != null && hasEntry(zip, found, entry)) {
                        return Optional.of(part);
                    }
                }
            }
        } catch (IOException e) {
            // If no part is found, every other part is tried.
        }
        return Optional.empty();
    }

    private static boolean hasEntry(ZipFile zip, ZipEntry library, String name) throws IOException {
        try (ZipInputStream nested = new ZipInputStream(new Budget().read(zip, library))) {
            for (ZipEntry inside = nested.getNextEntry(); inside != null; inside = nested.getNextEntry()) {
                if (inside.getName().equals(name)) {
                    return true;
                }
            }
        }
        return false;
    }
}
