package org.servletbench.bench.record;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.servletbench.bench.measure.Rotation;
import org.servletbench.bench.measure.Trend;
import org.servletbench.bench.model.Capability;
import org.servletbench.bench.model.Cell;
import org.servletbench.bench.model.GeneratorFacts;
import org.servletbench.bench.model.Mark;
import org.servletbench.bench.model.MarkKind;
import org.servletbench.bench.model.MarkKind.Cause;
import org.servletbench.bench.model.Metric;

/**
 * Results of one invocation for one cell, over the steady windows of all its rounds.
 *
 * @param rounds windows that were merged
 * @param requests that ended in them, including failed ones
 * @param seconds length of the windows, s
 * @param figures by {@link Metric#key}, in its unit; unknown ones are absent
 * @param rates throughput in successive batches of time slices, or of each window, requests/s
 * @param histogram response times in ms: an HdrHistogram, compressed, in base 64; empty if the tool gives none
 * @param links native reports and raw logs: paths from the invocation's folder
 * @param resolutionMs step of the response times, ms: a percentile is good to ± this step; NaN if not known
 * @param told figures that the generator reports but did not measure, by {@link Metric#key}: shown with that label, never judged
 * @param trend whether the server became faster or slower over the windows; null if too little was measured
 * @param cpuRates CPU time per request in the same batches of time slices, µs; empty if not known
 * @param steps of the search for the highest rate, in order; the other figures are then those at that rate. Otherwise empty
 * @param each figures of each request that users send in order: shown, never judged. Empty if there is only one
 */
public record CellResult(
        Cell cell,
        int rounds,
        long requests,
        long errors,
        double seconds,
        Map<String, Double> figures,
        List<Double> rates,
        String histogram,
        List<Mark> marks,
        List<String> links,
        double resolutionMs,
        Map<String, Double> told,
        Trend trend,
        List<Double> cpuRates,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<RateStep> steps,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Request> each) {

    /**
     * Figures of one request of a list.
     *
     * @param label name in the list
     * @param figures by {@link Metric#key}, in its unit; unknown ones are absent
     */
    public record Request(String label, long requests, long errors, Map<String, Double> figures) {}

    /** Files without a search have no steps, and those with single requests no list of requests. */
    public CellResult {
        steps = steps == null ? List.of() : List.copyOf(steps);
        each = each == null ? List.of() : List.copyOf(each);
    }

    /** Returns the result of {@link Cell#START_UP}: the figures of a start, by {@link Metric#key}. */
    public static CellResult startUp(Map<String, Double> figures) {
        return new CellResult(
                Cell.START_UP,
                1,
                0,
                0,
                0,
                figures,
                List.of(),
                "",
                List.of(),
                List.of(),
                Double.NaN,
                Map.of(),
                null,
                List.of(),
                List.of(),
                List.of());
    }

    /** Returns a figure in successive batches of the load, in its unit; empty if it is known only as a whole. */
    List<Double> batches(Metric metric) {
        return switch (metric) {
            case THROUGHPUT -> rates;
            case CPU -> cpuRates;
            default -> List.of();
        };
    }

    public OptionalDouble figure(Metric metric) {
        return metric.of(figures);
    }

    /**
     * True if a mark says that the generator was the limit, not the server: this throughput is then a lower bound of the server's.
     * See {@link Capability#FALLS_SHORT}.
     */
    public boolean isFloor(Mark mark) {
        boolean ofUsers = mark.kind() == MarkKind.LITTLES_LAW || mark.kind() == MarkKind.USERS_HELD;
        return mark.kind().effect() == MarkKind.Effect.LOWER_BOUND
                || ofUsers && GeneratorFacts.has(cell.tool(), Capability.FALLS_SHORT);
    }

    /** Returns the marks that exclude it from every verdict. One that makes it a floor does not. */
    public List<Mark> excluding() {
        return marks.stream().filter(mark -> mark.excludes() && !isFloor(mark)).toList();
    }

    @JsonIgnore
    public boolean isUsable() {
        return excluding().isEmpty();
    }

    /** Returns the approximate load in time slices that has enough rounds for a {@link Trend}, s; 0 if this one had. */
    @JsonIgnore
    public double secondsForTrend() {
        return trend != null || rates.isEmpty() || rates.size() >= Trend.LEAST_POINTS
                ? 0
                : seconds / Rotation.COUNTED * (Trend.LEAST_POINTS + 1) / rates.size();
    }

    /** True if it is excluded by a mark that its server caused: the server failed requests, or did not keep up with the load. */
    @JsonIgnore
    public boolean isMissed() {
        return excluding().stream().anyMatch(mark -> mark.kind().cause() == Cause.SERVER);
    }

    /** Returns the mark because of which its block is measured again; empty if there is none. */
    public Optional<Mark> spoiling() {
        return marks.stream().filter(mark -> mark.kind().repeats()).findFirst();
    }
}
