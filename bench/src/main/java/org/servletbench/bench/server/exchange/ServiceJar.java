package org.servletbench.bench.server.exchange;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.jar.Attributes;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.servletbench.bench.model.Protocol;
import org.servletbench.bench.model.Text;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.model.Version;

/**
 * How a service will start, according to its jar and the Spring Boot files next to it. Nothing is run; a file that
 * cannot be parsed is ignored.
 *
 * @param isExecutable true if its manifest names a class that starts it
 * @param bootVersion version of Spring Boot in its manifest; empty if there is none
 * @param java the oldest Java that loads its main class; 0 if unknown
 * @param hasPages true if it has JSP pages
 * @param container {@code tomcat}, {@code jetty} or {@code undertow}; empty if it has none of them, or several
 * @param settings properties by {@link #uniform} name
 */
public record ServiceJar(
        Path file,
        boolean isExecutable,
        String bootVersion,
        int java,
        boolean hasPages,
        String container,
        Map<String, Setting> settings) {

    /** A property as the service writes it. */
    public record Setting(String name, String value) {

        @Override
        public String toString() {
            return name + "=" + value;
        }
    }

    /** Difference between the version of a class file and that of its Java. */
    private static final int CLASS_VERSION = 44;

    private static final int MAGIC = 0xCAFEBABE;
    private static final int MOST_TEXT = 1 << 20;
    /** Maximum length of a property's name. Endlessly nested keys would each repeat all keys above them. */
    private static final int LONGEST_NAME = 500;

    /** Maximum number of profiles that a service may name itself. Each is looked for in twelve places. */
    private static final int MOST_PROFILES = 100;

    private static final YAMLMapper YAML = new YAMLMapper();
    private static final Pattern NEXT_DOCUMENT = Pattern.compile("(?m)^[#!]---\\s*$");
    private static final List<String> TYPES = List.of(".properties", ".yml", ".yaml");
    private static final String ACTIVE = "spring.profiles.active";

    /**
     * Reads a service's jar.
     *
     * @param folder working directory of its start, whose Spring Boot files count as well
     * @param profiles active Spring profiles; empty for those that the service names itself
     * @throws UsageException if there is no such file, or it is not a jar
     */
    public static ServiceJar read(Path file, Path folder, List<String> profiles) {
        return read(file, List.of(folder, folder.resolve("config")), profiles);
    }

    /**
     * Reads a jar without the files next to it.
     *
     * @throws UsageException if there is no such file, or it is not a jar
     */
    static ServiceJar alone(Path file) {
        return read(file, List.of(), List.of());
    }

    private static ServiceJar read(Path file, List<Path> folders, List<String> profiles) {
        if (!Files.isRegularFile(file)) {
            throw new UsageException(file + ": there is no such file");
        }
        try (ZipFile zip = new Budget().open(file)) {
            Attributes main = JarManifest.of(zip).getMainAttributes();
            String classes =
                    Optional.ofNullable(main.getValue("Spring-Boot-Classes")).orElse("");
            // Later places override earlier ones.
            List<Function<String, Optional<String>>> places = new ArrayList<>(
                    List.of(name -> text(zip, classes + name), name -> text(zip, classes + "config/" + name)));
            folders.forEach(folder -> places.add(name -> text(folder.resolve(name))));
            Map<String, Setting> settings = new LinkedHashMap<>();
            Set<String> active = new LinkedHashSet<>(profiles);
            places.forEach(place -> read(place, "application", active, settings));
            if (active.isEmpty()) {
                Optional.ofNullable(settings.get(uniform(ACTIVE))).ifPresent(own -> Stream.of(own.value.split(","))
                        .map(String::strip)
                        .filter(name -> name.matches("[A-Za-z0-9_-]+"))
                        .limit(MOST_PROFILES)
                        .forEach(active::add));
                if (!active.isEmpty()) {
                    settings.clear();
                    places.forEach(place -> read(place, "application", active, settings));
                }
            }
            active.forEach(profile -> places.forEach(place -> read(place, "application-" + profile, active, settings)));
            return new ServiceJar(
                    file,
                    main.getValue(Attributes.Name.MAIN_CLASS) != null,
                    Optional.ofNullable(main.getValue("Spring-Boot-Version")).orElse(""),
                    java(zip, classes, main.getValue("Start-Class")),
                    zip.stream().map(ZipEntry::getName).anyMatch(BootJar::isPage),
                    container(zip),
                    settings);
        } catch (IOException e) {
            throw new UsageException(file + " is not a jar (" + e.getMessage() + ")");
        }
    }

    private static String container(ZipFile zip) {
        List<ServletContainer> found = BootJar.containers(BootJar.files(zip));
        return found.size() == 1 ? found.get(0).key() : "";
    }

    /** Returns a name as Spring compares it: {@code server.tomcat.maxThreads} is {@code server.tomcat.max-threads}. */
    public static String uniform(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[-_]", "");
    }

    /** Returns the value of a property; empty if the service does not set it. */
    public Optional<String> value(String name) {
        return Optional.ofNullable(settings.get(uniform(name))).map(Setting::value);
    }

    /** Returns the settings whose names start with a prefix. */
    public List<Setting> below(String prefix) {
        return settings.entrySet().stream()
                .filter(one -> one.getKey().startsWith(uniform(prefix)))
                .map(Map.Entry::getValue)
                .toList();
    }

    private boolean is(String name) {
        return value(name).map("true"::equalsIgnoreCase).orElse(false);
    }

    /** Returns the protocol that its own properties select. */
    public Protocol protocol() {
        boolean secure =
                !value("server.ssl.enabled").map("false"::equalsIgnoreCase).orElse(false)
                        && Stream.of("key-store", "certificate", "bundle")
                                .anyMatch(key ->
                                        !value("server.ssl." + key).orElse("").isEmpty());
        return secure ? hasHttp2() ? Protocol.H2 : Protocol.HTTPS : Protocol.HTTP;
    }

    /** True if it asks for HTTP/2, so that its container needs the libraries. */
    public boolean hasHttp2() {
        return is("server.http2.enabled");
    }

    /** Returns the port of its separate management server; empty if it has none, or uses any free port. */
    public Optional<String> managementPort() {
        return value("management.server.port")
                .map(String::strip)
                .filter(port -> !List.of("", "0", "-1").contains(port))
                .filter(port -> !port.equals(value("server.port").orElse("8080")) && !port.equals("${server.port}"));
    }

    /**
     * Returns the URL of a database in a file, which only one server at a time can open; empty for any other database.
     */
    public static Optional<String> fileOf(String url) {
        return Optional.of(url.strip().replaceFirst("^\\$\\{[^:}]+:(.*)}$", "$1"))
                .filter(one -> one.matches(
                        "(?i)(jdbc|r2dbc):(h2:(?!mem:|tcp:|ssl:|zip:)|hsqldb:(file:|(?!mem:|hsql|http|res:))"
                                + "|derby:(?!memory:|//)|sqlite:(?!:memory:|file::memory:)).+"))
                .filter(one -> !one.toUpperCase(Locale.ROOT).contains("AUTO_SERVER=TRUE"));
    }

    /** Returns why it cannot have a container; empty if it can, or if none is requested. */
    public Optional<String> lacks(String container) {
        return Optional.ofNullable(container)
                .map(ServletContainer::named)
                .flatMap(this::lacks)
                .map(why -> why + ": leave this arm out");
    }

    private Optional<String> lacks(ServletContainer container) {
        if (hasPages && container == ServletContainer.UNDERTOW) {
            return Optional.of("Spring Boot does not run its JSP pages on Undertow");
        }
        return Optional.of(bootVersion)
                .filter(Version::isOne)
                .map(Version::new)
                .filter(version -> !container.isIn(version))
                .map(version -> "Spring Boot " + version.major() + " has no " + container.title());
    }

    /**
     * Returns the containers that it cannot have, one line each, with the reason:
     * {@code undertow is left out: Spring Boot 4 has no Undertow}.
     */
    public List<String> leftOut() {
        return Stream.of(ServletContainer.values())
                .flatMap(one -> lacks(one).map(why -> one.key() + " is left out: " + why).stream())
                .toList();
    }

    private static int java(ZipFile zip, String classes, String main) throws IOException {
        ZipEntry entry = main == null ? null : zip.getEntry(classes + main.replace('.', '/') + ".class");
        if (entry == null) {
            return 0;
        }
        try (DataInputStream in = new DataInputStream(zip.getInputStream(entry))) {
            return in.readInt() == MAGIC && in.skipBytes(2) == 2 ? in.readUnsignedShort() - CLASS_VERSION : 0;
        } catch (EOFException e) {
            throw new IOException("the class file " + Text.shown(entry.getName()) + " is damaged", e);
        }
    }

    private static Optional<String> text(ZipFile zip, String name) {
        ZipEntry entry = zip.getEntry(name);
        if (entry == null) {
            return Optional.empty();
        }
        try (InputStream in = zip.getInputStream(entry)) {
            return Optional.of(new String(in.readNBytes(MOST_TEXT), StandardCharsets.UTF_8));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static Optional<String> text(Path file) {
        // Reading a pipe would block.
        if (!Files.isRegularFile(file)) {
            return Optional.empty();
        }
        try (InputStream in = Files.newInputStream(file)) {
            return Optional.of(new String(in.readNBytes(MOST_TEXT), StandardCharsets.UTF_8));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Reads a file with this name. If there are several, {@code .properties} wins. */
    private static void read(
            Function<String, Optional<String>> place, String name, Set<String> active, Map<String, Setting> into) {
        for (int i = TYPES.size() - 1; i >= 0; i--) {
            boolean yaml = i > 0;
            place.apply(name + TYPES.get(i))
                    .map(text -> yaml ? yaml(text) : properties(text))
                    .ifPresent(documents -> documents.stream()
                            .filter(one -> isActive(one, active))
                            .forEach(one ->
                                    one.forEach((key, value) -> into.put(uniform(key), new Setting(key, value)))));
        }
    }

    /**
     * True if a document applies, because it may be limited to a profile. A document limited by an expression is
     * ignored, because we cannot evaluate that.
     */
    private static boolean isActive(Map<String, String> document, Set<String> active) {
        return document.entrySet().stream()
                        .filter(one -> List.of("spring.config.activate.onprofile", "spring.profiles")
                                .contains(uniform(one.getKey())))
                        .allMatch(one -> Arrays.stream(one.getValue().split(","))
                                .map(String::strip)
                                .anyMatch(active::contains))
                && document.keySet().stream()
                        .map(ServiceJar::uniform)
                        .noneMatch("spring.config.activate.oncloudplatform"::equals);
    }

    private static List<Map<String, String>> properties(String text) {
        List<Map<String, String>> documents = new ArrayList<>();
        for (String part : NEXT_DOCUMENT.split(text)) {
            Properties properties = new Properties();
            try {
                properties.load(new StringReader(part));
            } catch (IOException | IllegalArgumentException e) {
                return List.of();
            }
            Map<String, String> document = new LinkedHashMap<>();
            properties.stringPropertyNames().stream()
                    .sorted()
                    .forEach(name -> document.put(name, properties.getProperty(name)));
            documents.add(document);
        }
        return documents;
    }

    private static List<Map<String, String>> yaml(String text) {
        List<Map<String, String>> documents = new ArrayList<>();
        try (MappingIterator<JsonNode> all = YAML.readerFor(JsonNode.class).readValues(text)) {
            all.forEachRemaining((Consumer<JsonNode>) one -> {
                Map<String, String> document = new LinkedHashMap<>();
                flat("", one, document);
                documents.add(document);
            });
            return documents;
        } catch (IOException | RuntimeException e) {
            return documents;
        }
    }

    private static void flat(String path, JsonNode node, Map<String, String> into) {
        if (path.length() > LONGEST_NAME) {
            return;
        }
        if (node.isObject()) {
            node.properties()
                    .forEach(one ->
                            flat(path.isEmpty() ? one.getKey() : path + "." + one.getKey(), one.getValue(), into));
        } else if (node.isArray() && node.valueStream().allMatch(JsonNode::isValueNode)) {
            into.put(
                    path,
                    String.join(",", node.valueStream().map(JsonNode::asText).toList()));
        } else if (node.isValueNode() && !node.isNull()) {
            into.put(path, node.asText());
        }
    }
}
