package org.servletbench.bench.record;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.stream.Stream;
import org.servletbench.bench.comparison.Effect;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.model.Metric.Part;
import org.servletbench.bench.model.Warning;
import org.servletbench.bench.verdict.Baseline;
import org.servletbench.bench.verdict.BlockData;
import org.servletbench.bench.verdict.Bound;
import org.servletbench.bench.verdict.Candidate;
import org.servletbench.bench.verdict.Cause;
import org.servletbench.bench.verdict.Contrast;
import org.servletbench.bench.verdict.Estimate;
import org.servletbench.bench.verdict.MultipleComparison;
import org.servletbench.bench.verdict.NoVerdictReason;
import org.servletbench.bench.verdict.PairVerdict;
import org.servletbench.bench.verdict.Reasons;
import org.servletbench.bench.verdict.Settings;
import org.servletbench.bench.verdict.Spread;
import org.servletbench.bench.verdict.StartOrder;
import org.servletbench.bench.verdict.Stopping;
import org.servletbench.bench.verdict.Verdict;
import org.servletbench.bench.verdict.Wording;

/**
 * The analysis of a campaign's server runs. It consists of one family of all claims of the plan (every pair of arms
 * within a group, for every load and primary metric), the A/A check, and a description of every other figure, which
 * claims nothing.
 *
 * <p>An arm that ran at the generator's limit in any block of a load has a floor there, and all its blocks count.
 * Leaving out those in which it was fast would make it look slow.
 */
public final class Analysis extends UsableResults {
    /** Metrics that are sizes, which counters of CPU time and calls do not explain. */
    private static final Set<Metric> SIZES = Set.of(Metric.RSS, Metric.MEMORY_PEAK, Metric.HEAP);

    /**
     * Arms that are ranked among each other.
     *
     * @param baseline arm with which the others are compared; one of {@code arms}
     * @param references arms that are never ranked: those of this group, and those in no group with a baseline
     */
    public record Group(String name, Arm baseline, List<Arm> arms, Optional<Arm> control, List<Arm> references) {
        /** Returns all arms in the order of plots and tables: baseline, other arms, control, references. */
        public List<Arm> all() {
            List<Arm> all = new ArrayList<>();
            all.add(baseline);
            arms.stream().filter(arm -> !arm.equals(baseline)).forEach(all::add);
            control.ifPresent(all::add);
            all.addAll(references);
            return List.copyOf(all);
        }

        /** Returns the groups that have arms to rank, in the order of their first arms. */
        private static List<Group> of(Campaign campaign) {
            List<String> ranked = campaign.groups().stream()
                    .filter(name -> !ranked(campaign, name).isEmpty())
                    .toList();
            List<Group> groups = new ArrayList<>();
            for (String name : ranked) {
                List<Arm> arms = ranked(campaign, name);
                Arm baseline = arms.stream()
                        .filter(arm -> arm.role() == Arm.Role.BASELINE)
                        .findFirst()
                        .orElse(arms.get(0));
                Optional<Arm> control = campaign.arms().stream()
                        .filter(arm ->
                                arm.role() == Arm.Role.CONTROL && arm.group().equals(name))
                        .findFirst();
                List<Arm> references = campaign.arms().stream()
                        .filter(arm -> arm.role() == Arm.Role.REFERENCE)
                        .filter(arm -> arm.group().equals(name) || !ranked.contains(arm.group()))
                        .toList();
                groups.add(new Group(name, baseline, arms, control, references));
            }
            return List.copyOf(groups);
        }

        private static List<Arm> ranked(Campaign campaign, String group) {
            return campaign.arms().stream()
                    .filter(arm -> arm.isRanked() && arm.group().equals(group))
                    .toList();
        }
    }

    /**
     * Figures that were excluded.
     *
     * @param load the load; empty for the whole server run
     * @param warnings the reasons, each of which excludes
     */
    public record LeftOut(ServerRun serverRun, Optional<MeasuredLoad> load, List<Warning> warnings) {}

    private final Campaign campaign;
    private final List<Group> groups;
    private final List<Metric> primary;
    private final List<MeasuredLoad> loads;
    private final Settings settings;
    private final MultipleComparison family;
    private final Map<List<Object>, BlockData> comparisons = new HashMap<>();
    private final Map<List<Object>, List<PairVerdict>> pairs = new HashMap<>();

    private final List<ClaimResult> claims;

    private Analysis(Campaign campaign, List<ServerRun> serverRuns) {
        super(serverRuns, RateOutcome.givenUp(campaign, serverRuns));
        this.campaign = campaign;
        groups = Group.of(campaign);
        primary = campaign.plan().primary().stream()
                .flatMap(key -> Metric.of(key).stream())
                .distinct()
                .toList();
        loads = List.copyOf(new LinkedHashSet<>(campaign.plan().loads()));
        Plan plan = campaign.plan();
        settings = campaign.judging();
        List<BlockData> all = comparisons();
        MultipleComparison judged = family(all);
        family = isSilent() ? judged.withoutVerdicts() : judged;
        all.forEach(c -> comparisons.put(key(c.group(), c.load(), c.metric()), c));
        family.comparisons().forEach(c -> comparisons.put(key(c.group(), c.load(), c.metric()), c));
        family.pairs().forEach(pair -> {
            Contrast contrast = pair.contrast();
            pairs.computeIfAbsent(key(contrast.group(), contrast.load(), contrast.metric()), key -> new ArrayList<>())
                    .add(pair);
        });
        claims = plan.claims().all().stream()
                .map(claim -> ClaimResult.of(claim, this))
                .toList();
    }

    /**
     * Analyses a campaign.
     *
     * @param serverRuns server runs of this campaign, in any order, including failed ones and earlier attempts; unknown
     *     arms are ignored
     * @throws IllegalArgumentException if the plan's alpha or margin is out of range
     */
    public static Analysis of(Campaign campaign, List<ServerRun> serverRuns) {
        return new Analysis(campaign, serverRuns);
    }

    private MultipleComparison family(List<BlockData> all) {
        List<Effect> effects = campaign.plan().effects();
        return MultipleComparison.of(
                all.stream()
                        .filter(this::isJudged)
                        .map(one -> effects.isEmpty() ? one : one.with(effects))
                        .toList(),
                settings,
                campaign.plan().claims().ownIntervals(loads),
                // Looking at claims early must not make a failed A/A check pass.
                campaign.plan().judging().alpha());
    }

    private List<BlockData> comparisons() {
        List<BlockData> comparisons = new ArrayList<>();
        for (Group group : groups) {
            for (MeasuredLoad load : loads) {
                for (Metric metric : primary) {
                    comparisons.add(comparison(group, load, metric));
                }
            }
        }
        return comparisons;
    }

    /**
     * True if the campaign can have such a figure. wrk's response times are not measurements, and siege has no
     * percentiles. A figure without measurements must neither use up the level of the others nor make the A/A check
     * fail.
     */
    private boolean isJudged(BlockData one) {
        List<Arm> arms = group(one.group()).all();
        if (!primary(one.load()).contains(one.metric())) {
            return false;
        }
        return one.metric().kind() != Metric.Kind.LATENCY
                || arms.stream()
                        .anyMatch(arm -> !values(arm, one.load(), one.metric()).isEmpty())
                || arms.stream().allMatch(arm -> values(arm, one.load(), Metric.THROUGHPUT)
                        .isEmpty());
    }

    private BlockData comparison(Group group, MeasuredLoad load, Metric metric) {
        SortedMap<Integer, Map<String, Double>> blocks = new TreeMap<>();
        Map<String, NoVerdictReason> barred = new HashMap<>();
        for (Arm arm : group.all()) {
            values(arm, load, metric).forEach((block, value) -> blocks.computeIfAbsent(block, b -> new TreeMap<>())
                    .put(arm.id(), value));
            Optional<NoVerdictReason> late =
                    unreached(arm, metric) > 0 ? Optional.of(NoVerdictReason.NOT_REACHED) : Optional.empty();
            barred(arm, load).or(() -> late).ifPresent(reason -> barred.put(arm.id(), reason));
        }
        return new BlockData(
                group.name(),
                load,
                metric,
                group.arms().stream().map(Arm::id).toList(),
                group.baseline().id(),
                group.control().map(Arm::id),
                blocks,
                floors(load, metric),
                resolutionMs(group.all(), load),
                barred,
                campaign.plan().baseline(),
                List.of());
    }

    /** Returns the coarsest clock of these arms, ms; 0 if none is known. */
    public double resolutionMs(List<Arm> some, MeasuredLoad load) {
        return some.stream()
                .flatMap(arm -> results(arm, load).values().stream())
                .mapToDouble(LoadFigures::resolutionMs)
                .filter(resolution -> resolution > 0)
                .max()
                .orElse(0);
    }

    public Campaign campaign() {
        return campaign;
    }

    /** Returns the groups that have arms to rank, in the order of their first arms. */
    public List<Group> groups() {
        return groups;
    }

    public Group group(String name) {
        return groups.stream()
                .filter(group -> group.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    public List<MeasuredLoad> loads() {
        return loads;
    }

    /** Returns the metrics that get verdicts. Unknown keys are left out. */
    public List<Metric> primary() {
        return primary;
    }

    /** Returns the metrics that get verdicts under a load. Unknown keys are left out. */
    public List<Metric> primary(MeasuredLoad load) {
        List<String> keys = campaign.plan().primary(load);
        return primary.stream().filter(metric -> keys.contains(metric.key())).toList();
    }

    /** Returns the campaign's level, reduced by the cost of its {@link Stopping} rule, and the plan's margin. */
    public Settings settings() {
        return settings;
    }

    public List<NoiseSeen> noises() {
        return NoiseSeen.of(this);
    }

    public MultipleComparison family() {
        return family;
    }

    /**
     * Returns the reasons for the differences between the arms of a group and its baseline under one load, based on
     * every counter of the catalogue that may be a reason. There is one element for each arm except the baseline; empty
     * if no counter was read.
     */
    public List<Reasons> reasons(Group group, MeasuredLoad load) {
        List<Candidate> counters = Stream.of(Part.WHOLE, Part.MODE, Part.ROLE, Part.COUNT)
                .flatMap(part -> Metric.of(part).stream())
                .map(metric -> new Candidate(new Cause.Counter(metric), comparison(group, load, metric)))
                .toList();
        return Reasons.of(
                Stream.concat(counters.stream(), layers(group, load).stream()).toList(),
                // A page shows the reasons for all loads and groups.
                settings.alpha() / (loads().size() * groups().size()));
    }

    /**
     * Returns the layers that profiles found under this load, in µs of the measured CPU time; empty without profiles.
     */
    private List<Candidate> layers(Group group, MeasuredLoad load) {
        BlockData cpu = comparison(group, load, Metric.CPU);
        return layerNames(group, load).stream()
                .map(layer -> new Candidate(new Cause.Layer(layer), cpu.with(shared(group, load, layer))))
                .toList();
    }

    /** Returns the names of all layers that profiles of a group found under a load. */
    List<String> layerNames(Group group, MeasuredLoad load) {
        return profiles(group, load).values().stream()
                .flatMap(profile -> profile.layers().keySet().stream())
                .distinct()
                .sorted()
                .toList();
    }

    /**
     * Returns the difference of two arms in a layer of CPU time, by block, as a share of the second arm's CPU time. If
     * that is a baseline, both copies count.
     *
     * @param of id of an arm of the group
     * @param than id of another arm
     */
    public SortedMap<Integer, Double> layerDifferences(
            Group group, String of, String than, MeasuredLoad load, String layer) {
        List<String> others = Stream.concat(
                        Stream.of(than),
                        group.control().map(Arm::id).stream()
                                .filter(copy -> countsBothCopies(group)
                                        && group.baseline().id().equals(than)))
                .toList();
        SortedMap<Integer, Double> differences = new TreeMap<>();
        shared(group, load, layer).forEach((block, layers) -> {
            if (layers.containsKey(of) && layers.keySet().containsAll(others)) {
                double before = mean(others.stream().map(layers::get));
                double all = mean(others.stream().map(other -> values(campaign.arm(other), load, Metric.CPU)
                        .get(block)));
                differences.put(block, (layers.get(of) - before) / all);
            }
        });
        return differences;
    }

    private static double mean(Stream<Double> values) {
        return values.mapToDouble(Double::doubleValue).average().orElseThrow();
    }

    /**
     * Returns the CPU time of a layer by block and arm, µs per request: the measured CPU time multiplied by the layer's
     * share of the stacks.
     */
    SortedMap<Integer, Map<String, Double>> shared(Group group, MeasuredLoad load, String layer) {
        SortedMap<Integer, Map<String, Double>> shared = new TreeMap<>();
        profiles(group, load).forEach((server, profile) -> {
            Double cpu = values(campaign.arm(server.arm()), load, Metric.CPU).get(server.block());
            if (cpu != null) {
                shared.computeIfAbsent(server.block(), block -> new TreeMap<>())
                        .put(server.arm(), cpu * profile.layers().getOrDefault(layer, 0.0));
            }
        });
        return shared;
    }

    /** Returns the profiles under this load of the servers that count. */
    public Map<ServerRun, CpuProfile> profiles(Group group, MeasuredLoad load) {
        Map<ServerRun, CpuProfile> profiles = new LinkedHashMap<>();
        chosen().stream()
                .filter(one -> one.hasProfile() && one.profile().load().equals(load))
                .filter(one -> group.all().stream().anyMatch(arm -> arm.id().equals(one.arm())))
                .forEach(one -> profiles.put(one, one.profile()));
        return profiles;
    }

    /**
     * The reasons for an arm's differences.
     *
     * @param sentence sentence without a full stop; includes the load if there are several
     * @param brief the main reason in one line; empty if the reasons do not have the direction of the differences
     */
    public record Why(Reasons reasons, String sentence, String brief) {}

    /**
     * Returns the reasons in words for each arm that has a reason, or differs without a known reason. Reasons are only
     * given if the differences have the direction of the arm's CPU time. Empty if there are no verdicts.
     */
    public List<Why> why(Group group, MeasuredLoad measuredLoad) {
        if (isSilent() || family.isVoid()) {
            return List.of();
        }
        String load = loads().size() == 1 ? ": " : " (" + wording().load(measuredLoad) + "): ";
        return reasons(group, measuredLoad).stream()
                .filter(one ->
                        !one.isEmpty() || found(one, measuredLoad).stream().anyMatch(Analysis::isToBeExplained))
                .map(one -> {
                    boolean explained = isExplained(one, measuredLoad);
                    return new Why(
                            one,
                            wording().why(one, explained).replaceFirst(": ", Matcher.quoteReplacement(load)),
                            explained || one.isEmpty() ? wording().brief(one) : "");
                })
                .toList();
    }

    /** Returns the differences of the reasons' arm that verdicts name. */
    private List<Against> found(Reasons reasons, MeasuredLoad load) {
        return primary.stream()
                .flatMap(metric -> against(reasons.arm(), reasons.baseline(), load, metric).stream())
                .filter(against -> against.verdict().namesADifference())
                .toList();
    }

    /**
     * True if all differences are for the worse and the arm needs more CPU time, or for the better and it needs less.
     * The difference in CPU time itself counts only if there is no other, because it always has that direction.
     */
    private boolean isExplained(Reasons reasons, MeasuredLoad load) {
        List<Against> found = found(reasons, load).stream()
                .filter(against -> !SIZES.contains(metric(against)))
                .toList();
        List<Against> others =
                found.stream().filter(against -> metric(against) != Metric.CPU).toList();
        return reasons.whole().stream()
                .anyMatch(whole -> !found.isEmpty()
                        && (others.isEmpty() ? found : others)
                                .stream()
                                        .allMatch(against -> whole.isMore()
                                                == (against.ratio() < 1
                                                        == metric(against).higherIsBetter())));
    }

    /** True for totals that counters can explain, but not for sizes. */
    private static boolean isToBeExplained(Against against) {
        Metric.Part part = metric(against).part();
        return !SIZES.contains(metric(against)) && (part == Metric.Part.WHOLE || part == Metric.Part.NONE);
    }

    private static Metric metric(Against against) {
        return against.pair().contrast().metric();
    }

    /** True if there are no verdicts yet: see {@link Campaign#hasEnded}. */
    public boolean isSilent() {
        return !campaign.hasEnded();
    }

    public BlockData comparison(String group, MeasuredLoad load, Metric metric) {
        BlockData comparison = comparisons.get(key(group, load, metric));
        if (comparison == null) {
            throw new IllegalArgumentException("not compared: " + group + ", " + load.id() + ", " + metric.key());
        }
        return comparison;
    }

    /** Returns whether the servers that started first in their blocks came out different in this metric. */
    public StartOrder startOrder(Group group, MeasuredLoad load, Metric metric) {
        return StartOrder.of(comparison(group.name(), load, metric), campaign.order());
    }

    private static List<Object> key(String group, MeasuredLoad load, Metric metric) {
        return List.of(group, load, metric);
    }

    /** Returns the claims of one group, load and primary metric, in the order of the arms. */
    public List<PairVerdict> pairs(Group group, MeasuredLoad load, Metric metric) {
        return pairs.getOrDefault(key(group.name(), load, metric), List.of());
    }

    /** Returns the effects for one group, load and primary metric, in the order of the plan; empty without factors. */
    public List<PairVerdict> effects(Group group, MeasuredLoad load, Metric metric) {
        return family.effects(group.name(), load, metric);
    }

    /**
     * Returns the verdict on an arm, or the control, against its group's baseline; empty for the baseline itself and
     * for references.
     */
    public Optional<Against> against(Group group, Arm arm, MeasuredLoad load, Metric metric) {
        List<PairVerdict> pairs = arm.role() == Arm.Role.CONTROL
                ? family.control(comparison(group.name(), load, metric)).stream()
                        .toList()
                : pairs(group, load, metric);
        return pairs.stream()
                .filter(pair -> Against.joins(pair, arm.id(), group.baseline().id()))
                .findFirst()
                .map(pair -> Against.of(pair, arm.id()));
    }

    /**
     * Returns a metric that is not judged, as a separate family. Its intervals are at the campaign's level for this
     * metric alone, and nothing is concluded from them.
     */
    public MultipleComparison shown(Group group, MeasuredLoad load, Metric metric) {
        return MultipleComparison.of(List.of(comparison(group, load, metric)), settings)
                .withoutVerdicts();
    }

    /**
     * Returns an arm, or the control, against its group's baseline in a separate family; empty if {@link #against} is.
     */
    public static Optional<Against> against(MultipleComparison alone, Group group, Arm arm) {
        return (arm.role() == Arm.Role.CONTROL ? alone.controls() : alone.pairs())
                .stream()
                        .filter(pair ->
                                Against.joins(pair, arm.id(), group.baseline().id()))
                        .findFirst()
                        .map(pair -> Against.of(pair, arm.id()));
    }

    /**
     * Returns a reference against the baseline: the ratio and the ends of its t interval over blocks; NaN if there is
     * none. It claims nothing.
     */
    public Spread reference(Group group, Arm reference, MeasuredLoad load, Metric metric) {
        double[] d = comparison(group.name(), load, metric)
                .logRatios(reference.id(), group.baseline().id());
        Spread spread = Spread.of(d, false, campaign.plan().alpha());
        return new Spread(spread.n(), Math.exp(spread.mean()), Math.exp(spread.low()), Math.exp(spread.high()), true);
    }

    /**
     * Returns one figure of one arm over its server runs: the arithmetic mean of shares, the geometric mean of all
     * other figures. A percentile's interval includes the clock's error.
     */
    public Spread describe(Arm arm, MeasuredLoad load, Metric metric) {
        Spread spread = describe(metric, values(arm, load, metric));
        return metric.isSingleTime() ? spread.widened(resolutionMs(List.of(arm), load)) : spread;
    }

    /**
     * Returns the figure with which an arm is compared, over blocks. It is the mean of both copies of the baseline in
     * each block, if both count.
     */
    public Spread comparedWith(Group group, Arm arm, MeasuredLoad load, Metric metric) {
        Map<Integer, SortedMap<Integer, Double>> copies = new TreeMap<>();
        Stream.concat(
                        Stream.of(group.baseline()),
                        group.control().filter(copy -> countsBothCopies(group) && !copy.equals(arm)).stream())
                .forEach(copy -> values(copy, load, metric).forEach((block, value) -> {
                    SortedMap<Integer, Double> ofBlock = copies.computeIfAbsent(block, any -> new TreeMap<>());
                    ofBlock.put(ofBlock.size(), value);
                }));
        SortedMap<Integer, Double> means = new TreeMap<>();
        copies.forEach(
                (block, values) -> means.put(block, describe(metric, values).mean()));
        return describe(metric, means);
    }

    /**
     * Returns why an arm has no verdict against others. If both copies of the baseline count, the servers of either may
     * be the reason.
     */
    public Optional<NoVerdictReason> barredBeside(Arm arm, MeasuredLoad load) {
        Stream<Arm> copies = groups.stream()
                .filter(group -> group.baseline().equals(arm) && countsBothCopies(group))
                .flatMap(group -> group.control().stream());
        return Stream.concat(Stream.of(arm), copies)
                .flatMap(copy -> barred(copy, load).stream())
                .min(Comparator.naturalOrder());
    }

    /** True if a group's arms are compared with the mean of both copies of its baseline. */
    public boolean countsBothCopies(Group group) {
        return group.control().isPresent() && campaign.plan().baseline() == Baseline.BOTH_COPIES;
    }

    /** Returns what a group's arms are compared with, for people: "Tomcat", or "the mean of both copies of Tomcat". */
    public String comparedWith(Group group) {
        String name = name(group.baseline());
        return countsBothCopies(group) ? "the mean of both copies of " + name : name;
    }

    public Spread describe(Metric metric, SortedMap<Integer, Double> values) {
        double[] x = values.values().stream().mapToDouble(Double::doubleValue).toArray();
        return Spread.of(x, !metric.unit().equals("%"), campaign.plan().alpha());
    }

    /** Returns the outcomes of the comparison's claims, in its order. */
    public List<ClaimResult> claims() {
        return claims;
    }

    /** Returns the verdict on a pair of arms, either of which may be named first; empty if they are not compared. */
    public Optional<Against> against(String arm, String other, MeasuredLoad load, Metric metric) {
        return family.pairs().stream()
                .filter(pair ->
                        pair.contrast().load().equals(load) && pair.contrast().metric() == metric)
                .filter(pair -> Against.joins(pair, arm, other))
                .findFirst()
                .map(pair -> Against.of(pair, arm));
    }

    /**
     * Returns the words for verdicts within a group: arms by their labels; by their ids where two labels are the same.
     */
    public Wording wording() {
        Map<String, String> names = new LinkedHashMap<>();
        campaign.arms().forEach(arm -> names.put(arm.id(), name(arm)));
        return new Wording(family, names);
    }

    /** Returns the name of an arm; for an arm that could not run here, its id. */
    public String name(String id) {
        return campaign.arms().stream()
                .filter(arm -> arm.id().equals(id))
                .findFirst()
                .map(this::name)
                .orElse(id);
    }

    /** Returns an arm's name within its group: its label, or its id if another arm has the same label. */
    public String name(Arm arm) {
        boolean taken = campaign.arms().stream()
                .filter(other -> !other.id().equals(arm.id()) && other.group().equals(arm.group()))
                .filter(other -> other.label().equals(arm.label()))
                .anyMatch(other -> arm.role() == Arm.Role.CONTROL || other.role() != Arm.Role.CONTROL);
        if (arm.label().isBlank()) {
            return arm.id();
        }
        if (!taken) {
            return arm.label();
        }
        return arm.role() == Arm.Role.CONTROL ? arm.label() + " (control)" : arm.id();
    }

    /**
     * A verdict from one arm's point of view.
     *
     * @param ratio arm / other; NaN if there is none
     * @param low lower end of its simultaneous interval; 0 if a floor leaves none; NaN with fewer than two blocks
     * @param high upper end of the interval; infinite if a floor leaves none
     * @param bound whether the ratio is exact, or a bound because an arm ran at the generator's limit
     */
    public record Against(
            String arm,
            String other,
            double ratio,
            double low,
            double high,
            Bound bound,
            Verdict verdict,
            PairVerdict pair) {

        /** True if a pair consists of these two arms. */
        public static boolean joins(PairVerdict pair, String one, String other) {
            String a = pair.contrast().a();
            String b = pair.contrast().b();
            return a.equals(one) && b.equals(other) || a.equals(other) && b.equals(one);
        }

        /** Returns the pair from the point of view of {@code arm}, which is one of its two arms. */
        public static Against of(PairVerdict pair, String arm) {
            boolean isA = pair.contrast().a().equals(arm);
            return new Against(
                    arm,
                    isA ? pair.contrast().b() : pair.contrast().a(),
                    isA ? pair.ratio() : 1 / pair.ratio(),
                    isA ? pair.low() : 1 / pair.high(),
                    isA ? pair.high() : 1 / pair.low(),
                    isA ? pair.bound() : pair.bound().mirrored(),
                    isA ? pair.verdict() : pair.verdict().mirrored(),
                    pair);
        }

        public Estimate estimate() {
            return pair.estimate();
        }
    }
}
