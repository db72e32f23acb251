package org.servletbench.bench.record;

import java.util.Collection;
import java.util.OptionalDouble;
import org.servletbench.bench.measure.Trend;
import org.servletbench.bench.verdict.Spread;

/**
 * By how much the servers of an arm became faster under a load, absolutely: the mean over blocks, and its t interval. Servers of one block
 * share what the machine did meanwhile, so that a trend beside the others cannot see what all of them did, and only further blocks can.
 *
 * @param blocks in which the rise is known
 * @param rise in percent; NaN where it is not known
 * @param low lower end of the 98 % interval, in percent; NaN below two blocks
 * @param high upper end
 */
public record Warmth(int blocks, double rise, double low, double high) {

    /** @param alone whether each server was up alone: then its own trend is absolute */
    static Warmth of(Collection<CellResult> results, boolean alone) {
        double[] rises = results.stream()
                .map(result -> rise(result, alone))
                .flatMapToDouble(OptionalDouble::stream)
                .toArray();
        Spread spread = Spread.of(rises, false, 1 - Trend.CONFIDENCE);
        return new Warmth(spread.n(), percent(spread.mean()), percent(spread.low()), percent(spread.high()));
    }

    /** Its logarithm. Under an open model the load sets the rate. */
    private static OptionalDouble rise(CellResult result, boolean alone) {
        if (result.cell().tier() == 0) {
            return OptionalDouble.empty();
        }
        return !alone
                ? Trend.logRise(result.rates())
                : result.trend() == null
                        ? OptionalDouble.empty()
                        : OptionalDouble.of(Math.log1p(result.trend().rise() / 100));
    }

    private static double percent(double log) {
        return 100 * Math.expm1(log);
    }

    public boolean isKnown() {
        return Double.isFinite(high);
    }

    /** Whether the arm's servers surely did not become faster by as much as {@link Trend#FLAT}. */
    public boolean isFlat() {
        return high < Trend.FLAT;
    }

    /** Whether they surely became faster, by what looks like more than {@link Trend#SMALLEST}. */
    public boolean rises() {
        return low > 0 && rise > Trend.SMALLEST;
    }
}
