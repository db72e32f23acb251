package org.servletbench.bench.verdict;

import java.util.OptionalInt;

/** How many blocks a precision takes. */
public final class Sizing {

    private Sizing() {}

    /** How many blocks reach a precision; never fewer than {@link Stopping#MIN_BLOCKS}. */
    public static int blocks(double precision, double residual, SampleSize.Design design, double alpha) {
        OptionalInt enough = SampleSize.reaching(precision, residual, design, alpha);
        return Math.max(Stopping.MIN_BLOCKS, enough.orElse(SampleSize.MOST_BLOCKS));
    }
}
