package org.servletbench.bench.server;

import de.siegmar.fastcsv.writer.CsvWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.servletbench.bench.measure.MonitorSeries;
import org.servletbench.bench.model.Daemon;
import org.servletbench.bench.server.os.OthersMeter;
import org.servletbench.bench.server.os.ProcessMeters;

/**
 * Samples the server once a second into a CSV file. Each row is flushed, so that earlier rows survive any failure of
 * ours. The columns are the sample's keys, which contain the units. The first is {@code time.ms}, the time since the
 * epoch at which the source read its meters. This is not the time of our request, because a busy server answers late.
 */
public final class JvmMonitor implements AutoCloseable {

    /** Source of samples, whose first key is {@link MonitorSeries#TIME}. */
    @FunctionalInterface
    interface Source {
        Map<String, String> sample() throws IOException;
    }

    private static final long WARNING_PATIENCE_SECONDS = 5;

    private final ScheduledExecutorService clock =
            Executors.newSingleThreadScheduledExecutor(new Daemon("servlet-bench-monitor"));
    private final Source source;
    private final CsvWriter rows;

    private JvmMonitor(Source source, CsvWriter rows) {
        this.source = source;
        this.rows = rows;
    }

    /**
     * Starts sampling once a second, without delay.
     *
     * @param file file, which must not exist
     */
    static JvmMonitor start(Source source, Path file) throws IOException {
        return start(source, file, 1000);
    }

    /**
     * Samples a generator on a machine of its own, as long as it runs.
     *
     * @param file file, which must not exist; its columns are {@code time.ms}, {@code generator.cpu.ms},
     *     {@code steal.ms}, and, unless it is our own process, {@code others.ms} of the generator's processors
     * @throws IOException if the file cannot be written, or the process has ended
     */
    public static JvmMonitor ofGenerator(long pid, Path file) throws IOException {
        // The generator is sampled more often than a server, because it ends with its last load, and no rows mark the
        // edges.
        OthersMeter others = ProcessMeters.newOthers();
        return start(() -> ProcessMeters.ofGenerator(pid, others), file, 200);
    }

    private static JvmMonitor start(Source source, Path file, long periodMs) throws IOException {
        JvmMonitor monitor = new JvmMonitor(source, MonitorSeries.writer(file, StandardOpenOption.CREATE_NEW));
        monitor.write(source.sample().keySet());
        monitor.clock.scheduleAtFixedRate(monitor::row, 0, periodMs, TimeUnit.MILLISECONDS);
        return monitor;
    }

    /**
     * Adds a row at the edge of a window, in addition to the row of each second. Without it, figures would be
     * interpolated between a second with load and one without.
     *
     * @return the row's time, ms since the epoch; empty if no sample could be taken
     */
    OptionalLong mark() {
        try {
            return clock.submit(this::row).get(WARNING_PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return OptionalLong.empty();
        } catch (ExecutionException | TimeoutException | RejectedExecutionException | CancellationException e) {
            // Cancelled if the server ended while this was waiting.
            return OptionalLong.empty();
        }
    }

    private OptionalLong row() {
        try {
            Map<String, String> sample = source.sample();
            write(sample.values());
            return OptionalLong.of(Long.parseLong(sample.get(MonitorSeries.TIME)));
        } catch (IOException e) {
            // The server has gone. Its process reports why, and there is nothing left to sample.
            clock.shutdown();
            return OptionalLong.empty();
        }
    }

    private void write(Collection<String> row) throws IOException {
        try {
            rows.writeRecord(row);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        rows.flush();
    }

    @Override
    public void close() {
        clock.shutdown();
        try {
            clock.awaitTermination(2, TimeUnit.SECONDS);
            // The last second counts as well: a window that ends now must lie between two rows.
            row();
            rows.close();
        } catch (IOException e) {
            // Every row was flushed when it was written.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
