package org.servletbench.proofs;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.commons.statistics.distribution.TDistribution;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.verdict.AaCheck;
import org.servletbench.bench.verdict.BlockData;
import org.servletbench.bench.verdict.Estimate;
import org.servletbench.bench.verdict.MultipleComparison;
import org.servletbench.bench.verdict.PairVerdict;
import org.servletbench.bench.verdict.Settings;

/**
 * Verdicts on arms that are copies of one jar. One long A/A campaign is cut into pseudo-campaigns that share no arm and
 * no block: groups of {@value #ARMS} arms times chunks of consecutive blocks. {@link MultipleComparison} judges each
 * like a separate campaign.
 */
final class NullAnalysis {

    /** Arms of a pseudo-campaign: baseline, two others, A/A copy. */
    static final int ARMS = 4;

    /** Levels of the intervals whose coverage is counted. */
    static final List<Double> LEVELS = List.of(0.5, 0.8, 0.95);

    private final List<List<BlockData>> pseudo;
    private final Settings settings;
    private final List<BlockData> whole;
    private final int chunk;

    /**
     * Cuts a long A/A campaign into pseudo-campaigns.
     *
     * @param whole the comparisons of the long campaign, one for each metric, with the same arms
     * @param chunk blocks of a pseudo-campaign, at least 2; remaining blocks are not used, but a campaign shorter than
     *     one chunk is used whole
     */
    NullAnalysis(List<BlockData> whole, Settings settings, int chunk) {
        this.whole = List.copyOf(whole);
        this.settings = settings;
        this.chunk = chunk;
        this.pseudo = cut(this.whole, chunk);
    }

    /** Returns all arms of a comparison, ending with its A/A copy. */
    static List<String> arms(BlockData comparison) {
        return Stream.concat(comparison.arms().stream(), comparison.control().stream())
                .toList();
    }

    private static List<List<BlockData>> cut(List<BlockData> whole, int chunk) {
        List<String> arms = arms(whole.get(0));
        List<Integer> blocks = whole.stream()
                .flatMap(c -> c.blocks().keySet().stream())
                .distinct()
                .sorted()
                .toList();
        int size = Math.min(ARMS, arms.size());
        int length = Math.max(1, Math.min(chunk, blocks.size()));
        List<List<BlockData>> cut = new ArrayList<>();
        for (int from = 0; from + size <= arms.size(); from += size) {
            List<String> group = arms.subList(from, from + size);
            for (int first = 0; first + length <= blocks.size(); first += length) {
                List<Integer> those = blocks.subList(first, first + length);
                cut.add(whole.stream().map(c -> part(c, group, those)).toList());
            }
        }
        return cut;
    }

    private static BlockData part(BlockData whole, List<String> group, List<Integer> those) {
        SortedMap<Integer, Map<String, Double>> blocks = new TreeMap<>(whole.blocks());
        blocks.keySet().retainAll(those);
        boolean control = group.size() > 2;
        return of(
                whole,
                control ? group.subList(0, group.size() - 1) : group,
                control ? Optional.of(group.get(group.size() - 1)) : Optional.empty(),
                blocks,
                whole.floors());
    }

    /** Returns a comparison of the same metric; its first arm is the baseline. */
    static BlockData of(
            BlockData whole,
            List<String> ranked,
            Optional<String> control,
            SortedMap<Integer, Map<String, Double>> blocks,
            Set<String> floors) {
        return new BlockData(
                        whole.group(),
                        whole.load(),
                        whole.metric(),
                        ranked,
                        ranked.get(0),
                        control,
                        blocks,
                        floors,
                        whole.resolution())
                .with(whole.rule());
    }

    int campaigns() {
        return pseudo.size();
    }

    /**
     * Differences that were named although none exists.
     *
     * @param byMetric number of named pairs, by the words of their metric
     */
    record Named(Counted campaigns, Map<String, Integer> byMetric, int held, int broken, int controls) {}

    Named named() {
        int any = 0;
        int held = 0;
        int broken = 0;
        int controls = 0;
        Map<String, Integer> byMetric = new TreeMap<>();
        whole.forEach(c -> byMetric.put(c.metric().words(), 0));
        for (List<BlockData> campaign : pseudo) {
            MultipleComparison family = MultipleComparison.of(campaign, settings);
            List<PairVerdict> named = family.pairs().stream()
                    .filter(pair -> pair.verdict().namesADifference())
                    .toList();
            any += named.isEmpty() ? 0 : 1;
            named.forEach(pair -> byMetric.merge(pair.contrast().metric().words(), 1, Integer::sum));
            for (PairVerdict control : family.controls()) {
                controls++;
                held += AaCheck.of(control) == AaCheck.HELD ? 1 : 0;
                broken += AaCheck.of(control) == AaCheck.BROKEN ? 1 : 0;
            }
        }
        return new Named(new Counted(any, pseudo.size()), byMetric, held, broken, controls);
    }

    /**
     * Coverage of intervals of pairs, each on its own: t intervals with the standard error and degrees of freedom that
     * servlet-bench uses.
     *
     * @param disjoint pairs of a pseudo-campaign that share no arm: nearly independent, so their coverage may have an
     *     interval of its own
     * @param all every pair that servlet-bench estimates; those that share an arm depend on each other
     * @param families comparisons in which all simultaneous intervals hold at this level
     */
    record Coverage(Metric metric, double level, Counted disjoint, Counted all, Counted families) {}

    /** Returns the coverage for each metric and level. The true ratio is 1, because the arms are copies. */
    List<Coverage> coverage() {
        List<Coverage> coverage = new ArrayList<>();
        for (int m = 0; m < whole.size(); m++) {
            for (double level : LEVELS) {
                coverage.add(coverage(m, level));
            }
        }
        return coverage;
    }

    private Coverage coverage(int m, double level) {
        Settings atLevel = new Settings(1 - level, settings.margin(), Math.max(settings.power(), 1 - level / 2));
        int in = 0;
        int of = 0;
        int allIn = 0;
        int all = 0;
        int families = 0;
        for (List<BlockData> campaign : pseudo) {
            MultipleComparison family = MultipleComparison.of(List.of(campaign.get(m)), atLevel);
            Optional<PairVerdict> last = family.controls().stream().findFirst();
            // Baseline with A/A copy, and the two others, so that no arm occurs twice. Without an A/A copy, just one
            // pair.
            List<PairVerdict> disjoint = last.isEmpty()
                    ? family.pairs().subList(0, 1)
                    : Stream.concat(last.stream(), family.pairs().stream().filter(pair -> !pair.contrast()
                                    .a()
                                    .equals(last.get().contrast().b())))
                            .toList();
            for (PairVerdict pair : disjoint) {
                of++;
                in += holdsOne(pair.estimate(), level) ? 1 : 0;
            }
            for (PairVerdict pair :
                    Stream.concat(last.stream(), family.pairs().stream()).toList()) {
                all++;
                allIn += holdsOne(pair.estimate(), level) ? 1 : 0;
            }
            families += family.pairs().stream().noneMatch(NullAnalysis::excludesOne) ? 1 : 0;
        }
        return new Coverage(
                whole.get(m).metric(),
                level,
                new Counted(in, of),
                new Counted(allIn, all),
                new Counted(families, pseudo.size()));
    }

    private static boolean holdsOne(Estimate estimate, double level) {
        double t = TDistribution.of(estimate.df()).inverseSurvivalProbability((1 - level) / 2);
        return Math.abs(estimate.meanLog()) <= t * estimate.error();
    }

    /** True if a difference is found, as power and false alarms count it. */
    static boolean excludesOne(PairVerdict pair) {
        return pair.low() > 1 || pair.high() < 1;
    }

    /**
     * Counts named differences with the labels of the arms shuffled within each complete block, for all metrics alike:
     * a Monte Carlo estimate of how often chance names a difference. It cannot see a bias that depends on an arm's
     * place.
     *
     * @param draws number of times that all pseudo-campaigns are shuffled
     * @return pseudo-campaigns that name any difference, out of all
     */
    Counted permuted(int draws, long seed) {
        Random random = new Random(seed);
        List<String> arms = arms(whole.get(0));
        List<Integer> complete = Resampled.completeBlocks(whole);
        if (complete.isEmpty()) {
            return new Counted(0, 0);
        }
        int hits = 0;
        int of = 0;
        for (int draw = 0; draw < draws; draw++) {
            List<SortedMap<Integer, Map<String, Double>>> mixed =
                    whole.stream().map(c -> new TreeMap<>(c.blocks())).collect(ArrayList::new, List::add, List::addAll);
            mixed.forEach(blocks -> blocks.keySet().retainAll(complete));
            for (int block : complete) {
                List<String> others = new ArrayList<>(arms);
                Collections.shuffle(others, random);
                for (SortedMap<Integer, Map<String, Double>> blocks : mixed) {
                    blocks.computeIfPresent(block, (number, values) -> renamed(values, arms, others));
                }
            }
            List<BlockData> labelled = new ArrayList<>();
            for (int m = 0; m < whole.size(); m++) {
                BlockData one = whole.get(m);
                labelled.add(of(one, one.arms(), one.control(), mixed.get(m), one.floors()));
            }
            Counted named = new NullAnalysis(labelled, settings, chunk).named().campaigns();
            hits += named.hits();
            of += named.of();
        }
        return new Counted(hits, of);
    }

    private static Map<String, Double> renamed(Map<String, Double> values, List<String> arms, List<String> others) {
        Map<String, Double> renamed = new HashMap<>();
        for (int i = 0; i < arms.size(); i++) {
            Double value = values.get(others.get(i));
            if (value != null) {
                renamed.put(arms.get(i), value);
            }
        }
        return renamed;
    }
}
