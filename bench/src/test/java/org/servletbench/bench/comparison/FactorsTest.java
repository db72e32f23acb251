package org.servletbench.bench.comparison;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.servletbench.bench.model.Json;
import org.servletbench.bench.model.ProfilesFolder;
import org.servletbench.bench.model.Threads;
import org.servletbench.bench.model.UsageException;

class FactorsTest {

    private static final Path ROOT = Path.of("..");
    private static final ProfilesFolder PROFILES = new ProfilesFolder(ROOT.resolve("profiles"));

    @TempDir
    private Path folder;

    private Comparison read(String factors, String more, Map<String, String> options) throws IOException {
        Path file = Files.writeString(
                folder.resolve("own.yaml"),
                "factors:\n" + factors.indent(2) + more + "\nload: [{workloads: hello, users: 10}]\n");
        return Comparison.read(ROOT, file.toString(), options, PROFILES);
    }

    private Comparison read(String factors, String more) throws IOException {
        return read(factors, more, Map.of());
    }

    private static ArmSpec arm(Comparison comparison, String name) {
        return comparison.arms().stream()
                .filter(arm -> arm.name().equals(name))
                .findFirst()
                .orElseThrow()
                .spec();
    }

    @Test
    void everyCombinationIsAnArm() throws IOException {
        Comparison made = read(
                "gc: [serial, g1]\nthreads: [platform, virtual]\nheaders: [usual, compact]",
                "server: {container: tomcat-nio, jvm: [-Xss512k]}");
        assertThat(made.arms().stream().map(NamedArm::name))
                .containsExactly(
                        "serial-platform-usual",
                        "serial-platform-compact",
                        "serial-virtual-usual",
                        "serial-virtual-compact",
                        "g1-platform-usual",
                        "g1-platform-compact",
                        "g1-virtual-usual",
                        "g1-virtual-compact");
        ArmSpec last = arm(made, "g1-virtual-compact");
        assertThat(last.jvm()).containsExactly("-Xss512k", "-XX:+UseG1GC", "-XX:+UseCompactObjectHeaders");
        assertThat(last.threads()).isEqualTo(Threads.VIRTUAL);
        assertThat(last.container()).isEqualTo("tomcat-nio");
        assertThat(arm(made, "serial-platform-usual").jvm()).containsExactly("-Xss512k", "-XX:+UseSerialGC");
        assertThat(made.arms()).allSatisfy(arm -> assertThat(arm.against()).isEqualTo("serial-platform-usual"));
        assertThat(made.factorial().orElseThrow().effects().stream().map(Effect::name))
                .containsExactly(
                        "gc: serial → g1",
                        "threads: platform → virtual",
                        "headers: usual → compact",
                        "gc × threads",
                        "gc × headers",
                        "threads × headers");
    }

    /**
     * The interaction of two factors compares the arms in which both have their first or both their other level with
     * the mixed ones. That is half of the difference of differences.
     */
    @Test
    void eachEffectHasAllArms() throws IOException {
        Factorial made = read("gc: [serial, g1]\nthreads: [platform, virtual]", "server: {container: jetty}")
                .factorial()
                .orElseThrow();
        assertThat(made.effects())
                .containsExactly(
                        new Effect(
                                Effect.Kind.FACTOR,
                                "gc: serial → g1",
                                List.of("g1-platform", "g1-virtual"),
                                List.of("serial-platform", "serial-virtual")),
                        new Effect(
                                Effect.Kind.FACTOR,
                                "threads: platform → virtual",
                                List.of("serial-virtual", "g1-virtual"),
                                List.of("serial-platform", "g1-platform")),
                        new Effect(
                                Effect.Kind.PAIR,
                                "gc × threads",
                                List.of("serial-platform", "g1-virtual"),
                                List.of("serial-virtual", "g1-platform")));
        assertThat(made.first()).isEqualTo("serial-platform");
    }

    @Test
    void levelsMayBeGivenByTheirKeys() throws IOException {
        Comparison made = read(
                "pool:\n  small: {properties: {server.tomcat.threads.max: 16}}\n  large: {properties: {server.tomcat.threads.max: 200}}\n"
                        + "heap: [512m, 1g, 2g]\ncontainer: [tomcat-nio, tomcat-nio2]",
                "");
        assertThat(made.arms()).hasSize(12);
        ArmSpec one = arm(made, "large-1g-tomcat-nio2");
        assertThat(one.properties()).containsEntry("server.tomcat.threads.max", "200");
        assertThat(one.heap().toString()).isEqualTo("1g");
        assertThat(one.container()).isEqualTo("tomcat-nio2");
        // Three levels make two effects, and as many interactions with each other factor.
        assertThat(made.factorial().orElseThrow().effects().stream().map(Effect::name))
                .contains("heap: 512m → 1g", "heap: 512m → 2g", "pool × heap: large, 1g", "pool × heap: large, 2g")
                .hasSize(4 + 2 + 1 + 2);
    }

    @Test
    void anArmBesideTheFactorsDiffersByItsOwnKeys() throws IOException {
        Path jar = Files.createFile(folder.resolve("shop.jar"));
        Comparison made = read(
                "gc: [serial, g1]\nthreads: [platform, virtual]",
                "app: " + jar + "\nserver: {jvm: [-Xss512k]}\narms: {old: {jvm: [-Dold=true]}}");
        assertThat(made.arms().get(0).name()).isEqualTo("old");
        assertThat(made.arms()).hasSize(5);
        ArmSpec old = arm(made, "old");
        assertThat(old.jvm()).containsExactly("-Xss512k", "-XX:+UseSerialGC", "-Dold=true");
        assertThat(old.properties()).containsEntry("spring.threads.virtual.enabled", "false");
        assertThat(arm(made, "g1-virtual").properties()).containsEntry("spring.threads.virtual.enabled", "true");
        assertThat(made.factorial().orElseThrow().effects().get(0))
                .isEqualTo(new Effect(
                        Effect.Kind.ARM, "serial-platform instead of old", List.of("serial-platform"), List.of("old")));
    }

    /** A level that is a program needs no container: a build, a command, or one of our applications. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{a: {app: a.jar}, b: {app: b.jar}}",
                "{a: {command: [java, -jar, a.jar, '${port}']}, b: {command: [java, -jar, b.jar, '${port}']}}",
                "{a: {app: a.jar}, b: {command: [java, -jar, b.jar, '${port}']}}",
                "{a: {container: tomcat-nio}, b: {command: [java, -jar, b.jar, '${port}']}}"
            })
    void levelsMayBePrograms(String program) throws IOException {
        Files.createFile(folder.resolve("a.jar"));
        Files.createFile(folder.resolve("b.jar"));
        Comparison made = read("gc: [serial, g1]\nprogram: " + program, "");
        assertThat(made.arms().stream().map(NamedArm::name)).containsExactly("serial-a", "serial-b", "g1-a", "g1-b");
        assertThat(arm(made, "g1-b").jvm()).containsExactly("-XX:+UseG1GC");
        assertThat(arm(made, "g1-b").container()).isNull();
    }

    @Test
    void factorsOfBuildsAndCommandsExchangeNoContainer() throws IOException {
        Files.createFile(folder.resolve("a.jar"));
        Files.createFile(folder.resolve("b.jar"));
        assertThat(arm(read("threads: [platform, virtual]\nbuild: {a: {app: a.jar}, b: {app: b.jar}}", ""), "virtual-b")
                        .properties())
                .containsEntry("spring.threads.virtual.enabled", "true");
        assertThat(arm(
                                read(
                                        "program: {a: {command: [java, -jar, a.jar, '${port}']},"
                                                + " b: {command: [java, -jar, b.jar, '${port}']}}",
                                        "arms: {jetty: {jvm: [-Da=b]}}"),
                                "jetty")
                        .container())
                .isNull();
    }

    private static String two(int factors) {
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < factors; i++) {
            all.append("f").append(i).append(": {a").append(i).append(": {}, b").append(i);
            all.append(": {properties: {own.p").append(i).append(": x}}}\n");
        }
        return all.toString();
    }

    @Test
    void fourFactorsHaveAllCombinations() throws IOException {
        Comparison made = read(two(4), "server: {container: tomcat-nio}");
        assertThat(made.arms()).hasSize(16);
        assertThat(made.factorial().orElseThrow().isHalf()).isFalse();
    }

    /** Each column of signs is orthogonal to all others, and no two are equal, so that no effect hides another. */
    @Test
    void halfOfFiveAndSixFactorsKeepsEffectsApart() throws IOException {
        for (int factors : new int[] {5, 6}) {
            Comparison made = read(two(factors), "server: {container: tomcat-nio}");
            Factorial half = made.factorial().orElseThrow();
            assertThat(half.isHalf()).isTrue();
            assertThat(made.arms()).hasSize(1 << factors - 1);
            List<Effect> effects = half.effects();
            assertThat(effects).hasSize(factors + factors * (factors - 1) / 2);
            Map<String, int[]> signs = new HashMap<>();
            List<String> arms = made.arms().stream().map(NamedArm::name).toList();
            for (Effect effect : effects) {
                assertThat(effect.a()).hasSize(arms.size() / 2).hasSameSizeAs(effect.b());
                signs.put(
                        effect.name(),
                        arms.stream()
                                .mapToInt(arm -> effect.a().contains(arm)
                                        ? 1
                                        : effect.b().contains(arm) ? -1 : 0)
                                .toArray());
            }
            signs.forEach((one, column) -> signs.forEach((other, beside) -> {
                int product = 0;
                for (int i = 0; i < column.length; i++) {
                    product += column[i] * beside[i];
                }
                assertThat(product).as(one + " and " + other).isEqualTo(one.equals(other) ? column.length : 0);
            }));
            Set<String> distinct = new HashSet<>();
            signs.values().forEach(column -> distinct.add(Arrays.toString(column)));
            assertThat(distinct).hasSameSizeAs(effects);
            assertThat(arms).contains(half.first());
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "gc: [serial]|server: {container: jetty}|'factors.gc': a factor has two levels or more",
                "gc: [serial, serail]|server: {container: jetty}|'factors.gc': there is no level 'serail': did you mean 'serial'?",
                "gc: [serial, serial]|server: {container: jetty}|'factors.gc': the level 'serial' is named twice",
                "pool: [a, b]|server: {container: jetty}|'factors.pool': 'pool' is not an arm key: give the keys of each level",
                "jvm: [-Da, -Db]|server: {container: jetty}|'factors.jvm': 'jvm' is not an arm key",
                "gc: [serial, g1]||'factors': no arm would have a container: add server: {container: tomcat-nio}, or an 'app'",
                "gc: [serial, g1]|server: {container: jetti}|unknown container 'jetti': did you mean 'jetty'?",
                "threads: [platform, virtul]|server: {container: jetty}|'arms.virtul.threads' is wrong: give platform or virtual",
                "pool: {a: 1, b: 2}|server: {container: jetty}|'factors.pool.a' must be a mapping: keys of an arm",
                "`a: {x: {heap: 1g}, y: {}}\nb: {p: {heap: 2g}, q: {}}`|server: {container: jetty}|'factors.b' sets 'heap', which 'a' sets too",
                "a: {x: {}, y: {heep: 1g}}|server: {container: jetty}|unknown key 'arms.y.heep': did you mean 'heap'?",
                "a: {x: {}, y: {}}|server: {container: jetty}|'arms.y' does not differ from 'x'",
                "gc: [serial, g1]|`server: {container: jetty}\nclaims: [a is faster than b]`|'claims': the effects of 'factors' get verdicts",
                "gc: [serial, g1]|`server: {container: jetty}\narms: {old: {heap: 2g, against: old}}`|'arms.old.against': all arms of a comparison with 'factors' are compared together",
                "gc: [serial, g1]|`server: {container: jetty}\narms: {serial: {heap: 2g}}`|two arms would be called 'serial'",
            })
    void whatIsNotUnderstoodIsRefusedInOneLine(String factors, String more, String message) {
        assertThatThrownBy(() -> read(factors, more == null ? "" : more))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining(message.strip())
                .hasMessageContaining("own.yaml")
                .message()
                .doesNotContain("\n");
    }

    @Test
    void tooManyAndOtherArmsAreRefused() {
        assertThatThrownBy(() -> read(two(8), "server: {container: jetty}"))
                .hasMessageContaining("'factors' make 128 arms: a comparison has 100 at most");
        assertThatThrownBy(() -> read("gc: [serial, g1]", "server: {container: jetty}", Map.of("arms", "jetty")))
                .hasMessageContaining("--arms: the comparison has factors, which make its arms");
    }

    @Test
    void anOptionChangesLevels() throws IOException {
        Comparison made =
                read("gc: [serial, g1]", "server: {container: jetty}", Map.of("set", "factors.gc=[serial,parallel,z]"));
        assertThat(made.arms().stream().map(NamedArm::name)).containsExactly("serial", "parallel", "z");
        assertThat(read("gc: [serial, g1]", "server: {container: jetty}", Map.of("set", "factors.gc=serial,z"))
                        .arms())
                .hasSize(2);
    }

    @Test
    void anUpgradeTakesTheJarAndItsRequest() throws IOException {
        Path jar = Files.createFile(folder.resolve("shop.jar"));
        Comparison made = Comparison.ofOne(
                ROOT,
                "upgrade",
                () -> jar,
                "/api/owners",
                Map.of("jdk", "/opt/jdk-25", "set", "arms.jdk-17.jdk=/opt/jdk-17"),
                PROFILES);
        assertThat(made.arms())
                .hasSize(9)
                .allSatisfy(arm -> assertThat(arm.spec().app()).isEqualTo(jar.toString()));
        assertThat(made.arms().stream().map(arm -> arm.spec().jdk()).distinct())
                .containsExactly("/opt/jdk-17", "/opt/jdk-25");
        assertThat(made.workloads().get(0).path()).isEqualTo("/api/owners");
        assertThatThrownBy(() -> Comparison.ofOne(ROOT, "collectors", () -> jar, "/", Map.of(), PROFILES))
                .hasMessageContaining("--app and --url are a comparison of their own: leave out collectors");
    }

    /** The record of a campaign contains the design. */
    @Test
    void aDesignIsReadBackFromItsRecord() throws IOException {
        Factorial made = read("gc: [serial, g1]\nthreads: [platform, virtual]", "server: {container: jetty}")
                .factorial()
                .orElseThrow();
        Factorial again = Json.MAPPER.readValue(Json.MAPPER.writeValueAsString(made), Factorial.class);
        assertThat(again).isEqualTo(made);
        assertThat(again.effects()).isEqualTo(made.effects());
    }
}
