package org.servletbench.bench.report;

import static org.servletbench.bench.model.Text.text;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Text;
import org.servletbench.bench.record.Analysis;
import org.servletbench.bench.record.Analysis.Against;
import org.servletbench.bench.record.Analysis.Group;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.verdict.NoVerdictReason;
import org.servletbench.bench.verdict.Spread;

/**
 * Effects of the parts of a change, from a campaign with the old build, the new one, and jars between them. All
 * intervals hold together, because they are those of the campaign.
 *
 * @param names names of the parts for people, in order, by the id of their arm
 * @param after id of the new build
 * @param arms what each arm has of the new build
 */
public record PartEffects(Analysis analysis, Map<String, String> names, String after, Arms arms) {

    /** How the jars between two builds are made. */
    public enum Arms {
        /**
         * The old build with one part of the new one. All parts together are the whole change, so that their effects
         * can be added up.
         */
        ONE_OF_ALL,
        /** The old build with one part of the new one. There are more parts than arms. */
        ONE_OF_SOME,
        /** The new build with one part of the old one. */
        ALL_BUT_ONE
    }

    /** A metric that is tested under a load. */
    record Tested(MeasuredLoad load, Metric metric) {}

    private Group group() {
        return analysis.groups().get(0);
    }

    /** Returns the effect of adding a part to a build without it; empty if there are no figures. */
    private Optional<Against> effect(String id, Tested tested) {
        Optional<Against> effect = arms == Arms.ALL_BUT_ONE && !id.equals(after)
                ? analysis.against(after, id, tested.load, tested.metric)
                : analysis.against(group(), analysis.campaign().arm(id), tested.load, tested.metric);
        return effect.filter(one -> !Double.isNaN(one.low()) && !Double.isNaN(one.high()));
    }

    /** Returns why an effect must be ignored: one of its servers was not warm, or did not sustain the load. */
    private static Optional<NoVerdictReason> barred(Against effect) {
        return effect.pair().reason().filter(NoVerdictReason::isTheServers);
    }

    private static boolean isSure(Against effect) {
        return barred(effect).isEmpty() && (effect.low() > 1 || effect.high() < 1);
    }

    private static double size(Against effect) {
        return Math.abs(Math.log(effect.ratio()));
    }

    /** Returns the load and metric in which the two builds differ most certainly; the first one if nothing differs. */
    Tested tested() {
        List<Tested> all = analysis.loads().stream()
                .flatMap(load -> analysis.primary(load).stream().map(metric -> new Tested(load, metric)))
                .toList();
        return all.stream()
                .filter(one -> effect(after, one).filter(PartEffects::isSure).isPresent())
                .max(Comparator.comparingDouble(one -> effect(after, one)
                        .map(found -> size(found) / found.estimate().error())
                        .orElse(0.0)))
                .orElse(all.get(0));
    }

    /** Returns the ids of the parts whose intervals exclude 0, sorted by the size of their effect. */
    public List<String> carriers() {
        return isQuiet() ? List.of() : carriers(tested());
    }

    private List<String> carriers(Tested tested) {
        return names.keySet().stream()
                .filter(id -> effect(id, tested).filter(PartEffects::isSure).isPresent())
                .sorted(Comparator.comparingDouble(
                        id -> -effect(id, tested).map(PartEffects::size).orElse(0.0)))
                .toList();
    }

    private boolean isQuiet() {
        return analysis.isSilent() || analysis.family().isVoid();
    }

    /** Returns the answer for the console: one sentence, a line for each part, and whether the parts add up. */
    public List<String> lines() {
        if (analysis.isSilent()) {
            return List.of(HistorySection.withoutVerdicts(analysis.campaign()));
        }
        if (analysis.family().isVoid()) {
            return List.of(GateWords.BROKEN);
        }
        Tested tested = tested();
        List<String> lines = new ArrayList<>(List.of(sentence(tested)));
        names.forEach((id, name) -> lines.add("  " + name + ": " + words(effect(id, tested), tested)));
        lines.add("  all of the change: " + words(effect(after, tested), tested));
        interaction(tested).ifPresent(lines::add);
        return lines;
    }

    /** True if the effects of the parts certainly do not add up. */
    public boolean hasInteraction() {
        return !isQuiet() && interaction(tested()).isPresent();
    }

    /**
     * Returns which parts interact: their effect with all others in place certainly differs from their effect alone.
     *
     * @param alone the campaign in which each part was measured alone, with the same names in the same order
     */
    public List<String> together(PartEffects alone) {
        if (isQuiet() || alone.isQuiet()) {
            return lines();
        }
        Tested tested = alone.tested();
        List<String> lines = new ArrayList<>();
        List<String> involved = new ArrayList<>();
        names.forEach((id, name) -> {
            Optional<Against> with = effect(id, tested);
            Optional<Against> without = alone.names.entrySet().stream()
                    .filter(one -> one.getValue().equals(name))
                    .findFirst()
                    .flatMap(one -> alone.effect(one.getKey(), tested));
            lines.add(text(
                    "  %s: %s with all others in place, %s alone", name, words(with, tested), words(without, tested)));
            boolean differs = Stream.of(with, without)
                            .allMatch(
                                    one -> one.isPresent() && barred(one.get()).isEmpty())
                    && (with.get().low() > without.get().high()
                            || with.get().high() < without.get().low());
            if (differs) {
                involved.add(name);
            }
        });
        lines.add(
                0,
                involved.size() > 1
                        ? "These parts act together, in " + tested.metric.words() + ": " + Text.list(involved)
                        : "Which parts act together does not show: try a longer --limit");
        return lines;
    }

    private String sentence(Tested tested) {
        Optional<Against> whole = effect(after, tested);
        String of = tested.metric.words() + " (" + analysis.wording().load(tested.load) + ")";
        Optional<String> first = carriers(tested).stream().findFirst();
        if (first.isEmpty()) {
            return text(
                    "No part's interval excludes 0 in %s; the whole change: %s",
                    of, whole.map(one -> share(one, tested)).orElse("no usable figures"));
        }
        return text(
                "%s: %s of %s in %s%s",
                names.get(first.get()),
                words(effect(first.get(), tested), tested),
                whole.map(one -> share(one, tested)).orElse("an unknown whole"),
                of,
                others(first.get(), tested));
    }

    /** Returns how large the effects of all other parts may be; empty if one of them has no bound. */
    private String others(String first, Tested tested) {
        List<Optional<Against>> others = names.keySet().stream()
                .filter(id -> !id.equals(first))
                .map(id -> effect(id, tested))
                .toList();
        double most = others.stream()
                .mapToDouble(one -> one.filter(effect -> barred(effect).isEmpty())
                        .map(effect -> Math.max(effect.high(), 1 / effect.low()) - 1)
                        .orElse(Double.POSITIVE_INFINITY))
                .max()
                .orElse(Double.POSITIVE_INFINITY);
        return Double.isFinite(most) ? text("; each other part: at most %.1f %%", 100 * most) : "";
    }

    private Forest.Row row(Against effect, Tested tested) {
        return Forest.Row.of(effect, analysis.settings().margin(tested.metric));
    }

    private String share(Against effect, Tested tested) {
        return row(effect, tested).difference() + " %";
    }

    private String words(Optional<Against> effect, Tested tested) {
        return effect.map(one -> barred(one)
                        .map(why -> "no verdict: " + why.words())
                        .orElseGet(() ->
                                share(one, tested) + " (" + row(one, tested).interval() + ")"))
                .orElse("no usable figures");
    }

    /**
     * Returns a line if the effects of the parts do not add up. It compares ln(after / before) with the sum of ln(part
     * / before) in each block, by a t interval at the level that all comparisons share.
     */
    Optional<String> interaction(Tested tested) {
        boolean complete = Stream.concat(names.keySet().stream(), Stream.of(after))
                .allMatch(id ->
                        effect(id, tested).filter(one -> barred(one).isEmpty()).isPresent());
        if (arms != Arms.ONE_OF_ALL || names.size() < 2 || !complete) {
            return Optional.empty();
        }
        SortedMap<Integer, Double> rest = new TreeMap<>(logs(analysis.campaign().arm(after), tested));
        SortedMap<Integer, Double> base = base(tested);
        rest.keySet().retainAll(base.keySet());
        rest.replaceAll((block, log) -> log + (names.size() - 1) * base.get(block));
        for (String id : names.keySet()) {
            SortedMap<Integer, Double> own = logs(analysis.campaign().arm(id), tested);
            rest.keySet().retainAll(own.keySet());
            rest.replaceAll((block, log) -> log - own.get(block));
        }
        double[] values = rest.values().stream().mapToDouble(Math::exp).toArray();
        if (values.length < 2) {
            return Optional.empty();
        }
        Spread spread = Spread.of(values, true, analysis.family().level());
        Forest.Row row = new Forest.Row(
                "",
                "",
                Forest.Kind.OPEN,
                spread.mean(),
                spread.low(),
                spread.high(),
                analysis.settings().margin(tested.metric),
                "");
        return spread.low() > 1 || spread.high() < 1
                ? Optional.of(text(
                        "interaction: the parts do not add up; together they make %s %% (%s) on top of what each makes alone",
                        row.difference(), row.interval()))
                : Optional.empty();
    }

    private SortedMap<Integer, Double> logs(Arm arm, Tested tested) {
        SortedMap<Integer, Double> values = new TreeMap<>(analysis.values(arm, tested.load, tested.metric));
        values.values().removeIf(value -> !(value > 0));
        values.replaceAll((block, value) -> Math.log(value));
        return values;
    }

    /** Returns the mean of both copies of the old build, by block. */
    private SortedMap<Integer, Double> base(Tested tested) {
        SortedMap<Integer, Double> base = logs(group().baseline(), tested);
        group().control().ifPresent(control -> {
            SortedMap<Integer, Double> copy = logs(control, tested);
            base.keySet().retainAll(copy.keySet());
            base.replaceAll((block, log) -> (log + copy.get(block)) / 2);
        });
        return base;
    }
}
