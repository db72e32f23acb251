package org.servletbench.bench.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.servletbench.bench.measure.MonitorSeries;
import org.servletbench.bench.model.Metric;

class JvmMonitorTest {

    @TempDir
    private Path work;

    /** The cost of a window comes from readings at its edges, whatever happens in the seconds before and after it. */
    @Test
    void aMarkIsARowAtTheEdgeOfAWindow() throws IOException {
        Path csv = work.resolve("monitor.csv");
        AtomicLong clock = new AtomicLong(5000);
        AtomicLong cpu = new AtomicLong(1000);
        long from;
        long to;
        try (JvmMonitor monitor = JvmMonitor.start(
                () -> sample(clock.incrementAndGet(), "process.cpu.ms", Long.toString(cpu.get())), csv)) {
            from = monitor.mark().orElseThrow();
            cpu.addAndGet(700);
            to = monitor.mark().orElseThrow();
            cpu.addAndGet(40_000);
        }
        assertThat(MonitorSeries.read(csv).over(from, to, 100).orElseThrow().of(Metric.CPU))
                .isEqualTo(7000);
    }

    private static Map<String, String> sample(long time, String key, String value) {
        Map<String, String> sample = new LinkedHashMap<>();
        sample.put("time.ms", Long.toString(time));
        sample.put(key, value);
        return sample;
    }

    /**
     * The server uses one processor and reports its meters slowly. The time of the reading counts, not that of the
     * answer.
     */
    @Test
    void aRowHasTheTimeOfItsReadingHoweverLateTheAnswer() throws IOException {
        Path csv = work.resolve("monitor.csv");
        AtomicLong clock = new AtomicLong(1_000_000);
        AtomicBoolean late = new AtomicBoolean();
        JvmMonitor.Source source = () -> {
            Map<String, String> read = sample(clock.get(), "process.cpu.ms", Long.toString(clock.get() - 900_000));
            if (late.get()) {
                try {
                    Thread.sleep(60);
                } catch (InterruptedException e) {
                    throw new IOException(e);
                }
            }
            return read;
        };
        long from;
        long to;
        try (JvmMonitor monitor = JvmMonitor.start(source, csv)) {
            from = monitor.mark().orElseThrow();
            clock.addAndGet(1000);
            late.set(true);
            to = monitor.mark().orElseThrow();
        }
        assertThat(List.of(from, to)).containsExactly(1_000_000L, 1_001_000L);
        assertThat(MonitorSeries.read(csv).over(from, to, 100).orElseThrow().of(Metric.SERVER_CORES))
                .isEqualTo(1);
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
                    return sample(1, "rss.bytes", "1");
                },
                csv)) {
            gone.set(true);
            assertThat(List.of(monitor.mark(), monitor.mark())).containsOnly(OptionalLong.empty());
        }
        assertThat(Files.readAllLines(csv).get(0)).isEqualTo("time.ms,rss.bytes");
    }
}
