package org.servletbench.bench.measure;

import java.util.List;

/**
 * Everything that is known of one log.
 *
 * @param source what wrote it
 * @param records requests read from the log, as the reader counted them
 * @param sliceMs width of the slices of the series and the grain of the windows: 1000 ms, doubled as often as it takes
 *     to hold a very long log in constant memory
 * @param firstMs start of the first request, ms since the epoch; 0 when there is none
 * @param cells by name
 * @param checks what was checked of the log as a whole
 */
public record LogMeasurement(
        LogSource source, long records, long sliceMs, long firstMs, List<CellMeasurement> cells, List<Check> checks) {

    /** Whether no check of the log or of any cell failed. */
    public boolean sound() {
        return checks.stream().noneMatch(Check::failed) && cells.stream().allMatch(CellMeasurement::sound);
    }
}
