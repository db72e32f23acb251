package org.servletbench.bench.campaign;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.servletbench.bench.profile.Options;
import org.servletbench.bench.verdict.SampleSize;
import org.servletbench.bench.verdict.SampleSize.Design;
import org.servletbench.bench.verdict.Settings;
import org.servletbench.bench.verdict.Stopping;

/**
 * What a plan costs and what it can find, before it runs: with an assumed spread, which the blocks will correct.
 *
 * @param seconds of the whole campaign, about, s
 * @param lines for people
 */
public record Forecast(double seconds, List<String> lines) {

    /** Start, probe and stop of one server on two cores, s: measured. */
    private static final double SERVER_SECONDS = 5;
    /** Start of a generator's JVM and its native report, s. */
    private static final double GENERATOR_SECONDS = 12;
    /** Part of the longest warm-up that is used, as seen. */
    private static final double WARM_UP_SHARE = 0.8;

    private static final double POWER = 0.8;
    private static final double WANTED = 0.05;

    /**
     * @param plan what was decided
     * @param arms controls and references among them
     * @param options for the generator's warm-up and the spread
     */
    public static Forecast of(Plan plan, List<Arm> arms, Options options) {
        double generatorWarmUp = options.duration("generator.warmup").toSeconds() * WARM_UP_SHARE + GENERATOR_SECONDS;
        long sessions =
                plan.together() ? arms.stream().map(Arm::group).distinct().count() : arms.size();
        boolean gatling =
                plan.cells().stream().anyMatch(cell -> cell.generator().equals("gatling"));
        double windows = plan.cells().size() * plan.rounds() * (plan.windowSeconds() + plan.rampUpSeconds());
        double block = arms.size() * (SERVER_SECONDS + 1.25 * WARM_UP_SHARE * plan.warmUpSeconds() + windows)
                + (gatling ? sessions * generatorWarmUp : 0);
        double whole = plan.blocks() * block;
        double seconds = plan.limitSeconds() > 0 ? Math.min(whole, plan.limitSeconds()) : whole;
        double spread = options.decimal("dry-run.spread.percent", 0.01, 100) / 100;
        List<String> lines = new ArrayList<>();
        lines.add(text("about %s: %.1f min for a block", time(seconds), block / 60));
        design(plan, arms).ifPresent(design -> {
            double alpha = Stopping.alpha(Look.alpha(plan.alpha(), plan.looks(), 1), plan.precision());
            Settings settings = new Settings(alpha, plan.margin(), POWER);
            int blocks = plan.limitSeconds() > 0
                    ? (int) Math.max(2, Math.min(plan.blocks(), plan.limitSeconds() / block))
                    : Math.max(2, plan.blocks());
            lines.add(text(
                    "with a spread of %s %% from JVM to JVM, %d blocks find a difference of %s in 8 of 10 campaigns"
                            + " (%s judged at once)",
                    BigDecimal.valueOf(100 * spread).round(new MathContext(2)).toPlainString(),
                    blocks,
                    share(SampleSize.detectable(spread, blocks, design, settings)),
                    design.comparisons() == 1 ? "1 comparison" : design.comparisons() + " comparisons"));
            SampleSize.blocks(WANTED, spread, design, settings)
                    .ifPresent(
                            needed -> lines.add(text("5 %% would take %d blocks: %s", needed, time(needed * block))));
        });
        return new Forecast(seconds, List.copyOf(lines));
    }

    /** The hardest of the groups: the one with most arms. Empty where no group has two arms to compare. */
    private static Optional<Design> design(Plan plan, List<Arm> arms) {
        Map<String, List<Arm>> groups = arms.stream().collect(Collectors.groupingBy(Arm::group));
        List<List<Arm>> compared = groups.values().stream()
                .filter(group -> ranked(group) > 1)
                .sorted(Comparator.comparingInt(Forecast::ranked))
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
                        compared.size() * plan.primary().size() * plan.cells().size())));
    }

    private static int ranked(List<Arm> group) {
        return (int) group.stream()
                .filter(arm -> arm.role() == Arm.Role.ARM || arm.role() == Arm.Role.BASELINE)
                .count();
    }

    private static String share(double difference) {
        return difference > 10
                ? "more than 10 times"
                : text(difference < 0.1 ? "%.1f %%" : "%.0f %%", 100 * difference);
    }

    private static String time(double seconds) {
        long minutes = Math.round(seconds / 60);
        return minutes < 120 ? minutes + " min" : text("%.1f h", seconds / 3600);
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
