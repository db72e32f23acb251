package org.servletbench.bench.measure;

import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * Everything that is known of one cell of a log.
 *
 * @param name the request name, with its tier or rate
 * @param whole from the start of the first to the end of the last request, ramps included
 * @param window the steady window
 * @param steady the figures that count: those of the window
 * @param steadyTally the window's counts, to be merged with those of other logs; percentiles are never averaged
 * @param slices the series, second by second, ramps included
 * @param checks the audit
 */
public record CellMeasurement(
        CellName name,
        Summary whole,
        SteadyWindow window,
        Summary steady,
        Tally steadyTally,
        List<Slice> slices,
        List<Check> checks) {

    /** Whether no check failed. */
    public boolean sound() {
        return checks.stream().noneMatch(Check::failed);
    }

    /** Response times of the window, ms, three significant digits; a new one at each call. */
    public Histogram histogram() {
        return steadyTally.histogram();
    }
}
