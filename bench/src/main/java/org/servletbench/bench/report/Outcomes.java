package org.servletbench.bench.report;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.record.Analysis;
import org.servletbench.bench.record.Analysis.Against;
import org.servletbench.bench.record.Analysis.Group;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.verdict.BlockData;
import org.servletbench.bench.verdict.MultipleComparison;
import org.servletbench.bench.verdict.PairVerdict;
import org.servletbench.bench.verdict.Spread;

/**
 * The findings of a campaign, figure by figure. Every file for programs is made from them.
 *
 * @param answer the same findings in words
 * @param problems lines for people about unreadable data
 * @param rows rows, those of tested metrics first; rows without a value are left out
 * @param outcome outcome of the gate, as reported by the exit code
 * @param detectable by metric, the difference that this campaign would most likely have found in each arm under each
 *     load, as {@code ratio - 1}; NaN if one of them has no interval
 * @param early why the command ended before the campaign did; empty if it did not
 */
public record Outcomes(
        Analysis analysis,
        CampaignAnswer answer,
        List<String> problems,
        Claims claims,
        Gate.Outcome outcome,
        List<Row> rows,
        Map<Metric, Double> detectable,
        Optional<Early> early) {

    /** Metrics shown in addition to the tested ones, if servers are loaded. */
    private static final List<Metric> SHOWN =
            List.of(Metric.CPU, Metric.ALLOCATION, Metric.THROUGHPUT, Metric.SWITCHES);

    /**
     * A figure of an arm under a load.
     *
     * @param value figure over all blocks, with its own interval
     * @param against its ratio to the baseline; empty for a baseline and a reference. For untested metrics, the
     *     interval is not simultaneous
     * @param judged true if its verdict counts
     */
    public record Row(
            Group group,
            MeasuredLoad load,
            Metric metric,
            Arm arm,
            Spread value,
            Optional<Against> against,
            boolean judged) {

        public boolean isBaseline() {
            return arm.equals(group.baseline());
        }

        public boolean isControl() {
            return arm.role() == Arm.Role.CONTROL;
        }
    }

    public static Outcomes of(CampaignFolder read) {
        Analysis analysis = Analysis.of(read.campaign(), read.serverRuns());
        List<Row> rows = new ArrayList<>();
        Map<Metric, Double> detectable = new EnumMap<>(Metric.class);
        for (Metric metric : metrics(analysis)) {
            boolean isTested = analysis.primary().contains(metric);
            for (Group group : analysis.groups()) {
                for (MeasuredLoad load : analysis.loads()) {
                    boolean judged = analysis.primary(load).contains(metric);
                    boolean isOfPauses = metric == Metric.THROUGHPUT
                            && !load.settings().pause().isNone();
                    if (!judged && (isTested || isOfPauses)) {
                        // The metric is tested under other loads, or the users' pauses decide it.
                        continue;
                    }
                    MultipleComparison family = judged ? analysis.family() : analysis.shown(group, load, metric);
                    found(
                                    family,
                                    judged
                                            ? analysis.comparison(group.name(), load, metric)
                                            : family.comparisons().get(0))
                            .ifPresent(found -> detectable.merge(metric, found, Math::max));
                    for (Arm arm : group.all()) {
                        Spread value = analysis.describe(arm, load, metric);
                        Optional<Against> against = judged
                                ? analysis.against(group, arm, load, metric)
                                : Analysis.against(family, group, arm);
                        if (value.known()) {
                            rows.add(new Row(
                                    group, load, metric, arm, value, against.filter(one -> one.ratio() > 0), judged));
                        }
                    }
                }
            }
        }
        Claims claims = Claims.of(analysis);
        return new Outcomes(
                analysis,
                CampaignAnswer.of(analysis, read.times()),
                read.problems(),
                claims,
                new Gate(claims, Gate.FailOn.SLOWER, false).outcome(),
                List.copyOf(rows),
                detectable,
                Optional.empty());
    }

    /**
     * Returns the difference that would have been found; empty if nothing is compared; NaN if a pair has no interval,
     * because the other pairs cannot represent it.
     */
    private static Optional<Double> found(MultipleComparison family, BlockData comparison) {
        List<PairVerdict> pairs = family.pairs(comparison.group(), comparison.load(), comparison.metric());
        return pairs.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        pairs.stream().anyMatch(pair -> Double.isNaN(pair.detectable()))
                                ? Double.NaN
                                : family.detectable(comparison));
    }

    /** Returns these outcomes with another result of the gate. */
    public Outcomes ending(Gate.Outcome other) {
        return new Outcomes(analysis, answer, problems, claims, other, rows, detectable, early);
    }

    /** Returns these outcomes, for a campaign that did not complete. */
    public Outcomes ending(Early before) {
        return new Outcomes(analysis, answer, problems, claims, outcome, rows, detectable, Optional.of(before));
    }

    private static List<Metric> metrics(Analysis analysis) {
        boolean load = analysis.loads().stream()
                .noneMatch(measuredLoad -> measuredLoad.isStartUp() || measuredLoad.isCapacity());
        return Stream.concat(analysis.primary().stream(), load ? SHOWN.stream() : Stream.empty())
                .distinct()
                .toList();
    }

    /** Returns the rows about the arms themselves, without the baseline's copy. */
    Stream<Row> arms() {
        return rows.stream().filter(row -> !row.isControl());
    }

    /** Returns load and arm, as they are named for a single figure: {@code boot3, hello 100 users: Jetty}. */
    String name(Row row) {
        return (analysis.groups().size() > 1 ? row.group().name() + ", " : "")
                + row.load().words() + ": " + analysis.name(row.arm());
    }
}
