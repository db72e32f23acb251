package org.servletbench.bench.server;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Maven, run by the rig as the user runs it: with the same repository, settings and way of working offline. */
public final class MavenBuild {

    private static final int LAST_LINES = 8;

    private MavenBuild() {}

    /** Whether the user's own Maven works offline ({@code -o}). */
    public static boolean isOffline() {
        return System.getProperty("maven.offline", "").endsWith("true");
    }

    /**
     * Runs it and waits for its end.
     *
     * @param pom what is built
     * @throws TargetException if the build fails, with the lines that say why; or Maven cannot be run
     */
    public static void run(Path pom, List<String> arguments) {
        List<String> command = new ArrayList<>(List.of(executable(), "-B", "-ntp", "-q", "-Dstyle.color=never"));
        Optional.ofNullable(System.getProperty("maven.repo.local"))
                .ifPresent(repository -> command.add("-Dmaven.repo.local=" + repository));
        if (isOffline()) {
            command.add("-o");
        }
        try {
            // A build writes absolute paths: where the repository is reached by links, those of the real one.
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
                        // What to do about Maven itself comes last, and is the same each time.
                        .filter(line -> line.contains("[ERROR] ")
                                && !line.matches(".*\\[ERROR\\] (To see|Re-run|For more|After|\\[Help|  mvn).*"))
                        .toList();
                throw new TargetException("the build failed: " + String.join(" ", command.subList(1, command.size()))
                        + ":\n    "
                        + String.join("\n    ", lines.subList(0, Math.min(LAST_LINES, lines.size()))));
            }
        } catch (IOException e) {
            throw new TargetException("Maven could not be run (" + e.getMessage() + "): put mvn on the PATH");
        } catch (InterruptedException e) {
            throw TargetException.interrupted("Maven was running");
        }
    }

    private static String executable() {
        String home = System.getProperty("maven.home");
        return home == null ? "mvn" : Path.of(home, "bin", "mvn").toString();
    }
}
