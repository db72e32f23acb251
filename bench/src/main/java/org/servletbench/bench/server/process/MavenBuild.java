package org.servletbench.bench.server.process;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.server.os.ManagedProcess;

/** Runs Maven as the user runs it: with the same repository, settings and offline mode. */
public final class MavenBuild {

    private static final int LAST_LINES = 8;

    /** Properties of the user's Maven that configure access to repositories. */
    private static final Pattern ROUTE =
            Pattern.compile("https?\\.(proxy|nonProxy).*|socksProxy.*|javax\\.net\\.ssl\\..*"
                    + "|java\\.net\\.useSystemProxies|(maven\\.wagon|maven\\.resolver|aether|settings\\.security).*");

    /** A profile from the settings, in Maven's list of active profiles from outside the POM. */
    private static final Pattern OF_SETTINGS = Pattern.compile("\\{id: ([^,{}]+), source: settings\\.xml}");

    private MavenBuild() {}

    /** True if this is a clone with sources. The unzipped distribution has nothing to build. */
    public static boolean hasSources(Path root) {
        return Files.isRegularFile(root.resolve("pom.xml"));
    }

    /**
     * Runs Maven and waits until it ends.
     *
     * @param pom POM of the build
     * @throws TargetException if the build fails, with the lines that say why; or if Maven cannot be run
     */
    public static void run(Path pom, List<String> arguments) {
        if (!Files.isRegularFile(pom)) {
            throw new TargetException(
                    "this needs a clone of servlet-bench, and Maven: the unzipped folder has nothing to build ("
                            + String.join(" ", arguments) + "); arms with an 'app', a finished jar, need neither");
        }
        List<String> command = new ArrayList<>(List.of(executable(), "-B", "-ntp", "-q", "-Dstyle.color=never"));
        command.addAll(ofUser(System.getProperties()));
        try {
            // Builds write absolute paths. If the repository is reached through links, the real paths must be used.
            command.addAll(List.of("-f", pom.toRealPath().toString()));
            command.addAll(arguments);
            Process process = ManagedProcess.start(
                    new ProcessBuilder(command)
                            .directory(pom.toAbsolutePath().getParent().toFile())
                            .redirectErrorStream(true),
                    ManagedProcess.Farewell.KILL);
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                List<String> lines = output.lines()
                        // Maven's general advice comes last and is always the same.
                        .filter(line -> line.contains("[ERROR] ")
                                && !line.matches(".*\\[ERROR\\] (To see|Re-run|For more|After|\\[Help|  mvn).*"))
                        .toList();
                String shown =
                        String.join(" ", command.subList(1, command.size())).replaceAll("([Pp]assword=)\\S*", "$1…");
                throw new TargetException("the build failed: " + shown + ":\n    "
                        + String.join("\n    ", lines.subList(0, Math.min(LAST_LINES, lines.size()))));
            }
        } catch (IOException e) {
            throw new TargetException("Maven could not be run (" + e.getMessage()
                    + "): put mvn on the PATH; only arms that are finished jars need none");
        } catch (InterruptedException e) {
            throw TargetException.interrupted("running Maven");
        }
    }

    /**
     * Returns the options of the user's Maven that this one needs as well: repository, settings and their profiles,
     * proxies, and offline mode.
     *
     * @param given system properties, to which simulations/pom.xml adds those that only Maven knows
     */
    static List<String> ofUser(Properties given) {
        List<String> options = new ArrayList<>();
        String repository = given.getProperty("maven.repo.local");
        if (repository != null) {
            options.add("-Dmaven.repo.local=" + repository);
        }
        for (String option : List.of("-s", "-gs")) {
            String file = value(given, "maven.settings" + option);
            // Maven reports its default files even if they do not exist, but rejects a missing file as an option.
            if (Files.isRegularFile(Path.of(file))) {
                options.addAll(List.of(option, file));
            }
        }
        List<String> active = names(value(given, "maven.profiles.active"));
        List<String> inactive = names(value(given, "maven.profiles.inactive"));
        String profiles = OF_SETTINGS
                .matcher(value(given, "maven.profiles"))
                .results()
                .map(profile -> profile.group(1))
                .filter(id -> active.contains(id) || inactive.contains(id))
                .map(id -> inactive.contains(id) ? "!" + id : id)
                .collect(Collectors.joining(","));
        if (!profiles.isEmpty()) {
            options.add("-P" + profiles);
        }
        given.stringPropertyNames().stream()
                .filter(name -> ROUTE.matcher(name).matches())
                .sorted()
                .forEach(name -> options.add("-D" + name + "=" + given.getProperty(name)));
        if (value(given, "maven.offline").equals("true")) {
            options.add("-o");
        }
        return options;
    }

    /**
     * Returns a value from the POM. There it has a text before it, because alone it could be parsed as a file, list or
     * boolean instead of a text.
     */
    private static String value(Properties given, String name) {
        return given.getProperty(name, "").replaceFirst("^is ", "");
    }

    private static List<String> names(String list) {
        return List.of(list.replaceAll("[\\[\\]]", "").split(", "));
    }

    /** True if Maven can be run: the one that runs us, or one on the path. */
    public static boolean isThere() {
        return System.getProperty("maven.home") != null || isThere(System.getenv("PATH"));
    }

    /** @param path folders with programs */
    static boolean isThere(String path) {
        return path != null
                && Stream.of(path.split(File.pathSeparator))
                        .filter(folder -> !folder.isEmpty())
                        .anyMatch(folder -> Files.isExecutable(Path.of(folder, "mvn")));
    }

    private static String executable() {
        String home = System.getProperty("maven.home");
        return home == null ? "mvn" : Path.of(home, "bin", "mvn").toString();
    }
}
