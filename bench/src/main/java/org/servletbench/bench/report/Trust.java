package org.servletbench.bench.report;

import static org.servletbench.bench.model.Text.text;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Text;
import org.servletbench.bench.record.Analysis;
import org.servletbench.bench.record.Analysis.Against;
import org.servletbench.bench.record.Analysis.Group;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.Drift;
import org.servletbench.bench.record.ServerRun;
import org.servletbench.bench.record.Warmth;
import org.servletbench.bench.verdict.AaCheck;
import org.servletbench.bench.verdict.Contrast;
import org.servletbench.bench.verdict.MultipleComparison;
import org.servletbench.bench.verdict.PairVerdict;
import org.servletbench.bench.verdict.Settings;
import org.servletbench.bench.verdict.StartOrder;
import org.servletbench.bench.verdict.Verdict;

/**
 * Trust in a group's answer.
 *
 * @param line the reason that decides the level, without a full stop
 * @param reasons what was checked, other than copies
 * @param copies what the copies of the baseline show
 */
record Trust(Level level, String line, List<String> reasons, List<String> copies) {
    enum Level {
        GOOD,
        FAIR,
        LOW;

        char icon() {
            return "✓●▲".charAt(ordinal());
        }

        String word() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    /** Maximum share of servers that were not warm. With more, the figures describe their warm-up. */
    private static final double MOST_COLD = 0.2;

    /**
     * @param load the first load
     * @param metric the first metric
     * @param copy the baseline's copy in this metric under this load
     * @param blind true for a metric whose copies could hide the largest difference of an arm
     */
    static Trust of(
            Analysis analysis,
            Group group,
            MeasuredLoad load,
            Metric metric,
            Optional<Forest.Row> copy,
            Predicate<Metric> blind) {
        List<String> reasons = new ArrayList<>();
        List<ServerRun> servers = group.all().stream()
                .flatMap(arm -> analysis.servers(arm).values().stream())
                .toList();
        long cold = servers.stream().filter(server -> isCold(analysis, server)).count();
        Warmths warmths = Warmths.of(analysis, group);
        boolean isStartUp = analysis.campaign().plan().isStartUp();
        if (servers.isEmpty()) {
            reasons.add(
                    HistorySection.failure(analysis).isPresent()
                            ? "no server was measured"
                            : "nothing is measured yet");
        } else if (isStartUp) {
            reasons.add(text("%d servers started", servers.size()));
        } else {
            if (cold > 0) {
                reasons.add(text("%d of %d servers were not warm", cold, servers.size()));
            }
            reasons.addAll(warmths.sentences());
            Drift drift = analysis.drift();
            if (drift.isSeen()) {
                reasons.add(text(
                        "the machine %s by %.0f %% during the loads, which all arms share",
                        drift.rise() < 0 ? "slowed" : "sped up", Math.abs(drift.rise())));
            }
        }
        StartOrder order = analysis.startOrder(group, load, metric);
        if (order.isSeen(analysis.settings().logMargin(metric))) {
            reasons.add(text(
                    "the servers that started first in a block came out %.0f %% %s in %s than those that started last,"
                            + " whatever their arms; the random order makes this noise, not bias",
                    100 * Math.abs(Math.expm1(order.difference())),
                    order.difference() < 0 ? "lower" : "higher",
                    metric.words()));
        }
        UsersAccountedFor.words(analysis, group).ifPresent(reasons::add);
        long disturbed = servers.stream().filter(ServerRun::isDisturbed).count();
        if (disturbed > 0) {
            reasons.add(text(
                    "other programs or the host took processors from %d of %d servers", disturbed, servers.size()));
        }
        List<String> copies = new ArrayList<>();
        if (copy.isEmpty()) {
            copies.add(uncopied(analysis, group));
        } else if (copy.get().low() > 0 && Double.isFinite(copy.get().high())) {
            Forest.Row row = copy.get();
            copies.add(text(
                    "two copies of the same %s came out %s %% apart (%s interval %s)",
                    row.name(),
                    row.difference().replaceFirst("^[+−]", ""),
                    MultipleComparison.CONTROL_CONFIDENCE,
                    row.interval()));
        }
        AaCheck guard = analysis.family().guard();
        List<PairVerdict> open = analysis.family().controls().stream()
                .filter(control -> control.contrast().group().equals(group.name()))
                .filter(control -> AaCheck.of(control) != AaCheck.HELD)
                .toList();
        boolean inconclusive = copy.isPresent() && !open.isEmpty();
        List<PairVerdict> hiding = open.stream()
                .filter(control -> blind.test(control.contrast().metric()))
                .toList();
        boolean hidden = inconclusive && !hiding.isEmpty();
        String undecided = inconclusive ? undecided(analysis, group, hidden ? hiding : open, load, metric) : "";
        if (guard == AaCheck.BROKEN) {
            copies.add("copies must not differ");
        } else if (inconclusive) {
            List<Metric> unproven = open.stream()
                    .map(control -> control.contrast().metric())
                    .distinct()
                    .toList();
            copies.add(text(
                    "in %s the copies do not rule out a bias of %s",
                    Text.list(unproven.stream().map(Metric::words).toList()),
                    analysis.settings().margin().words(unproven)));
        }
        boolean low = servers.isEmpty() || guard == AaCheck.BROKEN || cold > MOST_COLD * servers.size() || hidden;
        // The level is good only if the copies show that a bias as large as the margin would have been noticed, among
        // the influences that they share with all arms. If other programs affect a few servers, this is in the
        // intervals, as noise.
        boolean warm = cold == 0 && (isStartUp || warmths.areWarm());
        boolean busy = disturbed > ServerRun.MOST_DISTURBED * servers.size();
        boolean good = guard != AaCheck.BROKEN && copy.isPresent() && !inconclusive && warm && !busy;
        String decisive;
        if (servers.isEmpty()) {
            decisive = reasons.get(0);
        } else if (guard == AaCheck.BROKEN) {
            decisive = "the A/A check failed, because two copies of the same server came out different";
        } else if (hidden) {
            decisive = undecided;
        } else if (cold > 0) {
            decisive = text("%d of %d servers were not warm", cold, servers.size());
        } else if (copy.isEmpty()) {
            decisive = uncopied(analysis, group) + ", so nothing shows that the campaign is free of bias";
        } else if (inconclusive) {
            decisive = undecided;
        } else if (!warm) {
            decisive = warmths.line();
        } else if (busy) {
            decisive =
                    text("other programs or the host took processors from %d of %d servers", disturbed, servers.size());
        } else {
            decisive = "the A/A check passed" + apart(copy.get());
        }
        return new Trust(
                low ? Level.LOW : good ? Level.GOOD : Level.FAIR, decisive, List.copyOf(reasons), List.copyOf(copies));
    }

    /** Returns why there is no A/A check. */
    private static String uncopied(Analysis analysis, Group group) {
        return analysis.campaign().arms().stream()
                        .anyMatch(arm ->
                                arm.role() == Arm.Role.CONTROL && arm.group().equals(group.name()))
                ? "the baseline or its copy has no usable figure"
                : "no arm was measured twice";
    }

    /** Returns how far apart the two copies of the baseline are; empty if that is not known. */
    private static String apart(Forest.Row copy) {
        return copy.low() > 0 && Double.isFinite(copy.high())
                ? text(
                        ": two copies of %s differ by %s %%",
                        copy.name(), copy.difference().replaceFirst("^[+−]", ""))
                : "";
    }

    /**
     * Returns the copies' difference in the least conclusive A/A check, relative to the margin, with its interval.
     * Names its metric and its load unless they are the first ones. Without an interval, names the metrics. A check
     * whose 90 % interval lies beyond the margin, but not its interval at the level of a failure, almost failed.
     */
    private static String undecided(
            Analysis analysis, Group group, List<PairVerdict> open, MeasuredLoad load, Metric metric) {
        return open.stream()
                .filter(control -> control.low() > 0 && !Numbers.isWide(control.low(), control.high()))
                .filter(control -> Double.isFinite(control.high()))
                .max(Comparator.comparingDouble(control -> control.notExcluded()
                        / analysis.settings().margin(control.contrast().metric())))
                .map(worst -> {
                    Contrast what = worst.contrast();
                    Forest.Row row = Forest.Row.of(
                            Against.of(worst, what.a()), analysis.settings().margin(what.metric()));
                    return text(
                            "the A/A check %s: two copies of %s differ by %s %% (%s interval %s)%s%s",
                            isBeyond(worst, analysis.settings()) ? "almost failed" : "is inconclusive",
                            analysis.name(group.baseline()),
                            row.difference(),
                            MultipleComparison.CONTROL_CONFIDENCE,
                            row.interval(),
                            what.metric() == metric
                                    ? ""
                                    : " in " + what.metric().words(),
                            what.load().equals(load)
                                    ? ""
                                    : " under " + analysis.wording().load(what.load()));
                })
                .orElseGet(() -> "the A/A check is inconclusive in "
                        + Text.list(open.stream()
                                .map(control -> control.contrast().metric().words())
                                .distinct()
                                .toList()));
    }

    private static boolean isBeyond(PairVerdict control, Settings settings) {
        Metric metric = control.contrast().metric();
        Verdict verdict =
                Verdict.decide(Math.log(control.low()), Math.log(control.high()), settings.logMargin(metric), metric);
        return verdict == Verdict.FASTER || verdict == Verdict.SLOWER;
    }

    /** Returns "fair: Jetty may still have been warming up (at most 12 % to gain)". */
    String words() {
        return level.word() + ": " + line;
    }

    private static boolean isCold(Analysis analysis, ServerRun server) {
        return server.loads().stream().anyMatch(result -> analysis.isCold(server, result));
    }

    /**
     * Warmth of each arm's servers.
     *
     * @param known by the arm's name, the warmth under the load with the most possible warm-up left
     * @param unknown arms on the JVM whose warmth is unknown for a load
     */
    private record Warmths(Map<String, Warmth> known, List<String> unknown) {

        static Warmths of(Analysis analysis, Group group) {
            Map<String, Warmth> known = new LinkedHashMap<>();
            List<String> unknown = new ArrayList<>();
            for (Arm arm : group.all()) {
                List<Warmth> all = analysis.loads().stream()
                        .filter(load -> !analysis.counted(arm, load).isEmpty())
                        .map(load -> analysis.warmth(arm.id(), load))
                        .toList();
                if (all.isEmpty() || arm.role() == Arm.Role.REFERENCE) {
                    continue;
                }
                String name = Words.name(analysis, arm) + (arm.role() == Arm.Role.CONTROL ? " copy" : "");
                if (all.stream().allMatch(Warmth::isKnown)) {
                    known.put(
                            name,
                            all.stream()
                                    .max(Comparator.comparingDouble(Warmth::most))
                                    .orElseThrow());
                } else {
                    unknown.add(name);
                }
            }
            return new Warmths(known, unknown);
        }

        /** Returns the arms that may still have been warming up. */
        String line() {
            List<String> cold = known.entrySet().stream()
                    .filter(one -> !one.getValue().isWarm())
                    .map(Map.Entry::getKey)
                    .toList();
            return cold.isEmpty()
                    ? "throughput alone shows that servers were warm"
                    : text(
                            "%s may still have been warming up (at most %.0f %% to gain)",
                            Text.list(cold),
                            Math.ceil(known.values().stream()
                                    .filter(one -> !one.isWarm())
                                    .mapToDouble(Warmth::most)
                                    .max()
                                    .orElseThrow()));
        }

        boolean areWarm() {
            return unknown.isEmpty() && known.values().stream().allMatch(Warmth::isWarm);
        }

        List<String> sentences() {
            List<String> sentences = new ArrayList<>();
            List<String> limited = known.entrySet().stream()
                    .filter(one -> one.getValue().top().isLimited())
                    .map(one -> text(
                            "the JVM of %s stops at %s",
                            one.getKey(), one.getValue().top().title()))
                    .toList();
            sentences.addAll(limited);
            if (!known.isEmpty()) {
                List<String> cold = known.entrySet().stream()
                        .filter(one -> !one.getValue().isWarm())
                        .map(Map.Entry::getKey)
                        .toList();
                sentences.add(text(
                                "%s: compiling more could make %s faster by at most %.1f %%",
                                cold.isEmpty()
                                        ? "servers were warm"
                                        : Text.list(cold) + " may still have been warming up",
                                known.size() == 1 ? "it" : "them",
                                known.values().stream()
                                        .mapToDouble(Warmth::most)
                                        .max()
                                        .orElseThrow())
                        + (known.size() == 1
                                ? ""
                                : known.entrySet().stream()
                                        .map(one -> text(
                                                "%s %.1f %%",
                                                one.getKey(), one.getValue().most()))
                                        .collect(Collectors.joining(", ", " (", ")")))
                        + (known.values().stream().allMatch(Warmth::underLoad) ? "" : ", as their warm-ups ended"));
            }
            if (!unknown.isEmpty()) {
                sentences.add(text(
                        "whether %s warm was judged by throughput alone",
                        known.isEmpty() ? "servers were" : "those of " + Text.list(unknown) + " were"));
            }
            return sentences;
        }
    }
}
