package org.servletbench.bench.verdict;

import static org.servletbench.bench.model.Text.text;

import java.util.Arrays;
import java.util.List;

/**
 * The sources of a figure's noise. Two servers of one jar differ (between JVMs), and one server differs from itself
 * from one stretch of load to the next (within one JVM). More load for each server reduces only the second part:
 * {@code residual² = between² + within² · seconds / load} (T. Kalibera and R. Jones, Rigorous benchmarking in
 * reasonable time, ISMM 2013).
 *
 * @param residual standard deviation of ln(value) of one arm in a block, at {@code seconds} of load; 0.02 for 2 %
 * @param within the part of it from within one JVM; NaN if not known
 * @param seconds load for each server in a block, s, the harmonic mean if blocks differ; 0 if servers are only started,
 *     or rates are searched
 * @param df degrees of freedom of {@code residual}; infinite if it is assumed
 */
public record Noise(double residual, double within, double seconds, double df) {
    /**
     * Length of the longest batches between which autocorrelation was observed on a shared machine, s. At 11 s there
     * was none.
     */
    private static final double ALIKE_SECONDS = 10;
    /** Maximum number of batches. More would add little information about their spread. */
    private static final int MOST_BATCHES = 6;
    /**
     * Minimum number of batches. With fewer, a slow stretch could not be distinguished from noise. Short loads have
     * just this many.
     */
    private static final int LEAST_BATCHES = 3;

    /**
     * Returns the assumed noise before any measurement.
     *
     * @param between standard deviation of ln(value) from JVM to JVM
     * @param within standard deviation of ln(value) of one JVM, at {@code seconds} of load
     */
    public static Noise assumed(double between, double within, double seconds) {
        return new Noise(Math.hypot(between, within), within, seconds, Double.POSITIVE_INFINITY);
    }

    /**
     * Returns the measured noise.
     *
     * @param residual residual of the block model
     * @param blocks figures of each block, in successive batches of load, [arm][batch]: all arms of a block have the
     *     same number of batches, over the same stretch of time; values are above 0
     * @param loads load for each server in each of these blocks, s, at least one
     */
    public static Noise of(Residual residual, List<double[][]> blocks, List<Double> loads) {
        double seconds =
                loads.size() / loads.stream().mapToDouble(load -> 1 / load).reduce(0, Double::sum);
        double squares = 0;
        double batches = 0;
        for (int block = 0; block < blocks.size(); block++) {
            double[][] joined = joined(blocks.get(block), loads.get(block));
            int arms = joined.length;
            int length = arms == 0 ? 0 : joined[0].length;
            if (length < 2) {
                continue;
            }
            squares += spread(joined);
            // A server's figure is the mean of its batches, and a batch's noise depends on the batch's length.
            batches += (length - 1) * Math.max(1, arms - 1) * length * (seconds / loads.get(block));
        }
        double within = batches == 0 ? Double.NaN : Math.sqrt(squares / batches);
        return new Noise(residual.sd(), within, seconds, residual.df());
    }

    /**
     * Joins batches until they are long enough to be independent, and takes logarithms. Servers take turns, so a batch
     * lasts longer than its load.
     */
    private static double[][] joined(double[][] block, double seconds) {
        int length =
                Arrays.stream(block).mapToInt(batches -> batches.length).min().orElse(0);
        int wanted = (int)
                Math.max(LEAST_BATCHES, Math.min(MOST_BATCHES, Math.floor(seconds * block.length / ALIKE_SECONDS)));
        int number = Math.min(length, wanted);
        double[][] joined = new double[block.length][number];
        for (int arm = 0; arm < block.length; arm++) {
            for (int i = 0; i < number; i++) {
                joined[arm][i] = Math.log(Arrays.stream(block[arm], i * length / number, (i + 1) * length / number)
                        .average()
                        .orElse(Double.NaN));
            }
        }
        return joined;
    }

    /**
     * Returns the sum of squares around each arm's level; with several arms, also around their common change in a
     * batch.
     */
    private static double spread(double[][] y) {
        int arms = y.length;
        int length = y[0].length;
        double[] ofBatch = new double[length];
        double all = 0;
        for (double[] arm : y) {
            double mean = Arrays.stream(arm).average().orElse(0);
            for (int i = 0; i < length; i++) {
                arm[i] -= mean;
                ofBatch[i] += arms > 1 ? arm[i] / arms : 0;
            }
        }
        for (double[] arm : y) {
            for (int i = 0; i < length; i++) {
                all += (arm[i] - ofBatch[i]) * (arm[i] - ofBatch[i]);
            }
        }
        return all;
    }

    /** Returns this noise multiplied by a factor, for a metric with another precision. */
    public Noise times(double factor) {
        return factor == 1 ? this : new Noise(factor * residual, factor * within, seconds, df);
    }

    /** Returns the upper 95 % limit of the residual; the residual itself if it is assumed. */
    public double upper() {
        return Double.isInfinite(df) ? residual : residual * Estimate.unlucky(df);
    }

    public boolean known() {
        return residual > 0 && residual < Double.POSITIVE_INFINITY;
    }

    /**
     * Returns the standard deviation of ln(value) from JVM to JVM; 0 if the noise within one JVM explains the whole
     * residual; NaN if that noise is not known.
     */
    public double between() {
        return Math.sqrt(Math.max(0, residual * residual - within * within));
    }

    /**
     * Returns the residual at another load for each server in a block, s, above 0. If the noise within a JVM is not
     * known, the worst case is assumed: less load increases it as much as possible, and more load does not reduce it.
     */
    public double residual(double load) {
        if (Double.isNaN(within)) {
            return residual * Math.sqrt(Math.max(1, seconds / load));
        }
        double own = Math.min(within, residual);
        return Math.hypot(between(), own * Math.sqrt(seconds / load));
    }

    /** Returns the parts in one line for people: "1.3 % between JVMs, 1.0 % within one (15 s of load)". */
    public String words() {
        if (seconds == 0) {
            return text("%.1f %% from start to start", 100 * residual);
        }
        return Double.isNaN(within)
                ? text("%.1f %% in all (%.0f s of load)", 100 * residual, seconds)
                : text(
                        "%.1f %% between JVMs, %.1f %% within one (%.0f s of load)",
                        100 * between(), 100 * within, seconds);
    }
}
