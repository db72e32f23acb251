package org.servletbench.bench.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.servletbench.bench.comparison.ArmSpec;
import org.servletbench.bench.comparison.CampaignSpec;
import org.servletbench.bench.comparison.Comparison;
import org.servletbench.bench.model.Cpus;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.model.JvmOptions;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.Procedure;
import org.servletbench.bench.model.ProfilesFolder;
import org.servletbench.bench.model.RequestSpec;
import org.servletbench.bench.model.Secrets;
import org.servletbench.bench.model.Threads;
import org.servletbench.bench.model.UsageException;
import org.servletbench.bench.model.Workload;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.ArmText;
import org.servletbench.bench.record.Forecast;

class PlannerTest {

    private static final Path ROOT = Path.of("..");
    private static final ProfilesFolder PROFILES = new ProfilesFolder(ROOT.resolve("profiles"));
    private static final String PRE_TOUCH = "-XX:+AlwaysPreTouch";
    private static final String HUGE_PAGES = "-XX:+UseTransparentHugePages";

    private static final JvmOptions NONE = new JvmOptions(List.of(), Path.of("none"));

    @TempDir
    private Path folder;

    /** Drafts a shipped comparison, or a file, with options that override it. */
    static Planner.Draft draft(String named, Map<String, String> given) {
        return Planner.draft(Comparison.read(ROOT, named, given, PROFILES), PROFILES, line -> {});
    }

    private static Planner.Draft draft(Map<String, String> given) {
        return draft("quick", given);
    }

    static Procedure procedure(Map<String, String> given) {
        return Planner.procedure(CampaignSpec.of(given, PROFILES), PROFILES);
    }

    /** Makes a JDK whose {@code java} reports this release. */
    private String jdk(String version) throws IOException {
        Path home = Files.createDirectories(folder.resolve("jdk-" + version + "/bin"))
                .getParent();
        Path java = Files.writeString(
                home.resolve("bin/java"),
                "#!/bin/sh\nprintf '    java.version = " + version + "\\n    java.vm.name = VM\\n'\n");
        assertThat(java.toFile().setExecutable(true)).isTrue();
        return home.toString();
    }

    /** Makes two jars where the user's builds put them. */
    private String builds() throws IOException {
        List<String> set = new ArrayList<>();
        for (String arm : List.of("before", "after")) {
            Path jar = folder.resolve(arm + ".jar");
            if (!Files.exists(jar)) {
                Files.createFile(jar);
            }
            set.add("arms." + arm + ".app=" + jar);
        }
        return String.join(";", set);
    }

    /** Sets jars for servers of other frameworks, which have builds of their own. */
    private String servers(String... arms) throws IOException {
        Path jar = Files.writeString(folder.resolve("server.jar"), "");
        return Stream.of(arms).map(arm -> "arms." + arm + ".command.2=" + jar).collect(Collectors.joining(";"));
    }

    /** Sets a jar and two JDKs for the comparison {@code upgrade}. */
    private String upgrade(String jdk) throws IOException {
        Path jar = folder.resolve("shop.jar");
        if (!Files.exists(jar)) {
            Files.createFile(jar);
        }
        return "app=" + jar + ";server.jdk=" + jdk + ";arms.jdk-17.jdk=" + jdk("17.0.12");
    }

    /** JDK 17 is a contrast of its own. The effects of the factors are those on the other JDK. */
    @Test
    void anUpgradeComparesBothJdksAndTheFactorsOfTheNewOne() throws IOException {
        Planner.Draft draft = draft("upgrade", Map.of("set", upgrade(jdk("25.0.3"))));
        assertThat(draft.arms().stream().map(Arm::id))
                .startsWith("jdk-17", "g1-platform-usual", "g1-platform-compact")
                .endsWith("serial-virtual-compact", "jdk-17-control")
                .hasSize(10);
        assertThat(draft.plan().effects().stream().map(effect -> effect.name()))
                .startsWith("g1-platform-usual instead of jdk-17", "gc: g1 → serial")
                .endsWith("threads × headers")
                .hasSize(7);
        Arm old = draft.arms().get(0);
        Arm first = draft.arms().get(1);
        assertThat(old.differences(first)).containsExactly("jdk");
        assertThat(Forecast.design(draft.plan(), draft.arms()).orElseThrow().effects())
                .isEqualTo(draft.plan().effects());
    }

    @Test
    void impossibleCombinationsAreRefusedByName() throws IOException {
        String old = jdk("17.0.13");
        String given = upgrade(jdk("25.0.3"));
        assertThatThrownBy(() -> draft("upgrade", Map.of("set", given + ";server.jdk=" + old)))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("arms.g1-platform-compact: -XX:+UseCompactObjectHeaders needs JDK 25 or newer")
                .hasMessageContaining("JDK 17.0.13");
        assertThatThrownBy(() ->
                        draft("upgrade", Map.of("set", given + ";factors.other={usual: {}, z: {jvm: -XX:+UseZGC}}")))
                .hasMessageContaining(
                        "arms.g1-platform-usual-z: a JVM has one collector, not -XX:+UseG1GC and -XX:+UseZGC");
        assertThatThrownBy(() -> draft("upgrade", Map.of("set", "app=" + folder.resolve("shop.jar"))))
                .hasMessageContaining("INSTALL-JDK-17-AND-GIVE-ITS-HOME cannot be used: there is no such folder");
    }

    /** Everything that README and docs offer can at least be planned. */
    @Test
    void everyComparisonThatShipsIsPlanned() throws IOException {
        String jdk = jdk("25.0.3");
        List<String> all = Comparison.names(ROOT).stream()
                .flatMap(name -> Stream.concat(Stream.of(name), Comparison.variants(ROOT, name).stream()))
                .toList();
        for (String name : all) {
            Map<String, String> given =
                    switch (name.replaceFirst(":.*", "")) {
                        case "aot",
                                "compact-headers",
                                "jetty-or-tomcat",
                                "pools",
                                "time-to-peak",
                                "virtual-threads",
                                "published/virtual-threads-blocking" -> Map.of("jdk", jdk);
                        case "jdks" ->
                            Map.of(
                                    "set",
                                    "arms.jdk-17.jdk=" + System.getProperty("java.home") + ";arms.jdk-25.jdk=" + jdk);
                        case "backtest", "pull-request", "pull-request-start" -> Map.of("set", builds());
                        case "frameworks" -> Map.of("set", servers("micronaut", "micronaut-threads"));
                        case "framework-ratio" ->
                            Map.of("set", servers("micronaut", "micronaut-threads", "micronaut-half"));
                        case "upgrade" -> Map.of("set", upgrade(jdk));
                        default -> Map.of();
                    };
            Planner.Draft draft = draft(name, given);
            if (draft.arms().stream().allMatch(arm -> arm.spec().app() == null)) {
                ServiceArms.requirePossible(draft, List.of());
            }
            assertThat(draft.plan().name())
                    .isEqualTo(name.replaceFirst(".*/", "").replace(':', '-'));
            assertThat(draft.arms().stream().filter(arm -> arm.role() == Arm.Role.CONTROL))
                    .as(name)
                    .hasSameSizeAs(draft.arms().stream()
                            .filter(arm -> arm.role() == Arm.Role.BASELINE)
                            .toList())
                    .isNotEmpty();
            Forecast forecast = Forecast.of(draft.plan(), draft.arms(), draft.procedure());
            assertThat(forecast.seconds()).as(name).isPositive();
            // Its own forecast says that it answers its question, by finding a difference of an eighth or less. Some
            // articles claim larger differences.
            String found = String.join(" ", forecast.lines());
            assertThat(Double.parseDouble(found.replaceFirst(".*find a difference of ([0-9.]+) %.*", "$1")))
                    .as(found)
                    .isLessThanOrEqualTo(name.startsWith("published/") || name.equals("time-to-peak") ? 60 : 12.5);
        }
    }

    @Test
    void compressingAndAcceptingItGoTogether() {
        assertThat(draft("compression", Map.of()).workloads()).hasSize(2).allMatch(workload -> workload.sending()
                .acceptsGzip());
        assertThatThrownBy(() -> draft(Map.of("set", "server.properties.server.compression.enabled=true")))
                .isInstanceOf(UsageException.class)
                .hasMessageEndingWith(
                        "'server.compression.enabled=true' would change nothing: no request accepts gzip: add"
                                + " measure: {accept-encoding: gzip}");
        assertThatThrownBy(() -> draft(Map.of("set", "measure.accept-encoding=gzip")))
                .hasMessageEndingWith(
                        "'measure.accept-encoding' would change nothing: no arm compresses: add properties:"
                                + " {server.compression.enabled: true}");
        assertThatThrownBy(() -> draft("compression", Map.of("set", "measure.generators=siege")))
                .hasMessage("workloads.static: siege does not accept gzip: choose generators from gatling, wrk");
        assertThatThrownBy(() -> draft("compression", Map.of("set", "load=[{starts: 3}]")))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("accept-encoding");
    }

    @Test
    void whatDiffersNamesTheProtocol() {
        Planner.Draft draft = draft("protocols", Map.of());

        assertThat(ArmText.lines(draft.arms()))
                .containsExactly(
                        "https differs from http in the protocol (https, not the default)",
                        "h2 differs from http in the protocol (h2, not the default)");
        assertThat(draft("protocols", Map.of("set", "arms.h2.protocol=http;arms.h2.heap=256m"))
                        .arms())
                .filteredOn(arm -> arm.id().equals("h2"))
                .allSatisfy(arm -> assertThat(arm.traits()).doesNotContainKey("protocol"));
    }

    /** Overriding the number of users does not change how the generator is used. */
    @Test
    void howAToolIsUsedStaysWithOtherUsers() throws IOException {
        assertThat(draft("published/ab-startup", Map.of("users", "20")).plan().loads())
                .extracting(MeasuredLoad::users, load -> load.settings().requests(), load -> load.settings()
                        .keepAlive())
                .containsExactly(tuple(20, 10_000L, false));
    }

    @Test
    void startsAreAPlanWithoutLoadAndWithoutATouchedHeap() {
        Planner.Draft draft = draft("startup", Map.of());

        assertThat(draft.plan().loads()).containsExactly(MeasuredLoad.START_UP);
        assertThat(draft.plan().together()).isFalse();
        assertThat(draft.plan().precision()).isZero();
        assertThat(draft.plan().blocks()).isEqualTo(20);
        assertThat(draft.plan().primary()).containsExactly("ready", "ready.rss");
        assertThat(draft.procedure().start().jvm().values()).doesNotContain(PRE_TOUCH);
        assertThat(draft("startup", Map.of("blocks", "3")).plan().blocks()).isEqualTo(3);
        assertThatThrownBy(() -> draft("startup", Map.of("set", "measure.pre-touch=true")))
                .hasMessageStartingWith("judge: with -XX:+AlwaysPreTouch ready is the heap");
    }

    @Test
    void startsMayBeUnderLoadUntilTheirPeak() throws IOException {
        String jdk = jdk("25.0.3");
        Planner.Draft draft = draft("time-to-peak", Map.of("jdk", jdk));
        assertThat(draft.plan().loads()).containsExactly(MeasuredLoad.START_UP);
        assertThat(draft.plan().primary()).containsExactly("peak.lost", "ready");
        assertThat(draft.procedure().peak()).contains(Duration.ofMinutes(2));
        Planner.Draft plain = draft("startup", Map.of());
        assertThat(plain.procedure().peak()).isEmpty();
        assertThat(Forecast.of(draft.plan(), draft.arms(), draft.procedure()).seconds())
                .isGreaterThan(draft.arms().size() * 120.0)
                .isLessThan(draft.plan().limitSeconds());

        assertThatThrownBy(() -> draft("startup", Map.of("set", "judge=[peak]")))
                .hasMessageContaining("judge: 'peak' is not measured here")
                .hasMessageEndingWith("with measure.peak also peak, peak.lost, warm");
        assertThatThrownBy(() -> draft("time-to-peak", Map.of("jdk", jdk, "set", "measure.peak=19s")))
                .hasMessage("peak: give at least 20s");
        assertThatThrownBy(() -> draft("time-to-peak", Map.of("jdk", jdk, "set", "measure.rounds=2")))
                .hasMessageStartingWith("'rounds' has no meaning with peak: ");
        assertThatThrownBy(() -> draft("quick", Map.of("set", "measure.peak=60s")))
                .hasMessage("'peak' has no meaning with a load without 'starts'");
    }

    /** The claims of an article end nothing early, because it is a finding if they fail here. */
    @Test
    void onlyClaimsOfTheUsersOwnEndACampaignEarly() throws IOException {
        Map<String, String> jars = Map.of("set", builds());
        assertThat(draft("pull-request", jars).plan().endsEarly()).isTrue();
        assertThat(draft("pull-request", Map.of("set", builds() + ";stop.early=false"))
                        .plan()
                        .endsEarly())
                .isFalse();
        for (String name : List.of("quick", "startup", "published/ab-startup")) {
            assertThat(draft(name, Map.of()).plan().endsEarly()).isFalse();
            assertThatThrownBy(() -> draft(name, Map.of("set", "stop.early=false")))
                    .isInstanceOf(UsageException.class)
                    .hasMessageMatching(
                            "'stop[.]early' does nothing: no claim (is made|of an article ends a campaign): leave it out");
        }
    }

    @Test
    void capacityIsOneServerAtATime() {
        Planner.Draft draft = draft("capacity", Map.of());
        assertThat(draft.plan().isCapacity()).isTrue();
        assertThat(draft.plan().together()).isFalse();
        assertThat(draft.plan().primary()).containsExactly("capacity");
        assertThat(draft.procedure().requiredSearch().text()).isEqualTo("p99<50ms,errors<0.1%");
    }

    @Test
    void aMigrationIsJudgedAcrossLinesAndSaysSo() {
        List<Arm> arms = draft("migration", Map.of()).arms();

        assertThat(arms)
                .extracting(Arm::id)
                .containsExactly(
                        "undertow-16",
                        "undertow-200",
                        "tomcat-boot3",
                        "jetty-boot3",
                        "tomcat-boot4",
                        "jetty-boot4",
                        "undertow-16-control");
        assertThat(arms).extracting(Arm::group).containsOnly("undertow-16");
        assertThat(ArmText.lines(arms))
                .anyMatch(line -> line.startsWith("Arms of boot3 and boot4 are compared"))
                .anyMatch(line -> line.startsWith(
                                "jetty-boot4 differs from undertow-16 in Spring Boot (boot4, not the default), the"
                                        + " container (jetty, not undertow)")
                        && line.endsWith("their effects cannot be distinguished"));
    }

    @Test
    void eachBaselineHasItsArmsAndItsCopy() {
        Planner.Draft draft = draft("small-heaps", Map.of());
        assertThat(draft.arms())
                .extracting(arm -> arm.id() + " " + arm.group() + " " + arm.role())
                .containsExactly(
                        "tomcat-512m tomcat-512m BASELINE",
                        "jetty-512m tomcat-512m ARM",
                        "undertow-512m tomcat-512m ARM",
                        "tomcat-512m-control tomcat-512m CONTROL",
                        "tomcat-256m tomcat-256m BASELINE",
                        "jetty-256m tomcat-256m ARM",
                        "undertow-256m tomcat-256m ARM",
                        "tomcat-256m-control tomcat-256m CONTROL");
        assertThat(draft.arms()).allSatisfy(arm -> {
            String heap = arm.group().replaceFirst(".*-", "");
            assertThat(arm.spec().jvmOptions(NONE).values()).containsExactly("-Xms" + heap, "-Xmx" + heap);
        });
        assertThat(draft.arms()
                        .get(4)
                        .spec()
                        .jvmOptions(draft.procedure().start().jvm())
                        .values())
                .contains("-Xmx256m")
                .doesNotContain("-Xmx1g", "-Xmn512m", PRE_TOUCH);
        assertThat(ArmText.lines(draft.arms())).isEmpty();
    }

    /** An arm may set its heap as a share of the memory. If that has no effect, two arms are equal. */
    @Test
    void armsDifferInWhatTheirJvmsDo() throws IOException {
        String file = """
                server: {%s}
                arms:
                  base: {container: tomcat-nio, jvm: [-XX:MaxRAMPercentage=25]}
                  other: {container: tomcat-nio, jvm: [-XX:MaxRAMPercentage=75]}
                load: [{users: 10}]
                """;
        Path shares = Files.writeString(folder.resolve("shares.yaml"), file.formatted(""));
        Planner.Draft draft = draft(shares.toString(), Map.of());
        assertThat(draft.arms()
                        .get(1)
                        .spec()
                        .jvmOptions(draft.procedure().start().jvm())
                        .values())
                .contains("-XX:MaxRAMPercentage=75")
                .doesNotContain("-Xms1g", "-Xmx1g", "-Xmn512m");
        Path none = Files.writeString(folder.resolve("none.yaml"), file.formatted("heap: 512m"));
        assertThatThrownBy(() -> draft(none.toString(), Map.of()))
                .isInstanceOf(UsageException.class)
                .hasMessageStartingWith(
                        "arms.other does not differ from base: the options of both have the same effect");
        Path profile = Files.writeString(
                folder.resolve("profile.yaml"),
                file.formatted("")
                        .replace("-XX:MaxRAMPercentage=25", "-Xss256k")
                        .replace("-XX:MaxRAMPercentage=75", "-XX:MaxMetaspaceSize=262144k"));
        assertThatThrownBy(() -> draft(profile.toString(), Map.of()))
                .hasMessageStartingWith("arms.other does not differ from base");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            a: {container: jetty, jvm: [-Xmx1g, -XX:MaxRAMPercentage=75]}          | -XX:MaxRAMPercentage has no effect next to -Xmx
            a: {container: jetty, heap: 1g, jvm: [-XX:MaxRAMPercentage=75]}        | -XX:MaxRAMPercentage has no effect next to -Xmx
            a: {container: jetty, heap: 1g, jvm: [-XX:InitialRAMPercentage=75]}    | -XX:InitialRAMPercentage has no effect next to -Xms
            a: {container: jetty, env: {JAVA_TOOL_OPTIONS: -XX:MaxRAMPercentage=75}, jvm: [-Xmx1g]} | -XX:MaxRAMPercentage has no effect next to -Xmx
            a: {container: jetty, heap: 1g, jvm: [-XX:MaxRAM=4g]}                  | -XX:MaxRAM has no effect next to -Xmx and -Xms
            a: {container: jetty, heap: 1g, jvm: [-Xmx2g]}                         | heap: 1g has no effect next to -Xmx2g: give one of them
            a: {container: jetty, heap: 1g, env: {JAVA_TOOL_OPTIONS: -XX:MaxHeapSize=2g}} | heap: 1g has no effect next to -XX:MaxHeapSize=2g
            a: {container: jetty, jvm: [-XX:SoftMaxHeapSize=512m]}                 | -XX:SoftMaxHeapSize has no effect with this collector
            a: {container: jetty, memory: 1g, jvm: [-XX:MinRAMPercentage=50]}      | -XX:MinRAMPercentage has no effect with 1024 MiB of memory
            a: {container: jetty, memory: 240m, jvm: [-XX:MaxRAMPercentage=75]}    | -XX:MaxRAMPercentage has no effect with 240 MiB of memory
            """)
    void aHeapSizeWithoutAnEffectIsRejected(String arm, String why) throws IOException {
        Path file = Files.writeString(
                folder.resolve("heaps.yaml"),
                "arms:\n  base: {container: tomcat-nio}\n  " + arm + "\nload: [{users: 10}]\n");
        assertThatThrownBy(() -> draft(file.toString(), Map.of()))
                .isInstanceOf(UsageException.class)
                .hasMessageStartingWith("arms.a: " + why);
    }

    private static final String LIMITED =
            "arms:\n  base: {container: tomcat-nio}\n  half: {container: tomcat-nio, cpus: %s}\n"
                    + "load: [{users: 10}]\n%s";

    private Path limited(String cpus, String measure) throws IOException {
        return Files.writeString(folder.resolve("cpus.yaml"), LIMITED.formatted(cpus, measure));
    }

    /** A time slice lasts at least 20 of the kernel's periods, because a short one would cut through them. */
    @Test
    void withLimitsOfCpuTimeSlicesAreLong() throws IOException {
        List<String> said = new ArrayList<>();
        Planner.Draft draft = Planner.draft(
                Comparison.read(ROOT, limited("0.5", "").toString(), Map.of(), PROFILES), PROFILES, said::add);
        assertThat(draft.plan().timeSliceSeconds()).isEqualTo(2);
        assertThat(said).containsExactly("time slices of 2s: 'cpus' counts in periods of 100 ms");
        assertThat(draft.arms().get(1).spec().cpus()).isEqualTo(Cpus.of("500m"));
        assertThat(ArmText.lines(draft.arms()))
                .containsExactly("half differs from base in the CPU limit (500m, not the default)");
        assertThat(draft(limited("500m", "measure: {slice: 3s}").toString(), Map.of())
                        .plan()
                        .timeSliceSeconds())
                .isEqualTo(3);
        assertThat(draft(limited("500m", "measure: {slice: 0s}").toString(), Map.of())
                        .plan()
                        .timeSliceSeconds())
                .isZero();
        assertThatThrownBy(
                        () -> draft(limited("500m", "measure: {slice: 250ms}").toString(), Map.of()))
                .isInstanceOf(UsageException.class)
                .hasMessage("slice: 250ms is too short for 'cpus', whose periods of 100 ms it would cut: give at least"
                        + " 2s, or 0s for no slices");
    }

    /** Servers start with all processors, so the limit is compared with the number of all processors. */
    @Test
    void aLimitOfCpuTimeIsComparedWithTheProcessorsOfAStart() throws IOException {
        int all = Runtime.getRuntime().availableProcessors();
        List<String> said = new ArrayList<>();
        Planner.Draft draft = Planner.draft(
                Comparison.read(ROOT, starting(1000 * all - 500 + "m", "").toString(), Map.of(), PROFILES),
                PROFILES,
                said::add);
        assertThat(draft.arms()).hasSize(3);
        assertThat(said).as("starts have no time slices").isEmpty();
        assertThatThrownBy(() -> draft(starting(all + "", "").toString(), Map.of()))
                .hasMessageContaining("limits nothing, because a server has " + all + " processor");
        assertThatThrownBy(() -> draft(starting("500m", "measure: {peak: 60s}").toString(), Map.of()))
                .isInstanceOf(UsageException.class)
                .hasMessage("arms.half.cpus and measure.peak exclude each other: a start is loaded in time slices that"
                        + " would cut the periods of 'cpus', of 100 ms: leave out one of them");
    }

    private Path starting(String cpus, String measure) throws IOException {
        return Files.writeString(
                folder.resolve("starts.yaml"), LIMITED.formatted(cpus, measure).replace("{users: 10}", "{starts: 5}"));
    }

    @Test
    void aLimitOfCpuTimeChangesNoLoadWithoutTimeSlices() throws IOException {
        List<String> said = new ArrayList<>();
        Map<String, String> atRates = Map.of("set", "load=[{'workloads': payload, 'rates': [2000]}];measure.slice=0s");
        Planner.draft(Comparison.read(ROOT, "cpu-limits", atRates, PROFILES), PROFILES, said::add);
        assertThat(said).noneMatch(line -> line.contains("time slices"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            999.5    | arms.half.cpus: 999500m limits nothing, because a server has
            1000000m | arms.half.cpus: 1000 limits nothing, because a server has
            5m       | 'arms.half.cpus' is wrong: give processors, such as 500m or 1.5, 10m or more
            0        | 'arms.half.cpus' is wrong: give processors, such as 500m or 1.5, 10m or more
            0.005    | 'arms.half.cpus' is wrong: give processors, such as 500m or 1.5, 10m or more
            -1       | 'arms.half.cpus' is wrong: give processors, such as 500m or 1.5, 10m or more
            """)
    void aLimitOfCpuTimeWithoutAnEffectIsRejected(String cpus, String why) throws IOException {
        assertThatThrownBy(() -> draft(limited(cpus, "").toString(), Map.of()))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining(why);
    }

    @Test
    void throttledTimeIsClaimedOfServersWithALimitOnly() throws IOException {
        String claim = "claims: [{metric: throttled, of: half, at-most: 1%}]";
        assertThat(draft(limited("500m", claim).toString(), Map.of())
                        .plan()
                        .claims()
                        .all())
                .hasSize(1);
        Path none = Files.writeString(
                folder.resolve("none.yaml"), LIMITED.formatted("500m", claim).replace("cpus: 500m", "heap: 512m"));
        assertThatThrownBy(() -> draft(none.toString(), Map.of()))
                .hasMessageContaining("throttled of half is not measured, because nothing limits CPU time: set"
                        + " 'arms.half.cpus' or 'server.cpus'");
        assertThatThrownBy(() -> draft(limited("500m", "judge: [throttled]").toString(), Map.of()))
                .hasMessageContaining("throttled is a share that may be 0");
    }

    /** Seven arms on one Spring Boot version. The agent's version is that of the pom. */
    @Test
    void observabilityComparesEachWayWithAndWithoutExport() throws IOException {
        Planner.Draft draft = draft("observability", Map.of());

        assertThat(draft.arms().stream().map(Arm::id))
                .containsExactly(
                        "plain",
                        "agent",
                        "agent-exports",
                        "starter",
                        "starter-exports",
                        "tracing",
                        "tracing-exports",
                        "plain-control");
        assertThat(draft.arms()).allMatch(arm -> arm.line().equals("boot3"));
        assertThat(draft.arms().stream().map(arm -> arm.spec().exports()))
                .containsExactly(null, false, true, false, true, false, true, null);
        assertThat(draft.plan().primary()).containsExactly("throughput", "cpu", "alloc");
        // Exporters drop spans at full speed, but keep up if users pause.
        assertThat(draft.plan().loads()).hasSize(2);
        assertThat(draft.plan().loads().get(1).settings().pause().isNone()).isFalse();
        Matcher version = Pattern.compile("<opentelemetry-javaagent.version>(.*)<")
                .matcher(Files.readString(ROOT.resolve("pom.xml")));
        assertThat(version.find()).isTrue();
        assertThat(draft.arms().get(2).spec().agent())
                .isEqualTo("io.opentelemetry.javaagent:opentelemetry-javaagent:" + version.group(1));
    }

    /** The page shows the placeholder; the server gets the address, wherever the placeholder occurs. */
    @Test
    void theAddressOfTheCollectorReplacesItsPlaceholder() {
        List<Arm> arms = draft("observability", Map.of("set", "arms.tracing-exports.env.TO=${collector}"))
                .arms();

        assertThat(arms.get(2).spec().exportingTo("http://127.0.0.1:5/x").jvm())
                .contains("-Dotel.exporter.otlp.endpoint=http://127.0.0.1:5/x");
        ArmSpec tracing = arms.get(6).spec().exportingTo("http://127.0.0.1:5/x");
        assertThat(tracing.properties())
                .containsEntry("management.otlp.tracing.endpoint", "http://127.0.0.1:5/x/v1/traces");
        assertThat(tracing.env()).containsEntry("TO", "http://127.0.0.1:5/x");
        assertThat(Secrets.shown(arms.get(2), Arm.class).spec().jvm())
                .contains("-Dotel.exporter.otlp.endpoint=${collector}");
    }

    @Test
    void spansAreClaimedOfServersWithACollectorOnly() {
        String claim = "claims=[{metric: spans, of: %s, at-least: 0.9}]";
        assertThat(draft("observability", Map.of("set", claim.formatted("agent-exports")))
                        .plan()
                        .claims()
                        .all())
                .hasSize(1);
        assertThatThrownBy(() -> draft("observability", Map.of("set", claim.formatted("plain"))))
                .hasMessageContaining(
                        "spans of plain is not measured, because it has no collector: set 'arms.plain.exports'");
    }

    /** Deployments often set JVM options in a variable. A server gets them as options, which its record shows. */
    @Test
    void optionsInTheEnvironmentAreOptionsOfTheJvm() throws IOException {
        Path file = Files.writeString(folder.resolve("variables.yaml"), """
                server: {env: {JAVA_TOOL_OPTIONS: -XX:MaxRAMPercentage=25 -Da=1, DB: h2}}
                arms:
                  base: {container: tomcat-nio}
                  other: {container: tomcat-nio, env: {JDK_JAVA_OPTIONS: -XX:MaxRAMPercentage=75}, jvm: [-Da=2]}
                load: [{users: 10}]
                """);
        Planner.Draft draft = draft(file.toString(), Map.of());
        JvmOptions common = draft.procedure().start().jvm();
        assertThat(draft.arms().get(0).spec().jvmOptions(common).values())
                .endsWith("-XX:MaxRAMPercentage=25", "-Da=1")
                .doesNotContain("-Xms1g", "-Xmx1g");
        assertThat(draft.arms().get(1).spec().jvmOptions(common).effective()).contains("MaxRAMPercentage=75", "-Da=2");
        assertThat(draft.arms()).allSatisfy(arm -> assertThat(arm.spec().env()).containsOnlyKeys("DB"));
        Path same = Files.writeString(
                folder.resolve("same.yaml"),
                Files.readString(file)
                        .replace("JDK_JAVA_OPTIONS: -XX:MaxRAMPercentage=75", "DB: h2")
                        .replace("-Da=2", "-Da=1"));
        assertThatThrownBy(() -> draft(same.toString(), Map.of()))
                .hasMessageStartingWith("arms.other does not differ from base");
    }

    @Test
    void anArmHasItsEnvironmentAndItsWorkingDirectory() throws IOException {
        Path data = Files.createDirectories(folder.resolve("data"));
        Path file = Files.writeString(folder.resolve("env.yaml"), """
                server: {env: {DB: h2, MODE: all}, workdir: data}
                arms:
                  base: {container: tomcat-nio}
                  own: {container: tomcat-nio, env: {MODE: own}}
                load: [{users: 10}]
                """);
        Planner.Draft draft = draft(file.toString(), Map.of());
        Arm base = draft.arms().get(0);
        Arm own = draft.arms().get(1);

        assertThat(base.spec().env()).containsOnly(Map.entry("DB", "h2"), Map.entry("MODE", "all"));
        assertThat(own.spec().env()).containsOnly(Map.entry("DB", "h2"), Map.entry("MODE", "own"));
        assertThat(own.spec().workdir()).isEqualTo(data.toString());
        assertThat(own.differences(base)).containsExactly("env.MODE");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            a: {container: jetty, env: {JAVA_TOOL_OPTIONS: x}} | 'arms.a.env': JAVA_TOOL_OPTIONS: 'x' is not a JVM option
            a: {container: jetty, env: {JAVA_TOOL_OPTIONS: "-Dx='a b'"}} | 'arms.a.env': JAVA_TOOL_OPTIONS: 'b'' is not a JVM option
            a: {container: jetty, env: {JDK_JAVA_OPTIONS: "@jvm.args"}} | 'arms.a.env': JDK_JAVA_OPTIONS: '@jvm.args' is not a JVM option
            a: {container: jetty, env: {SERVER_PORT: x}} | 'arms.a.env': the rig sets what SERVER_PORT would: leave it out
            a: {container: jetty, env: {"a b": x}} | 'arms.a.env': a name has letters, digits and _ only
            a: {container: jetty, env: [A]} | 'arms.a.env' is wrong: give a mapping of names to texts
            a: {container: jetty, workdir: none} | 'arms.a.workdir': there is no folder none
            a: {container: nginx, env: {A: b}} | 'arms.a.env' is not applicable: nginx is not a JVM
            """)
    void aWrongEnvironmentIsRejected(String arm, String why) throws IOException {
        Path file = Files.writeString(
                folder.resolve("env.yaml"),
                "arms:\n  base: {container: tomcat-nio}\n  " + arm + "\nload: [{users: 10}]\n");
        assertThatThrownBy(() -> draft(file.toString(), Map.of()))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("env.yaml:3: " + why);
    }

    @Test
    void anArmMayDifferInAnything() throws IOException {
        String jdk = jdk("17.0.99");
        Path file = Files.writeString(folder.resolve("any.yaml"), """
                server: {properties: {a.b: shared}, jvm: [-Dshared=1]}
                arms:
                  base: {container: tomcat-nio}
                  jdk: {container: tomcat-nio, jdk: %s}
                  jvm: {container: tomcat-nio, jvm: [-XX:+UseSerialGC]}
                  properties: {container: tomcat-nio, properties: {a.b: own, c: d}}
                  settings: {container: tomcat-nio, properties: defaults}
                  version: {container: tomcat-nio, version: 10.1.55}
                  boot: {container: tomcat-nio, boot: 4.0.1}
                  archive: {container: tomcat-nio, archive: cds}
                load: [{users: 10}]
                """.formatted(jdk));
        Planner.Draft draft = draft(file.toString(), Map.of());
        Map<String, Arm> arms = new HashMap<>();
        draft.arms().forEach(arm -> arms.put(arm.id(), arm));

        for (String name : List.of("jdk", "jvm", "settings", "version", "boot", "archive")) {
            assertThat(arms.get(name).differences(arms.get("base"))).containsExactly(name);
        }
        assertThat(arms.get("properties").differences(arms.get("base")))
                .containsExactly("properties.a.b", "properties.c");
        assertThat(arms.get("boot").line()).isEqualTo("boot4");
        assertThat(arms.get("jvm").spec().jvmOptions(NONE).values()).containsExactly("-Dshared=1", "-XX:+UseSerialGC");
        assertThat(draft.spec().jdks()).containsExactly(System.getProperty("java.home"), jdk);
        assertThat(ArmList.jdk(
                                arms.get("jdk"),
                                draft.procedure(),
                                org.servletbench.bench.server.process.Jdk.all(
                                        draft.spec().jdks()))
                        .version())
                .isEqualTo("17.0.99");
        assertThat(ArmText.line(arms.get("jvm"), draft.arms()))
                .contains("jvm differs from base in JVM options (-Dshared=1 -XX:+UseSerialGC, not -Dshared=1)");
        Arm virtual = draft(Map.of("arms", "jetty:boot=boot4,threads=virtual", "jdk", jdk("25")))
                .arms()
                .get(0);
        assertThat(Json.MAPPER.readValue(Json.MAPPER.writeValueAsBytes(virtual), Arm.class))
                .isEqualTo(virtual);
        assertThat(virtual.threads()).isEqualTo(Threads.VIRTUAL);
    }

    /** The container of a finished jar is swapped when the arms are built. */
    @Test
    void armsOfOneJarDifferInTheirContainer() throws IOException {
        Files.writeString(folder.resolve("shop.jar"), "a jar");
        Path file = Files.writeString(folder.resolve("shop.yaml"), """
                app: shop.jar
                arms:
                  as-is: {}
                  tomcat: {container: tomcat}
                  jetty-old: {container: jetty, version: 12.0.5}
                workloads:
                  list: {url: /api/owners, length: 1..5000}
                load: [{workloads: list, users: 10}]
                """);
        List<Arm> arms = draft(file.toString(), Map.of()).arms();

        assertThat(arms).extracting(Arm::id).containsExactly("as-is", "tomcat", "jetty-old", "as-is-control");
        assertThat(arms)
                .extracting(Arm::jar)
                .containsOnly(folder.resolve("shop.jar").toString());
        assertThat(arms.get(1).differences(arms.get(0))).containsExactly("container");
        assertThat(arms.get(2).differences(arms.get(0))).containsExactly("container", "version");
    }

    @Test
    void theFileOfTheDocsIsPlanned() throws IOException {
        String page = Files.readString(ROOT.resolve("docs/compare.md"));
        String example = page.substring(page.indexOf("```yaml") + 7).replaceFirst("(?s)```.*", "");
        for (String name : List.of("shop.jar", "before.jar", "owner.json")) {
            Files.writeString(folder.resolve(name), name);
        }
        Files.writeString(folder.resolve("owners.csv"), "id\n1\n2\n");
        assertThat(example).contains("/srv/shop");
        Path file = Files.writeString(folder.resolve("my.yaml"), example.replace("/srv/shop", folder.toString()));

        Planner.Draft draft = draft(file.toString(), Map.of());

        assertThat(draft.plan().loads())
                .extracting(MeasuredLoad::workload, MeasuredLoad::users)
                .contains(tuple("list", 50), tuple("create", 0), tuple("shop", 200));
        assertThat(draft.workloads()).flatExtracting(Workload::parts).hasSize(4);
    }

    private final List<String> said = new ArrayList<>();

    private Planner.Draft sends(String workload, String generators) throws IOException {
        Path file = Files.writeString(folder.resolve("sends.yaml"), """
                arms:
                  jetty:
                workloads:
                  create: {url: /owners, length: 1..99, %s}
                  clear: {url: /reset, method: POST, expect: {status: 204}}
                load: [{workloads: create, users: 10}]
                """.formatted(workload));
        return Planner.draft(
                Comparison.read(ROOT, file.toString(), Map.of("generators", generators), PROFILES),
                PROFILES,
                said::add);
    }

    @Test
    void aWorkloadHasAMethodHeadersABodyAndAStatus() throws IOException {
        Files.writeString(folder.resolve("owner.json"), "{\"name\": \"Zoë\"}");
        RequestSpec wanted =
                new RequestSpec("POST", Map.of("Content-Type", "application/json"), "{\"name\": \"Zoë\"}", 201);
        String rest = "method: POST, headers: {Content-Type: application/json}, expect: {status: 201}, ";

        Planner.Draft draft = sends(rest + "body-file: owner.json", "gatling");

        assertThat(draft.workloads()).extracting(Workload::sending).containsExactly(wanted);
        assertThat(said).contains("the parity check and the warm-up send POST /owners too");
        assertThat(sends(rest + "body: '{\"name\": \"Zoë\"}'", "gatling").workloads())
                .isEqualTo(draft.workloads());
        assertThat(Json.MAPPER.readValue(
                        Json.MAPPER.writeValueAsBytes(draft.workloads().get(0)), Workload.class))
                .as("on record")
                .isEqualTo(draft.workloads().get(0));
    }

    @Test
    void anotherWorkloadMayBeItsReset() throws IOException {
        Planner.Draft draft = sends("method: DELETE, reset: clear", "gatling");

        assertThat(draft.workloads())
                .extracting(
                        one -> one.reset().request(),
                        one -> one.reset().sending().status())
                .as("it is no load itself")
                .containsExactly(tuple("POST /reset", 204));
        assertThat(Json.MAPPER.readValue(
                        Json.MAPPER.writeValueAsBytes(draft.workloads().get(0)), Workload.class))
                .as("on record")
                .isEqualTo(draft.workloads().get(0));
    }

    @Test
    void aFileHasWhatIsFilledIn() throws IOException {
        Files.writeString(folder.resolve("owners.csv"), "name,unused,city\nZoë,1,\"a, b\"\nBo,2,c\n");

        Planner.Draft draft = sends(
                "method: PUT, headers: {Content-Type: a/b}, body: '${name} ${city}', data: owners.csv, warm-up: '/w/${name}'",
                "gatling");

        assertThat(draft.workloads()).singleElement().satisfies(one -> {
            assertThat(one.sending().rows())
                    .containsExactly(Map.of("name", "Zoë", "city", "a, b"), Map.of("name", "Bo", "city", "c"));
            assertThat(one.path()).isEqualTo("/owners");
            assertThat(one.warmUpPath()).isEqualTo("/w/${name}");
            assertThat(Json.MAPPER.readValue(Json.MAPPER.writeValueAsBytes(one), Workload.class))
                    .as("on record")
                    .isEqualTo(one);
        });
        assertThatThrownBy(() -> sends("data: owners.csv, warm-up: '/${name}'", "wrk"))
                .hasMessageContaining("plain GETs only");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            name;Zoë | no url, header or body has a ${column} | /w
            name;Zoë | owners.csv has no column 'nam': did you mean 'name'? | /${nam}
            name;Zoë,1 | row 1 of owners.csv has 2 values and not 1 | /${name}
            name | owners.csv has no rows | /${name}
            name,name;a,b | owners.csv is not a CSV file | /${name}
            name;a | cannot be requested | /${a b}
            """)
    void aFileThatDoesNotFitIsRejected(String csv, String why, String warmUp) throws IOException {
        Files.writeString(folder.resolve("owners.csv"), csv.replace(';', '\n'));
        assertThatThrownBy(() -> sends("data: owners.csv, warm-up: '" + warmUp + "'", "gatling"))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining(why);
    }

    @Test
    void whatAGeneratorCannotSendIsRejectedBeforeAnythingStarts() {
        assertThatThrownBy(() -> sends("method: DELETE", "wrk"))
                .isInstanceOf(UsageException.class)
                .hasMessage("workloads.create: wrk sends plain GETs only: choose generators from gatling, jmeter");
        assertThatThrownBy(() -> sends("expect: {status: 204}", "gatling,ab")).hasMessageContaining("plain GETs only");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            methd: POST | unknown key 'workloads.create.methd': did you mean 'method'?
            method: post | 'workloads.create.method' is wrong: give GET, POST, PUT, PATCH or DELETE
            expect: {stats: 201} | unknown key 'workloads.create.expect.stats': did you mean 'status'?
            body: hello | 'workloads.create': a GET has no body: give a method
            method: PUT, body: hello | 'workloads.create': a body needs its type
            method: PUT, body: a, body-file: b | 'workloads.create': give body or body-file, not both
            method: PUT, body-file: none.json | 'workloads.create.body-file': there is no file none.json
            reset: create | 'workloads.create.reset': there is no other workload 'create'
            reset: cler | 'workloads.create.reset': there is no other workload 'cler': did you mean 'clear'?
            headers: {X-A: b, x-a: c} | 'workloads.create.headers': x-a appears twice
            headers: {Host: evil} | 'workloads.create.headers': Host is set by the rig
            headers: {A: "b\\nc"} | 'workloads.create.headers': 'A' is not an HTTP header
            headers: {"a b": c} | 'workloads.create.headers': 'a b' is not an HTTP header
            """)
    void aWrongRequestIsRejectedWithItsLine(String workload, String why) {
        assertThatThrownBy(() -> sends(workload, "gatling"))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("sends.yaml:4: " + why);
    }

    private Planner.Draft list(String requests, String rest, String load) throws IOException {
        return list(requests, rest, load, "gatling");
    }

    private Planner.Draft list(String requests, String rest, String load, String generators) throws IOException {
        Files.writeString(folder.resolve("users.csv"), "id,name\n1,Zoë\n2,Bo\n");
        Path file = Files.writeString(
                folder.resolve("list.yaml"), """
                arms:
                  jetty:
                workloads:
                  shop:
                    requests:
                %s
                    %s
                  clear: {url: /reset, method: POST, expect: {status: 204}}
                load: [{workloads: shop, %s}]
                """.formatted(requests.indent(6).stripTrailing(), rest, load));
        return Planner.draft(
                Comparison.read(ROOT, file.toString(), Map.of("generators", generators), PROFILES),
                PROFILES,
                said::add);
    }

    private static final String SHOP = """
            - {label: list, url: /items, length: 1..99}
            - {label: add, url: '/cart/${id}', method: POST, headers: {Content-Type: a/b}, body: '${name}', expect: {status: 201}}""";

    @Test
    void aWorkloadMayBeAListOfRequests() throws IOException {
        Planner.Draft draft = list(SHOP, "data: users.csv\n    reset: clear", "users: 10");

        assertThat(draft.plan().loads()).containsExactly(new MeasuredLoad("shop", 10, 0, "gatling"));
        assertThat(draft.workloads()).singleElement().satisfies(shop -> {
            assertThat(shop.reset().request()).isEqualTo("POST /reset");
            assertThat(shop.parts())
                    .extracting(Workload::name, Workload::request, one -> one.labelIn(shop), one -> one.sending()
                            .rows())
                    .containsExactly(
                            tuple("shop / list", "GET /items", "list", List.of()),
                            tuple(
                                    "shop / add",
                                    "POST /cart/${id}",
                                    "add",
                                    List.of(Map.of("id", "1", "name", "Zoë"), Map.of("id", "2", "name", "Bo"))));
            assertThat(Json.MAPPER.readValue(Json.MAPPER.writeValueAsBytes(shop), Workload.class))
                    .as("on record")
                    .isEqualTo(shop);
        });
        assertThat(said).contains("the parity check and the warm-up send POST /cart/${id} too");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            search-rate-under: 'p99<50ms,errors<0.1%' | workloads.shop: a list of requests is sent by users: give users or rates, not search-rate-under
            """)
    void aListOfRequestsHasUsers(String load, String why) {
        assertThatThrownBy(() -> list(SHOP, "data: users.csv", load))
                .isInstanceOf(UsageException.class)
                .hasMessage(why);
    }

    private static final String LOGIN = """
            - {label: form, url: /login, once: true, extract: {csrf: 'css("input[name=_csrf]", "value")'}}
            - {label: login, url: /login, method: POST, headers: {Content-Type: application/x-www-form-urlencoded},
               body: 'user=me&_csrf=${csrf}', expect: {status: 302}, once: true}
            - {label: add, url: '/add/${sequence}', headers: {X-Token: '${csrf}'}}""";

    @Test
    void usersMayLogInOnceAndTakeValuesFromAnswers() throws IOException {
        List<Workload> parts = list(LOGIN, "", "users: 10").workloads().get(0).parts();

        assertThat(parts).extracting(one -> one.sending().isOnce()).containsExactly(true, true, false);
        assertThat(parts)
                .extracting(one -> one.sending().uses())
                .containsExactly(List.of(), List.of("csrf"), List.of("csrf", "sequence"));
        assertThat(parts.get(1).sending().filled(0, Map.of("csrf", "a&b")).body())
                .as("a form has escaped values")
                .isEqualTo("user=me&_csrf=a%26b");
        assertThat(list(LOGIN, "", "rates: 100").plan().loads())
                .containsExactly(new MeasuredLoad("shop", 0, 100, "gatling"));
        assertThatThrownBy(() -> list(LOGIN, "", "users: 10", "jmeter"))
                .hasMessage("workloads.shop: jmeter has no extract and no once: choose generators from gatling");
    }

    /** If a request changes data, every server must get the same number of requests. */
    @Test
    void aLoadThatNamesNoneHasUsersOrARate() throws IOException {
        assertThat(list(SHOP, "data: users.csv", "").plan().loads())
                .containsExactly(new MeasuredLoad("shop", 0, 100, "gatling"));
        assertThat(list(LOGIN, "", "").plan().loads()).containsExactly(new MeasuredLoad("shop", 100, 0, "gatling"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"wrk", "ab", "siege"})
    void commandLineToolsSendNoLists(String tool) {
        assertThatThrownBy(() -> list("- {label: a, url: /a}", "", "users: 10", "gatling," + tool))
                .isInstanceOf(UsageException.class)
                .hasMessage("workloads.shop: " + tool
                        + " sends no lists of requests: choose generators from gatling, jmeter");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            [] | | 5: 'workloads.shop.requests' is empty
            - {label: a, url: /a}\\n- {label: a, url: /b} | | 7: 'workloads.shop.requests.1.label': 'a' appears twice
            - {label: a > b, url: /a} | | 6: 'workloads.shop.requests.0.label': a name has letters, digits, - and _ only
            - {label: a / b, url: /a} | | 6: 'workloads.shop.requests.0.label': a name has letters, digits, - and _ only
            - {url: /a} | | 6: 'workloads.shop.requests.0': 'label' is missing
            - {label: a} | | 6: 'workloads.shop.requests.0': 'url' is missing
            - {label: a, url: /a, methd: PUT} | | 6: unknown key 'workloads.shop.requests.0.methd': did you mean 'method'?
            - {label: a, url: /a, data: users.csv} | | 6: unknown key 'workloads.shop.requests.0.data'
            - {label: a, url: /a} | url: /a | 7: 'workloads.shop.url' belongs to each of its requests
            - {label: a, url: /a} | label: a | 7: unknown key 'workloads.shop.label'
            - {label: a, url: /a} | data: users.csv | 7: 'workloads.shop.data': no url, header or body has a ${column}
            - {label: a, url: '/${nam}'} | data: users.csv | 7: 'workloads.shop.data': users.csv has no column 'nam': did you mean 'name'?
            - a | | 6: 'workloads.shop.requests.0' must be a mapping of keys to values
            - {label: a, url: '/${b}'} | | 6: 'workloads.shop.requests.0': nothing defines ${b}: give data with such a column, or an extract of an earlier request of a list
            - {label: a, url: '/${t}', extract: {t: 'json("$.t")'}} | | nothing defines ${t}
            - {label: a, url: /a, extract: {t: 'xml("t")'}} | | 6: 'workloads.shop.requests.0.extract.t': 'xml("t")' is not understood: give css(
            - {label: a, url: /a, extract: {sequence: 'json("$.t")'}} | | 'workloads.shop.requests.0.extract.sequence': a name has letters
            - {label: a, url: /a}\\n- {label: b, url: /b, once: true} | | 7: 'workloads.shop.requests.1.once': it comes after one that is sent in each pass
            - {label: a, url: /a, once: true} | | 'workloads.shop.requests': all are sent once: add one that is measured
            """)
    void aWrongListIsRejectedWithItsLine(String requests, String rest, String why) {
        assertThatThrownBy(() -> list(requests.replace("\\n", "\n"), rest == null ? "" : rest, "users: 10"))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining(why)
                .hasMessageContaining("list.yaml:");
    }

    @Test
    void ratesAloneAreJudgedByCost() {
        Planner.Draft open = draft(Map.of("rates", "500,2000"));
        assertThat(open.plan().loads())
                .containsExactly(
                        new MeasuredLoad("hello", 0, 500, "gatling"), new MeasuredLoad("hello", 0, 2000, "gatling"));
        assertThat(open.plan().primary()).containsExactly("cpu", "p99", "alloc");
        Planner.Draft both = draft(Map.of("rates", "500", "users", "10"));
        assertThat(both.plan().loads()).extracting(MeasuredLoad::users).containsExactly(10, 0);
        assertThat(both.plan().primary()).containsExactly("throughput", "cpu");
    }

    @Test
    void aPercentileThatAFewRequestsWouldDecideIsNotJudged() {
        Map<String, String> p99 = Map.of("rates", "500,50", "judge", "cpu,p99");
        assertThatThrownBy(() -> draft(p99))
                .isInstanceOf(UsageException.class)
                .hasMessage("judge: p99: at 50 requests/s for 12s fewer than 10 requests lie beyond it: give at least"
                        + " hold: 20s, or a judge without it");
        Map<String, String> longer = new HashMap<>(p99);
        longer.put("hold", "20s");
        assertThat(draft(longer).plan().primary()).contains("p99");
        Map<String, String> again = new HashMap<>(p99);
        again.put("rounds", "2");
        assertThat(draft(again).plan().primary()).contains("p99");
    }

    @Test
    void moreWindowsThanALogHasNamesForAreRejected() {
        Map<String, String> windows = new HashMap<>(Map.of("slice", "0s", "users", "10,20", "rounds", "38"));
        assertThatThrownBy(() -> draft(windows))
                .as("quick: three arms and the control")
                .isInstanceOf(UsageException.class)
                .hasMessageStartingWith("304 windows for each run of gatling are more than the 300");
        windows.put("together", "false");
        assertThatCode(() -> draft(windows)).doesNotThrowAnyException();
        windows.remove("together");
        windows.remove("slice");
        assertThatCode(() -> draft(windows))
                .as("time slices of one server share a name")
                .doesNotThrowAnyException();
    }

    @Test
    void aGeneratorWithoutTheOpenModelIsLeftOutOfRatesWithALine() {
        List<String> said = new ArrayList<>();
        Map<String, String> given = Map.of("rates", "500", "generators", "gatling,jmeter");
        Planner.draft(Comparison.read(ROOT, "quick", given, PROFILES), PROFILES, said::add);
        assertThat(said).contains("left out: rates with jmeter, which has no open model in campaigns");
    }

    private String file(String options) throws IOException {
        return Files.writeString(folder.resolve("own.options"), options).toString();
    }

    @Test
    void aCampaignTouchesTheHeapFirstAndASingleRunDoesNot() throws IOException {
        assertThat(procedure(Map.of()).start().jvm().values())
                .startsWith("-Xms1g")
                .endsWith(PRE_TOUCH, HUGE_PAGES);
        assertThat(PROFILES.jvmOptions().values()).doesNotContain(PRE_TOUCH);
        assertThat(procedure(Map.of("pre-touch", "false")).start().jvm())
                .as("as published")
                .isEqualTo(PROFILES.jvmOptions());
        assertThat(own("-XX:-AlwaysPreTouch")).containsExactly("-XX:-AlwaysPreTouch");
        assertThat(own(PRE_TOUCH)).containsExactly(PRE_TOUCH, HUGE_PAGES);
        assertThat(own("-XX:-UseTransparentHugePages")).containsExactly("-XX:-UseTransparentHugePages", PRE_TOUCH);
    }

    private List<String> own(String options) throws IOException {
        return procedure(Map.of("jvm.options", file(options))).start().jvm().values();
    }

    @Test
    void residentMemoryIsNoMetricToJudgeWhereItIsTheHeap() throws IOException {
        assertThatThrownBy(() -> draft(Map.of("judge", "rss")))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("AlwaysPreTouch rss is the heap");
        assertThat(draft(Map.of("judge", "rss", "pre-touch", "false")).plan().primary())
                .containsExactly("rss");
    }

    @Test
    void aSearchForTheHighestRateFromLoadHostsIsRejectedBeforeAServerStarts() {
        Map<String, String> given = Map.of("target.host", "a", "load.hosts", "b,c", "target.allow-remote", "true");
        Comparison comparison = Comparison.read(ROOT, "capacity", given, PROFILES);

        assertThatThrownBy(() -> Planner.draft(
                        comparison, PROFILES, ServerMachine.unasked(comparison.spec(), PROFILES), line -> {}))
                .isInstanceOf(UsageException.class)
                .hasMessageStartingWith("load-hosts: a search for the highest rate");
    }

    @Test
    void whatLoadHostsCannotShareIsRejected() {
        MeasuredLoad gatling = new MeasuredLoad("hello", 5, 0, "gatling");
        assertThatCode(() -> Loads.requireLoadHosts(5, List.of(gatling, new MeasuredLoad("hello", 0, 3, "gatling"))))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> Loads.requireLoadHosts(6, List.of(gatling)))
                .isInstanceOf(UsageException.class)
                .hasMessage("users 5: fewer users than the 6 load-hosts that share them");
    }

    @Test
    void loadHostsHaveGatlingOnly() {
        Map<String, String> given = Map.of(
                "target.host", "a", "load.hosts", "b,c", "target.allow-remote", "true", "generators", "gatling,jmeter");
        Comparison comparison = Comparison.read(ROOT, "quick", given, PROFILES);

        assertThatThrownBy(() -> Planner.draft(
                        comparison, PROFILES, ServerMachine.unasked(comparison.spec(), PROFILES), line -> {}))
                .isInstanceOf(UsageException.class)
                .hasMessage("load-hosts: jmeter cannot run there: choose from gatling");
    }

    @Test
    void virtualThreadsOnAnOldJdkAreRejected() throws IOException {
        String old = jdk("17");
        assertThatThrownBy(() -> draft(Map.of("arms", "jetty:threads=virtual", "jdk", old)))
                .isInstanceOf(UsageException.class)
                .hasMessageStartingWith("arms.jetty-virtual: virtual threads need a JDK 21 or newer");
    }
}
