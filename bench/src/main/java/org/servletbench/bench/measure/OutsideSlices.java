package org.servletbench.bench.measure;

import java.util.List;
import java.util.Optional;
import org.apache.commons.statistics.descriptive.Median;
import org.apache.commons.statistics.descriptive.StandardDeviation;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * The additional CPU time of a request over the whole load, compared with the time slices. All servers have a monitor
 * and ends of time slices, so only what exceeds the median of all servers is a server's own.
 *
 * @param share additional CPU time, as a share of the CPU time of a request
 * @param error standard error of the share. CPU time per request differs from batch to batch, and the monitor's rows do
 *     not coincide with the ends of the load
 * @param freedom degrees of freedom of the error
 */
public record OutsideSlices(double share, double error, int freedom) {

    /**
     * Maximum additional work of a server between its time slices, as a share of the cost of its requests. It is less
     * than the margin.
     */
    public static final double LIMIT = 0.01;

    /** Share of equal servers for which chance remains below the limit. */
    private static final double CONFIDENCE = 0.95;
    /**
     * Standard error of both ends of a total that grows by one step in each row of a monitor and is interpolated
     * between two rows, in steps. OutsideSlicesTest simulates it.
     */
    private static final double ENDS = Math.sqrt(1 / 3.0);
    /** Variance of a median of equally noisy figures, relative to that of their mean. */
    private static final double OF_MEDIAN = Math.PI / 2;

    /**
     * The part beyond the median of all servers.
     *
     * @param share the part, as a share of the CPU time of a request
     * @param limit limit above which there is a warning: {@link #LIMIT}, or the effect of chance if that is larger
     */
    public record Beyond(double share, double limit) {}

    /**
     * Returns the additional CPU time of a window's requests.
     *
     * @return empty if the window has no time slices, or one of its figures is not known
     */
    public static Optional<OutsideSlices> of(WindowResult window, MonitorSeries monitor) {
        double share = window.outsideSlices(monitor);
        double[] rates = window.cpuRates().stream()
                .mapToDouble(Double::doubleValue)
                .filter(rate -> rate > 0 && rate < Double.POSITIVE_INFINITY)
                .map(Math::log)
                .toArray();
        if (!Double.isFinite(share) || rates.length < 2) {
            return Optional.empty();
        }
        SlicesMeasurement timeSlices = window.timeSlices().orElseThrow();
        WindowResult.Meters meters = window.meters().orElseThrow();
        double rowMs = monitor.rowMs(meters.fromMs(), meters.toMs());
        double timeSliceMs = 1e3 * timeSlices.timeSliceSeconds() / timeSlices.readings();
        double ofBatches = StandardDeviation.of(rates).getAsDouble() / Math.sqrt(rates.length);
        // If rows are closer together than the length of a time slice, a step contains less than a time slice.
        double ofEnds = ENDS * Math.min(1, rowMs / timeSliceMs) / timeSlices.readings();
        return Optional.of(new OutsideSlices(share, Math.hypot(ofBatches, ofEnds), rates.length - 1));
    }

    /**
     * Returns the part of this server beyond the median.
     *
     * @param all all servers of its load, including itself; with fewer than {@link Relative#LEAST_SERVERS} the result
     *     is empty
     */
    public Optional<Beyond> beyond(List<OutsideSlices> all) {
        if (all.size() < Relative.LEAST_SERVERS) {
            return Optional.empty();
        }
        double median = Median.withDefaults()
                .evaluate(all.stream().mapToDouble(OutsideSlices::share).toArray());
        double variance =
                all.stream().mapToDouble(one -> one.error * one.error).average().orElseThrow();
        double noise = Math.sqrt(error * error + OF_MEDIAN * variance / all.size());
        double quantile = TDistribution.of(freedom).inverseCumulativeProbability(CONFIDENCE);
        return Optional.of(new Beyond(share - median, Math.max(LIMIT, quantile * noise)));
    }
}
