package org.servletbench.bench.whole;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.Leftovers;
import org.servletbench.bench.Mirror;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.record.Invocation;

/** Campaigns of starts with real servers: killed and resumed. */
class StartUpIT {

    private static final Path ROOT =
            Path.of(System.getProperty("bench.root")).toAbsolutePath().normalize();

    @TempDir
    static Path work;

    private static Path root;

    @BeforeAll
    static void makeRoot() throws IOException {
        root = Mirror.of(ROOT, work.resolve("root"));
    }

    @AfterAll
    static void unlink() throws IOException {
        Mirror.unlink(root);
    }

    private static Process start(Path log, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("compare", "--root", root.toString()));
        command.addAll(List.of(arguments));
        return Mirror.rig(work, command).redirectOutput(log.toFile()).start();
    }

    @Test
    void aKilledCampaignOfStartsIsResumedAndEndsWithVerdicts() throws Exception {
        Path campaign = work.resolve("starts");
        Path small = Files.writeString(work.resolve("small.options"), Mirror.SMALL_JVM);
        Process first = start(
                work.resolve("first.log"),
                "--startup",
                "--arms",
                "tomcat-nio,jetty",
                "--blocks",
                "2",
                "--limit",
                "0s",
                "--jvm-options",
                small.toString(),
                "--out",
                campaign.toString());
        for (int i = 0; i < 1800 && !Files.exists(campaign.resolve("blocks/1")) && first.isAlive(); i++) {
            Thread.sleep(100);
        }
        first.destroyForcibly().waitFor();
        Leftovers.awaitNone(work);
        assertThat(campaign.resolve("blocks/1")).as(Files.readString(work.resolve("first.log"))).exists();

        Path log = work.resolve("second.log");
        Process second = start(log, "--resume", campaign.toString());
        assertThat(second.waitFor(4, TimeUnit.MINUTES)).isTrue();
        String said = Files.readString(log);
        CampaignFolder read = CampaignFolder.read(campaign);
        assertThat(read.problems()).isEmpty();
        assertThat(read.completeBlocks()).as(said).isEqualTo(2);
        assertThat(read.campaign().look().withoutVerdicts()).isEmpty();
        assertThat(read.invocations().stream().filter(Invocation::measured)).hasSize(6).allSatisfy(invocation -> {
            assertThat(invocation.warmUp()).isNull();
            assertThat(invocation.cells()).hasSize(1);
            assertThat(invocation.startUp().get("ready")).isBetween(300.0, 60_000.0);
            assertThat(invocation.startUp().get("ready.cpu")).isBetween(100.0, 60_000.0);
            assertThat(invocation.startUp().get("ready.rss")).isBetween(3e7, 2e9);
            assertThat(invocation.startUp().get("jvm.classes.loaded")).isGreaterThan(5000);
            assertThat(invocation.startUp().get("jvm.threads.live")).isBetween(5.0, 300.0);
            assertThat(invocation.proven()).containsKey("container");
        });
        // Two blocks are too few to decide anything: void is a possible end, a crash is none.
        assertThat(second.exitValue()).as(said).isIn(0, 1);
        assertThat(said).contains("ready after ").contains("Time to ready").doesNotContain("\tat ");
        assertThat(campaign.resolve("index.html")).exists();
        Leftovers.awaitNone(work);
    }
}
