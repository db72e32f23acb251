package org.servletbench.bench.report;

import static org.servletbench.bench.model.Text.text;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.servletbench.bench.model.Cell;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Text;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.Campaign;
import org.servletbench.bench.record.Judgement;
import org.servletbench.bench.record.Judgement.Against;
import org.servletbench.bench.record.Judgement.Group;
import org.servletbench.bench.verdict.Comparison;
import org.servletbench.bench.verdict.Guard;
import org.servletbench.bench.verdict.PairVerdict;
import org.servletbench.bench.verdict.Reason;
import org.servletbench.bench.verdict.Spread;
import org.servletbench.bench.verdict.Standing;
import org.servletbench.bench.verdict.Verdict;
import org.servletbench.bench.verdict.Wording;

/** What was found: in words, then as interval plots. */
record Answers(Judgement judgement) {
    /** Loads whose answers stand open on the first screen; more are folded under what they have in common. */
    private static final int FIRST_SCREEN = 6;

    private boolean isVoid() {
        return judgement.family().isVoid();
    }

    /**
     * What is said of a group.
     *
     * @param versions of Spring Boot
     * @param summary for each arm in how many loads it differs; empty where the loads are few
     */
    record Answer(String group, String versions, boolean isVoid, List<String> summary, List<String> sentences) {
        boolean folded() {
            return sentences.size() > FIRST_SCREEN;
        }
    }

    List<Answer> words() {
        List<Answer> answers = new ArrayList<>();
        for (Group group : judgement.groups()) {
            List<String> sentences = new ArrayList<>();
            if (!isVoid() && !judgement.primary().isEmpty()) {
                judgement.cells().forEach(cell -> sentences.add(sentence(group, cell, lead(cell))));
            }
            answers.add(new Answer(
                    group.name(),
                    versions(group),
                    isVoid(),
                    sentences.size() > FIRST_SCREEN ? inAll(group) : List.of(),
                    sentences));
        }
        return answers;
    }

    static String versions(Group group) {
        String boots = group.arms().stream()
                .map(Arm::bootVersion)
                .filter(version -> !version.isEmpty())
                .distinct()
                .collect(Collectors.joining(", "));
        return boots.isEmpty() ? "" : "Spring Boot " + boots;
    }

    /** For each arm in how many loads it was found faster or slower than the baseline. */
    private List<String> inAll(Group group) {
        Metric metric = judgement.primary().get(0);
        List<Cell> cells =
                judgement.cells().stream().filter(cell -> lead(cell) == metric).toList();
        List<String> sentences = new ArrayList<>();
        for (Arm arm : group.arms()) {
            if (arm.equals(group.baseline()) || cells.isEmpty()) {
                continue;
            }
            Map<Verdict, Integer> counts = new TreeMap<>();
            for (Cell cell : cells) {
                judgement
                        .against(group, arm, cell, metric)
                        .ifPresent(against -> counts.merge(against.verdict(), 1, Integer::sum));
            }
            sentences.add(text(
                    "By %s, against %s in %s: %s",
                    metric.words(),
                    judgement.name(group.baseline()),
                    Words.count(cells.size(), "load"),
                    counted(judgement.name(arm), counts, metric)));
        }
        return sentences;
    }

    private String counted(String arm, Map<Verdict, Integer> counts, Metric metric) {
        List<String> is = new ArrayList<>();
        counts.forEach((verdict, count) -> {
            if (verdict == Verdict.DIFFERENT) {
                is.add(text(
                        "different, perhaps by less than %s, in %d",
                        Numbers.share(judgement.settings().margin()), count));
            } else if (verdict != Verdict.INCONCLUSIVE) {
                is.add(Words.word(verdict, metric) + " in " + count);
            }
        });
        int open = counts.getOrDefault(Verdict.INCONCLUSIVE, 0);
        if (is.isEmpty()) {
            return arm + " cannot be told apart in any";
        }
        return arm + " " + Text.list(is) + (open > 0 ? text("; it cannot be told apart in %d", open) : "");
    }

    /** What is asked of a load first: in the open model throughput is given, and what it costs is the question. */
    Metric lead(Cell cell) {
        List<Metric> primary = judgement.primary();
        return primary.stream()
                .filter(metric -> cell.tier() <= 0 && metric != Metric.THROUGHPUT)
                .findFirst()
                .orElse(primary.get(0));
    }

    /** One load and metric in one sentence: who differs from the baseline, and who cannot be told apart. */
    String sentence(Group group, Cell cell, Metric metric) {
        Comparison comparison = judgement.comparison(group.name(), cell, metric);
        return "For " + judgement.wording().cell(cell) + " " + clauses(group, cell, metric, comparison);
    }

    private String clauses(Group group, Cell cell, Metric metric, Comparison comparison) {
        List<Standing> standings = judgement.family().standings(comparison);
        List<PairVerdict> pairs = judgement.pairs(group, cell, metric);
        String name = comparison.metric().words();
        if (standings.isEmpty()) {
            return "there is no usable figure of " + name;
        }
        if (pairs.stream().noneMatch(pair -> pair.estimate().possible())) {
            return "nothing can be said about " + name + " yet: no two arms have two blocks in common";
        }
        List<String> parts = new ArrayList<>();
        if (pairs.size() == 1) {
            parts.add(judgement.wording().clause(pairs.get(0), Words.side(group, pairs.get(0))));
        } else {
            for (Standing standing : standings) {
                judgement
                        .against(group, judgement.campaign().arm(standing.arm()), cell, metric)
                        .filter(against -> against.verdict().namesADifference())
                        .ifPresent(against -> parts.add(judgement.wording().clause(against.pair(), against.arm())));
            }
            pairs.stream()
                    .filter(pair -> pair.reason().filter(Reason.FLOOR::equals).isPresent())
                    .filter(pair -> hasArm(pair, group.baseline().id()))
                    .forEach(pair -> parts.add(judgement.wording().clause(pair, Words.side(group, pair))));
            parts.addAll(alike(standings, pairs, name, detectable(group, cell, metric)));
        }
        List<String> missing = group.arms().stream()
                .filter(arm -> standings.stream().noneMatch(s -> s.arm().equals(arm.id())))
                .map(judgement::name)
                .toList();
        if (!missing.isEmpty()) {
            parts.add("there is no usable figure of " + Text.list(missing));
        }
        return String.join("; ", parts);
    }

    /** The arms that share a letter. */
    private List<String> alike(List<Standing> standings, List<PairVerdict> pairs, String metric, double detectable) {
        Map<Integer, List<String>> letters = new TreeMap<>();
        for (Standing standing : standings) {
            standing.letters().chars().forEach(letter -> letters.computeIfAbsent(letter, l -> new ArrayList<>())
                    .add(standing.arm()));
        }
        // The difference that would have been found is that of intervals: who has none is not one of them.
        List<String> blind = standings.stream()
                .map(Standing::arm)
                .filter(arm -> pairs.stream()
                        .noneMatch(pair -> hasArm(pair, arm) && !Double.isNaN(pair.halfWidth()) && !isBarred(pair)))
                .toList();
        boolean all = blind.size() == standings.size() && pairs.stream().noneMatch(Answers::isBarred);
        List<String> parts = new ArrayList<>();
        // Each pair once, and not what is said of the generator's limit.
        Set<PairVerdict> told = new LinkedHashSet<>();
        for (String arm : all ? List.<String>of() : blind) {
            if (told.stream().noneMatch(pair -> hasArm(pair, arm))) {
                pairs.stream()
                        .filter(pair -> hasArm(pair, arm) && pair.verdict() == Verdict.INCONCLUSIVE)
                        .filter(pair ->
                                pair.reason().filter(Reason.FLOOR::equals).isEmpty())
                        .findFirst()
                        .filter(told::add)
                        .ifPresent(pair -> parts.add(judgement.wording().clause(pair, arm)));
            }
        }
        for (List<String> letter : letters.values()) {
            List<String> arms =
                    letter.stream().filter(arm -> all || !blind.contains(arm)).toList();
            if (arms.size() < 2) {
                continue;
            }
            List<PairVerdict> among = pairs.stream()
                    .filter(pair -> arms.contains(pair.claim().a())
                            && arms.contains(pair.claim().b()))
                    .toList();
            String names = Text.list(arms.stream().map(judgement::name).toList());
            if (among.stream().allMatch(pair -> pair.verdict() == Verdict.EQUIVALENT)) {
                parts.add(names + " are equal in " + metric + " within "
                        + Numbers.share(judgement.settings().margin()));
            } else {
                parts.add(names + " cannot be told apart" + (arms.size() == standings.size() ? " in " + metric : "")
                        + (among.stream().anyMatch(pair -> Double.isNaN(pair.detectable())) ? "" : found(detectable)));
            }
        }
        return parts;
    }

    private static boolean isBarred(PairVerdict pair) {
        return pair.reason().filter(Reason::isTheServers).isPresent();
    }

    static boolean hasArm(PairVerdict pair, String arm) {
        return List.of(pair.claim().a(), pair.claim().b()).contains(arm);
    }

    /** The difference that the blocks would most likely have found, as {@code ratio - 1}; NaN where there is none. */
    double detectable(Group group, Cell cell, Metric metric) {
        return judgement.family().detectable(judgement.comparison(group.name(), cell, metric));
    }

    private static String found(double detectable) {
        return detectable < 10
                ? " (a difference of " + Wording.share(detectable) + " would most likely have been found)"
                : "";
    }

    /**
     * An interval plot.
     *
     * @param words what it says; empty where that is said elsewhere or may not be said
     */
    record Plot(Forest forest, String words) {}

    record Plots(String name, List<Plot> plots) {}

    /** The plots of one load: one for each primary metric. */
    String plots(Group group, Cell cell) {
        List<Plot> plots = new ArrayList<>();
        for (Metric metric : judgement.primary()) {
            Comparison comparison = judgement.comparison(group.name(), cell, metric);
            boolean said = isVoid() || judgement.isSilent() || metric.equals(lead(cell));
            plots.add(new Plot(
                    plot(group, cell, metric), said ? "" : Words.sentence(clauses(group, cell, metric, comparison))));
        }
        plots.removeIf(plot -> plot.forest().rows().stream().allMatch(row -> Double.isNaN(row.ratio())));
        return plots.isEmpty() ? "<p>Nothing is judged: no two arms have figures.</p>" : Template.html("plots", plots);
    }

    private Forest plot(Group group, Cell cell, Metric metric) {
        // One axis for all tiers of a workload, so that they can be held against each other.
        List<Forest.Row> onAxis = new ArrayList<>();
        judgement.cells().stream()
                .filter(other -> other.workload().equals(cell.workload())
                        && other.generator().equals(cell.generator()))
                .forEach(other -> onAxis.addAll(rows(group, other, metric)));
        return Forest.of(metric, onAxis, judgement.settings().logMargin(), rows(group, cell, metric));
    }

    /** The rows of a plot, in the order of {@link Group#all}; arms without a figure have none. */
    List<Forest.Row> rows(Group group, Cell cell, Metric metric) {
        List<Forest.Row> rows = new ArrayList<>();
        double margin = judgement.settings().margin();
        for (Arm arm : group.all()) {
            String name = Words.name(judgement, arm);
            if (arm.equals(group.baseline())) {
                Spread own = judgement.describe(arm, cell, metric);
                boolean floor = metric.higherIsBetter() && judgement.hasFloor(arm, cell);
                String value = own.known()
                        ? (floor ? "at least " : "") + Numbers.shown(metric, own.mean()) + " " + Numbers.unit(metric)
                        : "no usable figure";
                rows.add(new Forest.Row(
                        name, "baseline", Forest.Kind.BASELINE, Double.NaN, Double.NaN, Double.NaN, margin, value));
            } else if (arm.role() == Arm.Role.REFERENCE) {
                Spread ratio = judgement.reference(group, arm, cell, metric);
                if (ratio.known()) {
                    rows.add(new Forest.Row(
                            name,
                            "reference"
                                    + (metric.higherIsBetter() && judgement.hasFloor(arm, cell) ? ", at least" : ""),
                            Forest.Kind.REFERENCE,
                            ratio.mean(),
                            ratio.low(),
                            ratio.high(),
                            margin,
                            "not ranked"));
                }
            } else {
                judgement.against(group, arm, cell, metric).ifPresent(found -> rows.add(row(arm, found, metric)));
            }
        }
        return rows;
    }

    Forest.Row row(Arm arm, Against against, Metric metric) {
        boolean control = arm.role() == Arm.Role.CONTROL;
        Forest.Kind kind = Words.kind(against.verdict());
        if (control) {
            kind = Guard.of(against.pair()) == Guard.BROKEN ? Forest.Kind.BROKEN : Forest.Kind.CONTROL;
        } else if (isVoid()) {
            kind = Forest.Kind.OPEN;
        }
        String word = control
                ? Words.control(against.pair())
                : isVoid() ? "void" : judgement.isSilent() ? "no verdict" : Words.word(against, metric);
        return new Forest.Row(
                Words.name(judgement, arm),
                Words.bound(against.bound()) + (control ? "A/A control" : ""),
                kind,
                against.ratio(),
                against.low(),
                against.high(),
                judgement.settings().margin(),
                word);
    }

    /** The arms of a campaign, each once, for the page's title. */
    static String title(Campaign campaign) {
        List<String> labels = campaign.arms().stream()
                .filter(Arm::isRanked)
                .map(arm -> arm.label().isBlank() ? arm.id() : arm.label().replaceFirst(", \\w+ heap$", ""))
                .distinct()
                .toList();
        List<String> heaps = campaign.heaps();
        return Text.list(labels) + " compared"
                + (heaps.isEmpty() ? "" : " with heaps of " + Text.list(heaps))
                + (Arm.acrossLines(campaign.arms()).isPresent() ? ": a change of framework and container" : "");
    }
}
