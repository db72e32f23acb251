package org.servletbench.bench.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.servletbench.bench.model.JvmOptions;
import org.servletbench.bench.model.ProfilesFolder;
import org.servletbench.bench.record.Arm;

class MemoryTest {
    private static final ProfilesFolder PROFILES = new ProfilesFolder(Path.of("../profiles"));
    private static final long GIB = 1L << 30;

    /** Heap and classes of 2.25 GiB, a quarter beside them, five servers, and 1 GiB for the generator. */
    @Test
    void preTouchedHeapsMustFitIntoWhatIsAvailable() {
        List<Arm> arms = Planner.draft(Planner.options("--", Map.of(), PROFILES), PROFILES, line -> {})
                .arms();
        JvmOptions touched = PROFILES.jvmOptions().preTouched();

        assertThat(Memory.tooLittle(arms, true, touched, 13 * GIB + GIB / 2)).isEmpty();
        assertThat(Memory.tooLittle(arms, true, touched, 13 * GIB)).hasValueSatisfying(line -> assertThat(line)
                .startsWith("13.0 GiB of memory are available and 13.5 GiB are needed for 5 servers at once")
                .contains("fewer --arms", "smaller heap", "--together false"));
        assertThat(Memory.tooLittle(arms, false, touched, 4 * GIB)).isEmpty();
        assertThat(Memory.tooLittle(arms, true, PROFILES.jvmOptions(), GIB))
                .as("a heap that is used bit by bit")
                .isEmpty();
    }

    @Test
    void whatIsAvailableIsNotTheTotal() {
        assertThat(Memory.read(
                        "MemAvailable:", List.of("MemTotal: 24683108 kB", "MemFree: 1 kB", "MemAvailable:    2048 kB")))
                .isEqualTo(2048L << 10);
        assertThat(Memory.read("MemAvailable:", List.of("MemTotal: 24683108 kB")))
                .isEqualTo(Long.MAX_VALUE);
    }
}
