package org.servletbench.bench.load;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.servletbench.bench.measure.LogMeasurement;
import org.servletbench.bench.measure.MonitorSeries;
import org.servletbench.bench.measure.NativeCount;
import org.servletbench.bench.measure.Recorder;
import org.servletbench.bench.measure.UnreadableLogException;

/** A raw log of a generator: of which one is seen from its first byte. */
public final class RawLog {
    private RawLog() {}

    /**
     * Measures a log, and holds it against the generator's own report if that is found next to it (see
     * {@link NativeReport#beside}).
     *
     * @param log a {@code simulation.log} of Gatling, or JMeter's results as CSV
     * @return its measurement
     * @throws UnreadableLogException when it is neither, or of a version that is not read
     * @throws IOException when it cannot be read at all
     */
    public static LogMeasurement measure(Path log) throws IOException {
        return measure(log, NativeReport.beside(log));
    }

    /**
     * Measures a log.
     *
     * @param log a {@code simulation.log} of Gatling, or JMeter's results as CSV
     * @param nativeCounts what the generator's own report says, by request name
     * @return its measurement
     * @throws UnreadableLogException when it is neither, or of a version that is not read
     * @throws IOException when it cannot be read at all
     */
    public static LogMeasurement measure(Path log, Optional<Map<String, NativeCount>> nativeCounts) throws IOException {
        if (Files.isDirectory(log)) {
            throw new UnreadableLogException("a directory; name the log in it");
        }
        int first = first(log);
        if (first < 0) {
            throw new UnreadableLogException("empty");
        }
        LogFormat format = Generators.all().stream()
                .flatMap(generator -> generator.log().stream())
                .filter(one -> one.beginsWith(first))
                .findFirst()
                .orElseThrow(
                        () -> new UnreadableLogException("neither a simulation.log of Gatling nor a CSV of JMeter"));
        Recorder[] recorder = new Recorder[1];
        long records = format.read(log, source -> recorder[0] = new Recorder(source));
        return watched(recorder[0].measure(records, nativeCounts), log);
    }

    private static int first(Path log) throws IOException {
        try (InputStream in = Files.newInputStream(log)) {
            return in.read();
        }
    }

    /** With the monitor's figures, if its file lies next to the log. */
    private static LogMeasurement watched(LogMeasurement measured, Path log) throws IOException {
        Path monitor = log.resolveSibling("monitor.csv");
        return Files.isRegularFile(monitor) ? measured.with(MonitorSeries.read(monitor)) : measured;
    }
}
