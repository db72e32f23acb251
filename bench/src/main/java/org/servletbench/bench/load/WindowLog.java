package org.servletbench.bench.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.servletbench.bench.measure.CellMeasurement;
import org.servletbench.bench.measure.Check;
import org.servletbench.bench.measure.LogMeasurement;

/** The windows of a generator's log. */
public final class WindowLog {

    private WindowLog() {}

    /**
     * Measures them.
     *
     * @param log to read
     * @param windows by the names that their requests have in it
     * @param others names of requests that are measured elsewhere
     * @param files for the reader of the results
     * @throws LoadException if it cannot be read, holds other requests, or not one of a load and server
     */
    public static List<LoadResult> read(
            RawLog log, Map<String, Batch.Window> windows, Set<String> others, List<Path> files) {
        List<LoadResult> results = new ArrayList<>();
        try {
            LogMeasurement measurement = log.measure();
            List<Check> ofLog =
                    measurement.checks().stream().filter(Check::failed).toList();
            for (CellMeasurement cell : measurement.cells()) {
                String name = cell.name();
                Batch.Window window = windows.get(name);
                if (window != null) {
                    results.add(
                            new LoadResult.FromLog(window.task(), window.stop().name(), cell, ofLog, files));
                } else if (!others.contains(name)) {
                    throw new LoadException(log + " holds '" + name + "', which was not asked for");
                }
            }
        } catch (IOException e) {
            throw new LoadException("cannot measure " + log + " (" + e.getMessage() + ")");
        }
        for (Batch.Window window : windows.values()) {
            if (results.stream()
                    .noneMatch(one -> one instanceof LoadResult.FromLog found
                            && found.task().equals(window.task())
                            && found.server().equals(window.stop().name()))) {
                throw new LoadException("not one request of '" + window.name() + "' was finished; see " + log);
            }
        }
        return results;
    }

    /** What is kept of a log, for a link: the tool's report of it, and perhaps itself. */
    public static List<Path> files(Batch batch, Path report, Path log) {
        return batch.keepRaw() ? List.of(report, log) : List.of(report);
    }

    /** Deletes a log where raw logs do not stay. */
    public static void deleteUnlessKept(Batch batch, Path log) {
        try {
            if (!batch.keepRaw()) {
                Files.delete(log);
            }
        } catch (IOException e) {
            throw new LoadException("cannot delete " + log + " (" + e.getMessage() + ")");
        }
    }
}
