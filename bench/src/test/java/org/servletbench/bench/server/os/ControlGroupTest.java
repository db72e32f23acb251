package org.servletbench.bench.server.os;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.model.Cpus;
import org.servletbench.bench.server.os.ControlGroup.Controller;
import org.servletbench.bench.server.os.ManagedProcess.Farewell;

class ControlGroupTest {

    @Test
    void itIsMadeInTheOwnGroupOrInOneAroundIt() {
        Path root = Path.of("/cg");
        assertThat(ControlGroup.parents(Controller.MEMORY, root, List.of("4:memory:/a/b", "3:cpuset:/", "0::/c")))
                .as("version 1, with an empty version 2 beside it")
                .containsExactly(
                        Path.of("/cg/memory/a/b"),
                        Path.of("/cg/memory/a"),
                        Path.of("/cg/memory"),
                        Path.of("/cg/c"),
                        Path.of("/cg"));
        assertThat(ControlGroup.parents(Controller.MEMORY, root, List.of("0::/user.slice/app.slice/x.scope")))
                .as("version 2 alone")
                .containsExactly(
                        Path.of("/cg/user.slice/app.slice/x.scope"),
                        Path.of("/cg/user.slice/app.slice"),
                        Path.of("/cg/user.slice"),
                        root);
        assertThat(ControlGroup.parents(Controller.MEMORY, root, List.of())).isEmpty();
    }

    @Test
    void aProcessThatNeedsMoreIsKilledAndTheGroupGoes() throws Exception {
        try (ControlGroup group = group(64L << 20)) {
            assertThat(group.limit()).isEqualTo(64L << 20);

            Process sleeps =
                    ManagedProcess.start(new ProcessBuilder(group.entering(List.of("sleep", "60"))), Farewell.KILL);
            while (!group.holds(sleeps.pid())) {
                Thread.sleep(10);
                assertThat(sleeps.isAlive()).isTrue();
            }
            ManagedProcess.stop(sleeps);

            // Without a line end, tail keeps all input in memory.
            Process greedy = ManagedProcess.start(
                    new ProcessBuilder(group.entering(List.of("tail", "/dev/zero"))), Farewell.KILL);
            assertThat(greedy.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(ManagedProcess.exit(greedy.exitValue())).isEqualTo("ended by signal 9");
            assertThat(group.peak()).isBetween(32L << 20, 64L << 20);
        }
        try (ControlGroup again = group(1L << 30)) {
            assertThat(again.limit()).isEqualTo(1L << 30);
        }
    }

    @Test
    void aLimitOfCpuTimeIsReadBack() {
        Optional<ControlGroup> made = ControlGroup.ofProcessors(Optional.of(Cpus.of("250m")));
        assertThat(made.isPresent()).isEqualTo(ControlGroup.canLimitProcessors());
        made.ifPresent(group -> {
            try (group) {
                assertThat(group.cpus()).contains(Cpus.of("0.25"));
                assertThatCode(group::throttling).doesNotThrowAnyException();
            }
        });
        ControlGroup.ofProcessors(Optional.empty()).ifPresent(group -> {
            try (group) {
                assertThat(group.cpus()).isEmpty();
            }
        });
    }

    /** Times are in µs in version 2, but in ns in version 1. */
    @Test
    void theKernelsCountersAreReadInBothVersions(@TempDir Path folder) throws IOException {
        ControlGroup one = new ControlGroup(folder, ControlGroup.Version.V1);
        assertThatThrownBy(one::throttling).isInstanceOf(IOException.class);
        assertThat(one.cpus()).isEmpty();
        Files.writeString(folder.resolve("cpu.cfs_quota_us"), "-1\n");
        Files.writeString(folder.resolve("cpu.cfs_period_us"), "100000\n");
        assertThat(one.cpus()).isEmpty();
        Files.writeString(folder.resolve("cpu.cfs_quota_us"), "150000\n");
        assertThat(one.cpus()).contains(Cpus.of("1.5"));
        Files.writeString(folder.resolve("cpu.stat"), "nr_periods 48\nnr_throttled 39\nthrottled_time 739809781\n");
        assertThat(one.throttling().values()).containsExactly(48L, 39L, 739_809L);

        ControlGroup two = new ControlGroup(folder, ControlGroup.Version.V2);
        Files.writeString(folder.resolve("cpu.max"), "max 100000\n");
        assertThat(two.cpus()).isEmpty();
        Files.writeString(folder.resolve("cpu.max"), "25000 100000\n");
        assertThat(two.cpus()).contains(Cpus.of("250m"));
        Files.writeString(
                folder.resolve("cpu.stat"),
                "usage_usec 5\nuser_usec 3\nnr_periods 7\nnr_throttled 3\nthrottled_usec 210\n");
        assertThat(two.throttling().values()).containsExactly(7L, 3L, 210L);
    }

    private static ControlGroup group(long limit) {
        Optional<ControlGroup> group = ControlGroup.ofMemory(limit);
        if (group.isEmpty()) {
            Assumptions.abort(
                    "this user cannot make a memory cgroup: run as root, or in a systemd session of your own");
        }
        return group.orElseThrow();
    }
}
