package org.servletbench.bench.campaign;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.servletbench.bench.load.Generators;
import org.servletbench.bench.profile.Options;
import org.servletbench.bench.verdict.Noise;
import org.servletbench.bench.verdict.SampleSize;
import org.servletbench.bench.verdict.SampleSize.Design;
import org.servletbench.bench.verdict.Settings;
import org.servletbench.bench.verdict.Sizing;
import org.servletbench.bench.verdict.Stopping;

/**
 * What a plan costs and what it can find: before it runs with assumed noise, which the blocks will correct.
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

    /**
     * @param plan what was decided
     * @param arms controls and references among them
     * @param options for the generator's warm-up and the noise
     */
    public static Forecast of(Plan plan, List<Arm> arms, Options options) {
        double block = blockSeconds(plan, arms, options);
        boolean auto = plan.name().equals(Plan.AUTO);
        int most = auto && plan.blocks() <= Sizing.PILOT ? SampleSize.MOST_BLOCKS : plan.blocks();
        int inTime = plan.limitSeconds() > 0
                ? (int) Math.max(2, Math.min(most, plan.limitSeconds() / block))
                : Math.max(2, most);
        Optional<Design> design = design(plan, arms);
        double alpha = Stopping.alpha(Look.alpha(plan.alpha(), plan.looks(), 1), plan.precision());
        double noise = residual(plan, options);
        int expected = design.filter(any -> plan.precision() > 0)
                .map(any -> Math.min(inTime, blocks(plan.precision(), noise, any, alpha)))
                .orElse(inTime);
        List<String> lines = new ArrayList<>();
        lines.add(text("about %s: %.1f min for a block", time(expected * block), block / 60));
        design.ifPresent(any -> lines.addAll(findings(plan, options, any, alpha, noise, expected, block)));
        return new Forecast(expected * block, List.copyOf(lines));
    }

    /** Standard deviation of ln(value) of one arm in a block that is assumed for the noisiest load: 0.02 for 2 %. */
    public static double residual(Plan plan, Options options) {
        return assumed(plan, options).stream()
                .mapToDouble(one -> one.residual(plan.loadSeconds(plan.blocks())))
                .max()
                .orElseThrow();
    }

    private static List<String> findings(
            Plan plan, Options options, Design design, double alpha, double noise, int blocks, double block) {
        double half = SampleSize.halfWidth(noise, blocks, design, alpha);
        List<String> lines = new ArrayList<>();
        lines.add(text(
                "with noise of %s: intervals of ± %s after %d blocks, which find a difference of %s in 8 of 10 campaigns (%s judged"
                        + " at once)",
                assumed(plan, options).stream().map(Noise::words).distinct().collect(Collectors.joining(" and ")),
                share(half),
                blocks,
                share(SampleSize.detectable(noise, blocks, design, new Settings(alpha, plan.margin(), POWER))),
                design.comparisons() == 1 ? "1 comparison" : design.comparisons() + " comparisons"));
        if (half > plan.margin()) {
            int needed = blocks(plan.margin(), noise, design, alpha);
            lines.add(text(
                    "warning: such intervals are wider than the margin of %s: no two arms can come out as EQUIVALENT, and smaller"
                            + " differences stay INCONCLUSIVE; ± %s takes about %d blocks (%s)",
                    share(plan.margin()), share(plan.margin()), needed, time(needed * block)));
        }
        return lines;
    }

    private static double blockSeconds(Plan plan, List<Arm> arms, Options options) {
        double generatorWarmUp = options.duration("generator.warmup").toSeconds() * WARM_UP_SHARE + GENERATOR_SECONDS;
        long sessions =
                plan.together() ? arms.stream().map(Arm::group).distinct().count() : arms.size();
        boolean gatling =
                plan.cells().stream().anyMatch(cell -> cell.generator().equals("gatling"));
        double windows = plan.cells().size() * plan.rounds() * (plan.windowSeconds() + plan.rampUpSeconds());
        // Where servers are warmed in turn, the pauses of one are the bursts of others.
        double warmUp = (plan.together() ? 1 : 1.25) * WARM_UP_SHARE * plan.warmUpSeconds();
        return arms.size() * (SERVER_SECONDS + warmUp + windows) + (gatling ? sessions * generatorWarmUp : 0);
    }

    /** The noise of the plan's loads before anything was measured: short turns cancel what the machine does, windows do not. */
    private static List<Noise> assumed(Plan plan, Options options) {
        double between = options.decimal("forecast.between.percent", 0.01, 100) / 100;
        double load = plan.loadSeconds(plan.blocks());
        return plan.cells().stream()
                .map(cell -> pattern(plan, cell, options))
                .distinct()
                .map(pattern -> within(pattern, between, options))
                .map(noise -> Noise.assumed(noise.between(), noise.within() * Math.sqrt(noise.seconds() / load), load))
                .toList();
    }

    /** The middle part of the options' names. */
    private static String pattern(Plan plan, Cell cell, Options options) {
        if (!plan.together() || plan.turnSeconds() == 0 || cell.tier() == 0 || options.isGiven("tool.requests")) {
            return "window";
        }
        return Generators.named(cell.generator()).takesTurns() ? "turns" : "tool-turns";
    }

    private static Noise within(String how, double between, Options options) {
        return Noise.assumed(
                between,
                options.decimal("forecast." + how + ".percent", 0.01, 100) / 100,
                options.duration("forecast." + how + ".load").toMillis() / 1e3);
    }

    /** Never fewer than {@link Stopping#MIN_BLOCKS}. */
    private static int blocks(double precision, double noise, Design design, double alpha) {
        return Math.max(
                Stopping.MIN_BLOCKS,
                SampleSize.reaching(precision, noise, design, alpha).orElse(SampleSize.MOST_BLOCKS));
    }

    // ---- with the noise that was seen ----

    /** The largest residual that was seen; NaN where none is known. */
    private static double residual(Judgement judged) {
        return judged.noises().stream()
                .map(NoiseSeen::noise)
                .filter(Noise::known)
                .mapToDouble(Noise::residual)
                .max()
                .orElse(Double.NaN);
    }

    /** With how many blocks the campaign will have ended, as far as can be said: at its precision, or as planned. */
    static int expectedBlocks(Judgement judged) {
        Plan plan = judged.campaign().plan();
        double noise = residual(judged);
        int planned = judged.campaign().order().size();
        int most = judged.campaign().isUnsized() ? SampleSize.MOST_BLOCKS : planned;
        return design(plan, judged.campaign().arms())
                .filter(any -> plan.precision() > 0 && noise > 0)
                .map(any -> Math.min(
                        most,
                        blocks(plan.precision(), noise, any, judged.settings().alpha())))
                .orElse(planned);
    }

    /**
     * What it takes to decide more, from the noise that was seen.
     *
     * @param times of the campaign
     * @return a line for people; empty where all intervals are as narrow as the margin, or nothing is known
     */
    public static Optional<String> needed(Judgement judged, Optional<PhaseTimes> times) {
        Plan plan = judged.campaign().plan();
        double noise = residual(judged);
        if (!(noise > 0) || judged.family().widestHalfWidth() <= plan.margin()) {
            return Optional.empty();
        }
        return design(plan, judged.campaign().arms()).map(any -> {
            int blocks = blocks(plan.margin(), noise, any, judged.settings().alpha());
            return text(
                    "intervals as narrow as the margin (± %s) take about %d blocks with this noise%s",
                    share(plan.margin()),
                    blocks,
                    times.map(known -> " (" + time(blocks * known.block().seconds(1)) + ")")
                            .orElse(""));
        });
    }

    /**
     * What the pilot of an {@link Plan#AUTO} plan chooses.
     *
     * @param judged the pilot's blocks
     * @param times of the pilot
     */
    static Sizing sizing(Judgement judged, Optional<PhaseTimes> times) {
        Plan plan = judged.campaign().plan();
        return Sizing.of(
                judged.noises().stream().map(NoiseSeen::noise).toList(),
                design(plan, judged.campaign().arms()).orElseThrow(),
                judged.settings().alpha(),
                plan.precision(),
                times.map(PhaseTimes::block).orElse(new Sizing.Cost(1, 1)));
    }

    /** The choice in one line for people. */
    static String words(Sizing sizing, Plan pilot, Optional<PhaseTimes> times) {
        double before = pilot.loadSeconds(1);
        String time = times.map(known -> ", about "
                        + time((sizing.expected() - Sizing.PILOT)
                                * known.block().seconds(sizing.load() / before))
                        + " to go")
                .orElse("");
        return text(
                "pilot: noise of %s; ± %s takes about %d blocks (at most %d) with %.0f s of load for each server%s%s",
                sizing.noise().known() ? sizing.noise().words() : "unknown size",
                share(pilot.precision()),
                sizing.expected(),
                sizing.most(),
                sizing.load(),
                sizing.load() == before ? "" : text(" instead of %.0f s, which costs less", before),
                time);
    }

    /** The hardest of the groups: the one with most arms. Empty where no group has two arms to compare. */
    static Optional<Design> design(Plan plan, List<Arm> arms) {
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
