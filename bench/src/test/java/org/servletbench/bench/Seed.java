package org.servletbench.bench;

import java.util.Random;

/** Reproducible random numbers for a test. Their seed is printed, and {@code -Dtests.seed=N} sets it. */
public final class Seed {

    private static final String PROPERTY = "tests.seed";

    private Seed() {}

    /**
     * Returns a generator with the given seed, or with a random one.
     *
     * @param test name of the test in the line that prints the seed
     */
    public static Random random(String test) {
        long seed = Long.getLong(PROPERTY, System.nanoTime());
        System.out.println(test + ": repeat its random choices with -D" + PROPERTY + "=" + seed);
        return new Random(seed);
    }
}
