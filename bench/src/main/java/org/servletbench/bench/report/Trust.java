package org.servletbench.bench.report;

import static org.servletbench.bench.model.Text.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.servletbench.bench.measure.Trend;
import org.servletbench.bench.model.Text;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.CellResult;
import org.servletbench.bench.record.Invocation;
import org.servletbench.bench.record.Judgement;
import org.servletbench.bench.record.Judgement.Group;
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
        long cold = servers.stream().filter(Trust::isCold).count();
        List<Invocation> unshown = servers.stream()
                .filter(server -> !isCold(server) && !server.cells().stream().allMatch(CellResult::isFlat))
                .toList();
        boolean isStartUp = judgement.campaign().plan().isStartUp();
        if (servers.isEmpty()) {
            reasons.add("nothing is measured yet");
        } else if (isStartUp) {
            reasons.add(text("%d servers started", servers.size()));
        } else {
            if (cold > 0) {
                reasons.add(text("%d of %d servers were not warm", cold, servers.size()));
            }
            if (!unshown.isEmpty()) {
                reasons.add(unshown(unshown, servers.size()));
            } else if (cold == 0) {
                reasons.add(text(
                        "all %d servers were warm: none became %.0f %% faster under its load",
                        servers.size(), Trend.FLAT));
            }
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
                    "two copies of the same %s came out %s %% apart (%s)",
                    row.name(), row.difference().replaceFirst("^[+−]", ""), row.interval()));
            blind = copyHalfWidth > Math.abs(Math.log(widest));
        }
        Guard guard = judgement.family().guard();
        if (guard == Guard.BROKEN) {
            reasons.add("copies must not differ");
        } else if (copy.isPresent()) {
            List<String> unproven = judgement.family().controls().stream()
                    .filter(control -> control.contrast().group().equals(group.name()))
                    .filter(control -> Guard.of(control) != Guard.HELD)
                    .map(control -> control.contrast().metric().words())
                    .distinct()
                    .toList();
            if (!unproven.isEmpty()) {
                reasons.add(text(
                        "in %s the copies do not rule out a bias of %s",
                        Text.list(unproven), Numbers.share(judgement.settings().margin())));
            }
        }
        boolean low = servers.isEmpty()
                || guard == Guard.BROKEN
                || cold > MOST_COLD * servers.size()
                || guard != Guard.HELD && blind;
        // A green tick only where the copies have shown that a bias as large as the margin would have been seen: of
        // what they share
        // with all arms. What other programs do to a few servers is in the intervals, as noise.
        boolean warm = cold == 0 && (isStartUp || unshown.isEmpty());
        boolean good = guard == Guard.HELD && warm && disturbed <= Invocation.MOST_DISTURBED * servers.size();
        return new Trust(low ? Level.LOW : good ? Level.GOOD : Level.FAIR, List.copyOf(reasons));
    }

    private static boolean isCold(Invocation server) {
        return server.cells().stream().anyMatch(server::isCold);
    }

    /** Of how many servers it is not shown that they were warm, and what would not have been seen. */
    private static String unshown(List<Invocation> servers, int all) {
        double unseen = servers.stream()
                .flatMap(server -> server.cells().stream())
                .filter(result -> result.trend() != null)
                .mapToDouble(result -> result.trend().high())
                .max()
                .orElse(0);
        return text("that %d of %d servers were warm is not shown: ", servers.size(), all)
                + (unseen >= Trend.FLAT
                        ? text("a rise of %.0f %% under the load might not have been seen", Math.ceil(unseen))
                        : "a load so short, or at a fixed rate, does not tell");
    }
}
