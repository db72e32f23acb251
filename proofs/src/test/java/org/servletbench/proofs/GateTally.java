package org.servletbench.proofs;

import static org.servletbench.bench.model.Text.text;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import org.servletbench.bench.measure.CodeTiers;
import org.servletbench.bench.measure.TopTier;
import org.servletbench.bench.verdict.Spread;

/** Error rate of the warm-up gate: servers whose warm-up was stopped, and how much faster they became afterwards. */
final class GateTally {

    static final String NAME = "gate";
    /** Remaining rise of throughput, as a share, above which "settled" is wrong, and below which "not settled" is needless. */
    private static final double MUCH = 0.05;
    /** Standard errors that decide on which side of the limit a server is: 95 %, one-sided. */
    private static final double ERRORS = 1.645;

    private GateTally() {}

    /**
     * One server.
     *
     * @param stop share of code below the best at which its warm-up was stopped; 0: when it was called warm
     * @param settled true if it was called warm then
     * @param code that its threads ran in the bursts at the stop
     * @param toCome ln(throughput at the plateau / throughput at the stop), both relative to the reference server
     * @param error standard error of {@code toCome}
     */
    record Server(double stop, String profile, boolean settled, CodeTiers code, double toCome, double error) {

        /** Returns the most that a better compiler could save, by the upper 95 % limit: ln(1 / (1 - share)). */
        private double bound() {
            return -Math.log1p(-code.mostBelow(TopTier.C2, 0.05));
        }

        private boolean isAboveItsBound() {
            return toCome - ERRORS * error > bound();
        }

        private boolean hasMuchToCome() {
            return toCome - ERRORS * error > Math.log1p(MUCH);
        }

        private boolean hasLittleToCome() {
            return toCome + ERRORS * error < Math.log1p(MUCH);
        }
    }

    /** Returns a line for each stop, and those for the gate and its bound. */
    static List<Finding> findings(List<Server> servers) {
        List<Finding> findings = new ArrayList<>();
        for (double stop : servers.stream()
                .map(Server::stop)
                .distinct()
                .sorted(Comparator.reverseOrder())
                .toList()) {
            List<Server> those =
                    servers.stream().filter(one -> one.stop == stop).toList();
            List<String> shown = those.stream()
                    .map(one -> text(
                            "%s %s, %.1f %% of %d samples below C2, %+.1f %% to come (± %.1f)",
                            one.profile,
                            one.settled ? "warm" : "not warm",
                            100 * one.code.shareBelow(TopTier.C2),
                            one.code.samples(),
                            100 * Math.expm1(one.toCome),
                            100 * ERRORS * one.error))
                    .toList();
            findings.add(Finding.shown(
                    NAME,
                    stop > 0 ? text("stopped at %.0f %% below C2", 100 * stop) : "stopped when called warm",
                    "",
                    String.join("; ", shown),
                    "± 1.645 standard errors; both relative to a server that has been warm for long"));
        }
        int above = count(servers, Server::isAboveItsBound);
        findings.add(Finding.of(
                NAME,
                "more to come than the share of code below C2 can explain",
                "none, or 1 in 20",
                text("%d of %d servers", above, servers.size()),
                new Counted(above, servers.size()).interval(0.95),
                above <= Math.ceil(servers.size() / 20.0)));
        Spread left = Spread.of(
                servers.stream()
                        .filter(one -> one.settled)
                        .mapToDouble(Server::toCome)
                        .toArray(),
                false,
                0.05);
        findings.add(Finding.shown(
                NAME,
                "called warm: mean still to come",
                "",
                text(
                        "%+.2f %% (95 %% interval %+.2f to %+.2f %%), %d servers",
                        100 * Math.expm1(left.mean()),
                        100 * Math.expm1(left.low()),
                        100 * Math.expm1(left.high()),
                        left.n()),
                "a mean above 1 % whose interval excludes 0 would say that the criterion lacks something"));
        int settled = count(servers, one -> one.settled);
        int wrong = count(servers, one -> one.settled && one.hasMuchToCome());
        int right = count(servers, one -> one.settled && one.hasLittleToCome());
        String title = text("settled with more than %.0f %% to come", 100 * MUCH);
        String measured = text(
                "%d of %d settled; %d have less, %d cannot be told", wrong, settled, right, settled - wrong - right);
        findings.add(
                right + wrong == 0
                        ? Finding.shown(NAME, title, "none", measured, "no settled server could be told: not tested")
                        : Finding.of(
                                NAME,
                                title,
                                "none",
                                measured,
                                new Counted(wrong, right + wrong).interval(0.95),
                                wrong == 0));
        int open = servers.size() - settled;
        findings.add(Finding.shown(
                NAME,
                text("not settled with less than %.0f %% to come", 100 * MUCH),
                "",
                text(
                        "%d of %d not settled; %d have more",
                        count(servers, one -> !one.settled && one.hasLittleToCome()),
                        open,
                        count(servers, one -> !one.settled && one.hasMuchToCome())),
                "that costs time, or a mark that is not needed, and makes no figure wrong"));
        return findings;
    }

    private static int count(List<Server> servers, Predicate<Server> which) {
        return (int) servers.stream().filter(which).count();
    }
}
