package org.servletbench.bench.model;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The {@code profiles/} folder. */
public record ProfilesFolder(Path path) {

    private static final String COMPRESSION = "server.compression.enabled";
    private static final String PROPERTIES = ".properties";

    /** Maximum length of a file with lines, bytes. */
    private static final int LONGEST = 1 << 20;

    /** @throws UsageException if there is no such folder */
    public ProfilesFolder {
        if (!Files.isRegularFile(path.resolve("load.properties"))) {
            throw new UsageException("no load.properties in " + path + ": that is not the profiles folder");
        }
    }

    /**
     * Returns a profile's container and connector. Throws a UsageException if there is no such profile, or its file
     * lacks a key.
     */
    public ContainerProfile container(String name) {
        Path file = path.resolve(name + PROPERTIES);
        Map<String, String> values = isName(name) && Files.isRegularFile(file) ? read(file) : Map.of();
        if (!values.containsKey("connector.class")) {
            throw new UsageException("no profile '" + name + "': choose one of " + String.join(", ", containers()));
        }
        return ContainerProfile.of(name, values, file);
    }

    /**
     * Returns what is known in advance about a service's own jar: the container that replaces its own, or after which
     * its arm is named.
     *
     * @param arm name of the arm
     * @param container container that replaces the jar's own; null if none does
     */
    public ContainerProfile ofService(String arm, String container) {
        ContainerProfile none = ContainerProfile.unknown(arm);
        List<ContainerProfile> all = containers().stream().map(this::container).toList();
        Optional<ContainerProfile> connector =
                all.stream().filter(one -> one.name().equals(arm)).findFirst();
        return connector
                .map(known -> none.as(known.container(), known.connector(), known.connectorClass()))
                .orElseGet(() -> all.stream()
                        .map(ContainerProfile::container)
                        .filter(one -> one.equals(arm) || one.equals(container))
                        .findFirst()
                        .map(one -> none.as(one, "", ""))
                        .orElse(none));
    }

    /** Returns why a user's own service cannot have this connector; empty if it can, or if there is no such profile. */
    public Optional<String> withoutApp(String name) {
        return containers().contains(name)
                ? Optional.ofNullable(read(path.resolve(name + PROPERTIES)).get("app.without"))
                : Optional.empty();
    }

    /** Returns the names of all container profiles, in alphabetical order. */
    public List<String> containers() {
        return propertiesFiles(path).stream()
                .filter(name -> read(path.resolve(name + PROPERTIES)).containsKey("connector.class"))
                .toList();
    }

    /** Returns the file of a settings set, with Spring Boot properties. Throws a UsageException if there is none. */
    public Path settings(String name) {
        Path folder = path.resolve("settings");
        List<String> sets = propertiesFiles(folder);
        if (!sets.contains(name)) {
            throw new UsageException("no settings set '" + name + "': choose one of " + String.join(", ", sets));
        }
        Path file = folder.resolve(name + PROPERTIES);
        if (read(file).getOrDefault(COMPRESSION, "false").equals("true")) {
            throw new UsageException("settings set '" + name + "' (" + file + ") has " + COMPRESSION
                    + ": no request accepts gzip, so it would change nothing; leave it out");
        }
        return file;
    }

    public JvmOptions jvmOptions() {
        return JvmOptions.read(path.resolve("jvm.options"));
    }

    /** Returns the usual workloads, in the order of {@code workloads.properties}. */
    public List<Workload> workloads() {
        List<String> usual = usualWorkloads();
        return allWorkloads().stream()
                .filter(workload -> usual.contains(workload.name()))
                .toList();
    }

    /** Returns all workloads, including those that are off by default. */
    public List<Workload> allWorkloads() {
        Path file = path.resolve("workloads.properties");
        return Workload.all(read(file), file);
    }

    public List<String> usualWorkloads() {
        Path file = path.resolve("workloads.properties");
        return Workload.usual(read(file), file);
    }

    /** Returns the defaults for a load: {@code load.properties}. */
    public Map<String, String> loadDefaults() {
        return read(path.resolve("load.properties"));
    }

    /**
     * Returns the defaults for campaigns: {@code campaign.properties}. Keys of a preset begin with its name and a dot.
     */
    public Map<String, String> campaignDefaults() {
        return read(path.resolve("campaign.properties"));
    }

    /**
     * Returns the values of a settings file, as Spring Boot reads them. Throws a UsageException if it cannot be read.
     */
    public static Map<String, String> settingsValues(Path file) {
        return read(file);
    }

    /** A name becomes the name of a file, so it must not lead out of the folder. */
    private static boolean isName(String name) {
        return name.matches("[A-Za-z0-9][A-Za-z0-9._-]*");
    }

    private static List<String> propertiesFiles(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(PROPERTIES))
                    .map(name -> name.substring(0, name.length() - PROPERTIES.length()))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UsageException("cannot list " + folder + " (" + e.getMessage() + ")");
        }
    }

    private static Map<String, String> read(Path file) {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            properties.load(reader);
        } catch (IOException | IllegalArgumentException e) {
            throw new UsageException("cannot read " + file + " (" + e.getMessage() + ")");
        }
        return asMap(properties);
    }

    /** Returns the words of a file, without {@code #} comments. */
    static List<String> words(Path file) {
        return texts(file).stream()
                .flatMap(line -> Arrays.stream(line.split("\\s+")))
                .collect(Collectors.toList());
    }

    /**
     * Returns the lines of a file, without empty ones and {@code #} comments. Throws a UsageException if it cannot be
     * read.
     */
    public static List<String> texts(Path file) {
        try {
            return SafeFiles.text(file, LONGEST)
                    .lines()
                    .map(String::strip)
                    .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                    .toList();
        } catch (IOException e) {
            throw new UsageException("cannot read " + file + " ("
                    + (e instanceof NoSuchFileException ? "there is no such file" : e.getMessage()) + ")");
        }
    }

    /** Returns properties as a map sorted by name. */
    public static Map<String, String> asMap(Properties properties) {
        Map<String, String> map = new TreeMap<>();
        properties.stringPropertyNames().forEach(name -> map.put(name, properties.getProperty(name)));
        return map;
    }
}
