package org.servletbench.bench.server.process;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.server.os.ManagedProcess;
import org.servletbench.bench.server.proof.ConnectorProof;

/**
 * The JDK on which servers run, as its {@code java} describes itself. A running server must report the same values:
 * {@link ConnectorProof}.
 *
 * @param home its folder, as it reports it ({@code java.home})
 * @param version {@code java.version}, such as {@code 25.0.3}
 * @param runtimeVersion {@code java.runtime.version}, such as {@code 25.0.3+9-LTS}
 * @param vendor {@code java.vm.vendor}
 * @param vm {@code java.vm.name}
 */
public record Jdk(Path home, String version, String runtimeVersion, String vendor, String vm) implements Serializable {

    /** Oldest JDK on which all comparable Spring Boot versions run. */
    public static final int OLDEST = 17;
    /** Newest JDK with which servlet-bench was tested. */
    public static final int NEWEST = 25;

    private static final String OPTION = "jdk";
    /** Maximum number of bytes read from the file {@code release}. */
    private static final int MOST_RELEASE = 1 << 16;

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Pattern PROPERTY = Pattern.compile("\\s+(java\\.[a-z.]+) = (.*)");
    /** Last line of a HotSpot that rejected its options. The line before it gives the reason. */
    private static final String NO_MACHINE = "Error: Could not create the Java Virtual Machine.";
    /** Line of a HotSpot whose options are valid one by one but not together. The line after it gives the reason. */
    private static final String NO_START = "Error occurred during initialization of VM";

    private static final Pattern IGNORED = Pattern.compile(".* VM warning: Ignoring option .*");

    /** Returns the home of this process's JDK. */
    public static Path ownHome() {
        return Path.of(System.getProperty("java.home"));
    }

    /** Returns the path of a JDK's {@code java}. */
    public static String command(Path home) {
        return home.resolve("bin").resolve("java").toString();
    }

    /** Returns the path of {@code java} in this process's JDK. */
    public static String ownCommand() {
        return command(ownHome());
    }

    /** Returns the JDK on which this process runs. */
    public static Jdk own() {
        return new Jdk(
                Jdk.ownHome(),
                System.getProperty("java.version"),
                System.getProperty("java.runtime.version"),
                System.getProperty("java.vm.vendor"),
                System.getProperty("java.vm.name"));
    }

    /**
     * Returns the JDK with this home, or this process's own.
     *
     * @param homes one home, or none
     * @throws UsageException if there is no JDK, it does not run, is older than 17, or there are several homes
     */
    public static Jdk of(List<String> homes) {
        if (homes.size() > 1) {
            throw new UsageException("several JDKs (" + String.join(",", homes) + "): one is needed here");
        }
        return all(homes).get(0);
    }

    /**
     * Returns the JDKs with these homes, in order; without homes, this process's own.
     *
     * @throws UsageException as {@link #of}
     */
    public static List<Jdk> all(List<String> homes) {
        return homes.isEmpty() ? List.of(own()) : homes.stream().map(Jdk::at).toList();
    }

    /** Returns the JDKs with these homes, as files in their homes describe them, without starting them. */
    public static List<Jdk> reportedOf(List<String> homes) {
        return homes.isEmpty()
                ? List.of(own())
                : homes.stream().map(home -> reportedOf(home)).toList();
    }

    private static Jdk reportedOf(String home) {
        if (Path.of(home).equals(ownHome())) {
            return own();
        }
        requireJava(home);
        Properties release = new Properties();
        try (InputStream in = Files.newInputStream(Path.of(home, "release"))) {
            release.load(new ByteArrayInputStream(in.readNBytes(MOST_RELEASE)));
        } catch (IOException | IllegalArgumentException e) {
            // The values remain unknown until it runs.
        }
        String version = release.getProperty("JAVA_VERSION", "").replace("\"", "");
        if (feature(version).orElse(OLDEST) < OLDEST) {
            throw tooOld(home, version);
        }
        return new Jdk(
                Path.of(home),
                version.isEmpty() ? own().version : version,
                release.getProperty("JAVA_RUNTIME_VERSION", version).replace("\"", ""),
                release.getProperty("IMPLEMENTOR", "").replace("\"", ""),
                "");
    }

    private static void requireJava(String home) {
        if (!Files.isDirectory(Path.of(home))) {
            throw unusable(home, "there is no such folder");
        }
        if (!Files.isExecutable(Path.of(command(Path.of(home))))) {
            throw unusable(home, "it has no bin/java; give the home of a JDK " + OLDEST + " or newer");
        }
    }

    private static UsageException tooOld(String home, String version) {
        return unusable(home, "it is Java " + version + ", and the applications need " + OLDEST + " or newer");
    }

    /** Returns the JDK with this home. */
    public static Jdk at(String home) {
        Path java = Path.of(Jdk.command(Path.of(home)));
        requireJava(home);
        Map<String, String> said = properties(home, java);
        Jdk jdk = new Jdk(
                Path.of(said.getOrDefault("java.home", home)),
                said.getOrDefault("java.version", ""),
                said.getOrDefault("java.runtime.version", ""),
                said.getOrDefault("java.vm.vendor", ""),
                said.getOrDefault("java.vm.name", ""));
        int feature = feature(jdk.version).orElseThrow(() -> unusable(home, "bin/java does not report its version"));
        if (feature < OLDEST) {
            throw tooOld(home, jdk.version);
        }
        return jdk;
    }

    /** Returns the feature release: 25 for {@code 25.0.3}. */
    public int feature() {
        return feature(version).orElse(0);
    }

    /**
     * Returns the feature release of a version: 17 for {@code 17.0.12}, 8 for {@code 1.8.0_402}; empty if it is not a
     * version.
     */
    public static Optional<Integer> feature(String version) {
        try {
            return Optional.of(Runtime.Version.parse(version).feature());
        } catch (IllegalArgumentException e) {
            // Versions before Java 9 start with 1.
            return version.startsWith("1.") ? Optional.of(8) : Optional.empty();
        }
    }

    private static UsageException unusable(String home, String why) {
        return new UsageException("the JDK " + home + " cannot be used: " + why);
    }

    private static Map<String, String> properties(String home, Path java) {
        ProcessBuilder builder = new ProcessBuilder(java.toString(), "-XshowSettings:properties", "-version");
        ServerProcess.clean(builder);
        try {
            ManagedProcess.Ended ended = ManagedProcess.run(builder, PATIENCE);
            if (ended.late()) {
                throw unusable(home, "bin/java printed nothing for " + PATIENCE.toSeconds() + " s");
            }
            if (ended.exitCode() != 0) {
                throw unusable(
                        home, "bin/java ended with exit code " + ended.exitCode() + ": " + firstLine(ended.output()));
            }
            Map<String, String> said = new TreeMap<>();
            ended.output()
                    .lines()
                    .map(PROPERTY::matcher)
                    .filter(Matcher::matches)
                    .forEach(line -> said.putIfAbsent(line.group(1), line.group(2)));
            return said;
        } catch (IOException e) {
            throw unusable(home, "bin/java does not run (" + e.getMessage() + ")");
        } catch (InterruptedException e) {
            throw TargetException.interrupted("checking a JDK");
        }
    }

    private static String firstLine(String text) {
        return text.lines().filter(line -> !line.isBlank()).findFirst().orElse("it printed nothing");
    }

    /** Returns the message of a JVM that rejected an option; empty if it started, or ended for another reason. */
    static Optional<String> rejectedOption(List<String> logLines) {
        int why = logLines.contains(NO_MACHINE)
                ? logLines.indexOf(NO_MACHINE) - 1
                : logLines.contains(NO_START) ? logLines.indexOf(NO_START) + 1 : -1;
        return why >= 0 && why < logLines.size() ? Optional.of(logLines.get(why)) : Optional.empty();
    }

    /**
     * Returns the warning of a JVM that started but ignored an option it no longer has; empty if it accepted all
     * options.
     */
    public static Optional<String> ignoredOption(List<String> logLines) {
        return logLines.stream().filter(line -> IGNORED.matcher(line).matches()).findFirst();
    }

    /** Returns one line for people: {@code JDK 25.0.3 (/opt/jdk-25)}. */
    public String describe() {
        return "JDK " + version + " (" + home + ")";
    }

    /** Returns a text that includes the vendor, because two vendors' builds of one version are two JDKs. */
    private String identityText() {
        return vm + " " + runtimeVersion + " (" + vendor + ")";
    }

    /**
     * Returns this JDK's entries for a campaign's versions: {@code jdk} is that of the servers, {@code jdk.rig} that of
     * servlet-bench if it is different.
     */
    public Map<String, String> versions() {
        Map<String, String> versions = new TreeMap<>();
        versions.put("jdk", identityText());
        versions.put("jdk.home", home.toString());
        if (!equals(own())) {
            versions.put("jdk.rig", own().identityText());
        }
        return versions;
    }

    /** Returns the entries of several JDKs: {@code jdk} for the first one, {@code jdk@HOME} for any other. */
    public static Map<String, String> versions(List<Jdk> all) {
        Map<String, String> versions = new TreeMap<>(all.get(0).versions());
        all.stream().skip(1).forEach(jdk -> versions.put(OPTION + "@" + jdk.home, jdk.identityText()));
        return versions;
    }

    /** Returns the values that a server on this JDK must report, by the agent's keys. */
    public Map<String, String> identity() {
        return Map.of("jvm.version", version, "jvm.vendor", vendor, "jvm.name", vm, "jvm.home", home.toString());
    }
}
