package org.servletbench.bench.cli;

import static org.servletbench.bench.model.Text.text;

import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import org.servletbench.bench.model.Mark;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.record.ArmText;
import org.servletbench.bench.record.CampaignFolder;
import org.servletbench.bench.record.CellResult;
import org.servletbench.bench.record.Forecast;
import org.servletbench.bench.record.Judgement;
import org.servletbench.bench.record.OwnLimits;
import org.servletbench.bench.report.CampaignAnswer;
import org.servletbench.bench.report.CampaignAnswer.ArmVerdict;
import org.servletbench.bench.report.CampaignAnswer.Part;
import org.servletbench.bench.report.CampaignAnswer.Tested;
import org.servletbench.bench.report.ClaimsSection;
import org.servletbench.bench.report.HistorySection;
import org.servletbench.bench.report.Outcomes;
import org.servletbench.bench.verdict.AaCheck;
import org.servletbench.bench.verdict.Bound;
import org.servletbench.bench.verdict.NoVerdictReason;
import org.servletbench.bench.verdict.PairVerdict;
import org.servletbench.bench.verdict.Wording;

/** The verdicts so far as a table for the console: each arm against its group's baseline. */
final class VerdictText {

    /** Upper end of a ratio's interval above which it only shows that there were too few blocks. */
    private static final double MOST = 100;

    private VerdictText() {}

    /** Prints verdicts, or estimates if there may be none yet; the noise; and where the time went. */
    static void print(CampaignFolder read, Outcomes found, PrintWriter out) {
        Judgement judged = found.judgement();
        if (judged.isSilent()) {
            out.println(HistorySection.withoutVerdicts(read.campaign()));
            ConsoleProgress.estimates(judged).forEach(out::println);
        } else {
            print(judged, found.answer(), out);
            ClaimsSection.lines(judged).forEach(out::println);
            out.println(Wording.SCOPE + " (report DIR DIR DIR pools three or more)");
        }
        judged.noises().stream().filter(seen -> seen.noise().known()).forEach(seen -> out.println(seen.words()));
        Forecast.needed(judged, read.times()).ifPresent(out::println);
        read.times().ifPresent(times -> out.println("time: " + times.words()));
    }

    /** Returns why no load can take part in a verdict; empty if one can. */
    static Optional<String> nothingUsable(CampaignFolder read, Judgement judged) {
        List<Judgement.LeftOut> leftOut = judged.leftOut();
        boolean some = judged.chosen().stream()
                .filter(one -> one.marks().stream().noneMatch(Mark::excludes))
                .flatMap(one -> one.cells().stream())
                .anyMatch(CellResult::isUsable);
        if (some || leftOut.isEmpty()) {
            return Optional.empty();
        }
        Judgement.LeftOut first = leftOut.get(0);
        Mark mark = first.marks().get(0);
        return Optional.of("no cell can take part in a verdict: " + leftOut.size() + " are left out, the first one ("
                + read.folder(first.invocation()) + ") because of '" + mark.check() + "': " + mark.figures());
    }

    private static void print(Judgement judged, CampaignAnswer answer, PrintWriter out) {
        out.println(answer.control());
        ArmText.lines(judged.campaign().arms()).forEach(out::println);
        for (Part part : answer.parts()) {
            OwnLimits.differing(part.group().all(), judged.invocations(), judged.campaign())
                    .ifPresent(
                            limits -> out.println(
                                    "the services serve different numbers of requests at once (" + limits
                                            + "): the ranking is of the services as they are; properties: equalised gives all the same"));
            part.why().forEach((cell, why) -> {
                part.tested().stream()
                        .filter(tested -> tested.cell().equals(cell))
                        .forEach(tested -> print(judged, part.group(), tested, out));
                why.forEach(line -> out.println("  " + line));
            });
        }
        out.flush();
    }

    private static void print(Judgement judged, Judgement.Group group, Tested tested, PrintWriter out) {
        out.printf(
                "%s, %s: %s, against %s%n",
                group.name(), tested.cell().words(), tested.metric().label(), judged.comparedWith(group));
        tested.arms().forEach(one -> row(judged, group, tested, one, out));
        if (tested.detectable() < 10) {
            out.printf("  %s%n", Wording.found(tested.detectable()));
        }
    }

    private static void row(Judgement judged, Judgement.Group group, Tested tested, ArmVerdict one, PrintWriter out) {
        Arm arm = one.arm();
        Optional<Judgement.Against> against = one.against();
        if (against.isEmpty() || Double.isNaN(against.get().ratio())) {
            out.printf(
                    "  %-24s %s%n",
                    arm.label(),
                    judged.values(arm, tested.cell(), tested.metric()).isEmpty()
                            ? "no figures"
                            : "not compared: no block has figures of " + judged.name(group.baseline()) + " as well");
            return;
        }
        PairVerdict pair = against.get().pair();
        out.printf(
                "  %-24s %s  n=%d  %s%n",
                arm.label() + (one.isCopy() ? " (A/A)" : ""),
                interval(against.get()),
                against.get().estimate().n(),
                one.isCopy()
                        ? AaCheck.of(pair)
                        : judged.family().isVoid()
                                ? "void"
                                : against.get().verdict().words(tested.metric())
                                        + pair.reason()
                                                .map(VerdictText::because)
                                                .orElse(""));
    }

    private static String interval(Judgement.Against against) {
        if (Double.isNaN(against.high())) {
            return text("%.3f (no interval)", against.ratio());
        }
        if (against.bound() != Bound.EXACT) {
            return switch (against.bound()) {
                case AT_LEAST -> text("at least %.3f (%.3f or more)", against.ratio(), against.low());
                case AT_MOST -> text("at most %.3f (%.3f or less)", against.ratio(), against.high());
                default -> text("%.3f (no bound)", against.ratio());
            };
        }
        if (against.high() > MOST) {
            return text("%.3f (interval wider than %.0f times)", against.ratio(), MOST);
        }
        return text("%.3f (%.3f to %.3f)", against.ratio(), against.low(), against.high());
    }

    private static String because(NoVerdictReason reason) {
        return reason.words().isEmpty() ? "" : ": " + reason.words();
    }
}
