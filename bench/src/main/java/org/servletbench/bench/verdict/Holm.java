package org.servletbench.bench.verdict;

import java.util.Comparator;
import java.util.stream.IntStream;

/** Holm's step-down adjustment (Holm, A simple sequentially rejective multiple test procedure, 1979). */
final class Holm {
    private Holm() {}

    /**
     * Adjusted p: with m tests in ascending order, {@code max over j <= i of min(1, (m - j + 1) p_j)}. Those at or below
     * alpha may be claimed together, and the chance that any of them is false stays at or below alpha.
     *
     * @param p raw p; NaN for a test that could not be made. It counts as one of the m all the same, because it was
     *     decided beforehand to make it.
     * @return in the same order; NaN where p was
     */
    static double[] adjust(double[] p) {
        int[] ascending = IntStream.range(0, p.length)
                .boxed()
                .sorted(Comparator.comparingDouble(i -> p[i]))
                .mapToInt(Integer::intValue)
                .toArray();
        double[] adjusted = new double[p.length];
        double largest = 0;
        for (int step = 0; step < p.length; step++) {
            int i = ascending[step];
            // NaN sorts last, and Math.max and Math.min hand it on.
            largest = Math.max(largest, Math.min(1, (p.length - step) * p[i]));
            adjusted[i] = largest;
        }
        return adjusted;
    }
}
