package org.servletbench.bench.measure;

import java.util.List;
import java.util.Optional;
import org.HdrHistogram.Histogram;
import org.servletbench.bench.model.Load;

/**
 * Everything that is known of one cell of a log.
 *
 * @param name of its requests in the log
 * @param whole from the start of the first to the end of the last request, ramps included
 * @param steady the figures that count: those of the window
 * @param steadyTally the window's counts, to be merged with those of other logs; percentiles are never averaged
 * @param slices the series, second by second, ramps included
 * @param server what the server used in the window; empty where nobody watched it
 */
public record CellMeasurement(
        String name,
        Load load,
        Summary whole,
        SteadyWindow window,
        Summary steady,
        Tally steadyTally,
        List<Slice> slices,
        List<Check> checks,
        Optional<ServerUse> server) {

    public CellMeasurement with(MonitorSeries monitor) {
        Optional<ServerUse> use = monitor.over(window.fromMs(), window.toMs(), steady.count());
        return new CellMeasurement(name, load, whole, window, steady, steadyTally, slices, checks, use);
    }

    public boolean sound() {
        return checks.stream().noneMatch(Check::failed);
    }

    /** Response times of the window, ms, three significant digits; a new one at each call. */
    public Histogram histogram() {
        return steadyTally.histogram();
    }
}
