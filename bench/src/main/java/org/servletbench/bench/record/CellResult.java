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
 * What one invocation gave for one cell, over the steady windows of all its rounds.
 *
 * @param rounds windows that were merged
 * @param requests requests that ended in them, failed ones among them
 * @param seconds length of the windows, s
 * @param figures by {@link Metric#key}, in its unit; what is not known is not there
 * @param rates throughput in successive batches of turns, or of each window, requests/s
 * @param histogram response times in ms: an HdrHistogram, compressed, in base 64; empty where the tool gives none
 * @param links native reports and raw logs: paths from the invocation's folder
 * @param resolutionMs the step of the response times, ms: a percentile is good to ± so much; NaN where it is not known
 * @param told figures that the generator tells and did not measure, by {@link Metric#key}: to be shown with that label, and
 *     never to be judged
 * @param trend whether the server became faster or slower over the windows; null where too little was measured to tell
 * @param cpuRates CPU time per request in the same batches of turns, µs; empty where it is not known
 * @param steps of the search for the highest rate, in order; the other figures are then those at that rate. Else empty
 * @param each of the requests that users send in order: shown, never judged. Empty where that is one
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
     * One request of a list.
     *
     * @param label its name there
     * @param figures by {@link Metric#key}, in its unit; what is not known is not there
     */
    public record Request(String label, long requests, long errors, Map<String, Double> figures) {}

    /** Files without a search have no steps, those of single requests no others. */
    public CellResult {
        steps = steps == null ? List.of() : List.copyOf(steps);
        each = each == null ? List.of() : List.copyOf(each);
    }

    /** That of {@link Cell#START_UP}: the figures of a start, by {@link Metric#key}. */
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

    /** A figure in successive batches of the load, in its unit; empty where it is known only as a whole. */
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
     * Whether a mark says that the generator was the limit, not the server: this throughput is then the least that the
     * server can do. See {@link Capability#FALLS_SHORT}.
     */
    public boolean isFloor(Mark mark) {
        boolean ofUsers = mark.kind() == MarkKind.LITTLES_LAW || mark.kind() == MarkKind.USERS_HELD;
        return mark.kind().effect() == MarkKind.Effect.LOWER_BOUND
                || ofUsers && GeneratorFacts.has(cell.tool(), Capability.FALLS_SHORT);
    }

    /** The marks that keep it out of every verdict. One that makes it a floor does not. */
    public List<Mark> excluding() {
        return marks.stream().filter(mark -> mark.excludes() && !isFloor(mark)).toList();
    }

    @JsonIgnore
    public boolean isUsable() {
        return excluding().isEmpty();
    }

    /** The load in turns that has enough rounds for a {@link Trend}, about, s; 0 where this one had. */
    @JsonIgnore
    public double secondsForTrend() {
        return trend != null || rates.isEmpty() || rates.size() >= Trend.LEAST_POINTS
                ? 0
                : seconds / Rotation.COUNTED * (Trend.LEAST_POINTS + 1) / rates.size();
    }

    /** Whether a mark of its server's own keeps it out: the server failed requests, or did not keep the load. */
    @JsonIgnore
    public boolean isMissed() {
        return excluding().stream().anyMatch(mark -> mark.kind().cause() == Cause.SERVER);
    }

    /** The mark for which its block is measured once more; empty where there is none. */
    public Optional<Mark> spoiling() {
        return marks.stream().filter(mark -> mark.kind().repeats()).findFirst();
    }
}
