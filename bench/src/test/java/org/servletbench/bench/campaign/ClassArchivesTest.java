package org.servletbench.bench.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.comparison.ArmSpec;
import org.servletbench.bench.model.ArchiveKind;
import org.servletbench.bench.model.ContainerProfile;
import org.servletbench.bench.model.JvmOptions;
import org.servletbench.bench.model.Sha256;
import org.servletbench.bench.model.ThreadingMode;
import org.servletbench.bench.model.Threads;
import org.servletbench.bench.model.WarmUpPlan;
import org.servletbench.bench.model.Workload;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.ServerRun;
import org.servletbench.bench.record.WarmStart;
import org.servletbench.bench.server.process.Jdk;
import org.servletbench.bench.server.process.TargetSpec;

class ClassArchivesTest {

    private static final Jdk JDK = new Jdk(Path.of("/opt/25"), "25.0.3", "25.0.3+9", "Adoptium", "HotSpot");

    @TempDir
    private Path work;

    // ---- draws ----

    private static List<Integer> draws(long seed, String arm, int blocks, int caches) {
        return IntStream.rangeClosed(1, blocks)
                .mapToObj(block -> ClassArchives.draw(seed, arm, block, caches))
                .toList();
    }

    @Test
    void everyCacheIsDrawnOnceBeforeAnyIsDrawnAgain() {
        for (long seed = 1; seed <= 50; seed++) {
            List<Integer> draws = draws(seed, "jetty", 12, 3);
            for (int cycle = 0; cycle < 12; cycle += 3) {
                assertThat(draws.subList(cycle, cycle + 3)).containsExactlyInAnyOrder(1, 2, 3);
            }
        }
    }

    @Test
    void drawsFollowFromSeedArmAndBlockAlone() {
        assertThat(draws(7, "jetty", 30, 3))
                .isEqualTo(draws(7, "jetty", 30, 3))
                .startsWith(draws(7, "jetty", 10, 3).toArray(Integer[]::new))
                .isNotEqualTo(draws(8, "jetty", 30, 3))
                .isNotEqualTo(draws(7, "jetty-control", 30, 3));
        assertThat(draws(7, "jetty", 4, 1)).containsOnly(1);
    }

    @Test
    void eachOrderIsAsLikelyAsAnyOther() {
        int[] first = new int[4];
        for (long seed = 0; seed < 3000; seed++) {
            first[ClassArchives.draw(seed, "tomcat-nio", 1, 3)]++;
        }
        // 1000 each are expected; the standard deviation is 26.
        assertThat(first[1]).isBetween(870, 1130);
        assertThat(first[2]).isBetween(870, 1130);
        assertThat(first[3]).isBetween(870, 1130);
    }

    // ---- keys ----

    private Arm arm(String sha256, Arm.Role role) {
        return new Arm(
                new Arm.Identity("a", "a", "boot3", role),
                new Arm.Stack("jetty", "boot3", "jetty", "s"),
                new Arm.Build("12", "3.5", "app.jar", sha256),
                Threads.PLATFORM,
                WarmStart.NONE,
                ArmSpec.USUAL);
    }

    private TargetSpec spec(Jdk jdk, String options, String settings) throws IOException {
        return new TargetSpec(
                new TargetSpec.Application(
                        Path.of("app.jar"),
                        new ContainerProfile(
                                "jetty", "Jetty", "jetty", "s", "C", List.of("boot3"), "", Optional.empty()),
                        "boot3",
                        "3.5",
                        "12",
                        Optional.empty()),
                new TargetSpec.Start(
                        jdk,
                        new JvmOptions(List.of(options), Path.of("o")),
                        "equalised",
                        Files.writeString(work.resolve("settings.properties"), settings),
                        List.of()),
                new TargetSpec.Endpoint(TargetSpec.LOOPBACK, OptionalInt.empty(), Duration.ofSeconds(1), "/"),
                ThreadingMode.USUAL,
                ArmSpec.USUAL);
    }

    private static ClassArchives.Training training(int seconds, String path) {
        WarmUpPlan load =
                new WarmUpPlan(Duration.ofSeconds(10), 6, Duration.ofSeconds(2), Duration.ofSeconds(1), 5, 3, 20, 10);
        return new ClassArchives.Training(
                ArchiveKind.AOT, 3, Duration.ofSeconds(seconds), load, List.of(new Workload("w", path, 1, 1)));
    }

    private String key(Arm arm, TargetSpec spec, ClassArchives.Training training) throws IOException {
        return new ClassArchives(work, 1, training).key(arm, spec);
    }

    /** Keys are written next to the archives, which stay for the next campaign. */
    @Test
    void aKeyHasNoValueThatIsHidden() throws IOException {
        Jdk jdk = Jdk.own();
        Arm arm = arm("aa", Arm.Role.BASELINE);
        String one = key(arm, spec(jdk, "-Dshop.mode=planted1", "a=b"), training(1, "/x?q=planted2"));
        assertThat(one).contains("-Dshop.mode=sha256:", "q=sha256:").doesNotContain("planted");
        assertThat(key(arm, spec(jdk, "-Dshop.mode=planted3", "a=b"), training(1, "/x?q=planted2")))
                .as("another value is another archive")
                .isNotEqualTo(one);
    }

    private static ServerRun measured(String arm, int number, String sha256) {
        return new ServerRun(
                ServerRun.FORMAT,
                new ServerRun.Run(1, 1, arm, 1, "", "", ServerRun.MEASURED),
                new ServerRun.Before(
                        Map.of("aot.number", Integer.toString(number), "aot.sha256", sha256), Map.of(), null),
                new ServerRun.Results(List.of(), null, List.of(), null));
    }

    @Test
    void aCampaignGoesOnWithTheCachesThatItBeganWith() throws IOException {
        Arm arm = arm("1", Arm.Role.ARM);
        TargetSpec spec = spec(JDK, "-Xmx1g", "a=1");
        ClassArchives archives = new ClassArchives(work, 1, training(40, "/hello"));
        String key = key(arm, spec, training(40, "/hello"));
        assertThat(new ClassArchives(work.resolve("moved"), 1, training(40, "/hello")).key(arm, spec))
                .as("a clone that moved trains anew: a JVM refuses an archive of jars with another path")
                .isNotEqualTo(key);
        Path own = Files.createDirectories(archives.own(arm, key));
        Path second = Files.writeString(own.resolve("aot-2"), "profiles");
        List<ServerRun> before = List.of(measured("a", 2, Sha256.of(second)), measured("b", 1, "another arm's"));

        // No block used the first one.
        archives.requireSame(arm, spec, before);
        Files.writeString(second, "other profiles");
        assertThatThrownBy(() -> archives.requireSame(arm, spec, before))
                .hasMessageContaining("the AOT cache 2 with which servers of a were measured is gone, or another one")
                .hasMessageContaining(second.toString());
        Files.delete(second);
        assertThatThrownBy(() -> archives.requireSame(arm, spec, before)).hasMessageContaining("is gone");
        assertThatThrownBy(() -> archives.requireSame(arm, spec(JDK, "-Xmx2g", "a=1"), before))
                .hasMessageContaining("is gone");
    }

    @Test
    void aCacheIsUsedAgainOnlyWhereEverythingIsTheSame() throws IOException {
        Arm arm = arm("1", Arm.Role.ARM);
        ClassArchives.Training training = training(40, "/hello");
        Jdk other = new Jdk(JDK.home(), "25.0.4", "25.0.4+1", JDK.vendor(), JDK.vm());
        String key = key(arm, spec(JDK, "-Xmx1g", "a=1"), training);

        Set<String> keys = new HashSet<>(List.of(
                key,
                key(arm("2", Arm.Role.ARM), spec(JDK, "-Xmx1g", "a=1"), training),
                key(arm("1", Arm.Role.CONTROL), spec(JDK, "-Xmx1g", "a=1"), training),
                key(arm, spec(other, "-Xmx1g", "a=1"), training),
                key(arm, spec(JDK, "-Xmx2g", "a=1"), training),
                key(arm, spec(JDK, "-Xmx1g", "a=2"), training),
                key(arm, spec(JDK, "-Xmx1g", "a=1"), training(41, "/hello")),
                key(arm, spec(JDK, "-Xmx1g", "a=1"), training(40, "/")),
                key(
                        arm,
                        spec(JDK, "-Xmx1g", "a=1"),
                        new ClassArchives.Training(
                                ArchiveKind.CDS, 3, training.length(), training.load(), training.workloads()))));

        assertThat(keys).hasSize(9);
        Workload slow = new Workload("w", "/delay/20", 5, 5, true, "", "/hello");
        assertThat(key(
                        arm,
                        spec(JDK, "-Xmx1g", "a=1"),
                        new ClassArchives.Training(
                                ArchiveKind.AOT, 3, training.length(), training.load(), List.of(slow))))
                .as("trained with what it is warmed up with")
                .isEqualTo(key);
        assertThat(key(arm, spec(JDK, "-Xmx1g", "a=1"), training)).isEqualTo(key);
        assertThat(key(arm("1", Arm.Role.BASELINE), spec(JDK, "-Xmx1g", "a=1"), training))
                .as("the baseline of one campaign is an arm of the next")
                .isEqualTo(key);
    }
}
