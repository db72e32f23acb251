package org.servletbench.bench.verdict;

import java.util.List;
import org.servletbench.bench.verdict.SampleSize.Design;

/**
 * The division of the remaining time into blocks with the same load for every server. More load reduces only the noise
 * within a JVM. More blocks reduce all noise, but each costs a start and a warm-up. Only spreads decide, never ratios.
 *
 * @param blocks number of additional blocks
 * @param load load for each server in each of them, s
 * @param halfWidth approximate half width of the widest interval after them, as {@code ratio - 1}
 */
public record Allocation(int blocks, double load, double halfWidth) {
    /** Shortest load, except in a last block, s. A shorter one has too few batches to show the noise within a JVM. */
    public static final double LEAST_LOAD = 8;

    public static final double MOST_LOAD = 60;

    /** Weight of the assumed noise between JVMs, in degrees of freedom, because two blocks carry little information. */
    private static final double WEIGHT = 4;

    /**
     * The cost of a block.
     *
     * @param fixed time without load, s; the whole time if the load is given
     * @param perLoad seconds of a block for each second of load for a server; 0 if the load is given
     * @param least minimum load for each server, s
     * @param most maximum load for each server, s
     * @param pace minimum time between the starts of two blocks, s; 0 for none
     */
    public record Cost(double fixed, double perLoad, double least, double most, double pace) {

        /** Returns this cost with another minimum load, s. A load that is given stays as it is. */
        public Cost atLeast(double seconds) {
            return perLoad == 0 ? this : new Cost(fixed, perLoad, seconds, most, pace);
        }

        public double seconds(double load) {
            return Math.max(pace, fixed + perLoad * load);
        }

        /**
         * Returns the maximum load that fits into a block of this length; negative if not even the minimum load does.
         */
        public double load(double seconds) {
            double room = perLoad == 0 ? most : Math.min(most, (seconds - fixed) / perLoad);
            return seconds < seconds(least) ? -1 : room;
        }
    }

    /**
     * The goal and the limits of a campaign.
     *
     * @param precision half width that ends the campaign, as {@code ratio - 1}; 0 for none
     * @param left time until the time limit, s; infinite if there is none
     * @param blocks maximum number of additional blocks, at least 1
     */
    public record Aim(Design design, double alpha, double precision, double left, int blocks) {}

    /**
     * Variances of one figure's noise: between JVMs, within one JVM over 1 s, and the sum over the completed blocks.
     */
    private record Parts(double between, double within, double done) {

        static Parts of(Noise noise, Noise assumed, int done) {
            boolean parts = !Double.isNaN(noise.within());
            double within = parts ? square(noise.within()) : 0;
            double expected = parts ? square(assumed.between()) + within : square(assumed.residual());
            double seen = noise.known() ? square(noise.residual()) : 0;
            double df = noise.known() ? noise.df() : 0;
            double all = Double.isInfinite(df) ? seen : (df * seen + WEIGHT * expected) / (df + WEIGHT);
            return new Parts(Math.max(0, all - within), within * noise.seconds(), done * all);
        }

        private static double square(double x) {
            return x * x;
        }

        double sd(int more, double load, int all) {
            return Math.sqrt((done + more * (between + (within == 0 ? 0 : within / load))) / all);
        }

        /**
         * Returns the load with which this number of additional blocks reduces the noise to this value; infinite if no
         * load does.
         */
        double load(int more, double sd, int all) {
            double room = sd * sd * all - done - more * between;
            return room > 0 ? within * more / room : Double.POSITIVE_INFINITY;
        }
    }

    /**
     * Returns the division that reaches the precision soonest; or, if none does, the one with the narrowest intervals
     * at the limit.
     *
     * @param seen noise of all judged figures; if none is known, the assumed noise counts
     * @param assumed noise before any measurement
     * @param done number of completed blocks
     */
    public static Allocation of(List<Noise> seen, Noise assumed, int done, Cost cost, Aim aim) {
        boolean reported = seen.stream().anyMatch(noise -> noise.known() || !Double.isNaN(noise.within()));
        List<Parts> parts = (reported ? seen : List.of(assumed))
                .stream().map(noise -> Parts.of(noise, assumed, done)).toList();
        Allocation best = null;
        double soonest = Double.POSITIVE_INFINITY;
        // If the load is given, more blocks are always better.
        int first = cost.perLoad == 0 && aim.precision == 0
                ? (int) Math.max(1, Math.min(aim.blocks, aim.left / cost.seconds(cost.least)))
                : 1;
        for (int next = first; next <= aim.blocks; next = step(next, aim.blocks)) {
            int more = next;
            int all = done + more;
            double fits = cost.load(aim.left / more);
            boolean late = fits < 0 || more * cost.seconds(cost.least) > soonest;
            if (late && best != null) {
                break;
            }
            if (all < 2) {
                continue;
            }
            double enough = Double.POSITIVE_INFINITY;
            if (aim.precision > 0 && all >= Stopping.MIN_BLOCKS) {
                double sd = SampleSize.runSpread(aim.precision, all, aim.design, aim.alpha);
                enough = parts.stream()
                        .mapToDouble(one -> one.load(more, sd, all))
                        .max()
                        .orElseThrow();
            }
            double load = Math.max(cost.least, Math.min(enough, fits));
            double sd = parts.stream()
                    .mapToDouble(one -> one.sd(more, load, all))
                    .max()
                    .orElseThrow();
            double seconds = enough <= fits ? more * cost.seconds(load) : Double.POSITIVE_INFINITY;
            double halfWidth = SampleSize.halfWidth(sd, all, aim.design, aim.alpha);
            if (best == null || seconds < soonest || Double.isInfinite(soonest) && halfWidth < best.halfWidth) {
                best = new Allocation(more, load, halfWidth);
                soonest = seconds;
            }
        }
        return best == null ? new Allocation(1, cost.least, Double.NaN) : best;
    }

    /** Returns the next number of blocks to examine. Large numbers are skipped, except the last one. */
    private static int step(int blocks, int most) {
        return blocks == most ? most + 1 : Math.min(most, blocks + 1 + blocks / 20);
    }
}
