package org.servletbench.bench.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.model.Cell;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.model.Options;
import org.servletbench.bench.model.ProfilesFolder;
import org.servletbench.bench.model.Threads;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.record.Arm;

class PlannerTest {

    private static final ProfilesFolder PROFILES = new ProfilesFolder(Path.of("../profiles"));
    private static final String PRE_TOUCH = "-XX:+AlwaysPreTouch";

    @TempDir
    private Path folder;

    private static Options options(Map<String, String> given) {
        return Planner.options("--", given, PROFILES);
    }

    @Test
    void aShareIsNeverPrimary() {
        assertThatThrownBy(() -> Planner.draft(options(Map.of("primary", "gc")), PROFILES, line -> {}))
                .isInstanceOf(UsageException.class)
                .hasMessageStartingWith("--primary gc: a share may be 0");
    }

    @Test
    void moreWindowsThanALogHasNamesForAreRejected() {
        Map<String, String> windows = new HashMap<>(Map.of("turn", "0s", "tiers", "10,20", "rounds", "31"));
        assertThatThrownBy(() -> Planner.draft(options(windows), PROFILES, line -> {}))
                .as("quick: four arms and the control")
                .isInstanceOf(UsageException.class)
                .hasMessageStartingWith("310 windows for each run of gatling are more than the 300");
        windows.put("together", "false");
        assertThatCode(() -> Planner.draft(options(windows), PROFILES, line -> {}))
                .doesNotThrowAnyException();
        windows.remove("together");
        windows.remove("turn");
        assertThatCode(() -> Planner.draft(options(windows), PROFILES, line -> {}))
                .as("turns of one server share a name")
                .doesNotThrowAnyException();
    }

    @Test
    void whatCannotReachAnApplicationOfTheUsersOwnIsRejected() throws IOException {
        String jar = Files.writeString(folder.resolve("own.jar"), "").toString();
        Map.of("threads", "virtual", "db.url", "jdbc:h2:mem:x", "jdk", "/a,/b", "boot4.version", "4.0.1")
                .forEach((option, value) -> assertThatThrownBy(
                                () -> ArmList.own(new Options("--", Map.of("jar", jar, option, value), Map.of())))
                        .isInstanceOf(UsageException.class)
                        .hasMessageContaining("--"));
    }

    @Test
    void aGeneratorWithoutTheOpenModelIsLeftOutOfRatesWithALine() {
        List<String> said = new ArrayList<>();
        Planner.draft(options(Map.of("rates", "500", "generators", "gatling,jmeter")), PROFILES, said::add);
        assertThat(said).contains("left out: --rates with jmeter, which has no open model in campaigns");
    }

    private Path file(String options) throws IOException {
        return Files.writeString(folder.resolve("own.options"), options);
    }

    @Test
    void aCampaignTouchesTheHeapFirstAndASingleRunDoesNot() throws IOException {
        assertThat(Planner.jvmOptions(options(Map.of()), PROFILES).values())
                .startsWith("-Xms2g")
                .endsWith(PRE_TOUCH);
        assertThat(PROFILES.jvmOptions().values()).doesNotContain(PRE_TOUCH);
        assertThat(Planner.jvmOptions(options(Map.of("pre-touch", "false")), PROFILES))
                .as("as published")
                .isEqualTo(PROFILES.jvmOptions());
        assertThat(Planner.jvmOptions(
                                options(Map.of("jvm.options", file("-Xmx1g").toString())), PROFILES)
                        .values())
                .containsExactly("-Xmx1g", PRE_TOUCH);
    }

    @Test
    void whoeverSaysWhetherTheHeapIsTouchedIsHeard() throws IOException {
        for (String own : new String[] {"-XX:-AlwaysPreTouch", PRE_TOUCH}) {
            assertThat(Planner.jvmOptions(
                                    options(Map.of("jvm.options", file(own).toString())), PROFILES)
                            .values())
                    .containsExactly(own);
        }
    }

    @Test
    void residentMemoryIsNoMetricToJudgeWhereItIsTheHeap() throws IOException {
        assertThatThrownBy(() -> Planner.draft(options(Map.of("primary", "rss")), PROFILES, line -> {}))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("--primary rss")
                .hasMessageContaining("-XX:-AlwaysPreTouch");
        Map<String, String> off = Map.of(
                "primary", "rss", "jvm.options", file("-XX:-AlwaysPreTouch").toString());
        assertThat(Planner.draft(options(off), PROFILES, line -> {}).plan().primary())
                .containsExactly("rss");
    }

    @Test
    void startsAreAPlanWithoutLoadAndWithoutATouchedHeap() {
        Options options = options(Map.of("plan", "startup"));
        Planner.Draft draft = Planner.draft(options, PROFILES, line -> {});

        assertThat(draft.plan().cells()).containsExactly(Cell.START_UP);
        assertThat(draft.plan().generators()).isEmpty();
        assertThat(draft.plan().together()).isFalse();
        assertThat(draft.plan().precision()).isZero();
        assertThat(draft.plan().primary()).containsExactly("ready", "ready.rss");
        assertThat(Planner.jvmOptions(options, PROFILES).values()).doesNotContain(PRE_TOUCH);
        assertThat(Forecast.of(draft.plan(), draft.arms(), options).lines())
                .anyMatch(line -> line.contains("from start to start"));
    }

    @Test
    void aSearchForTheHighestRateFromLoadHostsIsRejectedBeforeAServerStarts() {
        Options options = options(
                Map.of("plan", "capacity", "target.host", "a", "load.hosts", "b,c", "target.allow-remote", "true"));

        assertThatThrownBy(() -> Planner.draft(options, PROFILES, ServerMachine.unasked(options, PROFILES), line -> {}))
                .isInstanceOf(UsageException.class)
                .hasMessageStartingWith("--load-hosts: a search for the highest rate");
    }

    @Test
    void whatLoadHostsCannotShareIsRejected() {
        Cell gatling = new Cell("hello", 5, 0, "gatling");
        assertThatCode(() -> Planner.requireLoadHosts(5, List.of(gatling, new Cell("hello", 0, 3, "gatling"))))
                .doesNotThrowAnyException();
        Cell jmeter = new Cell("hello", 5, 0, "jmeter");
        assertThatCode(() -> Planner.requireLoadHosts(5, List.of(gatling, jmeter)))
                .doesNotThrowAnyException();
        for (Cell shared : List.of(gatling, jmeter)) {
            assertThatThrownBy(() -> Planner.requireLoadHosts(6, List.of(shared)))
                    .isInstanceOf(UsageException.class)
                    .hasMessage("--tiers 5: fewer users than the 6 --load-hosts that share them");
        }
        for (String tool : List.of("wrk", "ab", "siege")) {
            assertThatCode(() -> Planner.requireLoadHosts(6, List.of(new Cell("hello", 5, 0, tool))))
                    .as("it is not divided")
                    .doesNotThrowAnyException();
        }
    }

    @Test
    void startsHaveNoOptionsAndNoMetricsOfALoad() {
        for (Map<String, String> wrong : List.of(
                Map.of("tiers", "100"),
                Map.of("generators", "wrk"),
                Map.of("generator.warmup", "1s"),
                Map.of("arms", "jetty,nginx"),
                Map.of("primary", "throughput"),
                Map.of("pre-touch", "true"))) {
            Map<String, String> given = new HashMap<>(wrong);
            given.put("plan", "startup");
            String name = wrong.keySet().iterator().next();
            assertThatThrownBy(() -> Planner.draft(options(given), PROFILES, line -> {}))
                    .as(name)
                    .isInstanceOf(UsageException.class)
                    .hasMessageContaining(name.equals("pre-touch") ? "--primary ready" : "--" + name.replace('.', '-'));
        }
        assertThatThrownBy(() -> Planner.draft(options(Map.of("primary", "ready")), PROFILES, line -> {}))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("--primary: no metric 'ready'");
    }

    private static List<String> arms(Map<String, String> given) {
        return Planner.draft(options(given), PROFILES, line -> {}).arms().stream()
                .map(Arm::id)
                .toList();
    }

    /** A home whose java says that it is this release. */
    private String jdk(int feature) throws IOException {
        Path home = Files.createDirectories(folder.resolve("jdk-" + feature + "/bin"))
                .getParent();
        Path java = Files.writeString(
                home.resolve("bin/java"),
                "#!/bin/sh\nprintf '    java.version = " + feature + "\\n    java.vm.name = VM\\n'\n");
        assertThat(java.toFile().setExecutable(true)).isTrue();
        return home.toString();
    }

    @Test
    void whatANameLeavesOpenIsEachKindOfThreadsAndEachJdk() throws IOException {
        String both = jdk(21) + "," + jdk(25);

        assertThat(arms(Map.of("arms", "jetty,jetty+virtual", "jdk", jdk(25))))
                .containsExactly("jetty", "jetty+virtual", "jetty-control");
        assertThat(arms(Map.of("arms", "jetty,undertow+platform", "threads", "platform,virtual", "jdk", jdk(25))))
                .containsExactly("jetty", "jetty+virtual", "undertow", "jetty-control");
        assertThat(arms(Map.of("arms", "jetty,undertow@25", "jdk", both)))
                .containsExactly("jetty@21", "jetty@25", "undertow@25", "jetty@21-control");
        assertThat(arms(Map.of("arms", "jetty", "jdk", both, "baseline", "jetty@25")))
                .containsExactly("jetty@21", "jetty@25", "jetty@25-control");
    }

    @Test
    void virtualThreadsOnAnOldJdkAreRejected() throws IOException {
        assertThatThrownBy(() -> arms(Map.of("arms", "jetty+virtual", "jdk", jdk(17))))
                .isInstanceOf(UsageException.class)
                .hasMessageStartingWith("--arms: jetty+virtual: virtual threads need a JDK 21 or newer");
    }

    @Test
    void anArmsThreadsAndJdkAreOnRecord() throws IOException {
        Arm arm = Planner.draft(options(Map.of("arms", "jetty+boot4+virtual@25", "jdk", jdk(25))), PROFILES, line -> {})
                .arms()
                .get(0);

        assertThat(Json.MAPPER.readValue(Json.MAPPER.writeValueAsBytes(arm), Arm.class))
                .isEqualTo(arm);
        assertThat(arm.threads()).isEqualTo(Threads.VIRTUAL);
        assertThat(arm.jdk()).isEqualTo(25);
        assertThat(arm.group()).isEqualTo("boot4");
    }

    @Test
    void otherVersionsAreBuiltBesideTheUsualOnes() {
        ArmBuilds.Variant variant = ArmBuilds.Variant.of(
                options(Map.of("boot4.version", "4.0.1", "boot4.jetty.version", "12.1.5")), List.of());

        assertThat(variant.versions()).containsOnlyKeys("boot4.version", "boot4.jetty.version");
        assertThat(ArmBuilds.isVersion("boot4.version")).isTrue();
        assertThat(ArmBuilds.isVersion("boot4.starter")).isFalse();
    }
}
