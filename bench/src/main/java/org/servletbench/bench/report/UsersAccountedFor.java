package org.servletbench.bench.report;

import static org.servletbench.bench.model.Text.text;

import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.stream.DoubleStream;
import org.servletbench.bench.model.MeasuredLoad;
import org.servletbench.bench.model.Metric;
import org.servletbench.bench.record.Analysis;
import org.servletbench.bench.record.Analysis.Group;
import org.servletbench.bench.record.Arm;
import org.servletbench.bench.verdict.PairVerdict;

/**
 * The number of users that follows from throughput, mean response time and pause (Little's law). With time slices, all
 * arms have the same users at the same times. If this number differs between two arms, time was assigned to the wrong
 * slices, and the ratio of their throughputs is wrong by the same factor.
 */
final class UsersAccountedFor {

    /** Share of an interval's half width. A larger error of a ratio deserves a sentence. */
    private static final double MUCH = 1 / 3.0;

    private UsersAccountedFor() {}

    /**
     * Returns a sentence about the largest difference of this number between two arms, if it is large compared with
     * their interval.
     */
    static Optional<String> words(Analysis analysis, Group group) {
        if (!analysis.campaign().plan().together() || analysis.campaign().plan().timeSliceSeconds() == 0) {
            return Optional.empty();
        }
        OptionalDouble most = analysis.family().pairs().stream()
                .filter(pair -> pair.contrast().group().equals(group.name()))
                .filter(pair -> pair.contrast().metric() == Metric.THROUGHPUT)
                .filter(pair -> pair.contrast().load().users() > 0)
                .flatMapToDouble(pair -> DoubleStream.of(Math.abs(difference(analysis, pair)))
                        .filter(apart -> apart > MUCH * Math.log(pair.high() / pair.low()) / 2))
                .max();
        return most.isPresent()
                ? Optional.of(text(
                        "throughput and mean response time of two arms differ by %.1f %% in the users that they account for, and their"
                                + " ratio may be wrong by as much",
                        100 * Math.expm1(most.getAsDouble())))
                : Optional.empty();
    }

    /**
     * Returns the mean over blocks of the difference between the logarithms of both numbers; NaN if no block has both.
     */
    private static double difference(Analysis analysis, PairVerdict pair) {
        MeasuredLoad load = pair.contrast().load();
        SortedMap<Integer, Double> a = products(analysis, pair.contrast().a(), load);
        SortedMap<Integer, Double> b = products(analysis, pair.contrast().b(), load);
        return a.keySet().stream()
                .filter(b::containsKey)
                .mapToDouble(block -> Math.log(a.get(block) / b.get(block)))
                .average()
                .orElse(Double.NaN);
    }

    private static SortedMap<Integer, Double> products(Analysis analysis, String id, MeasuredLoad load) {
        Arm arm = analysis.campaign().arm(id);
        SortedMap<Integer, Double> mean = analysis.values(arm, load, Metric.MEAN);
        double pauseMs = load.settings().pause().meanMs();
        SortedMap<Integer, Double> products = analysis.values(arm, load, Metric.THROUGHPUT);
        products.keySet().retainAll(mean.keySet());
        products.replaceAll((block, rate) -> rate * (mean.get(block) + pauseMs));
        return products;
    }
}
