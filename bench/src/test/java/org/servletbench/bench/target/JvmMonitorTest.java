package org.servletbench.bench.target;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.measure.MonitorSeries;

class JvmMonitorTest {

    @TempDir
    private Path work;

    /** What a window costs is what was read at its edges, whatever the seconds before and after it hold. */
    @Test
    void aMarkIsARowAtTheEdgeOfAWindow() throws IOException, InterruptedException {
        Path csv = work.resolve("monitor.csv");
        AtomicLong cpu = new AtomicLong(1000);
        long from;
        long to;
        try (JvmMonitor monitor = JvmMonitor.start(() -> Map.of("process.cpu.ms", Long.toString(cpu.get())), csv)) {
            from = monitor.mark().orElseThrow();
            cpu.addAndGet(700);
            // Two rows of the same ms are one.
            Thread.sleep(5);
            to = monitor.mark().orElseThrow();
            cpu.addAndGet(40_000);
        }
        assertThat(MonitorSeries.read(csv).over(from, to, 100).orElseThrow().cpuMicrosPerRequest())
                .isEqualTo(7000);
    }

    @Test
    void thereIsNoMarkOfAServerThatHasGone() throws IOException {
        AtomicBoolean gone = new AtomicBoolean();
        Path csv = work.resolve("monitor.csv");
        try (JvmMonitor monitor = JvmMonitor.start(
                () -> {
                    if (gone.get()) {
                        throw new IOException("gone");
                    }
                    return Map.of("rss.bytes", "1");
                },
                csv)) {
            gone.set(true);
            assertThat(List.of(monitor.mark(), monitor.mark())).containsOnly(OptionalLong.empty());
        }
        assertThat(Files.readAllLines(csv).get(0)).isEqualTo("time.ms,rss.bytes");
    }
}
