package org.servletbench.bench.report;

import static org.servletbench.bench.model.Text.text;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.servletbench.bench.model.Cell;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Text;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.Judgement;
import org.servletbench.bench.record.Judgement.Against;
import org.servletbench.bench.record.Judgement.Group;
import org.servletbench.bench.record.RateOutcome;
import org.servletbench.bench.verdict.Lack;
import org.servletbench.bench.verdict.PairVerdict;
import org.servletbench.bench.verdict.Verdict;
import org.servletbench.bench.verdict.Wording;

/**
 * The winner under one load.
 *
 * @param kind strength of the result
 * @param first the measured arms that no other arm beats, in the campaign's order
 * @param beaten the other measured arms
 * @param unknown the arms without usable figures, or whose servers were not warm
 * @param limited true if only the generator's limit hides differences between the first: more blocks would not help
 */
record Ranking(Kind kind, List<Arm> first, List<Arm> beaten, List<Arm> unknown, boolean limited) {
    private static final String NO_SINGLE = "no single winner";
    private static final String NOTHING = "nothing is judged";
    /** Results that come last in a list of several loads, in this order. */
    private static final List<String> LAST = List.of(NO_SINGLE, NOTHING);

    enum Kind {
        /** One arm, or several that are equal within the margin, each of which beats all others. */
        WON,
        /** Some arm is slower, but the others cannot be separated. */
        SHARED,
        /** Several are equal within the margin; an arm is slower than one of them, but not certainly than each. */
        AHEAD,
        /** All are equal within the margin. */
        EQUAL,
        /** No arm is shown to be slower than another. */
        OPEN
    }

    /** True if some arm is shown to be slower than another. */
    boolean isDecided() {
        return kind != Kind.EQUAL && kind != Kind.OPEN;
    }

    boolean isEqual() {
        return kind == Kind.EQUAL;
    }

    /** Reports that another metric separates arms that this ranking leaves open. */
    boolean isSettledBy(Metric other, Judgement judgement, Group group, Cell cell) {
        return (kind == Kind.SHARED || kind == Kind.OPEN)
                && judgement.pairs(group, cell, other).stream()
                        .filter(pair -> has(first, pair.contrast().a())
                                && has(first, pair.contrast().b()))
                        .anyMatch(pair -> pair.verdict().namesADifference());
    }

    static Ranking of(Judgement judgement, Group group, Cell cell, Metric metric) {
        List<PairVerdict> pairs = judgement.pairs(group, cell, metric);
        List<Arm> unknown = group.arms().stream()
                .filter(arm -> judgement.values(arm, cell, metric).isEmpty()
                        || judgement.barredBeside(arm, cell).isPresent())
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
        // An arm slower than one may not be slower than the other, although the two are equal within the margin.
        List<Arm> behind = measured.stream().filter(arm -> !first.contains(arm)).toList();
        boolean ahead = first.stream()
                .map(arm -> beaten(pairs, arm.id()))
                .allMatch(beaten -> behind.stream().map(Arm::id).allMatch(beaten::contains));
        Kind kind = all ? equal ? Kind.EQUAL : Kind.OPEN : !equal ? Kind.SHARED : ahead ? Kind.WON : Kind.AHEAD;
        return new Ranking(
                first.isEmpty() ? Kind.OPEN : kind,
                first,
                behind,
                unknown,
                !open.isEmpty()
                        && open.stream()
                                .allMatch(pair ->
                                        pair.reason().filter(Lack.FLOOR::equals).isPresent()));
    }

    /** Returns the arms that this arm beats, directly or through an arm that it beats. */
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

    private String headline(Judgement judgement, Group group, Collection<Cell> loads, Cell cell, Metric metric) {
        return known(judgement, group, loads, cell, metric) + missing(judgement, loads);
    }

    private String missing(Judgement judgement, Collection<Cell> loads) {
        List<String> slow = unknown.stream()
                .filter(arm -> isTooSlow(judgement, arm, loads))
                .map(judgement::name)
                .toList();
        List<String> cold = unknown.stream()
                .filter(arm -> loads.stream().anyMatch(load -> judgement
                        .barredBeside(arm, load)
                        .filter(Lack.NOT_WARM::equals)
                        .isPresent()))
                .map(judgement::name)
                .toList();
        List<String> others = unknown.stream()
                .filter(arm -> !isTooSlow(judgement, arm, loads))
                .map(judgement::name)
                .filter(name -> !cold.contains(name))
                .toList();
        return (cold.isEmpty() ? "" : text(" Not judged, because servers were not warm: %s.", Text.list(cold)))
                + (slow.isEmpty() ? "" : text(" %s did not hold the rate.", Text.list(slow)))
                + (others.isEmpty()
                        ? ""
                        : text(" %s %s no usable figures.", Text.list(others), others.size() == 1 ? "has" : "have"));
    }

    private static boolean isTooSlow(Judgement judgement, Arm arm, Collection<Cell> loads) {
        return loads.stream()
                .allMatch(cell -> cell.rate() > 0 && RateOutcome.of(judgement, arm, cell) == RateOutcome.NO);
    }

    private String known(Judgement judgement, Group group, Collection<Cell> loads, Cell cell, Metric metric) {
        String blocks = Words.count(judgement.blocks(), "block");
        String margin = Numbers.share(judgement.settings().margin(metric));
        return switch (kind) {
            case WON ->
                first.size() == 1
                        ? names(judgement) + " is " + best(metric) + ahead(judgement, group, cell, metric)
                        : text("%s are %s, equal within %s.", names(judgement), best(metric), margin);
            // An arm that is not beaten by one may not beat the other: none is said to be ahead.
            case SHARED ->
                text(
                        "%s which of %s is %s. %s %s not.",
                        limited ? Words.capital(Wording.limit(metric)) + " hides" : blocks + " cannot tell",
                        names(judgement),
                        best(metric),
                        Text.list(beaten.stream().map(judgement::name).toList()),
                        beaten.size() == 1 ? "is" : "are");
            case AHEAD ->
                text(
                        "%s are equal within %s. %s %s behind, but not surely behind each of them.",
                        names(judgement),
                        margin,
                        Text.list(beaten.stream().map(judgement::name).toList()),
                        beaten.size() == 1 ? "is" : "are");
            case EQUAL -> text("%s are equal within %s.", names(judgement), margin);
            case OPEN ->
                isSilent(group)
                        ? Words.sentence(alone(judgement, group, loads))
                        : text(
                                limited
                                        ? "No winner: " + Wording.limit(metric) + " hides which of the %2$s is %3$s."
                                        : "No winner yet: %1$s cannot separate the %2$s.",
                                blocks,
                                number(group.arms().size() - unknown.size()),
                                best(metric));
        };
    }

    /** True if fewer than two arms have figures. */
    private boolean isSilent(Group group) {
        return group.arms().size() - unknown.size() < 2;
    }

    /** Returns a clause for fewer than two arms with figures. */
    private String alone(Judgement judgement, Group group, Collection<Cell> loads) {
        boolean all = !unknown.isEmpty() && unknown.stream().allMatch(arm -> isTooSlow(judgement, arm, loads));
        List<String> holding = group.arms().stream()
                .filter(arm -> loads.stream().allMatch(cell -> RateOutcome.of(judgement, arm, cell) == RateOutcome.YES))
                .map(judgement::name)
                .toList();
        return all && holding.size() == 1 ? "only " + holding.get(0) + " holds the rate" : NOTHING;
    }

    /** Returns the lead over the baseline or, if the baseline wins, over the next arm. */
    private String ahead(Judgement judgement, Group group, Cell cell, Metric metric) {
        Arm winner = first.get(0);
        boolean isBaseline = winner.equals(group.baseline());
        List<Against> gaps = (isBaseline ? group.arms() : first)
                .stream()
                        .filter(arm -> !arm.equals(group.baseline()))
                        .flatMap(arm -> judgement.against(group, arm, cell, metric).stream())
                        .sorted((a, b) -> Double.compare(Math.abs(Math.log(a.ratio())), Math.abs(Math.log(b.ratio()))))
                        .toList();
        if (gaps.isEmpty() || !gaps.get(0).verdict().namesADifference()) {
            return ".";
        }
        Against gap = gaps.get(0);
        if (!isBaseline) {
            Forest.Row row = Forest.Row.of(gap, judgement.settings().margin(metric));
            return text(": %s %% against %s (%s).", row.difference(), judgement.name(group.baseline()), row.interval());
        }
        // The next arm is named only if it is shown.
        List<PairVerdict> pairs = judgement.pairs(group, cell, metric);
        List<Against> behind = gaps.stream()
                .filter(one -> one == gap
                        || pairs.stream()
                                .anyMatch(pair -> Against.joins(pair, one.arm(), gap.arm())
                                        && !pair.verdict().namesADifference()))
                .toList();
        boolean alone = behind.size() == 1;
        List<String> next = behind.stream()
                .map(one -> {
                    Forest.Row row = Forest.Row.of(one, judgement.settings().margin(metric));
                    return text(
                            "%s%s %s %% (%s)",
                            judgement.name(judgement.campaign().arm(one.arm())),
                            alone ? ":" : "",
                            row.difference(),
                            row.interval());
                })
                .toList();
        return (alone ? ". The next, " : ". The next, not told apart: ") + String.join(", ", next) + ".";
    }

    static String headline(Judgement judgement, Group group, Map<Cell, Ranking> outcomes, Metric metric) {
        if (outcomes.size() == 1 || outcomes.values().stream().distinct().count() == 1) {
            Map.Entry<Cell, Ranking> one = outcomes.entrySet().iterator().next();
            String same = outcomes.size() == 1 ? "" : text("In all %d loads: ", outcomes.size());
            // Figures of one load do not hold for all.
            return same
                    + (same.isEmpty() || one.getValue().kind != Kind.WON
                            ? one.getValue()
                                    .headline(judgement, group, outcomes.keySet(), one.getKey(), metric)
                                    .replaceFirst("^No", same.isEmpty() ? "No" : "no")
                                    .replaceFirst("^Only ", same.isEmpty() ? "Only " : "only ")
                                    .replaceFirst("^The ", same.isEmpty() ? "The " : "the ")
                            : one.getValue().winner(judgement, metric) + "."
                                    + one.getValue().missing(judgement, outcomes.keySet()));
        }
        Map<String, Integer> winners = new LinkedHashMap<>();
        Map<String, Integer> others = new LinkedHashMap<>();
        outcomes.forEach((cell, outcome) -> {
            if (outcome.kind == Kind.WON) {
                winners.merge(outcome.winner(judgement, metric), 1, Integer::sum);
            } else {
                String said = outcome.isSilent(group) ? outcome.alone(judgement, group, List.of(cell)) : NO_SINGLE;
                others.merge(said, 1, Integer::sum);
            }
        });
        List<String> parts = new ArrayList<>();
        winners.forEach((winner, loads) -> parts.add(winner + " in " + loads));
        others.keySet().stream()
                .sorted(Comparator.comparingInt(LAST::indexOf))
                .map(said -> said + " in " + others.get(said))
                .map(said -> parts.isEmpty() ? Words.capital(said) : said)
                .forEach(parts::add);
        return text("%s of %d loads.", Text.list(parts), outcomes.size());
    }

    private String winner(Judgement judgement, Metric metric) {
        return names(judgement) + (first.size() == 1 ? " is " : " are ") + best(metric);
    }

    private String names(Judgement judgement) {
        return Text.list(first.stream().map(judgement::name).toList());
    }

    static String best(Metric metric) {
        return metric == Metric.THROUGHPUT ? "fastest" : "best in " + metric.words();
    }

    private static String number(int n) {
        List<String> words = List.of("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine");
        return n < words.size() ? words.get(n) : Integer.toString(n);
    }
}
