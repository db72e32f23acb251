package org.servletbench.bench.whole;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.servletbench.bench.Leftovers;
import org.servletbench.bench.Mirror;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.record.LoadFigures;
import org.servletbench.bench.record.ServerRun;

/**
 * The only test that really causes faults around a campaign. After each fault, the measurements are there, the message
 * names the cause, the exit code is not zero, and no process is left. {@link CampaignIT} kills a generator.
 */
@Execution(ExecutionMode.CONCURRENT)
class FaultsIT {

    @TempDir
    static Path work;

    /** One for each test, because two campaigns run at the same time, and hold one lock each. */
    @TempDir
    Path own;

    private static Rig rig;

    @BeforeAll
    static void make() throws IOException {
        rig = new Rig(work);
    }

    @AfterAll
    static void unlink() throws IOException {
        rig.close();
    }

    @AfterEach
    void noProcessIsLeft() throws IOException, InterruptedException {
        Leftovers.awaitNone(own);
    }

    /** Returns the command for a campaign of one arm and its A/A copy, with these JVM options for the servers. */
    private String compare(Path campaign, String jvmOptions) throws IOException {
        Path options = own.resolve(campaign.getFileName() + ".options");
        Files.writeString(options, Mirror.MODEST_JVM + jvmOptions);
        return "compare --generators wrk" + Rig.SMALL + " --set measure.jvm-options=" + options + " --out " + campaign;
    }

    /** Returns how many servers of a block have been ready. */
    private static int ready(Path block) throws IOException {
        if (!Files.isDirectory(block)) {
            return 0;
        }
        int ready = 0;
        try (Stream<Path> folders = Files.list(block)) {
            for (Path folder : folders.toList()) {
                Path server = folder.resolve("server.json");
                ready += Files.exists(server) && Files.readString(server).contains("\"ready.ms\"") ? 1 : 0;
            }
        }
        return ready;
    }

    private static void assertMeasured(Path campaign, int servers) throws IOException {
        assertThat(Rig.measured(Rig.sound(campaign))).hasSize(servers);
    }

    /** A JVM that waits for a debugger is alive, but never answers. */
    @Test
    @Tag("full")
    void aServerThatHangsAtItsStart() throws Exception {
        Path campaign = own.resolve("hangs");
        String waits = "-agentlib:jdwp=transport=dt_socket,server=y,suspend=y,address=127.0.0.1:0\n";
        try (Rig impatient = new Rig(own)) {
            impatient.set("load.properties", Map.of("target.start-timeout", "5s"));
            assertThat(impatient
                            .start(own, "hangs.log", compare(campaign, waits))
                            .ends(1))
                    .contains("compare: failed twice in block 1: ")
                    .contains("the server was not ready after 5 s");
        }
        assertThat(CampaignFolder.read(campaign).serverRuns())
                .hasSize(4)
                .noneMatch(ServerRun::measured)
                .anySatisfy(one -> assertThat(one.outcome()).contains("after 5 s"));
    }

    /** Of 77 responses, 11 are failures and 7 are cut off, one of them both. Neither kind may be missed. */
    @Test
    @Tag("full")
    void aServerThatFailsRequestsAndCutsOffAnswers() throws Exception {
        Path campaign = own.resolve("fails");
        String faults = "-Dproof.fail.every=7\n-Dproof.truncate.every=11\n";

        assertThat(rig.start(own, "fails.log", compare(campaign, faults)).ends(1))
                .contains("compare: no load can take part in a verdict: ")
                .contains("because of 'errors': ");
        assertMeasured(campaign, 4);
        assertThat(CampaignFolder.read(campaign).serverRuns()).allSatisfy(one -> {
            LoadFigures load = one.loads().get(0);
            assertThat(load.isUsable()).isFalse();
            assertThat((double) load.errors() / load.requests()).isBetween(0.19, 0.26);
        });
        assertThat(campaign.resolve("index.html")).content().contains("errors");
    }

    /** The load that was counted before the profile is kept, and the block counts. */
    @Test
    @Tag("full")
    void aServerThatDiesWhileItIsProfiled() throws Exception {
        Path campaign = own.resolve("profiled");
        Rig.Run run = rig.start(own, "profiled.log", compare(campaign, "") + " --cpu-profile");
        Path block = campaign.resolve("blocks/1");
        run.await(() -> Rig.isThere(block, "cpu-profile"));
        Rig.server(block, "jetty").destroyForcibly();

        assertThat(run.ends(0)).contains("jetty has no profile, counters only: ");
        assertMeasured(campaign, 4);
    }

    /** A small file system of its own fills up in the second block; then there is room again. */
    @Test
    @Tag("full")
    void aDiskThatIsFull() throws Exception {
        Path disk = Files.createDirectory(own.resolve("disk"));
        Path campaign = disk.resolve("campaign");
        Rig.Run shell = onDiskOfItsOwn("rw", disk, rig.command(own, compare(campaign, "")));
        String pid = Long.toString(shell.process().pid());
        try {
            Path inside =
                    Path.of("/proc", pid, "root").resolve(campaign.toString().substring(1));
            // The campaign would wait for a server that is not ready, and on a full disk it never becomes ready.
            shell.await(() -> ready(inside.resolve("blocks/2")) == 2);
            fill(inside.resolveSibling("filler"));
            assertEnds(shell, disk, "No space left on device");
            assertMeasured(inside, 2);

            Files.delete(inside.resolveSibling("filler"));
            List<String> resume =
                    new ArrayList<>(List.of("nsenter", "--user", "--mount", "--preserve-credentials", "--target", pid));
            resume.addAll(rig.command(own, "compare --resume " + campaign));
            Rig.start(own.resolve("resumed.log"), resume).ends(0);
            assertMeasured(inside, 4);
        } finally {
            end(shell);
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
        Rig.Run shell = onDiskOfItsOwn("ro", disk, rig.command(own, compare(disk.resolve("campaign"), "")));
        try {
            assertEnds(shell, disk, "compare: cannot make the folder " + disk.resolve("campaign"));
            assertThat(shell.said()).contains("Read-only file system");
        } finally {
            end(shell);
        }
    }

    private static void assertEnds(Rig.Run shell, Path disk, String line) throws Exception {
        shell.await(() -> Files.exists(code(disk)));
        assertThat(Files.readString(code(disk)).strip()).as(shell.said()).isEqualTo("1");
        assertThat(shell.said()).contains(line).doesNotContain("\tat ");
    }

    private static void end(Rig.Run shell) throws InterruptedException {
        shell.process().descendants().forEach(ProcessHandle::destroyForcibly);
        shell.process().destroyForcibly().waitFor();
    }

    private static Path code(Path disk) {
        return disk.resolveSibling(disk.getFileName() + ".code");
    }

    /**
     * Uses a mount namespace of its own: nothing else sees the small file system, and it disappears with its last
     * process.
     */
    private static Rig.Run onDiskOfItsOwn(String mode, Path disk, List<String> rig) throws IOException {
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
        return Rig.start(disk.resolveSibling(disk.getFileName() + ".log"), command);
    }
}
