package org.servletbench.bench.report;

import static org.servletbench.bench.model.Text.text;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Text;
import org.servletbench.bench.record.Analysis;
import org.servletbench.bench.record.Analysis.Against;
import org.servletbench.bench.record.Analysis.Group;
import org.servletbench.bench.record.Analysis.Why;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.Forecast;
import org.servletbench.bench.record.LoadFigures;
import org.servletbench.bench.record.PhaseTimes;
import org.servletbench.bench.report.CampaignAnswer.ArmVerdict;
import org.servletbench.bench.report.CampaignAnswer.Part;
import org.servletbench.bench.report.CampaignAnswer.Step;
import org.servletbench.bench.report.CampaignAnswer.Tested;
import org.servletbench.bench.verdict.MultipleComparison;
import org.servletbench.bench.verdict.PairVerdict;
import org.servletbench.bench.verdict.Reason;
import org.servletbench.bench.verdict.SampleSize;
import org.servletbench.bench.verdict.Settings;
import org.servletbench.bench.verdict.Wording;

/** Builds a campaign's answer for one group. */
final class Answering {

    /** Differences that a reader may want to find, as {@code ratio - 1}. */
    private static final double[] GAPS = {0.2, 0.1, 0.05, 0.03, 0.02, 0.01};

    private static final int MOST_STEPS = 3;

    private final Analysis analysis;
    private final Conclusions conclusions;
    private final Optional<PhaseTimes> times;
    private final Group group;
    private final MeasuredLoad load;
    private final Metric metric;

    /** @param analysis analysis that tests at least one metric */
    Answering(Analysis analysis, Optional<PhaseTimes> times, Group group) {
        this.analysis = analysis;
        this.times = times;
        this.group = group;
        conclusions = new Conclusions(analysis);
        load = analysis.loads().get(0);
        metric = conclusions.lead(load);
    }

    Part part() {
        Map<MeasuredLoad, List<Why>> why = new LinkedHashMap<>();
        analysis.loads().forEach(load -> why.put(load, analysis.why(group, load)));
        List<Step> steps = steps();
        return new Part(
                group,
                question(),
                load,
                metric,
                headline(),
                gap(),
                effects().isPresent() ? "" : meaning(why.get(load)),
                difference(),
                analysis.loads().stream()
                        .flatMap(load -> analysis.primary(load).stream().map(each -> tested(load, each)))
                        .toList(),
                why,
                group.control().flatMap(this::copy),
                trust(),
                Provenance.conditions(analysis, group.all()),
                failures(),
                found(steps),
                steps);
    }

    private Tested tested(MeasuredLoad load, Metric each) {
        return new Tested(
                load,
                each,
                analysis.family().isVoid() ? Double.NaN : conclusions.detectable(group, load, each),
                Stream.concat(group.arms().stream(), group.control().stream())
                        .filter(arm -> !arm.equals(group.baseline()))
                        .map(arm -> verdict(arm, load, each))
                        .toList());
    }

    private ArmVerdict verdict(Arm arm, MeasuredLoad load, Metric each) {
        Optional<Against> against = analysis.against(group, arm, load, each);
        return new ArmVerdict(
                arm,
                against,
                against.map(one -> conclusions.row(arm, one, each)),
                against.filter(one -> one.ratio() > 0)
                        .map(one -> blocks(arm, load, each, one.ratio()))
                        .orElse(""));
    }

    private Optional<Effects> effects() {
        return Effects.of(analysis, group);
    }

    private String question() {
        String versions = Conclusions.versions(group);
        return text(
                "Which %s is %s%s, %s?",
                kind(),
                asked(),
                analysis.campaign().plan().isStartUp()
                        ? ""
                        : " for "
                                + (analysis.loads().size() == 1
                                        ? analysis.wording().load(load)
                                        : Words.count(analysis.loads().size(), "load")),
                versions.isEmpty() ? group.name() : versions);
    }

    private Trust trust() {
        return Trust.of(
                analysis,
                group,
                load,
                metric,
                group.control().flatMap(this::copy).filter(row -> row.ratio() > 0),
                this::isBlind);
    }

    private String failures() {
        long requests = counted(LoadFigures::requests);
        long errors = counted(LoadFigures::errors);
        return requests == 0 || load.isCapacity()
                ? ""
                : errors == 0
                        ? text("None of the %,d counted requests failed.", requests)
                        : text("%,d of %,d requests failed.", errors, requests);
    }

    /** Returns the sum of a count over all loads. */
    private long counted(ToLongFunction<LoadFigures> what) {
        return group.all().stream()
                .flatMap(arm -> analysis.loads().stream().map(each -> analysis.counted(arm, each)))
                .flatMap(results -> results.values().stream())
                .mapToLong(what)
                .sum();
    }

    /** True if neither verdicts nor their reliability may be shown. */
    private boolean isQuiet() {
        return analysis.isSilent() || analysis.family().isVoid();
    }

    private String headline() {
        if (analysis.family().isVoid()) {
            return "No answer: two copies of the same server came out different.";
        }
        if (HistorySection.failure(analysis).isPresent()) {
            return "Nothing was measured.";
        }
        if (analysis.isSilent()) {
            return "No verdicts, only estimates.";
        }
        if (effects().isPresent()) {
            return effects().get().headline();
        }
        Map<Metric, Map<MeasuredLoad, Ranking>> outcomes = new LinkedHashMap<>();
        for (MeasuredLoad each : analysis.loads()) {
            Metric lead = conclusions.lead(each);
            outcomes.computeIfAbsent(lead, any -> new LinkedHashMap<>())
                    .put(each, Ranking.of(analysis, group, each, lead));
        }
        List<String> answered = new ArrayList<>();
        outcomes.forEach((lead, loads) -> {
            String said = Ranking.headline(analysis, group, loads, lead);
            answered.add(
                    outcomes.size() == 1
                            ? said
                            : loads.size() == 1
                                    ? text(
                                            "For %s, %s",
                                            analysis.wording()
                                                    .load(loads.keySet()
                                                            .iterator()
                                                            .next()),
                                            Ranking.small(said))
                                    : text("%s, %s: %s", lead.label(), Words.count(loads.size(), "load"), said));
        });
        Map<MeasuredLoad, Ranking> leading = new LinkedHashMap<>();
        outcomes.values().forEach(leading::putAll);
        others(leading)
                .forEach((said, metrics) -> answered.add(
                        said.contains(metrics.get(0))
                                ? said
                                : text("%s: %s", Words.capital(Text.list(metrics)), Ranking.small(said))));
        return String.join(" ", answered);
    }

    /**
     * Returns what other tested metrics add to the first one: that all arms are equal although the first shows a
     * difference, or a difference if the first shows none or leaves arms open. Each sentence comes with the names of
     * the metrics that support it.
     */
    private Map<String, List<String>> others(Map<MeasuredLoad, Ranking> leading) {
        boolean decided = leading.values().stream().anyMatch(Ranking::isDecided);
        Map<String, List<String>> others = new LinkedHashMap<>();
        analysis.primary().stream()
                .filter(metric -> analysis.loads().stream()
                        .noneMatch(
                                measuredLoad -> conclusions.lead(measuredLoad).equals(metric)))
                .forEach(metric -> {
                    Map<MeasuredLoad, Ranking> loads = rankings(metric);
                    boolean differs = decided
                            ? loads.values().stream().allMatch(Ranking::isEqual)
                            : loads.values().stream().anyMatch(Ranking::isDecided);
                    boolean settles = leading.entrySet().stream()
                            .filter(load -> loads.containsKey(load.getKey()))
                            .anyMatch(load -> load.getValue().isSettledBy(metric, analysis, group, load.getKey()));
                    if (differs || settles) {
                        others.computeIfAbsent(
                                        Ranking.headline(analysis, group, loads, metric), said -> new ArrayList<>())
                                .add(metric.words());
                    }
                });
        return others;
    }

    private Map<MeasuredLoad, Ranking> rankings(Metric metric) {
        Map<MeasuredLoad, Ranking> rankings = new LinkedHashMap<>();
        analysis.loads().stream()
                .filter(load -> analysis.primary(load).contains(metric))
                .forEach(load -> rankings.put(load, Ranking.of(analysis, group, load, metric)));
        return rankings;
    }

    /**
     * Returns "arm" if all arms have the same container and connector, because the question is then about a setting;
     * otherwise "container".
     */
    private String kind() {
        return group.arms().stream()
                                .map(arm -> arm.container() + " " + arm.connector())
                                .distinct()
                                .count()
                        == 1
                ? "arm"
                : "container";
    }

    /** Returns the adjective of the question about all loads, before "for". */
    private String asked() {
        return analysis.loads().stream().map(conclusions::lead).distinct().count() == 1 ? Ranking.best(metric) : "best";
    }

    private Optional<Against> widest() {
        return widest(metric);
    }

    /** Returns the arm that is farthest from the baseline. */
    private Optional<Against> widest(Metric of) {
        return group.arms().stream()
                .filter(arm -> !arm.equals(group.baseline()))
                .flatMap(arm -> analysis.against(group, arm, load, of).stream())
                .filter(gap -> gap.ratio() > 0)
                .max(Comparator.comparingDouble(gap -> Math.abs(Math.log(gap.ratio()))));
    }

    /** Returns the ratio of the two arms that are farthest apart, at least 1; NaN if there are no two arms. */
    private double farthest() {
        return analysis.pairs(group, load, metric).stream()
                .mapToDouble(pair -> Math.max(pair.ratio(), 1 / pair.ratio()))
                .filter(ratio -> ratio > 0)
                .max()
                .orElse(Double.NaN);
    }

    /** True if no two arms are farther apart than this arm is from the baseline. */
    private boolean isWidest(Against gap) {
        return !(Math.abs(Math.log(gap.ratio())) < Math.log(farthest()) - 1e-9);
    }

    /**
     * Returns the largest difference of arms, as {@code ratio - 1}. It is from the baseline, or between two other arms,
     * of which the higher one counts as 1. NaN if it is unknown.
     */
    private double difference() {
        return widest().filter(this::isWidest).map(Against::ratio).orElse(1 / farthest()) - 1;
    }

    private double margin() {
        return analysis.settings().margin(metric);
    }

    /** Returns the widest gap to the baseline as a sentence; empty if there is none, or if nothing may be shown. */
    private String gap() {
        return widest().filter(gap -> !isQuiet() && effects().isEmpty())
                .map(gap -> text(
                        "The widest gap%s%s: %s, %s.",
                        isWidest(gap) ? "" : " to the baseline",
                        where(),
                        gap.verdict().namesADifference() ? analysis.wording().clause(gap.pair(), gap.arm()) : open(gap),
                        blocks(analysis.campaign().arm(gap.arm()), load, metric, gap.ratio())))
                .orElse("");
    }

    /**
     * Returns what the largest difference in CPU time means for a service, as a sentence; empty if no difference is
     * shown.
     */
    private String meaning(List<Why> why) {
        return why.stream()
                .map(Why::reasons)
                .filter(one -> one.whole().isPresent())
                .max(Comparator.comparingDouble(
                        one -> Math.abs(one.whole().orElseThrow().difference())))
                .map(one ->
                        meaning(analysis.campaign().arm(one.arm()), one.whole().orElseThrow()))
                .orElse("");
    }

    private String meaning(Arm arm, Reason whole) {
        double micros = Math.abs(whole.difference());
        boolean own = arm.spec().app() != null;
        double share = own ? micros / whole.baseline() : micros / Words.HANDLER_MICROS;
        String difference = text(
                "%s needs %s µs %s CPU time per request than %s",
                analysis.name(arm),
                text(micros < 9.95 ? "%.1f" : "%.0f", micros),
                whole.isMore() ? "more" : "less",
                analysis.name(group.baseline()));
        if (!own && arm.spec().agent() != null) {
            return difference
                    + ". It instruments this one request; one that calls a database or another service costs more.";
        }
        return text(
                "%s: %s of %s.",
                difference,
                share < 0.001 ? "less than 0.1 %" : text(share < 0.0995 ? "%.1f %%" : "%.0f %%", 100 * share),
                own ? "what the service needs" : "a handler that takes " + Words.HANDLER + " of CPU time");
    }

    private String open(Against gap) {
        Forest.Row row = Forest.Row.of(gap, margin());
        String seen = text(
                "%s %s %% against %s", analysis.name(gap.arm()), row.difference(), analysis.name(group.baseline()));
        return seen
                + switch (gap.bound()) {
                    case NONE -> "; " + Wording.limit(metric) + " hides the true gap";
                    case AT_LEAST, AT_MOST -> "; the true gap is " + row.interval();
                    case EXACT ->
                        Double.isNaN(gap.low())
                                ? ""
                                : row.isWide()
                                        ? "; the true gap is not known"
                                        : "; the true gap may lie anywhere from " + row.interval();
                };
    }

    /** Returns "lower in 3 of 3 blocks". */
    private String blocks(Arm arm, MeasuredLoad load, Metric each, double ratio) {
        double[] differences = analysis.comparison(group.name(), load, each)
                .logRatios(arm.id(), group.baseline().id());
        long so = Arrays.stream(differences)
                .filter(difference -> ratio < 1 ? difference < 0 : difference > 0)
                .count();
        return text("%s in %d of %s", ratio < 1 ? "lower" : "higher", so, Words.count(differences.length, "block"));
    }

    /** Returns the baseline's copy with its own interval, as it is shown everywhere. */
    private Optional<Forest.Row> copy(Arm control) {
        return analysis.against(group, control, load, metric)
                .map(own -> new Forest.Row(
                        Words.name(analysis, control),
                        "",
                        analysis.family().isVoid() ? Forest.Kind.BROKEN : Forest.Kind.CONTROL,
                        own.ratio(),
                        own.low(),
                        own.high(),
                        margin(),
                        "noise (" + MultipleComparison.CONTROL_CONFIDENCE + ")"));
    }

    /** True if the copies of the baseline could differ by as much as the arm that is farthest from it. */
    private boolean isBlind(Metric of) {
        return analysis.primary(load).contains(of)
                && copyHalfWidth(of)
                        > Math.abs(Math.log(widest(of).map(Against::ratio).orElse(Double.NaN)));
    }

    /**
     * Returns half the width that the copy's interval would have at the level of the other rows, on the log scale; NaN
     * if unknown.
     */
    private double copyHalfWidth(Metric of) {
        Optional<PairVerdict> like = analysis.pairs(group, load, of).stream()
                .filter(pair -> pair.halfWidth() > 0)
                .findFirst();
        return group.control()
                .flatMap(control -> analysis.against(group, control, load, of))
                .map(Against::pair)
                .map(pair -> like.map(other -> Math.log1p(other.halfWidth())
                                / other.estimate().error()
                                * pair.estimate().error())
                        .orElse(Math.log1p(pair.halfWidth())))
                .orElse(Double.NaN);
    }

    /** Returns the difference that these blocks would have found, as a sentence; empty if it may not be shown. */
    private String found(List<Step> steps) {
        double found = conclusions.detectable(group, load, metric);
        return Double.isNaN(found) || isQuiet()
                ? ""
                : text(
                        "%s would very likely have shown %s of %s%s%s%s (by the upper limit of the noise).%s",
                        Words.count(analysis.blocks(), "block"),
                        effects().isPresent() ? "an effect" : "a difference",
                        found < 10 ? Wording.share(found) : "ten times",
                        analysis.primary().size() == 1 ? "" : " in " + metric.words(),
                        where(),
                        among(),
                        steps.isEmpty() ? "" : " With such noise 8 of 10 new campaigns find");
    }

    /** Returns the load, but only if there are several. */
    private String where() {
        return analysis.loads().size() == 1 ? "" : " for " + analysis.wording().load(load);
    }

    /** Returns the arms with intervals, but only if others have none. */
    private String among() {
        List<PairVerdict> pairs = analysis.pairs(group, load, metric);
        List<String> known = group.arms().stream()
                .filter(arm -> pairs.stream()
                        .anyMatch(pair -> Conclusions.hasArm(pair, arm.id()) && !Double.isNaN(pair.detectable())))
                .map(analysis::name)
                .toList();
        return known.size() == group.arms().size() ? "" : " between " + Text.list(known);
    }

    private List<Step> steps() {
        double found = conclusions.detectable(group, load, metric);
        // More blocks do not make the clock finer.
        double clock = analysis.comparison(group.name(), load, metric).clockMost();
        double byNoise = Math.expm1(Math.log1p(found) - clock);
        Optional<SampleSize.Design> design =
                Forecast.design(analysis.campaign().plan(), analysis.campaign().arms());
        if (design.isEmpty() || !(byNoise > 0) || Double.isInfinite(byNoise)) {
            return List.of();
        }
        // Keeps only the smallest gap for each number of blocks.
        Map<Integer, Step> steps = new LinkedHashMap<>();
        Arrays.stream(GAPS)
                .filter(gap -> gap < found && Math.log1p(gap) > clock)
                .forEach(gap -> {
                    int blocks = blocks(Math.expm1(Math.log1p(gap) - clock), byNoise, design.get());
                    if (blocks > analysis.blocks()) {
                        steps.put(blocks, new Step(gap, blocks, cost(blocks)));
                    }
                });
        return steps.values().stream().limit(MOST_STEPS).toList();
    }

    /**
     * Returns the number of blocks with which a new campaign finds a gap; 0 if no number suffices. Continuing the
     * present campaign after seeing its verdicts would bias it.
     */
    private int blocks(double gap, double found, SampleSize.Design design) {
        double alpha = analysis.campaign().plan().alpha();
        Settings next = new Settings(alpha, margin(), analysis.settings().power());
        return SampleSize.blocks(gap, found, analysis.blocks(), design, analysis.settings(), next)
                .orElse(0);
    }

    /** Returns the cost of a number of blocks in words. */
    private String cost(int blocks) {
        return Words.count(blocks, "block")
                + " in a new campaign"
                + times.map(known -> ", " + Forecast.time(blocks * known.seconds() / known.blocks()))
                        .orElse("");
    }
}
