package org.servletbench.bench.verdict;

import java.util.Arrays;

/**
 * Which arms are present in which blocks, and the residual of the additive model {@code ln(value) = block + arm} for
 * such a table. Blocks are eliminated first. This leaves the normal equations of the arms (the C matrix of a block
 * design), which become unequal if there are holes, and may fall into parts that share no block.
 */
final class Layout {
    private static final double ZERO = 1e-9;

    private final boolean[][] present;
    private final int arms;
    private final double[][] inverse;
    private final int df;

    /** @param present [block][arm] */
    Layout(boolean[][] present) {
        this.present = present;
        arms = present.length == 0 ? 0 : present[0].length;
        double[][] c = new double[arms][arms];
        int values = 0;
        int blocks = 0;
        for (boolean[] block : present) {
            int size = count(block);
            values += size;
            blocks += size > 0 ? 1 : 0;
            for (int i = 0; i < arms; i++) {
                for (int j = 0; block[i] && j < arms; j++) {
                    c[i][j] += block[j] ? (i == j ? 1.0 : 0.0) - 1.0 / size : 0;
                }
            }
        }
        df = values - blocks - sweep(c);
        inverse = c;
    }

    int df() {
        return df;
    }

    boolean complete() {
        return Arrays.stream(present).allMatch(block -> count(block) == arms);
    }

    /** Returns the residual sum of squares of y [block][arm]; missing values are ignored. */
    double residual(double[][] y) {
        // The residuals are summed themselves, instead of subtracting sums of squares, so that the result of a table
        // without noise is exactly 0.
        double squares = 0;
        for (double[] block : residuals(y)) {
            for (double one : block) {
                squares += one * one;
            }
        }
        return squares;
    }

    /** Returns the residuals of y [block][arm], which are 0 for missing values. */
    double[][] residuals(double[][] y) {
        double[] adjusted = new double[arms];
        double[] centred = new double[arms];
        for (int b = 0; b < present.length; b++) {
            centre(present[b], y[b], centred);
            for (int i = 0; i < arms; i++) {
                adjusted[i] += centred[i];
            }
        }
        double[] effect = new double[arms];
        for (int i = 0; i < arms; i++) {
            for (int j = 0; j < arms; j++) {
                effect[i] += inverse[i][j] * adjusted[j];
            }
        }
        double[][] residuals = new double[present.length][arms];
        double[] rest = new double[arms];
        for (int b = 0; b < present.length; b++) {
            for (int i = 0; i < arms; i++) {
                rest[i] = y[b][i] - effect[i];
            }
            centre(present[b], rest, residuals[b]);
        }
        return residuals;
    }

    /** Subtracts the mean of the present values from each of them. Missing values become 0. */
    private void centre(boolean[] there, double[] values, double[] centred) {
        double sum = 0;
        int size = 0;
        for (int i = 0; i < arms; i++) {
            if (there[i]) {
                sum += values[i];
                size++;
            }
        }
        for (int i = 0; i < arms; i++) {
            centred[i] = there[i] ? values[i] - sum / size : 0;
        }
    }

    /**
     * Replaces a symmetric matrix by a generalised inverse and returns its rank. Uses Gauss-Jordan elimination,
     * skipping pivots of 0.
     */
    private static int sweep(double[][] a) {
        int size = a.length;
        int rank = 0;
        for (int k = 0; k < size; k++) {
            double pivot = a[k][k];
            if (pivot < ZERO) {
                for (int i = 0; i < size; i++) {
                    a[i][k] = 0;
                    a[k][i] = 0;
                }
                continue;
            }
            rank++;
            for (int i = 0; i < size; i++) {
                for (int j = 0; i != k && j < size; j++) {
                    a[i][j] -= j == k ? 0 : a[i][k] * a[k][j] / pivot;
                }
            }
            for (int i = 0; i < size; i++) {
                if (i != k) {
                    a[k][i] /= pivot;
                    a[i][k] /= -pivot;
                }
            }
            a[k][k] = 1 / pivot;
        }
        return rank;
    }

    private static int count(boolean[] block) {
        int size = 0;
        for (boolean there : block) {
            size += there ? 1 : 0;
        }
        return size;
    }
}
