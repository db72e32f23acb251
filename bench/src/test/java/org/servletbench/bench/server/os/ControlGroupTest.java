package org.servletbench.bench.server.os;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
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

            // Keeps all input that has no line end in memory.
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

    private static ControlGroup group(long limit) {
        Optional<ControlGroup> group = ControlGroup.ofMemory(limit);
        if (group.isEmpty()) {
            Assumptions.abort(
                    "this user cannot make a memory cgroup: run as root, or in a systemd session of your own");
        }
        return group.orElseThrow();
    }
}
