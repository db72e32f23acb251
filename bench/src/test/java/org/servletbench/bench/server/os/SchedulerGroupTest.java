package org.servletbench.bench.server.os;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.model.Scheduling;
import org.servletbench.bench.server.os.ManagedProcess.Farewell;

class SchedulerGroupTest {

    @TempDir
    Path folder;

    @Test
    void aServerHasAGroupOfItsOwnAndKeepsItsProcessId() throws IOException {
        SchedulerGroup scheduler = SchedulerGroup.make(Optional.empty());
        Process server = start(scheduler.entering(List.of("sleep", "60")));
        Process other = start(List.of("sleep", "60"));
        try {
            awaitCommand(server, "sleep");
            awaitCommand(other, "sleep");
            assertThat(SchedulerGroup.of(server.pid())).isEqualTo(SchedulerGroup.expected());
            assertThat(SchedulerGroup.of(other.pid())).isEqualTo(Scheduling.SHARED);
        } finally {
            ManagedProcess.stop(server);
            ManagedProcess.stop(other);
            scheduler.close();
        }
    }

    @Test
    void aControlGroupIsOneToo() throws IOException {
        Optional<ControlGroup> group = ControlGroup.ofProcessors();
        if (group.isEmpty()) {
            // Only some users may create a group; others get sessions, or a warning.
            return;
        }
        Process server = start(group.get().entering(List.of("sleep", "60")));
        try {
            awaitCommand(server, "sleep");
            assertThat(SchedulerGroup.of(server.pid())).isEqualTo(Scheduling.CONTROL_GROUP);
        } finally {
            ManagedProcess.stop(server);
            group.get().close();
        }
    }

    @Test
    void theGroupThatHasTheProcessorsIsFoundInBothVersions() throws IOException {
        Path one = Path.of("/nowhere");
        assertThat(SchedulerGroup.group(one, List.of("4:memory:/a", "1:cpu,cpuacct:/", "0::/"))
                        .toString())
                .isEmpty();
        assertThat(SchedulerGroup.group(one, List.of("4:memory:/a", "1:cpu,cpuacct:/docker/1", "0::/")))
                .isEqualTo(Path.of("/docker/1"));

        Path session = Files.createDirectories(folder.resolve("user.slice/user-1.slice/session-1.scope"));
        List<String> process = List.of("0::/user.slice/user-1.slice/session-1.scope");
        assertThat(SchedulerGroup.group(folder, process).toString()).isEmpty();
        Files.createFile(session.getParent().resolve("cpu.weight"));
        assertThat(SchedulerGroup.group(folder, process)).isEqualTo(session.getParent());
        Files.createFile(session.resolve("cpu.weight"));
        assertThat(SchedulerGroup.group(folder, process)).isEqualTo(session);
    }

    private static Process start(List<String> command) throws IOException {
        return ManagedProcess.start(new ProcessBuilder(command), Farewell.KILL);
    }

    private static void awaitCommand(Process process, String command) throws IOException {
        Path name = Path.of("/proc", Long.toString(process.pid()), "comm");
        while (!Files.readString(name).strip().equals(command)) {
            assertThat(process.isAlive()).isTrue();
            Thread.onSpinWait();
        }
    }
}
