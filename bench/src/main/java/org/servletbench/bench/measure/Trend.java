package org.servletbench.bench.measure;

import java.util.Optional;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * Whether a server became faster or slower over the load that was measured: a straight line through the logarithm of its
 * rates, by least squares, with the noise that the rates themselves show.
 *
 * <p>A machine's speed wanders over seconds, so that rates one after the other are alike: n of them tell as little as
 * n (1 - r) / (1 + r) independent ones, where r is the autocorrelation of the residuals at lag 1. Residuals and t are taken with
 * that number (Santer et al. 2000, J. Geophys. Res. 105, 7337, section 4); r is corrected for its bias, about (2 + 4 r) / n
 * where a line was fitted (Marriott and Pope 1954, Biometrika 41, 390), and taken as 0 where it is negative.
 *
 * <p>Rates that are divided by the mean of all servers of a batch show only what one server does beside the others: a rise
 * that all share leaves them as they are, and cancels in the ratios that are judged as well.
 *
 * @param points rates that it was computed of
 * @param rise from the first rate to the last, in percent; negative where the server became slower
 * @param low lower end of the 98 % interval of the rise, in percent
 * @param high upper end
 */
public record Trend(int points, double rise, double low, double high) {

    /** Of the two-sided interval; each side alone is a test at 1 %. */
    public static final double CONFIDENCE = 0.98;
    /** A rise or fall of less is not worth a mark, however sure it is, in percent. */
    public static final double SMALLEST = 2;
    /** Fewer independent rates than this tell nothing. */
    static final double LEAST = 6;
    /**
     * Added to the autocorrelation, in standard errors of it (1 / sqrt n): short series understate it in the tail that matters. Found
     * by simulation (TrendTest): without it 20 rates of a wandering machine give 2.5 % on each side instead of 2 %.
     */
    private static final double ALLOWANCE = 1.0 / 3;

    /**
     * @param rates in the order of time, evenly spaced in the load's own time, above 0: requests/s of slices or batches, or such
     *     rates divided by the mean of all servers in the same batch
     * @return empty where they are too few, or too much alike their neighbours, to tell; or one is not above 0
     */
    public static Optional<Trend> of(double[] rates) {
        int n = rates.length;
        double middle = (n - 1) / 2.0;
        double mean = 0;
        for (double rate : rates) {
            if (!(rate > 0) || Double.isInfinite(rate)) {
                return Optional.empty();
            }
            mean += Math.log(rate) / n;
        }
        if (n < LEAST) {
            return Optional.empty();
        }
        double slope = 0;
        double spread = 0;
        for (int i = 0; i < n; i++) {
            slope += (i - middle) * Math.log(rates[i]);
            spread += (i - middle) * (i - middle);
        }
        slope /= spread;
        double squares = 0;
        double products = 0;
        double before = 0;
        for (int i = 0; i < n; i++) {
            double residual = Math.log(rates[i]) - mean - slope * (i - middle);
            squares += residual * residual;
            products += residual * before;
            before = residual;
        }
        double r = squares > 0
                ? Math.min(1, Math.max(0, (n * products / squares + 2) / (n - 4) + ALLOWANCE / Math.sqrt(n)))
                : 0;
        double independent = n * (1 - r) / (1 + r);
        if (independent < LEAST) {
            return Optional.empty();
        }
        double t = TDistribution.of(independent - 2).inverseCumulativeProbability((1 + CONFIDENCE) / 2);
        double error = Math.sqrt(squares / (independent - 2) / spread);
        double span = n - 1;
        return Optional.of(new Trend(
                n, percent(slope * span), percent((slope - t * error) * span), percent((slope + t * error) * span)));
    }

    private static double percent(double log) {
        return 100 * Math.expm1(log);
    }

    /** Whether the server surely became faster, by what looks like more than {@link #SMALLEST}. */
    public boolean rises() {
        return low > 0 && rise > SMALLEST;
    }

    /** Whether it surely became slower, by what looks like more than {@link #SMALLEST}. */
    public boolean falls() {
        return high < 0 && rise < -SMALLEST;
    }
}
