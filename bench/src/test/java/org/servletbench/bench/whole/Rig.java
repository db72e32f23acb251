package org.servletbench.bench.whole;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.servletbench.bench.Mirror;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.record.ServerRun;

/**
 * Runs servlet-bench's commands in separate JVMs, with a mirror of this repository whose servers are warmed up only
 * briefly.
 */
final class Rig implements AutoCloseable {

    static final Path ROOT =
            Path.of(System.getProperty("bench.root")).toAbsolutePath().normalize();

    /** Options of a campaign of one arm and its A/A copy, with two blocks, as short as possible. */
    static final String SMALL = " --arms jetty --users 10 --hold 2s --blocks 2 --limit 0s"
            + " --set measure.rounds=1 --set measure.warmup=500ms --set stop.seed=42";

    /** Timeout of tests that hang. Nothing depends on how fast this machine is. */
    private static final int PATIENCE_MINUTES = 40;

    private final Path root;

    /** @param work folder in which the mirror is made */
    Rig(Path work) throws IOException {
        root = Mirror.of(ROOT, work.resolve("root"));
        set("campaign.properties", Mirror.HASTY);
        Files.writeString(work.resolve("small.options"), Mirror.MODEST_JVM);
    }

    /** Changes defaults in a file of the mirror's profiles. */
    void set(String file, Map<String, String> values) throws IOException {
        Mirror.set(root, file, values);
    }

    /** Returns the option that makes servers small. */
    String small() {
        return " --set measure.jvm-options=" + root.resolveSibling("small.options");
    }

    /** @return the command line of {@code compare} or another command, whose words contain no blanks */
    List<String> command(Path work, String command) {
        List<String> words = new ArrayList<>(Arrays.asList(command.split(" +")));
        words.addAll(1, List.of("--root", root.toString()));
        return Mirror.rig(work, words).command();
    }

    /** @param work folder of its lock */
    Run start(Path work, String log, String command) throws IOException {
        return start(work.resolve(log), command(work, command));
    }

    static Run start(Path log, List<String> command) throws IOException {
        return new Run(
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectInput(Path.of("/dev/null").toFile())
                        .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                        .start(),
                log);
    }

    @Override
    public void close() throws IOException {
        Mirror.unlink(root);
    }

    /**
     * Builds the server of the comparisons {@code frameworks} and {@code framework-ratio}, which is not a module of the
     * usual build, unless its jar is there already: tests in another JVM may be running it.
     *
     * @param work folder of the log
     */
    static synchronized void buildMicronaut(Path work) throws IOException, InterruptedException {
        Path module = ROOT.resolve("target-apps/micronaut");
        Path lock = ROOT.resolve("bench/target/micronaut.lock");
        try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock held = channel.lock()) {
            Path jar = module.resolve("target/app.jar");
            if (!Files.exists(jar) || modified(jar) < newest(module)) {
                start(
                                work.resolve("build.log"),
                                List.of(
                                        Path.of(System.getProperty("maven.home"), "bin", "mvn")
                                                .toString(),
                                        "-B",
                                        "-ntp",
                                        "-Dstyle.color=never",
                                        "-Dspotless.check.skip",
                                        "-Dmaven.repo.local=" + System.getProperty("maven.repo.local"),
                                        "-f",
                                        module.resolve("pom.xml").toString(),
                                        "package"))
                        .ends(0);
            }
        }
    }

    /** Returns when the sources of a module or the build were last changed, ms since 1970. */
    private static long newest(Path module) throws IOException {
        try (Stream<Path> sources = Files.walk(module.resolve("src"))) {
            return Stream.concat(sources, Stream.of(module.resolve("pom.xml"), ROOT.resolve("pom.xml")))
                    .mapToLong(Rig::modified)
                    .max()
                    .orElseThrow();
        }
    }

    private static long modified(Path file) {
        return file.toFile().lastModified();
    }

    interface Condition {
        boolean holds() throws IOException;
    }

    /** A running command, and what it has printed. */
    record Run(Process process, Path log) {

        String said() throws IOException {
            return Files.readString(log);
        }

        void await(Condition condition) throws IOException, InterruptedException {
            while (!condition.holds()) {
                assertThat(process.isAlive()).as(said()).isTrue();
                Thread.sleep(50);
            }
        }

        /** @param codes allowed exit codes; 0 includes campaigns that were measured and are void */
        String ends(Integer... codes) throws IOException, InterruptedException {
            boolean ended = process.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES);
            process.destroyForcibly();
            assertThat(ended).as(said()).isTrue();
            assertThat(Mirror.exitCode(process, said())).as(said()).isIn((Object[]) codes);
            assertThat(said()).doesNotContain("\tat ");
            return said();
        }
    }

    /** True if there is such a file in this folder of a campaign, or below. */
    static boolean isThere(Path folder, String name) throws IOException {
        if (!Files.isDirectory(folder)) {
            return false;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            return files.anyMatch(file -> file.getFileName().toString().equals(name));
        }
    }

    /** Returns the process of a block's server. */
    static ProcessHandle server(Path block, String arm) throws IOException {
        try (Stream<Path> folders = Files.list(block)) {
            Path folder = folders.filter(one -> one.toString().endsWith("-" + arm))
                    .findFirst()
                    .orElseThrow();
            return ProcessHandle.of(Json.MAPPER
                            .readTree(folder.resolve("server.json").toFile())
                            .get("pid")
                            .asLong())
                    .orElseThrow();
        }
    }

    static CampaignFolder sound(Path campaign) throws IOException {
        CampaignFolder read = CampaignFolder.read(campaign);
        assertThat(read.problems()).isEmpty();
        return read;
    }

    /**
     * Returns the measured servers as "block arm", each only once, because a server that other programs disturbed is
     * measured again.
     */
    static List<String> measured(CampaignFolder campaign) {
        return campaign.serverRuns().stream()
                .filter(ServerRun::measured)
                .map(server -> server.block() + " " + server.arm())
                .distinct()
                .toList();
    }
}
