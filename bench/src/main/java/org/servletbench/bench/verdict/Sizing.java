package org.servletbench.bench.verdict;

import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import org.apache.commons.statistics.distribution.ChiSquaredDistribution;

/**
 * How many blocks, and how much load for each server, a precision takes at the least cost, from the noise of a few pilot blocks:
 * the first stage of a procedure in two stages (the idea: C. Stein, A two-sample test for a linear hypothesis whose power is
 * independent of the variance, Annals of Mathematical Statistics 16, 1945).
 *
 * <p>Only spreads decide, never means. The second stage is {@link Stopping}, so the size is an upper end. Pilot blocks count, also
 * where the load changes after them: the pooled residual is the mean of their variances, and so is the variance of a mean. The
 * noise of two blocks is known badly, so the load at most doubles or halves, and only where a tenth of the time is saved.
 * Simulated (SizingSimulationTest, 1,500 campaigns of each kind): 4.0 to 4.9 % have an interval that misses, and 83 to 92 % reach
 * the precision.
 *
 * @param load for each server in a block from now on, s
 * @param expected blocks that are enough if the noise is as the pilot saw it, the pilot's among them
 * @param most blocks after which the campaign ends in any case
 * @param noise that decided: the comparison with the largest residual
 */
public record Sizing(double load, int expected, int most, Noise noise) {
    /** Blocks that a pilot has. */
    public static final int PILOT = 2;

    /** Factor by which the load changes at most. */
    private static final double MOST_CHANGE = 2;
    /** The share of the whole time that another load must save. */
    private static final double WORTH = 0.1;
    /** Whole seconds, and enough turns to see a trend. */
    private static final double LEAST_LOAD = 5;
    /** Chance that the true noise of the residual's is larger than reckoned with. */
    private static final double RISK = 0.1;

    /**
     * Time of a block.
     *
     * @param fixed start, warm-up and rest, s
     * @param loaded load of all servers, s, above 0
     */
    public record Cost(double fixed, double loaded) {
        public double seconds(double factor) {
            return fixed + factor * loaded;
        }
    }

    /**
     * Sizes a campaign.
     *
     * @param noises of all comparisons, at the load that the pilot had; those that are not known are left out
     * @param alpha as {@link Stopping#alpha} has it
     * @param precision half width of every interval, as a share
     * @return with {@link SampleSize#MOST_BLOCKS} where that is too few; with the pilot's load, and as many blocks, where no noise is
     *     known
     */
    public static Sizing of(List<Noise> noises, SampleSize.Design design, double alpha, double precision, Cost cost) {
        Noise worst = noises.stream()
                .filter(Noise::known)
                .max(Comparator.comparingDouble(Noise::residual))
                .orElse(Noise.assumed(Double.NaN, Double.NaN, 1));
        if (!worst.known()) {
            double load = noises.isEmpty() ? Double.NaN : noises.get(0).seconds();
            return new Sizing(load, Stopping.MIN_BLOCKS, SampleSize.MOST_BLOCKS, worst);
        }
        double load = load(noises, worst, cost);
        double residual = residual(noises, load);
        double unlucky = Double.isInfinite(worst.df())
                ? 1
                : Math.sqrt(worst.df() / ChiSquaredDistribution.of(worst.df()).inverseCumulativeProbability(RISK));
        return new Sizing(
                load,
                blocks(precision, residual, design, alpha),
                blocks(precision, residual * unlucky, design, alpha),
                worst);
    }

    /** How many blocks reach a precision; never fewer than {@link Stopping#MIN_BLOCKS}. */
    public static int blocks(double precision, double residual, SampleSize.Design design, double alpha) {
        OptionalInt enough = SampleSize.reaching(precision, residual, design, alpha);
        return Math.max(Stopping.MIN_BLOCKS, enough.orElse(SampleSize.MOST_BLOCKS));
    }

    private static double load(List<Noise> noises, Noise worst, Cost cost) {
        double now = worst.seconds();
        double cheapest = Math.max(
                Math.max(LEAST_LOAD, now / MOST_CHANGE),
                Math.min(now * MOST_CHANGE, worst.cheapestLoad(cost.fixed(), cost.loaded())));
        double load = Math.rint(cheapest);
        return whole(noises, cost, load) < (1 - WORTH) * whole(noises, cost, now) ? load : now;
    }

    /** Time for a precision, in a unit of its own: as many blocks as the variance asks for. */
    private static double whole(List<Noise> noises, Cost cost, double load) {
        double residual = residual(noises, load);
        return residual * residual * cost.seconds(load / noises.get(0).seconds());
    }

    private static double residual(List<Noise> noises, double load) {
        return noises.stream()
                .filter(Noise::known)
                .mapToDouble(noise -> noise.residual(load))
                .max()
                .orElse(Double.NaN);
    }
}
