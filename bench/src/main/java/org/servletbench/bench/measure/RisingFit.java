package org.servletbench.bench.measure;

import java.util.Arrays;

/**
 * Least-squares fit of a curve that never falls to noisy values: neighbours that fall are pooled. Ayer, Brunk, Ewing, Reid and
 * Silverman 1955, Annals of Mathematical Statistics 26, 641.
 *
 * <p>It has no width to choose, as a moving mean has: where a curve is flat, many values are pooled; where it is steep, few are.
 */
final class RisingFit {

    private RisingFit() {}

    /**
     * Returns the fitted value for each value.
     *
     * @param values in order of time
     * @param weights of the values, above 0
     */
    static double[] of(double[] values, double[] weights) {
        int[] from = new int[values.length];
        double[] means = new double[values.length];
        double[] sums = new double[values.length];
        int pools = 0;
        for (int i = 0; i < values.length; i++) {
            from[pools] = i;
            means[pools] = values[i];
            sums[pools] = weights[i];
            pools++;
            while (pools > 1 && means[pools - 2] >= means[pools - 1]) {
                pools--;
                double sum = sums[pools - 1] + sums[pools];
                means[pools - 1] = (means[pools - 1] * sums[pools - 1] + means[pools] * sums[pools]) / sum;
                sums[pools - 1] = sum;
            }
        }
        double[] fitted = new double[values.length];
        for (int pool = 0; pool < pools; pool++) {
            Arrays.fill(fitted, from[pool], pool + 1 < pools ? from[pool + 1] : values.length, means[pool]);
        }
        return fitted;
    }

    /** Returns the fitted values, where all weights are equal. */
    static double[] of(double[] values) {
        double[] equal = new double[values.length];
        Arrays.fill(equal, 1);
        return of(values, equal);
    }
}
