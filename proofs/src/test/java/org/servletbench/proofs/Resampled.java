package org.servletbench.proofs;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.verdict.BlockData;
import org.servletbench.bench.verdict.MultipleComparison;
import org.servletbench.bench.verdict.PairVerdict;
import org.servletbench.bench.verdict.SampleSize;
import org.servletbench.bench.verdict.Settings;

/**
 * Campaigns made from the real residuals of an A/A campaign. The residuals of {@code ln(value) = block + arm} are
 * enlarged by {@code sqrt(B / (B - 1))} for B blocks: estimating the means of the arms uses up one of B degrees of
 * freedom, which makes differences of two arms in one block smaller by that factor.
 *
 * <p>A block of such a campaign is a real block, drawn with replacement. As many different arms as needed are taken
 * from it in random order. This keeps bad blocks, outliers and the correlation of metrics, but not effects of the order
 * of blocks.
 */
final class Resampled {

    private final List<BlockData> whole;
    private final List<double[][]> residuals;
    private final int arms;

    /**
     * Computes the residuals.
     *
     * @param whole the comparisons of the A/A campaign, one for each metric; incomplete blocks are dropped
     * @throws IllegalArgumentException if there are fewer than two complete blocks
     */
    Resampled(List<BlockData> whole) {
        this.whole = List.copyOf(whole);
        List<String> names = NullAnalysis.arms(whole.get(0));
        arms = names.size();
        List<Integer> complete = completeBlocks(whole);
        if (complete.size() < 2) {
            throw new IllegalArgumentException("there are " + complete.size() + " complete blocks, and 2 are needed");
        }
        residuals = whole.stream().map(c -> residuals(c, names, complete)).toList();
    }

    /** Returns the blocks that have a value for every arm and metric, in order. */
    static List<Integer> completeBlocks(List<BlockData> whole) {
        List<String> names = NullAnalysis.arms(whole.get(0));
        return whole.get(0).blocks().keySet().stream()
                .filter(block -> whole.stream()
                        .map(c -> c.blocks().getOrDefault(block, Map.of()))
                        .allMatch(values -> names.stream().allMatch(name -> values.getOrDefault(name, 0.0) > 0)))
                .toList();
    }

    /**
     * The autocorrelation of an arm's noise from one block to the next. It would invalidate any method that treats
     * blocks as independent.
     *
     * @param correlation correlation of residuals of one arm in neighbouring blocks
     * @param p Monte Carlo p-value: share of random orders of the blocks with a correlation at least as far from their
     *     mean
     */
    record Memory(double correlation, double p) {}

    Memory memory(int m, int draws, long seed) {
        double[][] e = residuals.get(m);
        Random random = new Random(seed);
        List<double[]> order = new ArrayList<>(List.of(e));
        double[] shuffled = new double[draws];
        for (int draw = 0; draw < draws; draw++) {
            Collections.shuffle(order, random);
            shuffled[draw] = neighbours(order);
        }
        double mean = Arrays.stream(shuffled).average().orElse(0);
        double seen = neighbours(List.of(e));
        long as = Arrays.stream(shuffled)
                .filter(other -> Math.abs(other - mean) >= Math.abs(seen - mean))
                .count();
        return new Memory(seen, (as + 1.0) / (draws + 1));
    }

    private static double neighbours(List<double[]> blocks) {
        double products = 0;
        double squares = 0;
        for (int b = 0; b < blocks.size(); b++) {
            for (int i = 0; i < blocks.get(b).length; i++) {
                squares += blocks.get(b)[i] * blocks.get(b)[i];
                products += b == 0 ? 0 : blocks.get(b)[i] * blocks.get(b - 1)[i];
            }
        }
        return products / squares;
    }

    private static double[][] residuals(BlockData comparison, List<String> names, List<Integer> complete) {
        int n = complete.size();
        double[][] e = new double[n][names.size()];
        double[] mean = new double[names.size()];
        for (int b = 0; b < n; b++) {
            Map<String, Double> values = comparison.blocks().get(complete.get(b));
            double level = names.stream()
                    .mapToDouble(name -> Math.log(values.get(name)))
                    .average()
                    .orElseThrow();
            for (int i = 0; i < names.size(); i++) {
                e[b][i] = Math.log(values.get(names.get(i))) - level;
                mean[i] += e[b][i] / n;
            }
        }
        for (double[] block : e) {
            for (int i = 0; i < block.length; i++) {
                block[i] = (block[i] - mean[i]) * Math.sqrt(n / (n - 1.0));
            }
        }
        return e;
    }

    int blocks() {
        return residuals.get(0).length;
    }

    int arms() {
        return arms;
    }

    /**
     * Draws one campaign.
     *
     * @param blocks number of blocks, at least 2
     * @param factor factor applied to all values of {@link #SPIKED}
     */
    List<BlockData> draw(SampleSize.Design plan, int blocks, double factor, SplittableRandom random) {
        int wanted = plan.ranked() + (plan.control() ? 1 : 0);
        if (wanted > arms) {
            throw new IllegalArgumentException(wanted + " arms cannot be drawn from " + arms);
        }
        List<SortedMap<Integer, Map<String, Double>>> values = new ArrayList<>();
        whole.forEach(c -> values.add(new TreeMap<>()));
        for (int block = 1; block <= blocks; block++) {
            int from = random.nextInt(blocks());
            int[] order = IntStream.range(0, arms).toArray();
            for (int i = 0; i < wanted; i++) {
                int other = i + random.nextInt(arms - i);
                int kept = order[i];
                order[i] = order[other];
                order[other] = kept;
            }
            for (int m = 0; m < whole.size(); m++) {
                Map<String, Double> row = new HashMap<>();
                for (int i = 0; i < wanted; i++) {
                    double value = Math.exp(residuals.get(m)[from][order[i]]);
                    row.put(name(i, plan), i == 1 ? factor * value : value);
                }
                values.get(m).put(block, row);
            }
        }
        List<String> ranked =
                IntStream.range(0, plan.ranked()).mapToObj(i -> name(i, plan)).toList();
        Optional<String> control = plan.control() ? Optional.of("control") : Optional.empty();
        return IntStream.range(0, whole.size())
                .mapToObj(m -> NullAnalysis.of(whole.get(m), ranked, control, values.get(m), Set.of()))
                .toList();
    }

    private static final String BASELINE = "arm1";
    static final String SPIKED = "arm2";

    private static String name(int i, SampleSize.Design plan) {
        return i == plan.ranked() ? "control" : "arm" + (i + 1);
    }

    /**
     * False alarms in campaigns without any difference.
     *
     * @param excluding campaigns in which any interval excludes 1
     * @param naming campaigns that name any difference
     */
    record Alarms(Counted excluding, Counted naming) {}

    Alarms alarms(SampleSize.Design plan, int blocks, Settings settings, int draws, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int excluding = 0;
        int naming = 0;
        for (int draw = 0; draw < draws; draw++) {
            List<PairVerdict> pairs = MultipleComparison.of(draw(plan, blocks, 1, random), settings)
                    .pairs();
            excluding += pairs.stream().anyMatch(NullAnalysis::excludesOne) ? 1 : 0;
            naming += pairs.stream().anyMatch(pair -> pair.verdict().namesADifference()) ? 1 : 0;
        }
        return new Alarms(new Counted(excluding, draws), new Counted(naming, draws));
    }

    /**
     * Power to find a known difference in one metric.
     *
     * @param excluding campaigns in which the interval of the changed arm against the baseline excludes 1
     * @param decided campaigns that call it FASTER or SLOWER: beyond the margin
     * @param forecast what servlet-bench forecasts for {@code excluding}, as a share, from the spread of the residuals
     */
    record Found(Metric metric, Counted excluding, Counted decided, double forecast) {}

    List<Found> found(double factor, SampleSize.Design plan, int blocks, Settings settings, int draws, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int[] excluding = new int[whole.size()];
        int[] decided = new int[whole.size()];
        for (int draw = 0; draw < draws; draw++) {
            MultipleComparison family = MultipleComparison.of(draw(plan, blocks, factor, random), settings);
            for (int m = 0; m < excluding.length; m++) {
                Metric metric = whole.get(m).metric();
                PairVerdict pair = family.pairs().stream()
                        .filter(one -> one.contrast().metric().equals(metric)
                                && one.contrast().a().equals(BASELINE)
                                && one.contrast().b().equals(SPIKED))
                        .findFirst()
                        .orElseThrow();
                excluding[m] += NullAnalysis.excludesOne(pair) ? 1 : 0;
                decided[m] += switch (pair.verdict()) {
                    case FASTER, SLOWER -> 1;
                    default -> 0;
                };
            }
        }
        return IntStream.range(0, excluding.length)
                .mapToObj(m -> new Found(
                        whole.get(m).metric(),
                        new Counted(excluding[m], draws),
                        new Counted(decided[m], draws),
                        SampleSize.powerToBaseline(factor - 1, spread(m), blocks, plan, settings.alpha())))
                .toList();
    }

    /** Returns the residual standard deviation of ln(value) of one metric, estimated as servlet-bench does. */
    double spread(int m) {
        return MultipleComparison.residual(whole.get(m)).sd();
    }
}
