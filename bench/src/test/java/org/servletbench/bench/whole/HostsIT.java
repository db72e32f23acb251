package org.servletbench.bench.whole;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.Leftovers;
import org.servletbench.bench.Mirror;
import org.servletbench.bench.host.Hosts;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.record.Campaign;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.record.Invocation;
import org.servletbench.bench.server.group.SchedulerGroup;

/** Campaigns with their servers on another machine: what comes out, and what is left after faults. */
@Timeout(600)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class HostsIT {

    private static final Path ROOT =
            Path.of(System.getProperty("bench.root")).toAbsolutePath().normalize();

    @TempDir
    static Path work;

    static Path root;
    static Hosts hosts;

    @BeforeAll
    static void make() throws IOException {
        hosts = new Hosts(work.resolve("hosts"), 3);
        root = Mirror.of(ROOT, work.resolve("root"));
        Map<String, String> hasty = new TreeMap<>(Mirror.HASTY);
        hasty.put("host.wait", "2s");
        Mirror.set(root, "campaign.properties", hasty);
        Files.writeString(work.resolve("small.options"), Mirror.MODEST_JVM);
    }

    @AfterAll
    static void end() throws IOException {
        hosts.close();
        Mirror.unlink(root);
    }

    private static Process rig(Path log, String... arguments) throws IOException {
        return Mirror.rig(work, List.of(arguments)).redirectOutput(log.toFile()).start();
    }

    static List<String> compare(String generator, Path campaign, String... more) {
        List<String> command =
                new ArrayList<>(List.of("compare", "--root", root.toString(), "--out", campaign.toString()));
        command.addAll(
                List.of("--arms", "tomcat-nio,jetty", "--generators", generator, "--tiers", "10", "--hold", "2s"));
        command.addAll(List.of(
                "--set",
                "measure.rounds=1",
                "--set",
                "measure.warmup=500ms",
                "--set",
                "measure.generator-warmup=1s",
                "--blocks",
                "2"));
        command.addAll(List.of(
                "--limit",
                "0s",
                "--set",
                "stop.seed=42",
                "--set",
                "measure.jvm-options=" + work.resolve("small.options").toString()));
        command.addAll(List.of("--target-host", "h1", "--set", "measure.target-allow-remote=true"));
        command.addAll(List.of(
                "--set",
                "measure.ssh-config=" + hosts.config().toString(),
                "--set",
                "measure.host-jdk=" + System.getProperty("java.home")));
        command.addAll(List.of(more));
        return command;
    }

    static Process start(Path log, List<String> command) throws IOException {
        return rig(log, command.toArray(String[]::new));
    }

    private static void assertEnds(Process process, Path log, int code) throws IOException, InterruptedException {
        boolean ended = process.waitFor(5, TimeUnit.MINUTES);
        process.destroyForcibly();
        assertThat(ended).as(Files.readString(log)).isTrue();
        assertThat(Mirror.exitCode(process, Files.readString(log)))
                .as(Files.readString(log))
                .isEqualTo(code);
        assertThat(Files.readString(log)).doesNotContain("\tat ");
    }

    private interface Condition {
        boolean holds() throws IOException;
    }

    private static void await(Process process, Path log, Condition condition) throws IOException, InterruptedException {
        while (!condition.holds()) {
            assertThat(process.isAlive()).as(Files.readString(log)).isTrue();
            Thread.sleep(50);
        }
    }

    private static boolean isThere(Path folder, String name) throws IOException {
        if (!Files.isDirectory(folder)) {
            return false;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            return files.anyMatch(file -> file.getFileName().toString().equals(name));
        }
    }

    /** The process of the server; processes of network namespaces are this machine's. */
    private static long jettyOf(Path block) throws IOException {
        try (Stream<Path> folders = Files.list(block)) {
            Path folder = folders.filter(one -> one.toString().endsWith("-jetty"))
                    .findFirst()
                    .orElseThrow();
            return Json.MAPPER
                    .readTree(folder.resolve("server.json").toFile())
                    .get("pid")
                    .asLong();
        }
    }

    static List<Invocation> measured(CampaignFolder read) {
        return read.invocations().stream().filter(Invocation::measured).toList();
    }

    static void assertNothingIsLeft() throws IOException, InterruptedException {
        Leftovers.awaitNone(work);
        for (int host = 1; host <= 3; host++) {
            hosts.awaitNothingLeft(host);
        }
    }

    /** In turns: CPU times are read there, those of the generator here. */
    @Test
    @Order(1)
    void aCampaignEndsWithTheSamePageAsOneOfThisMachine() throws Exception {
        Path campaign = work.resolve("gatling");
        Path log = work.resolve("gatling.log");
        Process running = start(log, compare("gatling", campaign));
        await(running, log, () -> isThere(campaign.resolve("blocks/1"), "server.json"));
        assertThat(hosts.left(1)).anyMatch(line -> line.contains("--server.address=" + hosts.address(1)));

        assertEnds(running, log, 0);

        assertNothingIsLeft();
        assertThat(Files.readString(log)).contains("the clock of h1 is ").contains("report: file:");
        CampaignFolder read = CampaignFolder.read(campaign);
        assertThat(read.problems()).isEmpty();
        assertThat(measured(read)).hasSize(6).allSatisfy(invocation -> {
            assertThat(invocation.warmUp().rates()).isNotEmpty();
            assertThat(invocation.startUp()).containsKeys("ready", "jvm.memory.used");
            assertThat(invocation.cells()).singleElement().satisfies(cell -> {
                assertThat(cell.requests()).isPositive();
                assertThat(cell.errors()).isZero();
                for (Metric metric :
                        List.of(Metric.CPU, Metric.SERVER_CORES, Metric.GENERATOR_CORES, Metric.ALLOCATION)) {
                    assertThat(cell.figure(metric).orElse(Double.NaN))
                            .as(metric.key())
                            .isPositive();
                }
                assertThat(cell.figure(Metric.OTHERS)).isPresent();
            });
        });
        Campaign said = read.campaign();
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

    /** The server on one machine, its users on two others; the rig on a fourth. */
    @Test
    @Order(2)
    void theLoadComesFromTwoHosts() throws Exception {
        Path campaign = work.resolve("load");
        Path log = work.resolve("load.log");
        Process running = start(log, compare("gatling", campaign, "--load-hosts", "h2,h3"));
        for (int host = 2; host <= 3; host++) {
            int one = host;
            await(running, log, () -> hosts.left(one).stream()
                    .anyMatch(line -> line.contains("servlet-bench.schedule")));
        }

        assertEnds(running, log, 0);

        assertNothingIsLeft();
        CampaignFolder read = CampaignFolder.read(campaign);
        assertThat(read.problems()).isEmpty();
        assertThat(read.campaign().asked()).containsEntry("load.hosts", "h2,h3");
        assertThat(measured(read)).hasSize(6).allSatisfy(invocation -> assertThat(invocation.cells())
                .singleElement()
                .satisfies(cell -> {
                    assertThat(cell.requests()).isPositive();
                    assertThat(cell.errors()).isZero();
                    assertThat(cell.figure(Metric.GENERATOR_CORES).orElse(Double.NaN))
                            .isPositive();
                }));
        for (String host : List.of("h2", "h3")) {
            assertThat(campaign.resolve("blocks/2/load-1/gatling").resolve(host).resolve("simulation.log"))
                    .isNotEmptyFile();
        }
        assertThat(Files.readString(campaign.resolve("index.html")))
                .contains("throughput")
                .contains("h2,h3");
    }

    @Test
    @Order(3)
    void faultsLoseTheirBlockAndTheCampaignGoesOn() throws Exception {
        Path campaign = work.resolve("faults");
        Path log = work.resolve("faults.log");
        Process running = start(log, compare("wrk", campaign));
        await(running, log, () -> isThere(campaign.resolve("blocks/1"), "wrk"));
        ProcessHandle.of(jettyOf(campaign.resolve("blocks/1"))).orElseThrow().destroyForcibly();
        await(running, log, () -> isThere(campaign.resolve("blocks/2"), "wrk"));
        hosts.killSshd(1);

        assertEnds(running, log, 1);

        assertThat(Files.readString(log))
                .contains("tried again: the server died under load: jetty: ended by signal 9")
                .contains("the connection to h1 was lost")
                .contains("failed twice in block 2: h1 cannot be reached: ")
                .contains("go on with compare --resume");
        assertNothingIsLeft();
        CampaignFolder read = CampaignFolder.read(campaign);
        assertThat(read.problems()).isEmpty();
        assertThat(measured(read)).hasSize(3);
        assertThat(read.invocations())
                .filteredOn(one -> one.block() == 1 && one.arm().equals("jetty"))
                .extracting(Invocation::outcome)
                .hasSize(2)
                .contains(Invocation.MEASURED)
                .anyMatch(outcome -> outcome.contains("ended by signal 9"));
        assertThat(read.invocations())
                .filteredOn(one -> one.block() == 2)
                .noneMatch(Invocation::measured)
                .anyMatch(one -> one.outcome().contains("the connection to h1 was lost"));

        hosts.startSshd(1);
        Path resumed = work.resolve("resumed.log");
        assertEnds(rig(resumed, "compare", "--root", root.toString(), "--resume", campaign.toString()), resumed, 0);
        assertThat(measured(CampaignFolder.read(campaign))).hasSize(6);
        assertNothingIsLeft();
    }

    @Test
    @Order(4)
    void aKilledRigLeavesNothingThere() throws Exception {
        Path campaign = work.resolve("killed");
        Path log = work.resolve("killed.log");
        Process running = start(log, compare("wrk", campaign));
        await(running, log, () -> isThere(campaign.resolve("blocks/1"), "wrk"));
        running.destroyForcibly().waitFor();
        assertNothingIsLeft();
    }

    @Test
    @Order(5)
    void aHostThatCannotBeUsedIsNamedBeforeAnythingStarts() throws Exception {
        assertRefused(1, "h1 has no java that runs", "--set", "measure.host-jdk=/nowhere");
        assertRefused(1, "h9 cannot be reached: ", "--target-host", "h9");
        Path config = work.resolve("wrong-key.config");
        Files.writeString(
                config,
                Files.readString(hosts.config())
                        .replace(work.resolve("hosts/user").toString(), "/dev/null"));
        assertRefused(1, "h1 cannot be reached: ", "--set", "measure.ssh-config=" + config.toString());
        hosts.limitFiles(3, 1000);
        assertRefused(1, "h3 allows 1000 open files per process", "--target-host", "h3");
        hosts.limitFiles(3, 4200);
        assertRefused(
                1,
                "too few file handles for 4500 connections: h3 allows 4200 open files for a process; raise the hard limit of"
                        + " `ulimit -n` there to 4756",
                "--generators",
                "gatling",
                "--tiers",
                "1500",
                "--load-hosts",
                "h3");
        hosts.killSshd(3);
        hosts.startSshd(3);
        assertRefused(2, "'-oProxyCommand=x' is no host", "--target-host", "-oProxyCommand=x");
        assertRefused(2, "add target.allow-remote=true", "--set", "measure.target-allow-remote=false");
        assertRefused(2, "the reference nginx runs on this machine only", "--arms", "jetty,nginx");
        assertRefused(2, "set measure.host-jdk", "--jdk", System.getProperty("java.home"));
        assertRefused(2, "archives of classes are trained on this machine", "--arms", "jetty:archive=cds");
    }

    private static void assertRefused(int code, String line, String... options) throws Exception {
        Path campaign = work.resolve("refused");
        Path log = work.resolve("refused.log");
        List<String> command = compare("wrk", campaign);
        for (int i = 0; i < options.length; i++) {
            int at =
                    options[i].equals("--set") ? -1 : command.indexOf(options[i].split("=")[0]);
            if (at < 0) {
                command.addAll(List.of(options).subList(i, options.length));
                break;
            }
            command.set(at, options[i]);
            if (!options[i].contains("=")) {
                command.set(at + 1, options[++i]);
            }
        }
        assertEnds(start(log, command), log, code);
        assertThat(Files.readString(log)).contains("compare: ").contains(line);
        assertThat(campaign).doesNotExist();
    }

    @Test
    @Order(6)
    void theDoctorLooksAtEveryHost() throws Exception {
        Path log = work.resolve("doctor.log");
        String[] command = {
            "doctor",
            "--hosts",
            "h1,h2",
            "--ssh-config",
            hosts.config().toString(),
            "--host-jdk",
            System.getProperty("java.home"),
            "--root",
            root.toString()
        };
        assertEnds(rig(log, command), log, 0);
        assertThat(Files.readAllLines(log))
                .hasSize(2)
                .allMatch(line -> line.startsWith("ok ") && line.contains("Linux") && line.contains("Java "))
                // Said by a JVM there, as a campaign would start it.
                .allMatch(line -> line.matches(".*, memory for a server: \\d+ MiB are free, it may take \\d+,"
                        + " memory for a generator: .*"))
                .allMatch(line -> line.endsWith(", scheduler: each server: " + SchedulerGroup.expected()));
        assertNothingIsLeft();
        command[2] = "h1,h9,h2";
        assertEnds(rig(log, command), log, 1);
        assertThat(Files.readAllLines(log))
                .hasSize(3)
                .anyMatch(line -> line.startsWith("missing  h9 cannot be reached: "));
        command[2] = "h1";
        command[6] = "/nowhere";
        assertEnds(rig(log, command), log, 1);
        assertThat(Files.readString(log)).contains("missing  h1 has no java that runs");
    }
}
