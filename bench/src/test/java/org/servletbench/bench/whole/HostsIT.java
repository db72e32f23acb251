package org.servletbench.bench.whole;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.Leftovers;
import org.servletbench.bench.host.Hosts;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.record.Campaign;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.record.LoadFigures;
import org.servletbench.bench.record.ServerRun;
import org.servletbench.bench.server.os.SchedulerGroup;

/**
 * The only test of campaigns whose servers and users are on other machines, up to the page, and of what is left after
 * faults.
 */
@Timeout(600)
class HostsIT {

    @TempDir
    static Path work;

    static Rig rig;
    static Hosts hosts;

    @BeforeAll
    static void make() throws IOException {
        hosts = new Hosts(work.resolve("hosts"), 3);
        rig = new Rig(work);
        rig.set("campaign.properties", Map.of("host.wait", "2s"));
    }

    @AfterAll
    static void end() throws IOException {
        hosts.close();
        rig.close();
    }

    static String compare(String generator, Path campaign) {
        return "compare --generators " + generator + Rig.SMALL + rig.small() + " --set measure.generator-warmup=1s"
                + machines() + " --out " + campaign;
    }

    /** A record names no machines, so that --resume needs these options as well. */
    private static String machines() {
        return " --target-host h1 --set measure.target-allow-remote=true --set measure.ssh-config=" + hosts.config()
                + " --set measure.host-jdk=" + System.getProperty("java.home");
    }

    static String resume(Path campaign) {
        return "compare --resume " + campaign + machines();
    }

    static List<ServerRun> measured(CampaignFolder read) {
        return read.serverRuns().stream().filter(ServerRun::measured).toList();
    }

    static void assertNothingIsLeft() throws IOException, InterruptedException {
        Leftovers.awaitNone(work);
        for (int host = 1; host <= 3; host++) {
            hosts.awaitNothingLeft(host);
        }
    }

    private static void assertMeasured(LoadFigures load) {
        assertThat(load.requests()).isPositive();
        assertThat(load.errors()).isZero();
        for (Metric metric : List.of(Metric.CPU, Metric.SERVER_CORES, Metric.GENERATOR_CORES, Metric.ALLOCATION)) {
            assertThat(load.figure(metric).orElse(Double.NaN)).as(metric.key()).isPositive();
        }
        assertThat(load.figure(Metric.OTHERS)).isPresent();
    }

    /**
     * The server runs on one machine, its users on two others, in time slices; servlet-bench runs on a fourth, where it
     * is killed once.
     */
    @Test
    @Tag("full")
    void theLoadComesFromTwoHostsAndAKilledRigLeavesNothingOnAnyOfThem() throws Exception {
        Path campaign = work.resolve("load");
        Rig.Run killed = rig.start(work, "killed.log", compare("gatling", campaign) + " --load-hosts h2,h3");
        for (int host = 2; host <= 3; host++) {
            int one = host;
            killed.await(() -> hosts.left(one).stream().anyMatch(line -> line.contains("servlet-bench.schedule")));
        }
        assertThat(hosts.left(1)).anyMatch(line -> line.contains("--server.address=" + hosts.address(1)));
        killed.process().destroyForcibly().waitFor();
        assertNothingIsLeft();

        String said = rig.start(work, "load.log", resume(campaign) + " --load-hosts h2,h3")
                .ends(0);

        assertNothingIsLeft();
        assertThat(said).contains("the clock of h1 is ").contains("report: file:");
        CampaignFolder read = Rig.sound(campaign);
        assertThat(read.campaign().asked()).containsEntry("load.hosts", "h2,h3");
        assertThat(measured(read)).hasSize(4).allSatisfy(serverRun -> {
            assertThat(serverRun.warmUp().rates()).isNotEmpty();
            assertThat(serverRun.startUp()).containsKeys("ready", "jvm.memory.used");
            assertThat(serverRun.loads()).singleElement().satisfies(HostsIT::assertMeasured);
        });
        for (String host : List.of("h2", "h3")) {
            assertThat(campaign.resolve("blocks/2/load-1/gatling").resolve(host).resolve("simulation.log.gz"))
                    .isNotEmptyFile();
        }
        assertThat(Files.readString(campaign.resolve("index.html")))
                .contains("throughput")
                .contains("h2,h3");
    }

    /** The users are on this machine. */
    @Test
    @Tag("full")
    void faultsLoseTheirBlockAndTheCampaignGoesOn() throws Exception {
        Path campaign = work.resolve("faults");
        Rig.Run running = rig.start(work, "faults.log", compare("wrk", campaign));
        running.await(() -> Rig.isThere(campaign.resolve("blocks/1"), "wrk"));
        // Processes in network namespaces are visible on this machine.
        Rig.server(campaign.resolve("blocks/1"), "jetty").destroyForcibly();
        running.await(() -> Rig.isThere(campaign.resolve("blocks/2"), "wrk"));
        hosts.killSshd(1);

        assertThat(running.ends(1))
                .containsPattern("tried again: .*died under load: jetty: ended by signal 9")
                .contains("the connection to h1 was lost")
                .contains("failed twice in block 2: h1 cannot be reached: ")
                .contains("continue with java -jar bench/target/bench.jar compare --resume");
        assertNothingIsLeft();
        CampaignFolder read = Rig.sound(campaign);
        assertThat(measured(read)).hasSize(2);
        assertThat(read.serverRuns())
                .filteredOn(one -> one.block() == 1 && one.arm().equals("jetty"))
                .extracting(ServerRun::outcome)
                .hasSize(2)
                .contains(ServerRun.MEASURED)
                .anyMatch(outcome -> outcome.contains("ended by signal 9"));
        assertThat(read.serverRuns())
                .filteredOn(one -> one.block() == 2)
                .noneMatch(ServerRun::measured)
                .anyMatch(one -> one.outcome().contains("the connection to h1 was lost"));

        hosts.startSshd(1);
        assertThat(rig.start(work, "unnamed.log", "compare --resume " + campaign)
                        .ends(2))
                .contains("a record does not name machines or allow load on them");
        rig.start(work, "resumed.log", resume(campaign)).ends(0);
        assertNothingIsLeft();
        CampaignFolder resumed = Rig.sound(campaign);
        assertThat(measured(resumed)).hasSize(4).allSatisfy(serverRun -> assertThat(serverRun.loads())
                .singleElement()
                .satisfies(HostsIT::assertMeasured));
        Campaign said = resumed.campaign();
        assertThat(said.machine())
                .containsEntry(Campaign.TARGET, "h1")
                .containsKeys("cpu", "cores", "target.cpu", "target.cores", "target.memory.bytes", "target.kernel");
        assertThat(said.serverMachine()).containsEntry("kernel", said.machine().get("target.kernel"));
        assertThat(said.pinning())
                .isEqualTo(
                        "none: servers and generators are on different machines; each server in a session of its own");
        assertThat(Files.readString(campaign.resolve("index.html")))
                .contains("cores without the load generator")
                .contains("throughput");
    }

    /** For what is detected without a connection see BadInputTest, for other failures to connect see RemoteJvmIT. */
    @Test
    @Tag("full")
    void aHostThatCannotBeUsedIsNamedBeforeAnythingStarts() throws Exception {
        Path campaign = work.resolve("refused");
        String usual = compare("gatling", campaign);
        assertRefused(campaign, usual.replace(" h1 ", " h9 "), "h9 cannot be reached: ");
        hosts.limitFiles(3, 1000);
        assertRefused(campaign, usual.replace(" h1 ", " h3 "), "h3 allows 1000 open files per process");
        hosts.limitFiles(3, 4200);
        assertRefused(
                campaign,
                usual.replace("--users 10 ", "--users 2250 ") + " --load-hosts h3",
                "too few file handles for 4500 connections: h3 allows 4200 open files for a process; raise the hard limit of"
                        + " `ulimit -n` there to 4756");
        hosts.killSshd(3);
        hosts.startSshd(3);
    }

    private static void assertRefused(Path campaign, String command, String line) throws Exception {
        assertThat(rig.start(work, "refused.log", command).ends(1))
                .contains("compare: ")
                .contains(line);
        assertThat(campaign).doesNotExist();
    }

    @Test
    void theDoctorLooksAtEveryHost() throws Exception {
        String command = "doctor --ssh-config " + hosts.config();
        assertThat(rig.start(
                                work,
                                "doctor.log",
                                command + " --hosts h1,h2 --host-jdk " + System.getProperty("java.home"))
                        .ends(0)
                        .lines())
                .hasSize(2)
                .allMatch(line -> line.startsWith("ok ") && line.contains("Linux") && line.contains("Java "))
                // Printed by a JVM on that host, started as in a campaign.
                .allMatch(line -> line.matches(".*, memory for a server: \\d+ MiB are free, it may take \\d+,"
                        + " memory for a generator: .*"))
                .allMatch(line -> line.endsWith(", scheduler: each server: " + SchedulerGroup.expected()));
        assertNothingIsLeft();
        assertThat(rig.start(work, "missing.log", command + " --hosts h1,h9 --host-jdk /nowhere")
                        .ends(1)
                        .lines())
                .anyMatch(line -> line.startsWith("missing  h9 cannot be reached: "))
                .anyMatch(line -> line.startsWith("missing  h1 has no java that runs"));
    }
}
