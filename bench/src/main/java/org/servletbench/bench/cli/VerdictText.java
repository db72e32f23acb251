package org.servletbench.bench.cli;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.servletbench.bench.campaign.Arm;
import org.servletbench.bench.campaign.Cell;
import org.servletbench.bench.campaign.Judgement;
import org.servletbench.bench.campaign.Metric;
import org.servletbench.bench.verdict.PairVerdict;

/** The verdicts so far as a table for the console: each arm against its group's baseline. */
final class VerdictText {

    /** Above this ratio an interval says nothing but that there were too few blocks. */
    private static final double MOST = 100;

    private VerdictText() {}

    static void print(Judgement judged, PrintWriter out) {
        out.println(judged.wording().guard());
        for (Judgement.Group group : judged.groups()) {
            for (Cell cell : judged.cells()) {
                for (Metric metric : judged.primary()) {
                    out.printf(
                            "%s, %s with %s: %s, against %s%n",
                            group.name(),
                            cell.loadName(),
                            cell.generator(),
                            metric.label(),
                            group.baseline().label());
                    for (Arm arm : Stream.concat(group.arms().stream(), group.control().stream())
                            .toList()) {
                        if (!arm.id().equals(group.baseline().id())) {
                            row(judged, group, arm, cell, metric, out);
                        }
                    }
                }
            }
        }
        out.flush();
    }

    private static void row(
            Judgement judged, Judgement.Group group, Arm arm, Cell cell, Metric metric, PrintWriter out) {
        Optional<Judgement.Against> against = judged.against(group, arm, cell, metric);
        if (against.isEmpty()) {
            out.printf("  %-24s no figures%n", arm.label());
            return;
        }
        PairVerdict pair = against.get().pair();
        out.printf(
                "  %-24s %s  n=%d  %s%n",
                arm.label() + (arm.role() == Arm.Role.CONTROL ? " (A/A)" : ""),
                interval(against.get()),
                against.get().estimate().n(),
                against.get().verdict());
        if (pair.detectable() < 10) {
            out.printf(
                    Locale.ROOT, "  %-24s differences of %.0f %% would have been found%n", "", 100 * pair.detectable());
        }
    }

    private static String interval(Judgement.Against against) {
        if (Double.isNaN(against.high())) {
            return String.format(Locale.ROOT, "%.3f (no interval)", against.ratio());
        }
        if (against.high() > MOST) {
            return String.format(Locale.ROOT, "%.3f (interval wider than %.0f times)", against.ratio(), MOST);
        }
        return String.format(Locale.ROOT, "%.3f (%.3f to %.3f)", against.ratio(), against.low(), against.high());
    }
}
