package org.servletbench.bench.cli;

import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import org.servletbench.bench.model.Warning;
import org.servletbench.bench.record.Analysis;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.ArmText;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.record.Forecast;
import org.servletbench.bench.record.LoadFigures;
import org.servletbench.bench.record.OwnLimits;
import org.servletbench.bench.report.CampaignAnswer;
import org.servletbench.bench.report.CampaignAnswer.ArmVerdict;
import org.servletbench.bench.report.CampaignAnswer.Part;
import org.servletbench.bench.report.CampaignAnswer.Tested;
import org.servletbench.bench.report.ClaimsSection;
import org.servletbench.bench.report.HistorySection;
import org.servletbench.bench.report.Outcomes;
import org.servletbench.bench.report.ShortAnswer;
import org.servletbench.bench.verdict.Wording;

/** Verdicts for the console: each arm against its group's baseline, and at the end the answer in a few lines. */
final class VerdictText {

    private VerdictText() {}

    /**
     * Prints verdicts, or estimates if there are too few blocks for verdicts; the noise; where the time went; and at
     * most eight lines to paste.
     *
     * @param page line with the page's address
     */
    static void print(CampaignFolder read, Outcomes found, String page, PrintWriter out) {
        Analysis judged = found.analysis();
        if (judged.isSilent()) {
            out.println(HistorySection.withoutVerdicts(read.campaign()));
            ConsoleProgress.estimates(judged).forEach(out::println);
        } else {
            print(judged, found.answer(), out);
            ClaimsSection.lines(judged).forEach(out::println);
            ClaimsSection.ended(judged).ifPresent(out::println);
            out.println(Wording.SCOPE + " (report DIR DIR DIR pools three or more)");
        }
        judged.noises().stream().filter(seen -> seen.noise().known()).forEach(seen -> out.println(seen.words()));
        Forecast.needed(judged, read.times()).ifPresent(out::println);
        read.times().ifPresent(times -> out.println("time: " + times.words()));
        out.println();
        ShortAnswer.lines(found).forEach(out::println);
        out.println(page);
    }

    /** Returns why no load can get a verdict; empty if at least one can. */
    static Optional<String> nothingUsable(CampaignFolder read, Analysis judged) {
        List<Analysis.LeftOut> leftOut = judged.leftOut();
        boolean some = judged.chosen().stream()
                .filter(one -> one.warnings().stream().noneMatch(Warning::excludes))
                .flatMap(one -> one.loads().stream())
                .anyMatch(LoadFigures::isUsable);
        if (some || leftOut.isEmpty()) {
            return Optional.empty();
        }
        Analysis.LeftOut first = leftOut.get(0);
        Warning warning = first.warnings().get(0);
        return Optional.of("no load can take part in a verdict: " + leftOut.size() + " are excluded, the first one ("
                + read.folder(first.serverRun()) + ") because of '" + warning.check() + "': " + warning.figures());
    }

    private static void print(Analysis judged, CampaignAnswer answer, PrintWriter out) {
        out.println(answer.control());
        if (judged.campaign().plan().factorial().isEmpty()) {
            // Effects distinguish what arms alone do not.
            ArmText.lines(judged.campaign().arms()).forEach(out::println);
        }
        answer.effects().forEach(out::println);
        for (Part part : answer.parts()) {
            OwnLimits.differing(part.group().all(), judged.serverRuns(), judged.campaign())
                    .ifPresent(
                            limits -> out.println(
                                    "the services serve different numbers of requests at once (" + limits
                                            + "): they are ranked as they are; properties: equalised gives all of them the same limit"));
            part.why().forEach((load, why) -> {
                part.tested().stream()
                        .filter(tested ->
                                answer.effects().isEmpty() && tested.load().equals(load))
                        .forEach(tested -> print(judged, part.group(), tested, out));
                why.forEach(one -> out.println("  " + one.sentence()));
            });
        }
        out.flush();
    }

    private static void print(Analysis judged, Analysis.Group group, Tested tested, PrintWriter out) {
        out.printf(
                "%s, %s: %s, against %s%n",
                group.name(), tested.load().words(), tested.metric().label(), judged.comparedWith(group));
        tested.arms().forEach(one -> row(judged, group, tested, one, out));
        if (tested.detectable() < 10) {
            out.printf("  %s%n", Wording.found(tested.detectable()));
        }
    }

    private static void row(Analysis judged, Analysis.Group group, Tested tested, ArmVerdict one, PrintWriter out) {
        Arm arm = one.arm();
        Optional<Analysis.Against> against = one.against();
        String name = arm.label() + (one.isCopy() ? " (A/A)" : "");
        if (one.figures().isEmpty()) {
            out.printf(
                    "  %-24s %s%n",
                    name,
                    judged.values(arm, tested.load(), tested.metric()).isEmpty()
                            ? "no figures"
                            : "not compared: no block also has figures of " + judged.name(group.baseline()));
            return;
        }
        out.printf(
                "  %-24s %s  n=%d  %s%n",
                name, one.figures(), against.orElseThrow().estimate().n(), one.word());
    }
}
