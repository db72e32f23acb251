package org.servletbench.bench.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.model.JvmOptions;
import org.servletbench.bench.model.ProfilesFolder;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.server.os.LinuxKernel;

class MemoryTest {
    private static final ProfilesFolder PROFILES = new ProfilesFolder(Path.of("../profiles"));
    private static final long GIB = 1L << 30;

    /** Four servers, each with heap and classes of 1.25 GiB and a quarter GiB besides, and 1 GiB for the generator. */
    @Test
    void preTouchedHeapsMustFitIntoWhatIsAvailable() {
        List<Arm> arms = PlannerTest.draft("quick", Map.of()).arms();
        Function<Arm, JvmOptions> touched = arm -> PROFILES.jvmOptions().preTouched();

        assertThat(Memory.tooLittle(arms, true, touched, 7 * GIB)).isEmpty();
        assertThat(Memory.tooLittle(arms, true, touched, 6 * GIB + 3 * GIB / 4))
                .hasValueSatisfying(line -> assertThat(line)
                        .startsWith("6.8 GiB of memory are available and 7.0 GiB are needed for 4 servers at once")
                        .contains("fewer arms", "smaller heap", "measure.together=false"));
        assertThat(Memory.tooLittle(arms, false, touched, 4 * GIB)).isEmpty();
        assertThat(Memory.tooLittle(arms, true, arm -> PROFILES.jvmOptions(), GIB))
                .as("a heap that is used bit by bit")
                .isEmpty();
    }

    /** Five servers of 8 GiB, the baseline and its A/A copy among them, and one of 256 MiB. */
    @Test
    void heapsOfTheArmsAreWhatTheyNeed() {
        List<Arm> arms = PlannerTest.draft(
                        "quick",
                        Map.of(
                                "arms",
                                "tomcat-nio,tomcat-nio2,undertow,jetty:heap=8g,jetty:heap=256m",
                                "set",
                                "arms.undertow.heap=8g;arms.tomcat-nio.heap=8g;arms.tomcat-nio2.heap=8g"))
                .arms();
        Function<Arm, JvmOptions> heaps =
                arm -> new JvmOptions(List.of("-Xmx" + arm.spec().heap()), Path.of("file"));

        assertThat(Memory.tooLittleTogether(arms, heaps, 43 * GIB))
                .hasValueSatisfying(line -> assertThat(line).endsWith("(43.8 GiB)"));
        assertThat(Memory.tooLittleTogether(arms, heaps, 44 * GIB)).isEmpty();
    }

    /** Four servers with a limit of 4 GiB each, of which their heap may take 3 GiB, and half a GiB besides. */
    @Test
    void aHeapThatIsAShareCountsAsWhatItMayBecome() {
        List<Arm> arms = PlannerTest.draft(
                        "quick", Map.of("set", "server.memory=4g;server.jvm=[-XX:MaxRAMPercentage=75]"))
                .arms();
        Function<Arm, JvmOptions> shares =
                arm -> arm.spec().jvmOptions(PROFILES.jvmOptions().preTouched());

        assertThat(Memory.tooLittleTogether(arms, shares, 16 * GIB)).isEmpty();
        assertThat(Memory.tooLittleTogether(arms, shares, 16 * GIB - 1))
                .hasValueSatisfying(line -> assertThat(line).endsWith("(16.0 GiB)"));
        List<Arm> ofMachine = PlannerTest.draft("quick", Map.of("set", "server.jvm=[-XX:MaxRAMPercentage=30]"))
                .arms();
        assertThat(Memory.tooLittleTogether(ofMachine, shares, 16 * GIB)).isPresent();
        assertThat(Memory.tooLittle(arms, true, shares, 4 * GIB))
                .as("only its first size is touched at the start")
                .isEmpty();
    }

    @Test
    void aCampaignOfHeapsLargerThanTheMachineDoesNotRunTogether() {
        Preparation preparation =
                new Preparation(Path.of("..").toAbsolutePath().normalize(), () -> "1", () -> "", line -> {});
        Planner.Draft draft = preparation.draft(Optional.of("quick"), Map.of("set", "server.heap=90000g"));

        assertThat(draft.plan().together()).isTrue();
        assertThat(preparation.fitting(draft).plan().together()).isFalse();
    }

    @Test
    void whatIsAvailableIsNotTheTotal(@TempDir Path folder) throws IOException {
        Path meminfo = Files.writeString(
                folder.resolve("meminfo"), "MemTotal: 24683108 kB\nMemFree: 1 kB\nMemAvailable:    2048 kB\n");
        assertThat(LinuxKernel.bytes(meminfo, "MemAvailable")).contains(2048L << 10);
        assertThat(LinuxKernel.bytes(meminfo, "Mem")).isEmpty();
    }

    /** Uses the numbers of docs/machine.md. */
    @Test
    void aMachineWithLittleMemoryIsToldTheHeapWithWhichAllAreUp() throws IOException {
        List<Arm> arms = PlannerTest.draft("quick", Map.of()).arms();
        Function<Arm, JvmOptions> usual = arm -> PROFILES.jvmOptions();

        assertThat(Memory.tooLittleTogether(arms, usual, 8 * GIB)).isEmpty();
        assertThat(Memory.tooLittleTogether(arms, usual, 8 * GIB - 1))
                .contains("8.0 GiB of memory are too little for all servers of a group at once"
                        + " (8.0 GiB; 6.0 with --set server.heap=512m)");
        assertThat(Memory.tooLittleTogether(arms, usual, 6 * GIB - 1))
                .hasValueSatisfying(line -> assertThat(line).endsWith("(8.0 GiB)"));
        assertThat(Path.of(System.getProperty("bench.root"), "docs/machine.md"))
                .content()
                .contains("|memory|8 GiB for three containers; 6 GiB with a smaller heap (below)|", "server.heap=512m");
    }
}
