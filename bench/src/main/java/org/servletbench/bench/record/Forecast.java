package org.servletbench.bench.record;

import static org.servletbench.bench.model.Text.text;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.servletbench.bench.comparison.Effect;
import org.servletbench.bench.model.Capability;
import org.servletbench.bench.model.GeneratorFacts;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Procedure;
import org.servletbench.bench.model.Procedure.Division;
import org.servletbench.bench.model.Time;
import org.servletbench.bench.verdict.Allocation;
import org.servletbench.bench.verdict.Allocation.Aim;
import org.servletbench.bench.verdict.Allocation.Cost;
import org.servletbench.bench.verdict.Noise;
import org.servletbench.bench.verdict.SampleSize;
import org.servletbench.bench.verdict.SampleSize.Design;
import org.servletbench.bench.verdict.Stopping;

/**
 * The cost of a plan and the differences it can find. Before the plan runs, they follow from assumed noise, which its
 * blocks correct.
 *
 * @param seconds approximate duration of the whole campaign, s
 * @param blocks expected number of blocks until its limit
 */
public record Forecast(double seconds, int blocks, List<String> lines) {

    /** Half width from which on an interval is useless, as a share. Showing it would only mislead. */
    public static final double SAYS_NOTHING = 0.5;
    /** Half width up to which intervals are useful, as a share. */
    private static final double SAYS_SOMETHING = 0.2;
    /** Time limits that may be suggested, min. */
    private static final List<Integer> LIMITS = List.of(5, 10, 15, 20, 30, 45, 60, 90, 120, 240, 480, 960);

    /** Time for start, verification and stop of one server on two cores, s, as measured. */
    private static final double SERVER_SECONDS = 5;
    /** Time for the start of a generator's JVM and its native report, s. */
    private static final double GENERATOR_SECONDS = 12;
    /** Share of the generator's longest warm-up that is really used, as observed. */
    private static final double WARM_UP_SHARE = 0.8;
    /** Duration of the load on two starts, of which the second one ends early, in durations of the first. */
    private static final double WARM_CODE = 1.25;
    /** Number of steps of a search that run to their end: about six upwards, six in between, and the deciding ones. */
    private static final int SEARCH_STEPS = 15;

    public static Forecast of(Plan asked, List<Arm> arms, Procedure procedure) {
        boolean follows = followsNoise(asked, procedure);
        Cost cost = cost(asked, arms, procedure, follows);
        Allocation allocation =
                allocation(asked, arms, procedure, asked.precision(), List.of(), 0, asked.limitSeconds(), cost);
        Plan plan = asked.withLoad(allocation.load());
        double block = cost.fixed() + cost.perLoad() * allocation.load();
        double pace = cost.pace();
        double step = cost.seconds(allocation.load());
        int expected = Math.max(2, allocation.blocks());
        List<String> lines = new ArrayList<>();
        double seconds = (expected - 1) * step + block;
        lines.add(text(
                "about %s: %.1f min for a block%s%s",
                time(seconds),
                block / 60,
                follows
                        ? text(" (%.0f s of load for each server, later what the noise asks for)", allocation.load())
                        : "",
                pace > block ? text(", and one begins every %s", time(pace)) : ""));
        if (pace > 0 && pace <= block) {
            lines.add(text(
                    "warning: the pace of %s is shorter than a block: it does nothing", Time.of(procedure.pace())));
        }
        design(plan, arms).ifPresent(any -> {
            double noise = residual(plan, procedure);
            boolean nothing =
                    SampleSize.halfWidth(noise, expected, any, plan.judging().alpha()) > SAYS_NOTHING;
            lines.addAll(
                    nothing
                            ? List.of(tooShort(asked, arms, procedure, cost, any, expected))
                            : findings(plan, procedure, any, noise, expected, step));
        });
        return new Forecast(seconds, expected, List.copyOf(lines));
    }

    /** Returns a line about a plan that would say nothing, with a suggestion that would. */
    private static String tooShort(
            Plan plan, List<Arm> arms, Procedure procedure, Cost cost, Design design, int expected) {
        boolean limited = plan.limitSeconds() > 0 && expected < plan.blocks();
        if (!limited) {
            double noise = residual(plan, procedure);
            return text(
                    "note: %d blocks are too few to show anything; try --blocks %d",
                    expected,
                    Stopping.blocks(
                            SAYS_SOMETHING, noise, design, plan.judging().alpha()));
        }
        return text("note: the limit of %s is too short to show anything", time(plan.limitSeconds()))
                + LIMITS.stream()
                        .filter(minutes -> halfWidth(plan.withLimit(60.0 * minutes), arms, procedure, cost, design)
                                <= SAYS_SOMETHING)
                        .findFirst()
                        .map(minutes -> "; try --limit " + minutes + "m")
                        .orElse("");
    }

    private static double halfWidth(Plan plan, List<Arm> arms, Procedure procedure, Cost cost, Design design) {
        Allocation allocation =
                allocation(plan, arms, procedure, plan.precision(), List.of(), 0, plan.limitSeconds(), cost);
        return SampleSize.halfWidth(
                residual(plan.withLoad(allocation.load()), procedure),
                Math.max(2, allocation.blocks()),
                design,
                plan.judging().alpha());
    }

    /**
     * Returns how the remaining time is divided.
     *
     * @param precision precision to be reached, as a share; 0 for none
     * @param seen noise so far of everything that is judged
     * @param done number of completed blocks
     * @param leftSeconds time until the time limit, s; irrelevant without a limit
     */
    public static Allocation allocation(
            Plan plan,
            List<Arm> arms,
            Procedure procedure,
            double precision,
            List<Noise> seen,
            int done,
            double leftSeconds,
            Cost cost) {
        Noise assumed = assumed(plan, procedure).stream()
                .max(Comparator.comparingDouble(Noise::residual))
                .orElseThrow();
        return Allocation.of(
                seen,
                assumed,
                done,
                cost,
                new Aim(
                        design(plan, arms).orElse(new Design(2, false, 1)),
                        plan.judging().alpha(),
                        precision,
                        plan.limitSeconds() > 0 ? leftSeconds : Double.POSITIVE_INFINITY,
                        plan.blocks() - done));
    }

    /**
     * Returns the assumed standard deviation of ln(value) of one arm in a block for the noisiest load: 0.02 for 2 %.
     */
    public static double residual(Plan plan, Procedure procedure) {
        return assumed(plan, procedure).stream()
                .mapToDouble(one ->
                        plan.isStartUp() || plan.isCapacity() ? one.residual() : one.residual(plan.loadSeconds()))
                .max()
                .orElseThrow();
    }

    private static List<String> findings(
            Plan plan, Procedure procedure, Design design, double noise, int blocks, double block) {
        double alpha = plan.judging().alpha();
        double half = SampleSize.halfWidth(noise, blocks, design, alpha);
        List<String> lines = new ArrayList<>();
        lines.add(text(
                "with noise of %s: intervals of ± %s after %d blocks, which find a difference of %s in 8 of 10 campaigns (%s judged"
                        + " at once)",
                assumed(plan, procedure).stream().map(Noise::words).distinct().collect(Collectors.joining(" and ")),
                share(half),
                blocks,
                share(SampleSize.detectable(noise, blocks, design, plan.judging())),
                design.comparisons() == 1 ? "1 comparison" : design.comparisons() + " comparisons"));
        double margin = plan.margin().of(plan.lead());
        if (half > margin) {
            int needed = Stopping.blocks(margin, noise, design, alpha);
            lines.add(text(
                    "note: such intervals are wider than the margin of %s: no %s can come out as EQUIVALENT, and smaller"
                            + " differences stay INCONCLUSIVE; ± %s takes about %d blocks (%s)",
                    share(margin),
                    design.effects().isEmpty() ? "two arms" : "effect",
                    share(margin),
                    needed,
                    time(needed * block)));
        }
        return lines;
    }

    /** Returns the approximate cost of a block before one has been measured. */
    public static Cost cost(Plan plan, List<Arm> arms, Procedure procedure, boolean follows) {
        if (plan.isStartUp()) {
            return cost(plan, arms.size() * SERVER_SECONDS + underLoad(arms, procedure), 0, procedure);
        }
        double generatorWarmUp = procedure.generatorWarmUp().limit().toSeconds() * WARM_UP_SHARE + GENERATOR_SECONDS;
        long sessions =
                plan.together() ? arms.stream().map(Arm::group).distinct().count() : arms.size();
        long warmUps = plan.loads().stream()
                .map(MeasuredLoad::tool)
                .distinct()
                .filter(name -> GeneratorFacts.has(name, Capability.WARMS_UP))
                .count();
        int steps = plan.loads().size() * (plan.isCapacity() ? SEARCH_STEPS : 1);
        // If servers take turns in their warm-up, the pauses of one are the bursts of others.
        double bursts =
                Math.min(plan.warmUpSeconds(), procedure.assumed().warmUp().toSeconds());
        double warmUp = (plan.together() ? 1 : 1.25) * bursts;
        double ramps = steps * plan.rounds() * plan.rampUpSeconds();
        double fixed = arms.size() * (SERVER_SECONDS + warmUp + ramps + uncounted(plan, procedure))
                + sessions * warmUps * generatorWarmUp;
        if (procedure.profile().isPresent() && !plan.isCapacity()) {
            fixed += arms.size() * procedure.profile().get().toSeconds() + sessions * generatorWarmUp;
        }
        double perLoad = arms.size() * steps;
        return follows
                ? cost(plan, fixed, perLoad, procedure)
                : cost(plan, fixed + perLoad * plan.loadSeconds(), 0, procedure);
    }

    /**
     * Returns how long a server is loaded in time slices that are not counted, s: it settles before each load, and its
     * code is sampled after it. Searches decide this themselves.
     */
    private static double uncounted(Plan plan, Procedure procedure) {
        if (plan.isCapacity()) {
            return 0;
        }
        double settling = procedure.settling().toMillis();
        return plan.loads().stream()
                        .mapToDouble(load -> switch (division(plan, load)) {
                            case TIME_SLICES -> settling + Procedure.AFTER_MS;
                            case TOOL_SLICES -> settling;
                            case WINDOW -> 0;
                        })
                        .sum()
                / 1e3;
    }

    /**
     * Returns the duration of the load on starts, s. A second start of each arm ends when its code is warm, and a
     * companion is warmed up, too.
     */
    private static double underLoad(List<Arm> arms, Procedure procedure) {
        return procedure
                .peak()
                .map(peak -> arms.size() * (SERVER_SECONDS + WARM_CODE * peak.toSeconds())
                        + SERVER_SECONDS
                        + procedure.assumed().warmUp().toSeconds())
                .orElse(0.0);
    }

    /** @param perLoad seconds of a block for each second of load; 0 if the load is the plan's */
    public static Cost cost(Plan plan, double fixed, double perLoad, Procedure procedure) {
        double pace = procedure.paceSeconds();
        return perLoad == 0
                ? new Cost(fixed, 0, plan.loadSeconds(), plan.loadSeconds(), pace)
                : new Cost(fixed, perLoad, Allocation.LEAST_LOAD, Allocation.MOST_LOAD, pace);
    }

    /**
     * Returns the assumed noise of the plan's loads. Short time slices cancel the machine's influence, windows do not.
     */
    private static List<Noise> assumed(Plan plan, Procedure procedure) {
        if (plan.isStartUp() || plan.isCapacity()) {
            double starts = !plan.isStartUp()
                    ? procedure.assumed().capacity()
                    : plan.primary().stream()
                                    .flatMap(key -> Metric.of(key).stream())
                                    .anyMatch(Metric::isOfPeak)
                            ? procedure.assumed().peak()
                            : procedure.assumed().startUp();
            return List.of(new Noise(starts, Double.NaN, 0, Double.POSITIVE_INFINITY));
        }
        double load = plan.loadSeconds();
        return plan.loads().stream()
                .map(measuredLoad -> division(plan, measuredLoad))
                .distinct()
                .map(division -> procedure.assumed().within().get(division))
                .map(noise -> Noise.assumed(
                        procedure.assumed().between(), noise.share() * Math.sqrt(noise.seconds() / load), load))
                .toList();
    }

    private static Division division(Plan plan, MeasuredLoad load) {
        if (!plan.inTimeSlices(load)) {
            return Division.WINDOW;
        }
        return GeneratorFacts.has(load.tool(), Capability.INTERLEAVES) ? Division.TIME_SLICES : Division.TOOL_SLICES;
    }

    // ---- from the noise that a campaign has shown ----

    /**
     * Returns the largest residual so far; for few blocks, whose spread is mostly chance, its upper 95 % limit. NaN if
     * none is known.
     */
    private static double residual(Analysis judged) {
        return judged.noises().stream()
                .map(one -> one.beside(
                        judged.campaign().plan().margin(),
                        judged.campaign().plan().lead()))
                .filter(Noise::known)
                .mapToDouble(one -> isOfFew(judged) ? one.upper() : one.residual())
                .max()
                .orElse(Double.NaN);
    }

    private static boolean isOfFew(Analysis judged) {
        return judged.blocks() < Stopping.MIN_BLOCKS;
    }

    /** Returns the half width of the widest interval, relative to the margins of the metrics. */
    private static double widest(Analysis judged) {
        Plan plan = judged.campaign().plan();
        return judged.family().widestHalfWidthKnown(plan.margin(), plan.lead());
    }

    /**
     * Returns the noise that explains the width of the widest interval. One pair may have more noise than the others.
     */
    private static double asSeen(Analysis judged, double noise, Design design) {
        double widest = widest(judged);
        // The widest interval of a few blocks is mostly chance.
        return isOfFew(judged) || Double.isNaN(widest)
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
     * Returns a line for people on how much longer it takes to decide more, based on the observed noise; for few
     * blocks, on its upper limit. Empty if all existing intervals are as narrow as the margin, nothing is known, or a
     * claim ended the campaign early.
     */
    public static Optional<String> needed(Analysis judged, Optional<PhaseTimes> times) {
        Plan plan = judged.campaign().plan();
        double noise = residual(judged);
        double widest = widest(judged);
        double margin = plan.margin().of(plan.lead());
        if (!(noise > 0) || !(widest > margin) || judged.campaign().earlyEnd().isPresent()) {
            return Optional.empty();
        }
        return design(plan, judged.campaign().arms()).map(any -> {
            double alpha = judged.settings().alpha();
            int blocks = Math.max(judged.blocks() + 1, Stopping.blocks(margin, asSeen(judged, noise, any), any, alpha));
            return text(
                    "intervals as narrow as the margin (± %s) take %s%s",
                    plan.margin().own().isEmpty()
                            ? share(margin)
                            : plan.margin().words(judged.primary()),
                    isOfFew(judged)
                            ? text("up to %d blocks at the upper limit of this noise", blocks)
                            : text("about %d blocks with this noise", blocks),
                    times.map(known -> " (" + time(blocks * known.seconds() / known.blocks()) + ")")
                            .orElse(""));
        });
    }

    /**
     * Returns the design of the most difficult group, which is the one with the most arms; empty if no group has two
     * arms to compare.
     */
    public static Optional<Design> design(Plan plan, List<Arm> arms) {
        Map<String, List<Arm>> groups = arms.stream().collect(Collectors.groupingBy(Arm::group));
        List<List<Arm>> compared = groups.values().stream()
                .filter(group -> ranked(group) > 1)
                .sorted(Comparator.comparingInt(Forecast::ranked))
                .toList();
        if (compared.isEmpty()) {
            return Optional.empty();
        }
        List<Arm> most = compared.get(compared.size() - 1);
        List<Effect> effects = plan.effects();
        return Optional.of(new Design(
                ranked(most),
                most.stream().anyMatch(arm -> arm.role() == Arm.Role.CONTROL),
                Math.max(1, compared.size() * plan.tests() + plan.claims().ownIntervals(plan.loads())),
                plan.baseline(),
                most.stream()
                        .filter(Arm::isRanked)
                        .filter(arm -> !effects.isEmpty())
                        .sorted(Comparator.comparing(Arm::role))
                        .map(Arm::id)
                        .toList(),
                effects));
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

    /**
     * True if each block's load depends on the noise of earlier blocks. This requires time slices, and a load whose
     * length is not given.
     */
    public static boolean followsNoise(Plan plan, Procedure procedure) {
        return !procedure.hasHold()
                && (plan.precision() > 0 || plan.limitSeconds() > 0)
                && plan.loads().stream().allMatch(plan::inTimeSlices);
    }
}
