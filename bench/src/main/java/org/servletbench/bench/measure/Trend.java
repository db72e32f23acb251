package org.servletbench.bench.measure;

import static org.servletbench.bench.model.Text.text;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * The trend of a server's speed over the measured load: a straight line through the logarithms of its rates, by least
 * squares. Its noise is that of the rates around a parabola, because the rise of a server that warms up becomes
 * flatter, and this bend is not noise.
 *
 * <p>Successive rates are alike: n of them carry only as much information as n (1 - r) / (1 + r) independent ones,
 * where r is the autocorrelation of the residuals at lag 1 (Santer et al. 2000, J. Geophys. Res. 105, 7337, section 4).
 * r is corrected for its bias, about (3 + 6 r) / n for three fitted coefficients (after Marriott and Pope 1954,
 * Biometrika 41, 390). It is raised by {@value #ALLOWANCE} of its standard error, 1 / sqrt n, because short series
 * understate it in the tail that matters, and kept between 0 and {@value #MOST_ALIKE}. TrendTest simulates the result.
 *
 * @param points number of rates
 * @param rise rise from the first rate to the last, percent; negative if the server became slower
 * @param low lower end of the 98 % interval of the rise, percent
 * @param high upper end of this interval, percent
 */
public record Trend(int points, double rise, double low, double high) {

    /** Level of the two-sided interval. Each side alone is a test at 1 %. */
    public static final double CONFIDENCE = 0.98;
    /** Smallest rise or fall that deserves a warning, however certain it is, percent. */
    public static final double SMALLEST = 2;
    /**
     * Servers whose rise is certainly less than this are warm, percent. This applies to each server relative to the
     * others, and to the servers of an arm absolutely.
     */
    public static final double FLAT = 10;
    /** Minimum number of rates. With fewer, even a rise of a tenth would hardly be found. */
    public static final int LEAST_POINTS = 20;

    /**
     * Minimum number of known rates. Some rounds may have none, such as the very first, or a time slice that another
     * server's pause covered.
     */
    private static final int LEAST_KNOWN = 16;

    private static final double ALLOWANCE = 0.33;
    /**
     * Upper limit of r. Two shared cores showed 0.54 at 1.2 s; slices of 1 s of slower servers, and batches of time
     * slices, are less alike. Without a limit, a server that changes in one step would look like a machine that drifts
     * slowly, and would not be found.
     */
    private static final double MOST_ALIKE = 0.6;
    /** Upper limit of r for quarters of a slice, which follow each other four times as closely. */
    private static final double MOST_ALIKE_QUARTERS = Math.pow(MOST_ALIKE, 0.25);
    /** Number of fitted coefficients: a level, a line and a parabola. */
    private static final int FITTED = 3;

    /**
     * Returns the trend of rates.
     *
     * @param rates rates above 0 in order of time, evenly spaced in the load's own time: requests/s of slices or
     *     batches, or such rates {@link Relative relative to the others}, which removes a rise that all servers share
     * @return empty if there are fewer than {@link #LEAST_POINTS}, or one is not above 0
     */
    public static Optional<Trend> of(double[] rates) {
        return of(rates, MOST_ALIKE, LEAST_POINTS);
    }

    /**
     * Returns the trend over at least {@link #LEAST_POINTS} rounds.
     *
     * @param rates rates of the batches for which they are known
     */
    public static Optional<Trend> ofRounds(double[] rates) {
        return of(rates, MOST_ALIKE, LEAST_KNOWN);
    }

    /**
     * Returns the logarithm of the rise from the first batch of rounds to the last, according to the line alone. A
     * single load does not show how much of it is the server's own, because the machine may have become faster for all
     * servers.
     *
     * @param rates rates of all batches, requests/s; one that is not above 0 is unknown
     * @return empty if {@link #ofRounds} is
     */
    public static OptionalDouble logRise(List<Double> rates) {
        Relative.Line line = Relative.Line.of(rates);
        long known = IntStream.range(0, rates.size()).filter(line::isKnown).count();
        return rates.size() < LEAST_POINTS || known < LEAST_KNOWN
                ? OptionalDouble.empty()
                : OptionalDouble.of(line.slope() * (rates.size() - 1));
    }

    /**
     * Returns the trend over quarters of slices. A short load on a machine whose speed drifts gives little information,
     * and therefore a wide interval.
     */
    public static Optional<Trend> ofQuarters(double[] rates) {
        return of(rates, MOST_ALIKE_QUARTERS, LEAST_POINTS);
    }

    private static Optional<Trend> of(double[] rates, double mostAlike, int least) {
        int n = rates.length;
        if (n < least || !Arrays.stream(rates).allMatch(rate -> rate > 0 && rate < Double.POSITIVE_INFINITY)) {
            return Optional.empty();
        }
        double[] residuals = Arrays.stream(rates).map(Math::log).toArray();
        double[] line = new double[n];
        double[] parabola = new double[n];
        for (int i = 0; i < n; i++) {
            line[i] = i - (n - 1) / 2.0;
            parabola[i] = line[i] * line[i] - (n * (double) n - 1) / 12;
        }
        // The three shapes are orthogonal, so each is fitted separately.
        double[] level = new double[n];
        Arrays.fill(level, 1);
        takeOut(level, residuals);
        double slope = takeOut(line, residuals);
        takeOut(parabola, residuals);
        double squares = product(residuals, residuals, 0);
        double alike = squares > 0
                ? (n * product(residuals, residuals, 1) / squares + FITTED) / (n - 2 * FITTED)
                        + ALLOWANCE / Math.sqrt(n)
                : 0;
        // This leaves at least one degree of freedom.
        double most = Math.min(mostAlike, (n - FITTED - 1.0) / (n + FITTED + 1.0));
        double r = Math.max(0, Math.min(most, alike));
        double freedom = n * (1 - r) / (1 + r) - FITTED;
        double t = TDistribution.of(freedom).inverseCumulativeProbability((1 + CONFIDENCE) / 2);
        double error = Math.sqrt(squares / freedom / product(line, line, 0));
        int span = n - 1;
        return Optional.of(new Trend(
                n, percent(slope * span), percent((slope - t * error) * span), percent((slope + t * error) * span)));
    }

    /** Subtracts the best-fitting multiple of a shape, and returns its factor. */
    private static double takeOut(double[] shape, double[] from) {
        double factor = product(shape, from, 0) / product(shape, shape, 0);
        Arrays.setAll(from, i -> from[i] - factor * shape[i]);
        return factor;
    }

    private static double product(double[] a, double[] b, int lag) {
        double sum = 0;
        for (int i = lag; i < a.length; i++) {
            sum += a[i - lag] * b[i];
        }
        return sum;
    }

    private static double percent(double log) {
        return 100 * Math.expm1(log);
    }

    /** True if the server certainly became faster, and the estimate is more than {@link #SMALLEST}. */
    public boolean rises() {
        return low > 0 && rise > SMALLEST;
    }

    /** True if its rise is certainly less than {@link #FLAT}. */
    public boolean flat() {
        return high < FLAT;
    }

    /** True if it certainly became slower, and the estimate is more than {@link #SMALLEST}. */
    public boolean falls() {
        return high < 0 && rise < -SMALLEST;
    }

    public String words() {
        return text(
                "throughput %+.1f %% from the first of %d slices of the load to the last (%.0f %% interval %+.1f to %+.1f %%; limit %.0f %%)",
                rise, points, 100 * CONFIDENCE, low, high, SMALLEST);
    }
}
