package org.servletbench.bench.report.run;

import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import org.servletbench.bench.measure.CellMeasurement;
import org.servletbench.bench.measure.LogMeasurement;
import org.servletbench.bench.measure.Slice;

/**
 * A log and what was measured in it.
 *
 * @param file the raw log; of several that were measured as one the first
 * @param name for people: the file, or all of them
 */
public record Measured(Path file, String name, LogMeasurement log) {

    /** A log that is one file. */
    public Measured(Path file, LogMeasurement log) {
        this(file, file.toString(), log);
    }

    /** The cells in the order in which they ran. */
    public List<CellMeasurement> cells() {
        return log.cells().stream()
                .sorted(Comparator.comparingLong(cell ->
                        cell.slices().stream().mapToLong(Slice::fromMs).min().orElse(Long.MAX_VALUE)))
                .toList();
    }
}
