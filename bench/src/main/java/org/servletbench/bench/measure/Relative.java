package org.servletbench.bench.measure;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.apache.commons.statistics.descriptive.Median;

/**
 * Rates of several servers in the same batches of rounds, each relative to all servers in that batch. The reference is
 * the median of the servers' trends (straight lines through the logarithms of their rates), including the server's own,
 * plus the mean of the residuals. Effects of the machine on all servers cancel, and if only one server changes, no
 * other one seems to change. A median of the rates in each batch would move with the noise of the others: with three
 * servers, one of which slows down by 18 %, another one would rise in up to 42 % of loads.
 *
 * <p>With two servers, it is impossible to say which of them changed.
 */
public final class Relative {

    /** Minimum number of servers. With fewer, a change cannot be attributed to one of them. */
    public static final int LEAST_SERVERS = 3;

    private Relative() {}

    /**
     * Returns the relative rates.
     *
     * @param rates rates by server and batch, requests/s, in order of time; one that is not above 0 is unknown
     * @return rates by server, requests/s at the usual speed of the machine. Unknown batches are left out, and so are
     *     those in which fewer than {@link #LEAST_SERVERS} servers have a rate; with two servers, that is all of them
     */
    public static List<List<Double>> of(List<List<Double>> rates) {
        int batches = rates.stream().mapToInt(List::size).min().orElse(0);
        List<Line> lines =
                rates.stream().map(own -> Line.of(own.subList(0, batches))).toList();
        double slope = Median.withDefaults()
                .evaluate(lines.stream()
                        .mapToDouble(Line::slope)
                        .filter(Double::isFinite)
                        .toArray());
        List<List<Double>> relative = rates.stream()
                .map(own -> (List<Double>) new ArrayList<Double>())
                .toList();
        for (int i = 0; i < batches; i++) {
            int batch = i;
            List<Line> known = lines.stream().filter(one -> one.isKnown(batch)).toList();
            if (known.size() >= LEAST_SERVERS) {
                double reference = slope * (batch - (batches - 1) / 2.0)
                        + known.stream()
                                .mapToDouble(one -> one.residuals[batch])
                                .average()
                                .orElseThrow();
                IntStream.range(0, rates.size())
                        .filter(one -> lines.get(one).isKnown(batch))
                        .forEach(one -> relative.get(one).add(rates.get(one).get(batch) / Math.exp(reference)));
            }
        }
        return relative;
    }

    /**
     * A straight line through the logarithms of rates over their batches, and the residual of each batch; NaN if not
     * known.
     */
    record Line(double slope, double[] residuals) {

        static Line of(List<Double> rates) {
            int[] known = IntStream.range(0, rates.size())
                    .filter(batch -> Relative.isKnown(rates.get(batch)))
                    .toArray();
            double middle = IntStream.of(known).average().orElse(0);
            double level = IntStream.of(known)
                    .mapToDouble(batch -> Math.log(rates.get(batch)))
                    .average()
                    .orElse(0);
            double slope = IntStream.of(known)
                            .mapToDouble(batch -> (batch - middle) * (Math.log(rates.get(batch)) - level))
                            .sum()
                    / IntStream.of(known)
                            .mapToDouble(batch -> (batch - middle) * (batch - middle))
                            .sum();
            double[] residuals = new double[rates.size()];
            Arrays.fill(residuals, Double.NaN);
            for (int batch : known) {
                residuals[batch] = Math.log(rates.get(batch)) - level - slope * (batch - middle);
            }
            return new Line(slope, residuals);
        }

        boolean isKnown(int batch) {
            return !Double.isNaN(residuals[batch]);
        }
    }

    private static boolean isKnown(Double rate) {
        return Objects.nonNull(rate) && rate > 0 && rate < Double.POSITIVE_INFINITY;
    }
}
