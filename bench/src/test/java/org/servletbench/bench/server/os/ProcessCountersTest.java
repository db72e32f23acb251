package org.servletbench.bench.server.os;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessCountersTest {

    @TempDir
    private Path proc;

    private void process(int pid, int faults, int user, int system) throws IOException {
        Path folder = Files.createDirectories(proc.resolve(Integer.toString(pid)));
        Files.writeString(
                folder.resolve("stat"),
                pid + " (a name) b) S 1 2 3 4 5 6 " + faults + " 8 9 10 " + user + " " + system + " 13 14\n");
    }

    @Test
    void columnsAreThoseOfTheKernelsFiles() throws IOException {
        process(7, 70, 30, 12);
        Files.writeString(proc.resolve("7/io"), "rchar: 5\nwchar: 6\nsyscr: 21\nsyscw: 22\nread_bytes: 7\n");
        assertThat(ProcessCounters.of(proc, 7))
                .isEqualTo(Map.of(
                        "process.cpu.ms",
                        420L,
                        "process.user.ms",
                        300L,
                        "process.system.ms",
                        120L,
                        "page.faults",
                        70L,
                        "read.calls",
                        21L,
                        "write.calls",
                        22L));
    }

    /** If the kernel does not count calls, their number is unknown, not 0. */
    @Test
    void callsThatNobodyCountsAreNotKnown() throws IOException {
        process(7, 70, 30, 12);
        assertThat(ProcessCounters.of(proc, 7)).doesNotContainKeys("read.calls", "write.calls");
        assertThat(ProcessMeters.totals(ProcessCounters.COLUMNS, () -> ProcessCounters.of(proc, 7)))
                .containsOnlyKeys(ProcessCounters.COLUMNS)
                .containsEntry("page.faults", "70")
                .containsEntry("read.calls", "");
    }

    /** This process writes a file byte by byte, and its calls are counted. */
    @Test
    void eachWriteCounts() throws IOException {
        long pid = ProcessHandle.current().pid();
        Map<String, Long> before = ProcessCounters.of(List.of(pid));
        try (var out = Files.newOutputStream(proc.resolve("bytes"))) {
            for (int i = 0; i < 500; i++) {
                out.write(i);
            }
        }
        Map<String, Long> after = ProcessCounters.of(List.of(pid));
        assertThat(after.get("write.calls") - before.get("write.calls")).isGreaterThanOrEqualTo(500);
        assertThat(after).allSatisfy((column, total) -> assertThat(total).isGreaterThanOrEqualTo(before.get(column)));
        assertThat(after.get("process.cpu.ms"))
                .isEqualTo(after.get("process.user.ms") + after.get("process.system.ms"));
    }
}
