package org.servletbench.bench.measure;

import java.util.List;
import org.servletbench.bench.model.Text;
import org.servletbench.bench.model.Warning;

/**
 * All figures of one log.
 *
 * @param records number of requests in the log, as the reader counted them
 * @param sliceMs width of the slices of the series, and resolution of the windows: 1000 ms, doubled as often as
 *     necessary to hold a very long log in constant memory
 * @param firstMs start of the first request, ms since the epoch; 0 if there is none
 * @param loads loads sorted by name
 */
public record LogMeasurement(
        LogSource source, long records, long sliceMs, long firstMs, List<WindowResult> loads, List<Warning> checks) {

    /** Returns the kinds of rows in the log, for people: {@code 800 requests, 400 transactions}. */
    public String rows() {
        long transactions = rows(Records.Role.TRANSACTION);
        long parts = rows(Records.Role.PART);
        return Text.text("%,d requests", records - transactions - parts)
                + (transactions == 0 ? "" : Text.text(", %,d transactions", transactions))
                + (parts == 0 ? "" : Text.text(", %,d parts of requests", parts));
    }

    private long rows(Records.Role role) {
        return loads.stream()
                .filter(load -> Records.Role.of(load.name()) == role)
                .mapToLong(load -> load.whole().count())
                .sum();
    }

    public LogMeasurement with(MonitorSeries monitor) {
        List<WindowResult> watched =
                loads.stream().map(load -> load.with(monitor)).toList();
        return new LogMeasurement(source, records, sliceMs, firstMs, watched, checks);
    }
}
