package org.servletbench.bench.report;

import static org.servletbench.bench.model.Text.text;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.servletbench.bench.model.Cell;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.CellResult;
import org.servletbench.bench.record.Judgement;
import org.servletbench.bench.record.Judgement.Against;
import org.servletbench.bench.record.Judgement.Group;
import org.servletbench.bench.record.Outlook;
import org.servletbench.bench.record.PhaseTimes;
import org.servletbench.bench.verdict.Comparison;
import org.servletbench.bench.verdict.Family;
import org.servletbench.bench.verdict.PairVerdict;
import org.servletbench.bench.verdict.SampleSize;
import org.servletbench.bench.verdict.Verdict;

/** What a group's page begins with: question, answer, how far to trust it, one chart, and what it takes to find more. */
final class FirstScreen {
    /** Dots of one server in the chart. */
    private static final int MOST_PARTS = 40;
    /** Differences that somebody may want to find. */
    private static final double[] GAPS = {0.2, 0.1, 0.05, 0.03, 0.02, 0.01};

    private static final int MOST_STEPS = 3;

    private final Judgement judgement;
    private final Answers answers;
    private final Optional<PhaseTimes> times;
    private final Group group;
    /** The load of the chart: the first of the plan. */
    private final Cell cell;

    private final Metric metric;

    FirstScreen(Judgement judgement, Answers answers, Optional<PhaseTimes> times, Group group) {
        this.judgement = judgement;
        this.answers = answers;
        this.times = times;
        this.group = group;
        cell = judgement.cells().get(0);
        metric = answers.lead(cell);
    }

    /**
     * The first screen.
     *
     * @param only whether the page is of this group alone, so that its answer is the page's title
     * @param strip null where nothing was measured
     * @param steps what it takes to find smaller differences: difference, and blocks with their time
     * @param columns further figures: heading and unit
     */
    record Screen(
            boolean only,
            String question,
            String headline,
            List<String> lead,
            Trust trust,
            String checks,
            Strip strip,
            String finding,
            String parts,
            double margin,
            String load,
            String lanes,
            String sure,
            String way,
            String ways,
            List<String[]> columns,
            String found,
            List<String[]> steps,
            String command) {}

    Screen screen(boolean only, String checks) {
        List<Forest.Row> ratios = ratios();
        List<Strip.Row> rows = rows(ratios);
        double margin = judgement.settings().logMargin();
        Strip strip = new Strip(Numbers.unit(metric), rows, Forest.Axis.of(ratios, margin), margin);
        boolean any = rows.stream().anyMatch(row -> !row.servers().isEmpty());
        Optional<Against> widest = widest();
        Trust trust = Trust.of(
                judgement,
                group,
                widest.map(gap -> Math.abs(Math.log(gap.ratio()))).orElse(Double.NaN),
                group.control()
                        .map(control -> ratios.get(shown().indexOf(control)))
                        .filter(row -> row.ratio() > 0));
        boolean isHigherBetter = metric.higherIsBetter();
        double found = answers.detectable(group, cell, metric);
        List<Integer> needed = new ArrayList<>();
        List<String[]> steps = judgement.isSilent() ? List.of() : steps(found, needed);
        return new Screen(
                only,
                question(),
                headline(),
                lead(widest),
                trust,
                checks,
                any ? strip : null,
                strip.finding(widest.map(Against::ratio).orElse(Double.NaN)),
                cell.isCapacity()
                        ? "one search"
                        : judgement.campaign().plan().turnSeconds() > 0 ? "some of its turns" : "one of its windows",
                judgement.settings().margin(),
                judgement.wording().cell(cell) + ": " + Words.title(metric),
                judgement.blocks() > 7 ? "each dot is one JVM" : "a lane for each block",
                text(
                        "%s sure for all pairs at once",
                        Numbers.share(1 - judgement.campaign().look().alpha())),
                isHigherBetter
                        ? Numbers.unit(metric) + ", more is better →"
                        : "← less is better, " + Numbers.unit(metric),
                "← " + Words.word(isHigherBetter ? Verdict.SLOWER : Verdict.FASTER, metric) + " · "
                        + Words.word(isHigherBetter ? Verdict.FASTER : Verdict.SLOWER, metric) + " →",
                figures().stream()
                        .map(figure -> figure == Metric.CPU
                                ? new String[] {"CPU", "µs/request"}
                                : new String[] {figure.label(), Numbers.unit(figure)})
                        .toList(),
                found(found, steps),
                steps,
                needed.isEmpty() ? "" : HistorySection.command(judgement.campaign(), needed.get(needed.size() - 1)));
    }

    private List<Metric> figures() {
        return Stream.of(Metric.CPU, Metric.P50, Metric.P99)
                .filter(figure -> figure != metric)
                .filter(figure -> group.all().stream()
                        .anyMatch(arm -> !values(arm, figure).isEmpty()))
                .toList();
    }

    /** Of a figure beside the chart: none of a percentile that a few requests decide. */
    private SortedMap<Integer, Double> values(Arm arm, Metric figure) {
        return FigureTables.isSupported(judgement, figure, arm, cell)
                ? judgement.values(arm, cell, figure)
                : Collections.emptySortedMap();
    }

    private String question() {
        String load = judgement.cells().size() == 1
                ? judgement.wording().cell(cell)
                : Words.count(judgement.cells().size(), "load");
        String line = group.arms().stream()
                .map(Arm::bootVersion)
                .filter(version -> !version.isEmpty())
                .distinct()
                .collect(Collectors.joining(", "));
        return text(
                "Which container is %s for %s%s?",
                Outcome.best(metric), load, line.isEmpty() ? ", " + group.name() : ", Spring Boot " + line);
    }

    private String headline() {
        if (judgement.family().isVoid()) {
            return "No answer: two copies of the same server came out different.";
        }
        if (judgement.isSilent()) {
            return "No verdicts, only estimates.";
        }
        Map<Cell, Outcome> outcomes = new LinkedHashMap<>();
        for (Cell each : judgement.cells()) {
            outcomes.put(each, Outcome.of(judgement, group, each, answers.lead(each)));
        }
        return Outcome.headline(judgement, group, outcomes, metric);
    }

    /** The arm that is farthest from the baseline. */
    private Optional<Against> widest() {
        return group.arms().stream()
                .filter(arm -> !arm.equals(group.baseline()))
                .flatMap(arm -> judgement.against(group, arm, cell, metric).stream())
                .filter(gap -> gap.ratio() > 0)
                .max(Comparator.comparingDouble(gap -> Math.abs(Math.log(gap.ratio()))));
    }

    private List<String> lead(Optional<Against> widest) {
        List<String> lead = new ArrayList<>();
        boolean silent = judgement.isSilent() || judgement.family().isVoid();
        if (widest.isPresent() && !silent) {
            Against gap = widest.get();
            String where = judgement.cells().size() == 1
                    ? ""
                    : " for " + judgement.wording().cell(cell);
            lead.add(text(
                    "The widest gap%s: %s, %s.",
                    where,
                    gap.verdict().namesADifference() ? judgement.wording().clause(gap.pair(), gap.arm()) : open(gap),
                    blocks(judgement.campaign().arm(gap.arm()), gap.ratio())));
        }
        long requests = 0;
        long errors = 0;
        for (Arm arm : group.all()) {
            for (Cell each : judgement.cells()) {
                for (CellResult result : judgement.counted(arm, each).values()) {
                    requests += result.requests();
                    errors += result.errors();
                }
            }
        }
        if (requests > 0) {
            lead.add(
                    errors == 0
                            ? text("No request of %,d failed.", requests)
                            : text("%,d of %,d requests failed.", errors, requests));
        }
        return lead;
    }

    private String open(Against gap) {
        Forest.Row row = new Forest.Row("", "", Forest.Kind.OPEN, gap.ratio(), gap.low(), gap.high(), "");
        return text(
                        "%s %s %% against %s",
                        judgement.name(gap.arm()), row.difference(), judgement.name(group.baseline()))
                + (Double.isNaN(gap.low()) ? "" : "; the true gap may lie anywhere from " + row.interval());
    }

    /** "lower in 3 of 3 blocks". */
    private String blocks(Arm arm, double ratio) {
        SortedMap<Integer, Double> own = judgement.values(arm, cell, metric);
        SortedMap<Integer, Double> base = judgement.values(group.baseline(), cell, metric);
        List<Integer> both = own.keySet().stream().filter(base::containsKey).toList();
        long so = both.stream()
                .filter(block -> ratio < 1 ? own.get(block) < base.get(block) : own.get(block) > base.get(block))
                .count();
        return text("%s in %d of %s", ratio < 1 ? "lower" : "higher", so, Words.count(both.size(), "block"));
    }

    /** The arms in the chart's order: the baseline, its copy, the others. References are not among them: they may be far away. */
    private List<Arm> shown() {
        List<Arm> arms = new ArrayList<>(List.of(group.baseline()));
        group.control().ifPresent(arms::add);
        group.arms().stream().filter(arm -> !arm.equals(group.baseline())).forEach(arms::add);
        return arms;
    }

    private List<Forest.Row> ratios() {
        List<Forest.Row> plotted = answers.rows(group, cell, metric);
        List<Forest.Row> rows = new ArrayList<>();
        for (Arm arm : shown()) {
            int at = group.all().indexOf(arm);
            Forest.Row none = new Forest.Row(
                    arm.label(), "", Forest.Kind.BASELINE, Double.NaN, Double.NaN, Double.NaN, "baseline");
            if (arm.equals(group.baseline())) {
                rows.add(none);
            } else if (arm.role() == Arm.Role.CONTROL) {
                rows.add(copy(arm).orElse(none));
            } else {
                rows.add(judgement.against(group, arm, cell, metric).isPresent() ? plotted.get(at) : none);
            }
        }
        return rows;
    }

    /** The baseline's copy with an interval at the level of all other rows; its verdict has a level of its own. */
    private Optional<Forest.Row> copy(Arm control) {
        Optional<PairVerdict> like = judgement.pairs(group, cell, metric).stream()
                .filter(pair -> pair.halfWidth() > 0)
                .findFirst();
        return judgement.against(group, control, cell, metric).map(own -> {
            PairVerdict pair = own.pair();
            double more = like.map(other -> Math.log1p(other.halfWidth())
                                    / other.estimate().error()
                                    * pair.estimate().error()
                            - Math.log1p(pair.halfWidth()))
                    .orElse(0.0);
            return new Forest.Row(
                    Words.name(judgement, control),
                    "",
                    judgement.family().isVoid() ? Forest.Kind.BROKEN : Forest.Kind.CONTROL,
                    own.ratio(),
                    own.low() * Math.exp(-more),
                    own.high() * Math.exp(more),
                    "noise");
        });
    }

    private List<Strip.Row> rows(List<Forest.Row> ratios) {
        List<Strip.Row> rows = new ArrayList<>();
        for (Arm arm : shown()) {
            Forest.Row ratio = ratios.get(rows.size());
            boolean copy = arm.role() == Arm.Role.CONTROL;
            rows.add(new Strip.Row(
                    copy,
                    Words.name(judgement, arm) + (copy ? " copy" : ""),
                    copy ? "same jar: shows noise" : version(arm) + (arm.equals(group.baseline()) ? "baseline" : ""),
                    Numbers.scaled(metric, judgement.describe(arm, cell, metric).mean()),
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

    private static String version(Arm arm) {
        return arm.containerVersion().isBlank() ? "" : arm.containerVersion() + " ";
    }

    private List<Strip.Server> servers(Arm arm) {
        SortedMap<Integer, CellResult> results = judgement.results(arm, cell);
        List<Strip.Server> servers = new ArrayList<>();
        judgement
                .values(arm, cell, metric)
                .forEach((block, value) -> servers.add(new Strip.Server(
                        block,
                        Trust.isWarm(judgement.servers(arm).get(block)),
                        Numbers.scaled(metric, value),
                        metric == Metric.THROUGHPUT ? parts(results.get(block).rates()) : List.of())));
        return servers;
    }

    private static List<Double> parts(List<Double> rates) {
        List<Double> known = rates.stream()
                .filter(rate -> rate != null && rate > 0 && Double.isFinite(rate))
                .toList();
        return known.size() < 2 ? List.of() : known.subList(0, Math.min(MOST_PARTS, known.size()));
    }

    private String found(double found, List<String[]> steps) {
        if (Double.isNaN(found) || judgement.isSilent() || judgement.family().isVoid()) {
            return "";
        }
        return text(
                "%s would most likely have found a difference of %s.%s",
                Words.count(judgement.blocks(), "block"),
                found < 10 ? text("%.0f %%", Math.ceil(100 * found)) : "ten times",
                steps.isEmpty() ? "" : " To find a gap of");
    }

    private List<String[]> steps(double found, List<Integer> needed) {
        Comparison comparison = judgement.comparison(group.name(), cell, metric);
        double residual = Family.residual(comparison).sd();
        Optional<SampleSize.Design> design =
                Outlook.design(judgement.campaign().plan(), judgement.campaign().arms());
        List<String[]> steps = new ArrayList<>();
        if (design.isEmpty() || !(residual > 0) || !(found > 0) || Double.isInfinite(found)) {
            return steps;
        }
        // As much noise as makes these blocks find what they are said to find: pairs have more or less than the
        // residual.
        double noise = residual
                * Math.log1p(found)
                / Math.log1p(SampleSize.detectable(residual, judgement.blocks(), design.get(), judgement.settings()));
        for (double gap : GAPS) {
            if (gap < found && steps.size() < MOST_STEPS) {
                OptionalInt blocks = SampleSize.blocks(gap, noise, design.get(), judgement.settings());
                int more = blocks.orElse(0) - judgement.blocks();
                if (more > 0) {
                    needed.add(blocks.getAsInt());
                    boolean extended = HistorySection.isExtended(judgement.campaign());
                    int again = extended ? more : blocks.getAsInt();
                    steps.add(new String[] {
                        Numbers.share(gap) + ":",
                        Words.count(again, extended ? "more block" : "block")
                                + (extended ? "" : " in a new campaign")
                                + times.map(known -> ", " + Outlook.time(again * known.seconds() / known.blocks()))
                                        .orElse("")
                    });
                }
            }
        }
        return steps;
    }
}
