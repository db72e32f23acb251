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
 * @param file the raw log
 * @param log its figures
 */
public record Measured(Path file, LogMeasurement log) {

    /** The cells in the order in which they ran. */
    public List<CellMeasurement> cells() {
        return log.cells().stream()
                .sorted(Comparator.comparingLong(cell ->
                        cell.slices().stream().mapToLong(Slice::fromMs).min().orElse(Long.MAX_VALUE)))
                .toList();
    }
}
