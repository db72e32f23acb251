package org.servletbench.proofs;

import static org.servletbench.bench.model.Text.text;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.commons.statistics.distribution.TDistribution;
import org.servletbench.bench.measure.CodeTiers;
import org.servletbench.bench.measure.RemainingRise;
import org.servletbench.bench.measure.TopTier;
import org.servletbench.bench.measure.WarmCode;

/** Loss of servers whose compilers were stopped, per unit of s / (1 - s), where s is the share of slower code. */
final class WarmthTally {

    static final String NAME = "warmth";
    private static final double LEVEL = 0.05;
    /** Maximum share of slower code for which {@link RemainingRise#LOSS} must hold. No measured server has more. */
    private static final double SMALL = 0.15;

    private WarmthTally() {}

    /**
     * One server.
     *
     * @param log ln(throughput / geometric mean of both warm copies in its block)
     * @param settled true if it was reported warm before the load
     * @param top best code of its JVM
     * @param code samples under the load, after the counted part
     */
    record Server(String profile, String arm, double log, boolean settled, TopTier top, CodeTiers code) {

        private boolean isSurelyCold() {
            return code.leastBelow(TopTier.C2, LEVEL) > WarmCode.MOST_BELOW;
        }

        private double share() {
            return code.shareBelow(TopTier.C2);
        }

        /** Returns the rise in throughput that the share of slower code alone would explain. */
        private double explained() {
            return share() / (1 - share());
        }

        private double rise() {
            return Math.expm1(-log);
        }

        private boolean isStopped() {
            return top == TopTier.C2
                    && !arm.equals(WarmthExperiment.WARM)
                    && !arm.equals(WarmthExperiment.COPY)
                    && code.samples() > 0;
        }
    }

    /**
     * Slope of the rise over s / (1 - s) through the origin, by least squares.
     *
     * @param low lower end of its 95 % interval; NaN with fewer than two servers
     */
    record Slope(int n, double value, double low, double high) {

        static Slope of(List<Server> servers) {
            double xx = servers.stream()
                    .mapToDouble(one -> one.explained() * one.explained())
                    .sum();
            double value = servers.stream()
                            .mapToDouble(one -> one.explained() * one.rise())
                            .sum()
                    / xx;
            int n = servers.size();
            if (n < 2) {
                return new Slope(n, value, Double.NaN, Double.NaN);
            }
            double residuals = servers.stream()
                    .mapToDouble(one -> Math.pow(one.rise() - value * one.explained(), 2))
                    .sum();
            double half = TDistribution.of(n - 1.0).inverseSurvivalProbability(LEVEL / 2)
                    * Math.sqrt(residuals / (n - 1) / xx);
            return new Slope(n, value, value - half, value + half);
        }

        private String words() {
            return text("%.1f (95 %% interval %.1f to %.1f, %d servers)", value, low, high, n);
        }
    }

    static List<Finding> findings(List<Server> servers) {
        List<Finding> findings = new ArrayList<>();
        servers.stream()
                .filter(one -> !one.arm.equals(WarmthExperiment.WARM) && !one.arm.equals(WarmthExperiment.COPY))
                .collect(Collectors.groupingBy(Server::arm))
                .entrySet()
                .stream()
                .sorted(Comparator.comparing(one -> one.getKey()))
                .forEach(one -> findings.add(Finding.shown(
                        NAME,
                        one.getKey(),
                        "",
                        one.getValue().stream().map(WarmthTally::words).collect(Collectors.joining("; ")),
                        "throughput that both warm copies of its block have more")));
        List<Server> stopped = servers.stream().filter(Server::isStopped).toList();
        List<Server> small =
                stopped.stream().filter(one -> one.share() <= SMALL).toList();
        Slope slope = Slope.of(small);
        String subject = text("loss for each unit of s / (1 - s), s up to %.0f %%", 100 * SMALL);
        String wanted = text("at most %.1f", RemainingRise.LOSS);
        findings.add(
                small.size() < 2
                        ? Finding.shown(NAME, subject, wanted, "too few servers", "nothing to test")
                        : Finding.of(NAME, subject, wanted, slope.words(), "", slope.low() <= RemainingRise.LOSS));
        findings.add(named(
                "servers stopped at the first stage",
                stopped.stream()
                        .filter(one -> one.arm.equals(WarmthExperiment.FIRST))
                        .toList(),
                one -> !one.settled && one.isSurelyCold()));
        findings.add(named(
                "servers with C1 alone",
                servers.stream()
                        .filter(one -> one.arm.equals(WarmthExperiment.C1))
                        .toList(),
                one -> one.top == TopTier.C1));
        return findings;
    }

    private static String words(Server one) {
        return text(
                "%s %+.1f %% with %.1f %% of %d samples below C2",
                one.profile, 100 * one.rise(), 100 * one.share(), one.code.samples());
    }

    private static Finding named(String subject, List<Server> own, Predicate<Server> named) {
        long count = own.stream().filter(named).count();
        return own.isEmpty()
                ? Finding.shown(NAME, subject, "all are named for what they are", "none", "nothing to test")
                : Finding.of(
                        NAME,
                        subject,
                        "all are named for what they are",
                        text("%d of %d", count, own.size()),
                        new Counted((int) count, own.size()).interval(0.95),
                        count == own.size());
    }
}
