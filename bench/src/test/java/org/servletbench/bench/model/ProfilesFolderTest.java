package org.servletbench.bench.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProfilesFolderTest {

    @TempDir
    private Path copy;

    private static final Path ROOT = Path.of(System.getProperty("bench.root"));
    private static final ProfilesFolder FOLDER = new ProfilesFolder(ROOT.resolve("profiles"));

    @Test
    void hasTheFiveProfiles() {
        assertThat(FOLDER.containers()).containsExactly("jetty", "tomcat-apr", "tomcat-nio", "tomcat-nio2", "undertow");
        assertThat(FOLDER.containers())
                .allSatisfy(name ->
                        assertThat(FOLDER.container(name).connectorClass()).isNotBlank());
    }

    @Test
    void onlyAprNeedsANativeLibrary() {
        assertThat(FOLDER.containers())
                .filteredOn(name -> FOLDER.container(name).nativeLibrary().isPresent())
                .containsExactly("tomcat-apr");
    }

    @Test
    void theLengthsOfTheFixedBodiesAreThoseOfTheAppsFiles() throws IOException {
        Path resources = ROOT.resolve("target-apps/spring-boot/src/main/resources");

        assertThat(workload("static").minBytes()).isEqualTo((int) Files.size(resources.resolve("static/index.html")));
        assertThat(workload("payload").minBytes()).isEqualTo((int) Files.size(resources.resolve("payload.txt")));
        assertThat(workload("payload").minBytes()).isEqualTo(1892);
    }

    private static Workload workload(String name) {
        return FOLDER.workloads().stream()
                .filter(workload -> workload.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void settingsThatNoRequestWouldNoticeAreRejected() throws IOException {
        Files.writeString(copy.resolve("load.properties"), "");
        Files.createDirectory(copy.resolve("settings"));
        Files.writeString(copy.resolve("settings/small.properties"), "server.compression.enabled=true\n");

        assertThatThrownBy(() -> new ProfilesFolder(copy).settings("small"))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("has server.compression.enabled: no request accepts gzip");
    }

    @Test
    void refusesWhatIsNotThere() {
        assertThatThrownBy(() -> FOLDER.container("tomcat"))
                .isInstanceOf(UsageException.class)
                .hasMessage("no profile 'tomcat': choose one of jetty, tomcat-apr, tomcat-nio, tomcat-nio2, undertow");
        assertThatThrownBy(() -> FOLDER.settings("fast"))
                .isInstanceOf(UsageException.class)
                .hasMessage("no settings set 'fast': choose one of defaults, equalised");
        assertThatThrownBy(() -> FOLDER.container("../profiles/jetty")).isInstanceOf(UsageException.class);
        assertThatThrownBy(() -> new ProfilesFolder(ROOT)).hasMessageContaining("not the profiles folder");
    }

    @Test
    void readsJvmOptionsInOrder(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(
                folder.resolve("jvm.options"), "# a comment\n-Xms1g -Xmx3g\n\n-XX:MaxMetaspaceSize=1m\n");

        JvmOptions options = JvmOptions.read(file);

        assertThat(options.values()).containsExactly("-Xms1g", "-Xmx3g", "-XX:MaxMetaspaceSize=1m");
        assertThat(options.memoryBytes()).isEqualTo((3L << 30) + (1 << 20));
    }

    private static JvmOptions options(String... values) {
        return new JvmOptions(List.of(values), Path.of("jvm.options"));
    }

    /** HotSpot ignores a share of the memory next to -Xmx. */
    @Test
    void everyWayToSizeAHeapReplacesTheSizesOfTheProfile() {
        JvmOptions profile = options("-Xms1g", "-Xmx1g", "-Xmn512m", "-Xss256k");
        for (String whole : List.of(
                "-Xmx2g",
                "-XX:MaxHeapSize=2g",
                "-XX:MaxRAMPercentage=25",
                "-XX:MinRAMPercentage=25",
                "-XX:MaxRAMFraction=4",
                "-XX:MaxRAM=4g")) {
            assertThat(profile.replacedBy(List.of("-Da=b " + whole)).values())
                    .as(whole)
                    .containsExactly("-Xss256k", "-Da=b", whole);
        }
        for (String first : List.of("-Xms256m", "-XX:InitialHeapSize=256m", "-XX:InitialRAMPercentage=10")) {
            assertThat(profile.replacedBy(List.of(first)).values())
                    .containsExactly("-Xmx1g", "-Xmn512m", "-Xss256k", first);
        }
        for (String young : List.of("-Xmn100m", "-XX:NewRatio=2", "-XX:NewSize=1m", "-XX:G1MaxNewSizePercent=40")) {
            assertThat(profile.replacedBy(List.of(young)).values())
                    .containsExactly("-Xms1g", "-Xmx1g", "-Xss256k", young);
        }
        assertThat(profile.replacedBy(List.of("-XX:+UseZGC", "-Dx=-Xmx1g")).values())
                .startsWith("-Xms1g", "-Xmx1g", "-Xmn512m");
        assertThat(options("-XX:MaxHeapSize=3g").memoryBytes()).isEqualTo(3L << 30);
    }

    /** Without any size, the maximum heap is a quarter of the memory. */
    @ParameterizedTest
    @CsvSource({
        "-XX:MaxRAMPercentage=75, 6",
        "-XX:MaxRAMPercentage=12.5, 1",
        "-XX:MaxRAMFraction=2, 4",
        "-XX:MaxRAM=4g, 1",
        "-Xss256k, 2",
        "-Xmx1g, 1"
    })
    void aHeapWithoutASizeIsAShareOfTheMemory(String option, long gib) {
        assertThat(options(option).memoryBytes(8L << 30)).isEqualTo(gib << 30);
    }

    /** In Java 17 and 25, one of the two shares has an effect, depending on the memory. */
    @ParameterizedTest
    @CsvSource({
        "-XX:MinRAMPercentage=50, 2048, false",
        "-XX:MinRAMPercentage=50, 240, true",
        "-XX:MinRAMPercentage=5, 2048, true",
        "-XX:MinRAMFraction=2, 2048, false",
        "-XX:MaxRAMPercentage=75, 2048, true",
        "-XX:MaxRAMPercentage=75, 240, false",
        "-XX:MaxRAMFraction=2, 240, false",
        "-XX:MaxRAM=240m -XX:MaxRAMPercentage=75, 2048, false",
        "-Xss256k, 240, true"
    })
    void aShareOfTheMemoryMayHaveNoEffect(String options, long mib, boolean hasEffect) {
        assertThat(options(options.split(" ")).unusedShare(mib << 20).isEmpty()).isEqualTo(hasEffect);
    }

    @ParameterizedTest
    @CsvSource({
        "-XX:MaxRAMPercentage=75, 240, 120",
        "-XX:MinRAMPercentage=25, 240, 60",
        "-XX:MaxRAMPercentage=25, 300, 124",
        "-XX:MaxRAMPercentage=75, 300, 225"
    })
    void theHeapOfASmallMemoryIsAnotherShare(String option, long mib, long heapMib) {
        assertThat(options(option).memoryBytes(mib << 20)).isEqualTo(heapMib << 20);
    }

    @Test
    void theDefaultOfAnAggressiveHeapReplacesNoSize() {
        JvmOptions profile = options("-Xms1g", "-Xmx1g");
        assertThat(profile.replacedBy(List.of("-XX:-AggressiveHeap")).values())
                .containsExactly("-Xms1g", "-Xmx1g", "-XX:-AggressiveHeap");
        assertThat(profile.replacedBy(List.of("-XX:+AggressiveHeap")).values()).containsExactly("-XX:+AggressiveHeap");
    }

    /**
     * {@code heap: 1g} and the profile's own 1g are the same heap; any other size has a young generation of the same
     * share.
     */
    @Test
    void everyHeapIsDividedInTheSameWay() {
        JvmOptions profile = FOLDER.jvmOptions();
        assertThat(profile.with(new Size("1g"), List.of()).effective()).isEqualTo(profile.effective());
        assertThat(profile.with(null, List.of("-Xms1g -Xmx1g")).effective()).isEqualTo(profile.effective());
        assertThat(profile.with(new Size("512m"), List.of()).values())
                .contains("-Xmx512m", "-XX:NewRatio=1")
                .noneMatch(option -> option.startsWith("-Xmn"));
        assertThat(profile.with(new Size("512m"), List.of("-Xmn100m")).values())
                .contains("-Xmx512m", "-Xmn100m")
                .doesNotContain("-XX:NewRatio=1");
    }

    /** A heap whose initial size is its maximum never shrinks to a soft limit. */
    @Test
    void aSoftLimitReplacesTheFirstSize() {
        assertThat(options("-Xms1g", "-Xmx1g", "-Xmn512m")
                        .replacedBy(List.of("-XX:+UseZGC -XX:SoftMaxHeapSize=256m"))
                        .values())
                .containsExactly("-Xmx1g", "-Xmn512m", "-XX:+UseZGC", "-XX:SoftMaxHeapSize=256m");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            -Xmx1g -XX:MaxRAMPercentage=75               | -XX:MaxRAMPercentage has no effect next to -Xmx
            -XX:MaxHeapSize=1g -XX:MinRAMPercentage=75   | -XX:MinRAMPercentage has no effect next to -Xmx
            -Xms1g -Xmx1g -XX:InitialRAMPercentage=10    | -XX:InitialRAMPercentage has no effect next to -Xms
            -Xms1g -Xmx1g -XX:MaxRAM=4g                  | -XX:MaxRAM has no effect next to -Xmx and -Xms
            -Xmn100m -XX:NewRatio=3                      | -XX:NewRatio has no effect next to -Xmn
            -XX:SoftMaxHeapSize=100m -XX:+UseG1GC        | -XX:SoftMaxHeapSize has no effect with
            -XX:SoftMaxHeapSize=100m                     | -XX:SoftMaxHeapSize has no effect with
            """)
    void aSizeThatHotSpotIgnoresIsNamed(String options, String why) {
        assertThat(options(options.split(" ")).withoutEffect(25).orElseThrow()).startsWith(why);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-Xms1g -Xmx1g -XX:NewRatio=1",
                "-XX:MaxRAMPercentage=75 -XX:InitialRAMPercentage=75",
                "-Xmx1g -XX:MaxRAM=4g",
                "-Xmx1g -XX:SoftMaxHeapSize=100m -XX:+UseZGC",
                "-Xmx1g -XX:SoftMaxHeapSize=100m -XX:+UseShenandoahGC"
            })
    void sizesThatGoTogetherAreAccepted(String options) {
        assertThat(options(options.split(" ")).withoutEffect(25)).isEmpty();
    }

    /** The heap of an arm remains a size until the command line is built. */
    @Test
    void theHeapOfAnArmReplacesAllSizesAndItsOwnOptionsFollow() {
        JvmOptions profile = options("-Xms1g", "-Xmx1g", "-Xmn512m", "-Xss256k");
        JvmOptions arm = profile.with(new Size("2G"), List.of("-Da=b -Dc=d"));
        assertThat(arm.heap()).isEqualTo(new Size("2g"));
        assertThat(arm.values()).containsExactly("-Xss256k", "-Xms2g", "-Xmx2g", "-Da=b", "-Dc=d");
        assertThat(arm.followedBy(List.of("-De=a b")).values()).endsWith("-Dc=d", "-De=a b");
        assertThat(arm.memoryBytes()).isEqualTo(2L << 30);
        assertThat(arm.effective())
                .isEqualTo(options(arm.values().toArray(String[]::new)).effective());
        assertThat(arm.each(value -> value.replace("=b", "=x")).values()).contains("-Xmx2g", "-Da=x");
        assertThat(profile.with(null, List.of("-Da=b")).values())
                .containsExactly("-Xms1g", "-Xmx1g", "-Xmn512m", "-Xss256k", "-Da=b");
        assertThat(profile.withHeap(new Size("512m")).preTouched().values())
                .containsExactly(
                        "-Xss256k", "-Xms512m", "-Xmx512m", "-XX:+AlwaysPreTouch", "-XX:+UseTransparentHugePages");
    }

    /** The last of two sizes counts, and the heap of the arm has no effect. */
    @Test
    void aSizeAmongTheOptionsOfAnArmCountsBesideItsHeap() {
        JvmOptions both = options("-Xmx1g").with(new Size("2g"), List.of("-Xmx3g"));
        assertThat(both.values()).containsExactly("-Xms2g", "-Xmx2g", "-Xmx3g");
        assertThat(both.memoryBytes()).isEqualTo(3L << 30);
        assertThat(both.effective()).contains("MaxHeapSize=" + (3L << 30), "InitialHeapSize=" + (2L << 30));
        assertThat(both.withoutEffect(25)).contains("heap: 2g has no effect next to -Xmx3g: give one of them");
        assertThat(options("-Xmx1g").with(new Size("2g"), List.of("-Xmx2048m")).withoutEffect(25))
                .isEmpty();
    }

    @Test
    void whatHotSpotIgnoresHasNoEffect() {
        List<String> heap = options("-Xmx1g", "-XX:+UseZGC", "-Da=1").effective();
        assertThat(options("-Xmx2g", "-Da=1", "-XX:-UseZGC", "-XX:+UseZGC", "-XX:MaxHeapSize=1024m")
                        .effective())
                .isEqualTo(heap);
        assertThat(options("-Da=1", "-XX:MaxRAMPercentage=75.0", "-XX:+UseZGC", "-Xmx1g")
                        .effective())
                .isEqualTo(heap);
        assertThat(options("-XX:MaxRAMPercentage=75.0").effective())
                .isEqualTo(options("-XX:MaxRAMPercentage=75").effective())
                .isNotEqualTo(options("-XX:MaxRAMPercentage=25").effective());
        assertThat(options("-javaagent:a.jar", "-javaagent:b.jar").effective())
                .as("agents see classes in their order")
                .isNotEqualTo(options("-javaagent:b.jar", "-javaagent:a.jar").effective());
    }

    @Test
    void refusesWhatIsNoJvmOption(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("jvm.options"), "-Xms1g Xmx3g\n");

        assertThatThrownBy(() -> JvmOptions.read(file))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("'Xmx3g'");
        Files.writeString(folder.resolve("both.options"), "-Xmx1g\n-XX:MaxRAMPercentage=75\n");
        assertThatThrownBy(() -> JvmOptions.read(folder.resolve("both.options")))
                .isInstanceOf(UsageException.class)
                .hasMessageStartingWith(folder.resolve("both.options") + ": -XX:MaxRAMPercentage has no effect");
        assertThatThrownBy(() -> JvmOptions.read(folder.resolve("none")))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("cannot read");
    }
}
