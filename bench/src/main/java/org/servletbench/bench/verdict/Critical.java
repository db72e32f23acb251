package org.servletbench.bench.verdict;

import java.lang.ref.SoftReference;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.commons.numbers.rootfinder.BrentSolver;
import org.apache.commons.statistics.distribution.ChiSquaredDistribution;
import org.servletbench.bench.comparison.Effect;

/**
 * The critical value of the largest |t| over several pairs of one table. Intervals with this number of standard errors
 * on either side hold the truth simultaneously in {@code 1 - level} of all tables (Tukey's method if the variance is
 * pooled; T. Hothorn, F. Bretz, P. Westfall, Simultaneous inference in general parametric models, Biometrical Journal
 * 50, 2008). Because variances are shrunk, the value is simulated, with a fixed seed, for the pattern of the given
 * table. It is the larger of two values: the one for equal spreads at the given level, and the one for one arm that is
 * three times noisier at {@link #NOISIER_MISSES} times that level. If the baseline is the mean of two copies, both are
 * noisier, because they are servers of one jar.
 *
 * <p>Only the residuals and the direction of the arms' means are drawn. The probability that their length is beyond the
 * critical value is exact, from the chi distribution. With 10,000 draws the value is accurate to about 1 %, and to 4 %
 * at a level of 0.2 % in tables with few degrees of freedom; with 40,000 draws to half of that.
 */
public final class Critical {
    /** Factor by which one arm may be noisier without causing many more false alarms. */
    static final double NOISIER = 3;

    /**
     * Factor of false alarms if one arm is noisier. Without this allowance, every interval of four to seven blocks
     * would be about 5 % wider.
     */
    public static final double NOISIER_MISSES = 1.2;

    private static final int DRAWS = 10_000;
    /**
     * Number of draws for complete tables in which a mean of two copies is compared. Other tables have fewer, so that
     * recorded campaigns keep their figures.
     */
    private static final int MORE_DRAWS = 40_000;

    private static final long SEED = 20261121;
    /**
     * Minimum number of blocks from which on the residuals of a complete table are drawn as their cross products
     * (Bartlett 1933).
     */
    private static final int MANY = 60;

    /** Upper end of the chi variable. With as many degrees as a campaign has arms, less than 1e-12 lies beyond it. */
    private static final double END = 14;

    private static final double STEP = 0.005;
    /** Minimum number of standard errors. With fewer there is no interval at any level below one half. */
    private static final double LEAST = 0.5;

    private static final int MOST_KEPT = 1000;
    private static final Map<Key, Double> KEPT = lastUsed(MOST_KEPT);

    /**
     * Draws of complete tables, of up to 1 MB each. They do not depend on the level, and most tables are needed at
     * several levels.
     */
    private static final Map<Table, SoftReference<Complete>> DRAWN = lastUsed(MOST_KEPT);

    private static final double[] NO_OFFSET = new double[MORE_DRAWS];

    private static <K, V> Map<K, V> lastUsed(int most) {
        return new LinkedHashMap<>(64, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
                return size() > most;
            }
        };
    }

    private final boolean[][] present;
    private final List<Pair> pairs;
    private final int arms;
    private final Layout layout;
    private final int number;
    private final int[] count;
    private final int[] shared;
    /** Columns of each pair, those of its first side first. */
    private final int[][] columns;
    /** Weights of these columns, by pair and block, which sum to 0; null if the block lacks a side. */
    private final double[][][] weights;
    /** Mean of the weights, by pair and column. */
    private final double[][] means;
    /** Expected variance of the differences of each pair, in variances of one column. */
    private final double[] variance;

    /**
     * Two sides that are compared, each of which is the mean of its arms.
     *
     * @param a arms, each given by the columns whose mean it is, in their order; if a block lacks some columns, the arm
     *     is the mean of the others
     */
    record Pair(List<List<Integer>> a, List<List<Integer>> b) implements Comparable<Pair> {
        private static final Comparator<List<List<Integer>>> BY_COLUMN = Pair::compared;

        Pair(int a, int b) {
            this(List.of(List.of(a)), List.of(List.of(b)));
        }

        /** Returns the pair of two sides, regardless of their order. */
        static Pair of(List<List<Integer>> one, List<List<Integer>> other) {
            return BY_COLUMN.compare(one, other) < 0 ? new Pair(one, other) : new Pair(other, one);
        }

        /** Compares column by column. If two sides begin alike, the shorter one comes first. */
        private static int compared(List<List<Integer>> one, List<List<Integer>> other) {
            return Arrays.compare(columns(one).toArray(), columns(other).toArray());
        }

        private static IntStream columns(List<List<Integer>> side) {
            return side.stream().flatMap(List::stream).mapToInt(Integer::intValue);
        }

        @Override
        public int compareTo(Pair other) {
            int first = BY_COLUMN.compare(a, other.a);
            return first == 0 ? BY_COLUMN.compare(b, other.b) : first;
        }

        /** Returns the arms of both sides. */
        Stream<List<Integer>> arms() {
            return Stream.concat(a.stream(), b.stream());
        }

        /** Returns the columns of both sides, those of the first side first. */
        int[] columns() {
            return IntStream.concat(columns(a), columns(b)).toArray();
        }
    }

    private record Key(List<String> blocks, List<Pair> pairs, double level) {}

    /** A complete table. */
    private record Table(int blocks, int arms, List<Pair> pairs) {}

    private Critical(boolean[][] present, List<Pair> pairs) {
        this.present = present;
        this.pairs = pairs;
        layout = new Layout(present);
        arms = present[0].length;
        boolean several = pairs.stream().anyMatch(pair -> pair.columns().length > 2);
        number = several && layout.complete() ? MORE_DRAWS : DRAWS;
        count = IntStream.range(0, arms)
                .map(arm -> (int) Arrays.stream(present).filter(b -> b[arm]).count())
                .toArray();
        columns = pairs.stream().map(Pair::columns).toArray(int[][]::new);
        weights = pairs.stream()
                .map(pair -> Arrays.stream(present)
                        .map(block -> weights(pair, block))
                        .toArray(double[][]::new))
                .toArray(double[][][]::new);
        shared = new int[columns.length];
        variance = new double[columns.length];
        means = new double[columns.length][];
        for (int p = 0; p < columns.length; p++) {
            means[p] = new double[columns[p].length];
            double squares = 0;
            for (double[] block : weights[p]) {
                shared[p] += block == null ? 0 : 1;
                for (int k = 0; block != null && k < block.length; k++) {
                    means[p][k] += block[k];
                    squares += block[k] * block[k];
                }
            }
            for (int k = 0; k < means[p].length; k++) {
                means[p][k] /= shared[p];
            }
            variance[p] = squares / shared[p];
        }
    }

    /** Returns the weights of a pair's columns in a block; null if the block lacks a side. */
    private static double[] weights(Pair pair, boolean[] block) {
        double[] a = weights(pair.a, block, 1);
        double[] b = weights(pair.b, block, -1);
        return a == null || b == null
                ? null
                : DoubleStream.concat(Arrays.stream(a), Arrays.stream(b)).toArray();
    }

    private static double[] weights(List<List<Integer>> side, boolean[] block, double all) {
        return side.stream().anyMatch(arm -> there(arm, block) == 0)
                ? null
                : side.stream()
                        .flatMapToDouble(arm -> arm.stream()
                                .mapToDouble(column -> block[column] ? all / (side.size() * there(arm, block)) : 0))
                        .toArray();
    }

    private static long there(List<Integer> arm, boolean[] block) {
        return arm.stream().filter(column -> block[column]).count();
    }

    /**
     * Returns the critical value.
     *
     * @param present [block][arm], with degrees of freedom left for the spread; the order of blocks does not matter
     * @param pairs pairs of sides that share at least two blocks
     * @throws IllegalStateException without degrees of freedom
     */
    static double value(boolean[][] present, List<Pair> pairs, double level) {
        // The order must not matter, so the blocks are sorted.
        boolean[][] sorted = Arrays.stream(present).sorted(Arrays::compare).toArray(boolean[][]::new);
        Key key = new Key(Arrays.stream(sorted).map(Arrays::toString).toList(), List.copyOf(pairs), level);
        synchronized (KEPT) {
            Double kept = KEPT.get(key);
            if (kept == null) {
                kept = new Critical(sorted, key.pairs).value(level);
                KEPT.put(key, kept);
            }
            return kept;
        }
    }

    /**
     * Returns the critical value of a complete table of at least 2 blocks, for all pairs of its ranked arms.
     *
     * @param control true if there is a second copy of the first arm, which contributes its residuals
     * @param rule determines whether the second copy contributes more than that
     */
    static double complete(int blocks, int ranked, boolean control, Baseline rule, double level) {
        boolean[][] all = new boolean[blocks][ranked + (control ? 1 : 0)];
        Arrays.stream(all).forEach(block -> Arrays.fill(block, true));
        List<Pair> pairs = IntStream.range(0, ranked)
                .boxed()
                .flatMap(a -> IntStream.range(a + 1, ranked)
                        .mapToObj(b -> new Pair(
                                List.of(columns(a, ranked, control, rule)),
                                List.of(columns(b, ranked, control, rule)))))
                .toList();
        return value(all, pairs, level);
    }

    /**
     * Returns the critical value of a complete table, for effects of a factorial.
     *
     * @param ranked names of the arms, the baseline first
     */
    static double complete(
            int blocks, List<String> ranked, boolean control, Baseline rule, List<Effect> effects, double level) {
        boolean[][] all = new boolean[blocks][ranked.size() + (control ? 1 : 0)];
        Arrays.stream(all).forEach(block -> Arrays.fill(block, true));
        List<Pair> pairs = effects.stream()
                .map(effect ->
                        Pair.of(side(effect.a(), ranked, control, rule), side(effect.b(), ranked, control, rule)))
                .sorted()
                .toList();
        return value(all, pairs, level);
    }

    private static List<List<Integer>> side(List<String> names, List<String> ranked, boolean control, Baseline rule) {
        return names.stream()
                .map(name -> columns(ranked.indexOf(name), ranked.size(), control, rule))
                .toList();
    }

    /** Returns the columns of an arm in a complete table. */
    static List<Integer> columns(int arm, int ranked, boolean control, Baseline rule) {
        return arm == 0 && control && rule == Baseline.BOTH_COPIES ? List.of(0, ranked) : List.of(arm);
    }

    /**
     * Returns one arm of each kind, in tables of three or more columns. Arms with the same number of columns, the same
     * blocks and the same number of pairs are interchangeable. (An arm that is only pooled makes the others' intervals
     * wider.) A baseline, which is in all pairs or has two columns, is a kind of its own.
     */
    private List<List<Integer>> unlike() {
        Map<List<Object>, List<Integer>> kinds = new LinkedHashMap<>();
        if (arms > 2) {
            pairs.stream().flatMap(Pair::arms).distinct().forEach(arm -> {
                List<String> blocks = arm.stream()
                        .map(column -> Arrays.toString(Arrays.stream(present)
                                .map(block -> block[column])
                                .toArray()))
                        .toList();
                long inPairs = pairs.stream()
                        .filter(pair -> pair.arms().anyMatch(arm::equals))
                        .count();
                kinds.putIfAbsent(List.of(inPairs, blocks), arm);
            });
        }
        return List.copyOf(kinds.values());
    }

    /** Returns the spreads of all columns if this arm's are noisier. */
    private double[] noisy(List<Integer> arm) {
        double[] sigma = new double[arms];
        Arrays.fill(sigma, 1);
        arm.forEach(column -> sigma[column] = NOISIER);
        return sigma;
    }

    private double value(double level) {
        int[] tested =
                Arrays.stream(columns).flatMapToInt(Arrays::stream).distinct().toArray();
        double[] chi = chi(tested.length);
        if (layout.complete()) {
            Complete draws = complete(tested);
            double critical = atLeast(LEAST, draws.equal, chi, level);
            for (Draws noisy : draws.noisy) {
                critical = atLeast(critical, noisy, chi, NOISIER_MISSES * level);
            }
            return critical;
        }
        double critical = atLeast(LEAST, drawn(noisy(List.of()), tested), chi, level);
        for (List<Integer> arm : unlike()) {
            critical = atLeast(critical, drawn(noisy(arm), tested), chi, NOISIER_MISSES * level);
        }
        return critical;
    }

    /**
     * Slope and offset of {@code t = slope R + offset}, for each pair and draw; R is the chi variable. In complete
     * tables, which have no offsets, the steepest pair represents all.
     *
     * @param offset remainder from blocks that a pair does not share, in tables with holes
     */
    private record Draws(double[][] slope, double[][] offset) {
        static Draws straight(double[] slope) {
            return new Draws(new double[][] {slope}, new double[][] {NO_OFFSET});
        }
    }

    /**
     * Draws of a complete table, in which arms are interchangeable.
     *
     * @param equal draws if all arms are equally noisy
     * @param noisy draws if one tested arm is {@link #NOISIER}, for one arm of each kind
     */
    private record Complete(Draws equal, List<Draws> noisy) {}

    private Complete complete(int[] tested) {
        Table table = new Table(present.length, arms, pairs);
        SoftReference<Complete> kept = DRAWN.get(table);
        Complete draws = kept == null ? null : kept.get();
        if (draws == null) {
            draws = drawnComplete(tested);
            DRAWN.put(table, new SoftReference<>(draws));
        }
        return draws;
    }

    private Complete drawnComplete(int[] tested) {
        SplittableRandom random = new SplittableRandom(SEED);
        double[] one = noisy(List.of());
        List<double[]> several = unlike().stream().map(this::noisy).toList();
        double[][] products = new double[arms][arms];
        double[] equal = new double[number];
        double[][] noisy = new double[several.size()][number];
        for (int draw = 0; draw < number; draw++) {
            crossProducts(completeResiduals(random), products);
            double[] direction = direction(random, one, tested);
            equal[draw] = steepest(products, direction, one);
            // The noisy arm's values are multiples of the same draws.
            for (int k = 0; k < noisy.length; k++) {
                noisy[k][draw] = steepest(products, direction, several.get(k));
            }
        }
        return new Complete(
                Draws.straight(equal), Arrays.stream(noisy).map(Draws::straight).toList());
    }

    /** Computes the cross products of all pairs of columns. The matrix is symmetric. */
    private void crossProducts(double[][] rows, double[][] products) {
        for (double[] row : products) {
            Arrays.fill(row, 0);
        }
        for (double[] residual : rows) {
            // Most of the time is spent here, so it uses loops that the compiler can vectorise instead of streams.
            for (int i = 0; i < arms; i++) {
                double[] row = products[i];
                double own = residual[i];
                for (int j = 0; j < arms; j++) {
                    row[j] += own * residual[j];
                }
            }
        }
    }

    /** Returns the slope of the steepest pair if the arms have these spreads. */
    private double steepest(double[][] products, double[] direction, double[] sigma) {
        int n = present.length;
        double pooled = spreadWithin(products, sigma) / layout.df();
        double steepest = 0;
        for (int p = 0; p < columns.length; p++) {
            int[] column = columns[p];
            double[] weight = means[p];
            double squares = 0;
            double distance = 0;
            for (int i = 0; i < column.length; i++) {
                double own = weight[i] * sigma[column[i]];
                double[] row = products[column[i]];
                squares += own * own * row[column[i]];
                for (int j = 0; j < i; j++) {
                    squares += 2 * own * weight[j] * sigma[column[j]] * row[column[j]];
                }
                distance += own * direction[column[i]];
            }
            steepest = Math.max(
                    steepest,
                    distance
                            * distance
                            / BlockModel.errorSquared(Math.max(0, squares) / (n - 1), n, pooled, variance[p]));
        }
        return Math.sqrt(steepest);
    }

    /** Returns the sum of squares about the rows' means: all squares minus those of the rows' sums. */
    private double spreadWithin(double[][] products, double[] sigma) {
        double squares = 0;
        double all = 0;
        for (int i = 0; i < arms; i++) {
            double[] row = products[i];
            double sum = 0;
            for (int j = 0; j < arms; j++) {
                sum += sigma[j] * row[j];
            }
            all += sigma[i] * sum;
            squares += sigma[i] * sigma[i] * row[i];
        }
        return squares - all / arms;
    }

    /** Draws for a table with holes. */
    private Draws drawn(double[] sigma, int[] tested) {
        SplittableRandom random = new SplittableRandom(SEED);
        double[][] slope = new double[columns.length][number];
        double[][] offset = new double[columns.length][number];
        for (int draw = 0; draw < number; draw++) {
            double[][] e = residuals(random, sigma);
            double pooled = layout.residual(e) / layout.df();
            double[] direction = direction(random, sigma, tested);
            for (int p = 0; p < columns.length; p++) {
                double sum = 0;
                double squares = 0;
                for (int b = 0; b < e.length; b++) {
                    if (weights[p][b] != null) {
                        double d = weighted(weights[p][b], e[b], columns[p]);
                        sum += d;
                        squares += d * d;
                    }
                }
                double mean = sum / shared[p];
                double own = Math.max(0, squares - shared[p] * mean * mean) / (shared[p] - 1);
                double error = Math.sqrt(BlockModel.errorSquared(own, shared[p], pooled, variance[p]));
                slope[p][draw] = weighted(means[p], direction, columns[p]) / error;
                offset[p][draw] = mean / error;
            }
        }
        return new Draws(slope, offset);
    }

    private static double weighted(double[] weights, double[] values, int[] columns) {
        double sum = 0;
        for (int k = 0; k < columns.length; k++) {
            sum += weights[k] * values[columns[k]];
        }
        return sum;
    }

    /** Returns values minus their arm's mean. */
    private double[][] residuals(SplittableRandom random, double[] sigma) {
        double[][] e = new double[present.length][arms];
        double[] mean = new double[arms];
        for (int b = 0; b < e.length; b++) {
            for (int i = 0; i < arms; i++) {
                if (present[b][i]) {
                    e[b][i] = sigma[i] * random.nextGaussian();
                    mean[i] += e[b][i] / count[i];
                }
            }
        }
        for (double[] block : e) {
            for (int i = 0; i < arms; i++) {
                block[i] -= mean[i];
            }
        }
        return e;
    }

    /**
     * Returns rows with the same cross products as the residuals of n blocks. These are n-1 rows of independent values.
     * For many blocks, they are the triangular factor instead, whose diagonal is a chi variable with n-1-i degrees
     * (nearly normal, according to R. A. Fisher).
     */
    private double[][] completeResiduals(SplittableRandom random) {
        int rows = present.length - 1;
        boolean many = rows > MANY + arms;
        double[][] e = new double[many ? arms : rows][arms];
        for (int b = 0; b < e.length; b++) {
            for (int i = many ? b : 0; i < arms; i++) {
                double z = random.nextGaussian();
                e[b][i] = many && i == b ? Math.sqrt(rows - i - 0.5) + z * Math.sqrt(0.5) : z;
            }
        }
        return e;
    }

    /** Returns the tested arms' means for a random vector of length 1. */
    private double[] direction(SplittableRandom random, double[] sigma, int[] tested) {
        double[] mean = new double[arms];
        double squares = 0;
        for (int arm : tested) {
            mean[arm] = random.nextGaussian();
            squares += mean[arm] * mean[arm];
        }
        for (int arm : tested) {
            mean[arm] *= sigma[arm] / Math.sqrt(count[arm] * squares);
        }
        return mean;
    }

    /** Returns the critical value for one kind of noise, or the one already needed if that is larger. */
    private static double atLeast(double needed, Draws draws, double[] chi, double level) {
        if (beyond(draws, needed, chi) <= level) {
            return needed;
        }
        double enough = 2 * needed;
        while (beyond(draws, enough, chi) > level) {
            enough *= 2;
            if (Double.isInfinite(enough)) {
                throw new IllegalStateException("no critical value: the table leaves no degrees of freedom");
            }
        }
        // The function is nearly straight on log-log scales.
        double log = new BrentSolver(1e-9, 1e-9, 1e-12)
                .findRoot(
                        at -> Math.log(Math.max(1e-300, beyond(draws, Math.exp(at), chi)) / level),
                        Math.log(needed),
                        Math.log(enough));
        return Math.exp(log);
    }

    /**
     * Returns the probability that any |t| is beyond the critical value, which is that of R outside the range in which
     * all of them are within.
     */
    private static double beyond(Draws draws, double critical, double[] chi) {
        double sum = 0;
        int all = draws.slope[0].length;
        for (int draw = 0; draw < all; draw++) {
            double from = 0;
            double to = END;
            for (int p = 0; p < draws.slope.length; p++) {
                double slope = draws.slope[p][draw];
                double steep = Math.abs(slope);
                double at = Math.copySign(1, slope) * draws.offset[p][draw];
                from = Math.max(from, (-critical - at) / steep);
                to = Math.min(to, (critical - at) / steep);
            }
            sum += from < to ? 1 - survival(chi, from) + survival(chi, to) : 1;
        }
        return sum / all;
    }

    private static double[] chi(int df) {
        ChiSquaredDistribution square = ChiSquaredDistribution.of(df);
        return IntStream.rangeClosed(0, (int) Math.round(END / STEP))
                .mapToDouble(i -> square.survivalProbability(i * STEP * i * STEP))
                .toArray();
    }

    private static double survival(double[] chi, double r) {
        int i = (int) (r / STEP);
        return i >= chi.length - 1 ? 0 : chi[i] + (r / STEP - i) * (chi[i + 1] - chi[i]);
    }
}
