package org.servletbench.bench.whole;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.servletbench.bench.Leftovers;
import org.servletbench.bench.Mirror;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.record.CellResult;
import org.servletbench.bench.record.Invocation;

/**
 * What goes wrong around a campaign, done for real: after each fault what was measured is there, the message names the cause,
 * the exit code is not zero, and no process is left.
 */
@Execution(ExecutionMode.CONCURRENT)
class FaultsIT {

    private static final Path ROOT =
            Path.of(System.getProperty("bench.root")).toAbsolutePath().normalize();

    @TempDir
    static Path work;

    /** Of each test: two campaigns run at the same time, and hold one lock each. */
    @TempDir
    Path own;

    private static Path root;

    /** The repository, but that a server's start may take no longer than some seconds. */
    private static Path impatient;

    @BeforeAll
    static void makeRoots() throws IOException {
        root = Mirror.of(ROOT, work.resolve("root"));
        Mirror.set(root, "campaign.properties", Mirror.HASTY);
        impatient = Mirror.of(ROOT, work.resolve("impatient"));
        Mirror.set(impatient, "load.properties", Map.of("target.start-timeout", "5s"));
    }

    @AfterAll
    static void unlink() throws IOException {
        Mirror.unlink(root);
        Mirror.unlink(impatient);
    }

    @AfterEach
    void noProcessIsLeft() throws IOException, InterruptedException {
        Leftovers.awaitNone(own);
    }

    /** A campaign of one arm and its copy, with options of the servers' JVMs. */
    private List<String> compare(Path campaign, String jvmOptions) throws IOException {
        return compare(root, campaign, jvmOptions);
    }

    private List<String> compare(Path root, Path campaign, String jvmOptions) throws IOException {
        Path options = own.resolve(campaign.getFileName() + ".options");
        Files.writeString(options, Mirror.MODEST_JVM + jvmOptions);
        List<String> command = rig(root);
        command.addAll(List.of(
                "--arms",
                "jetty",
                "--generators",
                "wrk",
                "--tiers",
                "10",
                "--hold",
                "2s",
                "--set",
                "measure.rounds=1",
                "--set",
                "measure.warmup=500ms",
                "--blocks",
                "2",
                "--limit",
                "0s",
                "--set",
                "stop.seed=7"));
        command.addAll(List.of("--set", "measure.jvm-options=" + options.toString(), "--out", campaign.toString()));
        return command;
    }

    private List<String> rig(Path root) {
        return new ArrayList<>(
                Mirror.rig(own, List.of("compare", "--root", root.toString())).command());
    }

    private static Process start(Path log, List<String> command) throws IOException {
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectInput(new File("/dev/null"))
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
    }

    private static String text(Path file) throws IOException {
        return Files.readString(file, StandardCharsets.UTF_8);
    }

    private static void assertEnds(Process process, Path log, int code) throws IOException, InterruptedException {
        boolean ended = process.waitFor(4, TimeUnit.MINUTES);
        process.destroyForcibly();
        assertThat(ended).as(text(log)).isTrue();
        assertThat(Mirror.exitCode(process, text(log))).as(text(log)).isEqualTo(code);
        assertThat(text(log)).doesNotContain("\tat ");
    }

    private interface Condition {
        boolean holds() throws IOException;
    }

    private static void await(Process process, Path log, Condition condition) throws IOException, InterruptedException {
        for (int i = 0; i < 2400 && !condition.holds(); i++) {
            assertThat(process.isAlive()).as(text(log)).isTrue();
            Thread.sleep(50);
        }
        assertThat(condition.holds()).as(text(log)).isTrue();
    }

    private static boolean isThere(Path campaign, String start, String end) throws IOException {
        if (!Files.isDirectory(campaign.resolve(start))) {
            return false;
        }
        try (Stream<Path> files = Files.walk(campaign.resolve(start))) {
            return files.anyMatch(file -> file.getFileName().toString().equals(end));
        }
    }

    /** How many servers of a block have been ready. */
    private static int ready(Path block) throws IOException {
        if (!Files.isDirectory(block)) {
            return 0;
        }
        int ready = 0;
        try (Stream<Path> folders = Files.list(block)) {
            for (Path folder : folders.toList()) {
                Path server = folder.resolve("server.json");
                ready += Files.exists(server) && text(server).contains("\"ready.ms\"") ? 1 : 0;
            }
        }
        return ready;
    }

    /** Servers that were measured, each block once: one that other programs disturbed as well is measured again. */
    private static long measured(Path campaign) throws IOException {
        CampaignFolder read = CampaignFolder.read(campaign);
        assertThat(read.problems()).isEmpty();
        return read.invocations().stream()
                .filter(Invocation::measured)
                .map(server -> server.arm() + " " + server.block())
                .distinct()
                .count();
    }

    /** A JVM that waits for a debugger is alive and never answers. */
    @Test
    void aServerThatHangsAtItsStart() throws Exception {
        Path campaign = own.resolve("hangs");
        Path log = own.resolve("hangs.log");
        String waits = "-agentlib:jdwp=transport=dt_socket,server=y,suspend=y,address=127.0.0.1:0\n";
        Process running = start(log, compare(impatient, campaign, waits));

        assertEnds(running, log, 1);

        assertThat(text(log))
                .contains("compare: failed twice in block 1: ")
                .contains("the server was not ready after 5 s");
        assertThat(CampaignFolder.read(campaign).invocations())
                .hasSize(4)
                .noneMatch(Invocation::measured)
                .anySatisfy(one -> assertThat(one.outcome()).contains("after 5 s"));
    }

    @Test
    void aServerThatFailsRequests() throws Exception {
        assertLeftOut("fails", "-Dproof.fail.every=10\n");
    }

    @Test
    void aServerThatCutsOffItsAnswers() throws Exception {
        assertLeftOut("cuts", "-Dproof.truncate.every=10\n");
    }

    private void assertLeftOut(String name, String option) throws Exception {
        Path campaign = own.resolve(name);
        Path log = own.resolve(name + ".log");

        assertEnds(start(log, compare(campaign, option)), log, 1);

        assertThat(text(log))
                .contains("compare: no cell can take part in a verdict: ")
                .contains("because of 'errors': ");
        assertThat(measured(campaign)).isEqualTo(4);
        assertThat(CampaignFolder.read(campaign).invocations()).allSatisfy(one -> {
            CellResult cell = one.cells().get(0);
            assertThat(cell.isUsable()).isFalse();
            double share = (double) cell.errors() / cell.requests();
            assertThat(share).isBetween(0.08, 0.13);
        });
        assertThat(text(campaign.resolve("index.html"))).contains("errors");
    }

    @Test
    void aGeneratorThatIsKilled() throws Exception {
        Path campaign = own.resolve("generator");
        Path log = own.resolve("generator.log");
        Process running = start(log, compare(campaign, ""));
        ProcessHandle[] wrk = new ProcessHandle[1];
        await(running, log, () -> {
            wrk[0] = running.descendants()
                    .filter(one -> one.info().commandLine().orElse("").matches(".*/wrk .*-d2s.*"))
                    .findFirst()
                    .orElse(null);
            return wrk[0] != null;
        });
        wrk[0].destroyForcibly();

        assertEnds(running, log, 0);

        assertThat(text(log)).contains("tried again: ").contains("wrk");
        assertThat(measured(campaign)).isEqualTo(4);
        assertThat(CampaignFolder.read(campaign).invocations()).hasSize(6);
    }

    /** A file system of its own, small, that is full from the second block on; then there is room again. */
    @Test
    void aDiskThatIsFull() throws Exception {
        Path disk = Files.createDirectory(own.resolve("disk"));
        Path log = own.resolve("disk.log");
        Path campaign = disk.resolve("campaign");
        List<String> command = onDiskOfItsOwn("rw", disk, compare(campaign, ""));
        Process shell = start(log, command);
        try {
            Path seen = Path.of("/proc", Long.toString(shell.pid()), "root");
            Path inside = seen.resolve(campaign.toString().substring(1));
            // One that is not ready would be waited for: on a full disk it does not get ready.
            await(shell, log, () -> ready(inside.resolve("blocks/2")) == 2);
            fill(inside.resolveSibling("filler"));
            await(shell, log, () -> Files.exists(code(disk)));

            assertThat(text(code(disk)).strip()).as(text(log)).isEqualTo("1");
            assertThat(text(log)).contains("No space left on device").doesNotContain("\tat ");
            assertThat(measured(inside)).isEqualTo(2);

            Files.delete(inside.resolveSibling("filler"));
            List<String> resume = new ArrayList<>(List.of(
                    "nsenter", "--user", "--mount", "--preserve-credentials", "--target", Long.toString(shell.pid())));
            resume.addAll(rig(root));
            resume.addAll(List.of("--resume", campaign.toString()));
            assertEnds(start(log, resume), log, 0);
            assertThat(measured(inside)).isEqualTo(4);
        } finally {
            shell.descendants().forEach(ProcessHandle::destroyForcibly);
            shell.destroyForcibly().waitFor();
        }
    }

    private static void fill(Path filler) throws IOException {
        try (var out = Files.newOutputStream(filler)) {
            byte[] block = new byte[4096];
            while (true) {
                out.write(block);
            }
        } catch (IOException full) {
            assertThat(full).hasMessageContaining("No space left on device");
        }
    }

    @Test
    void resultsThatAreReadOnly() throws Exception {
        Path disk = Files.createDirectory(own.resolve("read-only"));
        Path log = own.resolve("read-only.log");
        Process shell = start(log, onDiskOfItsOwn("ro", disk, compare(disk.resolve("campaign"), "")));
        try {
            await(shell, log, () -> Files.exists(code(disk)));
            assertThat(text(code(disk)).strip()).as(text(log)).isEqualTo("1");
            assertThat(text(log))
                    .contains("compare: cannot make the folder " + disk.resolve("campaign"))
                    .contains("Read-only file system")
                    .doesNotContain("\tat ");
        } finally {
            shell.descendants().forEach(ProcessHandle::destroyForcibly);
            shell.destroyForcibly().waitFor();
        }
    }

    private static Path code(Path disk) {
        return disk.resolveSibling(disk.getFileName() + ".code");
    }

    /** In a mount namespace of its own: nobody else sees the small file system, and it goes with its last process. */
    private static List<String> onDiskOfItsOwn(String mode, Path disk, List<String> rig) {
        List<String> command = new ArrayList<>(List.of(
                "unshare",
                "--user",
                "--map-root-user",
                "--mount",
                "sh",
                "-c",
                "mount -t tmpfs -o size=16m,$1 tmpfs \"$2\"; code=$3; shift 3; \"$@\"; echo $? > \"$code\"; exec sleep 600",
                "sh",
                mode,
                disk.toString(),
                code(disk).toString()));
        command.addAll(rig);
        return command;
    }
}
