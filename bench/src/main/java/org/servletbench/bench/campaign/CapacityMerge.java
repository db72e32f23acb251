package org.servletbench.bench.campaign;

import static org.servletbench.bench.model.Text.text;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.servletbench.bench.generator.RateSearch;
import org.servletbench.bench.generator.RateSearch.Bracket;
import org.servletbench.bench.generator.RateSearch.Tried;
import org.servletbench.bench.load.LoadResult;
import org.servletbench.bench.measure.Latency;
import org.servletbench.bench.measure.Summary;
import org.servletbench.bench.measure.WindowResult;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Slo;
import org.servletbench.bench.model.Warning;
import org.servletbench.bench.model.WarningKind;
import org.servletbench.bench.record.LoadFigures;
import org.servletbench.bench.record.RateStep;
import org.servletbench.bench.record.RateStep.Outcome;

/**
 * Determines the capacity of a server from the steps of its search. While the search runs, the generator judges each
 * step by response times from when requests were due. Here, its log and the audit check each step again. Only steps on
 * which both agree are evidence.
 */
final class CapacityMerge {

    /** A step, with its result as a load of its own; the result is empty if nothing was answered. */
    private record Judged(RateStep step, Optional<LoadFigures> result, List<Warning> warnings) {}

    private final MeasuredLoad load;
    private final Slo slo;
    private final double resolution;
    private final LoadMerge.Division division;

    /** @param resolution resolution of the search, as a share */
    CapacityMerge(MeasuredLoad load, Slo slo, double resolution, LoadMerge.Division division) {
        this.load = load;
        this.slo = slo;
        this.resolution = resolution;
        this.division = division;
    }

    /** @param search results of the search's steps, in order */
    LoadFigures of(List<LoadResult> search) {
        List<Judged> judged = search.stream()
                .map(step -> judged(step.tried().orElseThrow(), step.window()))
                .toList();
        List<RateStep> steps = judged.stream().map(Judged::step).toList();
        List<Tried> evidence = steps.stream()
                .filter(step -> step.outcome() != Outcome.UNCLEAR)
                .map(step -> new Tried("", step.rate(), step.outcome() == Outcome.MET))
                .toList();
        Bracket bracket = RateSearch.bracket(evidence);
        Optional<Judged> best = judged.stream()
                .filter(one -> one.step.rate() == bracket.low() && one.step.outcome() == Outcome.MET)
                .reduce((before, last) -> last);
        List<Warning> warnings = new ArrayList<>();
        Map<String, Double> figures = new TreeMap<>();
        best.flatMap(Judged::result).ifPresent(found -> {
            figures.putAll(found.figures());
            figures.put(Metric.CAPACITY.key(), bracket.low());
            warnings.addAll(best.get().warnings);
        });
        Optional<Judged> lowest = judged.stream()
                .min(Comparator.comparingDouble((Judged one) -> one.step.rate())
                        .thenComparing(one -> one.step.outcome() != Outcome.MISSED));
        // The same rule as in the search: neither a single miss, nor as many misses as successes, is enough.
        boolean objectiveMissed = best.isEmpty()
                && lowest.filter(one -> bracket.high() > one.step.rate()).isEmpty();
        // The capacity is then unknown in this search only.
        lowest.filter(one -> best.isEmpty() && !objectiveMissed)
                .ifPresent(unclear -> warnings.add(Warning.of(
                        WarningKind.SEARCH_UNCLEAR,
                        text(
                                "the lowest rate, %.0f/s, decides nothing: %s",
                                unclear.step.rate(),
                                unclear.step.why().isEmpty()
                                        ? "it met the objective in some steps and missed it in others, or missed it once"
                                        : unclear.step.why()))));
        Warning.add(
                warnings,
                objectiveMissed,
                WarningKind.OBJECTIVE_MISSED,
                "no rate of the search met the objective, the lowest was %.0f/s",
                steps.stream().mapToDouble(RateStep::rate).min().orElse(Double.NaN));
        Warning.add(
                warnings,
                best.isPresent() && bracket.high() > bracket.low() * (1 + 2 * resolution),
                WarningKind.GENERATOR_BOTTLENECK,
                "%s: at least the rate that was met",
                Double.isInfinite(bracket.high())
                        ? "no higher rate is known to have missed the objective because of the server; where the generator was idle, the search ended"
                                + " at the highest rate that users allow: give more"
                        : text(
                                "no evidence between %.0f/s, which met, and %.0f/s, which missed",
                                bracket.low(), bracket.high()));
        // If the generator was at its limit, or other programs took the time, the miss says little about the server.
        judged.stream()
                .filter(one -> one.step.rate() == bracket.high())
                .flatMap(missed -> missed.warnings.stream())
                .filter(warning ->
                        warning.kind() == WarningKind.GENERATOR_BOTTLENECK || warning.kind() == WarningKind.DISTURBED)
                .forEach(warnings::add);
        LoadFigures at = best.flatMap(Judged::result).orElse(LoadFigures.startUp(Map.of()));
        return new LoadFigures(
                load,
                new LoadFigures.Counted(steps.size(), at.requests(), at.errors(), at.seconds()),
                new LoadFigures.Values(figures, at.reported(), at.histogram(), at.resolutionMs()),
                LoadFigures.Course.NONE,
                new LoadFigures.Findings(
                        List.copyOf(new LinkedHashSet<>(warnings)),
                        search.stream()
                                .flatMap(step -> step.window().links().stream())
                                .distinct()
                                .toList()),
                steps,
                List.of());
    }

    private Judged judged(Tried tried, WindowResult measured) {
        if (measured.whole().count() == 0) {
            return new Judged(new RateStep(tried.rate(), Outcome.MISSED, Map.of(), ""), Optional.empty(), List.of());
        }
        // The load sets the rate, so that no trend is computed.
        LoadFigures result = LoadMerge.of(
                new MeasuredLoad(load.workload(), 0, tried.rate(), load.tool(), load.settings()),
                List.of(measured),
                division);
        // The objective itself limits the share of failures.
        List<Warning> warnings = result.warnings().stream()
                .filter(warning -> warning.kind() != WarningKind.ERRORS)
                .toList();
        Map<String, Double> figures = new TreeMap<>(result.figures());
        boolean missed = isMissed(measured.steady()) || !tried.met() && (tried.behind() || isMissed(measured.whole()));
        if (missed && !tried.met()) {
            Summary whole = measured.whole();
            figures.put(Metric.ERRORS.key(), 100 * whole.errorShare());
            Latency.PERCENTILES
                    .keySet()
                    .forEach(metric -> figures.put(metric.key(), whole.latency().percentile(metric)));
        }
        String why = missed
                ? ""
                : !tried.met()
                        ? "the generator sent requests too late"
                        : warnings.stream()
                                .filter(warning ->
                                        warning.excludes() && warning.kind() != WarningKind.GENERATOR_BOTTLENECK)
                                .findFirst()
                                .map(warning -> warning.check() + ": " + warning.figures())
                                .orElse("");
        Outcome outcome = missed ? Outcome.MISSED : why.isEmpty() ? Outcome.MET : Outcome.UNCLEAR;
        return new Judged(new RateStep(tried.rate(), outcome, figures, why), Optional.of(result), warnings);
    }

    private boolean isMissed(Summary summary) {
        return summary.count() > 0 && !slo.isMet(summary.latency()::percentile, summary.errorShare());
    }
}
