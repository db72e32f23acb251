package org.servletbench.bench.whole;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.record.CampaignFolder;

/**
 * Kills random processes on random hosts at random moments ({@code -Dkills=20}). It is run by hand (see
 * bench/BENCHMARKS.md). {@link HostsIT} has one fault of each kind.
 */
class HostKills {

    @TempDir
    private static Path work;

    @BeforeAll
    static void make() throws IOException {
        HostsIT.work = work;
        HostsIT.make();
    }

    @AfterAll
    static void end() throws IOException {
        HostsIT.end();
    }

    @Test
    @Timeout(3600)
    void killsAtRandomMomentsLoseNothing() throws Exception {
        int kills = Integer.getInteger("kills", 20);
        int blocks = Math.max(2, kills * 2 / 5);
        Random random = new Random(Integer.getInteger("kills.seed", 17));
        Path campaign = HostsIT.work.resolve("kills");
        String begin = HostsIT.compare("gatling", campaign).replace("--blocks 2 ", "--blocks " + blocks + " ")
                + " --load-hosts h2,h3";
        String resume = HostsIT.resume(campaign) + " --load-hosts h2,h3";
        int killed = 0;
        int runs = 0;
        int measured = 0;
        while (measured < 2 * blocks) {
            Rig.Run run = HostsIT.rig.start(
                    work, "kills-" + ++runs + ".log", Files.exists(campaign.resolve("campaign.json")) ? resume : begin);
            Process rig = run.process();
            while (killed < kills && !rig.waitFor(2_000 + random.nextInt(12_000), TimeUnit.MILLISECONDS)) {
                killed += killOne(1 + random.nextInt(3), random) ? 1 : 0;
            }
            assertThat(rig.waitFor(10, TimeUnit.MINUTES)).as(run.said()).isTrue();
            assertThat(run.said()).doesNotContain("\tat ");
            HostsIT.assertNothingIsLeft();
            CampaignFolder read = CampaignFolder.read(campaign);
            assertThat(read.problems()).isEmpty();
            int now = HostsIT.measured(read).size();
            assertThat(now).as("nothing that was measured is lost").isGreaterThanOrEqualTo(measured);
            assertThat(runs).as(run.said()).isLessThan(2 * kills + 3);
            measured = now;
        }
        System.out.printf(
                "%d kills, %d times --resume: %d server runs of %d blocks measured, no process left%n",
                killed, runs - 1, measured, blocks);
    }

    /** @return false if there is nothing to kill on this host at the moment */
    private static boolean killOne(int host, Random random) throws IOException, InterruptedException {
        List<ProcessHandle> all = HostsIT.hosts.processes(host);
        if (all.size() < 2) {
            return false;
        }
        ProcessHandle victim = all.get(random.nextInt(all.size()));
        System.out.println("kill on h" + host + ": "
                + victim.info()
                        .commandLine()
                        .map(line -> line.substring(0, Math.min(80, line.length())))
                        .orElse("?"));
        victim.destroyForcibly();
        victim.onExit().join();
        if (!HostsIT.hosts.isListening(host)) {
            Thread.sleep(3000);
            HostsIT.hosts.startSshd(host);
        }
        return true;
    }
}
