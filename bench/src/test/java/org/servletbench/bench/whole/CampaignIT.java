package org.servletbench.bench.whole;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.Leftovers;
import org.servletbench.bench.Seed;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.record.Campaign;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.record.ServerRun;

/** The only test of a campaign that is killed, damaged, resumed and made longer, of its lock, and of its folder. */
@Tag("full")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class CampaignIT {

    @TempDir
    static Path work;

    private static Path campaign;
    private static Rig rig;
    private static String begin;

    @BeforeAll
    static void make() throws IOException {
        rig = new Rig(work);
        campaign = work.resolve("killed");
        begin = "compare --generators wrk --set stop.precision=3%" + Rig.SMALL + rig.small() + " --out ";
    }

    @AfterAll
    static void unlink() throws IOException {
        rig.close();
    }

    @Test
    @Order(1)
    void aKilledCampaignGoesOnAsIfNothingHadHappened() throws Exception {
        Random random = Seed.random("CampaignIT");
        Path summary = work.resolve("summary.md");
        Path junit = work.resolve("verdicts.xml");
        Rig.Run running =
                rig.start(work, "killed.log", begin + campaign + " --summary " + summary + " --junit " + junit);
        running.await(() -> Files.exists(campaign.resolve("blocks/1")));
        Campaign planned = CampaignFolder.read(campaign).campaign();
        for (int kill = 0; kill < 2; kill++) {
            Thread.sleep(random.nextInt(9_000));
            int before = Rig.measured(CampaignFolder.read(campaign)).size();
            // First terminated as by Ctrl-C or a supervisor, after which it says how to continue; then killed.
            if (kill == 0) {
                running.process().toHandle().destroy();
            } else {
                running.process().toHandle().destroyForcibly();
            }
            running.process().waitFor();
            Leftovers.awaitNone(work);
            assertThat(Files.readString(work.resolve("killed.log")))
                    .contains("interrupted: what was measured is kept; continue with"
                            + " java -jar bench/target/bench.jar compare --resume " + campaign);
            assertThat(summary).content().startsWith("<!-- servlet-bench: unfinished -->");
            assertThat(junit).content().contains("<error message=\"interrupted before its end");
            assertThat(Rig.measured(Rig.sound(campaign))).as("nothing is lost").hasSizeGreaterThanOrEqualTo(before);
            running = rig.start(work, "resumed" + kill + ".log", "compare --resume " + campaign);
        }
        running.ends(0);
        CampaignFolder read = Rig.sound(campaign);
        assertThat(read.campaign().plan()).isEqualTo(planned.plan());
        assertThat(read.campaign().order()).isEqualTo(planned.order());
        assertThat(read.campaign().hasEnded()).isTrue();
        assertThat(Rig.measured(read))
                .containsExactlyInAnyOrder("1 jetty", "1 jetty-control", "2 jetty", "2 jetty-control");
        assertThat(read.serverRuns()).filteredOn(ServerRun::measured).allSatisfy(serverRun -> {
            assertThat(serverRun.loads()).hasSize(1);
            assertThat(serverRun.loads().get(0).requests()).isPositive();
            assertThat(serverRun.loads().get(0).figure(Metric.CPU).orElseThrow())
                    .isPositive();
            assertThat(serverRun.startUp()).containsKeys("ready", "jvm.memory.used");
        });
        assertThat(campaign.resolve("index.html")).exists();
        Leftovers.awaitNone(work);
    }

    /**
     * A recorded result is damaged, another campaign starts meanwhile, and a generator is killed. For a killed server
     * see HostsIT.
     */
    @Test
    @Order(2)
    void blocksAreAddedInTheOrderThatTheSeedGives() throws Exception {
        CampaignFolder before = CampaignFolder.read(campaign);
        ServerRun sound = before.serverRuns().stream()
                .filter(one -> one.measured() && one.block() == 1 && one.arm().equals("jetty"))
                .findFirst()
                .orElseThrow();
        Path damaged = campaign.resolve(before.folder(sound)).resolve("server-run.json");
        Files.writeString(damaged, Files.readString(damaged).substring(0, 200));
        Rig.Run running = rig.start(work, "longer.log", "compare --blocks 3 --resume " + campaign);
        running.await(() -> Files.exists(campaign.resolve("blocks/3")));

        assertThat(rig.start(work, "refused.log", begin + work.resolve("second"))
                        .ends(1))
                .contains("another campaign runs on this machine");
        assertThat(work.resolve("second")).doesNotExist();

        ProcessHandle[] wrk = new ProcessHandle[1];
        running.await(() -> {
            wrk[0] = running.process()
                    .descendants()
                    .filter(one -> one.info().commandLine().orElse("").matches(".*/wrk .*-d2s.*"))
                    .findFirst()
                    .orElse(null);
            return wrk[0] != null && Rig.isThere(campaign.resolve("blocks/3"), "wrk");
        });
        wrk[0].destroyForcibly();

        assertThat(running.ends(0)).contains("server-run.json: damaged: ", "tried again: ", "wrk");
        CampaignFolder read = CampaignFolder.read(campaign);
        assertThat(read.campaign().order())
                .hasSize(3)
                .startsWith(before.campaign().order().toArray(java.util.List[]::new));
        assertThat(read.campaign().hasEnded()).isTrue();
        assertThat(Rig.measured(read))
                .containsExactlyInAnyOrder(
                        "1 jetty", "1 jetty-control", "2 jetty", "2 jetty-control", "3 jetty", "3 jetty-control");
        assertThat(read.serverRuns())
                .filteredOn(one -> one.block() == 3 && one.arm().equals("jetty"))
                .extracting(ServerRun::measured)
                .as("both attempts are on record")
                .containsExactlyInAnyOrder(true, false);
        Leftovers.awaitNone(work);
    }
}
