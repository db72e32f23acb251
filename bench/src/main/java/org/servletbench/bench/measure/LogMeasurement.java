package org.servletbench.bench.measure;

import java.util.List;

/**
 * Everything that is known of one log.
 *
 * @param records requests read from the log, as the reader counted them
 * @param sliceMs width of the slices of the series and the grain of the windows: 1000 ms, doubled as often as it takes
 *     to hold a very long log in constant memory
 * @param firstMs start of the first request, ms since the epoch; 0 when there is none
 * @param cells by name
 */
public record LogMeasurement(
        LogSource source, long records, long sliceMs, long firstMs, List<WindowResult> cells, List<Check> checks) {

    public LogMeasurement with(MonitorSeries monitor) {
        List<WindowResult> watched =
                cells.stream().map(cell -> cell.with(monitor)).toList();
        return new LogMeasurement(source, records, sliceMs, firstMs, watched, checks);
    }
}
