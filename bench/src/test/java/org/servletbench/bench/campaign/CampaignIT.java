package org.servletbench.bench.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

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
            "--warmup",
            "2s",
            "--rounds",
            "1",
            "--tiers",
            "10",
            "--seed",
            "42",
            "--limit",
            "0s");

    @TempDir
    static Path work;

    private static List<String> command(List<String> arguments) throws IOException {
        Path small = work.resolve("small.options");
        Files.writeString(small, "-Xmx256m -Xss256k\n");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dmaven.home=" + System.getProperty("maven.home"),
                "-Dmaven.repo.local=" + System.getProperty("maven.repo.local"),
                "-cp",
                System.getProperty("java.class.path"),
                "org.servletbench.bench.cli.Main",
                "compare",
                "--root",
                ROOT.toString()));
        command.addAll(arguments);
        if (!arguments.contains("--resume")) {
            command.addAll(List.of("--jvm-options", small.toString()));
        }
        return command;
    }

    private static Process start(Path log, List<String> arguments) throws IOException {
        return new ProcessBuilder(command(arguments))
                .redirectErrorStream(true)
                .redirectInput(new File("/dev/null"))
                .redirectOutput(log.toFile())
                .start();
    }

    private static List<String> with(String... more) {
        return Stream.concat(SMALL.stream(), Stream.of(more)).toList();
    }

    private static String text(Path file) throws IOException {
        return Files.readString(file, StandardCharsets.UTF_8);
    }

    /** Of the servers, generators and wardens of this campaign: all have its folder or jar on their command lines. */
    private static List<String> leftovers() throws IOException {
        List<String> found = new ArrayList<>();
        try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
            for (Path process : processes.toList()) {
                if (process.getFileName().toString().matches("\\d+")
                        && Long.parseLong(process.getFileName().toString())
                                != ProcessHandle.current().pid()) {
                    try {
                        String cwd =
                                Files.readSymbolicLink(process.resolve("cwd")).toString();
                        if (cwd.startsWith(work.toString())) {
                            found.add(cwd);
                        }
                    } catch (IOException e) {
                        // It has ended since.
                    }
                }
            }
        }
        return found;
    }

    private static void awaitNoLeftovers() throws IOException, InterruptedException {
        for (int i = 0; i < 75 && !leftovers().isEmpty(); i++) {
            Thread.sleep(200);
        }
        assertThat(leftovers()).isEmpty();
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
        String planned = text(campaign.resolve("campaign.json"));
        for (int kill = 0; kill < 2; kill++) {
            Thread.sleep(random.nextInt(14_000));
            long before = measured(campaign);
            running.destroyForcibly().waitFor();
            awaitNoLeftovers();
            assertThat(measured(campaign)).as("nothing is lost").isGreaterThanOrEqualTo(before);
            assertThat(CampaignFolder.read(campaign).problems()).isEmpty();
            running = start(work.resolve("resumed" + kill + ".log"), List.of("--resume", campaign.toString()));
        }
        assertThat(running.waitFor(4, TimeUnit.MINUTES)).isTrue();
        assertThat(running.exitValue()).as(text(work.resolve("resumed1.log"))).isZero();
        assertThat(text(campaign.resolve("campaign.json"))).isEqualTo(planned);
        CampaignFolder read = CampaignFolder.read(campaign);
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
        awaitNoLeftovers();
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

        assertThat(running.waitFor(4, TimeUnit.MINUTES)).isTrue();
        assertThat(running.exitValue()).as(text(log)).isZero();
        Campaign longer = CampaignFolder.read(campaign).campaign();
        assertThat(longer.order())
                .hasSize(3)
                .startsWith(before.campaign().order().toArray(List[]::new));
        assertThat(measured(campaign)).isEqualTo(9);
    }

    @Test
    @Order(3)
    void anOldFolderIsNeverOverwritten() throws Exception {
        Path campaign = work.resolve("killed");
        String before = text(campaign.resolve("campaign.json"));
        Path log = work.resolve("overwrite.log");
        Process running = start(log, with("--blocks", "2", "--out", campaign.toString()));
        assertThat(running.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(running.exitValue()).isEqualTo(2);
        assertThat(text(log)).contains("is there already").doesNotContain("\tat ");
        assertThat(text(campaign.resolve("campaign.json"))).isEqualTo(before);
    }
}
