package org.servletbench.bench.report;

import static org.servletbench.bench.model.Text.text;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.servletbench.bench.measure.Trend;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Text;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.CellResult;
import org.servletbench.bench.record.Invocation;
import org.servletbench.bench.record.Judgement;
import org.servletbench.bench.record.Judgement.Group;
import org.servletbench.bench.record.Warmth;
import org.servletbench.bench.verdict.Family;
import org.servletbench.bench.verdict.Guard;

/** How far a group's answer can be trusted, in one line. */
record Trust(Level level, List<String> reasons) {
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

    /** More than this share of servers that were not warm: the figures are of their warm-up. */
    private static final double MOST_COLD = 0.2;
    /**
     * @param widest ratio to the baseline of the arm that is farthest from it; NaN where there is none
     * @param copy the baseline's copy
     * @param copyHalfWidth half the width of its interval at the level of the other rows, on the log scale
     */
    static Trust of(Judgement judgement, Group group, double widest, Optional<Forest.Row> copy, double copyHalfWidth) {
        List<String> reasons = new ArrayList<>();
        List<Invocation> servers = group.all().stream()
                .flatMap(arm -> judgement.servers(arm).values().stream())
                .toList();
        long cold = servers.stream().filter(server -> isCold(judgement, server)).count();
        Warmths warmths = Warmths.of(judgement, group);
        boolean isStartUp = judgement.campaign().plan().isStartUp();
        if (servers.isEmpty()) {
            reasons.add(
                    HistorySection.failure(judgement).isPresent()
                            ? "no server was measured"
                            : "nothing is measured yet");
        } else if (isStartUp) {
            reasons.add(text("%d servers started", servers.size()));
        } else {
            if (cold > 0) {
                reasons.add(text("%d of %d servers were not warm", cold, servers.size()));
            }
            reasons.addAll(warmths.sentences());
        }
        long disturbed = servers.stream().filter(Invocation::isDisturbed).count();
        if (disturbed > 0) {
            reasons.add(text(
                    "other programs or the host took processors from %d of %d servers", disturbed, servers.size()));
        }
        boolean blind = false;
        if (copy.isEmpty()) {
            reasons.add(
                    judgement.campaign().arms().stream()
                                    .anyMatch(arm -> arm.role() == Arm.Role.CONTROL
                                            && arm.group().equals(group.name()))
                            ? "the copy or its baseline has no usable figure"
                            : "no arm was measured twice");
        } else if (copy.get().low() > 0 && Double.isFinite(copy.get().high())) {
            Forest.Row row = copy.get();
            reasons.add(text(
                    "two copies of the same %s came out %s %% apart (%s interval %s)",
                    row.name(), row.difference().replaceFirst("^[+−]", ""), Family.CONTROL_CONFIDENCE, row.interval()));
            blind = copyHalfWidth > Math.abs(Math.log(widest));
        }
        Guard guard = judgement.family().guard();
        if (guard == Guard.BROKEN) {
            reasons.add("copies must not differ");
        } else if (copy.isPresent()) {
            List<Metric> unproven = judgement.family().controls().stream()
                    .filter(control -> control.contrast().group().equals(group.name()))
                    .filter(control -> Guard.of(control) != Guard.HELD)
                    .map(control -> control.contrast().metric())
                    .distinct()
                    .toList();
            if (!unproven.isEmpty()) {
                reasons.add(text(
                        "in %s the copies do not rule out a bias of %s",
                        Text.list(unproven.stream().map(Metric::words).toList()),
                        judgement.settings().margin().words(unproven)));
            }
        }
        boolean low = servers.isEmpty()
                || guard == Guard.BROKEN
                || cold > MOST_COLD * servers.size()
                || guard != Guard.HELD && blind;
        // A green tick only where the copies have shown that a bias as large as the margin would have been seen: of
        // what they share
        // with all arms. What other programs do to a few servers is in the intervals, as noise.
        boolean warm = cold == 0 && (isStartUp || warmths.areFlat());
        boolean good = guard == Guard.HELD && warm && disturbed <= Invocation.MOST_DISTURBED * servers.size();
        return new Trust(low ? Level.LOW : good ? Level.GOOD : Level.FAIR, List.copyOf(reasons));
    }

    /** "fair: two copies of the same Tomcat came out ..." */
    String words() {
        return level.word() + ": " + String.join(" · ", reasons);
    }

    private static boolean isCold(Judgement judgement, Invocation server) {
        return server.cells().stream().anyMatch(result -> judgement.isCold(server, result));
    }

    /**
     * By how much the servers of each arm became faster, over all blocks.
     *
     * @param known by the arm's name: that of its load with the highest upper end
     * @param unknown arms of which it is not known for a load
     * @param flatBesideOthers whether each server of these is shown to be as warm as the others of its block
     */
    private record Warmths(Map<String, Warmth> known, List<String> unknown, boolean flatBesideOthers) {

        static Warmths of(Judgement judgement, Group group) {
            Map<String, Warmth> known = new LinkedHashMap<>();
            List<String> unknown = new ArrayList<>();
            boolean flat = judgement.campaign().plan().together();
            for (Arm arm : group.all()) {
                Collection<Invocation> servers = judgement.servers(arm).values();
                List<Warmth> all = judgement.cells().stream()
                        .filter(cell -> !judgement.counted(arm, cell).isEmpty())
                        .map(cell -> judgement.warmth(arm.id(), cell))
                        .toList();
                if (all.isEmpty()) {
                    continue;
                }
                String name = Words.name(judgement, arm) + (arm.role() == Arm.Role.CONTROL ? " copy" : "");
                if (!all.stream().allMatch(Warmth::isKnown)) {
                    unknown.add(name);
                    flat &= servers.stream()
                            .flatMap(server -> server.cells().stream())
                            .allMatch(CellResult::isFlat);
                } else {
                    known.put(
                            name,
                            all.stream()
                                    .max(Comparator.comparingDouble(Warmth::high))
                                    .orElseThrow());
                }
            }
            return new Warmths(known, unknown, flat);
        }

        boolean areFlat() {
            return unknown.isEmpty() && known.values().stream().allMatch(Warmth::isFlat);
        }

        List<String> sentences() {
            List<String> sentences = new ArrayList<>();
            List<String> rising = known.entrySet().stream()
                    .filter(one -> one.getValue().rises())
                    .map(one -> text(
                            "%s by %.0f %% (%.0f %% interval %.1f to %.1f %%)",
                            one.getKey(),
                            one.getValue().rise(),
                            100 * Trend.CONFIDENCE,
                            one.getValue().low(),
                            one.getValue().high()))
                    .toList();
            if (!rising.isEmpty()) {
                sentences.add("servers became faster under the load: " + Text.list(rising));
            }
            List<String> notFlat = known.entrySet().stream()
                    .filter(one -> !one.getValue().isFlat())
                    .map(Map.Entry::getKey)
                    .toList();
            if (!known.isEmpty()) {
                String most = text(
                        "%.0f %%",
                        Math.max(
                                1,
                                Math.ceil(known.values().stream()
                                        .mapToDouble(Warmth::high)
                                        .max()
                                        .orElseThrow())));
                String ends = text(
                        " (%.0f %% upper ends: %s)",
                        100 * Trend.CONFIDENCE,
                        known.entrySet().stream()
                                .map(one -> text(
                                        "%s %.1f %%",
                                        one.getKey(), one.getValue().high()))
                                .collect(Collectors.joining(", ")));
                sentences.add(
                        notFlat.isEmpty()
                                ? text(
                                        "a rise of more than %s under the load would have been seen for %s%s",
                                        most,
                                        unknown.isEmpty() ? "every arm" : Text.list(List.copyOf(known.keySet())),
                                        ends)
                                : text(
                                        "%s shown to be warm: a rise of up to %s under the load cannot be excluded%s",
                                        notFlat.size() == known.size() && unknown.isEmpty()
                                                ? "no arm is"
                                                : "servers of " + Text.list(notFlat) + " are not",
                                        most,
                                        ends));
            }
            if (!unknown.isEmpty()) {
                sentences.add(text(
                        "whether %s became faster under the load is not known (that takes two blocks or more of %d rounds each, at no"
                                + " fixed rate)%s",
                        known.isEmpty() ? "servers" : "those of " + Text.list(unknown),
                        Trend.LEAST_POINTS,
                        flatBesideOthers
                                ? text("; relative to the others none became %.0f %% faster", Trend.FLAT)
                                : ""));
            }
            return sentences;
        }
    }
}
