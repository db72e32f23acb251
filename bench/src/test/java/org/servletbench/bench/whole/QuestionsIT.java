package org.servletbench.bench.whole;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.servletbench.bench.Leftovers;
import org.servletbench.bench.cli.Main;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Scheduling;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.record.CpuProfile;
import org.servletbench.bench.record.ServerRun;
import org.servletbench.bench.server.Jdks;
import org.servletbench.bench.server.os.ControlGroup;
import org.servletbench.bench.server.process.Jdk;

/**
 * The only test with real servers of campaigns of starts with an archive, of an article with a tool and claims, at
 * fixed rates with small heaps and two baselines, of connection pools, with factors, and with profiles.
 */
@Execution(ExecutionMode.CONCURRENT)
class QuestionsIT {

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

    @Test
    void aKilledCampaignOfStartsIsResumedAndEndsWithVerdicts() throws Exception {
        Path campaign = own.resolve("starts");
        Rig.Run first = rig.start(
                own,
                "first.log",
                "compare startup --arms tomcat-nio,tomcat-nio:archive=cds --blocks 2 --limit 0s" + rig.small()
                        + " --out " + campaign);
        first.await(() -> Files.exists(campaign.resolve("blocks/1")));
        first.process().destroyForcibly().waitFor();
        Leftovers.awaitNone(own);

        // Two blocks are too few to decide anything: the campaign may end void, but must not crash.
        String said =
                rig.start(own, "second.log", "compare --resume " + campaign).ends(0, 1, 3);
        CampaignFolder read = CampaignFolder.read(campaign);
        assertThat(read.problems()).isEmpty();
        assertThat(read.completeBlocks()).as(said).isEqualTo(2);
        assertThat(read.campaign().hasEnded()).isTrue();
        assertThat(read.serverRuns().stream().filter(ServerRun::measured))
                .hasSize(6)
                .allSatisfy(serverRun -> {
                    assertThat(serverRun.warmUp()).isNull();
                    assertThat(serverRun.loads()).hasSize(1);
                    assertThat(serverRun.startUp().get("ready")).isBetween(300.0, 60_000.0);
                    assertThat(serverRun.startUp().get("ready.cpu")).isBetween(100.0, 60_000.0);
                    assertThat(serverRun.startUp().get("ready.rss")).isBetween(3e7, 2e9);
                    assertThat(serverRun.startUp().get("jvm.classes.loaded")).isGreaterThan(5000);
                    assertThat(serverRun.startUp().get("jvm.threads.live")).isBetween(5.0, 300.0);
                    assertThat(serverRun.proven()).containsKey("container");
                    assertThat(serverRun.proven().containsKey("cds.sha256"))
                            .isEqualTo(serverRun.arm().equals("tomcat-nio-cds"));
                });
        assertThat(said).contains("block 2/2: ").contains("Time to ready");
        assertThat(campaign.resolve("index.html")).exists();
        Leftovers.awaitNone(own);
    }

    /**
     * Two starts of each arm under load, next to the companion of their block. What a start did not reach has no
     * number.
     */
    @Test
    @Tag("full")
    void startsUnderLoadHaveACourse() throws Exception {
        Path campaign = own.resolve("peak");
        String said = rig.start(
                        own,
                        "peak.log",
                        "compare time-to-peak --arms tomcat-nio,jetty --blocks 2 --limit 0s"
                                + " --set measure={'peak':'26s','warmup':'1s'}" + rig.small() + " --out " + campaign)
                .ends(0, 1, 3, 4);
        CampaignFolder read = CampaignFolder.read(campaign);
        assertThat(read.problems()).isEmpty();
        assertThat(read.completeBlocks()).as(said).isEqualTo(2);
        assertThat(read.serverRuns().stream().filter(ServerRun::measured))
                .hasSize(6)
                .allSatisfy(serverRun -> {
                    assertThat(serverRun.course().seconds()).isEqualTo(26);
                    assertThat(serverRun.course().rates()).hasSize(26).last().satisfies(rate -> assertThat(rate)
                            .isPositive());
                    Map<String, Double> moments = serverRun.startUp();
                    assertThat(moments.keySet().containsAll(List.of("peak", "peak.cpu", "peak.lost")))
                            .isEqualTo(moments.containsKey("peak"));
                    assertThat(moments.getOrDefault("peak", 13.0)).isBetween(0.3, 13.0);
                    Path folder = campaign.resolve(CampaignFolder.usualFolder(serverRun));
                    assertThat(folder.resolve("peak.csv")).exists();
                    assertThat(folder.resolve("second-start/server.json")).exists();
                });
        try (Stream<Path> all = Files.list(campaign.resolve("blocks/1"))) {
            assertThat(all.filter(one -> one.getFileName().toString().startsWith("companion")))
                    .hasSize(1);
        }
        assertThat(page("peak")).contains("From the start to the peak");
        Leftovers.awaitNone(own);
    }

    private static void requireMemoryLimits() {
        if (!ControlGroup.canLimitMemory()) {
            Assumptions.abort("this user cannot limit memory: run as root");
        }
    }

    private CampaignFolder small(String name, String comparison) throws Exception {
        Path campaign = own.resolve(name);
        String said = rig.start(
                        own,
                        name + ".log",
                        "compare " + comparison + " --blocks 2 --hold 2s --limit 0s --set measure.warmup=500ms"
                                + " --set measure.rounds=1" + rig.small() + " --out " + campaign)
                // Two blocks of servers that are not warm: the campaign may end void, but must not crash.
                .ends(0, 1, 3);
        CampaignFolder read = CampaignFolder.read(campaign);
        assertThat(read.completeBlocks()).as(said).isEqualTo(2);
        assertThat(campaign.resolve("index.html")).exists();
        Leftovers.awaitNone(own);
        return read;
    }

    /**
     * Each server has a profile, taken after the counted load, or a reason why there is none. The options of its JVM
     * are on record.
     */
    @Test
    @Tag("full")
    void withExplainEachServerHasAProfile() throws Exception {
        CampaignFolder read = small("cpu-profile", "quick --arms tomcat-nio,undertow --cpu-profile");

        List<ServerRun> measured =
                read.serverRuns().stream().filter(ServerRun::measured).toList();
        assertThat(measured).hasSizeGreaterThanOrEqualTo(6).allSatisfy(serverRun -> {
            assertThat(serverRun.loads().get(0).figures())
                    .containsKeys("cpu.user", "cpu.system", "switches.voluntary", "writes", "cpu.container");
            assertThat(serverRun.proven().get("jvm.options")).contains("-XX:+DebugNonSafepoints");
        });
        List<CpuProfile> profiles = measured.stream()
                .map(ServerRun::profile)
                .filter(Objects::nonNull)
                .toList();
        assertThat(profiles).hasSizeGreaterThan(measured.size() / 2).allSatisfy(profile -> {
            assertThat(profile.samples()).isPositive();
            assertThat(profile.layers()).containsKey("container");
        });
        // While other tests run, a profiler may miss too much.
        assertThat(Files.readAllLines(own.resolve("cpu-profile.log")))
                .filteredOn(line -> line.contains("has no profile"))
                .hasSize(measured.size() - profiles.size())
                .allMatch(line -> line.contains("the profiler saw "));
        List<String> profiled = measured.stream()
                .filter(serverRun -> serverRun.profile() != null)
                .map(ServerRun::arm)
                .toList();
        assertThat(own.resolve("cpu-profile/flame/undertow-against-tomcat-nio.html")
                        .toFile()
                        .exists())
                .isEqualTo(profiled.containsAll(List.of("undertow", "tomcat-nio")));
        assertThat(page("cpu-profile")).contains("Where the CPU time goes");
    }

    /** Returns the commands of docs/results, each once, without those that need a third-party jar, agent or JDK. */
    private static List<String> published() throws IOException {
        List<String> published = new ArrayList<>();
        try (Stream<Path> folders = Files.list(Rig.ROOT.resolve("docs/results"))) {
            for (Path entry : folders.map(folder -> folder.resolve("entry.json"))
                    .filter(Files::exists)
                    .sorted()
                    .toList()) {
                published.add(Json.MAPPER
                        .readTree(entry.toFile())
                        .path("command")
                        .asText()
                        .replaceFirst(".*? compare ", "")
                        .replaceAll(" --(blocks|limit|set=stop\\.\\w+)=\\S+", ""));
            }
        }
        List<String> commands = published.stream()
                .filter(command -> !command.isEmpty()
                        && !command.matches("observability:unexported\\b.*|.* --(app|jdk|set=arms\\.\\S+\\.jdk)\\b.*"))
                // Another test covers profiles. The load and its duration are set below.
                .map(command -> command.replaceAll(" --(cpu-profile|hold|users)(=\\S+)?", ""))
                .distinct()
                .toList();
        assertThat(commands).isNotEmpty();
        return commands;
    }

    @Test
    void theCommandsThatArePublishedArePlanned() throws Exception {
        Rig.buildMicronaut(own);
        for (String command : published()) {
            List<String> words = new ArrayList<>(List.of("compare", "--dry-run", "--root", Rig.ROOT.toString()));
            words.addAll(List.of(command.split(" +")));
            StringWriter out = new StringWriter();
            StringWriter err = new StringWriter();
            assertThat(Main.run(new PrintWriter(out), new PrintWriter(err), words.toArray(String[]::new)))
                    .as(command + err)
                    .isZero();
            assertThat(out.toString()).as(command).contains("block 1");
        }
    }

    /** One command stands for all, with two of its arms; {@link #theOtherCommandsThatArePublishedRun} covers others. */
    @Test
    void aCommandThatIsPublishedRuns() throws Exception {
        String containers = published().stream()
                .filter(command -> command.startsWith("containers"))
                .findFirst()
                .orElseThrow();
        small("published", containers + " --users 10 --arms=tomcat-nio,jetty");
    }

    /** {@link CommandArmIT} runs {@code frameworks}. */
    @Test
    @Tag("full")
    void theOtherCommandsThatArePublishedRun() throws Exception {
        List<String> commands = published();
        for (int i = 0; i < commands.size(); i++) {
            if (!commands.get(i).matches("frameworks\\b.*")) {
                small("published-" + i, commands.get(i) + " --users 10");
            }
        }
    }

    /** The heap is a share of the memory limit, as the JVM, the record and the page report it. */
    @Test
    @Tag("full")
    void heapsAreSharesOfTheMemoryLimit() throws Exception {
        requireMemoryLimits();
        CampaignFolder read = small(
                "heap-sizing",
                "heap-sizing --users 10 --set judge=cpu --set margin=10% --set stop.precision=9%"
                        + " --set measure.generator-warmup=1s --set load.0.workloads=hello");

        List<ServerRun> measured =
                read.serverRuns().stream().filter(ServerRun::measured).toList();
        assertThat(measured).hasSizeGreaterThanOrEqualTo(8).allSatisfy(serverRun -> {
            assertThat(serverRun.proven().get("jvm.options"))
                    .contains("-XX:MaxRAMPercentage")
                    .doesNotContain("-Xm");
            assertThat(serverRun.proven().get("memory.limit")).isEqualTo("2048 MiB");
            long mib = Long.parseLong(serverRun.proven().get("jvm.heap.MaxHeapSize")) >> 20;
            assertThat(mib)
                    .isEqualTo(
                            switch (serverRun.arm()) {
                                case "half" -> 1024;
                                case "three-quarters" -> 1536;
                                default -> 512;
                            });
            assertThat(page("heap-sizing")).contains(mib + " MiB, ");
        });
        assertThat(page("heap-sizing")).contains("heap, as its JVM reports it");
    }

    /** Each server has its limit, which its JVM sees, and the kernel's counters are among the figures. */
    @Test
    @Tag("full")
    void aLimitOfCpuTimeIsSeenAndThrottles() throws Exception {
        if (!ControlGroup.canLimitProcessors()) {
            Assumptions.abort("this user cannot limit CPU time: run as root");
        }
        CampaignFolder read = small(
                "cpu-limits",
                "cpu-limits --set judge=cpu --set measure.generator-warmup=1s --set load=[{'workloads':payload,'users':[10]}]"
                        + " --set margin=10% --set stop.precision=9%");

        List<ServerRun> measured =
                read.serverRuns().stream().filter(ServerRun::measured).toList();
        assertThat(measured).hasSizeGreaterThanOrEqualTo(8).allSatisfy(serverRun -> {
            Map<String, Double> figures = serverRun.loads().get(0).figures();
            assertThat(serverRun.proven().get(Scheduling.FACT)).isEqualTo(Scheduling.CONTROL_GROUP.toString());
            String limit = serverRun.proven().get("cpu.limit");
            if (serverRun.arm().startsWith("unlimited")) {
                assertThat(limit).isEqualTo("none");
                assertThat(figures.get("throttled")).isZero();
            } else {
                int millis = Map.of("half", 500, "third", 350, "quarter", 250).get(serverRun.arm());
                assertThat(limit).isEqualTo(millis + "m");
                assertThat(serverRun.proven().get("jvm.processors")).isEqualTo("1");
                // The kernel gives no more, except at the edges of a window of 2 s.
                assertThat(figures.get("server.cores")).isLessThan(1.1e-3 * millis);
                assertThat(figures).containsKeys("throttled", "throttled.periods");
            }
        });
        // A server only waits for its quota if others leave it enough of the processor.
        assertThat(measured)
                .filteredOn(serverRun -> !serverRun.arm().startsWith("unlimited"))
                .anySatisfy(serverRun -> {
                    Map<String, Double> figures = serverRun.loads().get(0).figures();
                    assertThat(figures.get("throttled")).isPositive();
                    assertThat(figures.get("throttled.periods")).isPositive();
                });
        assertThat(page("cpu-limits")).contains("Time throttled");
    }

    /**
     * Every server's record has the mean wait for a connection. The arms with virtual threads are left out, because
     * they need JDK 21 or newer.
     */
    @Test
    @Tag("full")
    void waitsForAConnectionAreFigures() throws Exception {
        CampaignFolder read = small(
                "pools",
                "pools --arms pool-8,pool-2 --set server.heap=128m --set load.0.users=10"
                        + " --set measure.generator-warmup=1s");

        assertThat(read.serverRuns().stream().filter(ServerRun::measured))
                .hasSizeGreaterThanOrEqualTo(6)
                .allSatisfy(serverRun -> {
                    assertThat(serverRun.proven())
                            .containsEntry("effective.pool.max", serverRun.arm().equals("pool-2") ? "2" : "8");
                    assertThat(serverRun.loads()).hasSize(2).allSatisfy(load -> {
                        assertThat(load.errors()).isZero();
                        assertThat(load.figures())
                                .hasEntrySatisfying(Metric.POOL_WAIT.key(), milliseconds -> assertThat(milliseconds)
                                        .isPositive());
                    });
                });
        assertThat(page("pools")).contains("Mean wait for a database connection");
    }

    /**
     * Four combinations of two factors on one JDK, and an arm on another. Each JVM reports what its arm asks for, and
     * the page has a row for the JDK, each factor and their pair.
     */
    @Test
    @Tag("full")
    void factorsHaveEffects() throws Exception {
        Jdk recent = Jdks.recent();
        CampaignFolder read = small(
                "upgrade",
                // It starts faster than the services of other tests.
                "upgrade --app " + Rig.ROOT.resolve("target-apps/spring-boot/target/tomcat-nio-boot3/app.jar")
                        + " --url /payload --users 5 --jdk " + recent.home() + " --set arms.jdk-17.jdk=" + Jdk.ownHome()
                        + " --set factors={'gc':[g1,serial],'headers':[usual,compact]}"
                        // The options of all servers choose a collector, and a JVM has only one.
                        + " --set server.jvm=[-XX:ParallelGCThreads=1,-XX:-UseSerialGC]"
                        + " --set measure.generator-warmup=1s");

        assertThat(read.campaign().arms())
                .extracting(Arm::id)
                .containsExactlyInAnyOrder(
                        "jdk-17", "g1-usual", "g1-compact", "serial-usual", "serial-compact", "jdk-17-control");
        assertThat(read.campaign().plan().factorial().orElseThrow().combinations())
                .containsOnlyKeys("g1-usual", "g1-compact", "serial-usual", "serial-compact");
        assertThat(read.serverRuns().stream().filter(ServerRun::measured))
                .hasSizeGreaterThanOrEqualTo(12)
                .allSatisfy(serverRun -> {
                    String arm = serverRun.arm();
                    Map<String, String> proven = serverRun.proven();
                    assertThat(proven.get("jvm.version"))
                            .isEqualTo(arm.startsWith("jdk-17") ? Jdk.own().version() : recent.version());
                    assertThat(proven.get("jvm.collectors"))
                            .startsWith(arm.startsWith("serial") ? "Copy, MarkSweepCompact" : "G1 ");
                    assertThat(proven.get("jvm.options").contains("-XX:+UseCompactObjectHeaders"))
                            .isEqualTo(arm.endsWith("compact"));
                });
        assertThat(page("upgrade"))
                .contains(
                        "strips effects",
                        ">JDK: " + Jdk.own().version() + " → " + recent.version() + "<",
                        ">gc: g1 → serial<",
                        ">headers: usual → compact<",
                        ">gc × headers<");
        assertThat(Files.readAllLines(own.resolve("upgrade/tables/effects.csv")))
                .as("four effects on two metrics")
                .hasSize(1 + 2 * 4);
    }

    /** Spans reach the collector only from servers that are to export them. */
    @Test
    @Tag("full")
    void whatIsToExportDoes() throws Exception {
        CampaignFolder read = small(
                "observability",
                "observability --arms plain,starter,starter-exports,tracing,tracing-exports --users 10"
                        + " --set measure.generator-warmup=1s --set measure.slice=250ms");

        List<ServerRun> measured =
                read.serverRuns().stream().filter(ServerRun::measured).toList();
        assertThat(measured).hasSizeGreaterThanOrEqualTo(12).allSatisfy(serverRun -> {
            Map<String, Double> figures = serverRun.loads().get(0).figures();
            if (serverRun.arm().endsWith("-exports")) {
                assertThat(figures.get("spans")).as(serverRun.arm()).isPositive();
            } else if (serverRun.arm().startsWith("plain")) {
                assertThat(figures).doesNotContainKey("spans");
            } else {
                assertThat(figures.get("spans")).as(serverRun.arm()).isZero();
            }
        });
        assertThat(page("observability")).contains("Spans exported per request");
    }

    private String page(String name) throws IOException {
        return Files.readString(own.resolve(name).resolve("index.html"));
    }

    /** The settings of the article reach ab, and the article's claims are judged. */
    @Test
    @Tag("full")
    void anArticleIsAComparisonWithClaims() throws Exception {
        CampaignFolder read = small("article", "published/ab-startup --set load.0.requests=300");

        assertThat(read.campaign().plan().claims().all()).hasSize(2);
        assertThat(read.serverRuns().stream().filter(ServerRun::measured))
                .hasSizeGreaterThanOrEqualTo(8)
                .allSatisfy(serverRun -> assertThat(serverRun.loads())
                        .singleElement()
                        .satisfies(result -> {
                            assertThat(result.load().settings().keepAlive()).isFalse();
                            assertThat(result.requests()).isEqualTo(300);
                            assertThat(result.errors()).isZero();
                        }));
        assertThat(Files.readString(own.resolve("article.log"))).contains("claim: undertow is clearly the fastest: ");
        assertThat(page("article")).contains("可以清楚的看到Undertow很明显是最快的", "+1.4 %, against the claim");
    }

    @Test
    @Tag("full")
    void rateAndSmallHeapsAreMeasured() throws Exception {
        requireMemoryLimits();
        CampaignFolder read = small(
                "heaps",
                "small-heaps --rates 40 --set judge=cpu --set measure.generator-warmup=1s --set"
                        // Words must not contain blanks; YAML accepts a quoted key without one.
                        + " arms={tomcat-128m:{'container':tomcat-nio,'heap':128m,'memory':512m},"
                        + "tomcat-96m:{'container':tomcat-nio,'heap':96m,'memory':480m,'against':tomcat-96m}}");

        assertThat(read.campaign().groups()).containsExactlyInAnyOrder("tomcat-128m", "tomcat-96m");
        assertThat(read.serverRuns().stream().filter(ServerRun::measured))
                .hasSizeGreaterThanOrEqualTo(8)
                .allSatisfy(serverRun -> {
                    assertThat(serverRun.loads()).hasSize(1);
                    assertThat(serverRun.proven().get("jvm.options"))
                            .contains(serverRun.arm().contains("128m") ? "-Xmx128m" : "-Xmx96m")
                            .doesNotContain("AlwaysPreTouch");
                    assertThat(serverRun.proven().get("memory.limit"))
                            .isEqualTo(serverRun.arm().contains("128m") ? "512 MiB" : "480 MiB");
                    assertThat(serverRun.loads().get(0).figures()).containsKey("memory.peak");
                });
        assertThat(page("heaps"))
                .contains("Cost and response times at fixed rates")
                .contains("Each arm with each heap")
                .contains("as a container does (")
                .contains("hold");
    }
}
