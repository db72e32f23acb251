package org.servletbench.bench.measure;

import static org.servletbench.bench.model.Text.text;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.servletbench.bench.model.Load;
import org.servletbench.bench.model.MarkKind;
import org.servletbench.bench.model.Metric;

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
        // Between two rows around an edge of the window there is time with less load, which must not be shared out.
        Optional<ServerUse> use = monitor.within(window.fromMs(), window.toMs())
                .flatMap(inside -> monitor.over(
                        inside.fromMs(), inside.toMs(), Math.round(requests(inside.fromMs(), inside.toMs()))))
                .or(() -> monitor.over(window.fromMs(), window.toMs(), steady.count()));
        List<Check> all = Stream.concat(checks.stream(), use.map(CellMeasurement::compiling).stream())
                .toList();
        return new CellMeasurement(name, load, whole, window, steady, steadyTally, slices, all, use);
    }

    private static Check compiling(ServerUse use) {
        double percent = use.of(Metric.COMPILER);
        return Double.isNaN(percent)
                ? Check.notJudged(MarkKind.COMPILING, "nobody read the compiler's time")
                : Check.of(
                        MarkKind.COMPILING,
                        percent <= ServerUse.COMPILING_PERCENT,
                        text("%.1f %% of the server's CPU time (limit %.0f %%)", percent, ServerUse.COMPILING_PERCENT));
    }

    /** Requests that ended in a part of the steady window, in which the load does not change. */
    private double requests(long fromMs, long toMs) {
        return slices.stream()
                .mapToDouble(slice -> slice.throughput()
                        / 1000
                        * Math.max(0, Math.min(toMs, slice.toMs()) - Math.max(fromMs, slice.fromMs())))
                .sum();
    }

    public boolean sound() {
        return checks.stream().noneMatch(Check::failed);
    }

    /** Response times of the window, ms, three significant digits; a new one at each call. */
    public Histogram histogram() {
        return steadyTally.histogram();
    }
}
