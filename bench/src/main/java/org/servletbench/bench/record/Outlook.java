package org.servletbench.bench.record;

import static org.servletbench.bench.model.Text.text;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.servletbench.bench.verdict.Noise;
import org.servletbench.bench.verdict.SampleSize;
import org.servletbench.bench.verdict.SampleSize.Design;
import org.servletbench.bench.verdict.Stopping;

/** How many blocks it takes to decide, with the noise that a campaign has shown. */
public final class Outlook {

    private Outlook() {}

    /** The largest residual that was seen; NaN where none is known. */
    private static double residual(Judgement judged) {
        return judged.noises().stream()
                .map(NoiseSeen::noise)
                .filter(Noise::known)
                .mapToDouble(Noise::residual)
                .max()
                .orElse(Double.NaN);
    }

    /** As much noise as makes the widest interval as wide as it is: one pair may have more than the others. */
    private static double asSeen(Judgement judged, double noise, Design design) {
        double widest = judged.family().widestHalfWidthKnown();
        // The widest of a few blocks is mostly chance.
        return judged.blocks() < Stopping.MIN_BLOCKS || Double.isNaN(widest)
                ? noise
                : noise
                        * Math.log1p(widest)
                        / Math.log1p(SampleSize.halfWidth(
                                noise,
                                judged.blocks(),
                                design,
                                judged.settings().alpha()));
    }

    /**
     * What it takes to decide more, from the noise that was seen, in a line for people; empty where all intervals that
     * there are are as narrow as the margin, or nothing is known.
     */
    public static Optional<String> needed(Judgement judged, Optional<PhaseTimes> times) {
        Plan plan = judged.campaign().plan();
        double noise = residual(judged);
        double widest = judged.family().widestHalfWidthKnown();
        if (!(noise > 0) || !(widest > plan.margin())) {
            return Optional.empty();
        }
        return design(plan, judged.campaign().arms()).map(any -> {
            double alpha = judged.settings().alpha();
            int blocks = Math.max(
                    judged.blocks() + 1, Stopping.blocks(plan.margin(), asSeen(judged, noise, any), any, alpha));
            return text(
                    "intervals as narrow as the margin (± %s) take about %d blocks with this noise%s",
                    share(plan.margin()),
                    blocks,
                    times.map(known -> " (" + time(blocks * known.seconds() / known.blocks()) + ")")
                            .orElse(""));
        });
    }

    /** The hardest of the groups: the one with most arms. Empty where no group has two arms to compare. */
    public static Optional<Design> design(Plan plan, List<Arm> arms) {
        Map<String, List<Arm>> groups = arms.stream().collect(Collectors.groupingBy(Arm::group));
        List<List<Arm>> compared = groups.values().stream()
                .filter(group -> ranked(group) > 1)
                .sorted(Comparator.comparingInt(Outlook::ranked))
                .toList();
        if (compared.isEmpty()) {
            return Optional.empty();
        }
        List<Arm> most = compared.get(compared.size() - 1);
        return Optional.of(new Design(
                ranked(most),
                most.stream().anyMatch(arm -> arm.role() == Arm.Role.CONTROL),
                Math.max(
                        1,
                        compared.size() * plan.primary().size() * plan.cells().size()
                                + plan.claims().ownIntervals(plan.cells()))));
    }

    private static int ranked(List<Arm> group) {
        return (int) group.stream().filter(Arm::isRanked).count();
    }

    public static String share(double difference) {
        return difference > 10
                ? "more than 10 times"
                : text(difference < 0.1 ? "%.1f %%" : "%.0f %%", 100 * difference);
    }

    public static String time(double seconds) {
        long minutes = Math.round(seconds / 60);
        return minutes < 120 ? minutes + " min" : text("%.1f h", seconds / 3600);
    }
}
