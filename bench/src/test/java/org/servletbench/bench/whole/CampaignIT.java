package org.servletbench.bench.whole;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.Leftovers;
import org.servletbench.bench.Mirror;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.record.Campaign;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.record.Invocation;

/** A real campaign of two arms with wrk: killed, resumed, made longer, refused twice at once. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class CampaignIT {

    private static final Path ROOT =
            Path.of(System.getProperty("bench.root")).toAbsolutePath().normalize();
    private static final List<String> SMALL = List.of(
            "--arms",
            "tomcat-nio,jetty",
            "--generators",
            "wrk",
            "--hold",
            "2s",
            "--set",
            "measure.warmup=500ms",
            "--set",
            "measure.rounds=1",
            "--tiers",
            "10",
            "--set",
            "stop.seed=42",
            "--set",
            "stop.precision=3%",
            "--limit",
            "0s");

    @TempDir
    static Path work;

    private static Path root;

    @BeforeAll
    static void makeRoot() throws IOException {
        root = Mirror.of(ROOT, work.resolve("root"));
        Mirror.set(root, "campaign.properties", Mirror.HASTY);
    }

    @AfterAll
    static void unlink() throws IOException {
        Mirror.unlink(root);
    }

    private static Process start(Path log, List<String> arguments) throws IOException {
        Path small = work.resolve("small.options");
        Files.writeString(small, Mirror.MODEST_JVM);
        List<String> command = new ArrayList<>(List.of("compare", "--root", root.toString()));
        command.addAll(arguments);
        if (!arguments.contains("--resume")) {
            command.addAll(List.of("--set", "measure.jvm-options=" + small.toString()));
        }
        return Mirror.rig(work, command).redirectOutput(log.toFile()).start();
    }

    private static List<String> with(String... more) {
        return Stream.concat(SMALL.stream(), Stream.of(more)).toList();
    }

    private static String text(Path file) throws IOException {
        return Files.readString(file, StandardCharsets.UTF_8);
    }

    private static long measured(Path campaign) throws IOException {
        return CampaignFolder.read(campaign).invocations().stream()
                .filter(Invocation::measured)
                .count();
    }

    @Test
    @Order(1)
    void aKilledCampaignGoesOnAsIfNothingHadHappened() throws Exception {
        Path campaign = work.resolve("killed");
        Path log = work.resolve("killed.log");
        Random random = new Random(System.nanoTime());
        Process running = start(log, with("--blocks", "2", "--out", campaign.toString()));
        for (int i = 0; i < 600 && !Files.exists(campaign.resolve("blocks/1")) && running.isAlive(); i++) {
            Thread.sleep(100);
        }
        assertThat(campaign.resolve("campaign.json")).as(text(log)).exists();
        Campaign planned = CampaignFolder.read(campaign).campaign();
        for (int kill = 0; kill < 2; kill++) {
            Thread.sleep(random.nextInt(14_000));
            long before = measured(campaign);
            // First as Ctrl-C and a supervisor do, which tells how to go on; then without a word.
            if (kill == 0) {
                running.toHandle().destroy();
            } else {
                running.toHandle().destroyForcibly();
            }
            running.waitFor();
            Leftovers.awaitNone(work);
            assertThat(text(log))
                    .contains("interrupted: what was measured is kept; go on with compare --resume " + campaign);
            assertThat(measured(campaign)).as("nothing is lost").isGreaterThanOrEqualTo(before);
            assertThat(CampaignFolder.read(campaign).problems()).isEmpty();
            running = start(work.resolve("resumed" + kill + ".log"), List.of("--resume", campaign.toString()));
        }
        assertThat(running.waitFor(4, TimeUnit.MINUTES)).isTrue();
        assertThat(Mirror.exitCode(running, text(work.resolve("resumed1.log"))))
                .as(text(work.resolve("resumed1.log")))
                .isZero();
        CampaignFolder read = CampaignFolder.read(campaign);
        assertThat(read.campaign().plan()).isEqualTo(planned.plan());
        assertThat(read.campaign().order()).isEqualTo(planned.order());
        assertThat(read.campaign().hasEnded()).isTrue();
        assertThat(read.problems()).isEmpty();
        for (int block = 1; block <= 2; block++) {
            int number = block;
            assertThat(read.invocations().stream()
                            .filter(Invocation::measured)
                            .filter(invocation -> invocation.block() == number)
                            .map(Invocation::arm))
                    .containsExactlyInAnyOrder("tomcat-nio", "tomcat-nio-control", "jetty");
        }
        assertThat(read.invocations()).allSatisfy(invocation -> {
            assertThat(invocation.cells()).hasSize(1);
            assertThat(invocation.cells().get(0).requests()).isPositive();
            assertThat(invocation.cells().get(0).figure(Metric.CPU).orElseThrow())
                    .isPositive();
            assertThat(invocation.startUp()).containsKeys("ready", "jvm.memory.used");
        });
        assertThat(campaign.resolve("index.html")).exists();
        Leftovers.awaitNone(work);
    }

    @Test
    @Order(2)
    void blocksAreAddedInTheOrderThatTheSeedGives() throws Exception {
        Path campaign = work.resolve("killed");
        CampaignFolder before = CampaignFolder.read(campaign);
        Path log = work.resolve("longer.log");
        Process running = start(log, List.of("--resume", campaign.toString(), "--blocks", "3"));
        for (int i = 0; i < 600 && !Files.exists(campaign.resolve("blocks/3")) && running.isAlive(); i++) {
            Thread.sleep(100);
        }

        Path second = work.resolve("second");
        Path refused = work.resolve("refused.log");
        Process other = start(refused, with("--blocks", "2", "--out", second.toString()));
        assertThat(other.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(other.exitValue()).isEqualTo(1);
        assertThat(text(refused))
                .contains("another campaign runs on this machine")
                .doesNotContain("\tat ");
        assertThat(second).doesNotExist();

        // A server dies under load: tried again, and both attempts are on record.
        Path jetty = folderOf(campaign.resolve("blocks/3"), "-jetty").resolve("server.json");
        await(() -> isRunning(jetty), running);
        await(() -> loadBegan(campaign.resolve("blocks/3")), running);
        new ProcessBuilder("kill", "-KILL", pid(jetty)).start().waitFor();

        assertThat(running.waitFor(4, TimeUnit.MINUTES)).isTrue();
        assertThat(Mirror.exitCode(running, text(log))).as(text(log)).isZero();
        CampaignFolder read = CampaignFolder.read(campaign);
        Campaign longer = read.campaign();
        assertThat(longer.order())
                .hasSize(3)
                .startsWith(before.campaign().order().toArray(List[]::new));
        assertThat(measured(campaign)).isEqualTo(9);
        assertThat(longer.hasEnded()).isTrue();
        assertThat(read.invocations().stream()
                        .filter(invocation ->
                                invocation.block() == 3 && invocation.arm().equals("jetty"))
                        .map(Invocation::outcome))
                .hasSize(2)
                .anyMatch(outcome -> outcome.contains("ended by signal 9"))
                .contains(Invocation.MEASURED);
        assertThat(text(log)).contains("tried again: ");
        Leftovers.awaitNone(work);
    }

    @Test
    @Order(3)
    void aDamagedInvocationIsNamedAndMeasuredAgain() throws Exception {
        Path campaign = work.resolve("killed");
        Path damaged = folderOf(campaign.resolve("blocks/1"), "-jetty").resolve("invocation.json");
        try (Stream<Path> folders = Files.list(campaign.resolve("blocks/1"))) {
            for (Path folder :
                    folders.filter(one -> one.toString().contains("-jetty")).toList()) {
                Path file = folder.resolve("invocation.json");
                if (Files.exists(file) && text(file).contains("\"measured\"")) {
                    damaged = file;
                }
            }
        }
        Files.writeString(damaged, text(damaged).substring(0, 200));
        Path log = work.resolve("damaged.log");
        Process running = start(log, List.of("--resume", campaign.toString()));
        assertThat(running.waitFor(4, TimeUnit.MINUTES)).isTrue();
        assertThat(Mirror.exitCode(running, text(log))).as(text(log)).isZero();
        assertThat(text(log)).contains("invocation.json: damaged: ").doesNotContain("\tat ");
        assertThat(CampaignFolder.read(campaign).invocations().stream()
                        .filter(invocation -> invocation.block() == 1 && invocation.measured())
                        .map(Invocation::arm))
                .contains("jetty");
        Leftovers.awaitNone(work);
    }

    private static Path folderOf(Path block, String end) throws IOException, InterruptedException {
        for (int i = 0; i < 300; i++) {
            if (Files.isDirectory(block)) {
                try (Stream<Path> folders = Files.list(block)) {
                    Path found = folders.filter(folder -> folder.toString().endsWith(end))
                            .findFirst()
                            .orElse(null);
                    if (found != null) {
                        return found;
                    }
                }
            }
            Thread.sleep(100);
        }
        throw new AssertionError("no folder " + end + " in " + block);
    }

    private interface Condition {
        boolean holds() throws IOException;
    }

    private static void await(Condition condition, Process running) throws IOException, InterruptedException {
        for (int i = 0; i < 900 && !condition.holds(); i++) {
            assertThat(running.isAlive()).isTrue();
            Thread.sleep(50);
        }
        assertThat(condition.holds()).isTrue();
    }

    private static boolean isRunning(Path server) throws IOException {
        return Files.exists(server) && text(server).contains("\"pid\"");
    }

    private static boolean loadBegan(Path block) throws IOException {
        try (Stream<Path> files = Files.walk(block)) {
            return files.anyMatch(file -> file.getFileName().toString().equals("wrk"));
        }
    }

    private static String pid(Path server) throws IOException {
        return new com.fasterxml.jackson.databind.ObjectMapper()
                .readTree(server.toFile())
                .get("pid")
                .asText();
    }

    /** Two builds of a user's own: any Spring Boot jars, paths from a file. */
    @Test
    @Order(5)
    void applicationsOfTheUsersOwnAreCompared() throws Exception {
        Path built = ROOT.resolve("target-apps/spring-boot/target");
        Files.copy(built.resolve("tomcat-nio-boot3/app.jar"), work.resolve("before.jar"));
        Path after = Files.copy(built.resolve("jetty-serverconnector-boot3/app.jar"), work.resolve("after.jar"));
        Path file = work.resolve("own.yaml");
        Files.writeString(file, """
                arms:
                  before: {app: before.jar}
                  after: {app: %s}
                workloads:
                  greeting: {url: /hello, length: 5}
                load:
                  - {workloads: greeting, tiers: 10}
                """.formatted(after));
        Path campaign = work.resolve("own");
        Path log = work.resolve("own.log");
        Process running = start(
                log,
                List.of(
                        file.toString(),
                        "--generators",
                        "wrk",
                        "--hold",
                        "2s",
                        "--set",
                        "measure.warmup=500ms",
                        "--set",
                        "measure.rounds=1",
                        "--blocks",
                        "2",
                        "--set",
                        "measure.together=false",
                        "--out",
                        campaign.toString()));
        assertThat(running.waitFor(4, TimeUnit.MINUTES)).isTrue();
        // Two blocks of servers that are not warm: void is a possible end, a crash is none.
        assertThat(text(log)).contains("report: file:").doesNotContain("\tat ");
        CampaignFolder read = CampaignFolder.read(campaign);
        assertThat(read.invocations().stream().filter(Invocation::measured).map(Invocation::arm))
                .containsExactlyInAnyOrder("before", "before", "before-control", "before-control", "after", "after");
        assertThat(read.invocations().get(0).proven()).containsKey("container.version");
        Leftovers.awaitNone(work);
    }

    @Test
    @Order(4)
    void anOldFolderIsNeverOverwritten() throws Exception {
        Path campaign = work.resolve("killed");
        String before = text(campaign.resolve("campaign.json"));
        Path log = work.resolve("overwrite.log");
        Process running = start(log, with("--blocks", "2", "--out", campaign.toString()));
        assertThat(running.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(running.exitValue()).isEqualTo(2);
        assertThat(text(log)).contains("already exists").doesNotContain("\tat ");
        assertThat(text(campaign.resolve("campaign.json"))).isEqualTo(before);
    }
}
