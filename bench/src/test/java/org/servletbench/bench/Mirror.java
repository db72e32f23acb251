package org.servletbench.bench;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A copy of the repository that consists of links, with its own profiles. Tests change a number there, and use the
 * existing build.
 */
public final class Mirror {

    /** JVM options of servers in tests that check what runs, not how fast. */
    public static final String SMALL_JVM = "-Xmx256m -Xss256k\n-XX:+UseSerialGC\n-XX:TieredStopAtLevel=1\n"
            // Verifying common classes takes a sixth of a start.
            + "-XX:+UnlockDiagnosticVMOptions\n-XX:-BytecodeVerificationRemote\n";

    /**
     * JVM options of servers under load. Users who send at full speed would take both processors away from other tests.
     */
    public static final String MODEST_JVM = smallJvm(1000);

    /** JVM options of servlet-bench itself, which does not live long enough for more. */
    public static final String SHORT_LIVED = "-XX:TieredStopAtLevel=1";

    /**
     * Keys of {@code campaign.properties} for servers whose speed does not matter: short warm-up and settling time, and
     * no block is measured again because of other tests that run at the same time.
     */
    public static final Map<String, String> HASTY = Map.of(
            "warmup.burst", "500ms",
            "warmup.pause", "100ms",
            "settling-time", "300ms",
            "generator.warmup.burst", "1s",
            "disturbed.percent", "100",
            "generator.busy.percent", "100");

    private Mirror() {}

    /** Returns {@link #SMALL_JVM} with a maximum number of requests/s. */
    public static String smallJvm(long most) {
        return SMALL_JVM + "-Dproof.rate=" + most + "\n";
    }

    /** @param folder a folder made by this method */
    public static Path of(Path root, Path folder) throws IOException {
        Files.createDirectory(folder);
        try (Stream<Path> rooms = Files.list(root)) {
            for (Path room : rooms.toList()) {
                if (!room.getFileName().toString().equals("profiles")) {
                    Files.createSymbolicLink(folder.resolve(room.getFileName()), room);
                }
            }
        }
        Path profiles = root.resolve("profiles");
        try (Stream<Path> files = Files.walk(profiles)) {
            for (Path file : files.toList()) {
                Files.copy(file, folder.resolve("profiles").resolve(profiles.relativize(file)));
            }
        }
        return folder;
    }

    /**
     * Changes defaults.
     *
     * @param root a mirror or a copy of the repository
     * @param file file of its profiles
     * @param values new values by key; each key is in the file, or is a default of single runs that campaigns may
     *     override
     */
    public static void set(Path root, String file, Map<String, String> values) throws IOException {
        Path path = root.resolve("profiles").resolve(file);
        String text = Files.readString(path);
        for (Map.Entry<String, String> value : values.entrySet()) {
            Pattern key = Pattern.compile("(?m)^" + Pattern.quote(value.getKey()) + "=.*$");
            String now = value.getKey() + "=" + value.getValue();
            Matcher line = key.matcher(text);
            if (line.find()) {
                text = text.substring(0, line.start()) + now + text.substring(line.end());
            } else if (key.matcher(Files.readString(path.resolveSibling("load.properties")))
                    .find()) {
                text += "\n" + now + "\n";
            } else {
                throw new IllegalArgumentException("no " + value.getKey() + " in " + path);
            }
        }
        Files.writeString(path, text);
    }

    /**
     * Starts servlet-bench in a separate JVM.
     *
     * @param work folder of its lock: another campaign may run at the same time as these tests, whose figures do not
     *     matter
     * @param arguments the command and its options
     */
    public static ProcessBuilder rig(Path work, List<String> arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                SHORT_LIVED,
                "-Djava.io.tmpdir=" + work,
                "-Dmaven.home=" + System.getProperty("maven.home"),
                "-Dmaven.repo.local=" + System.getProperty("maven.repo.local"),
                "-cp",
                System.getProperty("java.class.path"),
                "org.servletbench.bench.cli.Main"));
        command.addAll(arguments);
        return new ProcessBuilder(command).redirectErrorStream(true).redirectInput(new File("/dev/null"));
    }

    /**
     * Returns how a campaign ended, whatever its verdict. With two blocks of two seconds each on a busy machine,
     * identical servers may differ by chance.
     *
     * @param said its output
     * @return 0 also if it was measured but is void because its A/A check failed
     */
    public static int exitCode(Process ended, String said) {
        boolean isVoid = ended.exitValue() == 4 && said.contains(": VOID, no verdict of this campaign may be used: ");
        return isVoid ? 0 : ended.exitValue();
    }

    /** Removes the links before the folder is deleted, so that they are not followed. */
    public static void unlink(Path folder) throws IOException {
        try (Stream<Path> rooms = Files.list(folder)) {
            for (Path room : rooms.filter(Files::isSymbolicLink).toList()) {
                Files.delete(room);
            }
        }
    }
}
