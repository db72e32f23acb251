package org.servletbench.bench.report;

import static org.servletbench.bench.model.Text.text;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.record.Analysis;
import org.servletbench.bench.record.Analysis.Against;
import org.servletbench.bench.record.Analysis.Group;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.verdict.Spread;

/**
 * Effects of the parts of a change, from a campaign with the old build, the new one, and the old one with single parts of the new one. All
 * intervals hold together, because they are those of the campaign.
 *
 * @param names of the parts for people, by the id of their arm, in order
 * @param after id of the new build
 * @param isWhole true if the parts together are the whole change, so that they can be added up
 */
public record PartEffects(Analysis analysis, Map<String, String> names, String after, boolean isWhole) {

    private Group group() {
        return analysis.groups().get(0);
    }

    private MeasuredLoad load() {
        return analysis.loads().get(0);
    }

    private Optional<Against> effect(String id, Metric metric) {
        return analysis.against(group(), analysis.campaign().arm(id), load(), metric);
    }

    private static boolean isSure(Against effect) {
        return effect.low() > 1 || effect.high() < 1;
    }

    private static double size(Against effect) {
        return Math.abs(Math.log(effect.ratio()));
    }

    /** Returns the tested metric in which the whole change differs most surely; the first one if it differs in none. */
    Metric metric() {
        return analysis.primary(load()).stream()
                .filter(metric ->
                        effect(after, metric).filter(PartEffects::isSure).isPresent())
                .max(Comparator.comparingDouble(metric -> effect(after, metric)
                        .map(one -> size(one) / one.estimate().error())
                        .orElse(0.0)))
                .orElse(analysis.primary(load()).get(0));
    }

    /** Returns the id of the part with the largest effect whose interval excludes 0; empty if there is none. */
    public Optional<String> carrier() {
        return analysis.isSilent() || analysis.family().isVoid() ? Optional.empty() : carrier(metric());
    }

    private Optional<String> carrier(Metric metric) {
        return names.keySet().stream()
                .filter(id -> effect(id, metric).filter(PartEffects::isSure).isPresent())
                .max(Comparator.comparingDouble(
                        id -> effect(id, metric).map(PartEffects::size).orElse(0.0)));
    }

    /** Returns the answer for the console: one sentence, a line for each part, and whether the parts add up. */
    public List<String> lines() {
        if (analysis.isSilent()) {
            return List.of(HistorySection.withoutVerdicts(analysis.campaign()));
        }
        if (analysis.family().isVoid()) {
            return List.of(GateWords.BROKEN);
        }
        Metric metric = metric();
        List<String> lines = new ArrayList<>(List.of(sentence(metric)));
        names.forEach((id, name) -> lines.add("  " + name + ": " + words(effect(id, metric))));
        lines.add("  all of the change: " + words(effect(after, metric)));
        interaction(metric).ifPresent(lines::add);
        return lines;
    }

    private String sentence(Metric metric) {
        Optional<Against> whole = effect(after, metric);
        Optional<String> first = carrier(metric);
        if (first.isEmpty()) {
            return text(
                    "No part's interval excludes 0 in %s; the whole change makes %s",
                    metric.words(), whole.map(PartEffects::share).orElse("no usable figures"));
        }
        double others = names.keySet().stream()
                .filter(id -> !id.equals(first.get()))
                .flatMap(id -> effect(id, metric).stream())
                .mapToDouble(one -> Math.max(one.high(), 1 / one.low()) - 1)
                .max()
                .orElse(0);
        return text(
                "%s: %s of %s in %s%s",
                names.get(first.get()),
                words(effect(first.get(), metric)),
                whole.map(PartEffects::share).orElse("an unknown whole"),
                metric.words(),
                names.size() > 1 ? text("; each other part: at most %.1f %%", 100 * others) : "");
    }

    private static String share(Against effect) {
        return text("%+.1f %%", 100 * (effect.ratio() - 1));
    }

    private static String words(Optional<Against> effect) {
        return effect.map(one -> share(one) + text(" (%+.1f to %+.1f)", 100 * (one.low() - 1), 100 * (one.high() - 1)))
                .orElse("no usable figures");
    }

    /**
     * Returns a line if the parts do not add up: ln(after / before) less the sum of ln(part / before), in each block, with a t interval at
     * the level that all comparisons share.
     */
    Optional<String> interaction(Metric metric) {
        if (!isWhole || names.size() < 2) {
            return Optional.empty();
        }
        SortedMap<Integer, Double> rest = new TreeMap<>(logs(analysis.campaign().arm(after), metric));
        SortedMap<Integer, Double> base = base(metric);
        rest.keySet().retainAll(base.keySet());
        rest.replaceAll((block, log) -> log + (names.size() - 1) * base.get(block));
        for (String id : names.keySet()) {
            SortedMap<Integer, Double> own = logs(analysis.campaign().arm(id), metric);
            rest.keySet().retainAll(own.keySet());
            rest.replaceAll((block, log) -> log - own.get(block));
        }
        double[] values = rest.values().stream().mapToDouble(Math::exp).toArray();
        if (values.length < 2) {
            return Optional.empty();
        }
        Spread spread = Spread.of(values, true, analysis.family().level());
        return spread.low() > 1 || spread.high() < 1
                ? Optional.of(text(
                        "interaction: the parts do not add up; together they make %+.1f %% (%+.1f to %+.1f) more than their product",
                        100 * (spread.mean() - 1), 100 * (spread.low() - 1), 100 * (spread.high() - 1)))
                : Optional.empty();
    }

    private SortedMap<Integer, Double> logs(Arm arm, Metric metric) {
        SortedMap<Integer, Double> values = new TreeMap<>(analysis.values(arm, load(), metric));
        values.values().removeIf(value -> !(value > 0));
        values.replaceAll((block, value) -> Math.log(value));
        return values;
    }

    /** Returns the mean of both copies of the old build. */
    private SortedMap<Integer, Double> base(Metric metric) {
        SortedMap<Integer, Double> base = logs(group().baseline(), metric);
        group().control().ifPresent(control -> {
            SortedMap<Integer, Double> copy = logs(control, metric);
            base.keySet().retainAll(copy.keySet());
            base.replaceAll((block, log) -> (log + copy.get(block)) / 2);
        });
        return base;
    }
}
