package org.servletbench.bench.server;

import static org.servletbench.bench.model.Text.text;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.jar.JarFile;
import org.servletbench.bench.model.JvmOptions;
import org.servletbench.bench.model.WarmUpPlan;
import org.servletbench.bench.model.Workload;

/**
 * A trained AOT cache with method profiles (JEP 483, 514, 515), and the application that it belongs to.
 *
 * @param jar the extracted application: classes of nested jars are not archived
 * @param file the cache
 * @param number of its training, from 1
 * @param sha256 of the file, in hexadecimal
 */
public record AotCache(Path jar, Path file, int number, String sha256) {

    /** The first release whose caches hold method profiles. */
    public static final int OLDEST_JDK = 25;

    /** Without the cache, of a Spring Boot application some 10 to 20 % come from the JDK's own archive; with it nearly all. */
    private static final double LEAST_SHARE = 0.5;

    /** A JVM that ends a training starts another one, which writes the cache: some 5 to 20 s, longer on a busy machine. */
    private static final Duration ASSEMBLY = Duration.ofMinutes(5);

    private static final Duration EXTRACTION = Duration.ofMinutes(1);
    private static final String TOOLS = "BOOT-INF/lib/spring-boot-jarmode-tools-";

    /** Options of a JVM that uses it, and does not start if it cannot. */
    List<String> options() {
        return List.of("-XX:AOTCache=" + file.toAbsolutePath(), "-XX:AOTMode=on");
    }

    /** What a server's record says of it. */
    Map<String, String> facts() {
        return Map.of("aot.cache.number", Integer.toString(number), "aot.cache.sha256", sha256);
    }

    /**
     * Whether the running server took its classes from an archive.
     *
     * @return what is wrong; empty if nothing
     */
    static Optional<String> missing(Map<String, String> identity) {
        try {
            double archived = Long.parseLong(identity.getOrDefault("aot.classes.archived", ""));
            double others = Long.parseLong(identity.getOrDefault("aot.classes.others", ""));
            return archived / (archived + others) >= LEAST_SHARE
                    ? Optional.empty()
                    : Optional.of(
                            text("only %.0f of its %.0f classes come from the AOT cache", archived, archived + others));
        } catch (NumberFormatException e) {
            return Optional.of("it does not say how many classes come from the AOT cache: "
                    + identity.getOrDefault("aot.error", "no counters"));
        }
    }

    /**
     * Extracts a Spring Boot application into a folder.
     *
     * @param folder is made
     * @return the application's jar in it
     * @throws TargetException if the application has no {@code jarmode=tools}, or the extraction fails
     */
    public static Path extract(Jdk jdk, Path jar, Path folder) {
        requireTools(jar);
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
                throw new TargetException("cannot extract " + jar + " for an AOT cache; its tools said: "
                        + tools.output().strip().replaceAll("\\s+", " "));
            }
            return extracted;
        } catch (IOException e) {
            throw new TargetException("cannot extract " + jar + " for an AOT cache (" + e.getMessage() + ")");
        } catch (InterruptedException e) {
            throw TargetException.interrupted("an application was extracted");
        }
    }

    private static void requireTools(Path jar) {
        try (JarFile file = new JarFile(jar.toFile())) {
            if (file.stream().noneMatch(entry -> entry.getName().startsWith(TOOLS))) {
                throw TargetException.refusal(
                        TargetException.Refusal.START,
                        jar + " has no jarmode 'tools', which extracts it for an AOT cache: build"
                                + " it with Spring Boot 3.3 or newer, or leave out --warm-start");
            }
        } catch (IOException e) {
            throw new TargetException("cannot read " + jar + " (" + e.getMessage() + ")");
        }
    }

    /**
     * Runs a server under load and has its JVM write a cache when it ends. No agent is loaded: the cache is the
     * application's alone.
     *
     * @param spec the extracted application, with the JVM options of the servers that will use the cache
     * @param length how long it is loaded, pauses included
     * @param records gets the training's folder
     * @param cache the file that is made
     * @throws TargetException if the server fails, or writes no cache
     */
    public static void train(
            TargetSpec spec, List<Workload> workloads, WarmUpPlan plan, Duration length, Path records, Path cache) {
        Path part = cache.resolveSibling(cache.getFileName() + ".part");
        List<String> options = new ArrayList<>(spec.jvmOptions().values());
        options.add("-XX:AOTCacheOutput=" + part.toAbsolutePath());
        TargetSpec training =
                spec.with(new JvmOptions(List.copyOf(options), spec.jvmOptions().source()));
        Preflight.check(training);
        Path folder = RunFolder.create(records, cache.getFileName() + "-training");
        try {
            Files.deleteIfExists(part);
            ServerProcess server = ServerProcess.start(training, folder);
            try {
                load(server, workloads, plan, length);
            } finally {
                server.stop(ASSEMBLY);
            }
            if (!Files.isRegularFile(part) || Files.size(part) == 0) {
                throw new TargetException("a training wrote no AOT cache; the last lines of "
                        + folder.resolve("server.log") + ":\n" + server.lastLines());
            }
            Files.move(part, cache);
        } catch (IOException e) {
            throw new TargetException("a training for an AOT cache failed: " + e.getMessage());
        }
    }

    private static void load(ServerProcess server, List<Workload> workloads, WarmUpPlan plan, Duration length)
            throws IOException {
        LoadClient client = new LoadClient(server.url(), workloads, plan.users());
        long end = System.nanoTime() + length.toNanos();
        while (System.nanoTime() < end) {
            client.burst(plan.burst());
            TargetException.sleep(plan.pause(), "an AOT cache was trained");
        }
    }
}
