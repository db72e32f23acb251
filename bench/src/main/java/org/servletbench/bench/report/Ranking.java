package org.servletbench.bench.report;

import static org.servletbench.bench.model.Text.text;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Text;
import org.servletbench.bench.record.Analysis;
import org.servletbench.bench.record.Analysis.Against;
import org.servletbench.bench.record.Analysis.Group;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.RateOutcome;
import org.servletbench.bench.verdict.NoVerdictReason;
import org.servletbench.bench.verdict.PairVerdict;
import org.servletbench.bench.verdict.Verdict;
import org.servletbench.bench.verdict.Wording;

/**
 * The winner under one load.
 *
 * @param kind how clear the result is
 * @param first measured arms that no other arm beats, in the campaign's order
 * @param beaten the other measured arms
 * @param unknown arms without usable figures, or whose servers were not warm
 * @param even if no arm is beaten, those that are equal to the baseline within the margin
 * @param limited true if only the generator's limit hides differences between the first arms; more blocks would not
 *     help
 */
record Ranking(Kind kind, List<Arm> first, List<Arm> beaten, List<Arm> unknown, List<Arm> even, boolean limited) {
    private static final String NOTHING = "nothing is judged";
    private static final String NO_WINNER = "no clear winner";
    /** Maximum number of tied arms that a headline names. */
    private static final int MOST_NAMED = 4;
    /** Maximum number of loads that a headline names. */
    private static final int MOST_NAMED_LOADS = 3;
    /** First words of a headline that are not names. */
    private static final Pattern WORD = Pattern.compile("^(No|Only|The|Fastest|Best|Lowest|Highest|Nothing)\\b");

    enum Kind {
        /** One arm beats all others, or several arms do that are equal within the margin. */
        WON,
        /** Some arm is slower, but the others cannot be distinguished. */
        SHARED,
        /**
         * Several arms are equal within the margin, and another arm is slower than one of them, but not certainly than
         * all.
         */
        AHEAD,
        /** All arms are equal within the margin. */
        EQUAL,
        /** No arm was found to be slower than another. */
        OPEN
    }

    /** True if some arm was found to be slower than another. */
    boolean isDecided() {
        return kind != Kind.EQUAL && kind != Kind.OPEN;
    }

    boolean isEqual() {
        return kind == Kind.EQUAL;
    }

    /** True if another metric distinguishes arms that this ranking leaves open. */
    boolean isSettledBy(Metric other, Analysis analysis, Group group, MeasuredLoad load) {
        return (kind == Kind.SHARED || kind == Kind.OPEN)
                && analysis.pairs(group, load, other).stream()
                        .filter(pair -> has(first, pair.contrast().a())
                                && has(first, pair.contrast().b()))
                        .anyMatch(pair -> pair.verdict().namesADifference());
    }

    static Ranking of(Analysis analysis, Group group, MeasuredLoad load, Metric metric) {
        List<PairVerdict> pairs = analysis.pairs(group, load, metric);
        List<Arm> unknown = group.arms().stream()
                .filter(arm -> analysis.values(arm, load, metric).isEmpty()
                        || analysis.barredBeside(arm, load).isPresent())
                .toList();
        List<Arm> measured =
                group.arms().stream().filter(arm -> !unknown.contains(arm)).toList();
        List<Arm> first = measured.stream()
                .filter(arm -> pairs.stream().noneMatch(pair -> isBeaten(pair, arm.id())))
                .toList();
        List<PairVerdict> open = pairs.stream()
                .filter(pair -> has(first, pair.contrast().a())
                        && has(first, pair.contrast().b()))
                .filter(pair -> pair.verdict() != Verdict.EQUIVALENT)
                .toList();
        boolean equal = measured.size() > 1 && open.isEmpty();
        boolean all = first.size() == measured.size();
        // An arm may be slower than one of two arms and not slower than the other, even if these two are equal within
        // the margin.
        List<Arm> behind = measured.stream().filter(arm -> !first.contains(arm)).toList();
        boolean ahead = first.stream()
                .map(arm -> beaten(pairs, arm.id()))
                .allMatch(beaten -> behind.stream().map(Arm::id).allMatch(beaten::contains));
        Kind kind = all ? equal ? Kind.EQUAL : Kind.OPEN : !equal ? Kind.SHARED : ahead ? Kind.WON : Kind.AHEAD;
        List<Arm> even = kind != Kind.OPEN
                ? List.of()
                : measured.stream()
                        .filter(arm -> !arm.equals(group.baseline()))
                        .filter(arm -> analysis.against(group, arm, load, metric)
                                .filter(one -> one.verdict() == Verdict.EQUIVALENT)
                                .isPresent())
                        .toList();
        return new Ranking(
                first.isEmpty() ? Kind.OPEN : kind,
                first,
                behind,
                unknown,
                even,
                !open.isEmpty()
                        && open.stream().allMatch(pair -> pair.reason()
                                .filter(NoVerdictReason.FLOOR::equals)
                                .isPresent()));
    }

    /** Returns the arms that this arm beats, directly or through another arm. */
    private static Set<String> beaten(List<PairVerdict> pairs, String arm) {
        Set<String> beaten = new HashSet<>();
        Deque<String> ahead = new ArrayDeque<>(List.of(arm));
        while (!ahead.isEmpty()) {
            String winner = ahead.pop();
            for (PairVerdict pair : pairs) {
                String other = winner.equals(pair.contrast().a())
                        ? pair.contrast().b()
                        : pair.contrast().a();
                if (Conclusions.hasArm(pair, winner) && isBeaten(pair, other) && beaten.add(other)) {
                    ahead.push(other);
                }
            }
        }
        return beaten;
    }

    private static boolean has(List<Arm> arms, String id) {
        return arms.stream().anyMatch(arm -> arm.id().equals(id));
    }

    private static boolean isBeaten(PairVerdict pair, String arm) {
        String loser =
                pair.aLooksBetter() ? pair.contrast().b() : pair.contrast().a();
        return pair.verdict().namesADifference() && loser.equals(arm);
    }

    private String headline(
            Analysis analysis, Group group, Collection<MeasuredLoad> loads, MeasuredLoad load, Metric metric) {
        return known(analysis, group, loads, load, metric) + missing(analysis, loads);
    }

    private String missing(Analysis analysis, Collection<MeasuredLoad> loads) {
        List<String> slow = unknown.stream()
                .filter(arm -> isTooSlow(analysis, arm, loads))
                .map(analysis::name)
                .toList();
        List<String> cold = unknown.stream()
                .filter(arm -> loads.stream().anyMatch(load -> analysis.barredBeside(arm, load)
                        .filter(NoVerdictReason.NOT_WARM::equals)
                        .isPresent()))
                .map(analysis::name)
                .toList();
        List<String> others = unknown.stream()
                .filter(arm -> !isTooSlow(analysis, arm, loads))
                .map(analysis::name)
                .filter(name -> !cold.contains(name))
                .toList();
        return (cold.isEmpty()
                        ? ""
                        : text(
                                " No verdict on %s: %s servers were not warm.",
                                Text.list(cold), cold.size() == 1 ? "its" : "their"))
                + (slow.isEmpty() ? "" : text(" %s did not hold the rate.", Text.list(slow)))
                + (others.isEmpty()
                        ? ""
                        : text(" %s %s no usable figures.", Text.list(others), others.size() == 1 ? "has" : "have"));
    }

    private static boolean isTooSlow(Analysis analysis, Arm arm, Collection<MeasuredLoad> loads) {
        return loads.stream()
                .allMatch(load -> load.rate() > 0 && RateOutcome.of(analysis, arm, load) == RateOutcome.NO);
    }

    private String known(
            Analysis analysis, Group group, Collection<MeasuredLoad> loads, MeasuredLoad load, Metric metric) {
        String blocks = Words.count(analysis.blocks(), "block");
        String margin = Numbers.share(analysis.settings().margin(metric));
        return switch (kind) {
            case WON ->
                first.size() == 1
                        ? names(analysis) + " is " + best(metric) + ahead(analysis, group, load, metric)
                        : text("%s are %s, equal within %s.", names(analysis), best(metric), margin);
            // An arm that one of them does not beat may still be slower than another, so none is said to be ahead.
            case SHARED ->
                first.size() > MOST_NAMED
                        ? text(
                                "%s %s behind in %s. %s",
                                Text.list(beaten.stream().map(analysis::name).toList()),
                                beaten.size() == 1 ? "is" : "are",
                                metric.words(),
                                limited
                                        ? text(
                                                "%s hides which of the other %s is %s.",
                                                Words.capital(Wording.limit(metric)),
                                                number(first.size()),
                                                best(metric))
                                        : text(
                                                "%s show no clear difference between the other %s.",
                                                blocks, number(first.size())))
                        : text(
                                "%s is %s, not %s: %s.",
                                Words.capital(best(metric)),
                                Text.list(first.stream().map(analysis::name).toList(), "or"),
                                Text.list(beaten.stream().map(analysis::name).toList(), "or"),
                                limited
                                        ? Wording.limit(metric) + " hides which"
                                        : blocks + " show no clear difference between the " + number(first.size()));
            case AHEAD ->
                text(
                        "%s are equal within %s. %s %s behind, but not clearly behind each of them.",
                        names(analysis),
                        margin,
                        Text.list(beaten.stream().map(analysis::name).toList()),
                        beaten.size() == 1 ? "is" : "are");
            case EQUAL -> text("%s are equal within %s.", names(analysis), margin);
            case OPEN -> open(analysis, group, loads, metric, blocks);
        };
    }

    /** Returns what is known if no arm was found to be slower. */
    private String open(Analysis analysis, Group group, Collection<MeasuredLoad> loads, Metric metric, String blocks) {
        String number = number(group.arms().size() - unknown.size());
        if (isSilent(group)) {
            return Words.sentence(alone(analysis, group, loads));
        }
        if (limited) {
            return text(
                    "No clear winner: %s hides which of the %s is %s.", Wording.limit(metric), number, best(metric));
        }
        if (even.isEmpty() || first.size() > MOST_NAMED) {
            return text("No clear winner%s: %s cannot separate the %s.", in(metric), blocks, number);
        }
        List<String> undecided = first.stream()
                .filter(arm -> !arm.equals(group.baseline()) && !even.contains(arm))
                .map(analysis::name)
                .toList();
        return text(
                "%s %s equal to %s within %s%s%s.",
                Text.list(even.stream().map(analysis::name).toList()),
                even.size() == 1 ? "is" : "are",
                analysis.name(group.baseline()),
                Numbers.share(analysis.settings().margin(metric)),
                in(metric),
                undecided.isEmpty() ? "" : text("; %s left %s undecided", blocks, Text.list(undecided)));
    }

    /** Returns " in CPU time per request"; empty for throughput, which goes without saying. */
    private static String in(Metric metric) {
        return metric == Metric.THROUGHPUT ? "" : " in " + metric.words();
    }

    /** True if fewer than two arms have figures. */
    private boolean isSilent(Group group) {
        return group.arms().size() - unknown.size() < 2;
    }

    /** Returns the clause for fewer than two arms with figures. */
    private String alone(Analysis analysis, Group group, Collection<MeasuredLoad> loads) {
        boolean all = !unknown.isEmpty() && unknown.stream().allMatch(arm -> isTooSlow(analysis, arm, loads));
        List<String> holding = group.arms().stream()
                .filter(arm -> loads.stream().allMatch(load -> RateOutcome.of(analysis, arm, load) == RateOutcome.YES))
                .map(analysis::name)
                .toList();
        return all && holding.size() == 1 ? "only " + holding.get(0) + " holds the rate" : NOTHING;
    }

    /** Returns the lead over the baseline or, if the baseline wins, over the next arm. */
    private String ahead(Analysis analysis, Group group, MeasuredLoad load, Metric metric) {
        Arm winner = first.get(0);
        boolean isBaseline = winner.equals(group.baseline());
        List<Against> gaps = (isBaseline ? group.arms() : first)
                .stream()
                        .filter(arm -> !arm.equals(group.baseline()))
                        .flatMap(arm -> analysis.against(group, arm, load, metric).stream())
                        .sorted((a, b) -> Double.compare(Math.abs(Math.log(a.ratio())), Math.abs(Math.log(b.ratio()))))
                        .toList();
        if (gaps.isEmpty() || !gaps.get(0).verdict().namesADifference()) {
            return ".";
        }
        double margin = analysis.settings().margin(metric);
        if (!isBaseline) {
            return text(
                    ": %s against %s%s.",
                    Forest.Row.of(gaps.get(0), margin).brief(),
                    analysis.name(group.baseline()),
                    maybe(gaps.get(0), margin));
        }
        // The next arm is named only if the difference is shown.
        List<PairVerdict> pairs = analysis.pairs(group, load, metric);
        List<Against> behind = new ArrayList<>();
        gaps.stream()
                .filter(one -> behind.stream().allMatch(other -> joining(pairs, one, other)
                        .anyMatch(pair -> !pair.verdict().namesADifference())))
                .forEach(behind::add);
        String names = Text.list(behind.stream()
                .map(one -> analysis.name(analysis.campaign().arm(one.arm())))
                .toList());
        if (behind.size() == 1) {
            return text(
                    "; next is %s with %s%s.",
                    names, Forest.Row.of(behind.get(0), margin).brief(), maybe(behind.get(0), margin));
        }
        boolean equal = behind.stream().allMatch(one -> behind.stream()
                .filter(other -> other != one)
                .allMatch(other -> joining(pairs, one, other).allMatch(pair -> pair.verdict() == Verdict.EQUIVALENT)));
        List<String> differences = behind.stream()
                .map(one -> Forest.Row.of(one, margin).difference() + " %")
                .toList();
        boolean alike = differences.stream().distinct().count() == 1;
        String much = alike ? "about " + differences.get(0) : Text.list(differences);
        return ". " + names
                + (equal
                        ? (alike ? " are tied at " : " are tied: ") + much
                        : ": " + much + (alike ? " each" : "") + ", no clear difference between them")
                + ".";
    }

    /** Returns a clause for a difference that may be too small to matter. */
    private static String maybe(Against gap, double margin) {
        return gap.verdict() == Verdict.DIFFERENT ? Wording.MAYBE_WITHIN_MARGIN + " of " + Numbers.share(margin) : "";
    }

    private static Stream<PairVerdict> joining(List<PairVerdict> pairs, Against one, Against other) {
        return pairs.stream().filter(pair -> Against.joins(pair, one.arm(), other.arm()));
    }

    static String headline(Analysis analysis, Group group, Map<MeasuredLoad, Ranking> outcomes, Metric metric) {
        Map.Entry<MeasuredLoad, Ranking> one = outcomes.entrySet().iterator().next();
        if (outcomes.size() == 1) {
            return one.getValue().headline(analysis, group, outcomes.keySet(), one.getKey(), metric);
        }
        if (outcomes.values().stream().distinct().count() == 1) {
            return one.getValue().everywhere(analysis, group, outcomes.keySet(), one.getKey(), metric);
        }
        return outcomes.values().stream().map(Ranking::withoutEven).distinct().count() == 1
                ? one.getValue().withoutEven().everywhere(analysis, group, outcomes.keySet(), one.getKey(), metric)
                : byLoad(analysis, group, outcomes, metric);
    }

    private Ranking withoutEven() {
        return new Ranking(kind, first, beaten, unknown, List.of(), limited);
    }

    /** Returns a result that is the same under all loads. */
    private String everywhere(
            Analysis analysis, Group group, Collection<MeasuredLoad> loads, MeasuredLoad load, Metric metric) {
        String all = loads.size() == 2 ? "both loads" : "all " + number(loads.size()) + " loads";
        return kind == Kind.WON
                ? winner(analysis, metric) + leads(analysis, group, loads, metric) + " under " + all + "."
                        + missing(analysis, loads)
                : "Under " + all + ", " + small(headline(analysis, group, loads, load, metric));
    }

    /**
     * Returns the winner's lead over the baseline if it is the same under all loads, after rounding, and not perhaps
     * within the margin; otherwise empty, as several figures would not fit into a headline.
     */
    private String leads(Analysis analysis, Group group, Collection<MeasuredLoad> loads, Metric metric) {
        double margin = analysis.settings().margin(metric);
        List<Against> gaps = first.size() > 1 || first.contains(group.baseline())
                ? List.of()
                : loads.stream()
                        .flatMap(load -> analysis.against(group, first.get(0), load, metric).stream())
                        .filter(gap -> gap.verdict().namesADifference()
                                && gap.verdict() != Verdict.DIFFERENT
                                && Words.bound(gap.bound()).isEmpty())
                        .toList();
        List<String> said = gaps.stream()
                .map(gap -> Forest.Row.of(gap, margin).brief())
                .distinct()
                .toList();
        return gaps.size() < loads.size() || said.size() != 1
                ? ""
                : text(": %s against %s", said.get(0), analysis.name(group.baseline()));
    }

    /**
     * Returns results that differ between loads: "A is fastest under two of three loads; the third has no clear
     * winner." Without any result, names the arms that are behind under all loads. Names a few loads if they have
     * different winners.
     */
    private static String byLoad(Analysis analysis, Group group, Map<MeasuredLoad, Ranking> outcomes, Metric metric) {
        Map<String, List<String>> winners = new LinkedHashMap<>();
        outcomes.forEach((load, outcome) -> winners.computeIfAbsent(
                        outcome.kind == Kind.WON ? outcome.names(analysis) : NO_WINNER, any -> new ArrayList<>())
                .add(analysis.wording().load(load)));
        boolean differ = winners.size() - (winners.containsKey(NO_WINNER) ? 1 : 0) > 1;
        if (differ
                && outcomes.size() <= MOST_NAMED_LOADS
                && outcomes.values().stream().noneMatch(outcome -> outcome.isSilent(group))) {
            return Words.capital(best(metric)) + ": "
                    + winners.entrySet().stream()
                            .map(one -> one.getKey() + " under " + Text.list(one.getValue()))
                            .collect(Collectors.joining("; "))
                    + ".";
        }
        Map<String, Integer> results = new LinkedHashMap<>();
        Map<String, Integer> others = new LinkedHashMap<>();
        outcomes.forEach((load, outcome) -> {
            if (outcome.kind == Kind.WON) {
                results.merge(outcome.winner(analysis, metric), 1, Integer::sum);
            } else if (outcome.isSilent(group)) {
                String alone = outcome.alone(analysis, group, List.of(load));
                (alone.equals(NOTHING) ? others : results)
                        .merge(alone.equals(NOTHING) ? "no verdict" : alone, 1, Integer::sum);
            } else {
                others.merge(NO_WINNER, 1, Integer::sum);
            }
        });
        int total = outcomes.size();
        List<String> said = new ArrayList<>();
        results.forEach((result, loads) -> said.add(
                result + " under " + number(loads) + (said.isEmpty() ? text(" of %s loads", number(total)) : "")));
        if (others.equals(Map.of(NO_WINNER, total))) {
            List<String> behind = outcomes.values().iterator().next().beaten.stream()
                    .filter(arm -> outcomes.values().stream().allMatch(outcome -> outcome.beaten.contains(arm)))
                    .map(analysis::name)
                    .toList();
            return text("None of the %s loads has a single clear winner", number(total))
                    + (behind.isEmpty()
                            ? "."
                            : text(
                                    "; %s %s behind in %s under all of them.",
                                    Text.list(behind), behind.size() == 1 ? "is" : "are", metric.words()));
        }
        others.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(other -> said.add(
                        said.isEmpty()
                                ? text(
                                        "%s of %s loads %s %s",
                                        number(other.getValue()), number(total), has(other), other.getKey())
                                : text(
                                        "%s %s %s",
                                        rest(other.getValue(), others.size(), total), has(other), other.getKey())));
        return Words.capital(String.join("; ", said)) + ".";
    }

    private static String has(Map.Entry<String, Integer> loads) {
        return loads.getValue() == 1 ? "has" : "have";
    }

    /** Returns the remaining loads after others were named: "the third", or "the other two". */
    private static String rest(int loads, int kinds, int total) {
        return kinds > 1
                ? number(loads)
                : loads > 1
                        ? "the other " + number(loads)
                        : total == 2 ? "the other" : total == 3 ? "the third" : "the last";
    }

    /** Returns a sentence starting in lower case, unless it starts with a name. */
    static String small(String sentence) {
        return WORD.matcher(sentence).find()
                ? Character.toLowerCase(sentence.charAt(0)) + sentence.substring(1)
                : sentence;
    }

    private String winner(Analysis analysis, Metric metric) {
        return names(analysis) + (first.size() == 1 ? " is " : " are ") + best(metric);
    }

    private String names(Analysis analysis) {
        return Text.list(first.stream().map(analysis::name).toList());
    }

    static String best(Metric metric) {
        return metric == Metric.THROUGHPUT
                ? "fastest"
                : (metric.higherIsBetter() ? "highest in " : "lowest in ") + metric.words();
    }

    private static String number(int n) {
        List<String> words = List.of("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine");
        return n < words.size() ? words.get(n) : Integer.toString(n);
    }
}
