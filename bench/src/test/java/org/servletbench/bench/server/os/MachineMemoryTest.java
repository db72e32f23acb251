package org.servletbench.bench.server.os;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

class MachineMemoryTest {

    private static final long LIMIT = 300L << 20;

    /** Main class of a process in a control group. */
    static final class Says {
        public static void main(String[] ignored) {
            System.out.println(MachineMemory.total());
            System.out.println(MachineMemory.available());
        }
    }

    /** As in a container, a process may be limited to less than the memory of the machine. */
    @Test
    void theLimitOfAControlGroupHolds() throws Exception {
        Optional<ControlGroup> made = ControlGroup.ofMemory(LIMIT);
        if (made.isEmpty()) {
            Assumptions.abort(
                    "this user cannot make a memory cgroup: run as root, or in a systemd session of your own");
        }
        try (ControlGroup group = made.orElseThrow()) {
            Process says = new ProcessBuilder(group.entering(List.of(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-cp",
                            System.getProperty("java.class.path"),
                            Says.class.getName())))
                    .start();
            List<Long> said = new String(says.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .map(Long::parseLong)
                    .toList();
            assertThat(says.waitFor()).isZero();
            assertThat(said.get(0)).isEqualTo(LIMIT);
            assertThat(said.get(1)).isBetween(1L, LIMIT);
        }
        assertThat(MachineMemory.total()).isGreaterThan(LIMIT);
        assertThat(MachineMemory.available()).isBetween(1L, MachineMemory.total());
    }

    @Test
    void filesInMemoryCanBeDropped() {
        List<String> second = List.of("anon 9", "file 100", "inactive_file 30", "active_file 12", "workingset 7");
        List<String> first = Stream.concat(
                        second.stream(), Stream.of("total_inactive_file 300", "total_active_file 120"))
                .toList();
        assertThat(MachineMemory.files(second)).isEqualTo(42);
        assertThat(MachineMemory.files(first))
                .as("version 1 counts groups within it apart")
                .isEqualTo(420);
        assertThat(MachineMemory.files(List.of("anon 9"))).isZero();
    }
}
