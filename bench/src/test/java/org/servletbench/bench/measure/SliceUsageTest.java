package org.servletbench.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SliceUsageTest {

    @TempDir
    private Path folder;

    /** The generator's edges are 10 ms outside of the server's, so that its time is scaled down to the shorter span. */
    @Test
    void theGeneratorsTimeIsThatOfTheServersSpan() {
        List<SliceUsage> servers = List.of(new SliceUsage(0, 35, 235, 150, 0));
        List<SliceUsage> generators = List.of(new SliceUsage(0, 25, 245, 0, 154));

        assertThat(SliceUsage.join(servers, generators)).containsExactly(new SliceUsage(0, 35, 235, 150, 140));
    }

    /**
     * CPU time is read when users who waited for the previous server have arrived: after at most a tenth of a time
     * slice.
     */
    @Test
    void usersHaveArrivedAfterATenthOfATurn() {
        assertThat(arrived(100)).isEqualTo(1020);
        assertThat(arrived(250)).isEqualTo(1025);
        assertThat(arrived(2000)).isEqualTo(1200);
    }

    private static long arrived(long timeSliceMs) {
        return new Interleaving(List.of("a", "b"), 1000, timeSliceMs, 6, 1).arrivedMs(0);
    }

    @Test
    void turnsThatBothMachinesReadAreJoined() {
        List<SliceUsage> servers = List.of(new SliceUsage(0, 20, 95, 70, 9), new SliceUsage(2, 220, 295, 60, 9));
        List<SliceUsage> generators = List.of(
                new SliceUsage(0, 21, 96, 0, 30),
                new SliceUsage(1, 121, 196, 0, 31),
                new SliceUsage(2, 221, 296, 0, 32));

        assertThat(SliceUsage.join(servers, generators))
                .containsExactly(new SliceUsage(0, 20, 95, 70, 30), new SliceUsage(2, 220, 295, 60, 32));
        assertThat(SliceUsage.join(servers, generators.subList(1, 2))).isEmpty();
    }

    /** If a time slice lacks a counter, its cell is empty. */
    @Test
    void theFileHasAColumnForEachCounter() throws IOException {
        Path csv = folder.resolve("slices.csv");
        SliceUsage counted = new SliceUsage(1, 100, 200, Map.of("process.cpu.ms", 70L, "write.calls", 9L), 5);
        SliceUsage.write(List.of(new SliceUsage(0, 0, 90, 60, 4), counted), csv);
        assertThat(csv).hasContent("""
                slice,from.ms,to.ms,server.cpu.ms,generator.cpu.ms,write.calls
                0,0,90,60,4,
                1,100,200,70,5,9
                """);
        assertThat(SliceUsage.join(List.of(counted), List.of(new SliceUsage(1, 100, 200, 0, 8))))
                .containsExactly(counted.with(100, 200, 8));
    }
}
