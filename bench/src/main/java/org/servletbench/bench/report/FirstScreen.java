package org.servletbench.bench.report;

import static org.servletbench.bench.model.Text.text;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.servletbench.bench.model.Cell;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Text;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.CellResult;
import org.servletbench.bench.record.Forecast;
import org.servletbench.bench.record.Invocation;
import org.servletbench.bench.record.Judgement;
import org.servletbench.bench.record.Judgement.Against;
import org.servletbench.bench.record.Judgement.Group;
import org.servletbench.bench.record.PhaseTimes;
import org.servletbench.bench.verdict.MultipleComparison;
import org.servletbench.bench.verdict.PairVerdict;
import org.servletbench.bench.verdict.SampleSize;
import org.servletbench.bench.verdict.Settings;
import org.servletbench.bench.verdict.Wording;

/**
 * The start of a group's page: question, answer, trust in it, one chart, and the effort to find smaller differences.
 *
 * @param only true if the page has only this group, so that its answer is the page's title
 * @param checks link to all checks
 */
record FirstScreen(
        Judgement judgement,
        Conclusions answers,
        Optional<PhaseTimes> times,
        Group group,
        boolean only,
        String checks) {
    /** Most dots of one server in the chart. */
    private static final int MOST_PARTS = 40;
    /** Differences that a reader may want to find, as {@code ratio - 1}. */
    private static final double[] GAPS = {0.2, 0.1, 0.05, 0.03, 0.02, 0.01};

    private static final int MOST_STEPS = 3;

    /** Joins the sentences of a campaign's groups, each with its group's name if there are several. */
    static String each(List<FirstScreen> screens, Function<FirstScreen, String> said) {
        return screens.stream()
                .flatMap(screen -> Stream.of(said.apply(screen))
                        .filter(text -> !text.isEmpty())
                        .map(text -> (screens.size() == 1 ? "" : screen.group().name() + ": ") + text))
                .collect(Collectors.joining(" "));
    }

    /** Returns the load of the chart: the first of the plan. */
    Cell cell() {
        return judgement.cells().get(0);
    }

    /** True if the page has no question of its own, which would stand above this one. */
    boolean asksItself() {
        return judgement.campaign().plan().question().isEmpty() || !only;
    }

    String conditions() {
        return Provenance.conditions(judgement, group);
    }

    /** Returns the outcomes of the comparison's claims; empty if there are none, or if the page shows them once elsewhere. */
    String claims() {
        return only && !judgement.claims().isEmpty() && !isQuiet() ? new ClaimsSection(judgement).tally() : "";
    }

    /** True if the chart shows the time slices of a server; generators without slices have windows. */
    boolean inTurns() {
        return Method.inTurns(judgement.campaign().plan(), cell());
    }

    Metric metric() {
        return answers.lead(cell());
    }

    DotPlot strip() {
        List<Forest.Row> ratios = ratios();
        double margin = judgement.settings().logMargin(metric());
        return new DotPlot(Numbers.unit(metric()), rows(ratios), Forest.Axis.of(ratios, margin), margin);
    }

    Trust trust() {
        Optional<Forest.Row> copy = group.control()
                .map(control -> ratios().get(shown().indexOf(control)))
                .filter(row -> row.ratio() > 0);
        return Trust.of(judgement, group, widestRatio(), copy, copyHalfWidth());
    }

    /** True if neither verdicts nor their reliability may be shown. */
    private boolean isQuiet() {
        return judgement.isSilent() || judgement.family().isVoid();
    }

    /** Returns further figures, for the last columns. */
    List<Metric> figures() {
        return Stream.of(Metric.CPU, Metric.P50, Metric.P99)
                .filter(figure -> figure != metric())
                .filter(figure -> group.all().stream()
                        .anyMatch(arm -> !values(arm, figure).isEmpty()))
                .toList();
    }

    /** Returns the values of a further figure; none for a percentile that depends on a few requests. */
    private SortedMap<Integer, Double> values(Arm arm, Metric figure) {
        return FigureTables.isSupported(judgement, figure, arm, cell())
                ? judgement.values(arm, cell(), figure)
                : Collections.emptySortedMap();
    }

    String headline() {
        if (judgement.family().isVoid()) {
            return "No answer: two copies of the same server came out different.";
        }
        if (HistorySection.failure(judgement).isPresent()) {
            return "Nothing was measured.";
        }
        if (judgement.isSilent()) {
            return "No verdicts, only estimates.";
        }
        Map<Metric, Map<Cell, Ranking>> outcomes = new LinkedHashMap<>();
        for (Cell each : judgement.cells()) {
            Metric lead = answers.lead(each);
            outcomes.computeIfAbsent(lead, any -> new LinkedHashMap<>())
                    .put(each, Ranking.of(judgement, group, each, lead));
        }
        List<String> answered = new ArrayList<>();
        outcomes.forEach((lead, loads) -> {
            String said = Ranking.headline(judgement, group, loads, lead);
            answered.add(
                    outcomes.size() == 1
                            ? said
                            : text("%s, %s: %s", lead.label(), Words.count(loads.size(), "load"), said));
        });
        Map<Cell, Ranking> leading = new LinkedHashMap<>();
        outcomes.values().forEach(leading::putAll);
        others(leading)
                .forEach((said, metrics) -> answered.add(
                        said.contains(metrics.get(0))
                                ? said
                                : text("%s: %s", Words.capital(Text.list(metrics)), said)));
        return String.join(" ", answered);
    }

    /**
     * Returns what other tested metrics add to the first: that all arms are equal although it shows a difference, or a difference
     * where it shows none or leaves arms open. Each sentence comes with the metrics, in words, that support it.
     */
    private Map<String, List<String>> others(Map<Cell, Ranking> leading) {
        boolean decided = leading.values().stream().anyMatch(Ranking::isDecided);
        Map<String, List<String>> others = new LinkedHashMap<>();
        judgement.primary().stream()
                .filter(metric -> judgement.cells().stream()
                        .noneMatch(cell -> answers.lead(cell).equals(metric)))
                .forEach(metric -> {
                    Map<Cell, Ranking> loads = rankings(metric);
                    boolean differs = decided
                            ? loads.values().stream().allMatch(Ranking::isEqual)
                            : loads.values().stream().anyMatch(Ranking::isDecided);
                    boolean settles = leading.entrySet().stream()
                            .anyMatch(load -> load.getValue().isSettledBy(metric, judgement, group, load.getKey()));
                    if (differs || settles) {
                        others.computeIfAbsent(
                                        Ranking.headline(judgement, group, loads, metric), said -> new ArrayList<>())
                                .add(metric.words());
                    }
                });
        return others;
    }

    private Map<Cell, Ranking> rankings(Metric metric) {
        Map<Cell, Ranking> rankings = new LinkedHashMap<>();
        judgement.cells().forEach(cell -> rankings.put(cell, Ranking.of(judgement, group, cell, metric)));
        return rankings;
    }

    /** Returns "arm" if all arms have the same container and connector, so that the question is about a setting; else "container". */
    String kind() {
        return group.arms().stream()
                                .map(arm -> arm.container() + " " + arm.connector())
                                .distinct()
                                .count()
                        == 1
                ? "arm"
                : "container";
    }

    /** Returns the word before "for" in the question about all loads. */
    String asked() {
        return judgement.cells().stream().map(answers::lead).distinct().count() == 1 ? Ranking.best(metric()) : "best";
    }

    /** Returns the arm that is farthest from the baseline. */
    private Optional<Against> widest() {
        return group.arms().stream()
                .filter(arm -> !arm.equals(group.baseline()))
                .flatMap(arm -> judgement.against(group, arm, cell(), metric()).stream())
                .filter(gap -> gap.ratio() > 0)
                .max(Comparator.comparingDouble(gap -> Math.abs(Math.log(gap.ratio()))));
    }

    /** Returns its ratio to the baseline; NaN if there is none. */
    private double widestRatio() {
        return widest().map(Against::ratio).orElse(Double.NaN);
    }

    /** Returns the ratio of the two arms that are farthest apart, at least 1; NaN if there are none. */
    private double farthest() {
        return judgement.pairs(group, cell(), metric()).stream()
                .mapToDouble(pair -> Math.max(pair.ratio(), 1 / pair.ratio()))
                .filter(ratio -> ratio > 0)
                .max()
                .orElse(Double.NaN);
    }

    /** True if no two arms are farther apart than this one from the baseline. */
    private boolean isWidest(Against gap) {
        return !(Math.abs(Math.log(gap.ratio())) < Math.log(farthest()) - 1e-9);
    }

    /**
     * Returns the largest difference of arms, as {@code ratio - 1}: from the baseline, or between two others, the higher being 1. NaN:
     * unknown.
     */
    double difference() {
        return widest().filter(this::isWidest).map(Against::ratio).orElse(1 / farthest()) - 1;
    }

    private double margin() {
        return judgement.settings().margin(metric());
    }

    /** Returns the widest gap to the baseline as a sentence; empty if there is none, or nothing may be shown. */
    String gap() {
        return widest().filter(gap -> !isQuiet())
                .map(gap -> text(
                        "The widest gap%s%s: %s, %s.",
                        isWidest(gap) ? "" : " to the baseline",
                        where(),
                        gap.verdict().namesADifference()
                                ? judgement.wording().clause(gap.pair(), gap.arm())
                                : open(gap),
                        blocks(judgement.campaign().arm(gap.arm()), gap.ratio())))
                .orElse("");
    }

    /** Returns the causes of the differences under the chart's load, a sentence for each arm. */
    List<String> why() {
        return judgement.why(group, cell());
    }

    /** Returns a number summed over all loads. */
    long counted(ToLongFunction<CellResult> what) {
        return group.all().stream()
                .flatMap(arm -> judgement.cells().stream().map(each -> judgement.counted(arm, each)))
                .flatMap(results -> results.values().stream())
                .mapToLong(what)
                .sum();
    }

    private String open(Against gap) {
        Forest.Row row = Forest.Row.of(gap, margin());
        String seen = text(
                "%s %s %% against %s", judgement.name(gap.arm()), row.difference(), judgement.name(group.baseline()));
        return seen
                + switch (gap.bound()) {
                    case NONE -> "; " + Wording.limit(metric()) + " hides the true gap";
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
    private String blocks(Arm arm, double ratio) {
        double[] differences = judgement
                .comparison(group.name(), cell(), metric())
                .logRatios(arm.id(), group.baseline().id());
        long so = Arrays.stream(differences)
                .filter(difference -> ratio < 1 ? difference < 0 : difference > 0)
                .count();
        return text("%s in %d of %s", ratio < 1 ? "lower" : "higher", so, Words.count(differences.length, "block"));
    }

    /** Returns the arms in the chart's order: the baseline, its copy, the others; no references, which may be far away. */
    private List<Arm> shown() {
        List<Arm> arms = new ArrayList<>(List.of(group.baseline()));
        group.control().ifPresent(arms::add);
        group.arms().stream().filter(arm -> !arm.equals(group.baseline())).forEach(arms::add);
        return arms;
    }

    private List<Forest.Row> ratios() {
        List<Forest.Row> rows = new ArrayList<>();
        for (Arm arm : shown()) {
            Optional<Forest.Row> row = arm.role() == Arm.Role.CONTROL
                    ? copy(arm)
                    : judgement.against(group, arm, cell(), metric()).map(found -> answers.row(arm, found, metric()));
            rows.add(row.orElse(new Forest.Row(
                    arm.label(), "", Forest.Kind.BASELINE, Double.NaN, Double.NaN, Double.NaN, margin(), "baseline")));
        }
        return rows;
    }

    /** Returns the baseline's copy with its own interval, as everywhere. */
    private Optional<Forest.Row> copy(Arm control) {
        return judgement
                .against(group, control, cell(), metric())
                .map(own -> new Forest.Row(
                        Words.name(judgement, control),
                        "",
                        judgement.family().isVoid() ? Forest.Kind.BROKEN : Forest.Kind.CONTROL,
                        own.ratio(),
                        own.low(),
                        own.high(),
                        margin(),
                        "noise (" + MultipleComparison.CONTROL_CONFIDENCE + ")"));
    }

    /** Returns half the width that the copy's interval would have at the level of the other rows, on the log scale; NaN if unknown. */
    private double copyHalfWidth() {
        Optional<PairVerdict> like = judgement.pairs(group, cell(), metric()).stream()
                .filter(pair -> pair.halfWidth() > 0)
                .findFirst();
        return group.control()
                .flatMap(control -> judgement.against(group, control, cell(), metric()))
                .map(Against::pair)
                .map(pair -> like.map(other -> Math.log1p(other.halfWidth())
                                / other.estimate().error()
                                * pair.estimate().error())
                        .orElse(Math.log1p(pair.halfWidth())))
                .orElse(Double.NaN);
    }

    private List<DotPlot.Row> rows(List<Forest.Row> ratios) {
        List<DotPlot.Row> rows = new ArrayList<>();
        for (Arm arm : shown()) {
            Forest.Row ratio = ratios.get(rows.size());
            boolean copy = arm.role() == Arm.Role.CONTROL;
            rows.add(new DotPlot.Row(
                    copy,
                    Words.name(judgement, arm) + (copy ? " copy" : ""),
                    copy ? "same jar: shows noise" : version(arm) + (arm.equals(group.baseline()) ? "baseline" : ""),
                    Numbers.scaled(
                            metric(), judgement.describe(arm, cell(), metric()).mean()),
                    metric().higherIsBetter()
                            && judgement.hasFloor(arm, cell())
                            && !judgement.values(arm, cell(), metric()).isEmpty(),
                    servers(arm),
                    ratio,
                    ratio.ratio() > 0 ? blocks(arm, ratio.ratio()) : "",
                    figures().stream()
                            .map(figure -> Numbers.shown(
                                    figure,
                                    judgement
                                            .describe(figure, values(arm, figure))
                                            .mean()))
                            .toList()));
        }
        return rows;
    }

    /** Returns container and version of the user's own service, as the running server reported them: an arm's name contains neither. */
    private String version(Arm arm) {
        String version = arm.spec().app() == null
                ? arm.containerVersion()
                : Invocation.container(
                        arm, judgement.servers(arm).values().stream().findFirst());
        return version.isBlank() ? "" : version + " ";
    }

    private List<DotPlot.Server> servers(Arm arm) {
        SortedMap<Integer, CellResult> results = judgement.results(arm, cell());
        List<DotPlot.Server> servers = new ArrayList<>();
        judgement
                .values(arm, cell(), metric())
                .forEach((block, value) -> servers.add(new DotPlot.Server(
                        block,
                        !judgement.isCold(judgement.servers(arm).get(block), results.get(block)),
                        Numbers.scaled(metric(), value),
                        metric() == Metric.THROUGHPUT ? parts(results.get(block).rates()) : List.of())));
        return servers;
    }

    private static List<Double> parts(List<Double> rates) {
        List<Double> known = rates.stream()
                .filter(rate -> rate != null && rate > 0 && Double.isFinite(rate))
                .toList();
        return known.size() < 2 ? List.of() : known.subList(0, Math.min(MOST_PARTS, known.size()));
    }

    /** Returns the difference that these blocks would have found, as a sentence; empty if it may not be shown. */
    String found() {
        double found = answers.detectable(group, cell(), metric());
        return Double.isNaN(found) || isQuiet()
                ? ""
                : text(
                        "%s would most likely have found a difference of %s%s%s%s (by the upper limit of the noise).%s",
                        Words.count(judgement.blocks(), "block"),
                        found < 10 ? Wording.share(found) : "ten times",
                        judgement.primary().size() == 1 ? "" : " in " + metric().words(),
                        where(),
                        among(),
                        steps().isEmpty() ? "" : " With such noise 8 of 10 new campaigns find");
    }

    /** Returns the load, if there are several. */
    private String where() {
        return judgement.cells().size() == 1
                ? ""
                : " for " + judgement.wording().cell(cell());
    }

    /** Returns the arms with intervals, if others have none. */
    private String among() {
        List<PairVerdict> pairs = judgement.pairs(group, cell(), metric());
        List<String> known = group.arms().stream()
                .filter(arm -> pairs.stream()
                        .anyMatch(pair -> Conclusions.hasArm(pair, arm.id()) && !Double.isNaN(pair.detectable())))
                .map(judgement::name)
                .toList();
        return known.size() == group.arms().size() ? "" : " between " + Text.list(known);
    }

    /** A smaller difference, and the blocks of a new campaign that find it, with the noise at its upper limit. */
    record Step(double gap, int blocks) {}

    List<Step> steps() {
        double found = answers.detectable(group, cell(), metric());
        // More blocks do not make the steps of the clock smaller.
        double clock = judgement.comparison(group.name(), cell(), metric()).clockMost();
        double byNoise = Math.expm1(Math.log1p(found) - clock);
        Optional<SampleSize.Design> design = Forecast.design(
                judgement.campaign().plan(), judgement.campaign().arms());
        if (design.isEmpty() || !(byNoise > 0) || Double.isInfinite(byNoise)) {
            return List.of();
        }
        // Keeps the smallest gap for each number of blocks.
        Map<Integer, Step> steps = new LinkedHashMap<>();
        Arrays.stream(GAPS)
                .filter(gap -> gap < found && Math.log1p(gap) > clock)
                .mapToObj(gap -> new Step(gap, blocks(Math.expm1(Math.log1p(gap) - clock), byNoise, design.get())))
                .filter(step -> step.blocks() > judgement.blocks())
                .forEach(step -> steps.put(step.blocks(), step));
        return steps.values().stream().limit(MOST_STEPS).toList();
    }

    /** Returns the blocks of a new campaign that find a gap; 0 if none do. Continuing this one after seeing its verdicts would bias it. */
    private int blocks(double gap, double found, SampleSize.Design design) {
        double alpha = judgement.campaign().plan().alpha();
        Settings next = new Settings(alpha, margin(), judgement.settings().power());
        return SampleSize.blocks(gap, found, judgement.blocks(), design, judgement.settings(), next)
                .orElse(0);
    }

    /** Returns the cost of a number of blocks. */
    String cost(int blocks) {
        return Words.count(blocks, "block")
                + " in a new campaign"
                + times.map(known -> ", " + Forecast.time(blocks * known.seconds() / known.blocks()))
                        .orElse("");
    }
}
