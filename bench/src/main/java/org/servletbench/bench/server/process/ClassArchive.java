package org.servletbench.bench.server.process;

import static org.servletbench.bench.model.Text.text;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.servletbench.bench.model.ArchiveKind;
import org.servletbench.bench.model.TargetException;
import org.servletbench.bench.model.WarmUpPlan;
import org.servletbench.bench.model.Workload;
import org.servletbench.bench.server.http.LoadClient;
import org.servletbench.bench.server.http.RowCounters;
import org.servletbench.bench.server.os.ManagedProcess;

/**
 * A class archive with which a server's JVM starts, and the application that it belongs to.
 *
 * @param jar the extracted application, because classes of nested jars are not archived
 * @param file the archive
 * @param number number of its training, from 1
 * @param sha256 SHA-256 of the file, in hexadecimal
 */
public record ClassArchive(ArchiveKind kind, Path jar, Path file, int number, String sha256) {

    private static final String NUMBER = ".number";
    private static final String SHA256 = ".sha256";

    /**
     * Minimum share of classes from the archive. Without it, about 10 to 20 % come from the JDK's own archive; with it,
     * nearly all.
     */
    private static final double LEAST_SHARE = 0.5;

    /**
     * Longest time to write an AOT cache. The JVM of a training starts another JVM for it: 5 to 20 s, longer on a busy
     * machine.
     */
    private static final Duration ASSEMBLY = Duration.ofMinutes(5);

    private static final Duration EXTRACTION = Duration.ofMinutes(1);
    /** Path of Spring Boot's tools in a jar or a war. */
    private static final String TOOLS = "(BOOT|WEB)-INF/lib/spring-boot-jarmode-tools-.*";

    private static final String PROVIDED = "WEB-INF/lib-provided/.*[.]jar";

    /** Returns the options of a JVM that uses the archive, and does not start if it cannot. */
    List<String> options() {
        return List.of(kind.read() + file.toAbsolutePath(), kind.insist());
    }

    /** Returns the archive's facts for a server's record. */
    public Map<String, String> facts() {
        return Map.of(kind.key() + NUMBER, Integer.toString(number), kind.key() + SHA256, sha256);
    }

    /** Returns the number and the SHA-256 of an archive of this kind from a server's record; empty if it has none. */
    public static Optional<Map<String, String>> recorded(ArchiveKind kind, Map<String, String> proven) {
        return Optional.ofNullable(proven.get(kind.key() + SHA256))
                .map(sha256 -> Map.of(proven.getOrDefault(kind.key() + NUMBER, ""), sha256));
    }

    /**
     * Checks that the running server took its classes from the archive.
     *
     * @return the problem; empty if there is none
     */
    public Optional<String> missing(Map<String, String> identity) {
        try {
            double archived = Long.parseLong(identity.getOrDefault("classes.archived", ""));
            double others = Long.parseLong(identity.getOrDefault("classes.others", ""));
            return archived / (archived + others) >= LEAST_SHARE
                    ? Optional.empty()
                    : Optional.of(text(
                            "only %.0f of its %.0f classes come from the %s",
                            archived, archived + others, kind.title()));
        } catch (NumberFormatException e) {
            return Optional.of("it does not say how many classes come from the " + kind.title() + ": "
                    + identity.getOrDefault("classes.error", "no counters"));
        }
    }

    /**
     * Extracts a Spring Boot application into a folder.
     *
     * @param folder folder, which is created
     * @return the application's jar in it
     * @throws TargetException if the application has no {@code jarmode=tools}, or the extraction fails
     */
    public static Path extract(Jdk jdk, Path jar, Path folder) {
        lacksTools(jar).ifPresent(why -> {
            throw TargetException.refusal(TargetException.Refusal.START, why);
        });
        List<String> command = List.of(
                Jdk.command(jdk.home()),
                "-Djarmode=tools",
                "-jar",
                jar.toAbsolutePath().toString(),
                "extract",
                "--destination",
                folder.toAbsolutePath().toString());
        try {
            ProcessBuilder builder = new ProcessBuilder(command);
            ServerProcess.clean(builder);
            ManagedProcess.Ended tools = ManagedProcess.run(builder, EXTRACTION);
            Path extracted = folder.resolve(jar.getFileName());
            if (tools.exitCode() != 0 || !Files.isRegularFile(extracted)) {
                throw new TargetException("cannot extract " + jar + " for an archive of its classes; its tools said: "
                        + tools.output().strip().replaceAll("\\s+", " "));
            }
            return extracted;
        } catch (IOException e) {
            throw new TargetException(
                    "cannot extract " + jar + " for an archive of its classes (" + e.getMessage() + ")");
        } catch (InterruptedException e) {
            throw TargetException.interrupted("extracting an application");
        }
    }

    /** Returns why an application cannot be extracted for a class archive; empty if it can. */
    public static Optional<String> lacksTools(Path jar) {
        try (JarFile file = new JarFile(jar.toFile())) {
            List<String> names = file.stream().map(JarEntry::getName).toList();
            if (names.stream().anyMatch(name -> name.matches(PROVIDED))) {
                return Optional.of(
                        jar + " is a war with libraries in WEB-INF/lib-provided, which Spring Boot's tools cannot"
                                + " extract for an archive of its classes: build it as a jar, or leave out archive");
            }
            return names.stream().anyMatch(name -> name.matches(TOOLS))
                    ? Optional.empty()
                    : Optional.of(
                            jar + " has no jarmode 'tools', which extracts it for an archive of its classes: build"
                                    + " it with Spring Boot 3.3 or newer, or leave out archive");
        } catch (IOException e) {
            return Optional.of("cannot read " + jar + " (" + e.getMessage() + ")");
        }
    }

    /**
     * Runs a server under load and makes its JVM write an archive when it ends. No agent is loaded, so that the archive
     * contains only the application.
     *
     * @param spec the extracted application, with the JVM options of the servers that will use the archive
     * @param length duration of the load, including pauses
     * @param records receives the training's folder
     * @param archive file to be written
     * @throws TargetException if the server fails, or writes no archive
     */
    public static void train(
            ArchiveKind kind,
            TargetSpec spec,
            List<Workload> workloads,
            WarmUpPlan plan,
            Duration length,
            Path records,
            Path archive) {
        Path part = archive.resolveSibling(archive.getFileName() + ".part");
        TargetSpec training = spec.with(spec.jvmOptions().followedBy(List.of(kind.write() + part.toAbsolutePath())));
        Preflight.check(training);
        Path folder = RunFolder.create(records, archive.getFileName() + "-training");
        try {
            Files.deleteIfExists(part);
            ServerProcess server = ServerProcess.start(training, folder);
            try {
                load(server, workloads, plan, length);
            } finally {
                server.stop(ASSEMBLY);
            }
            if (!Files.isRegularFile(part) || Files.size(part) == 0) {
                throw new TargetException("a training wrote no " + kind.title() + "; the last lines of "
                        + folder.resolve("server.log") + ":\n" + server.lastLines());
            }
            Files.move(part, archive);
        } catch (IOException e) {
            throw new TargetException("a training for a server's " + kind.title() + " failed: " + e.getMessage());
        }
    }

    private static void load(ServerProcess server, List<Workload> workloads, WarmUpPlan plan, Duration length)
            throws IOException {
        LoadClient client = new LoadClient(server.url(), workloads, plan.users(), new RowCounters());
        long end = System.nanoTime() + length.toNanos();
        while (System.nanoTime() < end) {
            client.burst(plan.burst());
            TargetException.sleep(plan.pause(), "training a server");
        }
    }
}
