package org.servletbench.bench.record;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.servletbench.bench.measure.Interleaving;
import org.servletbench.bench.measure.Trend;
import org.servletbench.bench.model.Capability;
import org.servletbench.bench.model.GeneratorFacts;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Warning;
import org.servletbench.bench.model.WarningKind;
import org.servletbench.bench.model.WarningKind.Cause;

/**
 * Results of one server run for one load, over the steady windows of all its rounds. In files, the components of all
 * parts are on one level.
 *
 * @param steps steps of the search for the highest rate, in order; the other figures are then those at that rate. Empty
 *     without a search
 * @param each figures of each request that users send in order, which are shown but never judged. Empty if there is
 *     only one
 */
public record LoadFigures(
        MeasuredLoad load,
        @JsonUnwrapped Counted counted,
        @JsonUnwrapped Values values,
        @JsonUnwrapped Course course,
        @JsonUnwrapped Findings findings,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<RateStep> steps,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Request> each) {

    /**
     * The part of the load that counts.
     *
     * @param rounds number of windows that were merged
     * @param requests number of requests that ended in them, including failed ones
     * @param seconds length of the windows, s
     */
    public record Counted(int rounds, long requests, long errors, double seconds) {}

    /**
     * The figures of the load.
     *
     * @param figures figures by {@link Metric#key}, in its unit; unknown figures are absent
     * @param reported figures that the generator reports but did not measure, by {@link Metric#key}; they are labelled,
     *     and never judged
     * @param histogram response times in ms: an HdrHistogram, compressed, in base 64; empty if the tool reports none
     * @param resolutionMs step of the response times, ms; a percentile is accurate to ± this step; NaN if not known
     */
    public record Values(
            Map<String, Double> figures, Map<String, Double> reported, String histogram, double resolutionMs) {}

    /**
     * The load over time.
     *
     * @param rates throughput in successive batches of time slices, or of each window, requests/s
     * @param cpuRates CPU time per request in the same batches of time slices, µs; empty if not known
     * @param trend whether the server became faster or slower over the windows; null if too little was measured
     */
    public record Course(List<Double> rates, List<Double> cpuRates, Trend trend) {
        /** A course about which nothing is known. */
        public static final Course NONE = new Course(List.of(), List.of(), null);
    }

    /**
     * Warnings and links.
     *
     * @param links native reports and raw logs, as paths relative to the server run's folder
     */
    public record Findings(List<Warning> warnings, List<String> links) {}

    /**
     * Figures of one request of a list.
     *
     * @param label name in the list
     * @param figures figures by {@link Metric#key}, in its unit; unknown figures are absent
     */
    public record Request(String label, long requests, long errors, Map<String, Double> figures) {}

    /** In files, steps are left out without a search, and {@code each} is left out for a single request. */
    public LoadFigures {
        steps = steps == null ? List.of() : List.copyOf(steps);
        each = each == null ? List.of() : List.copyOf(each);
    }

    /** Returns the result for {@link MeasuredLoad#START_UP}, with the figures of a start by {@link Metric#key}. */
    public static LoadFigures startUp(Map<String, Double> figures) {
        return new LoadFigures(
                MeasuredLoad.START_UP,
                new Counted(1, 0, 0, 0),
                new Values(figures, Map.of(), "", Double.NaN),
                Course.NONE,
                new Findings(List.of(), List.of()),
                List.of(),
                List.of());
    }

    public List<Warning> warnings() {
        return findings.warnings;
    }

    public List<String> links() {
        return findings.links;
    }

    public int rounds() {
        return counted.rounds;
    }

    public long requests() {
        return counted.requests;
    }

    public long errors() {
        return counted.errors;
    }

    public double seconds() {
        return counted.seconds;
    }

    public Map<String, Double> figures() {
        return values.figures;
    }

    public Map<String, Double> reported() {
        return values.reported;
    }

    public String histogram() {
        return values.histogram;
    }

    public double resolutionMs() {
        return values.resolutionMs;
    }

    public List<Double> rates() {
        return course.rates;
    }

    public List<Double> cpuRates() {
        return course.cpuRates;
    }

    public Trend trend() {
        return course.trend;
    }

    /** Returns a figure in successive batches of the load, in its unit; empty if it is known only as a whole. */
    List<Double> batches(Metric metric) {
        return switch (metric) {
            case THROUGHPUT -> rates();
            case CPU -> cpuRates();
            default -> List.of();
        };
    }

    public OptionalDouble figure(Metric metric) {
        return metric.of(figures());
    }

    /**
     * True if a warning says that the generator was the limit, not the server, so that this throughput is a lower bound
     * of the server's. See {@link Capability#FALLS_SHORT}.
     */
    public boolean isFloor(Warning warning) {
        boolean ofUsers = warning.kind() == WarningKind.LITTLES_LAW || warning.kind() == WarningKind.USERS_HELD;
        return warning.kind().effect() == WarningKind.Effect.LOWER_BOUND
                || ofUsers && GeneratorFacts.has(load.tool(), Capability.FALLS_SHORT);
    }

    /** Returns the warnings that exclude the result from every verdict. Warnings that make it a floor do not. */
    public List<Warning> excluding() {
        return warnings().stream()
                .filter(warning -> warning.excludes() && !isFloor(warning))
                .toList();
    }

    @JsonIgnore
    public boolean isUsable() {
        return excluding().isEmpty();
    }

    /**
     * Returns the approximate load in time slices that has enough rounds for a {@link Trend}, s; 0 if this load was
     * enough.
     */
    @JsonIgnore
    public double secondsForTrend() {
        return trend() != null || rates().isEmpty() || rates().size() >= Trend.LEAST_POINTS
                ? 0
                : seconds() / Interleaving.COUNTED * (Trend.LEAST_POINTS + 1) / rates().size();
    }

    /**
     * True if a warning for which the server is responsible excludes it: the server failed requests, or did not keep up
     * with the load.
     */
    @JsonIgnore
    public boolean isMissed() {
        return excluding().stream().anyMatch(warning -> warning.kind().cause() == Cause.SERVER);
    }

    /** Returns the warning that causes the block to be measured again; empty if there is none. */
    public Optional<Warning> spoiling() {
        return warnings().stream().filter(warning -> warning.kind().repeats()).findFirst();
    }
}
